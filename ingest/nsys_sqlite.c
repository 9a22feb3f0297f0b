/* Reads the SQLite file of `nsys export --type sqlite`, all schemas. Columns are found by name, and tables may be
 * absent. */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/assert.h"
#include "base/text.h"
#include "ingest/nsys_ranges.h"
#include "ingest/nsys_strings.h"

/* The columns that are read. All schemas have the required ones. `end` and the ids may be NULL. */
enum column {
    START,
    END,
    DEVICE,
    CONTEXT,
    STREAM,
    CORRELATION,
    PROCESS,
    NAME,
    MANGLED,
    REGISTERS,
    GRID_X,
    GRID_Y,
    GRID_Z,
    BLOCK_X,
    BLOCK_Y,
    BLOCK_Z,
    SHARED_STATIC,
    SHARED_DYNAMIC,
    GRAPH_NODE,
    COLUMN_COUNT
};
static const struct {
    const char *name;
    bool required;
} columns[COLUMN_COUNT] = {
    [START] = {"start", true},
    [END] = {"end", true},
    [DEVICE] = {"deviceId", true},
    [CONTEXT] = {"contextId", true},
    [STREAM] = {"streamId", true},
    [CORRELATION] = {"correlationId", false},
    [PROCESS] = {"globalPid", false},
    [NAME] = {"demangledName", true},
    [MANGLED] = {"mangledName", false},
    [REGISTERS] = {"registersPerThread", false},
    [GRID_X] = {"gridX", true},
    [GRID_Y] = {"gridY", true},
    [GRID_Z] = {"gridZ", true},
    [BLOCK_X] = {"blockX", true},
    [BLOCK_Y] = {"blockY", true},
    [BLOCK_Z] = {"blockZ", true},
    [SHARED_STATIC] = {"staticSharedMemory", false},
    [SHARED_DYNAMIC] = {"dynamicSharedMemory", false},
    [GRAPH_NODE] = {"graphNodeId", false},
};

struct nsys {
    struct import *im;
    struct nsys_database db;
    struct nsys_strings strings;
    bool has_column[COLUMN_COUNT];
};

/* --- the columns of the kernel table --- */

static int note_column(struct nsys *n, const char *name, struct err *e)
{
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (name && sqlite3_stricmp(name, columns[c].name) == 0)
            n->has_column[c] = true;
    }
    return name ? 0 : err_no_memory(e);
}

static int read_columns(struct nsys *n, struct err *e)
{
    sqlite3_stmt *s = NULL;
    int ret = -1, status;

    if (nsys_prepare(&n->db, &s, "PRAGMA table_xinfo(" NSYS_KERNELS ")", e) < 0)
        goto out;
    while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        if (sqlite3_column_int(s, 6) != 0) { /* hidden or generated column */
            err_set(e, ERR_INVALID, "%s: the kernel table has computed columns, which no export of nsys has",
                    n->db.name);
            goto out;
        }
        if (note_column(n, (const char *)sqlite3_column_text(s, 1), e) < 0)
            goto out;
    }
    if (status != SQLITE_DONE) {
        nsys_failed(&n->db, e);
        goto out;
    }
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (columns[c].required && !n->has_column[c]) {
            err_set(e, ERR_UNSUPPORTED, "%s: the kernel table has no column %s", n->db.name, columns[c].name);
            err_hint(e, "Export the report again with nsys 2021.4 or later.");
            goto out;
        }
    }
    ret = 0;
out:
    sqlite3_finalize(s);
    return ret;
}

/* --- version, GPUs, CUDA graphs --- */

static int read_version(struct nsys *n, struct err *e)
{
    static const char *const tables[] = {"META_DATA_EXPORT", "EXPORT_META_DATA"};
    struct import_report *r = n->im->report;

    for (size_t i = 0; i < 2 && !r->schema[0]; i++) {
        sqlite3_stmt *s = NULL;
        char sql[120];
        int there = nsys_has_table(&n->db, tables[i], e);

        if (there < 0)
            return -1;
        if (!there)
            continue;
        snprintf(sql, sizeof sql, "SELECT value FROM %s WHERE name = 'EXPORT_SCHEMA_VERSION'", tables[i]);
        if (nsys_prepare(&n->db, &s, sql, e) < 0)
            return -1;
        if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0)) {
            snprintf(r->schema, sizeof r->schema, "%.32s", (const char *)sqlite3_column_text(s, 0));
            text_sanitize(r->schema);
        }
        sqlite3_finalize(s);
    }
    return 0;
}

static int read_gpu_rows(struct nsys *n, sqlite3_stmt *s, struct err *e)
{
    int status;

    while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 1);

        if (name)
            import_gpu_name(n->im, sqlite3_column_int64(s, 0), name, (size_t)sqlite3_column_bytes(s, 1));
        import_gpu_clock(n->im, sqlite3_column_int64(s, 0), sqlite3_column_double(s, 2));
    }
    return status == SQLITE_DONE ? 0 : nsys_failed(&n->db, e);
}

#define CUDA_NUMBER "CASE WHEN cuDevice IS NULL THEN id ELSE cuDevice END"
/* Kernels name a GPU by its CUDA number. The table's id may count differently, but old schemas have only the id.
 * clockRate is the peak clock in Hz (comment of its column; NVIDIA's forum, topic 360987). */
static int read_gpus(struct nsys *n, struct err *e)
{
    static const char *const shapes[] = {CUDA_NUMBER ", name, clockRate", CUDA_NUMBER ", name, 0",
                                         "id, name, clockRate", "id, name, 0"};
    sqlite3_stmt *s = NULL;
    int there = nsys_has_table(&n->db, "TARGET_INFO_GPU", e), ret;
    char sql[160];

    if (there <= 0)
        return there;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !s; i++) {
        snprintf(sql, sizeof sql, "SELECT %s FROM TARGET_INFO_GPU", shapes[i]);
        sqlite3_prepare_v2(n->db.sqlite, sql, -1, &s, NULL);
    }
    if (!s)
        return 0; /* unknown columns: the GPU has no name, and the report says it */
    ret = read_gpu_rows(n, s, e);
    sqlite3_finalize(s);
    return ret;
}

/* --- kernels --- */

/* One SELECT with all columns in a fixed order. A column that this schema does not have reads as NULL. */
static int prepare_kernels(struct nsys *n, sqlite3_stmt **out, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret;

    ASSERT(n->has_column[START] && n->has_column[END] && n->has_column[NAME]);
    strbuf_adds(&b, "SELECT ");
    for (int c = 0; c < COLUMN_COUNT; c++)
        strbuf_addf(&b, n->has_column[c] ? "%s\"%s\"" : "%sNULL", c ? ", " : "", columns[c].name);
    strbuf_adds(&b, " FROM " NSYS_KERNELS);
    ret = b.failed ? err_no_memory(e) : nsys_prepare(&n->db, out, b.text, e);
    strbuf_release(&b);
    return ret;
}

static bool present(sqlite3_stmt *s, enum column c)
{
    return sqlite3_column_type(s, c) == SQLITE_INTEGER;
}

static void read_numbers(sqlite3_stmt *s, struct import_launch *l)
{
    for (int i = 0; i < 3; i++) {
        l->grid[i] = sqlite3_column_int64(s, GRID_X + i);
        l->block[i] = sqlite3_column_int64(s, BLOCK_X + i);
    }
    l->device = sqlite3_column_int64(s, DEVICE);
    l->context = (uint64_t)sqlite3_column_int64(s, CONTEXT);
    l->stream = (uint64_t)sqlite3_column_int64(s, STREAM);
    l->process = (uint64_t)sqlite3_column_int64(s, PROCESS);
    l->registers = sqlite3_column_int64(s, REGISTERS);
    l->correlation = (uint64_t)sqlite3_column_int64(s, CORRELATION);
    l->has_correlation = l->correlation != 0 || present(s, CORRELATION);
    l->graph = sqlite3_column_int64(s, GRAPH_NODE) != 0; /* NULL or 0 outside graphs */
    if (__builtin_add_overflow(sqlite3_column_int64(s, SHARED_STATIC), sqlite3_column_int64(s, SHARED_DYNAMIC),
                               &l->shared_bytes))
        l->shared_bytes = -1;
}

/* Reads start, end and name. False: the row was dropped because of one of them. */
static int read_rest(struct nsys *n, sqlite3_stmt *s, struct import_launch *l, struct err *e)
{
    const struct nsys_string *name, *mangled;
    unsigned long long row = l->number;

    ASSERT_HOT(l->number > 0 && !l->name);
    if (!present(s, START)) {
        import_drop(n->im, DROP_NO_START_TIME, "row %llu", row);
        return 0;
    }
    l->start_ns = sqlite3_column_int64(s, START);
    if (nsys_string_get(&n->strings, sqlite3_column_int64(s, NAME), &name, e) < 0)
        return -1;
    if (name->too_long) {
        import_drop(n->im, DROP_NAME_TOO_LONG, "row %llu: string %lld", row, (long long)name->id);
        return 0;
    }
    l->name = name->name;
    if (!present(s, END) || (sqlite3_column_int64(s, END) == 0 && l->start_ns > 0)) {
        import_drop(n->im, DROP_NO_END_TIME, "row %llu: %s", row, l->name ? l->name->text : "");
        return 0;
    }
    if (__builtin_sub_overflow(sqlite3_column_int64(s, END), l->start_ns, &l->value)) {
        import_drop(n->im, DROP_TIME_RANGE, "row %llu: %s", row, l->name ? l->name->text : "");
        return 0;
    }
    /* The second lookup may move `name`, so it is not used after this line. */
    if (present(s, MANGLED)) {
        if (nsys_string_get(&n->strings, sqlite3_column_int64(s, MANGLED), &mangled, e) < 0)
            return -1;
        l->mangled = mangled->name;
    }
    return 1;
}

static int read_kernels(struct nsys *n, struct err *e)
{
    sqlite3_stmt *s = NULL;
    uint64_t rows = 0;
    int ret = -1, status;

    if (prepare_kernels(n, &s, e) < 0)
        goto out;
    while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        struct import_launch l = {.place = "row", .number = ++rows, .has_shape = true, .has_stream = true};
        int use = nsys_check_row_count(&n->db, rows, e) < 0 ? -1 : read_rest(n, s, &l, e);

        if (use < 0)
            goto out;
        if (use) {
            read_numbers(s, &l);
            if (import_launch(n->im, &l, e) < 0)
                goto out;
        }
        if (rows % 8192 == 0)
            import_progress(n->im, nsys_bytes_read(&n->db));
    }
    ASSERT(n->im->launches_seen <= rows);
    ret = status == SQLITE_DONE ? 0 : nsys_failed(&n->db, e);
out:
    sqlite3_finalize(s);
    return ret;
}

/* --- the whole file --- */

static int refuse_foreign(struct nsys *n, struct err *e)
{
    int strings = nsys_has_table(&n->db, "StringIds", e), meta = nsys_has_table(&n->db, "META_DATA_EXPORT", e),
        old_meta = nsys_has_table(&n->db, "EXPORT_META_DATA", e);

    if (strings < 0 || meta < 0 || old_meta < 0)
        return -1;
    if (strings || meta || old_meta)
        return 0;
    err_set(e, ERR_UNSUPPORTED, "%s: a SQLite database, but not one that nsys export writes", n->db.name);
    return err_hint(e, "Export the report: nsys export --type sqlite --output report.sqlite report.nsys-rep");
}

static int refuse_no_kernels(const struct nsys *n, uint64_t graphs, struct err *e)
{
    ASSERT(n->im->report->accepted == 0);
    if (graphs > 0) {
        err_set(e, ERR_INVALID,
                "%s: no GPU kernels in this report: its %llu CUDA graph launches were traced as whole "
                "graphs",
                n->db.name, (unsigned long long)graphs);
        return err_hint(e, "Profile again with: nsys profile --cuda-graph-trace=node ...");
    }
    err_set(e, ERR_INVALID, "%s: no GPU kernels in this report", n->db.name);
    return err_hint(
        e, "Profile with CUDA tracing on (nsys profile --trace=cuda ...), and let the program end or flush "
           "before the profile is taken.");
}

static int nsys_read(struct nsys *n, struct err *e)
{
    uint64_t graphs;
    int there;

    if (nsys_database_open(&n->db, n->im->path, n->im->name, e) < 0 || refuse_foreign(n, e) < 0 ||
        read_version(n, e) < 0 || read_gpus(n, e) < 0 || nsys_count_rows(&n->db, NSYS_GRAPHS, &graphs, e) < 0)
        return -1;
    there = nsys_has_table(&n->db, NSYS_KERNELS, e);
    if (there <= 0)
        return there < 0 ? -1 : refuse_no_kernels(n, graphs, e);
    there = nsys_has_table(&n->db, "StringIds", e);
    if (there < 0)
        return -1;
    if (!there)
        return err_set(e, ERR_INVALID, "%s: kernels but no table StringIds with their names", n->db.name);
    if (read_columns(n, e) < 0 || nsys_strings_begin(&n->strings, n->im, &n->db, e) < 0)
        return -1;
    there = nsys_has_ranges(&n->db, e);
    if (there < 0 || (there && import_ranges_begin(n->im, e) < 0) || read_kernels(n, e) < 0 ||
        (there && nsys_read_ranges(&n->db, &n->strings, n->im, e) < 0))
        return -1;
    n->im->report->bytes_read = n->db.file_bytes;
    if (n->im->launches_seen == 0 && n->im->report->dropped_count == 0)
        return refuse_no_kernels(n, graphs, e);
    if (graphs > 0)
        import_warn(
            n->im, "cuda_graphs", graphs,
            "CUDA graphs were traced as whole graphs: the kernels of %llu graph launches are missing, so the "
            "total is too small. Profile again with --cuda-graph-trace=node.",
            (unsigned long long)graphs);
    return 0;
}

int nsys_sqlite_import(struct import *im, struct err *e)
{
    struct nsys n = {.im = im};
    int ret = nsys_read(&n, e);

    nsys_strings_release(&n.strings);
    nsys_database_close(&n.db);
    return ret;
}
