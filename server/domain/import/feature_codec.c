#include "server/domain/import/feature_codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/array.h"
#include "base/assert.h"

#define VERSION    1
#define LEVEL      3
#define PLAIN_MAX  ((size_t)8 << 30)
#define NAME_WORDS (sizeof(((struct response *)0)->name) / 8)

enum {
    HAS_INSTRUCTIONS = 1,
    HAS_METRIC = 2, /* shifted left by the metric's number */
    HAS_CTA_COV = HAS_METRIC << FEATURE_COUNT,
    HAS_BBVS = HAS_CTA_COV << 1,
    HAS_WAVES = HAS_BBVS << 1,
    HAS_ALL = (HAS_WAVES << 1) - 1
};

/* --- Writing --- */

static void put(struct strbuf *b, uint64_t x)
{
    unsigned char bytes[8];

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(x >> (8 * i));
    strbuf_add(b, bytes, sizeof bytes);
}

static void put_double(struct strbuf *b, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    put(b, bits);
}

static void put_doubles(struct strbuf *b, const double *x, uint64_t count)
{
    for (uint64_t i = 0; x && i < count; i++)
        put_double(b, x[i]);
}

static uint64_t parts_of(const struct features *f)
{
    uint64_t parts = f->instructions ? HAS_INSTRUCTIONS : 0;

    for (int m = 0; m < FEATURE_COUNT; m++)
        parts |= f->metrics[m] ? (uint64_t)HAS_METRIC << m : 0;
    parts |= f->cta_cov ? HAS_CTA_COV : 0;
    parts |= f->bbv_of ? HAS_BBVS : 0;
    ASSERT(parts < HAS_WAVES);
    return parts | (f->wave_begin ? HAS_WAVES : 0);
}

static void put_bbvs(struct strbuf *b, const struct features *f)
{
    const struct bbv_store *s = &f->bbvs;

    put(b, s->bbv_count);
    put(b, s->type_count);
    put(b, s->entry_count);
    for (size_t i = 0; i < s->bbv_count; i++) {
        put(b, s->bbvs[i].begin);
        put(b, s->bbvs[i].end);
    }
    for (size_t i = 0; i < s->type_count; i++) {
        put(b, s->types[i].warps);
        put(b, s->types[i].begin);
        put(b, s->types[i].end);
    }
    for (size_t i = 0; i < s->entry_count; i++) {
        put(b, s->entries[i].block);
        put(b, s->entries[i].count);
    }
    for (uint64_t i = 0; i < f->known; i++) {
        ASSERT(f->bbv_of[i] < s->bbv_count);
        put(b, f->bbv_of[i]);
    }
}

static void put_waves(struct strbuf *b, const struct features *f)
{
    ASSERT(f->wave_begin[f->known] <= f->wave_count);
    put(b, f->wave_count);
    for (size_t i = 0; i < f->wave_count; i++) {
        put(b, f->waves[i].ctas);
        put(b, f->waves[i].instructions);
        put(b, f->waves[i].memory_requests);
        put_double(b, f->waves[i].variation);
    }
    for (uint64_t i = 0; i <= f->known; i++)
        put(b, f->wave_begin[i]);
}

static void put_all(struct strbuf *b, const struct profile *p)
{
    const struct features *f = p->features;

    ASSERT(f->known <= p->count);
    put(b, f->known);
    put(b, parts_of(f));
    for (uint64_t i = 0; f->instructions && i < f->known; i++)
        put(b, f->instructions[i]);
    for (int m = 0; m < FEATURE_COUNT; m++)
        put_doubles(b, f->metrics[m], f->known);
    put_doubles(b, f->cta_cov, f->known);
    if (f->bbv_of)
        put_bbvs(b, f);
    if (f->wave_begin)
        put_waves(b, f);
    put(b, f->response_count);
    for (size_t r = 0; r < f->response_count; r++) {
        strbuf_add(b, f->responses[r].name, sizeof f->responses[r].name);
        put_doubles(b, f->responses[r].values, p->count);
    }
}

int features_write(const struct profile *p, struct strbuf *out, struct err *e)
{
    struct strbuf plain = STRBUF_INIT;
    unsigned char *packed = NULL;
    size_t bound, done;
    int ret = -1;

    if (!p->features)
        return 0;
    put_all(&plain, p);
    if (plain.failed) {
        err_no_memory(e);
        goto out;
    }
    bound = ZSTD_compressBound(plain.length);
    packed = mem_zalloc(bound, 1, e);
    if (!packed)
        goto out;
    done = ZSTD_compress(packed, bound, plain.text, plain.length, LEVEL);
    if (ZSTD_isError(done)) {
        err_set(e, ERR_INTERNAL, "compressing features: %s", ZSTD_getErrorName(done));
        goto out;
    }
    if (done > FEATURES_MAX) {
        err_set(e, ERR_TOO_LARGE, "the profile's features take %zu MiB compressed, more than %zu MiB", done >> 20,
                FEATURES_MAX >> 20);
        goto out;
    }
    strbuf_addc(out, VERSION);
    strbuf_add(out, packed, done);
    ret = out->failed ? err_no_memory(e) : 0;
out:
    free(packed);
    strbuf_release(&plain);
    return ret;
}

/* --- Reading --- */

struct words {
    const unsigned char *at, *end;
    bool bad;
    struct err *e; /* receives the error of a failed allocation */
};

static uint64_t get(struct words *w)
{
    uint64_t x = 0;

    if (w->end - w->at < 8) {
        w->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < 8; i++)
        x |= (uint64_t)*w->at++ << (8 * i);
    return x;
}

static double get_double(struct words *w)
{
    uint64_t bits = get(w);
    double x;

    memcpy(&x, &bits, sizeof x);
    w->bad |= !isfinite(x); /* feature values are always finite */
    return x;
}

/* Allocates an array of `count` elements. Fails if the remaining words cannot contain `words` words for each
 * element. */
static void *room(struct words *w, uint64_t count, size_t size, uint64_t words)
{
    void *p;

    ASSERT(words > 0);
    if (w->bad || count > (uint64_t)(w->end - w->at) / (8 * words)) {
        w->bad = true;
        return NULL;
    }
    p = mem_zalloc(count ? count : 1, size, w->e);
    w->bad |= !p;
    return p;
}

static double *get_doubles(struct words *w, uint64_t count)
{
    double *x = room(w, count, sizeof *x, 1);

    for (uint64_t i = 0; x && i < count; i++)
        x[i] = get_double(w);
    return x;
}

static uint64_t *get_numbers(struct words *w, uint64_t count)
{
    uint64_t *x = room(w, count, sizeof *x, 1);

    for (uint64_t i = 0; x && i < count; i++)
        x[i] = get(w);
    return x;
}

static size_t get_below(struct words *w, uint64_t most)
{
    uint64_t x = get(w);

    w->bad |= x > most;
    return (size_t)x;
}

static void get_bbvs(struct words *w, struct features *f)
{
    struct bbv_store *s = &f->bbvs;
    uint64_t bbvs = get(w), types = get(w), entries = get(w);

    s->bbvs = room(w, bbvs, sizeof *s->bbvs, 2);
    for (uint64_t i = 0; !w->bad && i < bbvs; i++) {
        s->bbvs[i].begin = get_below(w, types);
        s->bbvs[i].end = get_below(w, types);
        w->bad |= s->bbvs[i].begin > s->bbvs[i].end;
    }
    s->types = room(w, types, sizeof *s->types, 3);
    for (uint64_t i = 0; !w->bad && i < types; i++) {
        s->types[i].warps = get(w);
        s->types[i].begin = get_below(w, entries);
        s->types[i].end = get_below(w, entries);
        w->bad |= s->types[i].begin > s->types[i].end;
    }
    s->entries = room(w, entries, sizeof *s->entries, 2);
    for (uint64_t i = 0; !w->bad && i < entries; i++) {
        s->entries[i].block = (uint32_t)get_below(w, UINT32_MAX);
        s->entries[i].count = get(w);
    }
    f->bbv_of = room(w, f->known, sizeof *f->bbv_of, 1);
    for (uint64_t i = 0; !w->bad && i < f->known; i++) {
        f->bbv_of[i] = (uint32_t)get_below(w, UINT32_MAX);
        w->bad |= f->bbv_of[i] >= bbvs;
    }
    if (w->bad)
        return;
    s->bbv_count = (size_t)bbvs;
    s->type_count = (size_t)types;
    s->entry_count = (size_t)entries;
}

static void get_waves(struct words *w, struct features *f)
{
    uint64_t waves = get(w), before = 0;

    f->waves = room(w, waves, sizeof *f->waves, 4);
    for (uint64_t i = 0; !w->bad && i < waves; i++) {
        f->waves[i].ctas = (uint32_t)get_below(w, UINT32_MAX);
        f->waves[i].instructions = get(w);
        f->waves[i].memory_requests = get(w);
        f->waves[i].variation = get_double(w);
    }
    f->wave_begin = get_numbers(w, f->known + 1);
    for (uint64_t i = 0; !w->bad && i <= f->known; before = f->wave_begin[i++])
        w->bad |= f->wave_begin[i] < before || f->wave_begin[i] > waves;
    f->wave_count = w->bad ? 0 : (size_t)waves;
}

static void get_responses(struct words *w, const struct profile *p, struct features *f)
{
    uint64_t count = get(w);

    f->responses = room(w, count, sizeof *f->responses, NAME_WORDS);
    for (uint64_t r = 0; !w->bad && r < count; r++) {
        struct response *to = &f->responses[r];

        f->response_count = (size_t)r + 1;
        for (size_t i = 0; i < NAME_WORDS; i++) {
            uint64_t x = get(w);

            for (unsigned k = 0; k < 8; k++)
                to->name[8 * i + k] = (char)(x >> (8 * k));
        }
        w->bad |= to->name[sizeof to->name - 1] != '\0';
        to->values = get_doubles(w, p->count);
    }
}

static void get_all(struct words *w, const struct profile *p, struct features *f)
{
    uint64_t parts;

    f->known = get(w);
    parts = get(w);
    if (f->known > p->count || parts & ~(uint64_t)HAS_ALL) {
        w->bad = true;
        return;
    }
    if (parts & HAS_INSTRUCTIONS)
        f->instructions = get_numbers(w, f->known);
    for (int m = 0; m < FEATURE_COUNT; m++)
        if (parts & (uint64_t)HAS_METRIC << m)
            f->metrics[m] = get_doubles(w, f->known);
    if (parts & HAS_CTA_COV)
        f->cta_cov = get_doubles(w, f->known);
    if (parts & HAS_BBVS)
        get_bbvs(w, f);
    if (parts & HAS_WAVES)
        get_waves(w, f);
    get_responses(w, p, f);
    w->bad |= w->at != w->end;
}

static unsigned char *unpack(const unsigned char *bytes, size_t n, size_t *length, struct err *e)
{
    unsigned long long plain = n ? ZSTD_getFrameContentSize(bytes, n) : ZSTD_CONTENTSIZE_ERROR;
    unsigned char *out;

    if (plain == ZSTD_CONTENTSIZE_ERROR || plain == ZSTD_CONTENTSIZE_UNKNOWN || plain > PLAIN_MAX) {
        err_set(e, ERR_INTERNAL, "a profile's features are damaged");
        return NULL;
    }
    out = mem_zalloc((size_t)plain ? (size_t)plain : 1, 1, e);
    if (!out)
        return NULL;
    *length = ZSTD_decompress(out, (size_t)plain, bytes, n);
    if (ZSTD_isError(*length) || *length != plain) {
        err_set(e, ERR_INTERNAL, "a profile's features are damaged");
        free(out);
        return NULL;
    }
    return out;
}

int features_read(const unsigned char *bytes, size_t n, struct profile *p, struct err *e)
{
    struct features *f;
    unsigned char *plain;
    struct words w;
    size_t length;

    if (n < 2 || bytes[0] != VERSION)
        return err_set(e, ERR_INTERNAL, "a profile's features are of an unknown kind");
    plain = unpack(bytes + 1, n - 1, &length, e);
    f = plain ? features_new(e) : NULL;
    if (!f) {
        free(plain);
        return -1;
    }
    err_set(e, ERR_INTERNAL, "a profile's features are damaged"); /* overwritten if memory runs out */
    w = (struct words){plain, plain + length, false, e};
    get_all(&w, p, f);
    free(plain);
    if (w.bad) {
        features_free(f);
        return -1;
    }
    ASSERT(f->known <= p->count);
    features_free(p->features);
    p->features = f;
    return 0;
}
