/* ptx/decode/decode_handlers.h: handlers of what is no form of its own: decoding makes them up from others. */
#ifndef VIVACE_PTX_DECODE_DECODE_HANDLERS_H
#define VIVACE_PTX_DECODE_DECODE_HANDLERS_H

#include "ptx/forms/forms.h"

/* A form between registers that are wider than its types. Widths: 0, 1, 2 for 16, 32, 64 bits. In args: src[0],
 * dst; src[1], src[2]: scratch rows of the form's own widths for the source and the result. */
struct decode_resized {
    uint32_t form; /* place in ptx_forms() */
    uint8_t source, narrow_source, narrow_result, result;
    bool is_signed; /* how the result is extended */
};
uint32_t decode_resized_imm(struct decode_resized r); /* as args.imm */
ptx_handler decode_do_resized;

/* isspacep: imm: the space; dst: predicate; src[0]: 64 bits. */
ptx_handler decode_do_isspacep;

/* Four 32-bit values at once: to dst, dst2, and the low and high half of imm. */
ptx_handler decode_do_quad;

/* decode_video.c: args.imm says what it does. */
ptx_handler decode_do_video;

/* decode_video_picked.c: src[3]: a constant that says which pieces are taken and written. */
ptx_handler decode_do_video_picked;

#endif
