#include "server/store/repo/repo_tally.h"
#include "server/store/repo/sql/statements.h"

int repo_tally_fold(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, &sql_tally_fold, &none, NULL, e);
}
