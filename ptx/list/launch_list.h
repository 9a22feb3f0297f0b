/* ptx/list/launch_list.h: a kernel's work, written down: modules, buffers, steps, and what is expected of the
 * results. The file format: docs/formats/launch-list.md. Only this reader knows JSON; running takes structs.
 *
 * Everything in a list is named by index into its arrays, and belongs to the list. */
#ifndef VIVACE_PTX_LIST_LAUNCH_LIST_H
#define VIVACE_PTX_LIST_LAUNCH_LIST_H

#include "base/strbuf.h"
#include "ptx/exec/exec.h"
#include "ptx/program/texture.h"

enum { LAUNCH_LIST_BYTES_MAX = 64 << 20 }; /* of the JSON; larger data comes from files */

/* name, bytes; what else it is follows from the name */
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
enum element_type element_of(const char *name); /* ELEMENT_TYPE_COUNT: no such */
bool element_is_float(enum element_type t);
/* One value, to and from the bits that memory holds. Integers of 64 bits lose digits as doubles. */
double element_read(enum element_type t, const void *from);
void element_write(enum element_type t, void *to, double value); /* nearest, ties to even; integers saturate */

/* Units in the last place between two values of a float type; UINT64_MAX where one is a NaN. */
uint64_t element_ulps(enum element_type t, const void *a, const void *b);

/* A place in a buffer: "x" or "x+4096" (bytes). */
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
    char *file; /* path, of the folder of the list */
    uint64_t offset, seed;
    double a, b;               /* start and step; lo and hi; mean and std */
    int64_t low, high;         /* lo and hi of integers */
    uint8_t *values;           /* as memory holds them */
    struct list_place *places; /* of pointers: count of them */
    /* Of a file: addresses that are put over what it has, at these bytes. */
    struct list_patch {
        uint64_t at;
        struct list_place place;
    } * patches;
    uint32_t patch_count;
};

/* Bytes, and in them addresses that are known when buffers are. */
struct list_relocation {
    uint32_t at;
    struct list_place place;
    uint32_t texture; /* its handle instead; PTX_NONE: an address */
};
struct list_param {
    uint32_t first, bytes; /* in the launch's image */
};

enum list_step_kind { STEP_LAUNCH, STEP_COPY, STEP_FILL, STEP_SYMBOL, STEP_REPEAT, STEP_TEXTURE };
struct list_step {
    enum list_step_kind kind;
    char *name; /* LAUNCH: of the launch, or NULL; SYMBOL: of the variable */
    char *kernel;
    uint32_t module, grid[3], block[3], cluster[3], shared_bytes; /* cluster: 0: as the kernel says */
    uint32_t registers; /* LAUNCH: a thread in machine code; 0: not said */
    struct list_param *params;
    uint32_t param_count;
    uint8_t *image;
    uint32_t image_bytes;
    struct list_relocation *relocations;
    uint32_t relocation_count;
    struct list_place from, to; /* COPY, FILL (to); SYMBOL: the other side */
    uint64_t bytes, offset;     /* FILL: all that follows where bytes is 0; SYMBOL: offset in the variable */
    bool to_symbol;
    uint8_t byte;
    uint64_t times; /* REPEAT */
    struct list_step *steps;
    uint32_t step_count;
    struct ptx_texture *image_of; /* TEXTURE: all but the address, which is that of `from` */
    uint32_t texture;             /* which name it gives */
};

struct list_expect {
    uint32_t buffer;        /* or PTX_NONE: print */
    char *file;             /* reference values, or expected print */
    uint8_t *values;        /* or these: `count` of `type` */
    enum element_type type; /* of the reference */
    uint64_t offset, count; /* first byte in the buffer; count 0: all */
    double rtol, atol;
    uint64_t ulp, max_bad;
    char sha256[65]; /* "": not by hash */
};

struct launch_list {
    char *path, *folder;
    struct list_module {
        char *name, *file;
        char *text; /* of a packed list: what the file holds; else NULL */
        size_t bytes;
    } * modules;
    uint32_t module_count;
    struct list_buffer *buffers;
    uint32_t buffer_count;
    struct list_step *steps;
    uint32_t step_count;
    struct list_expect *expects;
    uint32_t expect_count;
    char **textures; /* names of handles */
    uint32_t texture_count;
};

/* ERR_MALFORMED: no JSON; ERR_INVALID with the place in the document ("steps[2].launch.grid"): anything else that
 * is not as the format says, unknown keys included. */
int launch_list_read(const char *path, struct launch_list **out, struct err *e);
int launch_list_parse(const char *json, size_t n, const char *path, struct launch_list **out, struct err *e);
void launch_list_free(struct launch_list *l);

/* launch_list_fill.c: the bytes that a buffer begins with (INIT_POINTERS: by launch_list_run). out: count elements.
 * ERR_INVALID: the file is too short. */
int launch_list_fill(const struct list_buffer *b, void *out, struct err *e);

struct launch_list_done {
    uint64_t launches, warp_instructions, lane_instructions, undefined;
    uint32_t expects, failed; /* checked, and of these failed */
    bool stopped;             /* before the end, by `launch` */
};

/* What a tool is shown of a list that runs, at each of its launches. */
struct launch_list_view {
    const struct launch_list *list;
    const struct list_step *step;
    uint64_t number; /* of the launch, from 0 on, repeats counted */
    struct ptx_program *program;
    struct device_memory *memory;
    const uint64_t *addresses; /* of the list's buffers */
    const struct ptx_launch *launch;
    struct launch_list_done *done; /* so far */
    const struct strbuf *print;    /* what kernels have printed so far */
};
enum launch_list_end {
    LIST_RAN,
    LIST_LEFT_OUT, /* it was not run: it is not reported, nor counted */
    LIST_STOP      /* no more steps; nothing is checked */
};
/* Runs a launch in another way than ptx_launch_run(): watched, traced, in part. enum launch_list_end; -1. */
typedef int launch_list_launch_fn(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                                  struct ptx_exec_stats *s, struct err *e);

struct launch_list_options {
    struct ptx_exec_options exec;
    uint64_t memory_bytes; /* 0: 16 GiB */
    bool no_check;
    bool contract; /* see ptx_program_contract() */
    /* Each may be NULL. A launch is to be run; it has ended; an expectation was looked at: `text` says what was
     * found. */
    launch_list_launch_fn *launch;
    void (*launched)(void *ctx, const char *name, uint64_t number, const struct ptx_exec_stats *s);
    /* A copy or a fill, which the host asks for, reads or writes bytes of the GPU. -1 ends the run. */
    int (*touched)(void *ctx, uint64_t address, uint64_t bytes, bool write, struct err *e);
    void (*checked)(void *ctx, const char *what, bool good, const char *text);
    void *ctx;
};
/* Runs all steps, then looks at what is expected. 0 also where expectations fail: see done->failed. */
int launch_list_run(const struct launch_list *l, const struct launch_list_options *o, struct launch_list_done *done,
                    struct err *e);
/* launch_list_expect.c: 1: as expected; 0: not, and *text (malloc'ed) says where and by how much; -1. `bytes`: the
 * buffer's; print: what was printed. */
int launch_list_expect(const struct list_expect *x, const struct list_buffer *b, const uint8_t *bytes,
                       const char *print, size_t print_bytes, char **text, struct err *e);

#endif
