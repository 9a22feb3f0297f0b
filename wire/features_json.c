#include "wire/features_json.h"

#include "base/assert.h"

static void write_whole(struct jw *w, const char *key, const uint64_t *x, uint64_t n)
{
    if (!x)
        return;
    jw_key(w, key);
    jw_array_inline(w);
    for (uint64_t i = 0; i < n; i++)
        jw_u64(w, x[i]);
    jw_end(w, ']');
}

static void write_doubles(struct jw *w, const char *key, const double *x, uint64_t n)
{
    if (!x)
        return;
    jw_key(w, key);
    jw_array_inline(w);
    for (uint64_t i = 0; i < n; i++)
        jw_double(w, x[i]);
    jw_end(w, ']');
}

/* Writes an array with one element per item. `value` is an expression in which i is the item's index. */
#define WRITE_EACH(w, key, n, type, value)                                                                         \
    do {                                                                                                           \
        jw_key(w, key);                                                                                            \
        jw_array_inline(w);                                                                                        \
        for (size_t i = 0; i < (n); i++)                                                                           \
            jw_##type(w, value);                                                                                   \
        jw_end(w, ']');                                                                                            \
    } while (0)

static void write_kernels(struct jw *w, const struct profile *p)
{
    bool mangled = false;

    ASSERT(p->kernel_count > 0);
    for (size_t k = 0; k < p->kernel_count; k++)
        mangled |= p->kernels[k].mangled_name != NULL;
    jw_key(w, "kernels");
    jw_object(w);
    WRITE_EACH(w, "name", p->kernel_count, text, p->kernels[i].name);
    if (mangled)
        WRITE_EACH(w, "mangled_name", p->kernel_count, text, p->kernels[i].mangled_name);
    WRITE_EACH(w, "grid", p->kernel_count, dim3, p->kernels[i].grid);
    WRITE_EACH(w, "block", p->kernel_count, dim3, p->kernels[i].block);
    WRITE_EACH(w, "registers", p->kernel_count, u64, p->kernels[i].registers);
    WRITE_EACH(w, "shared_bytes", p->kernel_count, u64, p->kernels[i].shared_bytes);
    jw_end(w, '}');
}

/* Writes for each context its number of launches among the first `known`. */
static void write_contexts(struct jw *w, const struct profile *p, uint64_t known)
{
    ASSERT(known <= p->count);
    jw_key(w, "contexts");
    jw_object(w);
    WRITE_EACH(w, "device", p->context_count, i64, p->contexts[i].device);
    if (p->unit == PROFILE_CYCLES) {
        WRITE_EACH(w, "process", p->context_count, u64, p->contexts[i].process);
        WRITE_EACH(w, "context", p->context_count, u64, p->contexts[i].context);
    }
    jw_key(w, "launches");
    jw_array_inline(w);
    for (size_t c = 0; c < p->context_count; c++) {
        uint64_t first = p->contexts[c].first, count = p->contexts[c].count;

        jw_u64(w, first >= known ? 0 : known - first < count ? known - first : count);
    }
    jw_end(w, ']');
    jw_end(w, '}');
}

static void write_bbvs(struct jw *w, const struct bbv_store *s)
{
    jw_key(w, "bbvs");
    jw_object(w);
    WRITE_EACH(w, "types", s->bbv_count, u64, s->bbvs[i].end - s->bbvs[i].begin);
    WRITE_EACH(w, "warps", s->type_count, u64, s->types[i].warps);
    WRITE_EACH(w, "blocks", s->type_count, u64, s->types[i].end - s->types[i].begin);
    WRITE_EACH(w, "block", s->entry_count, u64, s->entries[i].block);
    WRITE_EACH(w, "count", s->entry_count, u64, s->entries[i].count);
    jw_end(w, '}');
}

static void write_waves(struct jw *w, const struct features *f)
{
    ASSERT(f->wave_begin[0] == 0 && f->wave_begin[f->known] <= f->wave_count);
    jw_key(w, "waves");
    jw_object(w);
    WRITE_EACH(w, "count", f->known, u64, f->wave_begin[i + 1] - f->wave_begin[i]);
    WRITE_EACH(w, "ctas", f->wave_count, u64, f->waves[i].ctas);
    WRITE_EACH(w, "instructions", f->wave_count, u64, f->waves[i].instructions);
    WRITE_EACH(w, "memory_requests", f->wave_count, u64, f->waves[i].memory_requests);
    WRITE_EACH(w, "variation", f->wave_count, double, f->waves[i].variation);
    jw_end(w, '}');
}

/* Members beside the launches. NULL: the member is omitted. */
struct texts {
    const char *wave_design, *note;
};

static int write_all(const struct profile *p, const struct texts *t, jw_sink sink, void *sink_ctx, struct err *e)
{
    const struct features *f = p->features;
    struct jw w;
    int ret;

    if (!f)
        return err_set(e, ERR_INVALID,
                       "features can only be computed from kernel traces, and this is not a set of kernel traces");
    if (p->unit == PROFILE_CYCLES && f->known != p->count)
        return err_set(e, ERR_INVALID,
                       "features are known for %llu of %zu launches, but a file of estimated cycles needs features "
                       "for all launches or for none",
                       (unsigned long long)f->known, p->count);
    jw_init(&w, sink, sink_ctx, e);
    w.indent = true;
    jw_object(&w);
    jw_key_text(&w, "format", p->unit == PROFILE_CYCLES ? CYCLES_FORMAT : FEATURES_FORMAT);
    jw_key_u64(&w, "version", 1);
    jw_key_text(&w, "source", p->format);
    jw_key_text(&w, "gpu", p->gpu_name);
    if (t->wave_design)
        jw_key_text(&w, "wave_design", t->wave_design);
    if (t->note)
        jw_key_text(&w, "note", t->note);
    write_kernels(&w, p);
    write_contexts(&w, p, f->known);
    WRITE_EACH(&w, "kernel", f->known, u64, p->kernel[i]);
    if (p->unit == PROFILE_CYCLES) {
        write_whole(&w, "cycles", p->value, p->count);
        WRITE_EACH(&w, "stream", p->count, u64, p->streams[p->stream[i]].stream);
    }
    write_whole(&w, "instructions", f->instructions, f->known);
    jw_key(&w, "metrics");
    jw_object(&w);
    for (int m = 0; m < FEATURE_COUNT; m++)
        write_doubles(&w, feature_infos[m].name, f->metrics[m], f->known);
    jw_end(&w, '}');
    write_doubles(&w, "cta_cov", f->cta_cov, f->known);
    if (f->bbv_of) {
        WRITE_EACH(&w, "bbv_of", f->known, u64, f->bbv_of[i]);
        ASSERT(f->known == 0 || f->bbvs.bbv_count > 0);
        write_bbvs(&w, &f->bbvs);
    }
    if (f->wave_begin)
        write_waves(&w, f);
    jw_end(&w, '}');
    ret = jw_finish(&w);
    jw_release(&w);
    return ret;
}

int features_to_json(const struct profile *p, const char *wave_design, jw_sink sink, void *sink_ctx, struct err *e)
{
    return write_all(p, &(struct texts){.wave_design = wave_design}, sink, sink_ctx, e);
}

int cycles_to_json(const struct profile *p, const char *note, jw_sink sink, void *sink_ctx, struct err *e)
{
    return write_all(p, &(struct texts){.note = note}, sink, sink_ctx, e);
}

struct document {
    const struct profile *profile;
    const char *wave_design;
};

static int write_document(const void *document, jw_sink sink, void *sink_ctx, struct err *e)
{
    const struct document *d = document;

    return features_to_json(d->profile, d->wave_design, sink, sink_ctx, e);
}

int features_write_path(const struct profile *p, const char *wave_design, const char *path, struct err *e)
{
    const struct document d = {p, wave_design};

    return jw_write_path(path, "features file", write_document, &d, e);
}
