/* cli/plan/cmd_plan_trace.h: what the files of `vivace plan trace` and `vivace plan check` share. */
#ifndef VIVACE_CLI_CMD_PLAN_TRACE_H
#define VIVACE_CLI_CMD_PLAN_TRACE_H

#include "cli/nouns.h"
#include "sampling/plan/plan.h"

#define CONTEXT_UNSAID UINT64_MAX
#define OFFSET_UNSAID  UINT64_MAX
/* --context in the form of sampling/profile/profile.h: -1 when it was not given. */
int64_t plan_context_index(uint64_t context);

/* `--for kernelslist`: the list at `traces` (a kernel list or its folder) with only the plan's kernels. */
int plan_filter_list(const struct plan *plan, const struct profile *profile, uint64_t context, const char *traces,
                     struct strbuf *out, struct err *e);

/* A request for the launches without a trace on the farm, of a plan or of a run's plan, in the form for a tracer.
 */
struct farm_trace_request {
    const char *id, *tool;
    int64_t context; /* -1: not given */
    uint64_t passes, offset;
    const struct cli_output *output; /* the members csv and json are used */
};
int plan_trace_missing(const struct farm_trace_request *w, struct strbuf *out, struct err *e);

#endif
