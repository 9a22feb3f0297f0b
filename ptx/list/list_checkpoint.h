/* ptx/list/list_checkpoint.h: checkpoints of launch lists: a run up to a point, and on from there. Both are
 * called by what launch_list_options.launch names. */
#ifndef VIVACE_PTX_LIST_LIST_CHECKPOINT_H
#define VIVACE_PTX_LIST_LIST_CHECKPOINT_H

#include "ptx/checkpoint/checkpoint.h"
#include "ptx/list/launch_list.h"
#include "ptx/trace/source.h"

/* Launch `at->launch` has come: it runs to the point, and all is saved. */
int list_checkpoint_save(const char *path, const char *parent, const struct ptx_point *at,
                         const struct launch_list_view *v, const struct ptx_exec_options *o, struct err *e);
/* It has come in a run whose launches before it were left out: memory, counts and prints are put back; *run goes on
 * with ptx_run_next(). */
int list_checkpoint_resume(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, struct ptx_run **run, struct err *e);
/* The same as a source of machine instructions (source.h). */
int list_checkpoint_source(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, const struct ptx_source_options *as,
                           struct inst_source **out, struct err *e);
/* Runs it to its end. */
int list_checkpoint_finish(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, struct ptx_exec_stats *s, struct err *e);

#endif
