/* ptx/program/children.c: launches that kernels have requested. They run in this order when the kernel has ended,
 * which the model of CUDA 12 allows: a kernel cannot wait for them. */
#include <stdlib.h>

#include "base/array.h"
#include "ptx/program/program.h"

int ptx_child_add(struct ptx_program *p, const struct ptx_child *c, struct err *e)
{
    struct ptx_children *all = ptx_program_children(p);

    if (array_reserve((void **)&all->items, &all->capacity, all->count + 1, sizeof *all->items, e) != 0) {
        free(c->params);
        return -1;
    }
    all->items[all->count] = *c;
    all->items[all->count++].depth = all->depth + 1;
    return 0;
}

bool ptx_child_take(struct ptx_program *p, struct ptx_child *out)
{
    struct ptx_children *all = ptx_program_children(p);

    if (all->next == all->count) {
        all->next = all->count = 0;
        all->depth = 0;
        return false;
    }
    *out = all->items[all->next++];
    all->depth = out->depth;
    return true;
}

void ptx_children_forget(struct ptx_program *p)
{
    struct ptx_child c;

    while (ptx_child_take(p, &c))
        free(c.params);
}
