/* simcore/trace/vtrace.h: the .vtrace format, Vivace's own trace files: one or more launches per file, random
 * access to any CTA.
 *
 *
 * Launches of one kernel share its static instructions, the paths of its warps and the shapes of their addresses.
 * Only differences from a prediction are stored, and decoding is exact. docs/formats/vtrace.md specifies the bytes.
 * The same launches, options and zstd version give the same file. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_H
#define VIVACE_SIMCORE_TRACE_VTRACE_H

#include "simcore/trace/inst_source.h"
#include "simcore/trace/trace_copy.h"

/* --- writing --- */
struct vtrace_options {
    /* for loads from global memory, stores the 32-byte sectors instead of the bytes of each lane */
    bool sectors_only;
    const char *tool;      /* name and version of the writing tool, "vivace 0.1.0"; NULL: "" */
    const char *gpu;       /* the GPU on which the launches were recorded; NULL: unknown */
    uint32_t frame_bytes;  /* approximate size of a frame before compression; 0: 256 KiB */
    int compression_level; /* of zstd; 0: default */
};
struct vtrace_writer; /* opaque */
/* Writes to a temporary file beside `path`, which vtrace_writer_finish() renames to `path`. NULL options: defaults.
 */
int vtrace_writer_new(const char *path, const struct vtrace_options *o, struct vtrace_writer **out, struct err *e);
/* Sets the CUDA context or GPU of the next launches; initially 0. */
void vtrace_writer_context(struct vtrace_writer *w, uint64_t context);
/* Adds a copy after the launches added so far (sets its `context` and `before`). */
int vtrace_writer_copy(struct vtrace_writer *w, const struct trace_copy *c, struct err *e);
/* Appends one launch: reads the source to its end, but does not release it. After -1, the caller may only release
 * the writer. */
int vtrace_writer_add(struct vtrace_writer *w, struct inst_source *s, struct err *e);
int vtrace_writer_finish(struct vtrace_writer *w, struct err *e);
/* The temporary name, for a signal handler that is about to end the process. */
const char *vtrace_writer_temporary(const struct vtrace_writer *w);
/* If vtrace_writer_finish() was not called, removes the temporary file. NULL is allowed. */
void vtrace_writer_release(struct vtrace_writer *w);

/* Writes a file with one launch and default options. */
int vtrace_write_one(const char *path, struct inst_source *s, struct err *e);

/* --- reading --- */
struct vtrace; /* opaque; an open file */
/* Reads only the index. ERR_INVALID: not a .vtrace, or damaged; ERR_UNSUPPORTED: another version. */
int vtrace_open(const char *path, struct vtrace **out, struct err *e);
/* As vtrace_open(), with another name for messages (a copy uses the name of its original). */
int vtrace_open_as(const char *path, const char *name, struct vtrace **out, struct err *e);
void vtrace_close(struct vtrace *v); /* call after the release of its sources; NULL is allowed */
/* Whether the first n bytes of a file are those of a .vtrace. */
bool vtrace_recognise_head(const char *head, size_t n);

struct vtrace_launch {
    struct kernel_info info; /* the file owns the name */
    uint64_t context;        /* CUDA context or GPU; launches of a context are consecutive in the file */
    uint64_t ctas, warps, warp_instructions; /* warps: those with instructions */
    struct trace_repairs repairs;            /* made when the launch was converted */
    bool has_image;                          /* the file has a warm image for the launch */
};
size_t vtrace_launch_count(const struct vtrace *v);
const struct vtrace_launch *vtrace_launch_at(const struct vtrace *v, size_t launch);
/* Copies between the launches, with positions in the file. */
const struct trace_copies *vtrace_copies(const struct vtrace *v);
const char *vtrace_tool(const struct vtrace *v);
const char *vtrace_gpu(const struct vtrace *v); /* "": unknown */
bool vtrace_sectors_only(const struct vtrace *v);

/* Makes a source for one launch. Several sources of one file may be in use at a time, also in several threads. A
 * source holds one frame (about 256 KiB), the kernel's tables and the CTAs that are not yet released. */
int vtrace_source(struct vtrace *v, size_t launch, struct inst_source **out, struct err *e);
/* As vtrace_source(), for a path; the source closes the file. */
int vtrace_source_path(const char *path, size_t launch, struct inst_source **out, struct err *e);
/* Sets the next CTA by its index in the trace (from 0). The cost does not depend on the index. The source must be
 * one of vtrace_source(). */
int vtrace_seek_cta(struct inst_source *s, uint64_t index, struct err *e);

/* The size of each part of the file, and the content that launches share. */
struct vtrace_stats {
    uint64_t file_bytes;
    uint64_t cta_bytes;        /* CTAs: addresses, and paths that occur only once */
    uint64_t launch_bytes;     /* CTA directories and address predictions */
    uint64_t static_bytes;     /* static instructions */
    uint64_t image_bytes;      /* warm images of the launches */
    uint64_t dictionary_bytes; /* paths, address programs and CTA shapes that occur more than once */
    uint64_t index_bytes;      /* launches, names, header and trailer */
    uint64_t launches, ctas, warp_instructions;
    uint64_t kernels; /* kernels with different names; each has one set of tables */
    uint64_t static_instructions, paths, programs, shapes, frames;
};
int vtrace_stats(struct vtrace *v, struct vtrace_stats *out, struct err *e);

/* Checks the whole file: checksums, every CTA of every launch, and the counts in the index. `progress` may be NULL.
 */
typedef void (*vtrace_progress_fn)(void *ctx, size_t launches_done, size_t launches);
int vtrace_verify(struct vtrace *v, vtrace_progress_fn progress, void *ctx, struct err *e);

#endif
