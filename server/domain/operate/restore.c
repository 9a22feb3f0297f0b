/* Restores a backup: the counterpart of server/domain/operate/backup.h. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/archive.h"
#include "base/array.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "server/domain/operate/backup.h"
#include "server/store/blob/blob_store.h"
#include "server/platform/config.h"
#include "server/store/db/db.h"
#include "server/store/db/migrate.h"
#include "wire/json.h"

#define MANIFEST_MAX ((size_t)1 << 20)
#define LIST_MAX     ((size_t)1 << 30)
#define VERSION      1
#define PIECE        65536

struct restore {
    struct farm *farm;
    const char *conninfo;
    struct db *db;
    struct archive *archive;
    struct archive_member member;
    struct strbuf blobs; /* list of blobs */
    uint64_t listed, here;
};

/* --- Members of the file --- */

static int cut_off(struct err *e)
{
    err_set(e, ERR_INVALID, "the backup ends too early");
    return err_hint(e, "It was truncated when it was made or copied: make another one.");
}

static int next_member(struct restore *r, const char *name, struct err *e)
{
    int more = archive_next(r->archive, &r->member, e);

    if (more <= 0)
        return more < 0 ? -1 : cut_off(e);
    return strcmp(r->member.name, name) == 0
               ? 0
               : err_set(e, ERR_INVALID, "this is not a backup of Vivace: it has \"%.80s\" instead of %s",
                         r->member.name, name);
}

static int read_text(struct restore *r, size_t most, struct strbuf *out, struct err *e)
{
    char piece[4096];
    ssize_t n;

    while ((n = archive_member_read(r->archive, piece, sizeof piece, e)) > 0) {
        strbuf_add(out, piece, (size_t)n);
        if (out->length > most)
            return err_set(e, ERR_TOO_LARGE, "%s in the backup is too long", r->member.name);
    }
    return n < 0 ? -1 : out->failed ? err_no_memory(e) : 0;
}

/* Writes a member into a file of the store's staging folder. */
static int read_file(struct restore *r, char path[PATH_MAX], struct err *e)
{
    static char piece[PIECE];
    ssize_t n;
    int fd, ret = 0;

    if (blob_stage(r->farm->store.blobs, &fd, path, e) < 0)
        return -1;
    while (ret == 0 && (n = archive_member_read(r->archive, piece, sizeof piece, e)) != 0) {
        if (n < 0)
            ret = -1;
        else if (fd_write_all(fd, piece, (size_t)n) < 0)
            ret = err_set_errno(e, errno, "%s", path);
    }
    if (close(fd) < 0 && ret == 0)
        ret = err_set_errno(e, errno, "%s", path);
    if (ret < 0)
        unlink(path);
    return ret;
}

/* --- The manifest --- */

static int check_schema(const json_t *manifest, struct err *e)
{
    const char **names = NULL;
    const json_t *list, *name;
    size_t i;
    int ret = -1;

    if (json_need_array(manifest, "schema", &list, e) < 0)
        return -1;
    names = mem_zalloc(json_array_size(list) + 1, sizeof *names, e);
    if (!names)
        return -1;
    json_array_foreach(list, i, name) names[i] = json_is_string(name) ? json_string_value(name) : "?";
    ret = migrate_check_names(names, json_array_size(list), "backup", e);
    free(names);
    return ret;
}

/* Roles belong to the cluster, so another database of it may have created the role already. */
static int make_role(struct restore *r, const char *name, bool sees_all, struct err *e)
{
    char sql[200];
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows rows;
    int there;

    if (strncmp(name, "vivace_", 7) != 0 || strlen(name) > 60 ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz_") != strlen(name))
        return err_set(e, ERR_INVALID, "the backup contains a role that Vivace does not have");
    db_text(&p, name);
    if (db_query_text(r->db, "SELECT 1 FROM pg_roles WHERE rolname = $1::text", &p, &rows, e) < 0)
        return -1;
    there = rows.count;
    db_rows_release(&rows);
    snprintf(sql, sizeof sql, "CREATE ROLE %s NOLOGIN%s", name, sees_all ? " BYPASSRLS" : "");
    return there ? 0 : db_exec_text(r->db, sql, e);
}

static int make_roles(struct restore *r, const json_t *manifest, struct err *e)
{
    const json_t *roles, *role;
    const char *name;
    bool sees_all;
    size_t i;

    if (json_need_array(manifest, "roles", &roles, e) < 0)
        return -1;
    json_array_foreach(roles, i, role) if (json_need_str(role, "name", &name, e) < 0 ||
                                           json_need_bool(role, "sees_all", &sees_all, e) < 0 ||
                                           make_role(r, name, sees_all, e) < 0) return -1;
    return 0;
}

static int use_manifest(struct restore *r, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    json_t *manifest = NULL;
    uint64_t version;
    int ret = -1;

    if (read_text(r, MANIFEST_MAX, &text, e) == 0 &&
        (manifest = json_read_text(text.text, text.length, "the backup's manifest", e)) &&
        json_need_u64(manifest, "version", &version, e) == 0) {
        if (version != VERSION)
            err_set(e, ERR_UNSUPPORTED, "the backup has version %" PRIu64 ", and this program reads %d", version,
                    VERSION);
        else if (check_schema(manifest, e) == 0)
            ret = make_roles(r, manifest, e);
    }
    json_decref(manifest);
    strbuf_release(&text);
    return ret;
}

/* --- The database --- */

static int must_be_empty(struct restore *r, struct err *e)
{
    struct db_rows rows;
    int tables;

    if (db_query_text(r->db, "SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace LIMIT 1", NULL,
                      &rows, e) < 0)
        return -1;
    tables = rows.count;
    db_rows_release(&rows);
    if (!tables)
        return 0;
    err_set(e, ERR_CONFLICT, "the database is not empty");
    return err_hint(e, "Restore into a new state folder (--state DIR), or a new database (--database URL).");
}

static int use_dump(struct restore *r, struct err *e)
{
    char path[PATH_MAX];
    const struct pg_tool tool = {"pg_restore", {"--single-transaction", "--exit-on-error", "--no-owner", path}};
    int ret;

    if (read_file(r, path, e) < 0)
        return -1;
    ret = pg_tool_run(r->farm, r->conninfo, &tool, e);
    unlink(path);
    return ret;
}

/* --- Stored files --- */

static int use_blob(struct restore *r, struct err *e)
{
    const char *name = r->member.name + strlen("blobs/");
    char path[PATH_MAX], sha256[SHA256_HEX];

    if (read_file(r, path, e) < 0)
        return -1;
    if (sha256_file(path, sha256, e) == 0) {
        if (strcmp(sha256, name) == 0)
            return blob_adopt(r->farm->store.blobs, path, sha256, e);
        err_set(e, ERR_INVALID, "the stored file %.70s in the backup is damaged", name);
    }
    unlink(path);
    return -1;
}

/* Restores all following members, up to the mark of a complete backup. */
static int use_blobs(struct restore *r, struct err *e)
{
    int more;

    while ((more = archive_next(r->archive, &r->member, e)) > 0) {
        if (strcmp(r->member.name, "complete") == 0)
            return 0;
        if (!str_starts(r->member.name, "blobs/"))
            return err_set(e, ERR_INVALID, "the backup holds \"%.80s\", which does not belong there",
                           r->member.name);
        if (use_blob(r, e) < 0)
            return -1;
    }
    return more < 0 ? -1 : cut_off(e);
}

static int count_blobs(struct restore *r, struct err *e)
{
    for (char *at = r->blobs.length ? r->blobs.text : NULL; at && *at;) {
        char *end = strchr(at, '\n'), *tab = strchr(at, '\t');
        uint64_t bytes = 0;
        int found;

        if (!end || !tab || tab > end)
            return err_set(e, ERR_INVALID, "the list of stored files in the backup is damaged");
        *tab = '\0';
        found = blob_exists(r->farm->store.blobs, at, &bytes, e);
        if (found < 0)
            return -1;
        r->listed++;
        r->here += found && bytes == strtoull(tab + 1, NULL, 10);
        at = end + 1;
    }
    return 0;
}

/* --- The whole restore --- */

static int open_archive(struct restore *r, int fd, struct stream **s, struct err *e)
{
    int own = lseek(fd, 0, SEEK_SET) < 0 ? -1 : dup(fd);

    if (own < 0)
        return err_set_errno(e, errno, "the backup");
    return stream_open_fd(own, "the backup", s, e) < 0 ? -1 : archive_open_stream(*s, &r->archive, e);
}

int restore_verify(int fd, struct err *e)
{
    struct restore r = {.farm = NULL};
    struct stream *s = NULL;
    bool complete = false;
    int more = -1;

    if (open_archive(&r, fd, &s, e) == 0 && next_member(&r, "manifest.json", e) == 0)
        while ((more = archive_next(r.archive, &r.member, e)) > 0)
            complete = strcmp(r.member.name, "complete") == 0;
    if (more == 0 && !complete)
        more = cut_off(e);
    else if (more < 0)
        err_hint(e, "It is not a backup of Vivace, or was damaged when it was made or copied.");
    archive_close(r.archive);
    stream_close(s);
    return more < 0 ? -1 : 0;
}

static int restore_all(struct restore *r, struct err *e)
{
    if (must_be_empty(r, e) < 0 || next_member(r, "manifest.json", e) < 0 || use_manifest(r, e) < 0 ||
        next_member(r, "database.dump", e) < 0 || use_dump(r, e) < 0 || next_member(r, "blobs.tsv", e) < 0 ||
        read_text(r, LIST_MAX, &r->blobs, e) < 0 || use_blobs(r, e) < 0)
        return -1;
    return count_blobs(r, e);
}

int restore_run(struct farm *farm, const char *conninfo, int fd, struct err *e)
{
    struct restore r = {.farm = farm, .conninfo = conninfo, .blobs = STRBUF_INIT};
    struct stream *s = NULL;
    int ret = -1;

    if (db_open_plain(conninfo, &r.db, e) == 0 && open_archive(&r, fd, &s, e) == 0)
        ret = restore_all(&r, e);
    if (ret == 0) {
        printf("restored: the database; of %" PRIu64 " stored files %" PRIu64 " are here\n", r.listed, r.here);
        if (r.here < r.listed)
            printf("Copy the blobs folder of the old state folder to %s/blobs, as its owner.\n",
                   server_config_files(farm->config));
        printf("Tokens are unchanged. The files admin-token and worker-token are not part of a backup.\n");
    }
    archive_close(r.archive);
    stream_close(s);
    db_close(r.db);
    strbuf_release(&r.blobs);
    return ret;
}
