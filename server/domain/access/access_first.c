/* server/domain/access/access_first.c: the first start of a farm creates an owner's token and a token for its
 * workers. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "server/domain/access/access.h"
#include "server/store/repo/repo_access.h"
#include "server/store/repo/repo_account.h"

static int write_secret(const char *folder, const char *name, const char *text, struct err *e)
{
    char path[PATH_MAX];
    int fd;
    size_t n = strlen(text);

    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set_errno(e, errno, "%s", path);
    if (fd_write_all(fd, text, n) < 0 || fd_write_all(fd, "\n", 1) < 0 || fsync(fd) < 0) {
        err_set_errno(e, errno, "%s", path);
        close(fd);
        return -1;
    }
    close(fd);
    return 0;
}

struct first {
    struct clock *clock;
    const char *folder;
    char *admin;
};

/* Writes the files first: if the transaction fails then, the next start overwrites them. */
static int make_first(struct db *db, void *ctx, struct err *e)
{
    struct token_request owner = {.name = "owner",
                                  .scopes = 1u << SCOPE_READ | 1u << SCOPE_WRITE | 1u << SCOPE_WORKER |
                                            1u << SCOPE_ADMIN | 1u << SCOPE_FARM},
                         pool = {.name = "worker-pool", .scopes = 1u << SCOPE_WORKER};
    struct first *f = ctx;
    char worker[TOKEN_TEXT], id[UUID_TEXT];
    int found, any = repo_token_any(db, e);

    if (any)
        return any;
    found = repo_team_find(db, "default", &owner.team_id, e);
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_INTERNAL, "the database has no team \"default\"");
    pool.team_id = owner.team_id;
    if (token_make(db, f->clock, &owner, f->admin, id, e) < 0 ||
        token_make(db, f->clock, &pool, worker, id, e) < 0 ||
        write_secret(f->folder, "admin-token", f->admin, e) < 0 ||
        write_secret(f->folder, "worker-token", worker, e) < 0)
        return -1;
    return 0;
}

int access_first_start(struct db *db, struct clock *clock, const char *state_folder, char admin[TOKEN_TEXT],
                       struct err *e)
{
    struct first f = {clock, state_folder, admin};
    int ret = db_transaction(db, make_first, &f, e);

    return ret < 0 ? -1 : ret == 0;
}
