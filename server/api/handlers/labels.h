/* server/api/handlers/labels.h: which runs or plans a list shows. */
#ifndef VIVACE_SERVER_HANDLERS_LABELS_H
#define VIVACE_SERVER_HANDLERS_LABELS_H

#include "server/api/http/http.h"
#include "server/store/repo/repo_label.h"

/* Reads ?tag and ?archived. out->tag points into the request. */
void label_filter_ask(const struct request *req, struct label_filter *out);

#endif
