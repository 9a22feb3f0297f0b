/* ingest/import.h: the part that all importers share: the state of one import, its names, its checks and its
 * report.
 *
 * An importer reads its file and calls import_launch() for each kernel launch. import_launch() makes the checks
 * that do not depend on the format (shape, duration, ranges). All formats therefore drop launches for the same
 * reasons. */
#ifndef VIVACE_INGEST_IMPORT_H
#define VIVACE_INGEST_IMPORT_H

#include <stdbool.h>

#include "base/stream.h"
#include "ingest/ingest.h"
#include "ingest/ranges.h"

/* Why a launch was dropped, or why a row is not a launch. The sentence completes "N rows: ...". */
#define IMPORT_DROP_MAP(X)                                                                                         \
    X(NO_END_TIME, "no_end_time",                                                                                  \
      "the launch has no end time: it was still running when the profile was taken, or its end was lost")          \
    X(NO_DURATION, "no_duration", "the launch has no duration: gpu__time_duration.sum was not measured for it")    \
    X(NO_START_TIME, "no_start_time", "the launch has no start time")                                              \
    X(NEGATIVE_DURATION, "negative_duration", "the launch ends before it starts")                                  \
    X(TIME_RANGE, "time_range", "start or duration is too large for a clock of nanoseconds")                       \
    X(UNKNOWN_NAME, "unknown_name", "the kernel's name is missing, or is an id that the file does not explain")    \
    X(NAME_TOO_LONG, "name_too_long", "the kernel's name is longer than the limit")                                \
    X(BAD_SHAPE, "bad_shape", "grid or block is not three numbers from 1 to 4294967295")                           \
    X(BAD_NUMBER, "bad_number", "a number of the launch cannot be read or is out of range")                        \
    X(WRONG_COLUMNS, "wrong_columns", "the row has more or fewer columns than the header")
#define IMPORT_IGNORE_MAP(X)                                                                                       \
    X(MEMORY_OPERATION, "memory_operation", "memory copies and sets are not kernel launches")                      \
    X(AFTER_TABLE, "after_table", "lines after the end of the table")

enum import_drop {
#define X(name, code, sentence) DROP_##name,
    IMPORT_DROP_MAP(X)
#undef X
        DROP_COUNT
};
enum import_ignore {
#define X(name, code, sentence) IGNORE_##name,
    IMPORT_IGNORE_MAP(X)
#undef X
        IGNORE_COUNT
};

/* A kernel name, stored once: valid UTF-8 without control characters. Its address is valid until
 * import_release(). */
struct import_name {
    struct import_name *next; /* next name in the same bucket */
    uint64_t hash;
    size_t raw_length, length;
    char *text; /* sanitized, NUL-terminated */
    char raw[]; /* as in the file */
};

struct import_gpu {
    int64_t device;
    bool launches; /* true if a launch runs on this GPU */
    char name[128];
    double peak_hz; /* 0: not in the file */
};

struct import {
    struct ingest_options options; /* with all defaults filled in */
    const char *path, *name;       /* path of the file, and its name in messages */
    struct import_report *report;
    struct profile_builder *builder;
    struct import_name **buckets;
    size_t bucket_count, name_count, name_bytes;
    struct import_gpu *gpus;
    size_t gpu_count, gpu_capacity, gpu_last; /* gpu_last: index of the last lookup */
    uint64_t launches_seen, last_progress_us;
    uint64_t no_shape, no_correlation, no_stream; /* accepted launches without these */
    uint64_t fine_durations;                      /* durations that are not whole microseconds */
    struct features *features; /* of launches 0 .. known-1, or NULL; import_finish() moves them to the profile */
    struct ranges *ranges;     /* NULL: import_ranges_begin() was not called */
    bool has_times;
    bool note_lost;   /* memory ran out during a note */
    bool broken_json; /* set by a reader: the JSON is invalid after its beginning; a second pass may repair it */
    bool repair;      /* this is the second pass */
};

/* One launch as the file describes it. Without has_shape the grid and block are 0,0,0: not in the file. */
struct import_launch {
    const char *place; /* unit of `number` in examples: "row", "line", "event" */
    uint64_t number;
    const struct import_name *name, *mangled; /* mangled may be NULL */
    bool has_shape, has_correlation, has_stream;
    bool graph; /* a node of a CUDA graph */
    int64_t grid[3], block[3], registers, shared_bytes, device;
    uint64_t process, context, stream, correlation;
    int64_t start_ns; /* 0 when the format has no times */
    int64_t value;    /* duration in ns, or warp instructions */
};

int import_begin(struct import *im, const char *format, enum profile_unit unit, bool has_times, struct err *e);
/* The interned name. *out is NULL when the name is empty or too long. import_launch() then drops the launch,
 * unless the importer drops it first. */
int import_intern(struct import *im, const char *bytes, size_t n, const struct import_name **out, struct err *e);
/* Accepts or drops one launch. -1 only when the whole import must stop. */
int import_launch(struct import *im, const struct import_launch *l, struct err *e);
void import_drop(struct import *im, enum import_drop why, const char *example, ...) PRINTF_LIKE(3, 4);
void import_ignore(struct import *im, enum import_ignore why, uint64_t count, const char *example, ...)
    PRINTF_LIKE(4, 5);
/* Adds a warning, once per `code`, which is a constant string. The sentence names the consequence. */
void import_warn(struct import *im, const char *code, uint64_t count, const char *sentence, ...) PRINTF_LIKE(4, 5);
/* Sets the name of a device. Later names of the same device are ignored. */
void import_gpu_name(struct import *im, int64_t device, const char *name, size_t n);
/* Sets the peak clock of a device. Later clocks of the same device are ignored. */
void import_gpu_clock(struct import *im, int64_t device, double peak_hz);
/* Adds a clock to the report. Impossible clocks are ignored. measured: a launch ran at this clock. */
void import_clock(struct import *im, double hz, bool measured);
void import_progress(struct import *im, uint64_t bytes_in);
/* Call before the first launch if the file may have ranges around launch calls. The importer adds ranges and calls
 * to im->ranges; launches are added by import_launch(). */
int import_ranges_begin(struct import *im, struct err *e);
/* ERR_TOO_LARGE: launches, ranges and names take more than most_memory_bytes. Launches and names check it; call it
 * repeatedly while ranges are added. */
int import_check_memory(const struct import *im, struct err *e);
/* Builds the profile and completes the report; ERR_INVALID with `no_launches` when nothing was accepted. */
int import_finish(struct import *im, const char *no_launches, struct profile *out, struct err *e);
void import_release(struct import *im);

/* The first bytes of a file after decompression. The format is recognized from them. */
struct import_head {
    const char *name;
    char *bytes; /* NUL-terminated */
    size_t length;
    char compression[8]; /* as stream_compression() */
};

/* Opens im->path as a stream. Its name in messages is im->name. */
int import_open(const struct import *im, struct stream **out, struct err *e);

/* The importers. Each reads im->path into *im. The caller then calls import_finish(). */
int nsys_sqlite_import(struct import *im, struct err *e);
int nsys_csv_import(struct import *im, struct err *e);
int ncu_csv_import(struct import *im, struct err *e);
int rocprof_csv_import(struct import *im, struct err *e);
int rocprof_json_import(struct import *im, struct err *e);
int kineto_import(struct import *im, struct err *e);
int xplane_import(struct import *im, struct err *e);
int accel_sim_import(struct import *im, struct err *e);
int features_file_import(struct import *im, struct err *e);
int counts_csv_import(struct import *im, struct err *e);
/* Recognizes the header of a CSV. 1: *format is "nsys-csv" or "nvprof-csv". 0: the table cannot be imported, and
 * *e explains why; or the table is unknown, and *format is NULL. */
int nsys_csv_recognise(const struct import_head *head, const char **format, struct err *e);
/* As nsys_csv_recognise(), for Nsight Compute: "ncu-csv" (1), "ncu-summary" (0). */
int ncu_csv_recognise(const struct import_head *head, const char **format, struct err *e);
/* As nsys_csv_recognise(), for rocprof: "rocprof-csv" (1); "rocprof-summary", "rocprof-counters",
 * "rocprof-other-csv" (0). */
int rocprof_csv_recognise(const struct import_head *head, const char **format, struct err *e);
/* As nsys_csv_recognise(), for instruction counts: "instructions-csv" (1). */
int counts_csv_recognise(const struct import_head *head, const char **format, struct err *e);
/* Whether the bytes begin a profile of XLA ("jax-xplane"). */
bool xplane_recognise(const struct import_head *head);
/* As nsys_csv_recognise(), for the binary report files of NVIDIA's tools. */
int nsys_report_recognise(const struct import_head *head, const char **format, struct err *e);
/* Whether the file name has the ending of such a report. Used when the content is unknown. */
bool nsys_report_is_name(const char *name);
int nsys_report_refuse(const char *name, struct err *e); /* -1 */

#endif
