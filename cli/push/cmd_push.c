/* vivace push: uploads a profile to the farm in pieces, and resumes a broken upload. (Traces: push_traces.c;
 * features: push_to_profile.c) */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/client/farm.h"
#include "cli/input/input_file.h"
#include "ingest/ingest.h"

static const char help_text[] =
    "Uploads a profile (Nsight Systems SQLite or CSV, PyTorch trace, tar of Accel-Sim traces), waits for the "
    "import, and\n"
    "prints its id and what was dropped. To continue an interrupted upload, run the same command again.\n"
    "\n"
    "With --plan, uploads the traces of the launches that the plan drew, and only those, from a folder or tar of "
    "kernel\n"
    "traces. It lists the missing ones, and those that were refused because name, grid or block differ from the "
    "profile.\n"
    "It also accepts a launch list (a .json for `vivace ptx run`). The list goes to the farm once, with its "
    "modules and\n"
    "data. Workers run it up to each drawn launch and simulate that launch.\n"
    "\n"
    "With --profile, adds features to a profile on the farm (a features file of `vivace trace features`, ncu "
    "--csv, or a\n"
    "CSV of instruction counts), for methods that need more than durations. A .vtrace becomes the profile's "
    "traces: plans\n"
    "that are made later get their traces from that file, without another push.\n"
    "\n"
    "Examples:\n"
    "  vivace push report.sqlite --workload llama-decode\n"
    "  vivace push features.json --profile 0193c2d7-…\n"
    "  vivace push all.vtrace --profile 0193c2d7-…\n"
    "  vivace push traces.tar.zst --plan 0193c2d8-…\n"
    "  vivace push launches.json --plan 0193c2d8-…\n";

struct upload {
    int fd;
    uint64_t bytes, piece_bytes;
    char note[PATH_MAX]; /* path of the file with the upload's id */
    const char *name, *workload;
    char id[80];
};

/* --- Storing the upload's id, so that it can be resumed --- */

static int state_folder(char out[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n = -1;

    if (state && *state == '/')
        n = snprintf(out, PATH_MAX, "%s/vivace", state);
    else if (home && *home)
        n = snprintf(out, PATH_MAX, "%s/.local/state/vivace", home);
    if (n < 0 || n > PATH_MAX - 40)
        return -1;
    for (char *c = out + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(out, 0700);
            *c = '/';
        }
    return mkdir(out, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

/* One note for each (server, file, size, modification time). Without a home folder the id is not stored. */
static void name_note(struct upload *u, const struct api *api, const char *path, const struct stat *st)
{
    char folder[PATH_MAX], real[PATH_MAX], text[2 * PATH_MAX];
    int n;

    u->note[0] = '\0';
    if (!realpath(path, real) || state_folder(folder) < 0)
        return;
    n = snprintf(text, sizeof text, "%s\n%s\n%" PRIu64 " %lld.%09ld", api_url(api), real, u->bytes,
                 (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
    if (n > 0 && (size_t)n < sizeof text)
        snprintf(u->note, sizeof u->note, "%.4000s/upload-%016" PRIx64, folder, hash_fnv1a(text, (size_t)n));
}

static void keep_note(const struct upload *u)
{
    FILE *f = u->note[0] ? fopen(u->note, "we") : NULL;

    if (f) {
        fprintf(f, "%s\n", u->id);
        fclose(f);
    }
}

static bool read_note(struct upload *u)
{
    FILE *f = u->note[0] ? fopen(u->note, "re") : NULL;
    bool found = false;

    if (f) {
        found = fscanf(f, "%79s", u->id) == 1;
        fclose(f);
    }
    return found;
}

/* --- Sending --- */

static int digest_piece(const struct upload *u, uint64_t offset, uint64_t n, char hex[SHA256_HEX], struct err *e)
{
    struct sha256 *h = sha256_new(e);
    uint8_t digest[SHA256_BYTES];
    char buffer[65536];
    int ret = 0;

    if (!h)
        return -1;
    while (ret == 0 && n > 0) {
        ssize_t got = pread(u->fd, buffer, n < sizeof buffer ? (size_t)n : sizeof buffer, (off_t)offset);

        if (got <= 0) {
            ret = got < 0 ? err_set_errno(e, errno, "%s", u->name)
                          : err_set(e, ERR_IO, "%s became shorter while it was read", u->name);
            break;
        }
        sha256_update(h, buffer, (size_t)got);
        offset += (uint64_t)got;
        n -= (uint64_t)got;
    }
    sha256_final(h, digest);
    hex_encode(digest, sizeof digest, hex);
    sha256_free(h);
    return ret;
}

static int send_piece(struct api *api, const struct upload *u, uint64_t number, struct err *e)
{
    uint64_t offset = number * u->piece_bytes, n = u->bytes - offset;
    char hex[SHA256_HEX], path[160];

    if (number >= (u->bytes + u->piece_bytes - 1) / u->piece_bytes)
        return err_set(e, ERR_NETWORK, "the server asks for piece %" PRIu64 ", which the file does not have",
                       number);
    if (n > u->piece_bytes)
        n = u->piece_bytes;
    if (digest_piece(u, offset, n, hex, e) < 0)
        return -1;
    snprintf(path, sizeof path, "/uploads/%s/pieces/%" PRIu64, u->id, number);
    return api_put_file(api, path, u->fd, offset, n, hex, e);
}

static void show_rate(const struct upload *u, uint64_t sent, uint64_t sent_now, uint64_t begun_us)
{
    double passed = (double)(clock_monotonic_us() - begun_us) * 1e-6,
           rate = passed > 0 ? (double)sent_now / passed : 0;
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];

    if (rate > 0)
        cli_progress("%s: %s of %s, %s/s, %s left", u->name, cli_bytes((double)sent, a),
                     cli_bytes((double)u->bytes, b), cli_bytes(rate, c),
                     cli_seconds((double)(u->bytes - sent) / rate, d));
    else
        cli_progress("%s: %s of %s", u->name, cli_bytes((double)sent, a), cli_bytes((double)u->bytes, b));
}

static int send_missing(struct api *api, const struct upload *u, const json_t *missing, struct err *e)
{
    size_t n = json_array_size(missing);
    uint64_t sent = u->bytes > n * u->piece_bytes ? u->bytes - n * u->piece_bytes : 0, now = 0;
    uint64_t begun_us = clock_monotonic_us();

    for (size_t i = 0; i < n; i++) {
        json_int_t number = json_integer_value(json_array_get(missing, i));

        show_rate(u, sent, now, begun_us);
        if (number < 0 || send_piece(api, u, (uint64_t)number, e) < 0)
            return err_wrap(e, "%s", u->name);
        sent += u->piece_bytes;
        now += u->piece_bytes;
        if (sent > u->bytes)
            sent = u->bytes;
    }
    return 0;
}

/* Returns the server's state of the upload: of the earlier upload of this file, or of a new one. */
static json_t *begin(struct api *api, struct upload *u, struct err *e)
{
    struct json_obj o;
    json_t *v = NULL;

    if (read_note(u)) {
        char path[120];

        snprintf(path, sizeof path, "/uploads/%s", u->id);
        if (api_get(api, path, &v, e) == 0 && farm_count(v, "bytes") == u->bytes)
            return v;
        json_decref(v);
        v = NULL;
        if (e->code != ERR_NONE && e->code != ERR_NOT_FOUND && e->code != ERR_GONE)
            return NULL;
    }
    o = json_obj_begin();
    json_put_str(&o, "name", u->name);
    json_put_u64(&o, "bytes", u->bytes);
    if (u->workload)
        json_put_str(&o, "workload", u->workload);
    if (api_post(api, "/uploads", json_obj_end(&o), &v, e) < 0)
        return NULL;
    return v;
}

static int read_begin(struct upload *u, const json_t *v, const json_t **missing, struct err *e)
{
    if (json_need_object(v, "the answer", e) < 0 || json_need_copy(v, "id", u->id, sizeof u->id, e) < 0 ||
        json_need_u64(v, "piece_bytes", &u->piece_bytes, e) < 0 || json_need_array(v, "missing", missing, e) < 0)
        return err_wrap(e, "upload");
    return u->piece_bytes > 0 ? 0 : err_set(e, ERR_NETWORK, "upload: the server sent no size of pieces");
}

/* Uploads the file. import: the id of the import that it starts. */
static int send_file(struct api *api, struct upload *u, char import[80], struct err *e)
{
    json_t *begun = begin(api, u, e), *finished = NULL;
    const json_t *missing = NULL;
    char path[160];
    int ret = -1;

    if (begun && read_begin(u, begun, &missing, e) == 0) {
        keep_note(u);
        snprintf(path, sizeof path, "/uploads/%s/finish", u->id);
        if (send_missing(api, u, missing, e) == 0 && api_post(api, path, json_object(), &finished, e) == 0 &&
            json_need_object(finished, "the answer", e) == 0)
            ret = json_need_copy(finished, "import", import, 80, e);
    }
    if (ret == 0 && u->note[0])
        unlink(u->note);
    json_decref(begun);
    json_decref(finished);
    return ret;
}

/* --- The import --- */

static enum err_code code_of_problem(const char *name)
{
    for (int c = ERR_NONE + 1; c < ERR_CODE_COUNT; c++)
        if (strcmp(err_name((enum err_code)c), name) == 0)
            return (enum err_code)c;
    return ERR_INVALID;
}

static void show_import(const json_t *v)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    cli_progress("importing (%s): %s rows, %s read", farm_text(v, "stage"), cli_whole(farm_count(v, "rows"), a),
                 cli_bytes((double)farm_count(v, "bytes_read"), b));
}

json_t *farm_wait_import(struct api *api, const char *import, struct err *e)
{
    struct timespec pause = {0, 200000000};

    for (;;) {
        json_t *v = farm_get(api, "/imports/", import, "", e);
        const char *state = farm_text(v, "state");

        if (!v || strcmp(state, "ready") == 0)
            return v;
        if (strcmp(state, "failed") == 0) {
            err_set(e, code_of_problem(farm_text(v, "problem.code")), "%s", farm_text(v, "problem.detail"));
            if (*farm_text(v, "problem.hint"))
                err_hint(e, "%s", farm_text(v, "problem.hint"));
            json_decref(v);
            return NULL;
        }
        show_import(v);
        json_decref(v);
        nanosleep(&pause, NULL);
    }
}

static void print_notes(const json_t *report, const char *member, const char *title)
{
    const json_t *list = farm_member(report, member);
    char n[CLI_NUMBER];

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *note = json_array_get(list, i);

        printf("%s: %s%s%s\n", title, farm_count(note, "count") ? cli_whole(farm_count(note, "count"), n) : "",
               farm_count(note, "count") ? ": " : "", farm_text(note, "sentence"));
    }
}

static void print_import(const json_t *v)
{
    const json_t *report = farm_member(v, "report");
    char a[CLI_NUMBER], b[CLI_NUMBER];

    printf("%s: %s, %s of %s%s%s\n", farm_text(v, "name"), farm_text(report, "format"),
           cli_counted(farm_count(report, "launches"), "launch", "launches", a),
           cli_counted(farm_count(report, "kernels"), "kernel", NULL, b), *farm_text(report, "gpu") ? " on " : "",
           farm_text(report, "gpu"));
    print_notes(report, "dropped_reasons", "dropped");
    print_notes(report, "warnings", "note");
    printf("profile   %s\nworkload  %s\nnext      vivace plan create %s --error 5%%\n", farm_text(v, "profile"),
           farm_text(v, "workload"), farm_text(v, "profile"));
}

int push_open(const char *path, struct stat *st, const char **name, struct err *e)
{
    const char *slash = strrchr(path, '/');
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    *name = slash && slash[1] ? slash + 1 : path;
    if (fd < 0 || fstat(fd, st) != 0) {
        err_set_errno(e, errno, "%s", path);
    } else if (S_ISDIR(st->st_mode)) {
        err_set(e, ERR_USAGE, "%s is a folder, and one file is needed", path);
        err_hint(e,
                 "To push traces as a profile, pack them first: tar -C %s -cf - . | zstd >traces.tar.zst. For "
                 "traces of a plan, use --plan.",
                 path);
    } else if (!S_ISREG(st->st_mode)) {
        err_set(e, ERR_USAGE, "%s is not a regular file", path);
    } else if (st->st_size == 0) {
        err_set(e, ERR_INVALID, "%s is empty", path);
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static int push_profile(struct api *api, const char *path, const char *workload, const struct cli_output *o,
                        struct err *e)
{
    struct upload u = {.workload = workload};
    char import[80];
    json_t *v = NULL;
    struct stat st = {.st_size = 0};
    struct input_file in;
    int ret;

    if (input_file_open(&in, path, e) < 0 || nsys_check_log(in.path, in.name, e) < 0)
        u.fd = -1;
    else
        u.fd = push_open(in.path, &st, &u.name, e);
    if (in.copy)
        u.name = in.name;
    u.bytes = (uint64_t)st.st_size;
    name_note(&u, api, path, &st);
    ret = u.fd < 0 ? -1 : send_file(api, &u, import, e);
    if (u.fd >= 0)
        close(u.fd);
    input_file_close(&in);
    if (ret == 0)
        v = farm_wait_import(api, import, e);
    if (!v)
        return -1;
    cli_progress_end();
    if (o->json)
        return cli_print_json(v, e);
    print_import(v);
    json_decref(v);
    return 0;
}

int cmd_push(int argc, char **argv)
{
    const char *plan = NULL, *profile = NULL, *workload = NULL;
    uint64_t context = 0;
    struct cli_output o = {.json = false};
    const struct cli_option options[] = {
        {"plan", 'p', CLI_TEXT, "PLAN", &plan, "push the traces that this plan drew"},
        {"profile", 'f', CLI_TEXT, "PROFILE", &profile, "add the file's features, or its traces, to this profile"},
        {"context", 'c', CLI_U64, "N", &context,
         "context of the profile that the traces belong to, from 0, if there are several"},
        {"workload", 'w', CLI_TEXT, "NAME", &workload, "name of the workload; default: the file's name"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "push",
        "FILE [--workload NAME]  |  TRACES|LAUNCHES.json --plan PLAN  |  FEATURES|ALL.vtrace --profile PROFILE",
        help_text,
        options,
        &o,
        false,
        1,
        1};
    struct cli_args args;
    struct err e = {.code = ERR_NONE};
    struct api *api = NULL;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    if (plan && profile) {
        err_set(&e, ERR_USAGE, "--plan is for traces and --profile is for features: give one of them");
        return cli_end(-1, &e);
    }
    ret = api_open(&api, &e);
    if (ret == 0)
        ret = plan      ? (str_ends(args.items[0], ".json") ? push_program : push_traces)(api, args.items[0], plan,
                                                                                     context, &o, &e)
              : profile ? push_to_profile(api, args.items[0], profile, &o, &e)
                        : push_profile(api, args.items[0], workload, &o, &e);
    api_close(api);
    return cli_end(ret, &e);
}
