#include <inttypes.h>

#include "simcore/trace/vtrace_reader.h"

int vtrace_stats(struct vtrace *v, struct vtrace_stats *out, struct err *e)
{
    uint64_t bytes[BLOCK_KINDS] = {0};

    for (size_t i = 0; i < v->block_count; i++)
        bytes[v->blocks[i].kind] += v->blocks[i].bytes;
    *out = (struct vtrace_stats){.file_bytes = v->file_bytes,
                                 .cta_bytes = bytes[BLOCK_CTAS],
                                 .launch_bytes = bytes[BLOCK_LAUNCHES],
                                 .static_bytes = bytes[BLOCK_STATIC],
                                 .image_bytes = bytes[BLOCK_IMAGES],
                                 .dictionary_bytes = bytes[BLOCK_DICTIONARY],
                                 .index_bytes = v->index_bytes,
                                 .launches = v->launch_count,
                                 .kernels = v->kernel_count,
                                 .frames = v->kind_count[BLOCK_CTAS]};
    for (size_t i = 0; i < v->launch_count; i++) {
        out->ctas += v->launches[i].launch.ctas;
        out->warp_instructions += v->launches[i].launch.warp_instructions;
    }
    for (uint32_t i = 0; i < v->kernel_count; i++) {
        struct loaded_kernel *k;

        if (vtrace_kernel_take(v, i, &k, e) < 0)
            return -1;
        out->static_instructions += k->table.inst_count;
        out->paths += k->paths.count;
        out->programs += k->programs.count;
        out->shapes += k->shapes.count;
        vtrace_kernel_give(v, k);
    }
    return 0;
}

static int verify_launch(struct vtrace *v, size_t launch, struct err *e)
{
    const struct vtrace_launch *x = vtrace_launch_at(v, launch);
    struct inst_source *s;
    struct cta_trace *cta;
    uint64_t instructions = 0;
    int got;

    if (vtrace_source(v, launch, &s, e) < 0)
        return -1;
    while ((got = inst_source_next_cta(s, &cta, e)) > 0) {
        for (uint32_t w = 0; w < cta->warp_count; w++)
            instructions += cta->warps[w].count;
        inst_source_release_cta(s, cta);
    }
    inst_source_release(s);
    if (got == 0 && instructions != x->warp_instructions)
        return err_set(e, ERR_INVALID,
                       "%s: launch %zu holds %" PRIu64 " warp instructions where its index says %" PRIu64, v->name,
                       launch, instructions, x->warp_instructions);
    return got;
}

int vtrace_verify(struct vtrace *v, vtrace_progress_fn progress, void *ctx, struct err *e)
{
    struct vtrace_stats ignored;

    for (int kind = 0; kind < BLOCK_KINDS; kind++) /* checks also blocks that no launch uses */
        for (uint32_t i = 0; i < v->kind_count[kind]; i++) {
            struct loaded_block *b;

            if (vtrace_block_take(v, (enum vtrace_block_kind)kind, i, &b, e) < 0)
                return -1;
            vtrace_block_give(v, b);
        }
    if (vtrace_stats(v, &ignored, e) < 0) /* it reads the tables of every kernel */
        return -1;
    for (size_t i = 0; i < v->launch_count; i++) {
        if (verify_launch(v, i, e) < 0)
            return -1;
        if (progress)
            progress(ctx, i + 1, v->launch_count);
    }
    return 0;
}
