/* cli/push/push_bind.c: see push_bind.h. */
#include "cli/push/push_bind.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/scratch.h"

enum { BATCH = 100 };

/* --- The launches that the plan needs --- */

static int take_sample(void *ctx, const json_t *item, struct err *e)
{
    struct push *p = ctx;
    struct wanted w = {.theirs = p->theirs};
    void *items = p->wanted;
    const json_t *context = NULL;

    if (json_need_object(item, "a sample", e) < 0 || json_need_u64(item, "launch", &w.launch, e) < 0 ||
        json_need_u64(item, "launch_order", &w.order, e) < 0 ||
        json_need_member(item, "context", &context, e) < 0 || json_need_u64(context, "index", &w.context, e) < 0)
        return err_wrap(e, "the samples of the plan");
    if (array_reserve(&items, &p->wanted_capacity, p->wanted_count + 1, sizeof w, e) < 0)
        return -1;
    p->wanted = items;
    p->wanted[p->wanted_count++] = w;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static struct wanted *find_wanted(const struct push *p, uint64_t context, uint64_t order)
{
    struct wanted key = {.context = context, .order = order};

    return p->wanted_count ? bsearch(&key, p->wanted, p->wanted_count, sizeof key, by_place) : NULL;
}

/* Removes duplicates: plans of the same profile may share launches. */
static void drop_doubles(struct push *p)
{
    size_t kept = 0;

    if (p->wanted_count)
        qsort(p->wanted, p->wanted_count, sizeof *p->wanted, by_place);
    for (size_t i = 0; i < p->wanted_count; i++) {
        if (kept == 0 || by_place(&p->wanted[kept - 1], &p->wanted[i]) != 0) {
            p->wanted[kept++] = p->wanted[i];
            continue;
        }
        p->wanted[kept - 1].theirs &= p->wanted[i].theirs;
        p->wanted[kept - 1].bound |= p->wanted[i].bound;
    }
    p->wanted_count = kept;
}

/* Marks the launches that have a trace on the server, so that it is not sent again. */
static void mark_bound(struct push *p, const json_t *state)
{
    const json_t *bindings = farm_member(state, "bindings");

    for (size_t i = 0; i < json_array_size(bindings); i++) {
        uint64_t launch = farm_count(json_array_get(bindings, i), "launch");

        for (size_t w = 0; w < p->wanted_count; w++)
            if (p->wanted[w].launch == launch)
                p->wanted[w].bound = true;
    }
}

static int take_samples(struct push *p, const char *plan, struct err *e)
{
    char *path = farm_path("/plans/", plan, "/samples?format=json&limit=1000", e);
    int ret = path ? api_list(p->api, path, take_sample, p, e) : -1;

    free(path);
    return ret;
}

/* Adds the launches of a plan that a run has extended, since the run waits for their traces. */
static int take_waiting(struct push *p, const char *plan, struct err *e)
{
    json_t *state = take_samples(p, plan, e) < 0 ? NULL : farm_get(p->api, "/plans/", plan, "/traces", e);

    if (!state)
        return -1;
    drop_doubles(p);
    mark_bound(p, state);
    json_decref(state);
    return 0;
}

/* Reads the launches of the plan, and those that runs of other plans of its profile wait for. */
static int read_plan(struct push *p, const char *plan, struct err *e)
{
    json_t *summary = take_samples(p, plan, e) < 0 ? NULL : farm_get(p->api, "/plans/", plan, "", e);
    json_t *state = summary ? farm_get(p->api, "/plans/", plan, "/traces", e) : NULL;
    const json_t *waiting = farm_member(state, "waiting");
    int ret = state ? 0 : -1;

    p->theirs = true;
    for (size_t i = 0; ret == 0 && i < json_array_size(waiting); i++)
        ret = take_waiting(p, json_string_value(json_array_get(waiting, i)), e);
    if (ret == 0) {
        p->launches = farm_count(summary, "launches");
        drop_doubles(p);
        mark_bound(p, state);
    }
    json_decref(summary);
    json_decref(state);
    return ret;
}

int push_begin(struct push *p, struct api *api, const char *plan, struct err *e)
{
    *p = (struct push){.api = api, .plan = plan, .batch = json_array(), .refused = json_array()};
    if (!p->batch || !p->refused)
        return err_no_memory(e);
    if (read_plan(p, plan, e) < 0)
        return -1;
    for (size_t i = 0; i < p->wanted_count; i++)
        p->all += !p->wanted[i].bound;
    p->begun_us = clock_monotonic_us();
    return 0;
}

void push_release(struct push *p)
{
    json_decref(p->batch);
    json_decref(p->refused);
    free(p->wanted);
}

static void show(const struct push *p)
{
    double passed = (double)(clock_monotonic_us() - p->begun_us) * 1e-6;
    char sent[CLI_NUMBER], left[CLI_NUMBER];

    cli_progress("launches: %zu of %zu, %s sent, %s left", p->done, p->all, cli_bytes((double)p->bytes_sent, sent),
                 cli_seconds(p->done > 0 ? passed / (double)p->done * (double)(p->all - p->done) : NAN, left));
}

bool push_wants(const struct push *p, uint64_t context, uint64_t order)
{
    const struct wanted *w = find_wanted(p, context, order);

    return w && !w->bound && !w->offered;
}

struct wanted *push_take(struct push *p, uint64_t context, uint64_t order)
{
    struct wanted *w;

    if (!push_wants(p, context, order))
        return NULL;
    w = find_wanted(p, context, order);
    show(p);
    w->offered = true;
    return w;
}

/* --- Bytes --- */

int push_temporary(struct err *e)
{
    return scratch_file("the traces to send", e);
}

int push_blob(struct push *p, int fd, char hex[SHA256_HEX], uint64_t *bytes, struct err *e)
{
    char self[40], target[100];
    struct stat st;
    int there;

    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    if (fstat(fd, &st) < 0)
        return err_set_errno(e, errno, "what is to be sent");
    if (sha256_file(self, hex, e) < 0)
        return -1;
    *bytes = (uint64_t)st.st_size;
    there = api_blob_exists(p->api, hex, e);
    if (there == 0) {
        snprintf(target, sizeof target, "/blobs/%s", hex);
        there = api_put_file(p->api, target, fd, 0, *bytes, NULL, e);
        p->bytes_sent += *bytes;
        p->blobs_sent++;
    }
    return there < 0 ? -1 : 0;
}

/* --- Binding --- */

static int flush(struct push *p, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *answer = NULL;
    const json_t *refused;
    char *path;
    int ret;

    if (json_array_size(p->batch) == 0) {
        json_decref(json_obj_end(&o));
        return 0;
    }
    path = farm_path("/plans/", p->plan, "/traces", e);
    json_put(&o, "traces", json_incref(p->batch));
    ret = path ? api_post(p->api, path, json_obj_end(&o), &answer, e) : -1;
    free(path);
    if (ret < 0)
        return -1;
    p->bound += farm_count(answer, "bound");
    p->already += farm_count(answer, "already");
    p->not_sampled += farm_count(answer, "not_sampled");
    refused = farm_member(answer, "refused");
    if (json_is_array(refused) && json_array_extend(p->refused, (json_t *)refused) < 0)
        ret = err_no_memory(e);
    json_decref(answer);
    json_array_clear(p->batch);
    return ret;
}

static json_t *describe(const struct wanted *w, const struct kernel_info *info, const char *hex)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "sha256", hex);
    json_put_u64(&o, "context", w->context);
    json_put_u64(&o, "order", w->order);
    json_put_str(&o, "name", info->name);
    json_put(&o, "grid", json_dim3(info->grid));
    json_put(&o, "block", json_dim3(info->block));
    return json_obj_end(&o);
}

int push_offer(struct push *p, const struct wanted *w, const struct kernel_info *info, const char *hex,
               struct err *e)
{
    if (json_push(p->batch, describe(w, info, hex)) < 0)
        return err_no_memory(e);
    p->offered++;
    p->done++;
    return json_array_size(p->batch) >= BATCH ? flush(p, e) : 0;
}

/* --- Summary --- */

static json_t *summary_json(const struct push *p)
{
    struct json_obj o = json_obj_begin();

    json_put_u64(&o, "samples", p->wanted_count);
    json_put_u64(&o, "offered", p->offered);
    json_put_u64(&o, "bound", p->bound);
    json_put_u64(&o, "already", p->already);
    json_put_u64(&o, "missing", p->missing);
    json_put_u64(&o, "blobs_sent", p->blobs_sent);
    json_put_u64(&o, "bytes_sent", p->bytes_sent);
    json_put(&o, "refused", json_incref(p->refused));
    return json_obj_end(&o);
}

static void print_summary(const struct push *p)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    printf("%s of %s drawn launches have their trace (%s bound now)\n",
           cli_whole(p->wanted_count > p->missing ? p->wanted_count - p->missing : 0, a),
           cli_whole(p->wanted_count, b), cli_whole(p->bound, c));
    for (size_t i = 0; i < json_array_size(p->refused); i++) {
        const json_t *r = json_array_get(p->refused, i);

        printf("refused: context %s, launch %s: %s\n", cli_whole(farm_count(r, "context"), a),
               cli_whole(farm_count(r, "order"), b), farm_text(r, "detail"));
    }
    if (p->missing)
        printf("missing  %s; `vivace trace missing %s` lists them\n", cli_whole(p->missing, a), p->plan);
    else
        printf("next     vivace run create %s --gpu v100,h100 --wait\n", p->plan);
}

int push_finish(struct push *p, size_t offered_of, const char *what, const struct cli_output *o, struct err *e)
{
    json_t *state = flush(p, e) < 0 ? NULL : farm_get(p->api, "/plans/", p->plan, "/traces", e);
    size_t refused = json_array_size(p->refused);

    if (!state)
        return -1;
    p->missing = farm_count(state, "missing_count");
    for (size_t i = 0; i < p->wanted_count; i++)
        p->missing += p->wanted[i].theirs && !p->wanted[i].bound && !p->wanted[i].offered;
    json_decref(state);
    cli_progress_end();
    if (o->json && cli_print_json(summary_json(p), e) < 0)
        return -1;
    if (!o->json)
        print_summary(p);
    if (refused == 0 && (p->offered > 0 || p->missing == 0))
        return 0;
    if (refused == 0) {
        err_set(e, ERR_INVALID, "none of these %zu %s belongs to a launch that the plan drew", offered_of, what);
        return err_hint(
            e, "`vivace trace missing %s` says which launches are wanted, by their place in the launch order.",
            p->plan);
    }
    err_set(e, ERR_INVALID, "%zu launches were refused", refused);
    return err_hint(e,
                    "they stand where the profile has another launch; were other launches traced than profiled?");
}
