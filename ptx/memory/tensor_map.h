/* ptx/memory/tensor_map.h: describes a tensor in global memory and the boxes of it that are copied. A program
 * creates a map with cuTensorMapEncodeTiled and passes it to cp.async.bulk.tensor.
 *
 * NVIDIA does not document the 128 bytes of a map, and programs must not read them. This layout is our own. The
 * tensor's address is one whole word of it, so that captures can find the pointer. Source of the members and
 * their limits: NVIDIA, CUDA Driver API reference, "Tensor Map Object Management". */
#ifndef VIVACE_PTX_MEMORY_TENSOR_MAP_H
#define VIVACE_PTX_MEMORY_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { PTX_TENSOR_MAP_BYTES = 128, PTX_TENSOR_DIMS = 5 };
enum { PTX_TENSOR_MAP_ALIGN = 64 };
enum { PTX_TENSOR_MAP_ADDRESS = 8 }; /* byte offset of the address in a map */

/* Numbers as in the driver API. */
enum ptx_tensor_type {
    PTX_TENSOR_U8,
    PTX_TENSOR_U16,
    PTX_TENSOR_U32,
    PTX_TENSOR_S32,
    PTX_TENSOR_U64,
    PTX_TENSOR_S64,
    PTX_TENSOR_F16,
    PTX_TENSOR_F32,
    PTX_TENSOR_F64,
    PTX_TENSOR_BF16,
    PTX_TENSOR_F32_FTZ,
    PTX_TENSOR_TF32,
    PTX_TENSOR_TF32_FTZ,
    PTX_TENSOR_TYPE_COUNT /* the packed types of 4 and 6 bits are not supported */
};
enum ptx_tensor_swizzle {
    PTX_TENSOR_SWIZZLE_NONE,
    PTX_TENSOR_SWIZZLE_32,
    PTX_TENSOR_SWIZZLE_64,
    PTX_TENSOR_SWIZZLE_128,
    PTX_TENSOR_SWIZZLE_COUNT
};

struct ptx_tensor_map {
    uint64_t address;
    uint32_t rank, type, swizzle;   /* rank: 1 to 5; type: enum ptx_tensor_type; swizzle: enum ptx_tensor_swizzle */
    bool fill_nan;                  /* value of elements outside the tensor: NaN, else 0 */
    uint64_t dims[PTX_TENSOR_DIMS]; /* elements; [0] is contiguous; 1 beyond the rank, as are box and steps */
    uint64_t strides[PTX_TENSOR_DIMS]; /* bytes between neighbours; [0]: size of an element */
    uint32_t box[PTX_TENSOR_DIMS];     /* elements that a copy spans */
    uint32_t steps[PTX_TENSOR_DIMS];   /* distance between copied elements; [0] is 1 */
};

uint32_t ptx_tensor_element_bytes(const struct ptx_tensor_map *m);
/* The number of elements that are copied along dimension k. */
uint32_t ptx_tensor_count(const struct ptx_tensor_map *m, uint32_t k);
/* Bytes between rows of a box in shared memory: the length of a row, or the width of the swizzle pattern. */
uint32_t ptx_tensor_pitch(const struct ptx_tensor_map *m);
/* A swizzle pattern permutes 16-byte pieces: the piece's index is xored with the index of its 128-byte row. */
static inline uint32_t ptx_tensor_place(const struct ptx_tensor_map *m, uint32_t at)
{
    return at ^ ((at >> 7 & ((1u << m->swizzle) - 1)) << 4);
}

/* ERR_INVALID: the driver API does not allow these values; the message names the member. */
int ptx_tensor_map_check(const struct ptx_tensor_map *m, struct err *e);
/* Ignores strides[0] and members beyond the rank. */
int ptx_tensor_map_pack(const struct ptx_tensor_map *m, uint8_t out[PTX_TENSOR_MAP_BYTES], struct err *e);
/* -1: the bytes are not a map, or its values are not allowed. */
int ptx_tensor_map_read(const uint8_t bytes[PTX_TENSOR_MAP_BYTES], struct ptx_tensor_map *out, struct err *e);

#endif
