/* ptx/runtime/tensor.c: tensor maps, which programs create with the driver API. */
#include <string.h>

#include "ptx/runtime/runtime.h"
#include "ptx/memory/tensor_map.h"

static cudaError_t refuse(const char *what)
{
    return shim_not_supported("cuTensorMapEncodeTiled", what);
}

static cudaError_t encode(uint8_t *map, const struct tensor_request *q)
{
    struct ptx_tensor_map m = {.address = (uintptr_t)q->address,
                               .rank = q->rank,
                               .type = (uint32_t)q->type,
                               .swizzle = (uint32_t)q->swizzle,
                               .fill_nan = q->fill != 0};
    struct err e;

    if (q->interleave)
        return refuse("an interleaved layout");
    if (q->type >= PTX_TENSOR_TYPE_COUNT)
        return refuse("a packed data type");
    if (q->swizzle >= PTX_TENSOR_SWIZZLE_COUNT)
        return refuse("a swizzle pattern with pieces larger than 16 bytes");
    for (uint32_t k = 0; k < q->rank && k < PTX_TENSOR_DIMS; k++) {
        m.dims[k] = q->dims[k];
        m.box[k] = q->box[k];
        m.steps[k] = k ? q->steps[k] : 1; /* the step of the contiguous dimension is ignored */
        m.strides[k] = k ? q->strides[k - 1] : 0;
    }
    if (ptx_tensor_map_pack(&m, map, &e) == 0)
        return cudaSuccess;
    shim_say("cuTensorMapEncodeTiled: %s", e.text);
    return cudaErrorInvalidValue;
}

cudaError_t __cudaTensorMapEncodeTiled(void *map, const struct tensor_request *q)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess &&
        (!map || (uintptr_t)map % PTX_TENSOR_MAP_ALIGN || !q->dims || !q->box || !q->steps ||
         (q->rank > 1 && !q->strides) || q->rank < 1 || q->rank > PTX_TENSOR_DIMS || q->type < 0 || q->swizzle < 0))
        r = cudaErrorInvalidValue;
    return shim_leave(r == cudaSuccess ? encode(map, q) : r);
}

cudaError_t __cudaTensorMapReplaceAddress(void *map, void *address)
{
    cudaError_t r = shim_enter();
    struct ptx_tensor_map m;
    struct err e;

    if (r == cudaSuccess &&
        (!map || (uintptr_t)map % PTX_TENSOR_MAP_ALIGN || ptx_tensor_map_read(map, &m, &e) != 0))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess) {
        m.address = (uintptr_t)address;
        r = ptx_tensor_map_pack(&m, map, &e) == 0 ? cudaSuccess : cudaErrorInvalidValue;
    }
    return shim_leave(r);
}
