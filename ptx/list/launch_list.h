/* ptx/list/launch_list.h: a launch list describes the work of a kernel: modules, buffers, steps and the expected
 * results. File format: docs/formats/launch-list.md. Only the reader uses JSON; the code that runs a list uses
 * these structs.
 *
 * Items refer to each other by index into the list's arrays. The list owns them all. */
#ifndef VIVACE_PTX_LIST_LAUNCH_LIST_H
#define VIVACE_PTX_LIST_LAUNCH_LIST_H

#include "base/strbuf.h"
#include "ptx/exec/exec.h"
#include "ptx/program/texture.h"

enum { LAUNCH_LIST_BYTES_MAX = 64 << 20 }; /* of the JSON; larger data is stored in files */

/* name, bytes; other properties follow from the name */
/* clang-format off */
#define ELEMENT_TYPES(X) \
    X(U8, "u8", 1) X(S8, "s8", 1) X(U16, "u16", 2) X(S16, "s16", 2) X(U32, "u32", 4) X(S32, "s32", 4) \
    X(U64, "u64", 8) X(S64, "s64", 8) X(F16, "f16", 2) X(BF16, "bf16", 2) X(F32, "f32", 4) X(F64, "f64", 8) X(PTR, "ptr", 8)
/* clang-format on */
enum element_type {
#define X(name, text, bytes) ELEMENT_##name,
    ELEMENT_TYPES(X)
#undef X
        ELEMENT_TYPE_COUNT
};
const char *element_name(enum element_type t);
uint32_t element_bytes(enum element_type t);
enum element_type element_of(const char *name); /* ELEMENT_TYPE_COUNT: no such type */
bool element_is_float(enum element_type t);
/* Converts one value from and to its bits in memory. A double cannot represent all 64-bit integers exactly. */
double element_read(enum element_type t, const void *from);
void element_write(enum element_type t, void *to, double value); /* nearest, ties to even; integers saturate */

/* Difference of two values of a float type in units in the last place. UINT64_MAX if one is a NaN. */
uint64_t element_ulps(enum element_type t, const void *a, const void *b);

/* A position in a buffer: "x" or "x+4096" (bytes). */
struct list_place {
    uint32_t buffer;
    uint64_t offset;
};

enum list_init {
    INIT_ZERO,
    INIT_NONE,
    INIT_FILE,
    INIT_VALUES,
    INIT_STEP,
    INIT_UNIFORM,
    INIT_NORMAL,
    INIT_POINTERS
};
struct list_buffer {
    char *name;
    enum element_type type;
    uint64_t count;
    enum list_init init;
    char *file; /* path relative to the list's folder */
    uint64_t offset, seed;
    double a, b;               /* start and step; lo and hi; mean and std */
    int64_t low, high;         /* integers: lo and hi */
    uint8_t *values;           /* in the layout of device memory */
    struct list_place *places; /* INIT_POINTERS: `count` targets */
    /* INIT_FILE: addresses that overwrite the file's bytes at these offsets */
    struct list_patch {
        uint64_t at;
        struct list_place place;
    } * patches;
    uint32_t patch_count;
};

/* A position in a parameter image that receives an address. Addresses are known after the buffers are allocated. */
struct list_relocation {
    uint32_t at;
    struct list_place place;
    uint32_t texture; /* a texture whose handle is written instead; PTX_NONE: an address */
};
struct list_param {
    uint32_t first, bytes; /* byte range in the launch's image */
};

enum list_step_kind { STEP_LAUNCH, STEP_COPY, STEP_FILL, STEP_SYMBOL, STEP_REPEAT, STEP_TEXTURE };
struct list_step {
    enum list_step_kind kind;
    char *name; /* LAUNCH: name of the launch, or NULL; SYMBOL: name of the variable */
    char *kernel;
    uint32_t module, grid[3], block[3], cluster[3], shared_bytes; /* cluster: 0: the kernel's own value */
    uint32_t registers; /* LAUNCH: registers per thread of the machine code; 0: unknown */
    struct list_param *params;
    uint32_t param_count;
    uint8_t *image;
    uint32_t image_bytes;
    struct list_relocation *relocations;
    uint32_t relocation_count;
    struct list_place from, to; /* COPY; FILL uses `to`; SYMBOL: the buffer */
    uint64_t bytes, offset;     /* FILL: bytes 0 means to the end of the buffer; SYMBOL: offset in the variable */
    bool to_symbol;
    uint8_t byte;
    uint64_t times; /* REPEAT: number of repetitions */
    struct list_step *steps;
    uint32_t step_count;
    struct ptx_texture *image_of; /* TEXTURE: all members except the address; `from` has the address */
    uint32_t texture;             /* TEXTURE: index of the texture's name */
};

struct list_expect {
    uint32_t buffer;        /* PTX_NONE: the printed text */
    char *file;             /* reference values, or the expected printed text */
    uint8_t *values;        /* reference values in the list instead of a file: `count` of type `type` */
    enum element_type type; /* type of the reference values */
    uint64_t offset, count; /* first byte in the buffer; count 0: to the end */
    double rtol, atol;
    uint64_t ulp, max_bad;
    char sha256[65]; /* "": no comparison by hash */
};

struct launch_list {
    char *path, *folder;
    struct list_module {
        char *name, *file;
        char *text; /* module of a packed list: the content of the file; else NULL */
        size_t bytes;
    } * modules;
    uint32_t module_count;
    struct list_buffer *buffers;
    uint32_t buffer_count;
    struct list_step *steps;
    uint32_t step_count;
    struct list_expect *expects;
    uint32_t expect_count;
    char **textures; /* names of the textures */
    uint32_t texture_count;
};

/* ERR_MALFORMED: the text is not JSON. ERR_INVALID: the document breaks another rule of the format, for example
 * by an unknown key; the message names the position in the document ("steps[2].launch.grid"). */
int launch_list_read(const char *path, struct launch_list **out, struct err *e);
int launch_list_parse(const char *json, size_t n, const char *path, struct launch_list **out, struct err *e);
void launch_list_free(struct launch_list *l);

/* launch_list_fill.c: writes the initial content of a buffer. launch_list_run() writes INIT_POINTERS. out: count
 * elements. ERR_INVALID: the file is too short. */
int launch_list_fill(const struct list_buffer *b, void *out, struct err *e);

struct launch_list_done {
    uint64_t launches, warp_instructions, lane_instructions, undefined;
    uint32_t expects, failed; /* number of expectations checked, and how many of them failed */
    bool stopped;             /* `launch` ended the run early */
};

/* State of a running list, passed to a tool at each launch. */
struct launch_list_view {
    const struct launch_list *list;
    const struct list_step *step;
    uint64_t number; /* index of the launch from 0; repetitions count */
    struct ptx_program *program;
    struct device_memory *memory;
    const uint64_t *addresses; /* one for each buffer of the list */
    const struct ptx_launch *launch;
    struct launch_list_done *done; /* counts up to now */
    const struct strbuf *print;    /* text that kernels have printed up to now */
};
enum launch_list_end {
    LIST_RAN,
    LIST_LEFT_OUT, /* the launch was not executed; it is not reported or counted */
    LIST_STOP      /* no more steps; expectations are not checked */
};
/* Executes a launch instead of ptx_launch_run(), for example to observe it, to trace it or to execute a part of
 * it. Returns enum launch_list_end, or -1. */
typedef int launch_list_launch_fn(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                                  struct ptx_exec_stats *s, struct err *e);

/* An access to the GPU's memory by a copy inside the GPU or by a fill. A copy is reported twice: first the read of
 * its source, then the write of its destination. */
struct list_touch {
    enum list_touch_kind { LIST_COPY_READS, LIST_COPY_WRITES, LIST_FILLS } kind;
    uint64_t address, bytes;
};

/* Executes the kernels of a list by other code than the PTX of its modules (machine code: sass/list). */
struct launch_list_slot {
    const char *name; /* NULL: not known */
    uint32_t offset, bytes;
};
struct launch_list_kernel {
    const char *name;
    uint32_t param_count, param_bytes;
    struct launch_list_slot *slots; /* malloc'ed; the caller frees it */
};
struct launch_list_engine {
    void *ctx;
    /* Before buffers are allocated: loads the code and its variables. */
    int (*begin)(void *ctx, struct device_memory *memory, struct err *e);
    /* ERR_NOT_FOUND: the code has no such kernel. */
    int (*kernel)(void *ctx, const struct list_step *s, struct launch_list_kernel *out, struct err *e);
    int (*launch)(void *ctx, const struct list_step *s, const void *params, const struct ptx_exec_options *o,
                  struct ptx_exec_stats *stats, struct err *e);
    /* The bytes of a global or constant variable. ERR_NOT_FOUND. */
    int (*symbol)(void *ctx, const char *name, uint8_t **at, uint64_t *bytes, struct err *e);
};

struct launch_list_options {
    struct ptx_exec_options exec;
    const struct launch_list_engine *engine; /* NULL: the PTX of the modules */
    uint64_t memory_bytes;                   /* 0: 16 GiB */
    bool no_check;
    bool contract; /* see ptx_program_contract() */
    /* Callbacks; each may be NULL. `launch` executes a launch. `launched` is called after a launch. `checked` is
     * called after an expectation was checked; `text` is the result. */
    launch_list_launch_fn *launch;
    void (*launched)(void *ctx, const char *name, uint64_t number, const struct ptx_exec_stats *s);
    /* A copy or a fill by the host accesses the GPU's memory. -1 ends the run. */
    int (*touched)(void *ctx, const struct list_touch *t, struct err *e);
    void (*checked)(void *ctx, const char *what, bool good, const char *text);
    /* After the last step: `addresses` has one for each buffer of the list. -1 ends the run. */
    int (*finished)(void *ctx, const struct device_memory *memory, const uint64_t *addresses, struct err *e);
    void *ctx;
};
/* Runs all steps, then checks the expectations. Returns 0 also if expectations fail; done->failed counts them. */
int launch_list_run(const struct launch_list *l, const struct launch_list_options *o, struct launch_list_done *done,
                    struct err *e);
/* launch_list_expect.c: Returns 1: the result is as expected. 0: it is not, and *text (malloc'ed) describes the
 * difference. -1: error. `bytes`: content of the buffer; print: the printed text. */
int launch_list_expect(const struct list_expect *x, const struct list_buffer *b, const uint8_t *bytes,
                       const char *print, size_t print_bytes, char **text, struct err *e);

#endif
