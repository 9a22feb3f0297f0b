/* ptx/ops/exec_system.c: system calls of kernels: vprintf, malloc, free, __assertfail, launches of kernels.
 * Names and arguments of launches: NVIDIA, CUDA C++ Programming Guide 13.0, appendix CUDA Dynamic Parallelism,
 * "Device-side launch from PTX". */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

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
enum { HEAP_ALIGNMENT = 16 };

/* The kernel gets NULL when the heap is full, as on a GPU. */
static uint64_t allocate(struct ptx_warp *w, uint64_t bytes, uint64_t alignment)
{
    struct ptx_run *r = w->cta->run;
    struct err ignored;
    uint64_t address;

    if (!bytes || bytes > PTX_HEAP_BYTES - ptx_program_heap(r->program, 0) ||
        device_alloc(w->cta->memory, bytes, alignment, heap_label, &address, &ignored))
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
        return ptx_fault(w, 1u << lane, "free of 0x%llx, which malloc did not return or which was freed before",
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

/* --- launches --- */

/* Errors that the guide names: cudaErrorLaunchMaxDepthExceeded, cudaErrorLaunchPendingCountExceeded, and
 * cudaErrorInvalidValue, cudaErrorMemoryAllocation. */
enum { ERROR_VALUE = 1, ERROR_MEMORY = 2, ERROR_DEPTH = 65, ERROR_PENDING = 69 };

#define REQUEST_MARK 0x6c61756e63686564u

/* Before the parameters, which begin at a multiple of 64. */
struct request {
    uint64_t mark;
    uint64_t kernel; /* its address */
    uint32_t grid[3], block[3], shared_bytes, param_bytes;
    uint32_t pad[4];
};

static void read_dim(const struct ptx_warp *w, const struct ptx_call *call, uint32_t i, uint32_t lane,
                     uint32_t out[3])
{
    const struct ptx_passed *p = &w->code->passed[call->first + i];

    ptx_local_read(w, lane, w->frame + p->frame, out, 3 * sizeof out[0]);
}

/* Arguments: kernel, grid, block, bytes of shared memory. Returns the address of its parameters; 0: no memory. */
static int launch_buffer(struct ptx_warp *w, const struct ptx_call *call, uint32_t lane)
{
    struct request q = {.mark = REQUEST_MARK,
                        .kernel = argument(w, call, 0, lane),
                        .shared_bytes = (uint32_t)argument(w, call, 3, lane)};
    struct ptx_program *p = w->cta->run->program;
    struct ptx_program_function at;
    const struct ptx_function *f;
    uint64_t address;

    _Static_assert(sizeof q == 64, "parameters begin behind it");
    if (!ptx_program_function_at(p, q.kernel, &at))
        return ptx_fault(w, 1u << lane, "launches 0x%llx, which is not a function", (unsigned long long)q.kernel);
    f = &ptx_program_module(p, at.module)->functions[at.function];
    if (!f->entry)
        return ptx_fault(w, 1u << lane, "launches %s, which is not a kernel", f->name);
    read_dim(w, call, 1, lane, q.grid);
    read_dim(w, call, 2, lane, q.block);
    q.param_bytes = f->param_bytes;
    address = allocate(w, sizeof q + f->param_bytes + 1u, sizeof q);
    if (address)
        memcpy(device_bytes(w->cta->memory, address, sizeof q), &q, sizeof q);
    give_result(w, call, lane, address ? address + sizeof q : 0);
    return 0;
}

/* Arguments: the parameters, a stream. The launch runs when this kernel has ended. */
static int launch(struct ptx_warp *w, const struct ptx_call *call, uint32_t lane)
{
    uint64_t params = argument(w, call, 0, lane);
    struct ptx_program *p = w->cta->run->program;
    const struct ptx_children *all = ptx_program_children(p);
    const void *bytes = device_bytes(w->cta->memory, params - sizeof(struct request), sizeof(struct request));
    struct ptx_program_function kernel;
    struct ptx_child child;
    struct request q;

    /* The kernel can have written there. */
    if (!bytes || (memcpy(&q, bytes, sizeof q), q.mark != REQUEST_MARK) ||
        !ptx_program_function_at(p, q.kernel, &kernel) ||
        ptx_program_module(p, kernel.module)->functions[kernel.function].param_bytes != q.param_bytes ||
        !ptx_program_module(p, kernel.module)->functions[kernel.function].entry ||
        !(bytes = device_bytes(w->cta->memory, params, q.param_bytes + 1u))) {
        give_result(w, call, lane, ERROR_VALUE);
        return 0;
    }
    if (all->depth >= PTX_CHILD_DEPTH_MAX || all->count - all->next >= PTX_CHILDREN_MAX) {
        give_result(w, call, lane, all->depth >= PTX_CHILD_DEPTH_MAX ? ERROR_DEPTH : ERROR_PENDING);
        return release(w, lane, params - sizeof q);
    }
    child = (struct ptx_child){.kernel = kernel, .shared_bytes = q.shared_bytes, .param_bytes = q.param_bytes};
    memcpy(child.grid, q.grid, sizeof child.grid);
    memcpy(child.block, q.block, sizeof child.block);
    child.params = mem_zalloc(q.param_bytes + 1u, 1, w->cta->e);
    if (!child.params)
        return -1;
    memcpy(child.params, bytes, q.param_bytes);
    if (ptx_child_add(p, &child, w->cta->e))
        return -1;
    give_result(w, call, lane, 0);
    w->cta->stores++;
    return release(w, lane, params - sizeof q);
}

/* Arguments: where the address is written, bytes. */
static int cuda_malloc(struct ptx_warp *w, const struct ptx_call *call, uint32_t lane)
{
    uint64_t to = argument(w, call, 0, lane), address = allocate(w, argument(w, call, 1, lane), HEAP_ALIGNMENT);

    if (ptx_generic_write(w, lane, to, &address, sizeof address))
        return ptx_fault(w, 1u << lane, "cudaMalloc writes to 0x%llx, where there is no memory",
                         (unsigned long long)to);
    w->cta->stores++;
    give_result(w, call, lane, address ? 0 : ERROR_MEMORY);
    return 0;
}

static int cuda_free(struct ptx_warp *w, const struct ptx_call *call, uint32_t lane)
{
    give_result(w, call, lane, 0);
    return release(w, lane, argument(w, call, 0, lane));
}

static int call_one(struct ptx_warp *w, const struct ptx_op *op, uint32_t lane)
{
    const struct ptx_call *call = &w->code->calls[op->access];
    int32_t count = 0;

    switch (op->args.imm) {
    case PTX_SYS_MALLOC:
        give_result(w, call, lane, allocate(w, argument(w, call, 0, lane), HEAP_ALIGNMENT));
        return 0;
    case PTX_SYS_FREE: return release(w, lane, argument(w, call, 0, lane));
    case PTX_SYS_ASSERTFAIL: return assert_fails(w, call, lane);
    case PTX_SYS_LAUNCH_BUFFER: return launch_buffer(w, call, lane);
    case PTX_SYS_LAUNCH: return launch(w, call, lane);
    case PTX_SYS_CUDA_MALLOC: return cuda_malloc(w, call, lane);
    case PTX_SYS_CUDA_FREE: return cuda_free(w, call, lane);
    case PTX_SYS_NO_ERROR: give_result(w, call, lane, 0); return 0;
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
