/* Reads of images (tex, tld4, txq) and surfaces (suld, sust).
 *
 * x is a coordinate in texels. Nearest filter: the texel is floor(x). Linear filter: i = floor(x - 1/2). The
 * weight of texel i + 1 is x - 1/2 - i, rounded to 8 fractional bits; 1 is possible. The weighted texels of all
 * dimensions are added in double and rounded once. Source: CUDA C Programming Guide 13, "Texture Fetching". */
#include <math.h>
#include <string.h>

#include "ptx/warp/exec_address.h"
#include "ptx/forms/forms_half.h"
#include "ptx/warp/launch.h"
#include "ptx/program/texture.h"

/* --- one texel --- */

/* Applies the address mode to a coordinate. Returns false for the border. */
static bool inside(const struct ptx_texture *t, uint32_t d, int64_t *at)
{
    int64_t n = t->size[d], x = *at, turn;

    switch (t->mode[d]) {
    case PTX_ADDRESS_CLAMP: x = x < 0 ? 0 : x >= n ? n - 1 : x; break;
    case PTX_ADDRESS_WRAP: x = (x % n + n) % n; break;
    case PTX_ADDRESS_MIRROR:
        turn = (x % (2 * n) + 2 * n) % (2 * n);
        x = turn < n ? turn : 2 * n - 1 - turn;
        break;
    default: break;
    }
    *at = x;
    return x >= 0 && x < n;
}

static uint64_t offset_of(const struct ptx_texture *t, const int64_t at[3], uint32_t layer)
{
    return (uint64_t)at[0] * t->channels * t->bits / 8 + (uint64_t)at[1] * t->pitch[0] +
           ((uint64_t)at[2] + layer) * t->pitch[1];
}

static f64 fraction(u32 bits, const struct ptx_texture *t)
{
    f64 top = t->kind == PTX_TEXEL_SIGNED ? (t->bits == 8 ? 127.0 : 32767.0) : t->bits == 8 ? 255.0 : 65535.0;
    s32 v = t->kind != PTX_TEXEL_SIGNED ? (s32)bits : t->bits == 8 ? (s8)bits : (s16)bits;

    return v < -top ? -1.0 : v / top;
}

/* A channel as a number (floats, normalized integers) or as bits (integers, extended). */
static f64 channel_of(const struct ptx_texture *t, const uint8_t *texel, uint32_t channel, u32 *bits)
{
    u32 v = 0;

    memcpy(&v, texel + (size_t)channel * t->bits / 8, t->bits / 8u);
    *bits = t->kind != PTX_TEXEL_SIGNED ? v : t->bits == 8 ? (u32)(s32)(s8)v : t->bits == 16 ? (u32)(s32)(s16)v : v;
    if (t->kind == PTX_TEXEL_FLOAT)
        return (f64)(t->bits == 16 ? f16_to_f32((u16)v) : float32(v));
    return t->fractions ? fraction(v, t) : 0;
}

/* --- where to read --- */

struct lookup {
    const struct ptx_texture *t;
    const uint8_t *bytes; /* of the image in device memory */
    int64_t first[3];     /* texel, before the address mode is applied */
    f64 weight[3];        /* weight of the next texel in each dimension */
    uint32_t layer;
};

/* Clamps coordinates to a range far outside any image. NaN becomes 0. */
static f64 held(f64 x)
{
    return x != x ? 0 : x > 1e9 ? 1e9 : x < -1e9 ? -1e9 : x;
}

static void place_float(struct lookup *k, uint32_t d, f32 coordinate, bool linear)
{
    const struct ptx_texture *t = k->t;
    f64 x = held((f64)coordinate * (t->unit_coordinates ? t->size[d] : 1));

    if (linear)
        x -= 0.5;
    k->first[d] = (int64_t)floor(x);
    k->weight[d] = linear ? floor((x - floor(x)) * 256 + 0.5) / 256 : 0;
}

static f64 texel_at(const struct lookup *k, const int64_t at[3], uint32_t channel, u32 *bits)
{
    int64_t own[3] = {at[0], at[1], at[2]};
    bool in = true;

    *bits = 0;
    for (uint32_t d = 0; d < 3 && d < k->t->dims; d++)
        in = inside(k->t, d, &own[d]) && in;
    if (!in)
        return 0;
    return channel_of(k->t, k->bytes + offset_of(k->t, own, k->layer), channel, bits);
}

/* A channel in the format of the instruction's result. */
static u32 fetch(const struct lookup *k, uint32_t channel, bool linear)
{
    bool number = k->t->kind == PTX_TEXEL_FLOAT || k->t->fractions;
    f64 sum = 0;
    u32 bits = 0;

    if (channel >= k->t->channels) /* missing channels are (r, 0, 0, 1) */
        return channel < 3 ? 0 : number ? 0x3f800000 : 1;
    for (uint32_t corner = 0; corner < (linear ? 1u << k->t->dims : 1); corner++) {
        f64 weight = 1;
        int64_t at[3];

        for (uint32_t d = 0; d < 3; d++) {
            bool next = corner >> d & 1;

            at[d] = k->first[d] + next;
            weight *= next ? k->weight[d] : 1 - k->weight[d];
        }
        if (weight != 0)
            sum += weight * texel_at(k, at, channel, &bits);
    }
    if (!number)
        return bits;
    return sum != sum ? NAN_F32 : bits32((f32)sum);
}

/* --- the instructions --- */

static u32 word(const struct ptx_warp *w, uint16_t row, uint32_t lane)
{
    u32 v;

    memcpy(&v, ptx_row(w, row) + (size_t)lane * 4, sizeof v);
    return v;
}

static void put(const struct ptx_warp *w, const struct ptx_access *a, uint32_t k, uint32_t lane, const void *value,
                uint32_t bytes)
{
    uint8_t full[8] = {0};

    if (a->values[k] == PTX_NO_ROW)
        return;
    memcpy(full, value, bytes);
    memcpy(ptx_row(w, a->values[k]) + (size_t)lane * (a->value_bits / 8u), full, a->value_bits / 8u);
}

static const struct ptx_texture *image_of(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a,
                                          uint32_t lane)
{
    const struct ptx_texture *t;
    uint64_t handle;

    memcpy(&handle, ptx_row(w, a->base) + (size_t)lane * 8, sizeof handle);
    t = ptx_program_texture_at(w->cta->run->program, handle);
    if (!t)
        ptx_fault(w, 1u << lane, "0x%llx is not the handle of a texture", (unsigned long long)handle);
    else if (a->what != PTX_TEXTURE_QUERY && (t->dims != (op->args.imm & PTX_TEXTURE_DIMS) ||
                                              !t->layers != !(op->args.imm & PTX_TEXTURE_LAYERED))) {
        ptx_fault(w, 1u << lane, "the texture has %u dimensions%s, and the instruction is for %u%s", t->dims,
                  t->layers ? " and layers" : "", op->args.imm & PTX_TEXTURE_DIMS,
                  op->args.imm & PTX_TEXTURE_LAYERED ? " and layers" : "");
        t = NULL;
    } else if (!device_bytes(w->cta->memory, t->address, 1)) {
        ptx_fault(w, 1u << lane, "the buffer of the texture has been freed");
        t = NULL;
    }
    return t;
}

/* Reads the coordinates of a lane. The layer is clamped to the valid range. */
static void take_coordinates(const struct ptx_warp *w, const struct ptx_op *op, uint32_t lane, struct lookup *k,
                             bool linear)
{
    uint32_t s = 0;

    k->layer = 0;
    if (op->args.imm & PTX_TEXTURE_LAYERED) {
        k->layer = word(w, op->args.src[s++], lane);
        k->layer = k->layer < k->t->layers ? k->layer : k->t->layers - 1;
    }
    for (uint32_t d = 0; d < 3; d++) {
        k->first[d] = 0;
        k->weight[d] = 0;
        if (d >= k->t->dims)
            continue;
        if (op->args.imm & PTX_TEXTURE_WHOLE)
            k->first[d] = (s32)word(w, op->args.src[s + d], lane);
        else
            place_float(k, d, float32(word(w, op->args.src[s + d], lane)), linear);
    }
}

/* tex1Dfetch: integer coordinates outside the line read as zero in every address mode. */
static bool beyond(const struct ptx_op *op, const struct lookup *k)
{
    return op->args.imm & PTX_TEXTURE_WHOLE && k->t->dims == 1 &&
           (k->first[0] < 0 || k->first[0] >= (int64_t)k->t->size[0]);
}

static uint64_t reported_address(const struct lookup *k)
{
    int64_t at[3] = {k->first[0], k->first[1], k->first[2]};

    for (uint32_t d = 0; d < 3; d++)
        at[d] = at[d] < 0 ? 0 : at[d] >= (int64_t)k->t->size[d] ? (int64_t)k->t->size[d] - 1 : at[d];
    return k->t->address + offset_of(k->t, at, k->layer);
}

static void fetch_lane(const struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t lane,
                       const struct lookup *k)
{
    static const int8_t corners[4][2] = {
        {0, 1}, {1, 1}, {1, 0}, {0, 0}}; /* tld4: offsets x and y of the texels, in the order of the results */

    for (uint32_t c = 0; c < 4; c++) {
        u32 value = 0;

        if (a->what == PTX_TEXTURE_FETCH) {
            value = beyond(op, k) ? 0 : fetch(k, c, k->t->linear && !(op->args.imm & PTX_TEXTURE_WHOLE));
        } else {
            struct lookup own = *k;

            own.first[0] += corners[c][0];
            own.first[1] += corners[c][1];
            own.weight[0] = own.weight[1] = 0;
            value = fetch(&own, op->args.imm >> PTX_TEXTURE_CHANNEL & 3, false);
        }
        put(w, a, c, lane, &value, 4);
    }
}

static int fetch_lanes(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask,
                       uint64_t reported[PTX_LANES])
{
    for (; mask; mask &= mask - 1) {
        uint32_t l = ptx_first_lane(mask);
        struct lookup k = {.t = image_of(w, op, a, l)};

        if (!k.t)
            return -1;
        k.bytes = device_bytes(w->cta->memory, k.t->address, 1);
        take_coordinates(w, op, l, &k, k.t->linear || a->what == PTX_TEXTURE_GATHER);
        reported[l] = reported_address(&k);
        fetch_lane(w, op, a, l, &k);
    }
    return 0;
}

static int query(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        const struct ptx_texture *t = image_of(w, op, a, ptx_first_lane(mask));
        u32 value;

        if (!t)
            return -1;
        value = op->args.imm == 3 ? t->layers : op->args.imm < t->dims ? t->size[op->args.imm] : 0;
        put(w, a, 0, ptx_first_lane(mask), &value, 4);
    }
    return 0;
}

/* --- surfaces: the unit of x is a byte --- */

/* Returns false if the access is outside and reads zeros. The clamp mode moves it inside. */
static bool surface_place(const struct ptx_op *op, struct lookup *k, uint32_t bytes)
{
    uint32_t edge = op->args.imm >> PTX_TEXTURE_CHANNEL & 3;
    int64_t line = (int64_t)k->t->size[0] * k->t->channels * k->t->bits / 8;
    int64_t most[3] = {line - bytes, (int64_t)k->t->size[1] - 1, (int64_t)k->t->size[2] - 1};
    bool in = true;

    for (uint32_t d = 0; d < 3 && d < k->t->dims; d++) {
        in = in && k->first[d] >= 0 && k->first[d] <= most[d];
        if (edge == PTX_SURFACE_CLAMP)
            k->first[d] = k->first[d] < 0 ? 0 : k->first[d] > most[d] ? most[d] : k->first[d];
    }
    return in || (edge == PTX_SURFACE_CLAMP && most[0] >= 0);
}

static int surface_lane(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t l,
                        uint64_t *reported)
{
    struct lookup k = {.t = image_of(w, op, a, l)};
    uint32_t piece = ptx_type_bits((enum ptx_type)a->type) / 8, bytes = piece * a->vector;
    uint8_t *at, value[32] = {0};
    uint64_t offset;
    bool in;

    if (!k.t)
        return -1;
    take_coordinates(w, op, l, &k, false);
    if (k.first[0] % bytes)
        return ptx_fault(w, 1u << l, "a surface access of %u bytes at byte %lld of a line is not aligned", bytes,
                         (long long)k.first[0]);
    in = surface_place(op, &k, bytes);
    if (!in && (op->args.imm >> PTX_TEXTURE_CHANNEL & 3) == PTX_SURFACE_TRAP)
        return ptx_fault(w, 1u << l, "the surface has no element (%lld, %lld, %lld)", (long long)k.first[0],
                         (long long)k.first[1], (long long)k.first[2]);
    offset = in ? (uint64_t)k.first[0] + (uint64_t)k.first[1] * k.t->pitch[0] +
                      ((uint64_t)k.first[2] + k.layer) * k.t->pitch[1]
                : 0;
    *reported = k.t->address + offset;
    at = (uint8_t *)device_bytes(w->cta->memory, k.t->address, 1) + offset;
    if (a->what == PTX_SURFACE_STORE) {
        for (uint32_t v = 0; in && v < a->vector; v++)
            memcpy(at + (size_t)v * piece, ptx_row(w, a->values[v]) + (size_t)l * (a->value_bits / 8u), piece);
        return 0;
    }
    if (in)
        memcpy(value, at, bytes);
    for (uint32_t v = 0; v < a->vector; v++)
        put(w, a, v, l, value + (size_t)v * piece, piece);
    return 0;
}

int ptx_do_texture(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    const struct ptx_observer *o = w->cta->observer;
    uint64_t reported[PTX_LANES] = {0};

    if (a->what == PTX_TEXTURE_QUERY)
        return query(w, op, a, mask);
    if (a->what == PTX_SURFACE_STORE)
        w->cta->stores++;
    if (a->what == PTX_TEXTURE_FETCH || a->what == PTX_TEXTURE_GATHER) {
        if (fetch_lanes(w, op, a, mask, reported) != 0)
            return -1;
    } else {
        for (uint32_t left = mask; left; left &= left - 1)
            if (surface_lane(w, op, a, ptx_first_lane(left), &reported[ptx_first_lane(left)]) != 0)
                return -1;
    }
    if (o && o->memory)
        o->memory(o->ctx, w->id,
                  &(struct ptx_touched){
                      .code = w->code, .op = w->pc, .space = PTX_SPACE_GLOBAL, .mask = mask, .at = reported});
    return 0;
}
