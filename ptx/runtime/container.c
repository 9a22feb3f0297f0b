/* ptx/runtime/container.c: chooses the PTX in a fat binary. */
#include "ptx/runtime/container.h"

#include <stdbool.h>
#include <string.h>

#include "sass/container.h"

static bool better(const struct container_entry *x, const struct container_entry *best, uint32_t arch)
{
    if (!best->payload)
        return true;
    if ((x->arch <= arch) != (best->arch <= arch))
        return x->arch <= arch;
    return x->arch <= arch ? x->arch > best->arch : x->arch < best->arch;
}

static int no_code(struct err *e)
{
    err_set(e, ERR_UNSUPPORTED, "the program contains no GPU code");
    return err_hint(e, "Build it with `nvcc -cudart shared -arch=compute_75 -code=compute_75`.");
}

int container_ptx(const void *container, size_t most, uint32_t arch, char **text, size_t *n, uint32_t *chosen,
                  struct err *e)
{
    struct container_entry best = {0}, x = {0};
    uint32_t codes = 0, code_arch = 0;
    struct container_walk w;
    int found;

    if (container_open(container, most, &w, e) != 0)
        return -1;
    while ((found = container_next(&w, &x, e)) > 0) {
        if (x.kind == CONTAINER_PTX && better(&x, &best, arch))
            best = x;
        codes += x.kind == CONTAINER_CODE;
        code_arch = x.kind == CONTAINER_CODE ? x.arch : code_arch;
    }
    if (found < 0)
        return -1;
    if (best.payload) {
        *chosen = best.arch;
        if (container_unpack(&best, text, n, e) != 0)
            return -1;
        *n = strlen(*text); /* the text may be padded with NUL */
        return 0;
    }
    if (codes == 0)
        return no_code(e);
    err_set(e, ERR_UNSUPPORTED, "the program contains machine code (sm_%u) only; Vivace needs PTX", code_arch);
    return err_hint(e, "Build it with `nvcc -cudart shared -arch=compute_75 -code=compute_75`.");
}
