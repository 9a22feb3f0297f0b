/* ptx/runtime/texture.c: texture and surface objects: converts descriptions of the runtime API to those of the
 * executor (texture.h). */
#include "ptx/program/texture.h"

#include "ptx/runtime/runtime.h"

/* Sets the layout of a texel. False: the format is not supported. */
static bool put_format(struct ptx_texture *t, const struct cudaChannelFormatDesc *d)
{
    static const uint8_t kinds[] = {[cudaChannelFormatKindSigned] = PTX_TEXEL_SIGNED,
                                    [cudaChannelFormatKindUnsigned] = PTX_TEXEL_UNSIGNED,
                                    [cudaChannelFormatKindFloat] = PTX_TEXEL_FLOAT};

    if ((unsigned)d->f > cudaChannelFormatKindFloat)
        return false;
    t->kind = kinds[d->f];
    t->bits = (uint8_t)d->x;
    t->channels = (uint8_t)(1 + (d->y > 0) + (d->z > 0) + (d->w > 0));
    return true;
}

static uint32_t texel_bytes(const struct ptx_texture *t)
{
    return t->bits / 8u * t->channels;
}

static bool put_array(struct ptx_texture *t, const struct cuda_array *a)
{
    bool layered = a && a->flags & cudaArrayLayered;

    if (!a || a->flags & cudaArrayCubemap)
        return false;
    t->address = (uintptr_t)a->bytes;
    t->dims = 1 + (a->extent.height > 0) + (a->extent.depth > 0 && !layered);
    t->size[0] = (uint32_t)a->extent.width;
    t->size[1] = a->extent.height ? (uint32_t)a->extent.height : 1;
    t->size[2] = a->extent.depth && !layered ? (uint32_t)a->extent.depth : 1;
    t->layers = layered ? (uint32_t)a->extent.depth : 0;
    t->pitch[0] = a->pitch;
    t->pitch[1] = a->pitch * t->size[1];
    return put_format(t, &a->desc);
}

/* Sets the address and size of the image. */
static cudaError_t put_resource(struct ptx_texture *t, const struct cudaResourceDesc *r)
{
    const void *at = r->res.linear.devPtr; /* linear and pitched memory have it at the same offset */

    *t = (struct ptx_texture){.dims = 1, .size = {1, 1, 1}};
    if (r->resType == cudaResourceTypeArray)
        return put_array(t, r->res.array.array)
                   ? cudaSuccess
                   : shim_not_supported("cudaCreateTextureObject", "this kind of array");
    if (r->resType == cudaResourceTypeMipmappedArray)
        return shim_not_supported("cudaCreateTextureObject", "mipmapped arrays");
    if (!at || !put_format(t, &r->res.linear.desc) || texel_bytes(t) == 0)
        return cudaErrorInvalidValue;
    t->address = (uintptr_t)at;
    t->size[0] = (uint32_t)(r->res.linear.sizeInBytes / texel_bytes(t));
    t->pitch[0] = r->res.linear.sizeInBytes;
    if (r->resType == cudaResourceTypePitch2D) {
        t->dims = 2;
        t->size[0] = (uint32_t)r->res.pitch2D.width;
        t->size[1] = (uint32_t)r->res.pitch2D.height;
        t->pitch[0] = r->res.pitch2D.pitchInBytes;
    }
    t->pitch[1] = t->pitch[0] * t->size[1];
    return cudaSuccess;
}

/* Sets the reading rules. Wrap and mirror need coordinates in [0, 1); with others they become clamp. */
static void put_reading(struct ptx_texture *t, const struct cudaTextureDesc *d)
{
    t->fractions = d->readMode == 1 && t->kind != PTX_TEXEL_FLOAT;
    t->linear = d->filterMode == 1;
    t->unit_coordinates = d->normalizedCoords != 0;
    for (int i = 0; i < 3; i++) {
        bool turns = d->addressMode[i] == PTX_ADDRESS_WRAP || d->addressMode[i] == PTX_ADDRESS_MIRROR;

        t->mode[i] = turns && !t->unit_coordinates ? PTX_ADDRESS_CLAMP : (uint8_t)d->addressMode[i];
    }
}

static cudaError_t bind(const struct ptx_texture *t, unsigned long long *out)
{
    uint64_t handle;
    struct err e;

    if (ptx_program_texture(shim.program, t, &handle, &e) != 0) {
        shim_say("texture: %s", e.text);
        return e.code == ERR_NO_MEMORY ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    }
    *out = handle;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *t, const struct cudaResourceDesc *r,
                                    const struct cudaTextureDesc *d, const void *view)
{
    cudaError_t ret = shim_enter();
    struct ptx_texture x;

    if (ret == cudaSuccess && (!t || !r || !d))
        ret = cudaErrorInvalidValue;
    if (ret == cudaSuccess && view)
        ret = shim_not_supported("cudaCreateTextureObject", "another view of the resource");
    if (ret == cudaSuccess)
        ret = put_resource(&x, r);
    if (ret == cudaSuccess) {
        put_reading(&x, d);
        ret = bind(&x, t);
    }
    return shim_leave(ret);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *s, const struct cudaResourceDesc *r)
{
    cudaError_t ret = shim_enter();
    struct ptx_texture x;

    if (ret == cudaSuccess && (!s || !r || r->resType != cudaResourceTypeArray))
        ret = cudaErrorInvalidValue;
    if (ret == cudaSuccess)
        ret = put_resource(&x, r);
    if (ret == cudaSuccess) {
        for (int i = 0; i < 3; i++)
            x.mode[i] = PTX_ADDRESS_CLAMP;
        ret = bind(&x, s);
    }
    return shim_leave(ret);
}

/* Handles are never freed: they are small, and equal bindings share one. */
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t)
{
    (void)t;
    return shim_leave(shim_enter());
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s)
{
    (void)s;
    return shim_leave(shim_enter());
}
