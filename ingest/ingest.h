/* ingest/ingest.h: files that other tools write -> struct profile, with a report of what was taken and what was
 * not.
 *
 * A file is recognised by its content, never by its name. Every row that does not become a launch is counted
 * with its reason and its first ten examples. Names of kernels and of the GPU are all the text that is kept: what
 * these files say about environment, host, user and processes is never read.
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
#include "sampling/profile.h"

#define IMPORT_EXAMPLES 10

struct kernel_info; /* simcore/trace/inst_source.h */

/* Something worth saying about many rows at once. */
struct import_note {
    const char *code; /* "no_end_time"; stable, for machines; a constant */
    char *sentence;   /* for people; a warning's sentence names its consequence */
    uint64_t count;   /* rows it is about; 0 where it is about the whole file */
    size_t example_count;
    char *examples[IMPORT_EXAMPLES]; /* one line of text each, printable UTF-8 */
};
struct import_notes {
    struct import_note *items;
    size_t count, capacity;
};

struct import_report {
    char format[32];    /* as in struct profile: "nsys-sqlite", "nsys-csv", "ncu-csv", "kineto", ... */
    char schema[64];    /* the tool's version of it: "3.25.0", "cuda_gpu_trace"; "" when the file does not say */
    char gpu_name[128]; /* "" when the file does not say; of several GPUs the first, and a warning */
    /* The least and the greatest clock of the SMs; 0: the file does not say. Measured: of launches while they ran;
     * else the most that the GPUs with launches can do, as the tool was given. */
    double clock_low_hz, clock_high_hz;
    bool clock_measured;
    enum profile_unit unit; /* of total */
    uint64_t accepted;      /* launches: the profile's count */
    uint64_t dropped_count; /* sum over dropped */
    uint64_t ignored_count; /* sum over ignored */
    uint64_t zero_duration; /* accepted launches of 0 ns: kept, never sampled */
    uint64_t total;         /* of the planning variable, in unit */
    uint64_t makespan_ns;   /* how long anything ran; 0 when the file has no times */
    uint64_t bytes_read;    /* of the (compressed) file */
    size_t devices, processes, contexts, streams;
    size_t kernels;               /* distinct names */
    size_t kernel_shapes;         /* distinct (name, grid, block) */
    struct import_notes dropped;  /* launches that could not be taken, by reason */
    struct import_notes ignored;  /* rows that are no kernel launches: memory copies and the like */
    struct import_notes warnings; /* what limits the use of the profile */
};

/* 0 in a limit takes the default, which is written beside it. */
struct ingest_options {
    const char *display_name; /* how messages call the file; NULL: by its path */
    void (*progress)(void *ctx, uint64_t bytes_in, uint64_t rows); /* NULL: none; a few times a second at most */
    void *progress_ctx;
    uint64_t most_rows;         /* kernel launches in a file; 200 million */
    size_t most_name_bytes;     /* of one kernel name, longer ones are dropped with that reason; 64 KiB */
    uint64_t most_memory_bytes; /* that launches, names and features may take; 8 GiB */
    bool features; /* of kernel traces: count all features (docs/formats/features.md), which reads every instruction
                    */
    /* Then also waves: how many CTAs of this kernel fit the GPU at once; NULL: no waves. */
    uint64_t (*wave_ctas)(void *ctx, const struct kernel_info *kernel);
    void *wave_ctx;
    bool without_values; /* launches need no duration, they count as 0: the file is wanted for its features */
};

void import_report_init(struct import_report *r);
void import_report_release(struct import_report *r);
/* The report as one JSON object; field names carry units. b->failed tells whether memory ran out. */
void import_report_to_json(const struct import_report *r, struct strbuf *b);

/* 1: *format can be imported. 0: it cannot; *format says what it looks like ("nsys-report", "nsys-summary",
 * "ncu-csv", "unknown", ...) and *e why, with what to do in the hint. -1: the file cannot be read.
 * *format is a constant. */
int ingest_recognise(const char *path, const char **format, struct err *e);

/* Imports a file or folder. *out and *report were initialised by the caller; on -1 *out is as it was, and the
 * report holds what was counted until then. options may be NULL. Safe to call from several threads at once. */
int ingest_file(const char *path, const struct ingest_options *options, struct profile *out,
                struct import_report *report, struct err *e);

/* ERR_INVALID where a SQLite file is not all of the database: a program has changes in the write-ahead log beside
 * it (path-wal) that are not in the file yet. Other files pass. */
int nsys_check_log(const char *path, const char *name, struct err *e) MUST_CHECK;

#endif
