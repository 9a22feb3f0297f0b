/* simcore/trace/vtrace_writer.h: declarations that the parts of the writer share: the file and its blocks
 * (vtrace_write.c), launches (vtrace_launch.c), static instructions (vtrace_map.c), CTAs (vtrace_encode.c), paths
 * (vtrace_path.c), learned predictions (vtrace_learn.c). Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_WRITER_H
#define VIVACE_SIMCORE_TRACE_VTRACE_WRITER_H

#include <stdio.h>

#include <zstd.h>

#include "simcore/trace/vtrace_dict.h"
#include "simcore/trace/vtrace_path.h"
#include "simcore/trace/vtrace_tables.h"

/* A launch whose facts are the initial facts of later launches of the same kernel and block shape. */
struct kernel_root {
    uint32_t launch, block[3];
    struct vtrace_fact *facts;
    size_t count;
};

struct kernel_tables {
    char *name;
    struct trace_inst *insts;
    size_t inst_count, inst_capacity;
    struct vtrace_dict inst_keys, opcodes, paths, programs, shapes;
    struct kernel_root *roots;
    size_t root_count, root_capacity;
};

/* The first execution of an instruction in the last CTA, and its first execution in the next warp that has one. */
struct observation {
    uint32_t inst, warp[2];
    uint64_t base[2];
    bool again;
};

struct learner {
    struct observation *seen; /* observations of the last CTA */
    size_t count, capacity;
    uint32_t *seen_of; /* by instruction: index in `seen`, valid if its slot is of this CTA */
    uint8_t *fresh;    /* by instruction: bit k is set if the fact of kind k was learned in this launch */
    size_t inst_capacity;
    uint32_t cta[3];           /* the last CTA's id */
    struct vtrace_fact *facts; /* of this launch */
    size_t fact_count, fact_capacity;
};

struct vtrace_writer {
    char *path, *temporary;
    FILE *file; /* NULL once finished */
    bool sectors_only;
    bool has_clusters, has_images; /* whether some launch so far has clusters, or a warm image */
    bool has_runs;                 /* whether some image has runs */
    bool has_others;               /* whether some kernel needs the column of VTRACE_OTHERS; known at the end */
    size_t frame_bytes;
    int level;
    char *tool, *gpu;
    ZSTD_CCtx *zstd;
    struct strbuf packed;
    /* BLOCK_CTAS, BLOCK_LAUNCHES and BLOCK_IMAGES: data that is not yet in a block, and the number of blocks
     * written
     */
    struct strbuf pending[BLOCK_KINDS];
    uint32_t written[BLOCK_KINDS];
    struct vtrace_block *blocks;
    size_t block_count, block_capacity;
    struct kernel_tables *kernels;
    size_t kernel_count, kernel_capacity;
    struct vtrace_dict kernel_names; /* the index of a name is that of its kernel */
    struct launch_row *launches;
    size_t launch_count, launch_capacity;
    struct trace_copies copies;
    struct seen_once seen;
    struct vtrace_model model;
    struct learner learner;
    uint64_t context; /* context of the next launches */
    /* of the current launch: */
    struct kernel_tables *kernel;
    /* By instruction of the source. inst_map: number in the kernel, UINT32_MAX: not yet mapped. stretch: number of
     * instructions from here on that are known to be consecutive in the kernel's table, too. next_access: the next
     * instruction, from here on, that has a width. */
    uint32_t *inst_map, *stretch, *next_access;
    size_t map_count, map_capacity;
    struct path_memo memo; /* of w->warp_path */
    struct strbuf directory, ids;
    /* of the current CTA: */
    struct strbuf key, warp_path, program, refs, inlines, bases;
};

/* Returns the position of the next record of this kind (BLOCK_CTAS or BLOCK_LAUNCHES). */
int writer_next_position(struct vtrace_writer *w, enum vtrace_block_kind kind, struct vtrace_position *out,
                         struct err *e);
void kernel_tables_release(struct kernel_tables *k);

int learner_reserve(struct learner *l, size_t insts, struct err *e);
void learner_begin_launch(struct learner *l);
/* Learns facts from the last CTA and updates the model. */
int learner_conclude(struct learner *l, struct vtrace_model *m, struct err *e);
/* Records the base of the first execution of `inst` in the warp. Its slot must be in the state before this
 * execution.
 */
int learner_see(struct learner *l, const struct vtrace_model *m, uint32_t inst, uint64_t base, struct err *e);
void learner_release(struct learner *l);

/* In vtrace_map.c: sets w->inst_map for an instruction of the source that is new in this launch. */
int writer_map_inst(struct vtrace_writer *w, const struct inst_source *s, uint32_t inst, struct err *e);
/* Returns the number of instructions from `inst` on, before `end`, that are consecutive in the kernel's table, too.
 */
int writer_map_new_run(struct vtrace_writer *w, const struct inst_source *s, uint32_t inst, uint32_t end,
                       uint32_t *stretch, struct err *e);
static inline int writer_map_run(struct vtrace_writer *w, const struct inst_source *s, uint32_t inst, uint32_t end,
                                 uint32_t *stretch, struct err *e)
{
    if (inst >= w->map_count || w->stretch[inst] < end - inst)
        return writer_map_new_run(w, s, inst, end, stretch, e);
    *stretch = end - inst;
    return 0;
}

/* Appends one CTA of the source to the pending block of CTAs. */
int encode_cta(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta, struct err *e);

#endif
