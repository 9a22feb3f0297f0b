/* tests/unit/trace/texts.h: reads kernel traces whose text is in the test. */
#ifndef VIVACE_TESTS_UNIT_TRACE_TEXTS_H
#define VIVACE_TESTS_UNIT_TRACE_TEXTS_H

#include "base/strbuf.h"
#include "simcore/trace/accel_sim.h"
#include "tests/harness/check.h"

#define HEADER(version)                                                                                            \
    "-kernel name = _Z1kPf\n-kernel id = 3\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 16\n-nregs = "    \
    "12\n"                                                                                                         \
    "-binary version = 80\n-cuda stream id = 0\n-accelsim tracer version = " version "\n#traces format = x\n\n"
#define CTA(x)     "#BEGIN_TB\n\nthread block = " x ",0,0\n\n"
#define END_CTA    "\n#END_TB\n\n"
#define WARP(n, m) "warp = " n "\ninsts = " m "\n"

struct text_input {
    const char *at;
    size_t left;
};

static inline ssize_t text_read(void *ctx, void *buffer, size_t n, struct err *e)
{
    struct text_input *in = ctx;

    (void)e;
    n = n < in->left ? n : in->left;
    n = n < 61 ? n : 61; /* an odd size, so that pieces end at any place */
    memcpy(buffer, in->at, n);
    in->at += n;
    in->left -= n;
    return (ssize_t)n;
}

static inline int open_bytes(struct text_input *in, const char *bytes, size_t n, struct inst_source **out,
                             struct err *e)
{
    struct stream *s;

    *in = (struct text_input){bytes, n};
    *out = NULL;
    return stream_open_fn(text_read, in, "k.traceg", &s, e) < 0 ? -1 : accel_sim_open(s, out, e);
}

/* A text, read up to its first CTA. */
struct one_cta {
    struct text_input in;
    struct inst_source *s;
    struct cta_trace *cta;
};

static inline void read_one(struct one_cta *o, const char *text)
{
    struct err e;
    int got;

    CHECK_OK(open_bytes(&o->in, text, strlen(text), &o->s, &e), &e);
    got = inst_source_next_cta(o->s, &o->cta, &e);
    CHECK_OK(got, &e);
    assert_int_equal(got, 1);
}

static inline void close_one(struct one_cta *o)
{
    inst_source_release_cta(o->s, o->cta);
    inst_source_release(o->s);
}

static inline const struct trace_inst *inst_at(const struct one_cta *o, uint32_t warp, uint32_t i)
{
    assert_true(i < o->cta->warps[warp].count);
    return &o->s->insts[o->cta->warps[warp].insts[i].inst];
}

static inline const char *opcode_at(const struct one_cta *o, uint32_t warp, uint32_t i)
{
    return o->s->opcodes[inst_at(o, warp, i)->opcode];
}

/* The address of one lane of an executed instruction. */
static inline uint64_t lane_address(const struct cta_trace *cta, const struct warp_inst *w, unsigned lane)
{
    struct lane_addresses a;

    assert_true(w->address != UINT32_MAX && w->mask >> lane & 1);
    cta_addresses(cta, w->address, &a);
    if (a.kind == ADDRESS_LIST)
        return a.list[lane];
    return a.base + (uint64_t)a.stride * (lane - (unsigned)__builtin_ctz(w->mask));
}

/* Reads the whole kernel. 0 with the number of warp instructions; -1. */
static inline int read_text(const char *bytes, size_t n, uint64_t *instructions, struct err *e)
{
    struct text_input in;
    struct inst_source *s;
    struct cta_trace *cta;
    int got;

    *instructions = 0;
    if (open_bytes(&in, bytes, n, &s, e) < 0)
        return -1;
    while ((got = inst_source_next_cta(s, &cta, e)) > 0) {
        for (uint32_t w = 0; w < cta->warp_count; w++)
            *instructions += cta->warps[w].count;
        inst_source_release_cta(s, cta);
    }
    inst_source_release(s);
    return got;
}

static inline int count_text(const char *bytes, size_t n, struct trace_counts *out, struct err *e)
{
    struct text_input in = {bytes, n};
    struct kernel_info k;
    struct stream *s;
    int ret;

    CHECK_OK(stream_open_fn(text_read, &in, "k.traceg", &s, e), e);
    ret = accel_sim_read_info(s, &k, e);
    if (ret == 0) {
        ret = accel_sim_count(s, &k, out, e);
        kernel_info_release(&k);
    }
    stream_close(s);
    return ret;
}

#endif
