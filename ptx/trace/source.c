/* ptx/trace/source.c: executes a launch while its machine instructions are read. */
#include "ptx/trace/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/checkpoint/checkpoint.h"
#include "ptx/warp/cta.h"
#include "ptx/warp/launch.h"
#include "ptx/trace/trace_log.h"

enum { CALLS_DEEP = 64 };

/* Limit of instructions in whole CTAs that the reader holds at one time, if the user accepts windows: 64 to 128
 * MB. Beyond it long CTAs are passed in windows from a file, which costs about a third more CPU time. */
#define WHOLE_INSTS_MAX (1u << 22)

struct ptx_source {
    struct inst_source source; /* must be first */
    struct ptx_run *run;
    struct ptx_program *program;
    struct ptx_trace_log *log;
    /* CTAs of clusters are passed on cluster by cluster. CTAs that end before the rest of their cluster wait
     * here. */
    struct ptx_cta_log **held;
    size_t held_count, held_capacity;
    uint64_t given;   /* number of CTAs of clusters passed on */
    uint64_t cluster; /* the cluster that is being passed on */
    uint32_t left;    /* remaining CTAs of it */
    uint64_t whole;   /* instructions of whole CTAs that the reader holds */
};

static void show_tables(struct ptx_source *s)
{
    s->source.insts = s->log->table.insts;
    s->source.inst_count = s->log->table.inst_count;
    s->source.opcodes = (const char *const *)s->log->table.opcodes;
    s->source.opcode_count = s->log->table.opcode_count;
}

/* The next CTA that has ended. NULL: *ran is 0 if there are no more, or -1. */
static struct ptx_cta_log *next_over(struct ptx_source *s, int *ran, struct err *e)
{
    struct ptx_cta_log *c;

    while (!(c = ptx_trace_log_take(s->log))) {
        *ran = ptx_run_next(s->run, e);
        if (*ran > 0 && s->log->failed) {
            *e = s->log->fault;
            *ran = -1;
        }
        if (*ran <= 0)
            return NULL;
    }
    return c;
}

/* --- clusters --- */

static uint64_t cluster_of(const struct ptx_source *s, const struct ptx_cta_log *c)
{
    const struct ptx_launch *l = &s->run->launch;
    uint64_t number = 0;

    for (int k = 3; k-- > 0;)
        number = number * (l->grid[k] / l->cluster[k]) + c->store.trace.id[k] / l->cluster[k];
    return number;
}

/* Removes and returns a held CTA of the cluster. NULL: there is none. */
static struct ptx_cta_log *take_held(struct ptx_source *s, uint64_t cluster)
{
    for (size_t k = 0; k < s->held_count; k++) {
        struct ptx_cta_log *c = s->held[k];

        if (cluster_of(s, c) != cluster)
            continue;
        memmove(&s->held[k], &s->held[k + 1], (--s->held_count - k) * sizeof(struct ptx_cta_log *));
        return c;
    }
    return NULL;
}

static uint32_t count_held(const struct ptx_source *s, uint64_t cluster)
{
    uint32_t n = 0;

    for (size_t k = 0; k < s->held_count; k++)
        n += cluster_of(s, s->held[k]) == cluster;
    return n;
}

/* Runs until all CTAs of a cluster have ended. After a checkpoint some CTAs may be missing. Returns 1; 0: there
 * are no more; -1. */
static int next_cluster(struct ptx_source *s, struct err *e)
{
    struct ptx_cta_log *c;
    int ran = 1;

    while ((c = next_over(s, &ran, e))) {
        if (array_reserve((void **)&s->held, &s->held_capacity, s->held_count + 1, sizeof(struct ptx_cta_log *),
                          e)) {
            ptx_trace_log_release_cta(s->log, c);
            return -1;
        }
        s->held[s->held_count++] = c;
        s->cluster = cluster_of(s, c);
        s->left = count_held(s, s->cluster);
        if (s->left == s->run->cluster_ctas)
            return 1;
    }
    if (ran < 0 || !s->held_count)
        return ran;
    s->cluster = cluster_of(s, s->held[0]);
    s->left = count_held(s, s->cluster);
    return 1;
}

static int next_runs(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct ptx_source *s = (struct ptx_source *)source;
    struct ptx_cta_log *c;
    int ran = 1;

    s->log->files = source->windowed;
    if (s->run->cluster_ctas > 1) {
        if (!s->left && (ran = next_cluster(s, e)) <= 0)
            return ran;
        c = take_held(s, s->cluster);
        s->left--;
        c->store.trace.index = s->given++;
    } else if (!(c = next_over(s, &ran, e))) {
        return ran;
    }
    show_tables(s);
    *out = &c->store.trace;
    return 1;
}

static uint64_t count_insts(const struct cta_trace *cta)
{
    uint64_t count = 0;

    for (uint32_t k = 0; k < cta->warp_count; k++)
        count += cta->warps[k].count;
    return count;
}

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct ptx_source *s = (struct ptx_source *)source;
    int got = next_runs(source, out, e);
    struct ptx_cta_log *c;
    uint64_t count;

    if (got <= 0)
        return got;
    c = (struct ptx_cta_log *)*out;
    count = count_insts(*out);
    if (c->filed ||
        (source->windowed && cta_is_long(count, (*out)->warp_count) && s->whole + count > WHOLE_INSTS_MAX)) {
        *out = ptx_trace_log_windows(s->log, c, e);
        return *out ? 1 : -1;
    }
    s->whole += count;
    return ptx_cta_log_expand(c, source->insts, e) ? -1 : 1;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    struct ptx_source *s = (struct ptx_source *)source;

    if (cta->window) {
        window_file_free_cta(cta);
        return;
    }
    if (!cta->runs)
        s->whole -= count_insts(cta);
    ptx_trace_log_release_cta(s->log, (struct ptx_cta_log *)cta);
}

static void release(struct inst_source *source)
{
    struct ptx_source *s = (struct ptx_source *)source;

    for (size_t k = 0; k < s->held_count; k++)
        ptx_trace_log_release_cta(s->log, s->held[k]);
    free(s->held);
    ptx_run_free(s->run);
    ptx_trace_log_put(s->program, s->log);
    free(s->source.info.name);
    free(s);
}

static const struct inst_source_ops source_ops = {"ptx", next_cta, release_cta, release};

/* The limit of registers per thread: `given`; else the limit from the kernel's directives; else the number with
 * which this CTA fits on an SM (64 K registers). */
static uint32_t registers_max(const struct ptx_run *r, uint32_t given)
{
    const struct ptx_function *f = r->code->function;
    uint32_t threads = r->launch.block[0] * r->launch.block[1] * r->launch.block[2], most = REG_ZERO;
    uint32_t promised =
        f->maxntid[0] ? f->maxntid[0] * (f->maxntid[1] ? f->maxntid[1] : 1) * (f->maxntid[2] ? f->maxntid[2] : 1)
                      : 0;

    if (given)
        return given;
    if (f->maxnreg)
        most = f->maxnreg < most ? f->maxnreg : most;
    if (promised)
        threads = promised * (f->minnctapersm ? f->minnctapersm : 1);
    threads = (threads + 31) / 32 * 32;
    if (65536 / threads / 8 * 8 < most)
        most = 65536 / threads / 8 * 8;
    return most < 16 ? 16 : most;
}

/* Lowers the functions that the code calls by name, too. */
static int lower_callees(struct ptx_source *s, uint32_t module, const struct ptx_code *code, uint32_t depth,
                         uint32_t *registers, struct err *e)
{
    const struct ptx_lowered *l = ptx_trace_log_function(s->log, code);

    if (!l) {
        *e = s->log->fault;
        return -1;
    }
    *registers = l->registers > *registers ? l->registers : *registers;
    for (uint32_t op = 0; depth < CALLS_DEEP && op < code->op_count; op++) {
        const struct ptx_code *callee;
        struct ptx_program_function f;
        struct err ignored; /* the caller reports the error later */

        if (code->ops[op].action != PTX_DO_CALL || code->ops[op].target == PTX_NONE ||
            ptx_program_resolve(s->run->program, module, code->ops[op].target, &f, &ignored))
            continue;
        callee = ptx_program_code(s->run->program, f.module, f.function, &ignored);
        if (callee && !ptx_trace_log_has(s->log, callee) &&
            lower_callees(s, f.module, callee, depth + 1, registers, e))
            return -1;
    }
    return 0;
}

static int open_log(struct ptx_source *s, const struct ptx_source_options *o, struct err *e)
{
    const uint32_t *block = s->run->launch.block;
    uint32_t warps = (block[0] * block[1] * block[2] + WARP_LANES - 1) / WARP_LANES;

    s->log = ptx_trace_log_get(s->program, s->run->code, o->arch ? o->arch : 80,
                               registers_max(s->run, o->registers), warps, e);
    if (!s->log)
        return -1;
    s->run->options.observer = &s->log->observer;
    return 0;
}

static int fill_info(struct ptx_source *s, const struct ptx_source_options *o, struct err *e)
{
    const struct ptx_run *r = s->run;
    struct kernel_info *k = &s->source.info;
    uint32_t registers = 0;

    if (lower_callees(s, r->launch.module, r->code, 0, &registers, e))
        return -1;
    memcpy(k->grid, r->launch.grid, sizeof k->grid);
    memcpy(k->block, r->launch.block, sizeof k->block);
    k->id = o->id;
    k->stream = o->stream;
    k->shared_bytes = r->shared.dynamic + r->launch.shared_bytes;
    k->registers = o->registers ? o->registers : registers;
    k->binary_version = o->arch; /* 0: for no particular GPU */
    k->shared_base = PTX_SHARED_BASE;
    k->local_base = PTX_LOCAL_BASE;
    k->cluster = r->launch.cluster[0] * r->launch.cluster[1] * r->launch.cluster[2];
    k->name = mem_strdup(r->code->function->name, e);
    show_tables(s);
    return k->name ? 0 : -1;
}

int ptx_source_new(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *exec,
                   const struct ptx_source_options *o, struct inst_source **out, struct err *e)
{
    struct ptx_exec_options options = exec ? *exec : (struct ptx_exec_options){0};
    struct ptx_source *s;

    if (options.observer)
        return err_set(e, ERR_INVALID, "a PTX launch that is traced has another observer already");
    s = mem_zalloc(1, sizeof *s, e);
    if (!s)
        return -1;
    s->source.ops = &source_ops;
    s->source.next_runs = next_runs;
    s->program = p;
    s->run = ptx_run_new(p, l, &options, e);
    if (!s->run || open_log(s, o, e) || fill_info(s, o, e)) {
        release(&s->source);
        return -1;
    }
    *out = &s->source;
    return 0;
}

/* Reports the barrier ops at which the warp's lanes wait. The executor had reported them before the checkpoint. */
static void report_barriers(const struct ptx_observer *o, const struct ptx_warp *w)
{
    for (uint32_t k = 0; k < w->state->fragment_count; k++) {
        const struct ptx_fragment *f = &w->state->fragments[k];
        struct ptx_warp at = *w;

        if (f->state != PTX_WAITS_BARRIER)
            continue;
        at.code = w->state->activations[f->activation].code;
        at.pc = f->pc;
        o->ran(o->ctx, w->id, at.code, f->pc, 1, f->mask, f->mask);
        if (f->waits < PTX_CLUSTER_BARRIER)
            ptx_barrier_report(&at, f->waits, w->cta->state->barriers[f->waits].expected, f->mask);
    }
}

int ptx_source_resume(const struct ptx_checkpoint *c, struct ptx_program *p, const struct ptx_launch *l,
                      const struct ptx_exec_options *exec, const struct ptx_source_options *o,
                      struct inst_source **out, struct err *e)
{
    struct ptx_source *s;

    if (ptx_source_new(p, l, exec, o, out, e))
        return -1;
    s = (struct ptx_source *)*out;
    if (ptx_checkpoint_load(c, s->run, e)) {
        release(*out);
        return -1;
    }
    for (size_t k = 0; k < s->run->resident_count; k++) {
        const struct ptx_cta *cta = s->run->resident[k];

        cta->observer->turn(cta->observer->ctx, cta->id);
        for (uint32_t w = 0; w < cta->state->warp_count; w++)
            report_barriers(cta->observer, &cta->state->warps[w]);
    }
    return 0;
}

const struct ptx_exec_stats *ptx_source_stats(const struct inst_source *s)
{
    return ptx_run_stats(((const struct ptx_source *)s)->run);
}

uint64_t ptx_source_instructions(const struct inst_source *s)
{
    return ((const struct ptx_source *)s)->log->instructions;
}

int ptx_source_finish(struct inst_source *source, struct err *e)
{
    struct ptx_source *s = (struct ptx_source *)source;
    int ran;

    s->log->off = true;
    do
        ran = ptx_run_next(s->run, e);
    while (ran > 0);
    return ran;
}
