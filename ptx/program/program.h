/* ptx/program/program.h: loaded modules: their variables, functions and addresses. */
#ifndef VIVACE_PTX_PROGRAM_PROGRAM_H
#define VIVACE_PTX_PROGRAM_PROGRAM_H

#include "ptx/code/op.h"
#include "ptx/memory/device_memory.h"

/* A module in a context: variables have addresses; functions are decoded when first used. */
struct ptx_program; /* opaque */
struct ptx_program *ptx_program_new(struct device_memory *memory, struct err *e);
void ptx_program_free(struct ptx_program *p);
/* Functions that are decoded from now on fuse products and sums where the assembler may do so (contract.h). */
void ptx_program_contract(struct ptx_program *p, bool on);
/* Loads a module and takes ownership of it, also on error. Allocates and initializes global and constant
 * variables. Looks up .extern names in the modules loaded before. *module: its number. */
int ptx_program_load(struct ptx_program *p, struct ptx_module *m, uint32_t *module, struct err *e);
const struct ptx_module *ptx_program_module(const struct ptx_program *p, uint32_t module);
/* The decoded function, which is decoded on first use. NULL: *e is its error. */
const struct ptx_code *ptx_program_code(struct ptx_program *p, uint32_t module, uint32_t function, struct err *e);
/* Address and size of a global or constant variable; ERR_NOT_FOUND. */
int ptx_program_symbol(const struct ptx_program *p, uint32_t module, const char *name, uint64_t *address,
                       uint64_t *bytes, struct err *e);

/* Functions have addresses in a range without data: this base, then 16 bytes for each function of the program. */
#define PTX_CODE_BASE 0x7ffb00000000ull

struct ptx_program_function {
    uint32_t module, function;
};

struct device_memory *ptx_program_memory(const struct ptx_program *p);
/* Finds the definition of a function: itself, the target of an alias, or for a declaration the definition of
 * that name in its module or in a module loaded before. ERR_NOT_FOUND. */
int ptx_program_resolve(const struct ptx_program *p, uint32_t module, uint32_t function,
                        struct ptx_program_function *out, struct err *e);
uint64_t ptx_program_function_address(const struct ptx_program *p, uint32_t module, uint32_t function);
bool ptx_program_function_at(const struct ptx_program *p, uint64_t address, struct ptx_program_function *out);
/* Address of a global or constant variable by number. 0: it has none (shared, local, or extern and not found). */
uint64_t ptx_program_address(const struct ptx_program *p, uint32_t module, uint32_t variable);
/* Adds `add` bytes to the kernels' heap in use. Returns the new total. */
uint64_t ptx_program_heap(struct ptx_program *p, int64_t add);
/* Data that other files keep in the program between launches. It is freed before the functions. */
struct ptx_idle {
    void *items;
    void (*free)(void *items); /* NULL: no data is kept */
};
struct ptx_idle *ptx_program_idle(struct ptx_program *p);
uint32_t ptx_program_modules(const struct ptx_program *p);
/* SHA-256 of the printed module. The program owns *hex. */
int ptx_program_module_hash(struct ptx_program *p, uint32_t module, const char **hex, struct err *e);

/* --- children.c: launches that kernels have requested --- */
struct ptx_child {
    struct ptx_program_function kernel;
    uint32_t grid[3], block[3], shared_bytes, param_bytes;
    uint32_t depth;  /* 1: requested by a kernel that the host has launched */
    uint8_t *params; /* malloc'ed */
};
struct ptx_children {
    struct ptx_child *items;
    size_t count, next, capacity;
    uint32_t depth; /* of the launch that runs now; 0: the host has launched it */
};
enum { PTX_CHILD_DEPTH_MAX = 24, PTX_CHILDREN_MAX = 1 << 20 };
struct ptx_children *ptx_program_children(struct ptx_program *p);
/* Takes ownership of the parameters, also on error. */
int ptx_child_add(struct ptx_program *p, const struct ptx_child *c, struct err *e);
/* The next launch to run; the caller frees its parameters. False: there is none. */
bool ptx_child_take(struct ptx_program *p, struct ptx_child *out);
void ptx_children_forget(struct ptx_program *p);

/* --- texture.c --- */
struct ptx_texture;
struct ptx_textures {
    struct ptx_texture *items;
    size_t count, capacity;
};
struct ptx_textures *ptx_program_textures(struct ptx_program *p);
const struct ptx_texture *ptx_program_texture_at(struct ptx_program *p, uint64_t handle); /* NULL: unknown handle */

#endif
