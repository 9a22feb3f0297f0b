/* server/store/cluster/private_pg_cluster.c: finds PostgreSQL's programs and creates the cluster. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/platform/child.h"
#include "server/store/cluster/private_pg_internal.h"

#define OLDEST 13

static bool has_programs(const char *folder)
{
    char path[PATH_TEXT];

    snprintf(path, sizeof path, "%s/initdb", folder);
    if (access(path, X_OK) < 0)
        return false;
    snprintf(path, sizeof path, "%s/postgres", folder);
    return access(path, X_OK) == 0;
}

static bool ask_pg_config(char out[PATH_MAX])
{
    static const char *const at[] = {"/usr/bin/pg_config", "/usr/local/bin/pg_config"};

    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        const char *const argv[] = {at[i], "--bindir", NULL};
        struct strbuf text = STRBUF_INIT;
        struct err e;
        bool good = access(at[i], X_OK) == 0 && child_run(argv, NULL, PATH_MAX - 1, &text, &e) == 0;

        if (good) {
            text.text[strcspn(text.text, "\n")] = '\0';
            snprintf(out, PATH_MAX, "%s", text.text);
            good = has_programs(out);
        }
        strbuf_release(&text);
        if (good)
            return true;
    }
    return false;
}

static bool newest_installed(char out[PATH_MAX])
{
    DIR *d = opendir("/usr/lib/postgresql");
    const struct dirent *f;
    char path[PATH_MAX];
    int best = 0;

    while (d && (f = readdir(d))) {
        int version = atoi(f->d_name);

        snprintf(path, sizeof path, "/usr/lib/postgresql/%.40s/bin", f->d_name);
        if (version > best && has_programs(path)) {
            best = version;
            memcpy(out, path, sizeof path);
        }
    }
    if (d)
        closedir(d);
    return best > 0;
}

int private_pg_find_programs(struct private_pg *pg, const struct server_config *c, struct err *e)
{
    if (c->postgres_bin) {
        snprintf(pg->bin, sizeof pg->bin, "%s", c->postgres_bin);
        return has_programs(pg->bin)
                   ? 0
                   : err_set(e, ERR_USAGE, "`postgres-bin`: %s has no initdb and postgres", pg->bin);
    }
    if (ask_pg_config(pg->bin) || newest_installed(pg->bin))
        return 0;
    err_set(e, ERR_NOT_FOUND, "PostgreSQL is not installed here");
    return err_hint(e, "apt-get install postgresql, or use another machine's with --database URL.");
}

int private_pg_programs(const struct server_config *c, char folder[PATH_MAX], struct err *e)
{
    struct private_pg pg = {0};

    if (private_pg_find_programs(&pg, c, e) < 0)
        return -1;
    memcpy(folder, pg.bin, sizeof pg.bin);
    return 0;
}

/* "postgres (PostgreSQL) 15.20 (Debian ...)" -> 15 */
static int program_version(struct private_pg *pg, int *version, struct err *e)
{
    char program[PATH_TEXT];
    const char *const argv[] = {program, "--version", NULL};
    struct strbuf text = STRBUF_INIT;
    const char *number;
    int ret;

    snprintf(program, sizeof program, "%s/postgres", pg->bin);
    ret = child_run(argv, NULL, 200, &text, e);
    number = strstr(text.text, ") ");
    *version = number ? atoi(number + 2) : 0;
    strbuf_release(&text);
    if (ret == 0 && *version < OLDEST)
        ret = err_set(e, ERR_UNSUPPORTED, "PostgreSQL in %s is version %d; %d or later is needed", pg->bin,
                      *version, OLDEST);
    return ret;
}

int private_pg_check_cluster(struct private_pg *pg, struct err *e)
{
    char path[PATH_TEXT + 32];
    FILE *f;
    int have = 0, version;

    snprintf(path, sizeof path, "%s/PG_VERSION", pg->data);
    f = fopen(path, "re");
    if (!f)
        return errno == ENOENT ? 0 : err_set_errno(e, errno, "%s", path);
    if (fscanf(f, "%d", &have) != 1)
        have = 0;
    fclose(f);
    if (program_version(pg, &version, e) < 0)
        return -1;
    if (have != version) {
        err_set(e, ERR_UNSUPPORTED, "the private database was made by PostgreSQL %d, and %s has version %d", have,
                pg->bin, version);
        return err_hint(e, "Set --postgres-bin /usr/lib/postgresql/%d/bin, or upgrade it with pg_upgrade.", have);
    }
    return 1;
}

int private_pg_make_cluster(struct private_pg *pg, struct err *e)
{
    char program[PATH_TEXT], fresh[PATH_TEXT + 32];
    const char *const clean[] = {"/bin/rm", "-rf", "--", fresh, NULL};
    const char *const argv[] = {program,
                                "-D",
                                fresh,
                                "-U",
                                pg->user,
                                "--auth-local=peer",
                                "--auth-host=reject",
                                "--encoding=UTF8",
                                "--locale=C",
                                "--data-checksums",
                                NULL};
    struct strbuf text = STRBUF_INIT;
    int ret;

    snprintf(program, sizeof program, "%s/initdb", pg->bin);
    snprintf(fresh, sizeof fresh, "%s.new", pg->data);
    ret = child_run(clean, NULL, 1000, &text, e);
    if (ret == 0)
        ret = child_run(argv, NULL, 64 << 10, &text, e);
    if (ret == 0 && rename(fresh, pg->data) < 0)
        ret = err_set_errno(e, errno, "%s", pg->data);
    strbuf_release(&text);
    return ret < 0 ? err_wrap(e, "making the private database") : 0;
}
