/* Copies of tensor boxes (cp.async.bulk.tensor) from global to shared memory, back, and as reductions. They
 * complete at once. Elements outside the tensor read as zero or NaN and are not written. Source: NVIDIA, PTX ISA
 * 9.0, sections 5.5 (tensors, boxes, patterns) and 9.7.9.27. */
#include <string.h>

#include "ptx/ops/exec_bulk.h"
#include "ptx/ops/exec_observe.h"
#include "ptx/memory/tensor_map.h"

enum { BOX_ALIGN = 128, PIECE = 16, ROW_MAX = 256 * 8 };

/* One lane's copy of one box. */
struct box {
    struct ptx_warp *w;
    const struct ptx_op *op;
    uint32_t lane;
    struct ptx_tensor_map map;
    int32_t at[PTX_TENSOR_DIMS]; /* coordinates of the box's first element */
    uint8_t *shared;             /* shared memory of the CTA that contains the box */
    uint32_t first;              /* offset of the box in it */
    uint32_t row_bytes, pitch;
    bool reports; /* rows are reported to the observer */
    struct ptx_observed_copy reported;
};

/* --- the map, the coordinates --- */

static int read_map(struct box *b, const struct ptx_access *a)
{
    const uint8_t *bytes =
        ptx_bulk_reach(b->w, a, b->lane, PTX_NONE, PTX_TENSOR_MAP_BYTES, PTX_TENSOR_MAP_ALIGN, PTX_READS, NULL);
    struct err why;

    if (!bytes)
        return -1;
    if (ptx_tensor_map_read(bytes, &b->map, &why))
        return ptx_fault(b->w, 1u << b->lane, "%s", why.text);
    if (b->map.rank != a->value_count)
        return ptx_fault(b->w, 1u << b->lane,
                         "the instruction has %u coordinates, and the tensor has %u dimensions", a->value_count,
                         b->map.rank);
    for (uint32_t k = 0; k < PTX_TENSOR_DIMS; k++) {
        b->at[k] = 0;
        if (k < b->map.rank)
            memcpy(&b->at[k], ptx_row(b->w, a->values[k]) + (size_t)b->lane * 4, 4);
    }
    b->row_bytes = b->map.box[0] * ptx_tensor_element_bytes(&b->map);
    b->pitch = ptx_tensor_pitch(&b->map);
    return 0;
}

static uint64_t rows_of(const struct ptx_tensor_map *m)
{
    uint64_t n = 1;

    for (uint32_t k = 1; k < m->rank; k++)
        n *= ptx_tensor_count(m, k);
    return n;
}

/* Finds the box in shared memory. Swizzle patterns count from the begin of the CTA's window. */
static int find_shared(struct box *b, uint32_t cta, enum ptx_use use)
{
    const struct ptx_access *a = &b->w->code->accesses[b->op->access];
    uint64_t bytes = rows_of(&b->map) * b->pitch;
    uint8_t *at;

    if (bytes > PTX_WINDOW_BYTES)
        return ptx_fault(b->w, 1u << b->lane, "the box has %llu bytes, more than the limit",
                         (unsigned long long)bytes);
    at = ptx_bulk_reach(b->w, a, b->lane, cta, (uint32_t)bytes, BOX_ALIGN, use, &b->first);
    if (!at)
        return -1;
    b->shared = at - b->first;
    return 0;
}

/* --- rows --- */

/* The elements of a row that are inside the tensor, from *first on. Returns their number. *address: that of the
 * first. */
static uint32_t inside(const struct box *b, const uint32_t number[PTX_TENSOR_DIMS], uint32_t *first,
                       uint64_t *address)
{
    const struct ptx_tensor_map *m = &b->map;
    int64_t begin = b->at[0], end = begin + m->box[0];

    *address = m->address;
    for (uint32_t k = 1; k < m->rank; k++) {
        int64_t c = b->at[k] + (int64_t)number[k] * m->steps[k];

        if (c < 0 || (uint64_t)c >= m->dims[k])
            return 0;
        *address += (uint64_t)c * m->strides[k];
    }
    begin = begin < 0 ? 0 : begin;
    end = end > (int64_t)m->dims[0] ? (int64_t)m->dims[0] : end;
    if (end <= begin)
        return 0;
    *first = (uint32_t)(begin - b->at[0]);
    *address += (uint64_t)begin * m->strides[0];
    return (uint32_t)(end - begin);
}

static uint8_t *global_row(const struct box *b, uint64_t address, uint32_t bytes, enum ptx_use use)
{
    const struct ptx_access global = {
        .space = PTX_SPACE_GLOBAL, .base = PTX_NO_ROW, .offset = (int64_t)address, .type = PTX_B8, .vector = 1};

    return ptx_bulk_reach(b->w, &global, b->lane, PTX_NONE, bytes, ptx_tensor_element_bytes(&b->map), use, NULL);
}

/* Flushes subnormals to zeros of the same sign, for types with flush. */
static void flush(const struct ptx_tensor_map *m, uint8_t *row, uint32_t count)
{
    if (m->type != PTX_TENSOR_F32_FTZ && m->type != PTX_TENSOR_TF32_FTZ)
        return;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t v;

        memcpy(&v, row + (size_t)k * 4, sizeof v);
        if (!(v & 0x7f800000))
            v &= 0x80000000;
        memcpy(row + (size_t)k * 4, &v, sizeof v);
    }
}

/* Fills a row with the type's canonical NaN, or with zeros. */
static void fill(const struct ptx_tensor_map *m, uint8_t *row, uint32_t bytes)
{
    const uint64_t nan = ptx_tensor_element_bytes(m) == 2   ? 0x7fff
                         : ptx_tensor_element_bytes(m) == 4 ? 0x7fffffff
                                                            : 0x7fffffffffffffff;

    memset(row, 0, bytes);
    for (uint32_t k = 0; m->fill_nan && k < bytes; k += ptx_tensor_element_bytes(m))
        memcpy(row + k, &nan, ptx_tensor_element_bytes(m));
}

/* Moves a row between shared memory and `row`, in pieces of the swizzle pattern. */
static void move_row(const struct box *b, uint32_t number, uint8_t *row, bool to_shared)
{
    for (uint32_t k = 0; k < b->row_bytes; k += PIECE) {
        uint8_t *piece = b->shared + ptx_tensor_place(&b->map, b->first + number * b->pitch + k);

        memcpy(to_shared ? piece : row + k, to_shared ? row + k : piece, PIECE);
    }
}

static int load_row(struct box *b, uint32_t number, const uint32_t place[PTX_TENSOR_DIMS])
{
    uint32_t size = ptx_tensor_element_bytes(&b->map), first, n;
    uint8_t row[ROW_MAX], *from;
    uint64_t address;

    n = inside(b, place, &first, &address);
    if (b->reports)
        ptx_report_row(&b->reported, address, (uint64_t)n * size);
    fill(&b->map, row, b->row_bytes);
    if (n) {
        if (!(from = global_row(b, address, n * size, PTX_READS)))
            return -1;
        memcpy(row + (size_t)first * size, from, (size_t)n * size);
        flush(&b->map, row + (size_t)first * size, n);
    }
    move_row(b, number, row, true);
    return 0;
}

/* The type that atomics use for a tensor type. */
static uint8_t type_of(const struct ptx_tensor_map *m)
{
    static const uint8_t types[PTX_TENSOR_TYPE_COUNT] = {PTX_U8,  PTX_U16, PTX_U32, PTX_S32, PTX_U64,
                                                         PTX_S64, PTX_F16, PTX_F32, PTX_F64, PTX_BF16,
                                                         PTX_F32, PTX_F32, PTX_F32};

    return types[m->type];
}

static int store_row(struct box *b, uint32_t number, const uint32_t place[PTX_TENSOR_DIMS])
{
    const struct ptx_access *a = &b->w->code->accesses[b->op->access];
    uint32_t size = ptx_tensor_element_bytes(&b->map), first, n;
    bool reduces = a->what == PTX_TENSOR_REDUCE;
    uint8_t row[ROW_MAX], *to;
    uint64_t address;

    n = inside(b, place, &first, &address);
    if (!n)
        return 0;
    if (b->reports)
        ptx_report_row(&b->reported, address, (uint64_t)n * size);
    move_row(b, number, row, false);
    if (!(to = global_row(b, address, n * size, reduces ? PTX_CHANGES : PTX_WRITES)))
        return -1;
    flush(&b->map, row + (size_t)first * size, n);
    if (reduces)
        ptx_atomic_reduce((uint8_t)b->op->args.imm, type_of(&b->map), true, to, row + (size_t)first * size, n);
    else
        memcpy(to, row + (size_t)first * size, (size_t)n * size);
    return 0;
}

/* --- the box --- */

static int each_row(struct box *b, bool loads)
{
    uint32_t place[PTX_TENSOR_DIMS] = {0}, rows = (uint32_t)rows_of(&b->map); /* fits: find_shared() checked */

    for (uint32_t number = 0; number < rows; number++) {
        if ((loads ? load_row(b, number, place) : store_row(b, number, place)) != 0)
            return -1;
        for (uint32_t k = 1; k < b->map.rank && ++place[k] == ptx_tensor_count(&b->map, k); k++)
            place[k] = 0;
    }
    b->w->cta->stores++;
    return 0;
}

/* cta: rank of the destination CTA in the cluster; PTX_NONE: given by the address. All bytes of the box are
 * counted, including those outside the tensor. */
static int load(struct box *b, uint32_t cta)
{
    const struct ptx_access *a = &b->w->code->accesses[b->op->access];

    if (find_shared(b, cta, PTX_WRITES) != 0 || each_row(b, true) != 0)
        return -1;
    return ptx_mbarrier_complete(b->w, &a[2], b->lane, cta, (uint32_t)rows_of(&b->map) * b->row_bytes);
}

/* Returns true if the type supports the reduction. Bitwise operations and wrapping counters need integers. */
static bool can_reduce(const struct box *b)
{
    uint8_t what = (uint8_t)b->op->args.imm;
    bool sums = what == PTX_ATOM_ADD || what == PTX_ATOM_MIN || what == PTX_ATOM_MAX;

    return (sums || b->map.type < PTX_TENSOR_F16) && ptx_atomic_known(what, type_of(&b->map));
}

static int store(struct box *b)
{
    const struct ptx_access *a = &b->w->code->accesses[b->op->access];

    if (a->what == PTX_TENSOR_REDUCE && !can_reduce(b))
        return ptx_fault(b->w, 1u << b->lane, "this reduction does not support the tensor's element type %u",
                         b->map.type);
    return find_shared(b, PTX_NONE, PTX_READS) != 0 ? -1 : each_row(b, false);
}

/* Copies a lane's box to the CTAs of the bit mask `ctas`; 0: to the address. The rows are reported only once. */
static int copy(struct box *b, const struct ptx_access *a, uint32_t ctas)
{
    bool loads = a->what == PTX_TENSOR_LOAD, reported = ptx_is_observed(b->w);

    b->reports = reported;
    if (reported)
        ptx_report_copy(&b->reported, b->w, b->lane, loads ? &a[2] : NULL, rows_of(&b->map) * b->row_bytes, ctas);
    if (!ctas && (loads ? load(b, PTX_NONE) : store(b)) != 0)
        return -1;
    for (; ctas; ctas &= ctas - 1) {
        if (load(b, ptx_first_lane(ctas)) != 0)
            return -1;
        b->reports = false;
    }
    if (reported)
        ptx_report_copied(&b->reported);
    return 0;
}

int ptx_do_tensor(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];

    for (; mask; mask &= mask - 1) {
        struct box b = {.w = w, .op = op, .lane = ptx_first_lane(mask)};
        bool many = a->what == PTX_TENSOR_LOAD && op->args.src[1] != PTX_NO_ROW;
        uint32_t ctas = many ? ptx_bulk_ctas(w, op, b.lane) : 0;

        if (read_map(&b, &a[1]) != 0)
            return -1;
        if ((!many || ctas) && copy(&b, a, ctas) != 0)
            return -1;
    }
    return 0;
}
