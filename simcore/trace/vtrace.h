/* simcore/trace/vtrace.h: our own trace files (.vtrace): one launch or many in one file, any CTA reached at once.
 *
 * Launches of one kernel share its static instructions, the paths of its warps and the shapes of their addresses;
 * what differs from a prediction is stored, so that everything comes back bit for bit. docs/formats/vtrace.md
 * specifies the bytes. The same launches, options and zstd version give the same file. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_H
#define VIVACE_SIMCORE_TRACE_VTRACE_H

#include "simcore/trace/inst_source.h"
#include "simcore/trace/trace_copy.h"

/* --- writing --- */
struct vtrace_options {
    bool sectors_only;     /* of loads from global memory keep the 32-byte sectors, not the bytes of each lane */
    const char *tool;      /* what wrote it, "vivace 0.1.0"; NULL: "" */
    const char *gpu;       /* on which GPU the launches were recorded; NULL: not known */
    uint32_t frame_bytes;  /* before compression, about; 0: 256 KiB */
    int compression_level; /* of zstd; 0: the usual one */
};
struct vtrace_writer; /* opaque */
/* Writes beside `path`, under a temporary name, until vtrace_writer_finish() gives it its own. NULL options are
 * the usual ones. */
int vtrace_writer_new(const char *path, const struct vtrace_options *o, struct vtrace_writer **out, struct err *e);
/* The launches that follow are of this CUDA context or GPU (of the first, 0, at the beginning). */
void vtrace_writer_context(struct vtrace_writer *w, uint64_t context);
/* A copy behind the launches added so far (its `context` and `before` are set). */
int vtrace_writer_copy(struct vtrace_writer *w, const struct trace_copy *c, struct err *e);
/* Appends one launch: reads the source to its end and releases nothing of it. After -1 only release. */
int vtrace_writer_add(struct vtrace_writer *w, struct inst_source *s, struct err *e);
int vtrace_writer_finish(struct vtrace_writer *w, struct err *e);
/* The temporary name, for a signal handler that is about to end the process. */
const char *vtrace_writer_temporary(const struct vtrace_writer *w);
/* Without vtrace_writer_finish() before it: removes what was written. NULL is fine. */
void vtrace_writer_release(struct vtrace_writer *w);

/* One launch alone, with the usual options, as a whole file. */
int vtrace_write_one(const char *path, struct inst_source *s, struct err *e);

/* --- reading --- */
struct vtrace; /* opaque; an open file */
/* Reads the index alone. A file that is no .vtrace or is damaged: ERR_INVALID; another version: ERR_UNSUPPORTED. */
int vtrace_open(const char *path, struct vtrace **out, struct err *e);
/* The same with another name for messages (a copy is called what it is a copy of). */
int vtrace_open_as(const char *path, const char *name, struct vtrace **out, struct err *e);
void vtrace_close(struct vtrace *v); /* after its sources; NULL is fine */
/* Whether a file that begins with these n bytes is a .vtrace. */
bool vtrace_recognise_head(const char *head, size_t n);

struct vtrace_launch {
    struct kernel_info info;                 /* the name belongs to the file */
    uint64_t context;                        /* CUDA context or GPU; its launches follow one another in the file */
    uint64_t ctas, warps, warp_instructions; /* warps: that have instructions */
    struct trace_repairs repairs;            /* made when the launch was converted */
    bool has_image;                          /* what it finds in the caches is in the file */
};
size_t vtrace_launch_count(const struct vtrace *v);
const struct vtrace_launch *vtrace_launch_at(const struct vtrace *v, size_t launch);
/* Copies between the launches, by their places in the file. */
const struct trace_copies *vtrace_copies(const struct vtrace *v);
const char *vtrace_tool(const struct vtrace *v);
const char *vtrace_gpu(const struct vtrace *v); /* "": not known */
bool vtrace_sectors_only(const struct vtrace *v);

/* One launch, CTA by CTA. Several sources of one file may be in use at a time, also by several threads. Holds one
 * frame (about 256 KiB), the kernel's tables and the CTAs that are not yet released. */
int vtrace_source(struct vtrace *v, size_t launch, struct inst_source **out, struct err *e);
/* The same from a path; the source closes the file. */
int vtrace_source_path(const char *path, size_t launch, struct inst_source **out, struct err *e);
/* The next CTA is that of this index (0 ...; the place in the trace). Costs the same wherever it lies. The source
 * must be one of vtrace_source(). */
int vtrace_seek_cta(struct inst_source *s, uint64_t index, struct err *e);

/* Where the bytes of the file are, and what its launches share. */
struct vtrace_stats {
    uint64_t file_bytes;
    uint64_t cta_bytes;        /* CTAs: addresses, and paths that stand in one place only */
    uint64_t launch_bytes;     /* CTA directories and address predictions */
    uint64_t static_bytes;     /* static instructions */
    uint64_t image_bytes;      /* what launches find in the caches */
    uint64_t dictionary_bytes; /* paths, address programs and CTA shapes that occur more than once */
    uint64_t index_bytes;      /* launches, names, header and trailer */
    uint64_t launches, ctas, warp_instructions;
    uint64_t kernels; /* different names: each has its tables once */
    uint64_t static_instructions, paths, programs, shapes, frames;
};
int vtrace_stats(struct vtrace *v, struct vtrace_stats *out, struct err *e);

/* Reads everything: checksums, every CTA of every launch, and that counts agree with the index. `progress` may be
 * NULL. */
typedef void (*vtrace_progress_fn)(void *ctx, size_t launches_done, size_t launches);
int vtrace_verify(struct vtrace *v, vtrace_progress_fn progress, void *ctx, struct err *e);

#endif
