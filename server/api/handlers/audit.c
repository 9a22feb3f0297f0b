/* server/api/handlers/audit.c: the audit log. Owners read their team's log, site admins the log of the whole
 * farm. */
#include <stdio.h>
#include <string.h>

#include "base/csv_cell.h"
#include "server/store/repo/repo_audit.h"
#include "server/api/handlers/access_json.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"

#define EXPORT_MAX 100000 /* rows of one CSV; `since` and `after` select the other rows */

static void write_csv(const struct db_rows *rows, struct strbuf *out)
{
    for (int c = 0; audit_columns[c]; c++)
        strbuf_addf(out, "%s%s", c ? "," : "", audit_columns[c]);
    strbuf_addc(out, '\n');
    for (int i = 0; i < rows->count; i++)
        for (int c = 0; audit_columns[c]; c++) {
            if (c > 0)
                strbuf_addc(out, ',');
            csv_add_cell(out, db_get(rows, i, c + 2));
            if (!audit_columns[c + 1])
                strbuf_addc(out, '\n');
        }
}

/* GET /audit?action&since&after&limit&format=csv|json */
int audit_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *action = request_query(req, "action"), *since = request_query(req, "since"),
               *format = request_query(req, "format");
    int64_t team = credential_has(&req->credential, SCOPE_FARM) ? 0 : req->credential.team_id;
    bool csv = format && strcmp(format, "csv") == 0;
    char after[128];
    struct db_rows rows;
    uint64_t limit;

    if (format && !csv && strcmp(format, "json") != 0)
        return err_set(e, ERR_INVALID, "`format` must be csv or json");
    if (since && need_time("since", since, e) < 0)
        return -1;
    if (list_ask(app, req, "audit", &limit, after, e) < 0)
        return -1;
    if (repo_audit_list(db, team, action, since, after, csv ? EXPORT_MAX : limit + 1, &rows, e) < 0)
        return since && e->code == ERR_INVALID ? wrong_time("since", since, e) : -1;
    if (!csv)
        return list_answer(app, "audit", &rows, 1, limit, rep, e);
    rep->content_type = "text/csv; charset=utf-8";
    snprintf(rep->content_disposition, sizeof rep->content_disposition, "attachment; filename=\"audit.csv\"");
    write_csv(&rows, &rep->body);
    db_rows_release(&rows);
    return reply_body_json(rep, 200, e);
}
