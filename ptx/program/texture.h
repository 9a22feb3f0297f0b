/* ptx/program/texture.h: textures and surfaces: images in device memory, named by 64-bit handles.
 *
 * An image is a buffer and how to read it: size, format, filter, what lies beyond its edges. A kernel gets the
 * handle as a parameter; tex, tld4, suld and sust look the image up. Binding says no more than that: one buffer may
 * have any number of handles, and equal bindings get the same one. Rules of reading: CUDA C Programming Guide 13,
 * "Texture Fetching". */
#ifndef VIVACE_PTX_PROGRAM_TEXTURE_H
#define VIVACE_PTX_PROGRAM_TEXTURE_H

#include "ptx/program/program.h"

enum ptx_texel { PTX_TEXEL_UNSIGNED, PTX_TEXEL_SIGNED, PTX_TEXEL_FLOAT };
enum ptx_address_mode { PTX_ADDRESS_WRAP, PTX_ADDRESS_CLAMP, PTX_ADDRESS_MIRROR, PTX_ADDRESS_BORDER };

struct ptx_texture {
    uint64_t address;      /* of its first texel, on the device */
    uint32_t dims;         /* 1 to 3; layers are not counted */
    uint32_t size[3];      /* texels; 1 where there is no such dimension */
    uint32_t layers;       /* 0: not layered */
    uint64_t pitch[2];     /* bytes from a line to the next, from a slice or layer to the next */
    uint8_t kind, bits;    /* of a channel: enum ptx_texel; 8, 16 (floats: f16) or 32 */
    uint8_t channels;      /* 1, 2 or 4 */
    bool fractions;        /* integers of 8 and 16 bits are read as floats of [0, 1] or [-1, 1] */
    bool linear;           /* filter; else the nearest texel */
    bool unit_coordinates; /* coordinates of [0, 1), else in texels */
    uint8_t mode[3];       /* enum ptx_address_mode; texel coordinates: clamp or border */
};

/* ERR_INVALID: it does not fit together, or does not lie in one allocation. Pitches of 0 are filled in. */
int ptx_program_texture(struct ptx_program *p, const struct ptx_texture *t, uint64_t *handle, struct err *e);

#endif
