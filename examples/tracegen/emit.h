/* examples/tracegen/emit.h: writes kernels as Accel-Sim version 5 text into a tar that is compressed on the way.
 *
 * A kernel is written top down: emit_kernel(), then for each CTA emit_cta(), for each of its warps warp_begin(),
 * instructions, warp_end(); then emit_cta_end(), and at last emit_kernel_end(). */
#ifndef VIVACE_EXAMPLES_TRACEGEN_EMIT_H
#define VIVACE_EXAMPLES_TRACEGEN_EMIT_H

#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

struct output; /* the .tar.zst */

struct emitter {
    struct output *out;
    struct strbuf text; /* the kernel so far */
    struct strbuf body; /* the warp so far */
    struct strbuf list; /* kernelslist.g */
    uint64_t kernels, instructions;
};

struct kernel_shape {
    const char *name; /* mangled */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes, registers;
};

/* One warp on its way through a program. Every instruction moves pc on by 16; a loop puts it back. */
struct warp {
    struct emitter *e;
    uint32_t pc, mask, number;
    uint64_t count;
};

int emit_open(struct emitter *e, const char *path, struct err *err);
int emit_close(struct emitter *e, struct err *err);                  /* writes the kernel list and ends the file */
void emit_copy(struct emitter *e, uint64_t address, uint64_t bytes); /* host to device: a line of the list */

void emit_kernel(struct emitter *e, const struct kernel_shape *k);
int emit_kernel_end(struct emitter *e, struct err *err);
void emit_cta(struct emitter *e, uint32_t x, uint32_t y);
void emit_cta_end(struct emitter *e);
struct warp warp_begin(struct emitter *e, uint32_t number);
void warp_end(struct warp *w);

/* `text` is what stands in the trace between the mask and the immediate: "1 R6 IMAD 2 R0 R3 0". */
void op(struct warp *w, const char *text);
void op_imm(struct warp *w, const char *text, int32_t immediate);
/* A memory access: lane i of 32 at base + i * stride. */
void mem(struct warp *w, const char *text, uint64_t base, int64_t stride);
/* A memory access with an address for each lane of the mask. */
void gather(struct warp *w, const char *text, const uint64_t lanes[32]);

#endif
