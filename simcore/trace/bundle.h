/* simcore/trace/bundle.h: a folder, a tar (plain, .gz, .xz, .zst) or a single file of kernel traces (of
 * Accel-Sim; a folder or trace.txt of MacSim's tracer; .vtrace files), with random
 * access to its kernels in program order. A tar is unpacked once into a private temporary folder (each kernel
 * compressed again with zstd), which bundle_close() removes. */
#ifndef VIVACE_SIMCORE_TRACE_BUNDLE_H
#define VIVACE_SIMCORE_TRACE_BUNDLE_H

#include <stddef.h>

#include "simcore/trace/trace_copy.h"
#include "simcore/trace/trace_file.h"

struct bundle_kernel {
    char *path;       /* on disk */
    char *name;       /* for messages: `path`, or of a tar "traces.tar.zst: folder/kernel-12.traceg" */
    char *label;      /* as in the kernel list: "kernel-12.traceg" */
    uint64_t context; /* which list it is in, from 0: one a CUDA context or GPU */
    uint64_t order;   /* 0, 1, ...: launch order within the context, by the list */
    uint64_t id;      /* the number in the file name, from 1 (MacSim's plus 1); 0 when there is none */
    enum trace_format format;
    struct vtrace *file; /* TRACE_VTRACE: the bundle's, open */
    size_t launch;       /* in that file */
};
struct trace_place bundle_place(const struct bundle_kernel *k); /* for trace_file_open(); texts are the bundle's */

struct bundle {
    size_t count;
    struct bundle_kernel *kernels; /* by context, then order */
    size_t missing;                /* kernels of lists that are not there and were left out */
    uint64_t memory_copies;        /* lines of the kernel lists that copy memory */
    struct trace_copies copies;    /* of those, the ones that say what they copy, by their place among `kernels` */
    struct vtrace **files;         /* those that `kernels` refer to */
    size_t file_count;
    char *scratch; /* folder to remove, or NULL */
};
/* progress may be NULL; called now and then while a tar is unpacked. */
typedef void (*bundle_progress_fn)(void *ctx, uint64_t bytes_in, size_t kernels);
int bundle_open(const char *path, bundle_progress_fn progress, void *ctx, struct bundle *out, struct err *e);
/* The same, and kernels that a list names and that are not there are left out, and counted. */
int bundle_open_present(const char *path, bundle_progress_fn progress, void *ctx, struct bundle *out,
                        struct err *e);
void bundle_close(struct bundle *b);
/* Takes the numbers of kernels as their launch order where simcore/trace/launch_numbers.h says so. Nothing changes
 * where the bundle holds all launches of the workload. */
void bundle_order_by_number(struct bundle *b, uint64_t launches);
/* For a signal handler that is about to end the process: removes what this process has unpacked. */
void bundle_abandon_all(void);

/* Walks the kernels of a folder, tar or single file without unpacking (importing a profile does this): `visit` gets
 * a stream over each kernel file, which the walk closes, and its place in the launch order. A folder is walked in
 * launch order, a tar in archive order: it is read twice, the first time for names and kernel lists. */
struct bundle_entry {
    const char *label;
    uint64_t id, context, order; /* as in struct bundle_kernel */
    size_t index, count;         /* its place among all kernels as bundle_open() would list them, and how many */
    uint64_t memory_copies;      /* of the whole bundle */
    struct trace_place place;    /* where there is no stream */
};
/* What a visit does with its entry and the stream that it got: read it, its header alone, or its header and counts
 * (*bytes: what was read from the disk). *info is released by kernel_info_release(). */
int bundle_entry_open(const struct bundle_entry *entry, struct stream *s, struct inst_source **out, struct err *e);
int bundle_entry_info(const struct bundle_entry *entry, struct stream *s, struct kernel_info *info, struct err *e);
int bundle_entry_count(const struct bundle_entry *entry, struct stream *s, struct kernel_info *info,
                       struct trace_counts *out, uint64_t *bytes, struct err *e);
/* Bytes read from the disk for this kernel so far. */
uint64_t bundle_entry_bytes(const struct bundle_entry *entry, const struct stream *s,
                            const struct inst_source *source);
/* s: NULL where the format is not one stream a kernel. 0 goes on; -1 stops the walk, with *e filled. */
typedef int (*bundle_visit_fn)(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e);
int bundle_walk(const char *path, bundle_visit_fn visit, void *ctx, struct err *e);
/* 1: looks like a trace folder, tar of traces or a kernel file; 0: no. */
int bundle_recognise(const char *path, struct err *e);

#endif
