/* ptx/ops/exec_system.c: system calls of kernels: vprintf, malloc, free, __assertfail. */
#include <string.h>

#include "ptx/warp/launch.h"
#include "ptx/memory/shadow.h"
#include "ptx/warp/warp.h"

static uint64_t argument(const struct ptx_warp *w, const struct ptx_call *call, uint32_t i, uint32_t lane)
{
    const struct ptx_passed *p = &w->code->passed[call->first + i];
    uint32_t bytes = p->row != PTX_NO_ROW ? p->bits / 8u : p->bytes;
    uint64_t value = 0;

    bytes = bytes < sizeof value ? bytes : (uint32_t)sizeof value;
    if (i >= call->args)
        return 0;
    if (p->row != PTX_NO_ROW)
        memcpy(&value, w->lanes.rows + (size_t)p->row * PTX_ROW_BYTES + (size_t)lane * bytes, bytes);
    else
        ptx_local_read(w, lane, w->frame + p->frame, &value, bytes);
    return value;
}

static void give_result(struct ptx_warp *w, const struct ptx_call *call, uint32_t lane, uint64_t value)
{
    const struct ptx_passed *p = &w->code->passed[call->first + call->args];
    uint32_t bytes = p->row != PTX_NO_ROW ? p->bits / 8u : p->bytes;

    bytes = bytes < sizeof value ? bytes : (uint32_t)sizeof value;
    if (!call->results)
        return;
    if (p->row != PTX_NO_ROW)
        memcpy(w->lanes.rows + (size_t)p->row * PTX_ROW_BYTES + (size_t)lane * bytes, &value, bytes);
    else
        ptx_local_write(w, lane, w->frame + p->frame, &value, bytes);
}

/* --- the heap --- */

static const char heap_label[] = "malloc in a kernel";

/* The kernel gets NULL when the heap is full, as on a GPU. */
static uint64_t allocate(struct ptx_warp *w, uint64_t bytes)
{
    struct ptx_run *r = w->cta->run;
    struct err ignored;
    uint64_t address;

    if (!bytes || bytes > PTX_HEAP_BYTES - ptx_program_heap(r->program, 0) ||
        device_alloc(w->cta->memory, bytes, 16, heap_label, &address, &ignored))
        return 0;
    (void)ptx_program_heap(r->program, (int64_t)bytes);
    if (w->cta->options->shadow)
        ptx_shadow_fresh(w->cta->options->shadow, address, bytes);
    return address;
}

static int release(struct ptx_warp *w, uint32_t lane, uint64_t address)
{
    const struct device_allocation *a = address ? device_find(w->cta->memory, address) : NULL;
    uint64_t bytes = a ? a->bytes : 0;
    struct err why;

    if (!address)
        return 0;
    if (!a || a->address != address || a->freed || strcmp(a->label, heap_label) != 0)
        return ptx_fault(w, 1u << lane, "free of 0x%llx, which malloc did not give or free has taken",
                         (unsigned long long)address);
    if (device_release(w->cta->memory, address, &why))
        return ptx_fault(w, 1u << lane, "free of 0x%llx: %s", (unsigned long long)address, why.text);
    (void)ptx_program_heap(w->cta->run->program, -(int64_t)bytes);
    return 0;
}

/* --- assert --- */

static void read_text(const struct ptx_warp *w, uint32_t lane, uint64_t address, char *out, size_t room)
{
    size_t n = 0;

    while (n + 1 < room && ptx_generic_read(w, lane, address + n, &out[n], 1) == 0 && out[n])
        n++;
    out[n] = '\0';
}

/* Arguments: __assertfail(message, file, line, function, size of a character) */
static int assert_fails(struct ptx_warp *w, const struct ptx_call *call, uint32_t lane)
{
    char message[160], file[120], function[120];

    read_text(w, lane, argument(w, call, 0, lane), message, sizeof message);
    read_text(w, lane, argument(w, call, 1, lane), file, sizeof file);
    read_text(w, lane, argument(w, call, 3, lane), function, sizeof function);
    return ptx_fault(w, 1u << lane, "assertion `%s` failed in %s, %s:%u", message, function, file,
                     (uint32_t)argument(w, call, 2, lane));
}

static int call_one(struct ptx_warp *w, const struct ptx_op *op, uint32_t lane)
{
    const struct ptx_call *call = &w->code->calls[op->access];
    int32_t count = 0;

    switch (op->args.imm) {
    case PTX_SYS_MALLOC: give_result(w, call, lane, allocate(w, argument(w, call, 0, lane))); return 0;
    case PTX_SYS_FREE: return release(w, lane, argument(w, call, 0, lane));
    case PTX_SYS_ASSERTFAIL: return assert_fails(w, call, lane);
    default: break;
    }
    if (ptx_print_call(w, lane, argument(w, call, 0, lane), argument(w, call, 1, lane), &count))
        return -1;
    give_result(w, call, lane, (uint32_t)count);
    return 0;
}

int ptx_do_system(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    for (; mask; mask &= mask - 1)
        if (call_one(w, op, (uint32_t)__builtin_ctz(mask)))
            return -1;
    return 0;
}
