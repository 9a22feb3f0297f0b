/* ingest/ingest.h: reads files of other tools into struct profile, with a report of accepted and dropped rows.
 *
 * A file is recognized by its content, never by its name. Every row that does not become a launch is counted with
 * its reason and up to ten examples. The only text that is kept is the names of kernels and of GPUs. Data about
 * environment, host, user and processes is never read.
 *
 *   struct profile p;
 *   struct import_report r;
 *   profile_init(&p);
 *   import_report_init(&r);
 *   if (ingest_file(path, NULL, &p, &r, &e) < 0) ...      e.hint often names the command to run instead
 *   profile_release(&p);
 *   import_report_release(&r); */
#ifndef VIVACE_INGEST_INGEST_H
#define VIVACE_INGEST_INGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "sampling/profile/profile.h"
#include "sampling/time/timeline.h"

#define IMPORT_EXAMPLES 10

struct kernel_info; /* simcore/trace/inst_source.h */

/* A message about many rows. */
struct import_note {
    const char *code; /* "no_end_time": a constant string, stable, for programs */
    char *sentence;   /* for users; the sentence of a warning names its consequence */
    uint64_t count;   /* number of rows; 0: the whole file */
    size_t example_count;
    char *examples[IMPORT_EXAMPLES]; /* one line of text each, printable UTF-8 */
};
struct import_notes {
    struct import_note *items;
    size_t count, capacity;
};

struct import_report {
    char format[32];    /* as in struct profile: "nsys-sqlite", "nsys-csv", "ncu-csv", "kineto", ... */
    char schema[64];    /* version of the format: "3.25.0", "cuda_gpu_trace"; "": not in the file */
    char gpu_name[128]; /* "": not in the file; with several GPUs the first one, and a warning */
    /* Lowest and highest clock of the SMs; 0: not in the file. measured: the clock of launches while they ran.
     * Otherwise it is the peak clock of the GPUs that have launches. */
    double clock_low_hz, clock_high_hz;
    bool clock_measured;
    enum profile_unit unit; /* of total */
    uint64_t accepted;      /* launches: the profile's count */
    uint64_t dropped_count; /* sum over dropped */
    uint64_t ignored_count; /* sum over ignored */
    uint64_t zero_duration; /* accepted launches of 0 ns; they stay in the profile and are never sampled */
    uint64_t total;         /* sum of the planning variable, in `unit` */
    uint64_t makespan_ns;   /* time during which at least one launch ran; 0: the file has no times */
    uint64_t bytes_read;    /* of the file as stored, compressed or not */
    size_t devices, processes, contexts, streams;
    size_t kernels;               /* distinct names */
    size_t kernel_shapes;         /* distinct (name, grid, block) */
    struct import_notes dropped;  /* launches that were not accepted, by reason */
    struct import_notes ignored;  /* rows that are not kernel launches, such as memory copies */
    struct import_notes warnings; /* limits on the use of the profile */
};

/* A limit of 0 means the default, which is the number at the end of its comment. */
struct ingest_options {
    const char *display_name; /* the file's name in messages; NULL: its path */
    void (*progress)(void *ctx, uint64_t bytes_in,
                     uint64_t rows); /* NULL: none; called at most a few times a second */
    void *progress_ctx;
    uint64_t most_rows;         /* largest number of kernel launches in a file; 200 million */
    size_t most_name_bytes;     /* largest size of a kernel name; launches with longer names are dropped; 64 KiB */
    uint64_t most_memory_bytes; /* limit for launches, ranges, names and features together; 8 GiB */
    bool features; /* of kernel traces: count all features (docs/formats/features.md); this reads every instruction
                    */
    /* With `features`: returns how many CTAs of this kernel fit on the GPU at once. NULL: waves are not counted. */
    uint64_t (*wave_ctas)(void *ctx, const struct kernel_info *kernel);
    void *wave_ctx;
    bool without_values; /* only features are needed; launches without a duration count as 0 */
    bool counters;       /* of `ncu --csv`: counters of the caches, DRAM and shared memory become responses with the
                            names of the simulator's counters; NaN where a launch has none */
};

void import_report_init(struct import_report *r);
void import_report_release(struct import_report *r);
/* The report as one JSON object. Field names have units. b->failed: memory ran out. */
void import_report_to_json(const struct import_report *r, struct strbuf *b);

/* 1: *format can be imported. 0: it cannot; *format names what was found ("nsys-report", "nsys-summary",
 * "ncu-csv", "unknown", ...), *e explains why, and the hint names what to do. -1: the file cannot be read.
 * *format is a constant string. */
int ingest_recognise(const char *path, const char **format, struct err *e);

/* Imports a file or folder. The caller initializes *out and *report. On -1 *out is unchanged, and the report has
 * the counts up to the error. options may be NULL. Safe to call from several threads at once. */
int ingest_file(const char *path, const struct ingest_options *options, struct profile *out,
                struct import_report *report, struct err *e);

/* ERR_INVALID when a SQLite file is incomplete because its write-ahead log (path-wal) has changes that are not in
 * the file yet. Other files return 0. */
int nsys_check_log(const char *path, const char *name, struct err *e) MUST_CHECK;

/* The calls of the CUDA API and all work on GPUs, from a file of `nsys export --type sqlite`. name: for messages.
 * ERR_UNSUPPORTED where the file has no calls. The caller releases *out in any case. */
int ingest_timeline(const char *path, const char *name, struct timeline *out, struct err *e);

#endif
