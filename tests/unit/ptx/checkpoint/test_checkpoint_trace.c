/* A launch resumed from a checkpoint as a source of instructions. CTAs that had not started are complete, CTAs in
 * flight have their remaining instructions. Memory, counters and prints at the end are those of a run without the
 * checkpoint.
 *
 * A point with several CTAs in flight changes their order: the others start before the first one ends. So a
 * resumed run is compared with a run in that order that was never written to a file. It is also compared with the
 * normal run, where the result does not depend on the order (in bfs it does: the first thread takes a vertex).
 *
 * With arguments: test_checkpoint_trace LIST.json POINTS [CTAS] checks POINTS random points of that list, with at
 * most CTAS CTAs in flight. */
#include "base/hash.h"
#include "base/rng.h"
#include "ptx/warp/launch.h"
#include "ptx/list/list_checkpoint.h"
#include "ptx/trace/trace_log.h"
#include "tests/unit/ptx/checkpoint/checkpoint_program.h"

/* --- a trace, each instruction as a number that encodes opcode, lanes and addresses --- */

struct warp_text {
    uint64_t *words;
    size_t count;
};
struct cta_text {
    struct warp_text warps[32];
    uint32_t warp_count;
};
struct trace {
    struct cta_text *ctas; /* by linear number; warp_count 0: not in the trace */
    size_t count;
};

static uint64_t word_of(const struct inst_source *s, const struct cta_trace *cta, const struct warp_inst *i)
{
    const char *opcode = s->opcodes[s->insts[i->inst].opcode];
    uint64_t all[WARP_LANES + 2] = {hash_fnv1a(opcode, strlen(opcode)), i->mask};
    struct lane_addresses a;

    if (i->address == UINT32_MAX)
        return hash_fnv1a(all, 2 * sizeof *all);
    cta_addresses(cta, i->address, &a);
    for (uint32_t l = 0, k = (uint32_t)__builtin_ctz(i->mask); l < WARP_LANES; l++)
        if (i->mask >> l & 1)
            all[l + 2] = a.kind == ADDRESS_LIST ? a.list[l] : a.base + (uint64_t)((int64_t)(l - k) * a.stride);
    return hash_fnv1a(all, sizeof all);
}

static int read_trace(struct trace *t, struct inst_source *s, struct err *e)
{
    const uint32_t *g = s->info.grid;
    struct cta_trace *cta;
    int got;

    t->count = (size_t)g[0] * g[1] * g[2];
    t->ctas = calloc(t->count, sizeof *t->ctas);
    while ((got = inst_source_next_cta(s, &cta, e)) > 0) {
        struct cta_text *c = &t->ctas[cta->id[0] + (size_t)g[0] * (cta->id[1] + (size_t)g[1] * cta->id[2])];

        assert_int_equal(c->warp_count, 0);
        c->warp_count = cta->warp_count;
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            const struct cta_warp *from = &cta->warps[w];

            c->warps[w] = (struct warp_text){malloc((from->count + 1) * sizeof(uint64_t)), from->count};
            for (uint32_t k = 0; k < from->count; k++)
                c->warps[w].words[k] = word_of(s, cta, &from->insts[k]);
        }
        inst_source_release_cta(s, cta);
    }
    return got;
}

static void trace_release(struct trace *t)
{
    for (size_t k = 0; k < t->count; k++)
        for (uint32_t w = 0; w < t->ctas[k].warp_count; w++)
            free(t->ctas[k].warps[w].words);
    free(t->ctas);
    *t = (struct trace){0};
}

/* --- runs of a list --- */

enum what { WHOLE, IN_ORDER, TO_POINT, GOES_ON };
struct journey {
    enum what what;
    struct ptx_point at;
    uint64_t launches; /* number of launches of the list */
    struct ptx_checkpoint *from;
    struct trace trace;          /* of launch at.launch */
    struct ptx_exec_stats stats; /* of the same launch */
    uint64_t *before;            /* about how many machine instructions each warp had executed at the point */
    size_t before_count, ended;  /* number of CTAs that had ended at the point */
    bool *in_flight;
    char memory[SHA256_HEX];
    struct launch_list_done done;
    struct strbuf print;
};

static void hash_memory(struct journey *j, const struct device_memory *m)
{
    struct err e;
    struct sha256 *h = sha256_new(&e);
    uint8_t out[SHA256_BYTES];
    size_t n;
    const struct device_allocation *const *all = device_allocations(m, &n);

    for (size_t i = 0; i < n; i++)
        sha256_update(h, device_bytes(m, all[i]->address, all[i]->bytes), all[i]->bytes);
    sha256_final(h, out);
    sha256_free(h);
    hex_encode(out, sizeof out, j->memory);
}

/* Counts the machine instructions of each warp up to the point, without its current segment. */
static int count_before(struct journey *j, const struct launch_list_view *v, const struct ptx_exec_options *o,
                        struct err *e)
{
    struct ptx_exec_options own = *o;
    uint32_t warps = (v->launch->block[0] * v->launch->block[1] * v->launch->block[2] + 31) / 32;
    const struct ptx_code *code = ptx_program_code(v->program, v->launch->module, v->launch->function, e);
    struct ptx_trace_log *log = ptx_trace_log_get(v->program, code, 80, 255, warps, e);
    struct ptx_run *run;
    int ret;

    own.observer = &log->observer;
    own.print = NULL;
    run = ptx_run_new(v->program, v->launch, &own, e);
    ret = run ? ptx_run_to(run, j->at.cta, j->at.ctas, j->at.instructions, e) : -1;
    if (ret == 0) {
        j->before_count = run->ctas * warps;
        j->before = calloc(j->before_count, sizeof *j->before);
        j->in_flight = calloc(run->ctas, sizeof *j->in_flight);
        j->ended = run->next - run->resident_count;
        for (struct ptx_cta_log *c = log->open; c; c = c->next) {
            const uint32_t *id = c->store.trace.id, *g = v->launch->grid;
            size_t linear = id[0] + (size_t)g[0] * (id[1] + (size_t)g[1] * id[2]);

            j->in_flight[linear] = true;
            for (uint32_t w = 0; w < warps; w++)
                j->before[linear * warps + w] = c->warps[w].count;
        }
    }
    ptx_run_free(run);
    ptx_trace_log_put(v->program, log);
    return ret;
}

static int trace_launch(struct journey *j, const struct launch_list_view *v, const struct ptx_exec_options *o,
                        struct ptx_exec_stats *s, struct err *e)
{
    const struct ptx_source_options as = {.arch = 80, .registers = 255};
    struct inst_source *source;

    if ((j->from ? list_checkpoint_source(j->from, v, o, &as, &source, e)
                 : ptx_source_new(v->program, v->launch, o, &as, &source, e)) != 0)
        return -1;
    if (read_trace(&j->trace, source, e) < 0) {
        inst_source_release(source);
        return -1;
    }
    *s = j->stats = *ptx_source_stats(source);
    inst_source_release(source);
    return LIST_RAN;
}

/* Runs to the point and continues from it, without a file. */
static int run_in_order(struct journey *j, const struct launch_list_view *v, const struct ptx_exec_options *o,
                        struct ptx_exec_stats *s, struct err *e)
{
    struct ptx_run *run = ptx_run_new(v->program, v->launch, o, e);
    int ret = run ? ptx_run_to(run, j->at.cta, j->at.ctas, j->at.instructions, e) : -1;

    if (ret == 0) {
        do
            ret = ptx_run_next(run, e);
        while (ret > 0);
        *s = j->stats = run->stats;
    }
    ptx_run_free(run);
    return ret == 0 ? LIST_RAN : -1;
}

static int on_launch(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *s, struct err *e)
{
    struct journey *j = ctx;
    int ret;

    if (j->what == GOES_ON && v->number < j->at.launch)
        return LIST_LEFT_OUT;
    if (j->what == TO_POINT && v->number == j->at.launch) {
        if (list_checkpoint_save(file, NULL, &j->at, v, o, e) != 0)
            return -1;
        return LIST_STOP;
    }
    if (v->number == j->at.launch)
        ret = j->what == IN_ORDER ? run_in_order(j, v, o, s, e) : trace_launch(j, v, o, s, e);
    else
        ret = ptx_launch_run(v->program, v->launch, o, s, e) != 0 ? -1 : LIST_RAN;
    if (v->number + 1 == j->launches)
        hash_memory(j, v->memory);
    return ret;
}

static int only_count(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                      struct ptx_exec_stats *s, struct err *e)
{
    struct journey *j = ctx;

    if (v->number == j->at.launch)
        return count_before(j, v, o, e) != 0 ? -1 : LIST_STOP;
    return ptx_launch_run(v->program, v->launch, o, s, e) != 0 ? -1 : LIST_RAN;
}

static void on_print(void *ctx, const char *text, size_t n)
{
    strbuf_add(ctx, text, n);
}

static void travel(struct journey *j, const char *path, launch_list_launch_fn *launch)
{
    struct launch_list_options o = {.launch = launch, .ctx = j, .no_check = true};
    struct launch_list *l;
    struct err e;

    j->print = (struct strbuf)STRBUF_INIT;
    o.exec.print = on_print;
    o.exec.print_ctx = &j->print;
    CHECK_OK(launch_list_read(path, &l, &e), &e);
    CHECK_OK(launch_list_run(l, &o, &j->done, &e), &e);
    launch_list_free(l);
}

static void journey_release(struct journey *j)
{
    ptx_checkpoint_close(j->from);
    trace_release(&j->trace);
    free(j->before);
    free(j->in_flight);
    strbuf_release(&j->print);
    *j = (struct journey){0};
}

/* --- comparing --- */

/* The remaining instructions of a warp are the end of its trace. Before that end, the first remaining segment may
 * have gaps, and of a loop the rounds are joined from the point on, not from its first round: other machine
 * instructions, in a bounded number. */
static void check_rest(const struct warp_text *whole, const struct warp_text *rest, uint64_t before)
{
    size_t same = 0;

    while (same < rest->count && same < whole->count &&
           rest->words[rest->count - 1 - same] == whole->words[whole->count - 1 - same])
        same++;
    assert_true(rest->count - same <= 2ull * PTX_SEGMENT_MAX);
    assert_in_range(before + rest->count,
                    whole->count < 2ull * PTX_SEGMENT_MAX ? 0 : whole->count - 2ull * PTX_SEGMENT_MAX,
                    whole->count + PTX_LANES);
}

static void check_same_cta(const struct cta_text *whole, const struct cta_text *b)
{
    assert_int_equal(whole->warp_count, b->warp_count);
    for (uint32_t w = 0; w < b->warp_count; w++) {
        assert_int_equal(whole->warps[w].count, b->warps[w].count);
        assert_memory_equal(whole->warps[w].words, b->warps[w].words, b->warps[w].count * sizeof(uint64_t));
    }
}

static void check_trace(const struct journey *whole, const struct journey *before, const struct journey *after)
{
    size_t there = 0;

    assert_int_equal(whole->trace.count, after->trace.count);
    for (size_t k = 0; k < after->trace.count; k++) {
        const struct cta_text *a = &whole->trace.ctas[k], *b = &after->trace.ctas[k];

        there += b->warp_count > 0;
        if (b->warp_count == 0)
            assert_false(before->in_flight[k]);
        else if (!before->in_flight[k])
            check_same_cta(a, b);
        for (uint32_t w = 0; before->in_flight[k] && w < b->warp_count; w++)
            check_rest(&a->warps[w], &b->warps[w], before->before[k * b->warp_count + w]);
    }
    assert_int_equal(there + before->ended, whole->trace.count);
}

static void check_end(const struct journey *a, const struct journey *b)
{
    assert_true(*a->memory);
    assert_string_equal(a->memory, b->memory);
    assert_string_equal(a->print.text, b->print.text);
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
    assert_int_equal(a->done.warp_instructions, b->done.warp_instructions);
    assert_int_equal(a->done.lane_instructions, b->done.lane_instructions);
}

static void check_point(const char *path, uint64_t launches, const struct ptx_point *at)
{
    struct journey whole = {.what = WHOLE, .at = *at, .launches = launches}, before = whole, order = whole,
                   to = whole, after = whole;
    struct err e;

    order.what = IN_ORDER;
    to.what = TO_POINT;
    after.what = GOES_ON;
    travel(&whole, path, on_launch);
    travel(&order, path, on_launch);
    travel(&before, path, only_count);
    travel(&to, path, on_launch);
    CHECK_OK(ptx_checkpoint_open(file, &after.from, &e), &e);
    travel(&after, path, on_launch);
    check_end(&order, &after);
    if (memcmp(&whole.stats, &order.stats, sizeof whole.stats) == 0 && strcmp(whole.memory, order.memory) == 0) {
        check_end(&whole, &after);
        check_trace(&whole, &before, &after);
    }
    journey_release(&whole);
    journey_release(&order);
    journey_release(&before);
    journey_release(&to);
    journey_release(&after);
}

/* --- points --- */

enum { IN_FLIGHT = 5 }; /* most CTAs in flight */

struct sizes {
    struct {
        uint64_t ctas, warp_instructions;
    } * launches;
    size_t count, capacity;
};

static int on_size(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                   struct ptx_exec_stats *stats, struct err *e)
{
    struct sizes *s = ctx;

    if (ptx_launch_run(v->program, v->launch, o, stats, e) != 0)
        return -1;
    s->launches = realloc(s->launches, (s->count + 1) * sizeof *s->launches);
    s->launches[s->count].ctas = stats->ctas;
    s->launches[s->count++].warp_instructions = stats->warp_instructions;
    return LIST_RAN;
}

/* cluster: CTAs per cluster. */
static void random_points(const char *path, int points, uint64_t in_flight, uint64_t cluster)
{
    struct launch_list_options o = {.launch = on_size, .no_check = true};
    struct launch_list_done done;
    struct sizes s = {0};
    struct launch_list *l;
    struct rng rng;
    struct err e;

    o.ctx = &s;
    CHECK_OK(launch_list_read(path, &l, &e), &e);
    CHECK_OK(launch_list_run(l, &o, &done, &e), &e);
    launch_list_free(l);
    rng_init(&rng, 7, s.count, RNG_TEST);
    for (int i = 0; i < points; i++) {
        struct ptx_point at = {.launch = rng_below(&rng, s.count)};
        uint64_t ctas = s.launches[at.launch].ctas;

        at.cta = rng_below(&rng, ctas / cluster + 1) * cluster;
        at.ctas = rng_below(&rng, (ctas - at.cta < in_flight ? ctas - at.cta : in_flight) / cluster + 1) * cluster;
        at.instructions = rng_below(&rng, s.launches[at.launch].warp_instructions / ctas + 2);
        check_point(path, s.count, &at);
    }
    free(s.launches);
}

static const char *given_list;
static int given_points;
static uint64_t given_ctas = IN_FLIGHT;

static void points_of_the_given_list(void **state)
{
    (void)state;
    random_points(given_list, given_points, given_ctas, 1);
}

static void a_resumed_launch_can_be_traced(void **state)
{
    (void)state;
    random_points(list_path, 20, IN_FLIGHT, 1);
    random_points(cluster_path, 20, 8, 4);
    random_points("examples/reduction/launches.json", 3, IN_FLIGHT, 1);
    random_points("examples/bfs/launches.json", 4, IN_FLIGHT, 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest given[] = {cmocka_unit_test(points_of_the_given_list)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_resumed_launch_can_be_traced)};

    if (argc >= 3) {
        given_list = argv[1];
        given_points = (int)strtol(argv[2], NULL, 10);
        if (argc > 3)
            given_ctas = strtoull(argv[3], NULL, 10);
        return cmocka_run_group_tests_name("points of a list", given, make_folder, remove_folder);
    }
    return cmocka_run_group_tests_name("checkpoints and traces", tests, make_folder, remove_folder);
}
