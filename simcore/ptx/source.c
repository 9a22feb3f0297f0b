/* simcore/ptx/source.c: a launch that is executed while its machine instructions are read. */
#include "simcore/ptx/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/ptx/launch.h"
#include "simcore/ptx/trace_log.h"

struct ptx_source {
    struct inst_source source; /* first */
    struct ptx_run *run;
    struct ptx_trace_log log;
};

static void show_tables(struct ptx_source *s)
{
    s->source.insts = s->log.table.insts;
    s->source.inst_count = s->log.table.inst_count;
    s->source.opcodes = (const char *const *)s->log.table.opcodes;
    s->source.opcode_count = s->log.table.opcode_count;
}

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct ptx_source *s = (struct ptx_source *)source;
    struct cta_store *c;

    while (!(c = ptx_trace_log_take(&s->log))) {
        int ran = ptx_run_next(s->run, e);

        if (ran > 0 && s->log.failed) {
            *e = s->log.fault;
            ran = -1;
        }
        if (ran <= 0)
            return ran;
    }
    show_tables(s);
    *out = &c->trace;
    return 1;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    struct ptx_source *s = (struct ptx_source *)source;

    cta_pool_give(&s->log.pool, (struct cta_store *)cta);
}

static void release(struct inst_source *source)
{
    struct ptx_source *s = (struct ptx_source *)source;

    ptx_run_free(s->run);
    ptx_trace_log_release(&s->log);
    free(s->source.info.name);
    free(s);
}

static const struct inst_source_ops source_ops = {"ptx", next_cta, release_cta, release};

static int fill_info(struct ptx_source *s, const struct ptx_source_options *o, struct err *e)
{
    const struct ptx_run *r = s->run;
    struct kernel_info *k = &s->source.info;
    const struct ptx_lowered *kernel = ptx_trace_log_function(&s->log, r->code);

    if (!kernel) {
        *e = s->log.fault;
        return -1;
    }
    memcpy(k->grid, r->launch.grid, sizeof k->grid);
    memcpy(k->block, r->launch.block, sizeof k->block);
    k->id = o->id;
    k->stream = o->stream;
    k->shared_bytes = r->shared.dynamic + r->launch.shared_bytes;
    k->registers = o->registers ? o->registers : kernel->registers;
    k->binary_version = s->log.table.arch;
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
    ptx_trace_log_init(&s->log, o->arch ? o->arch : 80);
    options.observer = &s->log.observer;
    s->run = ptx_run_new(p, l, &options, e);
    if (!s->run || fill_info(s, o, e)) {
        release(&s->source);
        return -1;
    }
    *out = &s->source;
    return 0;
}

const struct ptx_exec_stats *ptx_source_stats(const struct inst_source *s)
{
    return ptx_run_stats(((const struct ptx_source *)s)->run);
}

uint64_t ptx_source_instructions(const struct inst_source *s)
{
    return ((const struct ptx_source *)s)->log.instructions;
}

int ptx_source_finish(struct inst_source *source, struct err *e)
{
    struct ptx_source *s = (struct ptx_source *)source;
    int ran;

    s->log.off = true;
    do
        ran = ptx_run_next(s->run, e);
    while (ran > 0);
    return ran;
}
