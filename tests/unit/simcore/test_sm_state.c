/* An SM in a checkpoint: equal states give equal bytes, whatever the host's memory contained before. */
#include "simcore/gpu.h"
#include "simcore/sm/sm_state.h"
#include "tests/unit/simcore/hand_source.h"

enum { SLOT = 3, JUNK = 0xa5 };

static void save(struct sm *sm, struct strbuf *out)
{
    struct state_io io = {.out = out};
    struct open_ctas open = {0};

    sm_state(sm, &open, &io);
    assert_false(io.failed);
}

static void unset_members_are_not_in_it(void **state)
{
    static const struct warp_inst inst = {.mask = UINT32_MAX};
    struct cta_warp all = {.insts = &inst, .count = 1, .ready = 1};
    struct cta_trace trace = {.warp_count = 1, .warps = &all};
    struct gpu_design *d = hand_design("v100", NULL);
    struct strbuf clean = STRBUF_INIT, other = STRBUF_INIT, later = STRBUF_INIT;
    struct simulator *s;
    struct warp *w;
    struct err e;

    (void)state;
    s = simulator_new(d, &e);
    assert_non_null(s);
    sm_begin(&s->sms[0], 0, 0);
    s->sms[0].cta[0].trace = &trace;
    w = &s->sms[0].warp[SLOT];
    memset(w, 0, sizeof *w);
    *w = (struct warp){.insts = &inst, .count = 1, .started = 7};
    save(&s->sms[0], &clean);
    memset((char *)w + WARP_BYTES, JUNK, sizeof *w - WARP_BYTES);
    save(&s->sms[0], &other);
    assert_int_equal(clean.length, other.length);
    assert_memory_equal(clean.text, other.text, clean.length);
    w->started = 8; /* the last field of it */
    save(&s->sms[0], &later);
    assert_int_equal(clean.length, later.length);
    assert_memory_not_equal(clean.text, later.text, clean.length);
    w->insts = NULL;
    s->sms[0].cta[0].trace = NULL;
    strbuf_release(&clean);
    strbuf_release(&other);
    strbuf_release(&later);
    simulator_free(s);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(unset_members_are_not_in_it)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
