#include "server/access/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "server/db/repo_audit.h"
#include "server/executor.h"
#include "server/handlers/handlers.h"

static const struct {
    handler_fn handler;
    const char *action;
} actions[] = {
    {session_post, "login"},
    {session_patch, "session.team"},
    {session_delete, "logout"},
    {tokens_post, "token.make"},
    {token_delete, "token.remove"},
    {users_post, "user.make"},
    {user_patch, "user.change"},
    {user_password_put, "user.password"},
    {teams_post, "team.make"},
    {members_post, "member.make"},
    {member_put, "member.change"},
    {member_delete, "member.remove"},
    {invitations_post, "invitation.make"},
    {invitation_use_post, "invitation.use"},
    {shares_post, "share.make"},
    {share_delete, "share.revoke"},
    {share_open, "share.open"},
    {workload_delete, "workload.delete"},
    {run_cancel_post, "run.cancel"},
};

const char *audit_action(const struct route *route)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (actions[i].handler == route->handler)
            return actions[i].action;
    return NULL;
}

static void name_credential(const struct credential *c, char *out, size_t size)
{
    if (c->share.id)
        snprintf(out, size, "share:%" PRId64, c->share.id);
    else if (c->session_id)
        snprintf(out, size, "session:%" PRId64, c->session_id);
    else if (c->token_id)
        snprintf(out, size, "token:%" PRId64, c->token_id);
    else
        snprintf(out, size, "none");
}

static void fill(struct audit_row *row, struct app *app, const struct route *route, const struct request *req,
                 const struct reply *rep, int status)
{
    const struct credential *c = &req->credential;
    const char *about = rep && rep->about[0] ? rep->about : req->param[0];
    /* of a call without a credential, a log-in: who it says it is */
    const char *actor = c->valid ? c->name : rep && rep->about[0] ? rep->about : "-";

    memset(row, 0, sizeof *row);
    row->at = clock_now(app->clock);
    row->team = rep && rep->about_team ? rep->about_team : c->team_id;
    snprintf(row->actor, sizeof row->actor, "%.63s", actor);
    name_credential(c, row->credential, sizeof row->credential);
    snprintf(row->address, sizeof row->address, "%s", req->address);
    /* a share link's address is its secret */
    snprintf(row->object, sizeof row->object, "%.95s",
             route->handler == share_open && about == req->param[0] ? "" : about);
    snprintf(row->request_id, sizeof row->request_id, "%s", req->id);
    row->action = audit_action(route);
    row->outcome = status;
}

static void write_row(struct db *db, const struct audit_row *row)
{
    struct err e;

    if (repo_audit_put(db, row, &e) < 0)
        log_error("audit", "a row was not written", "action=%s actor=%s request=%s error=%s", row->action,
                  log_quote(row->actor, (char[140]){0}, 140), row->request_id,
                  log_quote(e.text, (char[300]){0}, 300));
}

void audit_answered(struct app *app, struct db *db, const struct route *route, const struct request *req,
                    const struct reply *rep, int status)
{
    struct audit_row row;

    if (!audit_action(route))
        return;
    fill(&row, app, route, req, rep, status);
    write_row(db, &row);
}

static void write_later(struct db *db, void *ctx)
{
    write_row(db, ctx);
    free(ctx);
}

void audit_refused(struct app *app, const struct route *route, const struct request *req, int status)
{
    struct audit_row *row;
    struct err e;

    if (!audit_action(route) || !req->credential.valid)
        return; /* without a credential anybody could fill the log */
    row = mem_zalloc(1, sizeof *row, &e);
    if (!row)
        return;
    fill(row, app, route, req, NULL, status);
    if (executor_submit(app->db_executor, write_later, row, &e) < 0)
        free(row); /* overloaded: the call was refused anyway */
}
