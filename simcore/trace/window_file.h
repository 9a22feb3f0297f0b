/* simcore/trace/window_file.h: stores long CTAs whose instructions can be produced only once, warp by warp or
 * interleaved. They are compressed to a temporary file and read back in windows.
 *
 *
 * The file has no name and is in $TMPDIR or /tmp. The space of a CTA is returned when the CTA is freed. One thread
 * adds. Any thread may read windows, but only one thread at a time those of one CTA. */
#ifndef VIVACE_SIMCORE_TRACE_WINDOW_FILE_H
#define VIVACE_SIMCORE_TRACE_WINDOW_FILE_H

#include "simcore/trace/cta_windows.h"

struct window_file;
struct window_file *window_file_new(struct err *e); /* NULL: ERR_IO */
void window_file_free(struct window_file *f);       /* call after its CTAs are freed; NULL is allowed */

/* Makes an empty CTA of `warps` warps. */
struct cta_trace *window_file_cta(struct window_file *f, uint32_t warps, struct err *e);
/* Appends an instruction to a warp. `a`: the addresses of its active lanes, or NULL. ERR_IO: the disk is full. */
int window_file_add(struct cta_trace *cta, uint32_t warp, const struct warp_inst *i, const struct address_set *a,
                    struct err *e) MUST_CHECK;
/* Ends adding and makes the first windows. ERR_TOO_LARGE: a warp has more than 2^32 instructions. */
int window_file_finish(struct cta_trace *cta, struct err *e) MUST_CHECK;
void window_file_free_cta(struct cta_trace *cta); /* NULL is allowed */

#endif
