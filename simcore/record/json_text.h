/* simcore/record/json_text.h: writes a JSON string for the exports of recordings. The text must be UTF-8. */
#ifndef VIVACE_SIMCORE_RECORD_JSON_TEXT_H
#define VIVACE_SIMCORE_RECORD_JSON_TEXT_H

#include "base/strbuf.h"

void json_text_add(struct strbuf *b, const char *s);

#endif
