#include "server/store/repo/repo_search.h"

#include "server/store/repo/sql/statements.h"

int repo_search_json(struct db *db, int64_t team, const char *text, uint64_t each, struct strbuf *out,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, text);
    db_u64(&p, each);
    return db_text_of(db, &sql_search, &p, out, e) < 0 ? -1 : 0;
}
