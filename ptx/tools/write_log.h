/* ptx/tools/write_log.h: every register that chosen CTAs write, in a file, to find the first instruction that
 * gives something else in another run: of another build, another order, another program.
 *
 * Lines of fields, separated by tabs: "vivace-ptx-writes 1"; "launch NUMBER NAME"; "op KEY TYPE PLACE TEXT" before
 * its first use, KEY is FUNCTION:NUMBER; then "w CTA WARP KEY MASK" with "REGISTER=VALUES" for each result, values
 * in hexadecimal digits by lane, separated by commas, or one where all are equal. */
#ifndef VIVACE_PTX_TOOLS_WRITE_LOG_H
#define VIVACE_PTX_TOOLS_WRITE_LOG_H

#include "base/strbuf.h"
#include "ptx/exec/exec.h"

#define WRITE_LOG_FORMAT "vivace-ptx-writes"

struct write_log; /* opaque */
/* Of CTAs `first` to `last`, by their linear number. */
int write_log_new(const char *path, uint64_t first, uint64_t last, struct write_log **out, struct err *e);
const struct ptx_watch *write_log_watch(const struct write_log *l);
void write_log_launch(struct write_log *l, uint64_t number, const char *name);
int write_log_end(struct write_log *l, struct err *e); /* the file has its name then */
void write_log_free(struct write_log *l);

/* Aligns two logs by launch, CTA, warp, instruction and how often that was executed. *what (malloc'ed): a sentence
 * about the first write of `a` that is another in `b`, or is missing; NULL: there is none. `ulp`: how far floats
 * may be apart; approximate instructions may be 4 in any case. */
int write_logs_compare(const char *a, const char *b, uint64_t ulp, char **what, struct err *e);

#endif
