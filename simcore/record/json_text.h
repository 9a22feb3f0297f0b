/* simcore/record/json_text.h: a string in JSON, for the exports of recordings. Their texts are UTF-8 already. */
#ifndef VIVACE_SIMCORE_RECORD_JSON_TEXT_H
#define VIVACE_SIMCORE_RECORD_JSON_TEXT_H

#include "base/strbuf.h"

void json_text_add(struct strbuf *b, const char *s);

#endif
