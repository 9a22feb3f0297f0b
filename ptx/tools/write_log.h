/* ptx/tools/write_log.h: writes a file with every register write of selected CTAs. It serves to find the first
 * instruction whose result differs in another run: with another build, another order, another program.
 *
 * Each line has fields separated by tabs: "vivace-ptx-writes 1"; "launch NUMBER NAME"; "op KEY TYPE PLACE TEXT"
 * before an op's first use (KEY is FUNCTION:NUMBER); then "w CTA WARP KEY MASK" with "REGISTER=VALUES" for each
 * result. VALUES are hexadecimal, one for each lane, separated by commas, or a single one if all are equal. */
#ifndef VIVACE_PTX_TOOLS_WRITE_LOG_H
#define VIVACE_PTX_TOOLS_WRITE_LOG_H

#include "base/strbuf.h"
#include "ptx/exec/exec.h"

#define WRITE_LOG_FORMAT "vivace-ptx-writes"

struct write_log; /* opaque */
/* Logs the CTAs `first` to `last` by linear number. */
int write_log_new(const char *path, uint64_t first, uint64_t last, struct write_log **out, struct err *e);
const struct ptx_watch *write_log_watch(const struct write_log *l);
void write_log_launch(struct write_log *l, uint64_t number, const char *name);
int write_log_end(struct write_log *l, struct err *e); /* renames the temporary file to its name */
void write_log_free(struct write_log *l);

/* Aligns two logs by launch, CTA, warp, instruction and its execution count. *what (malloc'ed): describes the
 * first write of `a` that differs or is missing in `b`; NULL: there is none. `ulp`: tolerance for floats; for
 * approximate instructions it is at least 4. */
int write_logs_compare(const char *a, const char *b, uint64_t ulp, char **what, struct err *e);

#endif
