/* server/api/handlers/uploads.c: uploads files in pieces of 8 MiB, in any order. An upload can be resumed.
 *
 * A piece is made durable in the blob store before it is recorded. A piece that the list of missing pieces does
 * not name is therefore on disk, even after a crash. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "server/store/blob/blob_store.h"
#include "server/platform/config.h"
#include "server/store/blob/content_digest.h"
#include "server/store/repo/repo_blob.h"
#include "server/store/repo/repo_import.h"
#include "server/store/repo/repo_upload.h"
#include "server/api/handlers/handlers.h"
#include "server/domain/import/upload_import.h"
#include "server/domain/operate/watch.h"
#include "wire/json.h"
#include "wire/json_writer.h"

#define LOCKS 64

/* A piece has one writer at a time: two senders of the same piece must not mix their bytes. */
static pthread_mutex_t piece_locks[LOCKS] = {
#define L  PTHREAD_MUTEX_INITIALIZER
#define L8 L, L, L, L, L, L, L, L
    L8, L8, L8, L8, L8,
    L8, L8, L8
#undef L8
#undef L
};

/* --- Creating an upload --- */

/* "runs/llm prefill.sqlite" -> "llm prefill" */
static void default_workload(const char *name, char *out, size_t size)
{
    static const char *const ends[] = {".gz",     ".xz",  ".zst",  ".bz2",      ".zip",      ".tar",
                                       ".sqlite", ".csv", ".json", ".nsys-rep", ".pt.trace", ".xplane.pb"};
    const char *base = strrchr(name, '/');
    bool cut = true;

    snprintf(out, size, "%.*s", (int)size - 1, base && base[1] ? base + 1 : name);
    while (cut) {
        cut = false;
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
            if (str_ends(out, ends[i]) && strlen(out) > strlen(ends[i])) {
                out[strlen(out) - strlen(ends[i])] = '\0';
                cut = true;
            }
    }
    out[utf8_valid_prefix(out, strlen(out))] = '\0';
    if (!out[0])
        snprintf(out, size, "unnamed");
}

static int read_upload(const struct request *req, struct upload *u, struct err *e)
{
    static const char *const known[] = {"name", "bytes", "workload", "sha256", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    char workload[201] = "";
    int ret = -1;

    if (!body || json_refuse_unknown(body, known, e) < 0 ||
        json_need_copy(body, "name", u->name, sizeof u->name, e) < 0 ||
        json_need_u64(body, "bytes", &u->bytes, e) < 0 ||
        json_opt_copy(body, "workload", workload, sizeof workload, e) < 0 ||
        json_opt_sha256(body, "sha256", u->sha256, e) < 0)
        goto out;
    text_sanitize(u->name);
    text_sanitize(workload);
    if (!u->name[0]) {
        err_set(e, ERR_INVALID, "`name` must not be empty");
        goto out;
    }
    if (workload[0])
        snprintf(u->workload, sizeof u->workload, "%s", workload);
    else
        default_workload(u->name, u->workload, 200);
    ret = 0;
out:
    json_decref(body);
    return ret;
}

static int check_size(struct app *app, const struct upload *u, struct err *e)
{
    uint64_t space;

    if (u->bytes == 0) {
        err_set(e, ERR_INVALID, "the file \"%.100s\" is empty", u->name);
        return err_hint(e, "An empty file has no profile: create the report again.");
    }
    if (u->bytes > app->config->upload_max_bytes)
        return err_set(e, ERR_TOO_LARGE, "an upload may have at most %llu bytes",
                       (unsigned long long)app->config->upload_max_bytes);
    if (watch_room(&app->farm, e) < 0 || blob_space(app->farm.store.blobs, &space, e) < 0)
        return -1;
    if (u->bytes > space && !u->known) {
        err_set(e, ERR_NO_SPACE, "the server has no room for %llu bytes: %llu are free for uploads",
                (unsigned long long)u->bytes, (unsigned long long)space);
        return err_hint(e, "Free disk space in the server's state folder, then send it again; nothing was stored.");
    }
    return 0;
}

static int answer(struct db *db, const struct upload *u, int status, bool with_received, struct reply *rep,
                  struct err *e)
{
    uint64_t pieces = upload_pieces(u), received = 0;
    struct db_rows r;
    struct jw w;
    int at = 0;

    if (repo_upload_received(db, u->id, &r, e) < 0)
        return -1;
    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key_text(&w, "id", u->id);
    jw_key_u64(&w, "piece_bytes", UPLOAD_PIECE_BYTES);
    jw_key(&w, "missing");
    jw_array(&w);
    for (uint64_t n = 0; n < pieces; n++) {
        if (at < r.count && db_get_u64(&r, at, 0) == n) {
            received += upload_piece_length(u, n);
            at++;
        } else if (!u->known) {
            jw_u64(&w, n);
        }
    }
    jw_end(&w, ']');
    if (with_received)
        jw_key_u64(&w, "received_bytes", u->known ? u->bytes : received);
    jw_end(&w, '}');
    db_rows_release(&r);
    return reply_written(rep, status, &w, e);
}

int uploads_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int64_t team = req->credential.team_id;
    const struct storage_limits limits = {app->config->uploads_max, app->config->team_quota_bytes};
    struct upload u = {0};
    uint64_t bytes = 0;
    int owned;

    if (read_upload(req, &u, e) < 0)
        return -1;
    owned = u.sha256[0] ? repo_blob_of_team(db, u.sha256, team, &bytes, e) : 0;
    if (owned < 0)
        return -1;
    u.known = owned && bytes == u.bytes;
    if (check_size(app, &u, e) < 0)
        return -1;
    uuid_make(app->clock, u.id);
    if (!u.known && blob_upload_begin(app->farm.store.blobs, u.id, u.bytes, e) < 0)
        return -1;
    if (repo_upload_put(db, &u, team, &limits, req->once, clock_now(app->clock), e) < 0) {
        /* If the database connection broke, the transaction may have been committed, and a repeated request will
         * find the upload. So the file stays. The garbage collector deletes files without an upload. */
        if (!u.known && e->code != ERR_DATABASE)
            blob_upload_drop(app->farm.store.blobs, u.id);
        return -1;
    }
    snprintf(rep->location, sizeof rep->location, "/api/v1/uploads/%s", u.id);
    return answer(db, &u, 201, false, rep, e);
}

int upload_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct upload u;

    (void)app;
    if (repo_upload_get(db, req->param[0], req->credential.team_id, &u, e) < 0)
        return -1;
    return answer(db, &u, 200, true, rep, e);
}

/* --- A piece --- */

static int check_digest(const struct request *req, struct err *e)
{
    char stated[SHA256_HEX];
    int found = content_digest_read(request_header(req, "Content-Digest"), stated, e);

    if (found <= 0)
        return found;
    if (strcmp(stated, req->body_sha256) != 0) {
        err_set(e, ERR_INVALID, "the received piece has another SHA-256 than its Content-Digest");
        return err_hint(e, "It was damaged during the transfer: send it again.");
    }
    return 0;
}

static int store_piece(struct app *app, const struct upload *u, const struct request *req, uint64_t piece,
                       struct err *e)
{
    const struct blob_piece p = {u->id, piece, piece * UPLOAD_PIECE_BYTES, req->body_length, req->body_sha256};

    return blob_upload_piece(app->farm.store.blobs, &p, req->body_path, e);
}

/* 1: the piece was stored already, with the same bytes. */
static int put_piece(struct app *app, struct db *db, const struct upload *u, const struct request *req,
                     uint64_t piece, struct err *e)
{
    char before[SHA256_HEX];
    int there = repo_upload_piece(db, u->id, piece, before, e);

    if (there < 0)
        return -1;
    if (there && strcmp(before, req->body_sha256) == 0)
        return 1;
    if (there)
        return err_set(e, ERR_CONFLICT, "piece %llu was received already, with other bytes",
                       (unsigned long long)piece);
    if (u->known || u->finished)
        return err_set(e, ERR_CONFLICT, "the upload is finished: it accepts no more pieces");
    if (store_piece(app, u, req, piece, e) < 0)
        return -1;
    return repo_upload_piece_put(db, u->id, piece, req->body_sha256, e);
}

int upload_piece_put(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct upload u;
    uint64_t piece;
    pthread_mutex_t *lock;
    int ret;

    if (repo_upload_get(db, req->param[0], req->credential.team_id, &u, e) < 0)
        return -1;
    if (parse_u64(req->param[1], "piece", &piece, e) < 0 || piece >= upload_pieces(&u))
        return err_set(e, ERR_NOT_FOUND, "this upload has pieces 0 to %llu",
                       (unsigned long long)(upload_pieces(&u) - 1));
    if (req->body_length != upload_piece_length(&u, piece))
        return err_set(e, ERR_INVALID, "piece %llu must have %llu bytes, not %zu", (unsigned long long)piece,
                       (unsigned long long)upload_piece_length(&u, piece), req->body_length);
    if (check_digest(req, e) < 0)
        return -1;
    lock = &piece_locks[(strtoul(u.id + 28, NULL, 16) + piece) % LOCKS];
    pthread_mutex_lock(lock);
    ret = put_piece(app, db, &u, req, piece, e);
    pthread_mutex_unlock(lock);
    return ret < 0 ? -1 : reply_empty(rep, 204);
}

/* --- Finishing an upload --- */

static int check_complete(struct db *db, const struct upload *u, struct err *e)
{
    uint64_t pieces = upload_pieces(u);
    struct db_rows r;
    uint64_t have;

    if (u->known)
        return 0;
    if (repo_upload_received(db, u->id, &r, e) < 0)
        return -1;
    have = (uint64_t)r.count;
    db_rows_release(&r);
    if (have == pieces)
        return 0;
    err_set(e, ERR_CONFLICT, "%llu of %llu pieces are missing", (unsigned long long)(pieces - have),
            (unsigned long long)pieces);
    return err_hint(e, "GET the upload to see their numbers, send them, then finish.");
}

int upload_finish_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct upload_import b = {.team = req->credential.team_id, .by = req->credential.name};
    struct upload u;
    struct json_obj o;
    int made;

    if (repo_upload_get(db, req->param[0], req->credential.team_id, &u, e) < 0)
        return -1;
    made = repo_import_of_upload(db, u.id, b.id, e); /* finishing twice returns the same import */
    if (made < 0)
        return -1;
    if (!made) {
        b.upload = &u;
        if (check_complete(db, &u, e) < 0 || upload_import(&app->farm, db, &b, e) < 0)
            return -1;
    }
    snprintf(rep->location, sizeof rep->location, "/api/v1/imports/%s", b.id);
    o = json_obj_begin();
    json_put_str(&o, "import", b.id);
    return reply_json(rep, 202, json_obj_end(&o), e);
}

int upload_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int gone = repo_upload_delete(db, req->param[0], req->credential.team_id, e);

    if (gone < 0)
        return -1;
    if (!gone)
        return err_set(e, ERR_NOT_FOUND, "there is no unfinished upload with this id");
    blob_upload_drop(app->farm.store.blobs, req->param[0]);
    return reply_empty(rep, 204);
}
