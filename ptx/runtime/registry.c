/* ptx/runtime/registry.c: modules, kernels and variables that the program's constructors register. A module is
 * parsed at the first use of one of its symbols. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "ptx/runtime/container.h"
#include "ptx/runtime/runtime.h"
#include "sass/container.h"

struct wrapper {
    uint32_t magic, version;
    const void *container, *more;
};

static struct shim_module **modules;
static size_t module_count, module_capacity;
static struct shim_kernel **kernels; /* sorted by host address if `sorted` */
static size_t kernel_count, kernel_capacity;
static struct shim_variable **variables;
static size_t variable_count, variable_capacity;
static bool sorted;

/* Constructors cannot return an error. Without their registrations nothing can run, so the process ends. */
static void *must(void *p)
{
    if (p)
        return p;
    shim_say("out of memory while registering the program's kernels");
    abort();
}

static void add(void ***items, size_t *count, size_t *capacity, void *item)
{
    struct err e;

    if (array_reserve((void **)items, capacity, *count + 1, sizeof(void *), &e) != 0)
        must(NULL);
    (*items)[(*count)++] = item;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    const struct wrapper *w = wrapper;
    struct shim_module *m = must(calloc(1, sizeof *m));

    shim_lock();
    if (w && w->magic == CONTAINER_WRAPPER_MAGIC)
        m->container = w->container;
    if (m->container && w->version == CONTAINER_LINKED)
        m->linked = w->more;
    add((void ***)&modules, &module_count, &module_capacity, m);
    shim_unlock();
    return (void **)m;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int thread_limit,
                            void *tid, void *bid, void *block, void *grid, int *warp_size)
{
    struct shim_kernel *k = must(calloc(1, sizeof *k));

    (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
    *k = (struct shim_kernel){
        .host = host, .name = must(strdup(name)), .module = (struct shim_module *)handle, .function = PTX_NONE};
    shim_lock();
    add((void ***)&kernels, &kernel_count, &kernel_capacity, k);
    sorted = false;
    shim_unlock();
}

static void add_variable(void **handle, const void *host, void **managed, const char *name)
{
    struct shim_variable *v = must(calloc(1, sizeof *v));

    *v = (struct shim_variable){
        .host = host, .managed = managed, .name = must(strdup(name)), .module = (struct shim_module *)handle};
    shim_lock();
    add((void ***)&variables, &variable_count, &variable_capacity, v);
    shim_unlock();
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size,
                       int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    add_variable(handle, host, NULL, name);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext, size_t size,
                              int constant, int global)
{
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    add_variable(handle, host, host, name);
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* A program calls it before the host's first use of a managed variable. */
char __cudaInitModule(void **handle)
{
    cudaError_t r = shim_enter();

    (void)handle;
    if (r == cudaSuccess)
        r = shim_modules_load_managed();
    return shim_leave(r) == cudaSuccess;
}

/* Called when the process ends or a library is closed. Its symbols are not used after that. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

/* --- loading --- */

/* Joins the PTX of the containers, which the parser links. Containers of machine code (NVIDIA's library for
 * launches from kernels) are left out. */
static int linked_ptx(struct shim_module *m, char **text, size_t *n, struct err *e)
{
    struct strbuf all = STRBUF_INIT;

    for (size_t i = 0; m->linked[i]; i++) {
        char *one;

        if (container_ptx(m->linked[i], SIZE_MAX, shim.gpu->compute_capability, &one, n, &m->arch, e) != 0) {
            if (e->code == ERR_UNSUPPORTED)
                continue;
            strbuf_release(&all);
            return -1;
        }
        strbuf_add(&all, one, *n);
        strbuf_adds(&all, "\n");
        free(one);
    }
    if (all.failed || !all.length) {
        strbuf_release(&all);
        return all.failed ? err_no_memory(e) : -1;
    }
    *n = all.length;
    *text = all.text;
    return 0;
}

static int load(struct shim_module *m, struct err *e)
{
    struct ptx_module *parsed;
    char *text, label[40];
    size_t n;
    int ret;

    if (m->text) {
        text = m->text;
        n = strlen(text);
    } else if (m->linked && m->linked[0]) {
        if (linked_ptx(m, &text, &n, e) != 0)
            return -1;
    } else if (!m->container) {
        return err_set(e, ERR_MALFORMED, "the program registers GPU code in an unknown format");
    } else if (container_ptx(m->container, SIZE_MAX, shim.gpu->compute_capability, &text, &n, &m->arch, e) != 0) {
        return -1;
    }
    snprintf(label, sizeof label, "module%zu.ptx", (size_t)ptx_program_modules(shim.program));
    ret = ptx_parse(text, n, label, &parsed, e);
    free(text);
    m->text = NULL;
    return ret == 0 ? ptx_program_load(shim.program, parsed, &m->number, e) : -1;
}

static cudaError_t need(struct shim_module *m)
{
    if (!m->tried) {
        m->tried = true;
        m->loaded = load(m, &m->why) == 0;
        if (!m->loaded)
            shim_say("%s%s%s", m->why.text, *m->why.hint ? ": " : "", m->why.hint);
    }
    if (m->loaded)
        return cudaSuccess;
    return m->why.code == ERR_UNSUPPORTED ? cudaErrorNoKernelImageForDevice
           : m->why.code == ERR_NO_MEMORY ? cudaErrorMemoryAllocation
                                          : cudaErrorInvalidPtx;
}

static int by_host(const void *a, const void *b)
{
    const struct shim_kernel *x = *(struct shim_kernel *const *)a, *y = *(struct shim_kernel *const *)b;

    return ((uintptr_t)x->host > (uintptr_t)y->host) - ((uintptr_t)x->host < (uintptr_t)y->host);
}

/* Finds a kernel by its host address, or by the kernel pointer that __cudaGetKernel() returned. */
static struct shim_kernel *registered(const void *host)
{
    struct shim_kernel key = {.host = host}, *at = &key, **found;

    if (!sorted && kernel_count)
        qsort(kernels, kernel_count, sizeof(void *), by_host);
    sorted = true;
    found = kernel_count ? bsearch(&at, kernels, kernel_count, sizeof(void *), by_host) : NULL;
    if (found)
        return *found;
    for (size_t i = 0; i < kernel_count; i++)
        if (kernels[i] == host)
            return kernels[i];
    return NULL;
}

struct shim_kernel *shim_kernel_find(const void *host, cudaError_t *r)
{
    struct shim_kernel *k = registered(host);

    *r = k ? need(k->module) : cudaErrorInvalidDeviceFunction;
    if (*r != cudaSuccess)
        return NULL;
    if (k->function == PTX_NONE)
        k->function = ptx_find_function(ptx_program_module(shim.program, k->module->number), k->name);
    if (k->function != PTX_NONE)
        return k;
    shim_say("kernel %s is not in its module", k->name);
    *r = cudaErrorInvalidDeviceFunction;
    return NULL;
}

struct shim_variable *shim_variable_find(const void *host, uint64_t *address, uint64_t *bytes, cudaError_t *r)
{
    struct err e;

    for (size_t i = 0; i < variable_count; i++) {
        struct shim_variable *v = variables[i];

        /* a managed variable is also found by its pointer's value */
        if (v->host != host && !(v->managed && *v->managed == host && host))
            continue;
        *r = need(v->module);
        if (*r != cudaSuccess)
            return NULL;
        if (ptx_program_symbol(shim.program, v->module->number, v->name, address, bytes, &e) == 0)
            return v;
        break;
    }
    *r = cudaErrorInvalidSymbol;
    return NULL;
}

cudaError_t shim_modules_load_managed(void)
{
    for (size_t i = 0; i < variable_count; i++) {
        struct shim_variable *v = variables[i];
        uint64_t address, bytes;
        cudaError_t r;

        if (!v->managed)
            continue;
        if (!shim_variable_find(v->host, &address, &bytes, &r))
            return r;
        *v->managed = (void *)(uintptr_t)address;
    }
    return cudaSuccess;
}

/* --- modules that are loaded while the program runs --- */

cudaError_t shim_module_add(const void *image, struct shim_module **out)
{
    const struct wrapper *w = image;
    struct shim_module *m;
    uint32_t magic = 0;

    /* No magic number has a zero byte. A text shorter than four characters is not read beyond its end. */
    if (strnlen(image, sizeof magic) == sizeof magic)
        memcpy(&magic, image, sizeof magic);
    if (memcmp(&magic,
               "\x7f"
               "ELF",
               sizeof magic) == 0) {
        shim_say("Vivace cannot execute a module of machine code; load its PTX");
        return cudaErrorNoKernelImageForDevice;
    }
    m = must(calloc(1, sizeof *m));
    if (magic == CONTAINER_WRAPPER_MAGIC)
        m->container = w->container;
    else if (magic == CONTAINER_MAGIC)
        m->container = image;
    else
        m->text = must(strdup(image));
    add((void ***)&modules, &module_count, &module_capacity, m);
    *out = m;
    return need(m);
}

struct shim_kernel *shim_module_kernel(struct shim_module *m, const char *name, cudaError_t *r)
{
    const struct ptx_module *parsed;
    struct shim_kernel *k;
    uint32_t function;

    *r = need(m);
    if (*r != cudaSuccess)
        return NULL;
    parsed = ptx_program_module(shim.program, m->number);
    function = ptx_find_function(parsed, name);
    if (function == PTX_NONE || !parsed->functions[function].entry) {
        *r = cudaErrorSymbolNotFound;
        return NULL;
    }
    for (size_t i = 0; i < kernel_count; i++)
        if (kernels[i]->module == m && strcmp(kernels[i]->name, name) == 0) {
            kernels[i]->function = function;
            return kernels[i];
        }
    k = must(calloc(1, sizeof *k));
    *k = (struct shim_kernel){.host = k, .name = must(strdup(name)), .module = m, .function = function};
    add((void ***)&kernels, &kernel_count, &kernel_capacity, k);
    sorted = false;
    return k;
}

struct shim_kernel *shim_kernel_at(struct ptx_program_function f)
{
    cudaError_t r;

    for (size_t i = 0; i < module_count; i++)
        if (modules[i]->loaded && modules[i]->number == f.module)
            return shim_module_kernel(modules[i],
                                      ptx_program_module(shim.program, f.module)->functions[f.function].name, &r);
    return NULL;
}
