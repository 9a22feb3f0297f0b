/* ptx/tools/run_watch.h: small tools that observe a run: executed forms, the origin of the first NaN or
 * infinity, the values that a source line reads. */
#ifndef VIVACE_PTX_TOOLS_RUN_WATCH_H
#define VIVACE_PTX_TOOLS_RUN_WATCH_H

#include "base/strbuf.h"
#include "ptx/exec/exec.h"

/* --- coverage.c: for each instruction form (as written, "add.rn.f32") of functions that ran: the number of
 * instructions with this form, and of warp instructions executed --- */
struct ptx_coverage; /* opaque */
struct ptx_coverage *ptx_coverage_new(struct err *e);
const struct ptx_watch *ptx_coverage_watch(const struct ptx_coverage *c);
/* Writes {"format": "vivace-ptx-coverage", "version": 1, "forms": {FORM: {"places": N, "executed": N}}}. */
int ptx_coverage_write(const struct ptx_coverage *c, const char *path, struct err *e);
void ptx_coverage_free(struct ptx_coverage *c);
/* Appends a table of the forms that the first file has executed. Forms that the fewest other files have come
 * first. */
int ptx_coverage_compare(const char *const *paths, size_t count, struct strbuf *out, struct err *e);

/* --- first_nan.c: finds the first instruction that computed a NaN or an infinity from finite numbers. Moves,
 * selections and loads do not count --- */
struct ptx_first_nan; /* opaque */
struct ptx_first_nan *ptx_first_nan_new(struct err *e);
const struct ptx_watch *ptx_first_nan_watch(const struct ptx_first_nan *f);
const char *ptx_first_nan_text(const struct ptx_first_nan *f); /* a message; "": there was none */
void ptx_first_nan_free(struct ptx_first_nan *f);

/* --- break_at.c: prints the values that a line reads, each time it is executed --- */
struct ptx_break; /* opaque */
/* where: "k.ptx:12", "k.cu:7" (by .loc), or "12" of any module. Prints at most `hits` times. ERR_USAGE. */
int ptx_break_new(const char *where, uint64_t hits, void (*print)(void *ctx, const char *text), void *ctx,
                  struct ptx_break **out, struct err *e);
const struct ptx_watch *ptx_break_watch(const struct ptx_break *b);
void ptx_break_free(struct ptx_break *b);

#endif
