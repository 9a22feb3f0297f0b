/* The timeline of an nsys export: calls of the CUDA API, kernels, copies, memsets, and who waited for whom. Values
 * of enumerations are those of CUPTI (CUpti_ActivityMemcpyKind, CUpti_ActivitySynchronizationType). */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ingest/ingest.h"
#include "ingest/nsys_database.h"
#include "sampling/profile/kernel_class.h"

enum { IDS_MAX = 1024 }; /* threads, streams, GPUs, processes of a report */
#define TIME_MAX INT64_C(0x3fffffffffffffff)
/* nsys: the lower 24 bits of a thread's global id are the thread, the others its process. */
#define PROCESS_OF(thread) ((thread) & ~UINT64_C(0xffffff))

enum {
    COPY_HOST_TO_DEVICE = 1,
    COPY_DEVICE_TO_HOST = 2,
    COPY_HOST_TO_ARRAY = 3,
    COPY_ARRAY_TO_HOST = 4,
    COPY_PEER = 10
};
/* Copies that stay in a GPU's memory: array to array, array to device, device to array, device to device. */
enum { COPY_ARRAY_TO_ARRAY = 5, COPY_ARRAY_TO_DEVICE = 6, COPY_DEVICE_TO_ARRAY = 7, COPY_DEVICE_TO_DEVICE = 8 };
enum { SYNC_STREAM_WAITS = 2, SYNC_STREAM = 3 };

/* Numbers ids in the order of their first use. */
struct ids {
    uint64_t keys[IDS_MAX][2];
    uint32_t count, last;
};

/* The key of a call: its process and correlation id. */
struct key {
    uint64_t process, correlation;
    uint32_t call;
};

struct reader {
    struct nsys_database db;
    struct timeline *out;
    struct ids threads, streams, gpus, processes;
    size_t call_capacity, work_capacity, wait_capacity;
    struct key *keys; /* of the calls, sorted */
    uint64_t *correlations;
    size_t correlation_capacity;
    int64_t first; /* earliest start */
};

static int id_of(struct ids *ids, uint64_t a, uint64_t b, const char *what, uint32_t *out, struct err *e)
{
    if (ids->last < ids->count && ids->keys[ids->last][0] == a && ids->keys[ids->last][1] == b) {
        *out = ids->last;
        return 0;
    }
    for (*out = 0; *out < ids->count; ++*out) {
        if (ids->keys[*out][0] == a && ids->keys[*out][1] == b) {
            ids->last = *out;
            return 0;
        }
    }
    if (ids->count == IDS_MAX)
        return err_set(e, ERR_UNSUPPORTED, "more than %d %s in a report are not supported", IDS_MAX, what);
    ids->keys[ids->count][0] = a;
    ids->keys[ids->count][1] = b;
    ids->last = ids->count++;
    return 0;
}

/* The time of a row, in columns 0 and 1. False: it has none that can be used. */
static bool read_time(struct reader *r, sqlite3_stmt *s, int64_t *start, uint64_t *duration)
{
    int64_t end = sqlite3_column_int64(s, 1);

    *start = sqlite3_column_int64(s, 0);
    if (sqlite3_column_type(s, 0) != SQLITE_INTEGER || sqlite3_column_type(s, 1) != SQLITE_INTEGER || *start < 0 ||
        end < *start || end > TIME_MAX) {
        r->out->dropped++;
        return false;
    }
    *duration = (uint64_t)(end - *start);
    r->first = *start < r->first ? *start : r->first;
    return true;
}

/* Calls `row` for each row of a statement. */
static int each_row(struct reader *r, const char *sql, int (*row)(struct reader *, sqlite3_stmt *, struct err *),
                    struct err *e)
{
    sqlite3_stmt *s = NULL;
    uint64_t rows = 0;
    int ret = nsys_prepare(&r->db, &s, sql, e), status = SQLITE_DONE;

    while (ret == 0 && (status = sqlite3_step(s)) == SQLITE_ROW) {
        ret = nsys_check_row_count(&r->db, ++rows, e);
        if (ret == 0)
            ret = row(r, s, e);
    }
    if (ret == 0 && status != SQLITE_DONE)
        ret = nsys_failed(&r->db, e);
    sqlite3_finalize(s);
    return ret;
}

/* --- calls --- */

static int read_call(struct reader *r, sqlite3_stmt *s, struct err *e)
{
    struct timeline *t = r->out;
    struct timeline_call c = {.stream = TIMELINE_NONE};
    uint64_t thread = (uint64_t)sqlite3_column_int64(s, 2);
    const char *name = (const char *)sqlite3_column_text(s, 4);

    if (!read_time(r, s, &c.start_ns, &c.duration_ns))
        return 0;
    if (id_of(&r->threads, thread, 0, "threads", &c.thread, e) < 0 ||
        id_of(&r->processes, PROCESS_OF(thread), 0, "processes", &c.process, e) < 0 ||
        array_reserve((void **)&t->calls, &r->call_capacity, t->call_count + 1, sizeof *t->calls, e) < 0 ||
        array_reserve((void **)&r->correlations, &r->correlation_capacity, t->call_count + 1,
                      sizeof *r->correlations, e) < 0)
        return -1;
    c.wait = name && strstr(name, "Synchronize") ? WAITS_ALL : WAITS_NOT;
    r->correlations[t->call_count] = (uint64_t)sqlite3_column_int64(s, 3);
    t->calls[t->call_count++] = c;
    return 0;
}

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->correlation > y->correlation) - (x->correlation < y->correlation);
}

static int key_calls(struct reader *r, struct err *e)
{
    struct timeline *t = r->out;

    r->keys = mem_zalloc(t->call_count, sizeof *r->keys, e);
    if (!r->keys)
        return -1;
    for (size_t i = 0; i < t->call_count; i++)
        r->keys[i] = (struct key){r->processes.keys[t->calls[i].process][0], r->correlations[i], (uint32_t)i};
    array_sort(r->keys, t->call_count, sizeof *r->keys, compare_keys);
    return 0;
}

static uint32_t find_call(const struct reader *r, uint64_t process, uint64_t correlation)
{
    struct key wanted = {process, correlation, 0};
    const struct key *found = array_search(&wanted, r->keys, r->out->call_count, sizeof wanted, compare_keys);

    return found ? found->call : TIMELINE_NONE;
}

/* --- work: columns start, end, device, stream, correlation, process, and one or two more --- */

static int add_work(struct reader *r, sqlite3_stmt *s, struct timeline_work w, struct err *e)
{
    struct timeline *t = r->out;
    uint64_t device = (uint64_t)sqlite3_column_int64(s, 2), stream = (uint64_t)sqlite3_column_int64(s, 3);
    uint64_t process = (uint64_t)sqlite3_column_int64(s, 5);

    if (!read_time(r, s, &w.start_ns, &w.duration_ns))
        return 0;
    if (id_of(&r->processes, process, 0, "processes", &w.process, e) < 0 ||
        id_of(&r->gpus, process, device, "GPUs", &w.gpu, e) < 0 ||
        id_of(&r->streams, process, stream, "streams", &w.stream, e) < 0 ||
        array_reserve((void **)&t->works, &r->work_capacity, t->work_count + 1, sizeof *t->works, e) < 0)
        return -1;
    w.call = find_call(r, process, (uint64_t)sqlite3_column_int64(s, 4));
    t->works[t->work_count++] = w;
    return 0;
}

/* What a kernel of NCCL does, from its name, such as ncclDevKernel_AllReduce_Sum_f32_RING_LL. Reduce sends as
 * broadcast. */
static enum timeline_transfer transfer_of(const char *name)
{
    static const struct {
        const char *part;
        enum timeline_transfer transfer;
    } rows[] = {
        {"AllReduce", TRANSFER_ALL_REDUCE},         {"AllGather", TRANSFER_ALL_GATHER},
        {"ReduceScatter", TRANSFER_REDUCE_SCATTER}, {"Broadcast", TRANSFER_BROADCAST},
        {"SendRecv", TRANSFER_SEND_RECV},           {"Reduce", TRANSFER_BROADCAST},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(name, rows[i].part))
            return rows[i].transfer;
    return TRANSFER_UNKNOWN;
}

static int read_kernel(struct reader *r, sqlite3_stmt *s, struct err *e)
{
    const char *name = (const char *)sqlite3_column_text(s, 6);

    if (name && kernel_class_of(name) == CLASS_COLLECTIVE)
        return add_work(r, s, (struct timeline_work){.kind = TIMELINE_COLLECTIVE, .transfer = transfer_of(name)},
                        e);
    return add_work(r, s, (struct timeline_work){.kind = TIMELINE_KERNEL}, e);
}

static int read_copy(struct reader *r, sqlite3_stmt *s, struct err *e)
{
    int64_t kind = sqlite3_column_int64(s, 6), bytes = sqlite3_column_int64(s, 7);
    bool stays = kind == COPY_ARRAY_TO_ARRAY || kind == COPY_ARRAY_TO_DEVICE || kind == COPY_DEVICE_TO_ARRAY ||
                 kind == COPY_DEVICE_TO_DEVICE;
    struct timeline_work w = {.kind = stays ? TIMELINE_FILL : TIMELINE_COPY,
                              .bytes = bytes > 0 ? (uint64_t)bytes : 0};

    if (!stays)
        w.transfer = kind == COPY_HOST_TO_DEVICE || kind == COPY_HOST_TO_ARRAY   ? TRANSFER_FROM_HOST
                     : kind == COPY_DEVICE_TO_HOST || kind == COPY_ARRAY_TO_HOST ? TRANSFER_TO_HOST
                     : kind == COPY_PEER                                         ? TRANSFER_PEER
                                                                                 : TRANSFER_UNKNOWN;
    return add_work(r, s, w, e);
}

static int read_memset(struct reader *r, sqlite3_stmt *s, struct err *e)
{
    return add_work(r, s, (struct timeline_work){.kind = TIMELINE_FILL}, e);
}

/* --- waiting: columns type, stream, correlation, process --- */

static int read_sync(struct reader *r, sqlite3_stmt *s, struct err *e)
{
    struct timeline *t = r->out;
    int64_t type = sqlite3_column_int64(s, 0);
    uint64_t process = (uint64_t)sqlite3_column_int64(s, 3);
    uint32_t call = find_call(r, process, (uint64_t)sqlite3_column_int64(s, 2)), stream;

    if (call == TIMELINE_NONE || (type != SYNC_STREAM_WAITS && type != SYNC_STREAM))
        return 0;
    if (id_of(&r->streams, process, (uint64_t)sqlite3_column_int64(s, 1), "streams", &stream, e) < 0)
        return -1;
    if (type == SYNC_STREAM) {
        t->calls[call].wait = WAITS_STREAM;
        t->calls[call].stream = stream;
        return 0;
    }
    if (array_reserve((void **)&t->waits, &r->wait_capacity, t->wait_count + 1, sizeof *t->waits, e) < 0)
        return -1;
    t->waits[t->wait_count++] = (struct timeline_stream_wait){stream, call};
    return 0;
}

/* --- the whole file --- */

#define WORK         "k.start, k.end, k.deviceId, k.streamId, k.correlationId, k.globalPid"
#define WORK_COLUMNS "start", "end", "deviceId", "streamId", "correlationId", "globalPid"

static const struct source {
    const char *table, *sql;
    int (*row)(struct reader *, sqlite3_stmt *, struct err *);
    const char *columns[9]; /* that `sql` reads, then NULL */
} calls_source = {NSYS_CALLS,
                  "SELECT k.start, k.end, k.globalTid, k.correlationId, s.value FROM " NSYS_CALLS
                  " k LEFT JOIN StringIds s ON s.id = k.nameId ORDER BY k.start",
                  read_call,
                  {"start", "end", "globalTid", "correlationId", "nameId"}},
  other_sources[] = {
      {NSYS_KERNELS,
       "SELECT " WORK ", s.value FROM " NSYS_KERNELS " k LEFT JOIN StringIds s ON s.id = k.demangledName",
       read_kernel,
       {WORK_COLUMNS, "demangledName"}},
      {NSYS_COPIES,
       "SELECT " WORK ", k.copyKind, k.bytes FROM " NSYS_COPIES " k",
       read_copy,
       {WORK_COLUMNS, "copyKind", "bytes"}},
      {NSYS_MEMSETS, "SELECT " WORK ", 0 FROM " NSYS_MEMSETS " k", read_memset, {WORK_COLUMNS}},
      {NSYS_SYNCS,
       "SELECT k.syncType, k.streamId, k.correlationId, k.globalPid FROM " NSYS_SYNCS " k",
       read_sync,
       {"syncType", "streamId", "correlationId", "globalPid"}},
};

static int read_table(struct reader *r, const struct source *from, struct err *e)
{
    int there = nsys_has_table(&r->db, from->table, e);

    if (there <= 0)
        return there;
    return nsys_check_columns(&r->db, from->table, from->columns, e) < 0 ? -1
                                                                         : each_row(r, from->sql, from->row, e);
}

/* Names are read from this table. */
static int check_strings(struct reader *r, struct err *e)
{
    static const char *const columns[] = {"id", "value", NULL};
    int there = nsys_has_table(&r->db, "StringIds", e);

    if (there < 0)
        return -1;
    if (!there)
        return err_set(e, ERR_INVALID, "%s: there is no table StringIds with names", r->db.name);
    return nsys_check_columns(&r->db, "StringIds", columns, e);
}

/* The kernels of a graph that was traced as a whole are not in the report, so work would be missing. */
static int refuse_graphs(struct reader *r, struct err *e)
{
    uint64_t graphs;

    if (nsys_count_rows(&r->db, NSYS_GRAPHS, &graphs, e) < 0)
        return -1;
    if (!graphs)
        return 0;
    err_set(e, ERR_UNSUPPORTED, "%s: CUDA graphs were traced as whole graphs, so their kernels have no times",
            r->db.name);
    return err_hint(e, "Profile again with --cuda-graph-trace=node.");
}

static int read_tables(struct reader *r, struct err *e)
{
    if (check_strings(r, e) < 0 || refuse_graphs(r, e) < 0 || read_table(r, &calls_source, e) < 0)
        return -1;
    if (!r->out->call_count) {
        err_set(e, ERR_UNSUPPORTED, "%s has no calls of the CUDA API", r->db.name);
        return err_hint(e, "Profile with nsys profile --trace=cuda, and export with --type sqlite.");
    }
    if (key_calls(r, e) < 0)
        return -1;
    for (size_t i = 0; i < sizeof other_sources / sizeof *other_sources; i++)
        if (read_table(r, &other_sources[i], e) < 0)
            return -1;
    return 0;
}

static int compare_works(const void *a, const void *b)
{
    const struct timeline_work *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return (x->duration_ns > y->duration_ns) - (x->duration_ns < y->duration_ns);
}

/* GPUs in the order of their devices; of one device, in the order of processes, since each process may see only its
 * own GPU, as device 0. */
static void number_gpus(struct reader *r)
{
    const struct ids *ids = &r->gpus;
    uint32_t number[IDS_MAX] = {0};

    for (uint32_t i = 0; i < ids->count; i++)
        for (uint32_t k = 0; k < ids->count; k++)
            number[i] += ids->keys[k][1] != ids->keys[i][1] ? ids->keys[k][1] < ids->keys[i][1]
                                                            : ids->keys[k][0] < ids->keys[i][0];
    for (size_t i = 0; i < r->out->work_count; i++)
        r->out->works[i].gpu = number[r->out->works[i].gpu];
}

static void finish(struct reader *r)
{
    struct timeline *t = r->out;

    number_gpus(r);
    for (size_t i = 0; i < t->call_count; i++)
        t->calls[i].start_ns -= r->first;
    for (size_t i = 0; i < t->work_count; i++)
        t->works[i].start_ns -= r->first;
    array_sort(t->works, t->work_count, sizeof *t->works, compare_works);
    t->threads = r->threads.count;
    t->streams = r->streams.count;
    t->gpus = r->gpus.count;
    t->processes = r->processes.count;
}

int ingest_timeline(const char *path, const char *name, struct timeline *out, struct err *e)
{
    struct reader *r = mem_zalloc(1, sizeof *r, e);
    int ret = -1;

    memset(out, 0, sizeof *out);
    if (!r)
        return -1;
    r->out = out;
    r->first = INT64_MAX;
    if (nsys_database_open(&r->db, path, name, e) == 0 && read_tables(r, e) == 0) {
        finish(r);
        ret = 0;
    }
    nsys_database_close(&r->db);
    free(r->keys);
    free(r->correlations);
    free(r);
    return ret;
}
