/* server/store/db/db_ask.c: runs a statement and returns whether it found a row, or its one text. */
#include "base/strbuf.h"
#include "server/store/db/db.h"

int db_any(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct err *e)
{
    struct db_rows r;
    int any;

    if (db_query(db, stmt, p, &r, e) < 0)
        return -1;
    any = r.count > 0 || r.affected > 0;
    db_rows_release(&r);
    return any;
}

int db_text_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct strbuf *out,
               struct err *e)
{
    struct db_rows r;
    int found;

    if (db_query(db, stmt, p, &r, e) < 0)
        return -1;
    found = r.count > 0;
    if (found)
        strbuf_adds(out, db_get(&r, 0, 0));
    db_rows_release(&r);
    return out->failed ? err_no_memory(e) : found;
}
