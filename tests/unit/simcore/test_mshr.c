/* The interface of miss-status holding registers. A kind with few entries stalls requests at their slice, and all
 * of them complete. The kind with one entry per request refuses none. */
#include "simcore/mem/path_event/event_internal.h"
#include "tests/unit/simcore/hand_source.h"

enum { LINES = 24, FEW = 2 };

static struct {
    const struct mshr_ops *real;
    uint32_t most[1024], used[1024]; /* by slice: entries in use, and their maximum */
} few;

static uint32_t slice_of(const struct mshr_file *f, size_t place)
{
    return (uint32_t)(place / (f->places / f->slices));
}

static bool few_has_room(const struct mshr_file *f, uint32_t slice)
{
    (void)f;
    return few.used[slice] < FEW;
}

static void few_allocate(struct mshr_file *f, size_t place, uint64_t line, uint8_t sectors)
{
    uint32_t slice = slice_of(f, place);

    if (!few.real->pending(f, place, line) && ++few.used[slice] > few.most[slice])
        few.most[slice] = few.used[slice];
    few.real->allocate(f, place, line, sectors);
}

static uint32_t few_fill(struct mshr_file *f, size_t place, uint64_t line, uint8_t sectors)
{
    uint32_t first = few.real->fill(f, place, line, sectors);

    if (!few.real->pending(f, place, line))
        few.used[slice_of(f, place)]--;
    return first;
}

struct run {
    uint32_t done;
    sim_time_ps last;
};

static void note_end(void *ctx, uint32_t sm, uint32_t token, sim_time_ps at)
{
    struct run *r = ctx;

    (void)sm, (void)token;
    r->done++;
    r->last = later(r->last, at);
}

/* Reads of lines of one slice, from SM 0, all at once. Returns when the last is back. limited: with FEW entries. */
static sim_time_ps read_one_slice(const struct gpu_design *d, const struct mshr_ops *limited, uint32_t *slice)
{
    struct run run = {.done = 0};
    struct err e;
    struct memory *m = memory_new(d, &e);
    struct event_queue *q = event_queue_new(event_path_events(d), &e);
    struct event_path *p = event_path_new(m, d, q, note_end, &run, &e);
    struct address_place place;
    uint32_t sent = 0;

    assert_non_null(p);
    if (limited) {
        few.real = p->mshrs.ops;
        p->mshrs.ops = limited;
    }
    memory_begin(m);
    event_path_begin(p);
    for (uint64_t line = 1000; sent < LINES; line++) {
        const struct mem_request r = {.line = line, .sectors = 1, .kind = MEM_READ};

        address_locate(&m->map, line, &place);
        if (sent == 0)
            *slice = place.slice;
        if (place.slice == *slice)
            event_path_send(p, &r, sent++, 0);
    }
    while (event_queue_step(q, SIM_NEVER))
        ;
    assert_int_equal(run.done, LINES);
    if (limited)
        p->mshrs.ops = few.real;
    event_path_free(p);
    event_queue_free(q);
    memory_free(m);
    return run.last;
}

static struct gpu_design *event_design(void)
{
    struct gpu_design *base = hand_design("v100", NULL), *d = NULL;
    const struct design_change changes[] = {{"model.memory", "event"}, {"l2.mshr", "per_request"}};
    struct err e;
    char *text;

    CHECK_OK(design_derive(base, "event", changes, 2, &text, &e), &e);
    CHECK_OK(design_parse(text, strlen(text), "event", &d, &e), &e);
    assert_int_equal(d->l2_mshr, MSHR_PER_REQUEST);
    free(text);
    design_free(base);
    return d;
}

static void few_registers_hold_requests_up_and_lose_none(void **state)
{
    struct gpu_design *d = event_design();
    struct mshr_ops limited = mshr_per_request;
    sim_time_ps all, held;
    uint32_t slice;

    (void)state;
    limited.has_room = few_has_room;
    limited.allocate = few_allocate;
    limited.fill = few_fill;
    all = read_one_slice(d, NULL, &slice);
    held = read_one_slice(d, &limited, &slice);
    assert_int_equal(few.most[slice], FEW);
    assert_int_equal(few.used[slice], 0);
    /* FEW misses at a time, each for at least the latency of DRAM */
    assert_true(held > (LINES / FEW - 1) * (sim_time_ps)(d->dram_latency_ps - d->dram_rcd_ps - d->dram_rp_ps));
    assert_true(held > 3 * all / 2);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_registers_hold_requests_up_and_lose_none)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
