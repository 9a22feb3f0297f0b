/* server/store/repo/repo_compare.h: facts about a run that a comparison shows beside its results. */
#ifndef VIVACE_SERVER_DB_REPO_COMPARE_H
#define VIVACE_SERVER_DB_REPO_COMPARE_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

struct run_about {
    char workload[UUID_TEXT];
    struct strbuf workload_name;
};
int repo_compare_about(struct db *db, const char *run, struct run_about *out, struct err *e) MUST_CHECK;
void run_about_release(struct run_about *a);
/* Rows in the order of the run's designs: SHA-256 and JSON text. Both are empty for a replay without a design. */
int repo_compare_designs(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
