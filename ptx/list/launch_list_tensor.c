/* A tensor map as a parameter of a launch. */
#include <stdlib.h>
#include <string.h>

#include "ptx/list/launch_list_json.h"
#include "ptx/memory/tensor_map.h"

/* Reads a list of numbers, one for each dimension from `first` on. */
static int read_numbers(struct list_reader *r, const json_t *o, const char *key, uint32_t first, uint32_t rank,
                        uint64_t out[PTX_TENSOR_DIMS])
{
    const json_t *a = json_object_get(o, key);

    if (!json_is_array(a) || json_array_size(a) != rank - first)
        return list_fault(r, "`%s` must be a list of %u numbers", key, rank - first);
    for (uint32_t k = first; k < rank; k++) {
        json_int_t n = json_integer_value(json_array_get(a, k - first));

        if (n < 1)
            return list_fault(r, "`%s`[%u] must be a positive whole number", key, k - first);
        out[k] = (uint64_t)n;
    }
    return 0;
}

static int read_narrow(struct list_reader *r, const json_t *o, const char *key, uint32_t rank,
                       uint32_t out[PTX_TENSOR_DIMS])
{
    uint64_t wide[PTX_TENSOR_DIMS] = {0};

    if (read_numbers(r, o, key, 0, rank, wide) != 0)
        return -1;
    for (uint32_t k = 0; k < rank; k++)
        out[k] = wide[k] < UINT32_MAX ? (uint32_t)wide[k] : UINT32_MAX;
    return 0;
}

static int read_type(struct list_reader *r, const json_t *o, uint32_t *out)
{
    static const char *const names[PTX_TENSOR_TYPE_COUNT] = {
        "u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz"};
    const char *text = NULL;

    if (list_text(r, o, "type", true, &text) != 0)
        return -1;
    for (*out = 0; *out < PTX_TENSOR_TYPE_COUNT; ++*out)
        if (strcmp(names[*out], text) == 0)
            return 0;
    return list_fault(r, "`type`: \"%.40s\" is not supported", text);
}

static int read_swizzle(struct list_reader *r, const json_t *o, uint32_t *out)
{
    uint64_t bytes = 16;

    if (list_u64(r, o, "swizzle", false, 128, &bytes) != 0)
        return -1;
    for (*out = 0; *out < PTX_TENSOR_SWIZZLE_COUNT; ++*out)
        if (bytes == 16u << *out)
            return 0;
    return list_fault(r, "`swizzle` must be 32, 64 or 128 bytes");
}

static int read_map(struct list_reader *r, const json_t *o, struct ptx_tensor_map *m)
{
    uint64_t rank = json_array_size(json_object_get(o, "dims"));
    const char *fill = NULL;

    if (rank < 1 || rank > PTX_TENSOR_DIMS)
        return list_fault(r, "`dims` must be a list of 1 to %d numbers", PTX_TENSOR_DIMS);
    m->rank = (uint32_t)rank;
    for (uint32_t k = 0; k < PTX_TENSOR_DIMS; k++)
        m->steps[k] = 1;
    if (read_type(r, o, &m->type) != 0 || read_swizzle(r, o, &m->swizzle) != 0 ||
        list_text(r, o, "fill", false, &fill) != 0 || read_numbers(r, o, "dims", 0, m->rank, m->dims) != 0 ||
        (rank > 1 && read_numbers(r, o, "strides", 1, m->rank, m->strides) != 0) ||
        read_narrow(r, o, "box", m->rank, m->box) != 0 ||
        (json_object_get(o, "steps") && read_narrow(r, o, "steps", m->rank, m->steps) != 0))
        return -1;
    m->fill_nan = fill && strcmp(fill, "nan") == 0;
    return fill && !m->fill_nan && strcmp(fill, "zero") != 0 ? list_fault(r, "`fill` must be \"zero\" or \"nan\"")
                                                             : 0;
}

int list_tensor_map(struct list_reader *r, const json_t *o, uint8_t *out, struct list_place *place)
{
    static const char *const keys[] = {"buffer", "type",    "dims", "strides", "box",
                                       "steps",  "swizzle", "fill", NULL};
    struct ptx_tensor_map m = {0};
    const char *buffer = NULL;
    struct err why;

    if (list_object(r, o, keys) != 0 || list_text(r, o, "buffer", true, &buffer) != 0 ||
        list_place_of(r, buffer, place) != 0 || read_map(r, o, &m) != 0)
        return -1;
    m.address = place->offset; /* checks the alignment: buffers begin at multiples of 256 */
    if (ptx_tensor_map_pack(&m, out, &why) != 0)
        return list_fault(r, "%s", why.text);
    return 0;
}
