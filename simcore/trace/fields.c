#include "simcore/trace/fields.h"

#include <string.h>

uint32_t fields_of(const struct cta_trace *cta, const struct warp_inst *wi, uint64_t out[WARP_LANES])
{
    uint32_t n = wi->mask == UINT32_MAX ? WARP_LANES : (uint32_t)__builtin_ctz(~wi->mask);
    struct lane_addresses a;

    memset(out, 0, WARP_LANES * sizeof *out);
    if (wi->address == UINT32_MAX || !n)
        return 0;
    cta_addresses(cta, wi->address, &a);
    out[0] = a.kind == ADDRESS_LIST ? a.list[0] : a.base;
    for (uint32_t k = 1; k < n; k++)
        out[k] = a.kind == ADDRESS_LIST ? a.list[k] - out[0] : k * (uint64_t)a.stride;
    return n;
}
