/* ptx/program/texture.h: textures and surfaces: images in device memory with 64-bit handles.
 *
 * An image is a buffer and its reading rules: size, format, filter, address mode. A kernel receives the handle
 * as a parameter; tex, tld4, suld and sust look up the image. A buffer may have any number of handles. Equal
 * bindings get the same handle. Source of the rules: CUDA C Programming Guide 13, "Texture Fetching". */
#ifndef VIVACE_PTX_PROGRAM_TEXTURE_H
#define VIVACE_PTX_PROGRAM_TEXTURE_H

#include "ptx/program/program.h"

enum ptx_texel { PTX_TEXEL_UNSIGNED, PTX_TEXEL_SIGNED, PTX_TEXEL_FLOAT };
enum ptx_address_mode { PTX_ADDRESS_WRAP, PTX_ADDRESS_CLAMP, PTX_ADDRESS_MIRROR, PTX_ADDRESS_BORDER };

struct ptx_texture {
    uint64_t address;      /* device address of its first texel */
    uint32_t dims;         /* 1 to 3; layers are not counted */
    uint32_t size[3];      /* in texels; 1 for a missing dimension */
    uint32_t layers;       /* 0: not layered */
    uint64_t pitch[2];     /* bytes between lines, and between slices or layers */
    uint8_t kind, bits;    /* of a channel: kind: enum ptx_texel; bits: 8, 16 (floats: f16) or 32 */
    uint8_t channels;      /* 1, 2 or 4 */
    bool fractions;        /* integers of 8 and 16 bits are read as floats in [0, 1] or [-1, 1] */
    bool linear;           /* linear filter; else the nearest texel */
    bool unit_coordinates; /* coordinates in [0, 1); else in texels */
    uint8_t mode[3];       /* enum ptx_address_mode; with texel coordinates only clamp or border */
};

/* Binds an image to a handle. ERR_INVALID: the members are inconsistent, or the image is not inside one
 * allocation. Sets pitches that are 0. */
int ptx_program_texture(struct ptx_program *p, const struct ptx_texture *t, uint64_t *handle, struct err *e);

#endif
