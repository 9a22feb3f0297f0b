#include "simcore/trace/accel_sim_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/trace/fields.h"

#define ROWS_MAX 65536u /* rows of one copy: 8 MiB as lines of 128 bytes, more than shared memory holds */

/* --- rows --- */

static uint64_t *add_row(struct line_records *r, uint32_t fields, struct err *e)
{
    void *p = r->values;
    uint64_t *row;

    if (r->count == ROWS_MAX) {
        err_set(e, ERR_TOO_LARGE, "a copy of more than %u separate pieces", ROWS_MAX);
        return NULL;
    }
    if (array_reserve(&p, &r->capacity, ((size_t)r->count + 1) * fields, sizeof *r->values, e) < 0)
        return NULL;
    r->values = p;
    r->fields = fields;
    row = r->values + (size_t)r->count++ * fields;
    memset(row, 0, fields * sizeof *row);
    return row;
}

uint32_t line_records_at(const struct line_records *r, uint32_t i, struct address_set *out)
{
    const uint64_t *row = r->values + (size_t)i * r->fields;

    out->is_list = true;
    out->base = row[0];
    out->stride = 0;
    out->lanes[0] = row[0];
    for (uint32_t k = 1; k < r->fields; k++)
        out->lanes[k] = row[0] + row[k];
    return (1u << r->fields) - 1;
}

void line_records_release(struct line_records *r)
{
    free(r->values);
    *r = (struct line_records){0};
}

/* --- opcodes --- */

static bool contains(const char *opcode, size_t n, const char *part)
{
    return memmem(opcode, n, part, strlen(part)) != NULL;
}

static bool begins(const char *opcode, size_t n, const char *part)
{
    size_t m = strlen(part);

    return n >= m && memcmp(opcode, part, m) == 0;
}

bool opcode_is_bulk_copy(const char *opcode, size_t n)
{
    static const char *const names[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG", "UBLKCP", "UBLKPF", "UBLKRED"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (contains(opcode, n, names[i]))
            return true;
    return false;
}

bool opcode_is_barrier(const char *opcode, size_t n)
{
    return begins(opcode, n, "SYNCS.") || begins(opcode, n, "ARRIVES.LDGSTSBAR");
}

/* --- barriers --- */

/* Converts a shared address to the form that fields use. An address in another CTA of the cluster has that CTA's
 * rank in bits 24 to 27, as `mapa` returns it. UINT64_MAX: not a shared address. */
static uint64_t shared_place(const struct line_format *f, uint64_t address)
{
    uint64_t offset = address >= f->shared_base ? address - f->shared_base : address;
    uint64_t own = offset % WINDOW_BYTES, rank = offset / WINDOW_BYTES;

    if (own >> FIELDS_RANK_SHIFT || rank > 15)
        return UINT64_MAX;
    return rank ? own + ((rank + 1) << FIELDS_RANK_SHIFT) : own;
}

/* The barrier operation of one lane, from the opcode and the value of its second source. */
struct deed {
    bool known;
    enum barrier_what what;
    uint64_t count;
    int64_t bytes;
};

static struct deed arrive(const char *opcode, size_t n, uint64_t value)
{
    struct deed d = {.known = true, .what = BARRIER_ARRIVE};

    if (contains(opcode, n, ".ART0"))
        d.count = value;
    else if (contains(opcode, n, ".A1T0"))
        d.count = 1;
    else if (contains(opcode, n, ".A0TR"))
        d.bytes = (int64_t)(uint32_t)value;
    else if (contains(opcode, n, ".A0T1"))
        d.bytes = 1;
    else if (contains(opcode, n, ".A0TX"))
        d.bytes = -(int64_t)(uint32_t)value;
    else
        d = (struct deed){.known = true, .what = BARRIER_ARRIVE, .count = 1, .bytes = (int64_t)(uint32_t)value};
    return d;
}

/* The number of arrivals that a phase waits for. Bits 1 to 20 of the value hold 2^20 minus this number. */
static uint64_t arrivals_of(uint64_t value)
{
    return ((1u << 20) - (value >> 1 & 0xfffff)) & 0xfffff;
}

static struct deed deed_of(const char *opcode, size_t n, bool has_value, uint64_t value)
{
    if (begins(opcode, n, "SYNCS.CCTL.IV"))
        return (struct deed){.known = true, .what = BARRIER_INVALIDATE};
    if (begins(opcode, n, "ARRIVES.LDGSTSBAR")) /* .ARVCNT: cp.async.mbarrier.arrive.noinc */
        return (struct deed){.known = true,
                             .what = contains(opcode, n, ".ARVCNT") ? BARRIER_ARRIVE : BARRIER_ARRIVE_MORE,
                             .count = 1};
    if (!has_value)
        return (struct deed){.known = false};
    if (begins(opcode, n, "SYNCS.EXCH.64"))
        return (struct deed){.known = true, .what = BARRIER_INIT, .count = arrivals_of(value)};
    if (begins(opcode, n, "SYNCS.PHASECHK.TRANS64"))
        return (struct deed){.known = true, .what = BARRIER_WAIT, .count = value & 1};
    if (begins(opcode, n, "SYNCS.ARRIVE"))
        return arrive(opcode, n, value);
    return (struct deed){.known = false};
}

static uint64_t address_of(const struct address_set *a, uint32_t mask, unsigned lane)
{
    unsigned first = (unsigned)__builtin_ctz(mask);

    return a->is_list ? a->lanes[lane] : a->base + (uint64_t)a->stride * (lane - first);
}

/* The row of this barrier, if an earlier lane used the same barrier; else NULL. */
static uint64_t *find_row(const struct line_records *r, uint64_t place)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->values[(size_t)i * r->fields] == place)
            return r->values + (size_t)i * r->fields;
    return NULL;
}

int fields_of_barrier(const char *opcode, size_t n, uint32_t mask, const struct address_set *addresses,
                      const struct line_values *v, uint32_t second, const struct line_format *f,
                      struct line_records *out, struct err *e)
{
    out->count = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        bool has_value = v->recorded && second < v->groups;
        struct deed d = deed_of(opcode, n, has_value, has_value ? v->value[second][lane] : 0);
        uint64_t place = shared_place(f, address_of(addresses, mask, lane)), *row;

        if (!d.known || place == UINT64_MAX) {
            out->count = 0;
            return 0;
        }
        row = find_row(out, place);
        if (!row) {
            row = add_row(out, BARRIER_FIELDS, e);
            if (!row)
                return -1;
            row[BARRIER_ADDRESS] = place;
            row[BARRIER_WHAT] = d.what;
        }
        row[BARRIER_LANES] |= 1u << lane;
        if (d.what == BARRIER_INIT || d.what == BARRIER_WAIT) /* all lanes have the same value */
            row[BARRIER_COUNT] = d.count;
        else
            row[BARRIER_COUNT] += d.count;
        row[BARRIER_BYTES] += (uint64_t)d.bytes;
    }
    return 0;
}

/* --- copies --- */

struct copy_rows {
    struct line_records *out;
    uint64_t *part; /* the row of fields to which rows of the copy are added; NULL: none yet */
    uint64_t lines; /* lines that the part touches */
    uint64_t left;  /* bytes that the barrier counts and that no part reports yet */
    uint64_t lanes, barrier, ctas;
};

static uint64_t lines_of(uint64_t address, uint64_t bytes)
{
    return (address % COPY_LINE_BYTES + bytes + COPY_LINE_BYTES - 1) / COPY_LINE_BYTES;
}

static int begin_part(struct copy_rows *r, struct err *e)
{
    if (r->part) {
        uint64_t bytes = r->part[COPY_ROWS] * r->part[COPY_ROW_BYTES];

        r->part[COPY_REPORTED_BYTES] = bytes < r->left ? bytes : r->left;
        r->left -= r->part[COPY_REPORTED_BYTES];
        r->part[COPY_MORE] = 1;
    }
    r->part = add_row(r->out, COPY_FIELDS, e);
    if (!r->part)
        return -1;
    r->part[COPY_LANES] = r->lanes;
    r->part[COPY_BARRIER] = r->barrier;
    r->part[COPY_CTAS] = r->ctas;
    r->lines = 0;
    return 0;
}

/* Whether this row continues the rows of the part at the same stride. */
static bool goes_on(struct copy_rows *r, uint64_t address, uint64_t bytes)
{
    uint64_t *p = r->part;

    if (!p || !p[COPY_ROWS] || p[COPY_ROW_BYTES] != bytes || r->lines + lines_of(address, bytes) > COPY_LINES_MAX)
        return false;
    if (p[COPY_ROWS] == 1)
        p[COPY_STRIDE] = address - p[COPY_ADDRESS];
    return address == p[COPY_ADDRESS] + p[COPY_ROWS] * p[COPY_STRIDE];
}

static int add_piece(struct copy_rows *r, uint64_t address, uint64_t bytes, struct err *e)
{
    if (!goes_on(r, address, bytes)) {
        if (begin_part(r, e) < 0)
            return -1;
        r->part[COPY_ADDRESS] = address;
        r->part[COPY_ROW_BYTES] = bytes;
    }
    r->part[COPY_ROWS]++;
    r->lines += lines_of(address, bytes);
    return 0;
}

/* A part touches at most COPY_LINES_MAX lines. */
static int add_run(struct copy_rows *r, uint64_t address, uint64_t bytes, struct err *e)
{
    while (bytes) {
        uint64_t most = (uint64_t)COPY_LINES_MAX * COPY_LINE_BYTES - address % COPY_LINE_BYTES;
        uint64_t piece = bytes < most ? bytes : most;

        if (add_piece(r, address, piece, e) < 0)
            return -1;
        address += piece;
        bytes -= piece;
    }
    return 0;
}

int fields_of_copy(const struct bulk_copy *c, uint32_t mask, const struct line_format *f, struct line_records *out,
                   struct err *e)
{
    struct copy_rows r = {.out = out, .left = c->bytes, .lanes = mask, .ctas = c->ctas};
    uint64_t place = c->barrier ? shared_place(f, c->barrier) : 0, first = 0, bytes = 0;

    out->count = 0;
    if (place == UINT64_MAX)
        return 0;
    r.barrier = c->barrier ? place + 1 : 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (bytes && c->addresses[i] == first + bytes) {
            bytes += c->element;
            continue;
        }
        if (add_run(&r, first, bytes, e) < 0)
            return -1;
        first = c->addresses[i];
        bytes = c->element;
    }
    if (add_run(&r, first, bytes, e) < 0 || (!r.part && begin_part(&r, e) < 0))
        return -1;
    r.part[COPY_REPORTED_BYTES] = r.left;
    return 0;
}
