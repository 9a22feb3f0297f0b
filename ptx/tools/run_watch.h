/* ptx/tools/run_watch.h: small tools that watch a run: which forms it has executed, where the first NaN or
 * infinity was made, what a line of the program reads. */
#ifndef VIVACE_PTX_TOOLS_RUN_WATCH_H
#define VIVACE_PTX_TOOLS_RUN_WATCH_H

#include "base/strbuf.h"
#include "ptx/exec/exec.h"

/* --- coverage.c: each instruction form (as it is written, "add.rn.f32") of functions that ran, with how many
 * places have it and how many warp instructions executed it --- */
struct ptx_coverage; /* opaque */
struct ptx_coverage *ptx_coverage_new(struct err *e);
const struct ptx_watch *ptx_coverage_watch(const struct ptx_coverage *c);
/* Writes it: {"format": "vivace-ptx-coverage", "version": 1, "forms": {FORM: {"places": N, "executed": N}}}. */
int ptx_coverage_write(const struct ptx_coverage *c, const char *path, struct err *e);
void ptx_coverage_free(struct ptx_coverage *c);
/* Forms that the first file has executed, those first that the fewest others have: a table of lines. */
int ptx_coverage_compare(const char *const *paths, size_t count, struct strbuf *out, struct err *e);

/* --- first_nan.c: the first instruction that made a NaN or an infinity of finite numbers; moves, selections and
 * loads make none --- */
struct ptx_first_nan; /* opaque */
struct ptx_first_nan *ptx_first_nan_new(struct err *e);
const struct ptx_watch *ptx_first_nan_watch(const struct ptx_first_nan *f);
const char *ptx_first_nan_text(const struct ptx_first_nan *f); /* a sentence; "": there was none */
void ptx_first_nan_free(struct ptx_first_nan *f);

/* --- break_at.c: each time a line is executed, the values that it reads --- */
struct ptx_break; /* opaque */
/* "k.ptx:12", "k.cu:7" (by .loc), or "12" of any module. At most `hits` times. ERR_USAGE. */
int ptx_break_new(const char *where, uint64_t hits, void (*print)(void *ctx, const char *text), void *ctx,
                  struct ptx_break **out, struct err *e);
const struct ptx_watch *ptx_break_watch(const struct ptx_break *b);
void ptx_break_free(struct ptx_break *b);

#endif
