/* ptx/program/texture.c: the table of images by handle. */
#include "ptx/program/texture.h"

#include <string.h>

#include "base/array.h"
#include "ptx/program/program.h"

/* Handles are not valid addresses, so using one as a pointer is a fault. */
#define HANDLE_BASE 0x7e78000000000000ull

static uint32_t texel_bytes(const struct ptx_texture *t)
{
    return t->channels * t->bits / 8u;
}

static uint64_t bytes_of(const struct ptx_texture *t)
{
    uint32_t slices = t->dims == 3 ? t->size[2] : t->layers ? t->layers : 1, lines = t->dims > 1 ? t->size[1] : 1;

    return (uint64_t)(slices - 1) * t->pitch[1] + (uint64_t)(lines - 1) * t->pitch[0] +
           (uint64_t)t->size[0] * texel_bytes(t);
}

static void fill_in(struct ptx_texture *t)
{
    for (uint32_t d = t->dims; d < 3; d++)
        t->size[d] = 1;
    if (!t->pitch[0])
        t->pitch[0] = (uint64_t)t->size[0] * texel_bytes(t);
    if (!t->pitch[1])
        t->pitch[1] = t->pitch[0] * t->size[1];
}

static int check(const struct ptx_texture *t, struct err *e)
{
    bool floats = t->kind == PTX_TEXEL_FLOAT;

    if (t->dims < 1 || t->dims > 3 || (t->layers && t->dims == 3))
        return err_set(e, ERR_INVALID, "a texture has 1 to 3 dimensions, a layered one 1 or 2");
    for (uint32_t d = 0; d < t->dims; d++)
        if (t->size[d] < 1 || t->size[d] > 1u << 27)
            return err_set(e, ERR_INVALID, "a texture has %u texels along dimension %u; it must have 1 to 2^27",
                           t->size[d], d);
    if (t->layers > 1u << 16)
        return err_set(e, ERR_INVALID, "a texture has %u layers; at most 65536 are possible", t->layers);
    if ((t->channels != 1 && t->channels != 2 && t->channels != 4) ||
        (t->bits != 16 && t->bits != 32 && (t->bits != 8 || floats)))
        return err_set(
            e, ERR_INVALID,
            "a texel has %u channels of %u bits; it must have 1, 2 or 4 channels of 8 (integers), 16 or 32 bits",
            t->channels, t->bits);
    if (t->fractions && (floats || t->bits == 32))
        return err_set(e, ERR_INVALID, "only integers of 8 and 16 bits can be read as fractions");
    if (t->linear && !floats && !t->fractions)
        return err_set(e, ERR_INVALID, "integers can be filtered linearly only when they are read as fractions");
    for (uint32_t d = 0; d < t->dims; d++)
        if (!t->unit_coordinates && (t->mode[d] == PTX_ADDRESS_WRAP || t->mode[d] == PTX_ADDRESS_MIRROR))
            return err_set(e, ERR_INVALID, "wrap and mirror need normalized coordinates");
    return 0;
}

static bool is_same(const struct ptx_texture *a, const struct ptx_texture *b)
{
    return a->address == b->address && a->dims == b->dims && memcmp(a->size, b->size, sizeof a->size) == 0 &&
           a->layers == b->layers && memcmp(a->pitch, b->pitch, sizeof a->pitch) == 0 && a->kind == b->kind &&
           a->bits == b->bits && a->channels == b->channels && a->fractions == b->fractions &&
           a->linear == b->linear && a->unit_coordinates == b->unit_coordinates &&
           memcmp(a->mode, b->mode, sizeof a->mode) == 0;
}

int ptx_program_texture(struct ptx_program *p, const struct ptx_texture *t, uint64_t *handle, struct err *e)
{
    struct ptx_textures *all = ptx_program_textures(p);
    struct ptx_texture own = *t;
    size_t k = 0;

    if (check(&own, e) != 0)
        return -1;
    fill_in(&own);
    if (own.pitch[0] > 1ull << 36 || own.pitch[1] > 1ull << 46 ||
        !device_bytes(ptx_program_memory(p), own.address, bytes_of(&own)))
        return err_set(e, ERR_INVALID, "a texture of %llu bytes does not fit its buffer",
                       (unsigned long long)bytes_of(&own));
    while (k < all->count && !is_same(&all->items[k], &own))
        k++;
    if (k == all->count) {
        if (array_reserve((void **)&all->items, &all->capacity, k + 1, sizeof *all->items, e) != 0)
            return -1;
        all->items[all->count++] = own;
    }
    *handle = HANDLE_BASE + k;
    return 0;
}

const struct ptx_texture *ptx_program_texture_at(struct ptx_program *p, uint64_t handle)
{
    const struct ptx_textures *all = ptx_program_textures(p);

    return handle - HANDLE_BASE < all->count ? &all->items[handle - HANDLE_BASE] : NULL;
}
