#include "server/store/blob/store_mark.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "server/platform/config.h"
#include "server/store/repo/sql/statements.h"

#define MARK_LINE_MAX 400

/* Writes "ID NAME". ID is systemd's machine id, which stays the same when the host is renamed. */
static int this_host(char out[MARK_LINE_MAX], struct err *e)
{
    char name[256] = "";
    char *id = NULL;
    struct err ignored; /* without a machine id, the host name identifies the host */
    size_t n = 0;

    if (gethostname(name, sizeof name - 1) != 0)
        return err_set_errno(e, errno, "the name of this machine");
    if (whole_file_read("/etc/machine-id", 100, &id, &n, &ignored) == 0)
        id[strcspn(id, "\n")] = '\0';
    snprintf(out, MARK_LINE_MAX, "%.64s %s", id && *id ? id : name, name);
    free(id);
    return 0;
}

static bool same_machine(const char *a, const char *b)
{
    size_t n = strcspn(a, " ");

    return n == strcspn(b, " ") && memcmp(a, b, n) == 0;
}

static int refuse(const char *folder, const char *marked, const char *path, struct err *e)
{
    const char *name = marked + strcspn(marked, " ");

    err_set(e, ERR_CONFLICT, "the stored files in %s belong to the server of another machine, %.80s", folder,
            *name ? name + 1 : marked);
    return err_hint(e,
                    "If all servers of the farm use this folder, set --blob-store-shared on each of them; if the "
                    "files were moved here permanently, remove %s.",
                    path);
}

int store_mark(const char *folder, bool shared, struct err *e)
{
    char path[PATH_MAX], mine[MARK_LINE_MAX], *theirs = NULL;
    size_t n = 0;
    int ret = 0;

    if (snprintf(path, sizeof path, "%s/host", folder) >= (int)sizeof path)
        return err_set(e, ERR_USAGE, "--blob-store: the path is too long");
    if (this_host(mine, e) < 0)
        return -1;
    if (access(path, F_OK) != 0) {
        strcat(mine, "\n");
        return whole_file_write(path, mine, strlen(mine), e);
    }
    if (whole_file_read(path, MARK_LINE_MAX, &theirs, &n, e) < 0)
        return -1;
    theirs[strcspn(theirs, "\n")] = '\0';
    if (!shared && !same_machine(mine, theirs))
        ret = refuse(folder, theirs, path, e);
    free(theirs);
    return ret;
}

static bool has_files(const char *folder)
{
    char path[PATH_MAX];
    const struct dirent *f;
    bool found = false;
    DIR *d;

    snprintf(path, sizeof path, "%s/blobs", folder);
    d = opendir(path);
    while (d && !found && (f = readdir(d)))
        found = f->d_name[0] != '.';
    if (d)
        closedir(d);
    return found;
}

int store_fits_database(const struct server_config *c, struct db *db, struct err *e)
{
    const char *folder = server_config_files(c);
    struct db_rows q;
    bool known;

    if (server_config_bucket(c))
        return 0;
    if (db_query(db, &sql_blob_any, NULL, &q, e) < 0)
        return -1;
    known = db_get_bool(&q, 0, 0);
    db_rows_release(&q);
    if (!known || has_files(folder))
        return 0;
    err_set(e, ERR_CONFLICT, "the database has stored files, but there are none in %s", folder);
    return err_hint(e, "Set --blob-store DIR to the folder that the other servers of this farm use. After a "
                       "restore, restore the stored files first.");
}
