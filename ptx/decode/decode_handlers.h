/* ptx/decode/decode_handlers.h: handlers of instructions that have no form of their own. */
#ifndef VIVACE_PTX_DECODE_DECODE_HANDLERS_H
#define VIVACE_PTX_DECODE_DECODE_HANDLERS_H

#include "ptx/forms/forms.h"

/* A form whose registers are wider than its types. Widths: 0, 1, 2 for 16, 32, 64 bits. In args: src[0], dst;
 * src[1], src[2]: scratch rows with the widths of the form, for the source and the result. */
struct decode_resized {
    uint32_t form; /* index in ptx_forms() */
    uint8_t source, narrow_source, narrow_result, result;
    bool is_signed; /* how the result is extended */
};
uint32_t decode_resized_imm(struct decode_resized r); /* as args.imm */
ptx_handler decode_do_resized;

/* isspacep: imm: the space; dst: predicate; src[0]: 64 bits. */
ptx_handler decode_do_isspacep;

/* Moves four 32-bit values: to dst, dst2, and the rows in the low and high half of imm. */
ptx_handler decode_do_quad;

/* decode_video.c: args.imm describes the operation. */
ptx_handler decode_do_video;

/* decode_video_picked.c: src[3]: a constant with the selected bytes or halves of the operands and the result. */
ptx_handler decode_do_video_picked;

#endif
