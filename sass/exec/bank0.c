/* sass/exec/bank0.c: constant bank 0: what the driver puts there for a launch, and the parameters. */
#include <string.h>

#include "base/array.h"
#include "sass/exec/machine.h"

/* Constant bank 0 before the parameters: sizes of CTA and grid, windows, the stack, the window of constant
 * variables, the descriptor of global memory (ignored). Others are not known. Source: kernels that read one of them
 * each, compiled by ptxas 13.0. */
enum {
    BANK_BLOCK = 0x00,
    BANK_GRID = 0x0c,
    BANK_SHARED = 0x18,
    BANK_LOCAL = 0x20,
    BANK_STACK = 0x28,
    BANK_CONST = 0x50, /* before sm_90 */
    BANK_CONST_90 = 0xd0,
    BANK_DESCRIPTOR = 0x118, /* sm_80 to sm_89 */
    BANK_DESCRIPTOR_90 = 0x208,
    BANK_BYTES_MIN = 0x210,
    ARCH_OF_SECOND_LAYOUT = 90
};

static uint32_t const_window(const struct sass_code *c)
{
    return c->arch >= ARCH_OF_SECOND_LAYOUT ? BANK_CONST_90 : BANK_CONST;
}

bool bank0_is_known(const struct sass_code *c, uint64_t offset, uint32_t bytes)
{
    uint32_t descriptor = c->arch >= ARCH_OF_SECOND_LAYOUT ? BANK_DESCRIPTOR_90 : BANK_DESCRIPTOR;
    uint32_t window = const_window(c);
    uint64_t end = offset + bytes;

    return offset >= c->function->param_offset || end <= BANK_STACK + 4 ||
           (offset >= window && end <= window + 8) || (offset >= descriptor && end <= descriptor + 8);
}

static void put_u32(uint8_t *bank, uint32_t at, uint32_t v)
{
    memcpy(bank + at, &v, sizeof v);
}

static void put_u64(uint8_t *bank, uint32_t at, uint64_t v)
{
    memcpy(bank + at, &v, sizeof v);
}

int bank0_new(const struct sass_run *r, struct sass_bank *to)
{
    const struct cubin_function *f = r->code->function;
    uint64_t bytes = (uint64_t)f->param_offset + f->param_bytes;
    uint8_t *bank;

    bytes = bytes < BANK_BYTES_MIN ? BANK_BYTES_MIN : bytes;
    bank = mem_zalloc(bytes, 1, r->e);
    if (!bank)
        return -1;
    for (uint32_t k = 0; k < 3; k++) {
        put_u32(bank, BANK_BLOCK + 4 * k, r->launch->block[k]);
        put_u32(bank, BANK_GRID + 4 * k, r->launch->grid[k]);
    }
    put_u64(bank, BANK_SHARED, PTX_SHARED_BASE);
    put_u64(bank, BANK_LOCAL, PTX_LOCAL_BASE);
    put_u64(bank, const_window(r->code), PTX_CONST_BASE);
    put_u32(bank, BANK_STACK, r->local_bytes);
    if (r->launch->params && f->param_bytes)
        memcpy(bank + f->param_offset, r->launch->params, f->param_bytes);
    *to = (struct sass_bank){bank, bytes};
    return 0;
}
