#include "server/domain/import/importer.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/log.h"
#include "base/text.h"
#include "server/store/blob/blob_publish.h"
#include "server/store/blob/blob_store.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_import.h"
#include "server/store/repo/repo_pack.h"
#include "server/store/repo/repo_profile.h"
#include "server/store/repo/repo_upload.h"
#include "server/store/repo/repo_workload.h"
#include "server/store/threads/executor.h"
#include "server/domain/import/import_reader.h"
#include "server/platform/metrics.h"
#include "server/domain/import/profile_file.h"
#include "server/domain/import/profile_put.h"
#include "wire/json_writer.h"

#define FULL_DISK_MOST_US (UINT64_C(10) * 60 * 1000000) /* longest wait for space; then the error is reported */

struct work {
    struct farm *farm;
    struct db *db;
    struct import import;
    char blob_path[PATH_MAX], scratch[PATH_MAX];
    bool copied;          /* blob_path is a temporary copy for this import */
    struct strbuf report; /* JSON; empty if the child sent no report */
    uint64_t rows;
};

/* --- Events --- */

static int emit(struct work *w, const char *stage, const char *state, uint64_t bytes, uint64_t rows, struct err *e)
{
    char topic[64];
    struct event_row row = {.at = clock_now(w->farm->clock), .topic = topic, .kind = "import.stage"};
    struct jw j;
    int ret = -1;

    snprintf(topic, sizeof topic, "import:%s", w->import.id);
    jw_init(&j, NULL, NULL, e);
    jw_object(&j);
    jw_key_text(&j, "import", w->import.id);
    jw_key_text(&j, "state", state);
    jw_key_text(&j, "stage", stage);
    jw_key_u64(&j, "bytes_read", bytes);
    jw_key_u64(&j, "bytes", w->import.bytes);
    jw_key_u64(&j, "rows", rows);
    jw_end(&j, '}');
    if (jw_finish(&j) == 0) {
        row.params = j.text.text;
        ret = repo_event_put(w->db, &row, e);
    }
    jw_release(&j);
    return ret;
}

static int stage(struct work *w, const char *name, uint64_t bytes, uint64_t rows, struct err *e)
{
    if (repo_import_progress(w->db, w->import.id, name, bytes, rows, e) < 0)
        return -1;
    return emit(w, name, "reading", bytes, rows, e);
}

/* --- 1: the upload becomes a blob --- */

static int check_promise(const struct work *w, const char *sha256, struct err *e)
{
    ASSERT(sha256_hex_valid(sha256));
    if (!w->import.sha256[0] || strcmp(w->import.sha256, sha256) == 0)
        return 0;
    err_set(e, ERR_INVALID, "the file arrived with SHA-256 %s instead of %s", sha256, w->import.sha256);
    return err_hint(e, "The file changed while it was sent, or a piece was damaged: send it again.");
}

/* The path of the uploaded file. Pieces in a bucket are first joined to a local file; *temporary is then true. */
static int whole_upload(struct work *w, char *path, bool *temporary, struct err *e)
{
    const struct upload u = {.bytes = w->import.bytes};
    int fd, ret = 0;

    *temporary = blob_upload_in_pieces(w->farm->store.blobs);
    if (!*temporary)
        return blob_upload_path(w->farm->store.blobs, w->import.upload, path, e);
    if (blob_stage(w->farm->store.blobs, &fd, path, e) < 0)
        return -1;
    for (uint64_t n = 0; n < upload_pieces(&u) && ret == 0; n++) {
        char sha256[SHA256_HEX];
        const struct blob_piece p = {w->import.upload, n, n * UPLOAD_PIECE_BYTES, upload_piece_length(&u, n),
                                     sha256};
        int found = repo_upload_piece(w->db, w->import.upload, n, sha256, e);

        if (found == 0)
            err_set(e, ERR_NOT_FOUND, "piece %llu of the upload is missing", (unsigned long long)n);
        ret = found <= 0 ? -1 : blob_upload_fetch(w->farm->store.blobs, &p, fd, e);
    }
    close(fd);
    if (ret < 0)
        unlink(path);
    return ret;
}

/* The hash is recorded before the rename. After an interruption between the two, the next attempt finds either
 * the upload's file or the blob. */
static int adopt_upload(struct work *w, struct err *e)
{
    struct blob_publication b = {.bytes = w->import.bytes, .team = w->import.team, .upload = w->import.upload};
    char path[PATH_MAX], sha256[SHA256_HEX];
    int here = w->import.known ? blob_exists(w->farm->store.blobs, w->import.sha256, NULL, e) : 0;
    bool temporary = false;

    if (here < 0)
        return -1;
    if (!here) {
        if (whole_upload(w, path, &temporary, e) < 0)
            return -1;
        if (sha256_file(path, sha256, e) < 0)
            return err_wrap(e, "the uploaded file");
        if (check_promise(w, sha256, e) < 0) {
            unlink(path);
            return -1;
        }
        if (repo_import_upload_hash(w->db, w->import.upload, sha256, e) < 0) {
            if (temporary)
                unlink(path);
            return -1;
        }
        snprintf(w->import.sha256, sizeof w->import.sha256, "%s", sha256);
        b.staged_path = path;
    }
    ASSERT(sha256_hex_valid(w->import.sha256));
    b.sha256 = w->import.sha256;
    return blob_publish(&w->farm->store, w->db, &b, e);
}

/* --- 2: the import child reads the blob --- */

static int on_progress(void *ctx, uint64_t bytes, uint64_t rows, struct err *e)
{
    struct work *w = ctx;

    w->rows = rows;
    return stage(w, "reading", bytes < w->import.bytes ? bytes : w->import.bytes, rows, e);
}

static int read_in_child(struct work *w, struct err *e)
{
    struct import_reading r = {.file = w->blob_path,
                               .scratch = w->scratch,
                               .progress = on_progress,
                               .progress_ctx = w,
                               .report = &w->report};

    return import_read(w->farm, &r, e);
}

/* --- 3: the scratch file goes into the database --- */

struct visible {
    struct work *w;
    struct profile_file *file;
    char profile[UUID_TEXT];
};

/* This step makes the profile visible. */
static int make_visible(struct db *db, void *ctx, struct err *e)
{
    struct visible *v = ctx;
    struct work *w = v->w;
    char workload[UUID_TEXT];
    wall_us now = clock_now(w->farm->clock);

    uuid_make(w->farm->clock, workload);
    if (repo_workload_named(db, workload, w->import.team, w->import.workload, now, e) < 0 ||
        repo_profile_ready(db, v->profile, workload, e) < 0 ||
        repo_pack_adopt(db, v->profile, w->import.id, e) < 0 ||
        repo_import_ready(db, w->import.id, profile_file_report(v->file), profile_file_facts(v->file)->launches,
                          now, e) < 0)
        return -1;
    return emit(w, "done", "ready", w->import.bytes, profile_file_facts(v->file)->launches, e);
}

static int store(struct work *w, struct err *e)
{
    struct visible v = {.w = w};
    struct profile_owner owner = {.id = v.profile,
                                  .team = w->import.team,
                                  .import = w->import.id,
                                  .blob = w->import.sha256,
                                  .name = w->import.name};
    int ret = -1;

    ASSERT(w->scratch[0] != '\0');
    uuid_make(w->farm->clock, v.profile);
    if (profile_file_open(w->scratch, &v.file, e) < 0)
        return -1;
    w->rows = profile_file_facts(v.file)->launches;
    if (stage(w, "storing", w->import.bytes, w->rows, e) == 0 && repo_profile_clear(w->db, w->import.id, e) == 0 &&
        profile_put(w->db, v.file, &owner, clock_now(w->farm->clock), e) == 0)
        ret = db_transaction(w->db, make_visible, &v, e);
    profile_file_close(v.file);
    return ret;
}

/* --- The whole --- */

static int run(struct work *w, struct err *e)
{
    int fd;

    if (stage(w, "recognising", 0, 0, e) < 0 || adopt_upload(w, e) < 0 ||
        blob_fetch(w->farm->store.blobs, w->import.sha256, w->blob_path, &w->copied, e) < 0 ||
        blob_stage(w->farm->store.blobs, &fd, w->scratch, e) < 0)
        return -1;
    close(fd);
    if (read_in_child(w, e) < 0 || stage(w, "checking", w->import.bytes, w->rows, e) < 0)
        return -1;
    return store(w, e);
}

/* Replaces the path by the file name that the user sent. The path on the server must not be shown. */
static void with_sent_name(const struct work *w, const char *text, struct strbuf *out)
{
    size_t length = strlen(w->blob_path);
    const char *at;

    while (length > 0 && (at = strstr(text, w->blob_path))) {
        strbuf_add(out, text, (size_t)(at - text));
        strbuf_adds(out, w->import.name);
        text = at + length;
    }
    strbuf_adds(out, text);
}

static int record_failure(struct work *w, const struct err *why, struct err *e)
{
    struct strbuf detail = STRBUF_INIT, hint = STRBUF_INIT;
    struct jw j;
    int ret = -1;

    ASSERT(why->code != ERR_NONE);
    with_sent_name(w, why->text, &detail);
    with_sent_name(w, why->hint, &hint);

    jw_init(&j, NULL, NULL, e);
    jw_object(&j);
    jw_key_text(&j, "code", err_name(why->code));
    jw_key_text(&j, "detail", detail.text);
    jw_key_text(&j, "hint", hint.length ? hint.text : NULL);
    jw_end(&j, '}');
    if (detail.failed || hint.failed)
        err_set(e, ERR_NO_MEMORY, "out of memory while storing why an import failed");
    else if (jw_finish(&j) == 0 && repo_profile_clear(w->db, w->import.id, e) == 0 &&
             repo_upload_settle(w->db, w->import.upload, e) == 0 &&
             repo_import_fail(w->db, w->import.id, j.text.text, w->report.length ? w->report.text : NULL,
                              clock_now(w->farm->clock), e) == 0)
        ret = emit(w, "done", "failed", w->import.bytes, w->rows, e);
    jw_release(&j);
    strbuf_release(&detail);
    strbuf_release(&hint);
    return ret;
}

struct ticket {
    struct ticket *next;
    struct farm *farm;
    char id[UUID_TEXT];
    uint64_t full_since_us; /* monotonic; 0: the disk was not full */
};
struct importer {
    pthread_mutex_t lock;
    struct ticket *under_way;
};

/* Whether to try again. An acknowledged import is not given up when the database or the bucket is unreachable, or
 * when a disk is full for some minutes. */
static bool worth_waiting(struct ticket *t, const struct err *e)
{
    uint64_t now = clock_monotonic_us();

    ASSERT(now >= t->full_since_us);
    if (e->code != ERR_NO_SPACE)
        return e->code == ERR_DATABASE || e->code == ERR_BUSY || e->code == ERR_UNAVAILABLE;
    if (!t->full_since_us) {
        t->full_since_us = now;
        log_warn("import", "an import waits for free disk space", "import=%s error=%s", t->id,
                 log_quote(e->text, (char[500]){0}, 500));
    }
    return now - t->full_since_us < FULL_DISK_MOST_US;
}

/* 0: the import has ended, successful or not. 1: try again. */
static int attempt(struct ticket *t, struct db *db)
{
    struct farm *farm = t->farm;
    const char *id = t->id;
    struct work w = {.farm = farm, .db = db, .report = STRBUF_INIT};
    struct err e = {0}, again;
    int ret = repo_import_open(db, id, &w.import, &e);

    if (ret > 0) {
        log_info("import", "an import begins", "import=%s bytes=%llu", id, (unsigned long long)w.import.bytes);
        ret = run(&w, &e);
        if (w.scratch[0])
            unlink(w.scratch);
        if (w.copied && w.blob_path[0])
            unlink(w.blob_path);
        if (ret == 0) {
            metrics_add(farm->metrics, METRIC_IMPORTS_READY, 1);
            log_info("import", "an import is ready", "import=%s rows=%llu", id, (unsigned long long)w.rows);
        } else if (!worth_waiting(t, &e)) {
            log_warn("import", "an import failed", "import=%s code=%s error=%s", id, err_name(e.code),
                     log_quote(e.text, (char[500]){0}, 500));
            ret = record_failure(&w, &e, &again);
            if (ret == 0)
                metrics_add(farm->metrics, METRIC_IMPORTS_FAILED, 1);
        }
    }
    strbuf_release(&w.report);
    return ret < 0;
}

int importer_new(struct importer **out, struct err *e)
{
    *out = mem_zalloc(1, sizeof **out, e);
    if (!*out)
        return -1;
    pthread_mutex_init(&(*out)->lock, NULL);
    return 0;
}

void importer_free(struct importer *x)
{
    if (!x)
        return;
    pthread_mutex_destroy(&x->lock);
    free(x);
}

/* False: an import with this id is running already. */
static bool enter(struct importer *x, struct ticket *t)
{
    struct ticket *same;

    ASSERT(!t->next);
    pthread_mutex_lock(&x->lock);
    same = x->under_way;
    while (same && strcmp(same->id, t->id) != 0)
        same = same->next;
    if (!same) {
        t->next = x->under_way;
        x->under_way = t;
    }
    pthread_mutex_unlock(&x->lock);
    return !same;
}

static void leave(struct ticket *t)
{
    struct importer *x = t->farm->importer;
    struct ticket **at = &x->under_way;

    pthread_mutex_lock(&x->lock);
    while (*at != t) {
        ASSERT(*at);
        at = &(*at)->next;
    }
    *at = t->next;
    pthread_mutex_unlock(&x->lock);
    free(t);
}

static void import_task(struct db *db, void *ctx)
{
    struct ticket *t = ctx;
    const struct timespec pause = {.tv_sec = 1};
    struct err full;

    while (!atomic_load(&t->farm->stopping) && attempt(t, db) > 0) {
        nanosleep(&pause, NULL);
        if (executor_submit(t->farm->cpu_executor, import_task, t, &full) == 0)
            return; /* other tasks of the executor run before the next attempt */
    }
    leave(t);
}

int importer_submit(struct farm *farm, const char *id, struct err *e)
{
    struct ticket *t = mem_zalloc(1, sizeof *t, e);

    ASSERT(strlen(id) < sizeof t->id);
    if (!t)
        return -1;
    t->farm = farm;
    snprintf(t->id, sizeof t->id, "%s", id);
    if (!enter(farm->importer, t)) {
        free(t);
        return 0;
    }
    if (executor_submit(farm->cpu_executor, import_task, t, e) < 0) {
        leave(t);
        return -1;
    }
    return 0;
}

int importer_resume(struct farm *farm, struct db *db, struct err *e)
{
    char holder[UUID_TEXT];
    struct db_rows r;
    int ret = 0;

    if (importer_holder(farm->config->state, holder, e) < 0 || repo_import_unfinished(db, holder, &r, e) < 0)
        return -1;
    for (int i = 0; i < r.count && ret == 0; i++)
        ret = importer_submit(farm, db_get(&r, i, 0), e);
    db_rows_release(&r);
    return ret;
}

int importer_holder(const char *state, char holder[37], struct err *e)
{
    char path[PATH_MAX];
    FILE *f;

    snprintf(path, sizeof path, "%s/server-id", state);
    f = fopen(path, "re");
    if (f) {
        bool good = fscanf(f, "%36s", holder) == 1 && uuid_valid(holder);

        fclose(f);
        if (good)
            return 0;
    }
    uuid_make(&clock_system, holder);
    f = fopen(path, "we");
    if (!f)
        return err_set_errno(e, errno, "%s", path);
    fprintf(f, "%s\n", holder);
    if (fflush(f) != 0 || fsync(fileno(f)) < 0) {
        err_set_errno(e, errno, "%s", path);
        fclose(f);
        return -1;
    }
    fclose(f);
    return 0;
}
