#include "simcore/footprint/bundle_images.h"

#include <stdlib.h>

#include "base/array.h"
#include "simcore/footprint/repeats.h"
#include "simcore/trace/vtrace.h"

struct bundle_follow {
    const struct bundle *b;
    const bool *wanted;
    struct footprints *footprints;
    struct repeats *repeats;
    size_t copy; /* index of the next copy */
    size_t first,
        end;    /* of this context: its first kernel, and the end of the kernels that are needed for images */
    bool lost;  /* a launch of this context is not in the bundle, or cannot be read */
    bool whole; /* the bundle has each number from 1 on exactly once */
};

static bool needs_image(const struct bundle_follow *f, size_t i)
{
    const struct bundle_kernel *k = &f->b->kernels[i];

    return f->wanted[i] && !(k->format == TRACE_VTRACE && vtrace_launch_at(k->file, k->launch)->has_image);
}

static void enter_context(struct bundle_follow *f, size_t first)
{
    const struct bundle *b = f->b;

    f->first = f->end = first;
    f->lost = false;
    for (size_t i = first; i < b->count && b->kernels[i].context == b->kernels[first].context; i++)
        if (needs_image(f, i))
            f->end = i + 1;
    footprints_context(f->footprints, b->kernels[first].context);
}

/* Applies the copies between kernel `at` and the kernel before it. */
static int follow_copies(struct bundle_follow *f, size_t at, struct err *e)
{
    const struct trace_copies *c = &f->b->copies;

    for (; f->copy < c->count && c->items[f->copy].before <= at; f->copy++)
        if (c->items[f->copy].before == at && c->items[f->copy].context == f->b->kernels[at].context &&
            footprints_copy(f->footprints, &c->items[f->copy], e) < 0)
            return -1;
    return 0;
}

/* Sets `whole`, over all contexts. */
static int find_whole(struct bundle_follow *f, struct err *e)
{
    bool *seen = mem_zalloc(f->b->count + 1, sizeof *seen, e);

    f->whole = seen != NULL;
    for (size_t i = 0; i < f->b->count && f->whole; i++) {
        uint64_t id = f->b->kernels[i].id;

        f->whole = id > 0 && id <= f->b->count && !seen[id];
        if (f->whole)
            seen[id] = true;
    }
    free(seen);
    return seen ? 0 : -1;
}

/* Whether the numbers show that a launch before kernel i is missing. In contexts after the first, numbers may
 * continue from the previous context, so only gaps show this. */
static bool is_gap(const struct bundle_follow *f, size_t i)
{
    const struct bundle_kernel *k = &f->b->kernels[i], *first = &f->b->kernels[f->first];

    if (k->order != i - f->first)
        return true;
    return !f->whole && k->id && first->id &&
           (k->id - first->id != i - f->first || (f->first == 0 && first->id > 1));
}

/* 1: kernel i is needed for its own image or for later ones; the copies before it are applied. */
static int comes(struct bundle_follow *f, size_t i, struct err *e)
{
    const struct bundle_kernel *k = &f->b->kernels[i];

    if (i == 0 || k->context != f->b->kernels[i - 1].context)
        enter_context(f, i);
    f->lost = f->lost || is_gap(f, i);
    if (i >= f->end || f->lost)
        return 0;
    return follow_copies(f, i, e) < 0 ? -1 : 1;
}

int bundle_follow_source(struct bundle_follow *f, size_t i, struct inst_source *inner, struct inst_source **out,
                         struct err *e)
{
    int counts = comes(f, i, e);

    *out = NULL;
    return counts <= 0 ? counts : footprints_source(f->footprints, inner, out, e);
}

static int try_kernel(struct bundle_follow *f, size_t i, struct warm_image **image, struct err *e)
{
    const struct trace_place place = bundle_place(&f->b->kernels[i]);

    return repeats_launch(f->repeats, f->footprints, &place, image, e);
}

/* 1; 0: the trace cannot be read and counts as missing. If the launch is needed, its simulation reports the error.
 */
static int read_kernel(struct bundle_follow *f, size_t i, struct warm_image **image, struct err *e)
{
    if (try_kernel(f, i, image, e) == 0)
        return 1;
    f->lost = true;
    return e->code == ERR_NO_MEMORY ? -1 : 0;
}

int bundle_follow_skip(struct bundle_follow *f, size_t i, struct err *e)
{
    int counts = comes(f, i, e);

    return counts <= 0 ? counts : read_kernel(f, i, NULL, e);
}

struct bundle_follow *bundle_follow_new(const struct bundle *b, const bool *wanted, struct err *e)
{
    struct bundle_follow *f = mem_zalloc(1, sizeof *f, e);

    if (!f)
        return NULL;
    f->b = b;
    f->wanted = wanted;
    f->footprints = footprints_new(e);
    f->repeats = f->footprints ? repeats_new(e) : NULL;
    if (f->repeats && find_whole(f, e) == 0)
        return f;
    bundle_follow_free(f);
    return NULL;
}

void bundle_follow_free(struct bundle_follow *f)
{
    if (!f)
        return;
    footprints_free(f->footprints);
    repeats_free(f->repeats);
    free(f);
}

/* --- images of all kernels --- */

static int make_all(struct bundle_follow *f, bundle_images_fn progress, void *ctx, struct bundle_images *out,
                    struct err *e)
{
    for (size_t i = 0; i < f->b->count; i++) {
        int counts = comes(f, i, e);

        if (counts > 0)
            counts = read_kernel(f, i, needs_image(f, i) ? &out->image[i] : NULL, e);
        if (counts < 0)
            return -1;
        out->read += (size_t)counts;
        if (counts && progress)
            progress(ctx, out->read);
    }
    return 0;
}

int bundle_images_make(const struct bundle *b, const bool *wanted, bundle_images_fn progress, void *ctx,
                       struct bundle_images *out, struct err *e)
{
    struct bundle_follow *f = bundle_follow_new(b, wanted, e);
    int ret = -1;

    *out = (struct bundle_images){.count = b->count};
    out->image = f ? mem_zalloc(b->count + 1, sizeof(struct warm_image *), e) : NULL;
    if (out->image)
        ret = make_all(f, progress, ctx, out, e);
    bundle_follow_free(f);
    if (ret < 0)
        bundle_images_release(out);
    return ret;
}

void bundle_images_release(struct bundle_images *x)
{
    for (size_t i = 0; x->image && i < x->count; i++)
        warm_image_free(x->image[i]);
    free(x->image);
    *x = (struct bundle_images){.count = 0};
}
