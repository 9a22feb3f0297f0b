/* ptx/runtime/runtime.h: one simulated GPU behind the interface of the CUDA runtime; shared by the files of
 * ptx/runtime.
 *
 * A program that was linked with `-cudart shared` loads our libcudart.so.13, because `vivace exec` sets
 * LD_LIBRARY_PATH. Work is executed when it is submitted, which is valid for every order of streams and events.
 * A separate clock (clock.c) models its duration. There is one device. One lock protects all state. */
#ifndef VIVACE_PTX_RUNTIME_RUNTIME_H
#define VIVACE_PTX_RUNTIME_RUNTIME_H

#include <stdbool.h>

#include "ptx/program/program.h"
#include "ptx/runtime/api.h"
#include "ptx/runtime/gpu.h"

/* --- options of `vivace exec`, passed in environment variables (settings.c) --- */
#define SHIM_GPU            "VIVACE_EXEC_GPU"           /* design; launches are simulated */
#define SHIM_DEVICE         "VIVACE_EXEC_DEVICE"        /* design for device queries only */
#define SHIM_PROFILE        "VIVACE_EXEC_PROFILE"       /* file to write: a profile */
#define SHIM_ONLY           "VIVACE_EXEC_ONLY"          /* file: launch numbers to trace or capture, one per line */
#define SHIM_TRACE          "VIVACE_EXEC_TRACE"         /* file to write: a .vtrace */
#define SHIM_CAPTURE        "VIVACE_EXEC_CAPTURE"       /* folder to write launch lists into */
#define SHIM_CHECKPOINT_AT  "VIVACE_EXEC_CHECKPOINT_AT" /* number of launches in the checkpoint; 0: none */
#define SHIM_CHECKPOINT     "VIVACE_EXEC_CHECKPOINT"    /* file to write */
#define SHIM_RESUME         "VIVACE_EXEC_RESUME"        /* checkpoint file: its launches are skipped */
#define SHIM_CHECK          "VIVACE_EXEC_CHECK"         /* "1": strict mode; leaks are reported */
#define SHIM_MEMORY         "VIVACE_EXEC_MEMORY"        /* bytes of device memory */
#define SHIM_LIMIT          "VIVACE_EXEC_LIMIT"         /* warp instructions per launch */
#define SHIM_REPORT         "VIVACE_EXEC_REPORT"        /* file to write at the end: counts for `vivace exec` */
#define SHIM_DEVICE_DEFAULT "a100"

struct shim_settings {
    const char *gpu, *device, *profile, *only, *trace, *capture, *report, *checkpoint, *resume;
    bool check;
    uint64_t memory_bytes, limit_instructions, checkpoint_at;
};
int shim_settings_read(struct shim_settings *s, struct err *e);

/* --- symbols that programs register before main() (registry.c) --- */
struct shim_module {
    const void *container;
    const void *const *linked; /* containers that are linked to it, then NULL; or NULL */
    char *text;                /* PTX text instead of a container; malloc'ed, NULL after parsing */
    bool tried, loaded;        /* loaded: `number` is the module's number in the program */
    uint32_t number, arch;
    struct err why; /* the error if it is not loaded */
};
struct shim_kernel {
    const void *host; /* the address of the kernel's host function */
    char *name;
    struct shim_module *module;
    uint32_t function;
    uint32_t dynamic_shared_max; /* set by the program; 0: not set */
    int carveout;
    uint32_t registers; /* per thread; 0: not computed yet */
};
struct shim_kernel *
shim_kernel_at(struct ptx_program_function f); /* NULL: its module is not one of the program's */
struct shim_variable {
    const void *host;
    void **managed; /* the program's pointer to a managed variable; else NULL */
    char *name;
    struct shim_module *module;
};
/* Finds a symbol, and parses and loads its module at the first use. NULL: *r is the reason; for an unregistered
 * symbol cudaErrorInvalidDeviceFunction or cudaErrorInvalidSymbol. */
struct shim_kernel *shim_kernel_find(const void *host, cudaError_t *r);
struct shim_variable *shim_variable_find(const void *host, uint64_t *address, uint64_t *bytes, cudaError_t *r);
cudaError_t shim_modules_load_managed(void);
/* Adds a module that the program loads at run time: NUL-terminated PTX, a container or its wrapper. It is parsed
 * at once. */
cudaError_t shim_module_add(const void *image, struct shim_module **out);
struct shim_kernel *shim_module_kernel(struct shim_module *m, const char *name, cudaError_t *r);

/* --- memory (memory.c, array.c) --- */
enum shim_memory_kind { MEMORY_DEVICE, MEMORY_HOST, MEMORY_MANAGED, MEMORY_ARRAY };
struct cuda_array {
    uint8_t *bytes;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* in elements; height and depth are 0 for a missing dimension */
    uint32_t element_bytes, flags;
    size_t pitch;
};
cudaError_t shim_allocate(enum shim_memory_kind kind, size_t bytes, void **out);
cudaError_t shim_release(void *p,
                         enum shim_memory_kind kind); /* p may be NULL; kind DEVICE also releases MANAGED */
/* The kind of the allocation that contains all these bytes. -1: not an allocation of this library. */
int shim_memory_kind(const void *p, size_t bytes);
uint64_t shim_memory_in_use(void);
size_t shim_memory_leaks(uint64_t *bytes); /* allocations of the program that were never freed */
void shim_memory_forget(void);             /* for cudaDeviceReset() */

/* --- time (clock.c): modelled picoseconds since the program began --- */
enum shim_engine { ENGINE_COMPUTE, ENGINE_COPY_IN, ENGINE_COPY_OUT, ENGINE_COUNT };
struct cuda_stream {
    uint64_t id, ready_ps; /* ready_ps: end of the work that was submitted before */
    unsigned flags;
    int priority;
    cudaGraph_t capturing;
    struct cuda_stream *next;
};
struct cuda_event {
    uint64_t at_ps;
    unsigned flags;
    bool recorded;
    cudaGraph_t captured; /* the capture in which it was recorded last */
    struct cuda_event *next;
};
/* Adds work of this duration to a stream. Returns its begin. */
uint64_t clock_work(cudaStream_t s, enum shim_engine engine, uint64_t length_ps);
void clock_wait_for(cudaStream_t s, uint64_t at_ps); /* later work on the stream begins no earlier */
void clock_host_waits(uint64_t at_ps);
uint64_t clock_all_done(void);
uint64_t clock_stream_done(cudaStream_t s);
uint64_t clock_copy_ps(uint64_t bytes, enum cudaMemcpyKind kind);
cudaStream_t shim_stream_find(cudaStream_t given); /* NULL: no such stream */
void clock_add_stream(cudaStream_t s);
void clock_remove_stream(cudaStream_t s);
void clock_end_capture(cudaGraph_t g); /* for all streams of the capture */

/* --- work: executed at once, or added to a graph if the stream is being captured (work.c) --- */
enum work_kind { WORK_KERNEL, WORK_COPY, WORK_FILL, WORK_HOST, WORK_NOTHING };
struct plane { /* one side of a copy */
    uint8_t *bytes;
    size_t pitch, slice;
};
struct work {
    enum work_kind kind;
    /* KERNEL */
    struct shim_kernel *kernel;
    uint32_t grid[3], block[3], cluster[3], shared_bytes;
    void *params; /* malloc'ed */
    bool cooperative;
    /* COPY, FILL */
    struct plane to, from;
    size_t width, height, depth; /* bytes, rows, slices */
    enum cudaMemcpyKind direction;
    uint32_t value, value_bytes;
    /* HOST */
    cudaHostFn_t host;
    void *host_data;
};
/* Takes ownership of the work's data, also on error. Call it with the lock held; it releases the lock during
 * host functions. */
cudaError_t shim_submit(struct work *w, cudaStream_t stream);
cudaError_t shim_do(struct work *w, cudaStream_t stream); /* executes the work at once; takes no ownership */
cudaError_t graph_add(cudaGraph_t g, struct work *w, cudaGraphNode_t *node);
void work_release(struct work *w);

/* --- kernels (launch.c, function.c) --- */
struct kernel_request {
    dim3 grid, block, cluster; /* cluster: 0: none */
    size_t shared;
    void **args;
    bool cooperative;
};
/* Finds the kernel, checks the request and packs the arguments. */
cudaError_t shim_make_kernel_work(const void *host, const struct kernel_request *q, struct work *out);
const struct ptx_code *shim_kernel_code(struct shim_kernel *k, cudaError_t *r); /* NULL: it cannot run */
/* The number of CTAs per SM, computed with the timing model's limits. */
cudaError_t shim_occupancy(const struct shim_kernel *k, const struct ptx_code *code, uint32_t threads,
                           size_t shared, int *blocks);
uint32_t shim_registers(struct shim_kernel *k, const struct ptx_code *code); /* per thread */

/* --- running a kernel (run.c); recording it (record.c) --- */
struct shim_launched {
    uint64_t number; /* 0, 1, ... in order of submission */
    const struct work *work;
    uint64_t stream, begin_ps, length_ps, warp_instructions;
    uint32_t registers, static_shared;
};
cudaError_t shim_run(const struct work *w, cudaStream_t stream);
cudaError_t shim_fault(const struct err *e); /* the error code for a fault of a kernel */
/* Returns true if launch `number` is to be traced or captured. */
bool record_wants(uint64_t number);
/* Returns true if the launch's instructions must be read: a trace is being written, and the launch is part of it
 * or affects the caches for a later launch that is. */
bool record_reads(uint64_t number);
/* Reads the launch's instructions and writes them to the trace if selected. */
int record_source(uint64_t number, struct inst_source *s, struct err *e);
void record_copy(const struct work *w); /* records copies and fills, because they change the caches */
void record_launch(const struct shim_launched *x);
int record_open(struct err *e);
void record_close(void);

/* --- checkpoints (resume.c) --- */
struct ptx_launch;
int resume_open(struct err *e);
void resume_close(void);
bool resume_passes_over(void); /* true: the next launch is skipped */
int resume_pass(const struct ptx_launch *launch, struct shim_launched *reported, struct err *e);
/* Call before and after a launch that runs. They record it if a checkpoint is being written. */
int resume_begin(const struct ptx_launch *launch, struct err *e);
void resume_print(const char *text, size_t n);
int resume_end(const struct shim_launched *reported, struct err *e);

/* --- global state --- */
struct shim {
    bool ready, closed;
    struct shim_settings settings;
    const struct runtime_gpu *gpu;
    struct device_memory *memory;
    struct ptx_program *program;
    cudaError_t sticky; /* a kernel has faulted: every later call returns this */
    uint64_t launches, warp_instructions, unsupported;
    uint64_t not_run; /* launches that were not run: their code is not available as PTX, or uses an unsupported
                         feature */
    enum err_code output_failed; /* error of the first requested output file that could not be written */
};
extern struct shim shim;
/* Takes the lock; the first call initializes the library. Returns an error if that failed or a kernel has
 * faulted. */
cudaError_t shim_enter(void);
/* Releases the lock. An `r` other than cudaSuccess becomes the thread's last error. Returns r. */
cudaError_t shim_leave(cudaError_t r);
/* The lock is released while a function of the program runs (host function, stream callback). */
void shim_unlock(void);
void shim_lock(void);
void shim_say(const char *format, ...) PRINTF_LIKE(1, 2); /* one line on stderr */
/* Reports that a requested output file is incomplete: `what`, with the reason. `vivace exec` then ends with this
 * error. */
void shim_output_failed(const char *what, const struct err *why);
cudaError_t shim_not_supported(const char *function, const char *what); /* reported once per function */

/* Also exports a function of the legacy stream under its name for per-thread streams. */
#define ALSO_PTSZ(function) extern __typeof__(function) function##_ptsz __attribute__((alias(#function)))
#define ALSO_PTDS(function) extern __typeof__(function) function##_ptds __attribute__((alias(#function)))

#endif
