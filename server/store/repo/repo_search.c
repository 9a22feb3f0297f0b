#include "server/store/repo/repo_search.h"

#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field search_fields[] = {FIELD_TEXT("kind"),   FIELD_TEXT("id"),       FIELD_TEXT("name"),
                                                FIELD_TEXT("detail"), FIELD_NUMBER("kernel"), FIELDS_END};

int repo_search_json(struct db *db, int64_t team, const char *text, uint64_t each, struct strbuf *out,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, text);
    db_u64(&p, each);
    strbuf_adds(out, "{\"items\" : ");
    if (db_json_list_of(db, &sql_search, &p, search_fields, out, e) < 0)
        return -1;
    strbuf_addc(out, '}');
    return out->failed ? err_no_memory(e) : 0;
}
