/* cli/code/ptx_tools.h: debugging tools and checkpoints of `vivace ptx run`: their options, and their actions
 * before, instead of and after a launch. */
#ifndef VIVACE_CLI_PTX_TOOLS_H
#define VIVACE_CLI_PTX_TOOLS_H

#include "cli/cli.h"
#include "ptx/capture/capture.h"
#include "ptx/tools/hash_log.h"
#include "ptx/list/list_checkpoint.h"
#include "ptx/tools/run_watch.h"
#include "ptx/warp/watch.h"
#include "ptx/tools/write_log.h"

enum { PTX_TOOLS_WATCHES = 4 };
struct ptx_tools {
    /* Options; NULL: not given. */
    const char *hash_after, *checkpoint_at, *out, *parent, *resume, *log_writes, *only, *coverage, *break_at;
    bool hash_values, first_nan;
    uint64_t capture; /* number of the launch, from 1; 0: none */
    /* The objects that the options select. */
    struct hash_log *hashes;
    struct ptx_point point;
    struct ptx_checkpoint *from;
    struct write_log *writes;
    struct ptx_coverage *covered;
    struct ptx_first_nan *wild;
    struct ptx_break *stops;
    uint64_t launch, first_cta, last_cta; /* the range of --only; launch 0: all launches */
    struct ptx_watch watches[PTX_TOOLS_WATCHES];
    uint32_t watch_count;
    /* The function that runs a launch. The launch of the checkpoint `from` continues from it. */
    launch_list_launch_fn *run;
    void *run_ctx;
};

/* Rows for a table of struct cli_option. */
/* clang-format off */
#define PTX_TOOLS_OPTIONS(t)                                                                                       \
    {"hash-after", 0, CLI_PATH, "FILE", &(t)->hash_after, "SHA-256 of every buffer after every launch into a file"}, \
    {"hash-values", 0, CLI_FLAG, NULL, &(t)->hash_values, "with --hash-after: contents too, in FILE.values"},      \
    {"log-writes", 0, CLI_PATH, "FILE", &(t)->log_writes, "every register that CTAs of --only write into a file"}, \
    {"only", 0, CLI_TEXT, "N[:A-B]", &(t)->only,                                                                   \
     "launch N (from 1), CTAs A to B, for --log-writes, --break and --first-nan; all launches, CTA 0"},            \
    {"coverage", 0, CLI_PATH, "FILE", &(t)->coverage, "how often each instruction form was executed, as JSON"},    \
    {"first-nan", 0, CLI_FLAG, NULL, &(t)->first_nan, "tells the first instruction that makes a NaN or infinity"}, \
    {"break", 0, CLI_PATH, "FILE:LINE", &(t)->break_at, "prints what a line of PTX or source reads, each time"},   \
    {"capture", 0, CLI_U64, "N", &(t)->capture,                                                                    \
     "launch N (from 1) as a list of its own, with all that it can reach; --out FOLDER"},                          \
    {"checkpoint-at", 0, CLI_TEXT, "X:M:T:Y", &(t)->checkpoint_at,                                                 \
     "stops in launch X (from 1): CTAs below M done, T more have run Y instructions each; --out FILE"},            \
    {"parent", 0, CLI_PATH, "FILE", &(t)->parent, "with --checkpoint-at: an earlier checkpoint; only differences to it are stored"},     \
    {"resume", 0, CLI_PATH, "FILE", &(t)->resume, "continues from a checkpoint"},                                    \
    {"out", 'o', CLI_PATH, "PATH", &(t)->out, "where the checkpoint (a file) or the captured launch (a folder) goes"}
/* clang-format on */

/* Checks the options and opens their files. */
int ptx_tools_begin(struct ptx_tools *t, struct err *e);
/* Runs one launch, as a launch_list_launch_fn. */
int ptx_tools_launch(struct ptx_tools *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *s, struct err *e);
/* Call it after the list has run. */
int ptx_tools_end(struct ptx_tools *t, const struct launch_list_done *done, struct err *e);
void ptx_tools_release(struct ptx_tools *t);

#endif
