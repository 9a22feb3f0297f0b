/* server/domain/share/question.h: the question of a share link that shows a comparison: which designs of which runs
 * are compared, and what is shown of them (ShareQuestion in api/). */
#ifndef VIVACE_SERVER_SHARE_QUESTION_H
#define VIVACE_SERVER_SHARE_QUESTION_H

#include <stdbool.h>

#include <jansson.h>

#include "base/strbuf.h"
#include "server/store/db/db.h"

struct share_question {
    struct strbuf base, with; /* as in GET /compare: RUN:DESIGN, and a list of them */
    struct strbuf runs;       /* its runs, as an array literal */
    char first[UUID_TEXT];    /* the baseline's run */
    bool all_parameters;      /* also the parameters that do not differ */
};
#define SHARE_QUESTION_INIT                                                                                        \
    {                                                                                                              \
        .base = STRBUF_INIT, .with = STRBUF_INIT, .runs = STRBUF_INIT                                              \
    }

/* Checks the form, not whether the runs exist. The caller releases *q, also after a failure. */
int share_question_read(const json_t *document, struct share_question *q, struct err *e) MUST_CHECK;
/* The question of a link. 1: found, 0: the link shows another object. */
int share_question_of(struct db *db, int64_t share, struct share_question *q, struct err *e) MUST_CHECK;
void share_question_release(struct share_question *q);

/* The calls of GET /compare whose answers a frozen link has. */
void share_question_address(const char *base, const char *with, const char *parameters, struct strbuf *out);

#endif
