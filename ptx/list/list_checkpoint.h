/* ptx/list/list_checkpoint.h: checkpoints of launch lists: saves a run at a point and continues it from there.
 * The callback launch_list_options.launch calls these functions. */
#ifndef VIVACE_PTX_LIST_LIST_CHECKPOINT_H
#define VIVACE_PTX_LIST_LIST_CHECKPOINT_H

#include "ptx/checkpoint/checkpoint.h"
#include "ptx/list/launch_list.h"
#include "ptx/trace/source.h"

/* Call when launch `at->launch` is reached. Runs the launch to the point and saves the checkpoint. */
int list_checkpoint_save(const char *path, const char *parent, const struct ptx_point *at,
                         const struct launch_list_view *v, const struct ptx_exec_options *o, struct err *e);
/* Call when the checkpoint's launch is reached in a run that skipped the launches before it. Restores memory,
 * counts and the printed text. ptx_run_next() continues *run. */
int list_checkpoint_resume(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, struct ptx_run **run, struct err *e);
/* As list_checkpoint_resume(), but *out is a source of machine instructions (source.h). */
int list_checkpoint_source(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, const struct ptx_source_options *as,
                           struct inst_source **out, struct err *e);
/* Restores the launch and runs it to its end. */
int list_checkpoint_finish(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, struct ptx_exec_stats *s, struct err *e);

#endif
