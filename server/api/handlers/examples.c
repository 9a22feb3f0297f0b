/* server/api/handlers/examples.c: examples that are installed with the program, so that the user of an empty
 * farm sees a projection before profiling a program. NAME.csv is a profile and NAME.vtrace its traces; `make
 * examples` makes both. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/whole_file.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_upload.h"
#include "server/api/handlers/handlers.h"
#include "server/domain/import/upload_import.h"
#include "server/domain/operate/watch.h"
#include "server/store/blob/blob_publish.h"
#include "server/store/blob/blob_store.h"
#include "simcore/trace/vtrace.h"
#include "wire/json.h"

#define EXAMPLE_NAME_MAX 64
#define EXAMPLE_MAX      ((size_t)64 << 20)

/* Lower-case letters, digits, "-" and "_" only, so that a name is never a path. */
static bool name_valid(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-_");

    return n > 0 && n <= EXAMPLE_NAME_MAX && s[n] == '\0';
}

/* 1: the file exists, and its length is set. 0: there is no such file. */
static int example_file(const struct app *app, const char *name, const char *end, char path[PATH_MAX],
                        uint64_t *bytes)
{
    struct stat st;

    if (snprintf(path, PATH_MAX, "%s/%s.%s", app->config->examples, name, end) >= PATH_MAX || stat(path, &st) < 0 ||
        !S_ISREG(st.st_mode))
        return 0;
    *bytes = (uint64_t)st.st_size;
    return 1;
}

/* --- GET /examples --- */

static int is_example(const struct dirent *d)
{
    char name[EXAMPLE_NAME_MAX + 1];
    size_t n = strlen(d->d_name);

    if (!str_ends(d->d_name, ".csv") || n - 4 > EXAMPLE_NAME_MAX)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(n - 4), d->d_name);
    return name_valid(name);
}

static int add_example(const struct app *app, const char *file, json_t *items, struct err *e)
{
    struct json_obj o = json_obj_begin();
    char name[EXAMPLE_NAME_MAX + 1], path[PATH_MAX];
    uint64_t profile, traces = 0;

    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - 4), file);
    if (!example_file(app, name, "csv", path, &profile)) {
        json_decref(o.object);
        return 0;
    }
    example_file(app, name, "vtrace", path, &traces);
    json_put_str(&o, "name", name);
    json_put_u64(&o, "profile_bytes", profile);
    json_put_u64(&o, "traces_bytes", traces);
    return json_push(items, json_obj_end(&o)) < 0 ? err_no_memory(e) : 0;
}

int examples_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *items = json_array();
    struct dirent **list = NULL;
    int n = scandir(app->config->examples, &list, is_example, alphasort), ret = items ? 0 : err_no_memory(e);

    (void)db;
    (void)req;
    for (int i = 0; i < n; i++) {
        if (ret == 0)
            ret = add_example(app, list[i]->d_name, items, e);
        free(list[i]);
    }
    free(list);
    json_put(&o, "items", items);
    if (ret < 0) {
        json_decref(o.object);
        return -1;
    }
    return reply_json(rep, 200, json_obj_end(&o), e);
}

/* --- POST /examples/{example} --- */

/* Stores the file's bytes as a blob of the team. */
static int publish(struct app *app, struct db *db, const char *from, int64_t team, char sha256[SHA256_HEX],
                   struct err *e)
{
    char staged[PATH_MAX], *bytes = NULL;
    struct blob_publication b = {.staged_path = staged, .sha256 = sha256, .team = team};
    size_t n = 0;
    int fd, ret;

    if (whole_file_read(from, EXAMPLE_MAX, &bytes, &n, e) < 0)
        return -1;
    b.bytes = n;
    ret = sha256_bytes(bytes, n, sha256, e);
    if (ret == 0 && (ret = blob_stage(app->farm.store.blobs, &fd, staged, e)) == 0) {
        close(fd);
        ret = whole_file_write(staged, bytes, n, e) < 0 ? -1 : blob_publish(&app->farm.store, db, &b, e);
        if (ret < 0)
            unlink(staged);
    }
    free(bytes);
    return ret;
}

struct loading {
    char profile[PATH_MAX], traces[PATH_MAX], traces_sha256[SHA256_HEX];
    struct upload upload;
};

static int find(struct app *app, const char *name, struct loading *l, struct err *e)
{
    if (!name_valid(name) || !example_file(app, name, "csv", l->profile, &l->upload.bytes)) {
        err_set(e, ERR_NOT_FOUND, "there is no example %.64s", name);
        return err_hint(e, "GET /api/v1/examples lists those that this server has (setting `examples`).");
    }
    snprintf(l->upload.name, sizeof l->upload.name, "%.64s.csv", name);
    snprintf(l->upload.workload, sizeof l->upload.workload, "%.64s", name);
    l->upload.known = true;
    uuid_make(app->clock, l->upload.id);
    return 0;
}

/* 1: the example has traces, and their number of launches is set; 0: it has none. Call it before anything is
 * stored: a file that is not a .vtrace must not leave an unfinished upload. */
static int find_traces(const struct app *app, const char *name, struct loading *l, uint64_t *launches,
                       struct err *e)
{
    struct vtrace *v = NULL;
    uint64_t bytes;

    if (!example_file(app, name, "vtrace", l->traces, &bytes))
        return 0;
    if (vtrace_open(l->traces, &v, e) < 0)
        return -1;
    *launches = vtrace_launch_count(v);
    vtrace_close(v);
    return 1;
}

static int load(struct app *app, struct db *db, const struct request *req, struct loading *l,
                struct upload_import *b, struct err *e)
{
    const struct storage_limits limits = {app->config->uploads_max, app->config->team_quota_bytes};
    int traces = find_traces(app, req->param[0], l, &b->launches, e);

    if (traces < 0 || publish(app, db, l->profile, b->team, l->upload.sha256, e) < 0 ||
        (traces && publish(app, db, l->traces, b->team, l->traces_sha256, e) < 0) ||
        repo_upload_put(db, &l->upload, b->team, &limits, req->once, clock_now(app->clock), e) < 0)
        return -1;
    b->upload = &l->upload;
    b->traces = traces ? l->traces_sha256 : NULL;
    return upload_import(&app->farm, db, b, e);
}

int example_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct loading *l = calloc(1, sizeof *l);
    struct upload_import b = {.team = req->credential.team_id, .by = req->credential.name};
    struct json_obj o;
    int ret;

    if (!l)
        return err_no_memory(e);
    ret = find(app, req->param[0], l, e) < 0 || watch_room(&app->farm, e) < 0 || load(app, db, req, l, &b, e) < 0
              ? -1
              : 0;
    free(l);
    if (ret < 0)
        return -1;
    snprintf(rep->location, sizeof rep->location, "/api/v1/imports/%s", b.id);
    o = json_obj_begin();
    json_put_str(&o, "import", b.id);
    return reply_json(rep, 202, json_obj_end(&o), e);
}
