/* A thread is nsys's globalTid: process and thread in one number. Its lowest 24 bits are the thread; with these at
 * 0 it is the process's globalPid, as kernels have it (nsys user guide, "Common SQLite Examples": globalTid /
 * 0x1000000 % 0x1000000 is the process id, globalTid % 0x1000000 the thread id). */
#include "ingest/nsys_ranges.h"

#include "base/assert.h"

#define THREAD_BITS 24

/* Event types of NVTX_EVENTS that are ranges (table ENUM_NSYS_EVENT_TYPE of exports): push and pop, start and end,
 * each with a text or with a registered string. */
#define RANGE_TYPES "59, 60, 70, 71"

static const char *const range_queries[] = {
    "SELECT start, \"end\", globalTid, text, textId FROM " NSYS_RANGES " WHERE eventType IN (" RANGE_TYPES ")",
    /* Exports of nsys up to 2019 have no column textId. */
    "SELECT start, \"end\", globalTid, text, NULL FROM " NSYS_RANGES " WHERE eventType IN (" RANGE_TYPES ")"};
static const char call_query[] = "SELECT start, globalTid, correlationId FROM " NSYS_CALLS;

/* NULL where the table does not have these columns: then the table is ignored. */
static sqlite3_stmt *prepare_known(struct nsys_database *d, const char *sql)
{
    sqlite3_stmt *s = NULL;

    sqlite3_prepare_v2(d->sqlite, sql, -1, &s, NULL);
    return s;
}

static sqlite3_stmt *prepare_ranges(struct nsys_database *d)
{
    sqlite3_stmt *s = prepare_known(d, range_queries[0]);

    return s ? s : prepare_known(d, range_queries[1]);
}

int nsys_has_ranges(struct nsys_database *d, struct err *e)
{
    static const char *const none[] = {NULL};
    sqlite3_stmt *ranges, *calls;
    int there = nsys_has_table(d, NSYS_RANGES, e), status = SQLITE_DONE;

    if (there > 0)
        there = nsys_has_table(d, NSYS_CALLS, e);
    if (there <= 0)
        return there;
    if (nsys_check_columns(d, NSYS_RANGES, none, e) < 0 || nsys_check_columns(d, NSYS_CALLS, none, e) < 0)
        return -1;
    ranges = prepare_ranges(d);
    calls = prepare_known(d, call_query);
    if (ranges && calls)
        status = sqlite3_step(ranges);
    sqlite3_finalize(ranges);
    sqlite3_finalize(calls);
    return status == SQLITE_ROW ? 1 : status == SQLITE_DONE ? 0 : nsys_failed(d, e);
}

static struct range_thread thread_at(sqlite3_stmt *s, int column)
{
    uint64_t thread = (uint64_t)sqlite3_column_int64(s, column);

    return (struct range_thread){thread >> THREAD_BITS << THREAD_BITS, thread};
}

static bool is_integer(sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) == SQLITE_INTEGER;
}

static int take_range(sqlite3_stmt *s, struct nsys_strings *strings, struct import *im, struct err *e)
{
    const char *text = (const char *)sqlite3_column_text(s, 3);
    size_t length = (size_t)sqlite3_column_bytes(s, 3);

    if (!is_integer(s, 0) || !is_integer(s, 1))
        return 0; /* the range was open at the end of the recording */
    if (!text && is_integer(s, 4)) {
        const struct nsys_string *string;

        if (nsys_string_get(strings, sqlite3_column_int64(s, 4), &string, e) < 0)
            return -1;
        text = string->name ? string->name->text : NULL;
        length = string->name ? string->name->length : 0;
    }
    return text ? ranges_add(im->ranges, thread_at(s, 2), sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1),
                             text, length, e)
                : 0;
}

static int take_call(sqlite3_stmt *s, struct nsys_strings *strings, struct import *im, struct err *e)
{
    (void)strings;
    if (!is_integer(s, 0) || !is_integer(s, 2))
        return 0;
    return ranges_call(im->ranges, thread_at(s, 1), (uint64_t)sqlite3_column_int64(s, 2),
                       sqlite3_column_int64(s, 0), e);
}

/* Steps through the statement and ends it. */
static int read_rows(struct nsys_database *d, sqlite3_stmt *s, struct nsys_strings *strings, struct import *im,
                     int (*take)(sqlite3_stmt *, struct nsys_strings *, struct import *, struct err *),
                     struct err *e)
{
    uint64_t rows = 0;
    int ret = 0, status = SQLITE_DONE;

    while (ret == 0 && (status = sqlite3_step(s)) == SQLITE_ROW) {
        ret = nsys_check_row_count(d, ++rows, e) < 0 ? -1 : take(s, strings, im, e);
        if (ret == 0 && rows % 8192 == 0) {
            import_progress(im, nsys_bytes_read(d));
            ret = import_check_memory(im, e);
        }
    }
    if (ret == 0 && status != SQLITE_DONE)
        ret = nsys_failed(d, e);
    sqlite3_finalize(s);
    return ret;
}

int nsys_read_ranges(struct nsys_database *d, struct nsys_strings *strings, struct import *im, struct err *e)
{
    sqlite3_stmt *ranges = prepare_ranges(d), *calls = prepare_known(d, call_query);

    ASSERT(im->ranges);
    if (!ranges || !calls) {
        sqlite3_finalize(ranges);
        sqlite3_finalize(calls);
        return nsys_failed(d, e);
    }
    if (read_rows(d, ranges, strings, im, take_range, e) < 0) {
        sqlite3_finalize(calls);
        return -1;
    }
    return read_rows(d, calls, strings, im, take_call, e);
}
