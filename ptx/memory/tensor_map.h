/* ptx/memory/tensor_map.h: where a tensor is in global memory, and which boxes of it are copied: what a program
 * has made by cuTensorMapEncodeTiled and hands to cp.async.bulk.tensor.
 *
 * NVIDIA does not say how the 128 bytes of a map are used, and no program may look inside; the layout is ours. The
 * tensor's address is a whole word of it, so that captures find the pointer. Meaning of the members and what is
 * allowed: NVIDIA, CUDA Driver API reference, "Tensor Map Object Management". */
#ifndef VIVACE_PTX_MEMORY_TENSOR_MAP_H
#define VIVACE_PTX_MEMORY_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { PTX_TENSOR_MAP_BYTES = 128, PTX_TENSOR_DIMS = 5 };
enum { PTX_TENSOR_MAP_ALIGN = 64 };
enum { PTX_TENSOR_MAP_ADDRESS = 8 }; /* byte of a map where the address is */

/* Numbers as the driver's interface has them. */
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
    PTX_TENSOR_TYPE_COUNT /* packed ones of 4 and 6 bits are not here */
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
    uint32_t rank, type, swizzle;   /* 1 to 5; enum ptx_tensor_type, ptx_tensor_swizzle */
    bool fill_nan;                  /* beyond the edges: NaN, else 0 */
    uint64_t dims[PTX_TENSOR_DIMS]; /* elements; those side by side first; 1 beyond the rank, like box and steps */
    uint64_t strides[PTX_TENSOR_DIMS]; /* bytes to the next of each; [0]: an element's */
    uint32_t box[PTX_TENSOR_DIMS];     /* elements that a copy passes over */
    uint32_t steps[PTX_TENSOR_DIMS];   /* each such step one is copied; [0] is 1 */
};

uint32_t ptx_tensor_element_bytes(const struct ptx_tensor_map *m);
/* How many are copied along dimension k. */
uint32_t ptx_tensor_count(const struct ptx_tensor_map *m, uint32_t k);
/* Rows of a box lie so far apart in shared memory: as long as they are, or as the pattern. */
uint32_t ptx_tensor_pitch(const struct ptx_tensor_map *m);
/* Patterns swap 16-byte pieces: the piece's number is xored with that of the row of 128 bytes. */
static inline uint32_t ptx_tensor_place(const struct ptx_tensor_map *m, uint32_t at)
{
    return at ^ ((at >> 7 & ((1u << m->swizzle) - 1)) << 4);
}

/* ERR_INVALID: what the interface does not allow, named. */
int ptx_tensor_map_check(const struct ptx_tensor_map *m, struct err *e);
/* strides[0] and what is beyond the rank need not be set. */
int ptx_tensor_map_pack(const struct ptx_tensor_map *m, uint8_t out[PTX_TENSOR_MAP_BYTES], struct err *e);
/* -1: that is no map, or what it says is not allowed. */
int ptx_tensor_map_read(const uint8_t bytes[PTX_TENSOR_MAP_BYTES], struct ptx_tensor_map *out, struct err *e);

#endif
