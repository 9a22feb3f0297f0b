/* sass/cubin.h: reads the kernels of an ELF file with machine code (cubin).
 *
 * Sources: the ELF specification; CuAssembler (github.com/cloudcores/CuAssembler, CuNVInfo.py) for the names of
 * sections and the numbers of attributes; cubins that ptxas 13.0 compiled from kernels which differ in one property
 * (parameters, launch bounds, barriers, shared memory, clusters):
 *
 *   .text.NAME         code           .nv.shared.NAME       static shared memory (its size)
 *   .nv.info           attributes     .nv.info.NAME         attributes of one function
 *   .nv.constantB.NAME bank B of one function; .nv.constantB: of all functions
 *
 * Sections of one function have the number of its .text section in sh_info. An attribute is {u8 format, u8 number,
 * u16 value or bytes}; with format 4, that number of bytes follows. */
#ifndef VIVACE_SASS_CUBIN_H
#define VIVACE_SASS_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { CUBIN_BANKS = 18, CUBIN_INST_BYTES = 16 };
/* Before it, instructions have 8 bytes, in groups with control fields. Source: Jia et al., "Dissecting the NVIDIA
 * Volta GPU Architecture via Microbenchmarking", section 2.1. */
enum { CUBIN_INST_BYTES_FROM_ARCH = 70 };

struct cubin_param {
    uint32_t ordinal, offset, bytes; /* offset from the first parameter */
};
/* A function inside of another's code: at, bytes are relative to the code's begin. */
struct cubin_label {
    char *name;
    uint64_t at, bytes;
};
/* A value that the file does not have is 0. */
struct cubin_function {
    char *name; /* valid UTF-8 */
    bool entry; /* a kernel; false: a function that kernels call */
    uint32_t registers, barriers;
    uint64_t shared_bytes;             /* static; from sm_90 on with the 1024 bytes that the system reserves */
    uint32_t local_bytes, stack_bytes; /* of a thread: its frame; including the functions that it calls */
    uint32_t max_threads[3], required_threads[3], cluster[3];
    uint32_t param_offset, param_bytes; /* in constant bank 0 */
    uint32_t cuda_version;              /* 130: 13.0 */
    uint64_t relocations;               /* of its code */
    uint64_t bank_bytes[CUBIN_BANKS];   /* of its own constant banks */
    struct cubin_param *params;         /* by ordinal */
    size_t param_count, param_capacity;
    struct cubin_label *labels;
    size_t label_count, label_capacity;
    const uint8_t *code; /* points into the file; not aligned */
    uint64_t code_bytes;
};
struct cubin {
    uint32_t arch;                    /* 86: sm_86 */
    bool relocatable;                 /* not linked: nvcc -dc, ptxas -c */
    uint64_t bank_bytes[CUBIN_BANKS]; /* of constant banks that all functions see */
    struct cubin_function *functions; /* in the order of the file */
    size_t count, capacity;
};

enum { CUBIN_MACHINE = 190 }; /* e_machine of cubins (EM_CUDA) */

/* `bytes` must stay valid until cubin_release(). ERR_MALFORMED: no cubin, or it is damaged. */
int cubin_read(const uint8_t *bytes, size_t n, struct cubin *out, struct err *e);
void cubin_release(struct cubin *c);
/* The function with this name; NULL: there is none. */
const struct cubin_function *cubin_find(const struct cubin *c, const char *name);

#endif
