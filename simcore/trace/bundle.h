/* simcore/trace/bundle.h: random access to kernel traces in program order. A bundle is a folder, a tar (plain, .gz,
 * .xz, .zst) or a single file. It holds Accel-Sim kernel files, a folder or trace.txt of MacSim's tracer, or
 * .vtrace files. A tar is unpacked once into a private temporary folder (each kernel compressed again with zstd),
 * which bundle_close() removes. */
#ifndef VIVACE_SIMCORE_TRACE_BUNDLE_H
#define VIVACE_SIMCORE_TRACE_BUNDLE_H

#include <stddef.h>

#include "simcore/trace/trace_copy.h"
#include "simcore/trace/trace_file.h"

struct bundle_kernel {
    char *path;       /* on disk */
    char *name;       /* for messages: `path`, or for a member of a tar "traces.tar.zst: folder/kernel-12.traceg" */
    char *label;      /* as in the kernel list: "kernel-12.traceg" */
    uint64_t context; /* index of its kernel list, from 0: one list per CUDA context or GPU */
    uint64_t before;  /* launches that the lists of earlier contexts name, also those that are missing */
    uint64_t order;   /* 0, 1, ...: launch order within the context, from the list */
    uint64_t id;      /* the number in the file name, from 1 (for MacSim, plus 1); 0: no number */
    enum trace_format format;
    struct vtrace *file; /* TRACE_VTRACE: the open file, owned by the bundle */
    size_t launch;       /* index of the launch in that file */
};
struct trace_place
bundle_place(const struct bundle_kernel *k); /* for trace_file_open(); the bundle owns the texts */

struct bundle {
    size_t count;
    struct bundle_kernel *kernels; /* by context, then order */
    size_t missing;                /* kernels that lists name, that do not exist, and that were left out */
    uint64_t memory_copies;        /* lines of the kernel lists that copy memory */
    /* the memory copies that state their address and size, with positions among `kernels` */
    struct trace_copies copies;
    struct vtrace **files; /* open files that `kernels` refer to */
    size_t file_count;
    char *scratch; /* folder to remove, or NULL */
};
/* progress may be NULL; called regularly while a tar is unpacked. */
typedef void (*bundle_progress_fn)(void *ctx, uint64_t bytes_in, size_t kernels);
int bundle_open(const char *path, bundle_progress_fn progress, void *ctx, struct bundle *out, struct err *e);
/* As bundle_open(), but kernels that a list names and that do not exist are left out and counted. */
int bundle_open_present(const char *path, bundle_progress_fn progress, void *ctx, struct bundle *out,
                        struct err *e);
void bundle_close(struct bundle *b);
/* Uses the numbers of kernels as their launch order under the conditions of simcore/trace/launch_numbers.h. Nothing
 * changes if the bundle holds, or its lists name, all launches of the workload. */
void bundle_order_by_number(struct bundle *b, uint64_t launches);
/* For a signal handler before the process ends: removes all files that this process has unpacked. */
void bundle_abandon_all(void);

/* Visits the kernels of a folder, tar or single file without unpacking, as needed to import a profile. `visit`
 * receives a stream of each kernel file, which the walk closes, and its position in the launch order. A folder is
 * visited in launch order, a tar in archive order. A tar is read twice, the first time for names and kernel lists.
 */
struct bundle_entry {
    const char *label;
    uint64_t id, context, order; /* as in struct bundle_kernel */
    size_t index, count;         /* its index among all kernels as bundle_open() lists them, and their number */
    uint64_t memory_copies;      /* of the whole bundle */
    struct trace_place place;    /* valid if there is no stream */
};
/* For a visit callback: opens the entry, reads its header, or reads its header and counts. *bytes: bytes read from
 * the disk. *info is released by kernel_info_release(). */
int bundle_entry_open(const struct bundle_entry *entry, struct stream *s, struct inst_source **out, struct err *e);
int bundle_entry_info(const struct bundle_entry *entry, struct stream *s, struct kernel_info *info, struct err *e);
int bundle_entry_count(const struct bundle_entry *entry, struct stream *s, struct kernel_info *info,
                       struct trace_counts *out, uint64_t *bytes, struct err *e);
/* Bytes read from the disk for this kernel so far. */
uint64_t bundle_entry_bytes(const struct bundle_entry *entry, const struct stream *s,
                            const struct inst_source *source);
/* s: NULL if the format is not one stream per kernel. 0: continue; -1: stop the walk, with *e filled. */
typedef int (*bundle_visit_fn)(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e);
int bundle_walk(const char *path, bundle_visit_fn visit, void *ctx, struct err *e);
/* 1: the path is a trace folder, a tar of traces or a kernel file; 0: no. */
int bundle_recognise(const char *path, struct err *e);

#endif
