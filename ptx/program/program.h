/* ptx/program/program.h: loaded modules: their variables, functions and addresses. */
#ifndef VIVACE_PTX_PROGRAM_PROGRAM_H
#define VIVACE_PTX_PROGRAM_PROGRAM_H

#include "ptx/code/op.h"
#include "ptx/memory/device_memory.h"

/* A module in a context: variables have addresses, functions are decoded when first needed. */
struct ptx_program; /* opaque */
struct ptx_program *ptx_program_new(struct device_memory *memory, struct err *e);
void ptx_program_free(struct ptx_program *p);
/* Products and sums that the assembler may fuse are fused (contract.h) in functions decoded from now on. */
void ptx_program_contract(struct ptx_program *p, bool on);
/* Takes the module over (also on error). Global and constant variables are allocated and initialised; .extern names
 * are looked up among the modules already loaded. *module: its number. */
int ptx_program_load(struct ptx_program *p, struct ptx_module *m, uint32_t *module, struct err *e);
const struct ptx_module *ptx_program_module(const struct ptx_program *p, uint32_t module);
/* The decoded function; decodes it on first use. NULL with *e: its fault. */
const struct ptx_code *ptx_program_code(struct ptx_program *p, uint32_t module, uint32_t function, struct err *e);
/* Address and size of a global or constant variable; ERR_NOT_FOUND. */
int ptx_program_symbol(const struct ptx_program *p, uint32_t module, const char *name, uint64_t *address,
                       uint64_t *bytes, struct err *e);

/* Functions have addresses of their own, where no data lies: this, then 16 bytes for each function of the program.
 */
#define PTX_CODE_BASE 0x7ffb00000000ull

struct ptx_program_function {
    uint32_t module, function;
};

struct device_memory *ptx_program_memory(const struct ptx_program *p);
/* The body of the function: itself, what an alias names, or for a declaration the definition of that
 * name in its module, else in a module loaded before. ERR_NOT_FOUND. */
int ptx_program_resolve(const struct ptx_program *p, uint32_t module, uint32_t function,
                        struct ptx_program_function *out, struct err *e);
uint64_t ptx_program_function_address(const struct ptx_program *p, uint32_t module, uint32_t function);
bool ptx_program_function_at(const struct ptx_program *p, uint64_t address, struct ptx_program_function *out);
/* Of a global or constant variable, by number; 0: it has none (shared, local, or extern and not found). */
uint64_t ptx_program_address(const struct ptx_program *p, uint32_t module, uint32_t variable);
/* Bytes of the kernels' heap in use, after adding these. */
uint64_t ptx_program_heap(struct ptx_program *p, int64_t add);
/* What others keep with the program between launches; freed before its functions are. */
struct ptx_idle {
    void *items;
    void (*free)(void *items); /* NULL: nothing is kept */
};
struct ptx_idle *ptx_program_idle(struct ptx_program *p);
uint32_t ptx_program_modules(const struct ptx_program *p);
/* SHA-256 of the module as it is printed; *hex is the program's. */
int ptx_program_module_hash(struct ptx_program *p, uint32_t module, const char **hex, struct err *e);

/* --- texture.c --- */
struct ptx_texture;
struct ptx_textures {
    struct ptx_texture *items;
    size_t count, capacity;
};
struct ptx_textures *ptx_program_textures(struct ptx_program *p);
const struct ptx_texture *ptx_program_texture_at(struct ptx_program *p, uint64_t handle); /* NULL: none */

#endif
