/* Columns are found by name and other columns are ignored. Units are in the header (nsys) or in the row below it
 * (nvprof). */
#include "ingest/nsys_columns.h"

#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define UNIT_BYTES      16

/* All spellings of each column. Units in parentheses are removed before the comparison. */
static const struct {
    const char *name;
    enum nsys_column column;
} spellings[] = {
    {"Start", COLUMN_START},
    {"Kernel Start", COLUMN_START},
    {"Duration", COLUMN_DURATION},
    {"Kernel Dur", COLUMN_DURATION},
    {"API Start", COLUMN_API_START},
    {"CorrId", COLUMN_CORRELATION},
    {"Correlation_ID", COLUMN_CORRELATION},
    {"GrdX", COLUMN_GRID_X},
    {"GrdY", COLUMN_GRID_Y},
    {"GrdZ", COLUMN_GRID_Z},
    {"Grid X", COLUMN_GRID_X},
    {"Grid Y", COLUMN_GRID_Y},
    {"Grid Z", COLUMN_GRID_Z},
    {"BlkX", COLUMN_BLOCK_X},
    {"BlkY", COLUMN_BLOCK_Y},
    {"BlkZ", COLUMN_BLOCK_Z},
    {"Block X", COLUMN_BLOCK_X},
    {"Block Y", COLUMN_BLOCK_Y},
    {"Block Z", COLUMN_BLOCK_Z},
    {"GridXYZ", COLUMN_GRID},
    {"BlockXYZ", COLUMN_BLOCK},
    {"Reg/Trd", COLUMN_REGISTERS},
    {"Registers Per Thread", COLUMN_REGISTERS},
    {"StcSMem", COLUMN_SHARED_STATIC},
    {"Static SMem", COLUMN_SHARED_STATIC},
    {"DymSMem", COLUMN_SHARED_DYNAMIC},
    {"Dynamic SMem", COLUMN_SHARED_DYNAMIC},
    {"Device", COLUMN_DEVICE},
    {"DevId", COLUMN_DEVICE},
    {"Ctx", COLUMN_CONTEXT},
    {"Context", COLUMN_CONTEXT},
    {"Strm", COLUMN_STREAM},
    {"Stream", COLUMN_STREAM},
    {"PID", COLUMN_PROCESS},
    {"Name", COLUMN_NAME},
    {"Kernel Name", COLUMN_NAME},
};

/* Power of ten from the unit to ns or to bytes. */
static const struct {
    const char *name;
    int shift;
} time_units[] = {{"ns", 0}, {"nsec", 0}, {"us", 3}, {"usec", 3}, {"ms", 6}, {"msec", 6}, {"s", 9}, {"sec", 9}},
  byte_units[] = {{"B", 0}, {"byte", 0}, {"bytes", 0}, {"KB", 3}, {"MB", 6}, {"GB", 9}};

/* "StcSMem (MB)" -> "StcSMem", "MB". A byte-order mark before the first column is not part of its name. */
static void split_unit(const struct csv_field *f, char *name, size_t name_size, char unit[UNIT_BYTES])
{
    const char *text = str_starts(f->text, BYTE_ORDER_MARK) ? f->text + strlen(BYTE_ORDER_MARK) : f->text;
    const char *open = strrchr(text, '(');
    size_t n = strlen(text), u;

    unit[0] = '\0';
    if (open && text[n - 1] == ')') {
        u = strlen(open + 1) - 1;
        if (u < UNIT_BYTES) {
            memcpy(unit, open + 1, u);
            unit[u] = '\0';
        }
        n = (size_t)(open - text);
    }
    while (n > 0 && text[n - 1] == ' ')
        n--;
    if (n >= name_size)
        n = name_size - 1;
    ASSERT(n < name_size);
    memcpy(name, text, n);
    name[n] = '\0';
}

void nsys_set_unit(struct nsys_header *h, enum nsys_column c, const char *unit)
{
    ASSERT((unsigned)c < COLUMN_COUNT);
    if (c == COLUMN_START || c == COLUMN_DURATION || c == COLUMN_API_START) {
        for (size_t i = 0; i < sizeof time_units / sizeof *time_units; i++) {
            if (strcasecmp(unit, time_units[i].name) == 0) {
                h->shift[c] = time_units[i].shift;
                h->unit_known[c] = true;
            }
        }
    } else if (c == COLUMN_SHARED_STATIC || c == COLUMN_SHARED_DYNAMIC) {
        for (size_t i = 0; i < sizeof byte_units / sizeof *byte_units; i++) {
            if (strcasecmp(unit, byte_units[i].name) == 0) {
                h->shift[c] = byte_units[i].shift;
                h->unit_known[c] = true;
            }
        }
    }
}

static bool has_field(const struct csv *c, const char *name)
{
    char have[64], unit[UNIT_BYTES];

    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++) {
        split_unit(&c->fields[i], have, sizeof have, unit);
        if (strcasecmp(have, name) == 0)
            return true;
    }
    return false;
}

static void map_columns(const struct csv *c, struct nsys_header *h)
{
    char name[64], unit[UNIT_BYTES];

    for (int k = 0; k < COLUMN_COUNT; k++)
        h->at[k] = -1;
    h->field_count = c->field_count;
    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++) {
        split_unit(&c->fields[i], name, sizeof name, unit);
        for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
            if (strcasecmp(name, spellings[k].name) != 0 || h->at[spellings[k].column] >= 0)
                continue;
            h->at[spellings[k].column] = (int)i;
            nsys_set_unit(h, spellings[k].column, unit);
        }
    }
}

static bool has_all(const struct nsys_header *h, const enum nsys_column *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (h->at[wanted[i]] < 0)
            return false;
    }
    return true;
}

enum nsys_table nsys_read_header(const struct csv *c, struct nsys_header *h)
{
    static const enum nsys_column gpu[] = {COLUMN_START,   COLUMN_DURATION, COLUMN_GRID_X,
                                           COLUMN_GRID_Y,  COLUMN_GRID_Z,   COLUMN_BLOCK_X,
                                           COLUMN_BLOCK_Y, COLUMN_BLOCK_Z,  COLUMN_NAME};
    static const enum nsys_column exec[] = {COLUMN_API_START, COLUMN_START, COLUMN_DURATION,
                                            COLUMN_GRID,      COLUMN_BLOCK, COLUMN_NAME};

    map_columns(c, h);
    if (has_all(h, gpu, sizeof gpu / sizeof *gpu))
        h->table = has_field(c, "Grid X") ? TABLE_NVPROF : TABLE_GPU_TRACE;
    else if (has_all(h, exec, sizeof exec / sizeof *exec))
        h->table = TABLE_EXEC_TRACE;
    else if (has_field(c, "Total Time") || (has_field(c, "Time") && has_field(c, "Calls")))
        h->table = TABLE_SUMMARY;
    else if (h->at[COLUMN_START] >= 0 && h->at[COLUMN_DURATION] >= 0)
        h->table = TABLE_OTHER_NSYS;
    else if (c->field_count == 1 && strstr(c->fields[0].text, "Start") && strstr(c->fields[0].text, "Duration") &&
             (strchr(c->fields[0].text, ';') || strchr(c->fields[0].text, '\t')))
        h->table = TABLE_SEMICOLONS;
    else
        h->table = TABLE_NONE;
    ASSERT(!nsys_importable(h->table) || h->at[COLUMN_NAME] >= 0);
    return h->table;
}

int nsys_refuse(enum nsys_table table, const char *where, struct err *e)
{
    ASSERT(!nsys_importable(table) && table != TABLE_NONE);
    switch (table) {
    case TABLE_SUMMARY:
        err_set(e, ERR_UNSUPPORTED,
                "%s: a summary report: it has one row per kernel and no single launches, so no launch can be "
                "sampled from it",
                where);
        return err_hint(e, "Export the trace report: nsys stats --report cuda_gpu_trace --format csv --output "
                           "report report.nsys-rep");
    case TABLE_SEMICOLONS:
        err_set(e, ERR_UNSUPPORTED,
                "%s: the columns are not separated by commas, so another program has rewritten "
                "this report",
                where);
        return err_hint(e, "Use the file that nsys stats wrote, unchanged.");
    default:
        err_set(e, ERR_UNSUPPORTED, "%s: a trace report without grids and blocks: it does not list kernel launches",
                where);
        return err_hint(
            e,
            "Export this report: nsys stats --report cuda_gpu_trace --format csv --output report report.nsys-rep");
    }
}

bool nsys_importable(enum nsys_table t)
{
    return t == TABLE_GPU_TRACE || t == TABLE_EXEC_TRACE || t == TABLE_NVPROF;
}
