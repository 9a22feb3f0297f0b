#include "server/platform/privileges.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"

/* Creates the folder like mkdir -p. The umask sets the mode of the parents; the folder itself has 0700. */
static int make_state(const char *state, struct err *e)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s", state) >= (int)sizeof path)
        return err_set(e, ERR_USAGE, "the state folder's path is too long");
    for (char *c = path + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            if (mkdir(path, 0755) < 0 && errno != EEXIST)
                return err_set_errno(e, errno, "making the folder %s", path);
            *c = '/';
        }
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return err_set_errno(e, errno, "making the state folder %s", path);
    return 0;
}

static int folder_in_use_by_others(const char *state)
{
    DIR *d = opendir(state);
    const struct dirent *f;
    int entries = 0, ours = 0;

    while (d && (f = readdir(d)))
        if (strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0) {
            entries++;
            ours += strcmp(f->d_name, "blobs") == 0 || strcmp(f->d_name, "lock") == 0;
        }
    if (d)
        closedir(d);
    return entries > 0 && !ours;
}

static const struct passwd *user_to_become(const struct server_config *c, const struct stat *state, struct err *e)
{
    const struct passwd *p;

    if (c->user) {
        p = getpwnam(c->user);
        if (!p || p->pw_uid == 0)
            err_set(e, ERR_USAGE, "`user`: there is no user \"%.60s\" to become", c->user);
        return p && p->pw_uid != 0 ? p : NULL;
    }
    if (state->st_uid != 0 && (p = getpwuid(state->st_uid)))
        return p;
    if ((p = getpwnam("vivace")) || (p = getpwnam("postgres")))
        return p;
    err_set(e, ERR_USAGE,
            "the server was started as root and found no user to become: neither vivace nor postgres exists");
    err_hint(e, "Run useradd --system vivace, or set --user NAME.");
    return NULL;
}

static int become(const struct passwd *p, struct err *e)
{
    if (initgroups(p->pw_name, p->pw_gid) < 0 || setgid(p->pw_gid) < 0 || setuid(p->pw_uid) < 0 || setuid(0) == 0)
        return err_set_errno(e, errno, "becoming the user %s", p->pw_name);
    prctl(PR_SET_DUMPABLE, 1); /* keeps /proc/self readable for this process after setuid */
    /* libpq searches HOME for .pgpass and certificates. It may not be able to read the caller's HOME. */
    return setenv("HOME", p->pw_dir, 1) < 0 ? err_no_memory(e) : 0;
}

/* If the new user cannot reach the simulator by its path, the server uses the open descriptor. */
static int keep_simulator(struct server_config *c, int fd, struct err *e)
{
    char path[40], *copy;

    if (fd < 0 || access(c->vivace_sim, X_OK) == 0) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    copy = mem_strdup(path, e);
    if (!copy)
        return -1;
    free(c->vivace_sim);
    c->vivace_sim = copy;
    return 0;
}

static int stop_being_root(struct server_config *c, const struct stat *state, struct err *e)
{
    const struct passwd *p = user_to_become(c, state, e);
    int simulator;

    if (!p)
        return -1;
    if (state->st_uid != p->pw_uid) {
        if (folder_in_use_by_others(c->state)) {
            err_set(e, ERR_USAGE, "the state folder %s holds other files and belongs to another user than %s",
                    c->state, p->pw_name);
            return err_hint(e, "Choose an empty folder with --state DIR.");
        }
        if (chown(c->state, p->pw_uid, p->pw_gid) < 0)
            return err_set_errno(e, errno, "giving %s to the user %s", c->state, p->pw_name);
    }
    simulator = open(c->vivace_sim, O_RDONLY | O_CLOEXEC);
    if (become(p, e) < 0 || keep_simulator(c, simulator, e) < 0)
        return -1;
    log_info("server", "started as root; the server drops its privileges", "user=%s", p->pw_name);
    return 0;
}

int privileges_settle(struct server_config *c, struct err *e)
{
    struct stat st;

    if (make_state(c->state, e) < 0)
        return -1;
    if (stat(c->state, &st) < 0)
        return err_set_errno(e, errno, "the state folder %s", c->state);
    if (geteuid() == 0 && stop_being_root(c, &st, e) < 0)
        return -1;
    umask(077);
    if (access(c->state, R_OK | W_OK | X_OK) < 0) {
        err_set_errno(e, errno, "the state folder %s", c->state);
        return err_hint(e, "Choose a folder that user %d may enter and write, with --state DIR.", (int)geteuid());
    }
    return 0;
}

int state_lock(const char *state, struct err *e)
{
    char path[PATH_MAX];
    int fd; /* not closed: the lock ends with the process */

    snprintf(path, sizeof path, "%s/lock", state);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set_errno(e, errno, "%s", path);
    if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        close(fd);
        err_set(e, ERR_BUSY, "another vivace-server uses the state folder %s", state);
        return err_hint(e, "Stop that one, or choose another folder with --state DIR.");
    }
    return 0;
}
