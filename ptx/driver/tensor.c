/* ptx/driver/tensor.c: tensor maps. */
#include "ptx/driver/driver.h"

CUresult cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const uint64_t *dims,
                                const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                                int swizzle, int promotion, int fill)
{
    const struct tensor_request q = {type, rank, address, dims, strides, box, steps, interleave, swizzle, fill};

    (void)promotion; /* the size of L2 fetches: no value depends on it */
    return driver_result(__cudaTensorMapEncodeTiled(map, &q));
}

CUresult cuTensorMapReplaceAddress(void *map, void *address)
{
    return driver_result(__cudaTensorMapReplaceAddress(map, address));
}
