#include "simcore/trace/cta_range.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "simcore/trace/vtrace.h"

struct ranged {
    struct inst_source source; /* must be the first member */
    struct inst_source *inner;
    struct cta_trace *held; /* the first CTA, if it was read to check that it exists */
    uint64_t left;
};

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct ranged *s = (struct ranged *)source;
    int got = 1;

    if (!s->left)
        return 0;
    s->inner->windowed = source->windowed;
    if (s->held)
        *out = s->held;
    else
        got = inst_source_next_cta(s->inner, out, e);
    s->held = NULL;
    s->left--;
    inst_source_share_tables(&s->source, s->inner);
    return got;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    inst_source_release_cta(((struct ranged *)source)->inner, cta);
}

static void release(struct inst_source *source)
{
    struct ranged *s = (struct ranged *)source;

    if (s->held)
        inst_source_release_cta(s->inner, s->held);
    inst_source_release(s->inner);
    free(s);
}

static int check_clusters(const struct inst_source *s, const struct cta_range *r, struct err *e)
{
    uint32_t cluster = s->info.cluster;

    if (cluster <= 1 || (r->first % cluster == 0 && r->count % cluster == 0))
        return 0;
    return err_set(e, ERR_INVALID, "CTAs start in clusters of %u: the first one and their number must be multiples",
                   cluster);
}

/* Goes to the first CTA of the range. Reads the CTA if there is no other way to check that it exists. */
static int find_first(const struct trace_place *p, struct inst_source *s, uint64_t first, struct cta_trace **out,
                      struct err *e)
{
    uint64_t i = 0;
    int got;

    if (p->format == TRACE_VTRACE)
        return vtrace_seek_cta(s, first, e);
    while ((got = inst_source_next_cta(s, out, e)) > 0 && i++ < first)
        inst_source_release_cta(s, *out);
    if (got == 0)
        err_set(e, ERR_NOT_FOUND, "%s has no CTA %" PRIu64 ": it holds %" PRIu64, p->shown, first, i);
    return got > 0 ? 0 : -1;
}

int trace_file_open_range(const struct trace_place *p, const struct cta_range *r, struct inst_source **out,
                          struct err *e)
{
    static const struct inst_source_ops ops = {"some CTAs", next_cta, release_cta, release};
    struct inst_source *inner = NULL;
    struct ranged *s;

    *out = NULL;
    if (trace_file_open(p, &inner, e) < 0)
        return -1;
    if (cta_range_is_all(r)) {
        *out = inner;
        return 0;
    }
    s = mem_zalloc(1, sizeof *s, e);
    if (!s || check_clusters(inner, r, e) < 0 || find_first(p, inner, r->first, &s->held, e) < 0) {
        inst_source_release(inner);
        free(s);
        return -1;
    }
    s->source.ops = &ops;
    s->source.info = inner->info; /* the inner source owns the name */
    s->inner = inner;
    s->left = r->count ? r->count : UINT64_MAX;
    s->source.warm = inner->warm;
    inst_source_share_tables(&s->source, s->inner);
    *out = &s->source;
    return 0;
}
