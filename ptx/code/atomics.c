/* ptx/code/atomics.c: which atomics exist. */
#include "ptx/code/actions.h"
#include "ptx/code/atomic_map.h"

bool ptx_atomic_known(uint8_t what, uint8_t type)
{
    static const struct {
        uint8_t what, type, bits;
    } all[] = {
#define ROW(what, type, bits, global, shared) {PTX_ATOM_##what, PTX_##type, bits},
        PTX_ATOMIC_MAP(ROW)
#undef ROW
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].what == what && (all[i].type == type || all[i].type == PTX_NO_TYPE) &&
            all[i].bits == ptx_type_bits((enum ptx_type)type))
            return true;
    return false;
}
