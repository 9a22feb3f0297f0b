/* simcore/trace/window_file.h: long CTAs whose instructions come only once, and warp by warp or in turns: they go
 * to a temporary file, compressed, and come back in windows.
 *
 * The file has no name, in $TMPDIR or /tmp. What a CTA took of it is given back to the disk when it is freed. One
 * thread adds; any thread may read windows, those of one CTA by one at a time. */
#ifndef VIVACE_SIMCORE_TRACE_WINDOW_FILE_H
#define VIVACE_SIMCORE_TRACE_WINDOW_FILE_H

#include "simcore/trace/cta_windows.h"

struct window_file;
struct window_file *window_file_new(struct err *e); /* NULL: ERR_IO */
void window_file_free(struct window_file *f);       /* after its CTAs; NULL is fine */

/* Empty, of `warps` warps. */
struct cta_trace *window_file_cta(struct window_file *f, uint32_t warps, struct err *e);
/* Appends an instruction to a warp; `a` with its mask's lanes: its addresses, or NULL. ERR_IO: the disk is full. */
int window_file_add(struct cta_trace *cta, uint32_t warp, const struct warp_inst *i, const struct address_set *a,
                    struct err *e) MUST_CHECK;
/* All is in: makes the first windows. ERR_TOO_LARGE: a warp of more than 2^32 instructions. */
int window_file_finish(struct cta_trace *cta, struct err *e) MUST_CHECK;
void window_file_free_cta(struct cta_trace *cta); /* NULL is fine */

#endif
