#include "ptx/memory/tensor_map.h"

#include <stddef.h>
#include <string.h>

/* Little-endian, as all device memory is. */
struct layout {
    char magic[8];
    uint64_t address;
    uint64_t strides[PTX_TENSOR_DIMS - 1];
    uint32_t last[PTX_TENSOR_DIMS]; /* of each dimension: its size minus 1, because the size may be 2^32 */
    uint16_t box[PTX_TENSOR_DIMS];
    uint8_t steps[PTX_TENSOR_DIMS];
    uint8_t rank, type, swizzle, fill_nan;
    uint8_t zero[41];
};
_Static_assert(sizeof(struct layout) == PTX_TENSOR_MAP_BYTES, "the interface says how long a map is");
_Static_assert(offsetof(struct layout, address) == PTX_TENSOR_MAP_ADDRESS, "others put the address there");

static const char magic[8] = "VTensor1"; /* 8 bytes without a NUL */
static const uint8_t element_bytes[PTX_TENSOR_TYPE_COUNT] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

enum { BOX_MAX = 256, STEP_MAX = 8, PIECE = 16 };

uint32_t ptx_tensor_element_bytes(const struct ptx_tensor_map *m)
{
    return element_bytes[m->type];
}

uint32_t ptx_tensor_count(const struct ptx_tensor_map *m, uint32_t k)
{
    return (m->box[k] + m->steps[k] - 1) / m->steps[k];
}

static uint32_t pattern_bytes(uint32_t swizzle)
{
    return PIECE << swizzle;
}

uint32_t ptx_tensor_pitch(const struct ptx_tensor_map *m)
{
    return m->swizzle == PTX_TENSOR_SWIZZLE_NONE ? m->box[0] * ptx_tensor_element_bytes(m)
                                                 : pattern_bytes(m->swizzle);
}

static bool is_float(uint32_t type)
{
    return type >= PTX_TENSOR_F16;
}

static int check_dimension(const struct ptx_tensor_map *m, uint32_t k, struct err *e)
{
    if (m->dims[k] == 0 || m->dims[k] > 1ull << 32)
        return err_set(e, ERR_INVALID, "dimension %u has %llu elements; it must have 1 to 2^32", k,
                       (unsigned long long)m->dims[k]);
    if (m->box[k] == 0 || m->box[k] > BOX_MAX)
        return err_set(e, ERR_INVALID, "the box has %u elements along dimension %u; it must have 1 to %d",
                       m->box[k], k, BOX_MAX);
    if (m->steps[k] == 0 || m->steps[k] > STEP_MAX)
        return err_set(e, ERR_INVALID, "the step is %u along dimension %u; it must be 1 to %d", m->steps[k], k,
                       STEP_MAX);
    if (k && (m->strides[k] % PIECE || m->strides[k] >= 1ull << 40))
        return err_set(e, ERR_INVALID,
                       "the stride is %llu bytes along dimension %u; it must be a multiple of %d below 2^40",
                       (unsigned long long)m->strides[k], k, PIECE);
    return 0;
}

int ptx_tensor_map_check(const struct ptx_tensor_map *m, struct err *e)
{
    uint32_t row;

    if (m->rank == 0 || m->rank > PTX_TENSOR_DIMS)
        return err_set(e, ERR_INVALID, "the tensor has %u dimensions; it must have 1 to %d", m->rank,
                       PTX_TENSOR_DIMS);
    if (m->type >= PTX_TENSOR_TYPE_COUNT || m->swizzle >= PTX_TENSOR_SWIZZLE_COUNT)
        return err_set(e, ERR_INVALID, "data type %u with pattern %u is not known", m->type, m->swizzle);
    if (m->fill_nan && !is_float(m->type))
        return err_set(e, ERR_INVALID, "only floats can be filled with NaN");
    if (m->address % PIECE)
        return err_set(e, ERR_INVALID, "the tensor's address 0x%llx is not a multiple of %d",
                       (unsigned long long)m->address, PIECE);
    for (uint32_t k = 0; k < m->rank; k++)
        if (check_dimension(m, k, e))
            return -1;
    row = m->box[0] * ptx_tensor_element_bytes(m);
    if (row % PIECE)
        return err_set(e, ERR_INVALID, "rows of a box have %u bytes; this must be a multiple of %d", row, PIECE);
    if (m->swizzle && row > pattern_bytes(m->swizzle))
        return err_set(e, ERR_INVALID, "rows of a box have %u bytes, more than the %u of the swizzle pattern", row,
                       pattern_bytes(m->swizzle));
    return 0;
}

int ptx_tensor_map_pack(const struct ptx_tensor_map *m, uint8_t out[PTX_TENSOR_MAP_BYTES], struct err *e)
{
    struct layout l = {.address = m->address,
                       .rank = (uint8_t)m->rank,
                       .type = (uint8_t)m->type,
                       .swizzle = (uint8_t)m->swizzle,
                       .fill_nan = m->fill_nan};

    if (ptx_tensor_map_check(m, e))
        return -1;
    memcpy(l.magic, magic, sizeof l.magic);
    for (uint32_t k = 0; k < m->rank; k++) {
        l.last[k] = (uint32_t)(m->dims[k] - 1);
        l.box[k] = (uint16_t)m->box[k];
        l.steps[k] = (uint8_t)m->steps[k];
        if (k)
            l.strides[k - 1] = m->strides[k];
    }
    memcpy(out, &l, sizeof l);
    return 0;
}

int ptx_tensor_map_read(const uint8_t bytes[PTX_TENSOR_MAP_BYTES], struct ptx_tensor_map *out, struct err *e)
{
    struct layout l;

    memcpy(&l, bytes, sizeof l);
    if (memcmp(l.magic, magic, sizeof l.magic) != 0)
        return err_set(e, ERR_MALFORMED, "this is not a tensor map of cuTensorMapEncodeTiled");
    *out = (struct ptx_tensor_map){
        .address = l.address, .rank = l.rank, .type = l.type, .swizzle = l.swizzle, .fill_nan = l.fill_nan != 0};
    for (uint32_t k = 0; k < PTX_TENSOR_DIMS; k++) {
        bool used = k < l.rank;

        out->dims[k] = used ? (uint64_t)l.last[k] + 1 : 1;
        out->box[k] = used ? l.box[k] : 1;
        out->steps[k] = used && k ? l.steps[k] : 1;
        out->strides[k] = used && k ? l.strides[k - 1] : 0;
    }
    if (ptx_tensor_map_check(out, e))
        return -1;
    out->strides[0] = ptx_tensor_element_bytes(out);
    return 0;
}
