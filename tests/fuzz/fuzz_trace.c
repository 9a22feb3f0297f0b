/* Reads the input as a kernel trace: once completely, once only counting. If both readings accept it, their counts
 * must agree.
 *
 * clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -std=c11 -D_GNU_SOURCE -I. \
 *     tests/fuzz/fuzz_trace.c simcore/trace/[a-z]*.c base/[a-z]*.c -lzstd -llzma -lz -lcrypto -liberty -lm -o
 * fuzz_trace
 * ./fuzz_trace tests/fuzz/corpus/trace */
#include <stdlib.h>
#include <string.h>

#include "simcore/trace/accel_sim.h"

/* Reads everything that a simulator would read. */
static uint64_t look(const struct inst_source *s, const struct cta_trace *cta, volatile uint64_t *sink)
{
    uint64_t count = 0;

    for (uint32_t w = 0; w < cta->warp_count; w++)
        for (uint32_t i = 0; i < cta->warps[w].count; i++, count++) {
            const struct warp_inst *x = &cta->warps[w].insts[i];
            const struct trace_inst *inst = &s->insts[x->inst];
            struct lane_addresses a;

            *sink +=
                strlen(s->opcodes[inst->opcode]) + inst->dst_regs + inst->src_regs[inst->src_count % INST_MAX_SRC];
            if (x->address == UINT32_MAX)
                continue;
            if (!x->mask || !inst->width)
                abort();
            cta_addresses(cta, x->address, &a);
            for (uint32_t mask = x->mask; mask; mask &= mask - 1)
                *sink += a.kind == ADDRESS_LIST ? a.list[__builtin_ctz(mask)] : a.base;
        }
    return count;
}

static int read_whole(const uint8_t *data, size_t size, uint64_t *instructions)
{
    static volatile uint64_t sink;
    struct stream *stream;
    struct inst_source *s;
    struct cta_trace *cta;
    struct err e;
    int got;

    if (stream_open_bytes(data, size, "input", &stream, &e) < 0 || accel_sim_open(stream, &s, &e) < 0)
        return -1;
    while ((got = inst_source_next_cta(s, &cta, &e)) > 0) {
        *instructions += look(s, cta, &sink);
        inst_source_release_cta(s, cta);
    }
    inst_source_release(s);
    return got;
}

static int count(const uint8_t *data, size_t size, struct trace_counts *out)
{
    struct stream *stream;
    struct kernel_info k;
    struct err e;
    int got;

    if (stream_open_bytes(data, size, "input", &stream, &e) < 0)
        return -1;
    got = accel_sim_read_info(stream, &k, &e);
    if (got == 0) {
        got = accel_sim_count(stream, &k, out, &e);
        kernel_info_release(&k);
    }
    stream_close(stream);
    return got;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t instructions = 0;
    struct trace_counts counts;
    int whole = read_whole(data, size, &instructions), counted = count(data, size, &counts);

    /* The counts of both readings must be equal. Exceptions: pairs of LDGSTS in a raw file, and polls and copies of
     * Accel-Sim 2.0, where a line may be no instruction, or several. */
    if (whole == 0 && counted == 0 && counts.warp_instructions != instructions &&
        !memmem(data, size, "LDGSTS", 6) && !memmem(data, size, "immediate1", 10) &&
        !memmem(data, size, "REPLAY_", 7))
        abort();
    return 0;
}
