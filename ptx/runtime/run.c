/* ptx/runtime/run.c: launches a kernel: checks the request, runs it, and converts a fault to an error code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "ptx/capture/capture.h"
#include "ptx/runtime/runtime.h"
#include "ptx/trace/source.h"

/* Without simulation a warp instruction takes one nanosecond of device time. Times that programs measure are
 * then not zero and grow with the work. */
enum { COUNTED_PS = 1000, SHARED_USUAL = 48 << 10 };

/* The messages are those of exec_*.c and faults.c. */
cudaError_t shim_fault(const struct err *e)
{
    static const struct {
        const char *says;
        cudaError_t is;
    } kinds[] = {{"which is not aligned", cudaErrorMisalignedAddress},
                 {": assertion `", cudaErrorAssert},
                 {"not supported", cudaErrorNotSupported},
                 {"limit of instructions", cudaErrorLaunchTimeout},
                 {"deadlock: all CTAs poll", cudaErrorLaunchTimeout},
                 {"waits for a CTA that cannot start", cudaErrorLaunchTimeout},
                 {"is not a function", cudaErrorInvalidPc},
                 {"cudaLaunchDevice", cudaErrorCdpNotSupported},
                 {"cudaGetParameterBuffer", cudaErrorCdpNotSupported},
                 {"bytes at 0x", cudaErrorIllegalAddress},
                 {"address 0x", cudaErrorIllegalAddress},
                 {"bytes outside ", cudaErrorIllegalAddress},
                 {"read-only memory", cudaErrorIllegalAddress}};

    if (e->code == ERR_NO_MEMORY)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(e->text, kinds[i].says))
            return kinds[i].is;
    return cudaErrorLaunchFailure;
}

static void on_print(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    fwrite(text, 1, n, stdout);
    resume_print(text, n);
}

static void on_undefined(void *ctx, const char *text)
{
    (void)ctx;
    shim_say("%s: the manual leaves the result undefined (reported once; --check ends here)", text);
}

/* --- running --- */

struct running {
    struct ptx_launch launch;
    struct ptx_exec_options exec;
    struct ptx_source_options source;
    struct shim_launched *reported;
};

static int execute(struct running *r, struct err *e)
{
    struct ptx_exec_stats stats;
    int ret = ptx_launch_run(shim.program, &r->launch, &r->exec, &stats, e);

    r->reported->warp_instructions = stats.warp_instructions;
    r->reported->length_ps = stats.warp_instructions * COUNTED_PS;
    return ret;
}

static int trace(struct running *r, struct err *e)
{
    struct inst_source *s;
    int ret = ptx_source_new(shim.program, &r->launch, &r->exec, &r->source, &s, e);

    if (ret != 0)
        return -1;
    ret = record_source(r->reported->number, s, e);
    r->reported->registers = s->info.registers;
    r->reported->warp_instructions = ptx_source_stats(s)->warp_instructions;
    r->reported->length_ps = r->reported->warp_instructions * COUNTED_PS;
    inst_source_release(s);
    return ret;
}

static int simulate_launch(struct running *r, struct err *e)
{
    struct inst_source *s;
    int ret = ptx_source_new(shim.program, &r->launch, &r->exec, &r->source, &s, e);

    if (ret != 0)
        return -1;
    ret = shim.gpu->ops->simulate(shim.gpu, s, &r->reported->length_ps, e);
    r->reported->registers = s->info.registers;
    r->reported->warp_instructions = ptx_source_stats(s)->warp_instructions;
    inst_source_release(s);
    return ret;
}

static void fill_in(struct running *r, const struct work *w, cudaStream_t stream, struct shim_launched *reported)
{
    const struct ptx_function *f =
        &ptx_program_module(shim.program, w->kernel->module->number)->functions[w->kernel->function];
    static struct ptx_warnings warnings = {.say = on_undefined};
    struct err ignored;

    *r = (struct running){.launch = {.module = w->kernel->module->number,
                                     .function = w->kernel->function,
                                     .shared_bytes = w->shared_bytes,
                                     .params = w->params,
                                     .param_bytes = f->param_bytes},
                          .exec = {.limit_instructions = shim.settings.limit_instructions,
                                   .strict = shim.settings.check,
                                   .sms = shim.gpu->sms,
                                   .print = on_print,
                                   .warnings = &warnings},
                          .source = {.arch = shim.gpu->compute_capability, .id = reported->number + 1},
                          .reported = reported};
    r->source.stream = stream->id;
    /* the check of the launch has decoded it already */
    reported->static_shared =
        ptx_program_code(shim.program, r->launch.module, r->launch.function, &ignored)->shared_bytes;
    memcpy(r->launch.grid, w->grid, sizeof w->grid);
    memcpy(r->launch.block, w->block, sizeof w->block);
    memcpy(r->launch.cluster, w->cluster, sizeof w->cluster);
}

/* A launch that cannot be captured is still executed. */
static struct ptx_capture *capture_begin(const struct running *r)
{
    struct ptx_capture_options o = {0};
    struct strbuf folder = STRBUF_INIT;
    struct ptx_capture *c = NULL;
    char name[40], what[64];
    struct err e;

    snprintf(name, sizeof name, "launch-%llu", (unsigned long long)r->reported->number);
    snprintf(what, sizeof what, "cannot capture %s", name);
    strbuf_addf(&folder, "%s/%s", shim.settings.capture, name);
    o.folder = folder.text;
    o.name = name;
    if ((mkdir(shim.settings.capture, 0777) != 0 && errno != EEXIST
             ? err_set_errno(&e, errno, "folder %s", shim.settings.capture)
             : ptx_capture_begin(shim.program, &r->launch, &o, &c, &e)) != 0)
        shim_output_failed(what, &e);
    strbuf_release(&folder);
    return c;
}

static void capture_end(struct ptx_capture *c, bool ran)
{
    struct err e;

    if (c && ptx_capture_end(c, ran, &e) != 0)
        shim_output_failed("cannot capture a launch", &e);
    ptx_capture_free(c);
}

/* A cooperative kernel reads the address of its grid barrier from %envreg1 (high word) and %envreg2. The barrier
 * is {u32 bytes, u32 barrier}, zero at the begin. */
static int give_workspace(struct ptx_launch *l, struct err *e)
{
    static uint64_t workspace;
    uint32_t begin[2] = {sizeof begin, 0};

    if (!workspace && device_alloc(shim.memory, sizeof begin, 0, "the grid barrier", &workspace, e) != 0)
        return -1;
    memcpy(device_bytes(shim.memory, workspace, sizeof begin), begin, sizeof begin);
    l->envreg[1] = (uint32_t)(workspace >> 32);
    l->envreg[2] = (uint32_t)workspace;
    return 0;
}

static int run_somehow(struct running *r, struct err *e)
{
    int ret;

    if (r->reported->work->cooperative && give_workspace(&r->launch, e) != 0)
        return -1;
    if (resume_passes_over())
        return resume_pass(&r->launch, r->reported, e);
    ret = resume_begin(&r->launch, e);
    if (ret == 0 && record_reads(r->reported->number))
        ret = trace(r, e);
    else if (ret == 0)
        ret = shim.gpu->ops->simulate ? simulate_launch(r, e) : execute(r, e);
    return ret == 0 ? resume_end(r->reported, e) : ret;
}

static cudaError_t run_one(const struct work *w, cudaStream_t stream)
{
    struct shim_launched reported = {.number = shim.launches++, .work = w, .stream = stream->id};
    bool wanted = record_wants(reported.number);
    struct ptx_capture *capture = NULL;
    struct running r;
    struct err e;
    int ret;

    fill_in(&r, w, stream, &reported);
    if (wanted && shim.settings.capture && !resume_passes_over())
        capture = capture_begin(&r);
    ret = run_somehow(&r, &e);
    fflush(stdout);
    capture_end(capture, ret == 0);
    shim.warp_instructions += reported.warp_instructions;
    if (ret != 0) {
        shim_say("launch %llu: %s", (unsigned long long)reported.number, e.text);
        shim.sticky = shim_fault(&e);
        return cudaSuccess; /* the launch call itself succeeds; the next call returns the error */
    }
    reported.begin_ps = clock_work(stream, ENGINE_COMPUTE, reported.length_ps);
    record_launch(&reported);
    return cudaSuccess;
}

/* Runs what the kernel has launched, then what these have launched, ... */
static void run_children(cudaStream_t stream)
{
    struct ptx_child c;

    while (shim.sticky == cudaSuccess && ptx_child_take(shim.program, &c)) {
        struct work w = {.kind = WORK_KERNEL,
                         .kernel = shim_kernel_at(c.kernel),
                         .shared_bytes = c.shared_bytes,
                         .params = c.params};
        cudaError_t r;

        memcpy(w.grid, c.grid, sizeof w.grid);
        memcpy(w.block, c.block, sizeof w.block);
        if (!w.kernel || !shim_kernel_code(w.kernel, &r))
            shim.sticky = cudaErrorCdpNotSupported;
        else
            run_one(&w, stream);
        work_release(&w);
    }
    ptx_children_forget(shim.program);
}

cudaError_t shim_run(const struct work *w, cudaStream_t stream)
{
    cudaError_t r = run_one(w, stream);

    run_children(stream);
    return r;
}

/* --- checks of a launch request --- */

static uint32_t at_least_one(uint32_t n)
{
    return n ? n : 1;
}

static cudaError_t check(const struct shim_kernel *k, const struct ptx_code *code, const struct kernel_request *c)
{
    uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z;
    const struct ptx_function *f = code->function;
    uint64_t most = f->maxntid[0] ? (uint64_t)f->maxntid[0] * (f->maxntid[1] ? f->maxntid[1] : 1) *
                                        (f->maxntid[2] ? f->maxntid[2] : 1)
                                  : 1024;
    uint64_t usual = code->shared_bytes < SHARED_USUAL ? SHARED_USUAL - code->shared_bytes : 0;
    uint64_t factor = f->blocks_are_clusters ? (uint64_t)c->cluster.x * c->cluster.y * c->cluster.z : 1;
    int blocks;

    if (!threads || threads > 1024 || c->block.z > 64 || !c->grid.x || !c->grid.y || !c->grid.z ||
        c->grid.x > INT32_MAX || c->grid.y > 65535 || c->grid.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (threads > most)
        return cudaErrorInvalidValue;
    if ((!f->blocks_are_clusters &&
         (c->grid.x % c->cluster.x || c->grid.y % c->cluster.y || c->grid.z % c->cluster.z)) ||
        (uint64_t)c->cluster.x * c->cluster.y * c->cluster.z > PTX_CLUSTER_MAX ||
        (f->cluster[0] && (c->cluster.x != f->cluster[0] || c->cluster.y != at_least_one(f->cluster[1]) ||
                           c->cluster.z != at_least_one(f->cluster[2]))))
        return cudaErrorInvalidClusterSize;
    if (c->shared > usual && c->shared > k->dynamic_shared_max)
        return cudaErrorInvalidValue;
    if (c->cooperative && (shim_occupancy(k, code, (uint32_t)threads, c->shared, &blocks) != cudaSuccess ||
                           (uint64_t)blocks * shim.gpu->sms < (uint64_t)c->grid.x * c->grid.y * c->grid.z * factor))
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

static cudaError_t pack(const struct ptx_function *f, void **args, void **out)
{
    struct err e;
    uint8_t *params = mem_zalloc(f->param_bytes + 1u, 1, &e);

    if (!params)
        return cudaErrorMemoryAllocation;
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (!args || !args[i]) {
            free(params);
            return cudaErrorInvalidValue;
        }
        memcpy(params + f->params[i].offset, args[i], f->params[i].bytes);
    }
    *out = params;
    return cudaSuccess;
}

const struct ptx_code *shim_kernel_code(struct shim_kernel *k, cudaError_t *r)
{
    struct err e;
    const struct ptx_code *code = ptx_program_code(shim.program, k->module->number, k->function, &e);

    if (!code)
        shim_say("kernel %s cannot run: %s", k->name, e.text);
    *r = code ? cudaSuccess : shim_fault(&e) == cudaErrorLaunchFailure ? cudaErrorInvalidPtx : shim_fault(&e);
    return code;
}

cudaError_t shim_make_kernel_work(const void *host, const struct kernel_request *q, struct work *out)
{
    struct kernel_request c = *q;
    const struct ptx_code *code;
    struct shim_kernel *k;
    cudaError_t r;

    k = shim_kernel_find(host, &r);
    code = k ? shim_kernel_code(k, &r) : NULL;
    if (!code)
        return r;
    if (!q->cluster.x) /* the kernel's compiled cluster size */
        c.cluster = (dim3){code->function->cluster[0], code->function->cluster[1], code->function->cluster[2]};
    c.cluster = (dim3){at_least_one(c.cluster.x), at_least_one(c.cluster.y), at_least_one(c.cluster.z)};
    r = check(k, code, &c);
    if (r != cudaSuccess)
        return r;
    *out = (struct work){.kind = WORK_KERNEL,
                         .kernel = k,
                         .grid = {c.grid.x, c.grid.y, c.grid.z},
                         .block = {c.block.x, c.block.y, c.block.z},
                         .cluster = {c.cluster.x, c.cluster.y, c.cluster.z},
                         .shared_bytes = (uint32_t)c.shared,
                         .cooperative = c.cooperative};
    return pack(code->function, c.args, &out->params);
}
