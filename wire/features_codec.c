#include "wire/features_codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define VERSION 1
/* In front of each column. */
enum { ABSENT, WHOLE, RAW };
#define WHOLE_MOST 9007199254740992.0 /* 2^53 */

/* --- writing --- */

static void put(struct strbuf *b, uint64_t x)
{
    char bytes[10];
    size_t n = 0;

    for (; x >= 0x80; x >>= 7)
        bytes[n++] = (char)(x | 0x80);
    bytes[n++] = (char)x;
    strbuf_add(b, bytes, n);
}

/* Small for small differences of either sign. */
static uint64_t difference(uint64_t x, uint64_t before)
{
    uint64_t d = x - before;

    return d << 1 ^ (uint64_t) - (int64_t)(d >> 63);
}

#define PUT_EACH(b, there, n, value)                                                                               \
    do {                                                                                                           \
        uint64_t before__ = 0;                                                                                     \
        put(b, (there) ? WHOLE : ABSENT);                                                                          \
        for (uint64_t i = 0; (there) && i < (n); i++) {                                                            \
            uint64_t x__ = (value);                                                                                \
            put(b, difference(x__, before__));                                                                     \
            before__ = x__;                                                                                        \
        }                                                                                                          \
    } while (0)

static bool all_whole(const double *x, size_t stride, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++, x += stride)
        if (!(*x >= 0 && *x <= WHOLE_MOST && *x == (double)(uint64_t)*x))
            return false;
    return true;
}

/* stride: in doubles, from one to the next. */
static void put_doubles(struct strbuf *b, const double *x, size_t stride, uint64_t n)
{
    if (!x || all_whole(x, stride, n)) {
        PUT_EACH(b, x != NULL, n, (uint64_t)x[i * stride]);
        return;
    }
    put(b, RAW);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t bits;
        char bytes[8];

        memcpy(&bits, &x[i * stride], sizeof bits);
        for (int k = 0; k < 8; k++)
            bytes[k] = (char)(bits >> (8 * k));
        strbuf_add(b, bytes, sizeof bytes);
    }
}

_Static_assert(sizeof(struct wave) % sizeof(double) == 0, "waves are read with a stride of doubles");

void features_encode(const struct features *f, uint64_t count, struct strbuf *out)
{
    const struct bbv_store *s = &f->bbvs;

    put(out, VERSION);
    put(out, count);
    put(out, f->known);
    PUT_EACH(out, f->instructions != NULL, f->known, f->instructions[i]);
    for (int m = 0; m < FEATURE_COUNT; m++)
        put_doubles(out, f->metrics[m], 1, f->known);
    put_doubles(out, f->cta_cov, 1, f->known);
    PUT_EACH(out, f->bbv_of != NULL, f->known, f->bbv_of[i]);
    put(out, s->bbv_count);
    put(out, s->type_count);
    put(out, s->entry_count);
    PUT_EACH(out, true, s->bbv_count, s->bbvs[i].end);
    PUT_EACH(out, true, s->type_count, s->types[i].end);
    PUT_EACH(out, true, s->type_count, s->types[i].warps);
    PUT_EACH(out, true, s->entry_count, s->entries[i].block);
    PUT_EACH(out, true, s->entry_count, s->entries[i].count);
    put(out, f->wave_count);
    PUT_EACH(out, f->wave_begin != NULL, f->known + 1, f->wave_begin[i]);
    PUT_EACH(out, true, f->wave_count, f->waves[i].ctas);
    PUT_EACH(out, true, f->wave_count, f->waves[i].instructions);
    PUT_EACH(out, true, f->wave_count, f->waves[i].memory_requests);
    put_doubles(out, f->waves ? &f->waves->variation : NULL, sizeof(struct wave) / sizeof(double), f->wave_count);
    put(out, f->response_count);
    for (size_t r = 0; r < f->response_count; r++) {
        strbuf_add(out, f->responses[r].name, sizeof f->responses[r].name);
        put_doubles(out, f->responses[r].values, 1, count);
    }
}

/* --- reading --- */

struct in {
    const uint8_t *at, *end;
    bool bad; /* sticky: everything then reads as 0 */
    struct err *e;
};

static uint64_t get(struct in *in)
{
    uint64_t x = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = in->at < in->end ? *in->at++ : 0x80;

        x |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return x;
        if (in->at == in->end && shift >= 63)
            break;
    }
    in->bad = true;
    return 0;
}

/* A number of items, each of which takes a byte at least: bounds what is allocated. */
static size_t get_count(struct in *in)
{
    uint64_t n = get(in);

    if (n > (uint64_t)(in->end - in->at))
        in->bad = true;
    return in->bad ? 0 : (size_t)n;
}

static uint64_t get_next(struct in *in, uint64_t before)
{
    uint64_t d = get(in);

    return before + (d >> 1 ^ (uint64_t) - (int64_t)(d & 1));
}

static double get_raw(struct in *in)
{
    uint64_t bits = 0;
    double x;

    if (in->end - in->at < 8) {
        in->bad = true;
        return 0;
    }
    for (int k = 0; k < 8; k++)
        bits |= (uint64_t)*in->at++ << (8 * k);
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define GET_EACH(in, n, target)                                                                                    \
    do {                                                                                                           \
        uint64_t x__ = 0;                                                                                          \
        if (get(in) != WHOLE)                                                                                      \
            (in)->bad = true;                                                                                      \
        for (uint64_t i = 0; i < (n) && !(in)->bad; i++)                                                           \
            (target) = x__ = get_next(in, x__);                                                                    \
    } while (0)

/* `room` entries, of which n are read; NULL where the column is absent or the bytes are bad. */
static double *get_doubles(struct in *in, uint64_t n, uint64_t room)
{
    uint64_t how = get(in), before = 0;
    double *x = NULL;

    if (how > RAW || (how && n > (uint64_t)(in->end - in->at)))
        in->bad = true;
    if (how && !in->bad && !(x = mem_zalloc(room + 1, sizeof *x, in->e)))
        in->bad = true;
    for (uint64_t i = 0; x && i < n && !in->bad; i++)
        x[i] = how == RAW ? get_raw(in) : (double)(before = get_next(in, before));
    return x;
}

static bool next_is_absent(struct in *in)
{
    if (in->at < in->end && *in->at == ABSENT) {
        in->at++;
        return true;
    }
    return in->bad;
}

static void *room_for(struct in *in, uint64_t n, size_t size)
{
    void *p = in->bad ? NULL : mem_zalloc(n + 1, size, in->e);

    in->bad |= !p;
    return p;
}

static void get_bbvs(struct in *in, struct bbv_store *s)
{
    s->bbv_count = get_count(in);
    s->type_count = get_count(in);
    s->entry_count = get_count(in);
    s->bbvs = room_for(in, s->bbv_count, sizeof *s->bbvs);
    s->types = room_for(in, s->type_count, sizeof *s->types);
    s->entries = room_for(in, s->entry_count, sizeof *s->entries);
    GET_EACH(in, s->bbv_count, s->bbvs[i].end);
    GET_EACH(in, s->type_count, s->types[i].end);
    GET_EACH(in, s->type_count, s->types[i].warps);
    GET_EACH(in, s->entry_count, s->entries[i].block);
    GET_EACH(in, s->entry_count, s->entries[i].count);
    for (size_t b = 0; b < s->bbv_count && !in->bad; b++) {
        s->bbvs[b].begin = b ? s->bbvs[b - 1].end : 0;
        in->bad |= s->bbvs[b].end < s->bbvs[b].begin || s->bbvs[b].end > s->type_count;
    }
    for (size_t t = 0; t < s->type_count && !in->bad; t++) {
        s->types[t].begin = t ? s->types[t - 1].end : 0;
        in->bad |= s->types[t].end < s->types[t].begin || s->types[t].end > s->entry_count;
    }
}

static void get_waves(struct in *in, struct features *f)
{
    double *variation;

    f->wave_count = get_count(in);
    if (!next_is_absent(in)) {
        f->wave_begin = room_for(in, f->known + 1, sizeof *f->wave_begin);
        GET_EACH(in, f->known + 1, f->wave_begin[i]);
        for (uint64_t i = 0; i <= f->known && !in->bad; i++)
            in->bad |= f->wave_begin[i] > f->wave_count || (i && f->wave_begin[i] < f->wave_begin[i - 1]);
        f->waves = room_for(in, f->wave_count, sizeof *f->waves);
    }
    if (f->wave_count && !f->waves) {
        in->bad = true;
        return;
    }
    GET_EACH(in, f->wave_count, f->waves[i].ctas);
    GET_EACH(in, f->wave_count, f->waves[i].instructions);
    GET_EACH(in, f->wave_count, f->waves[i].memory_requests);
    variation = get_doubles(in, f->wave_count, f->wave_count);
    if (f->wave_count && !variation)
        in->bad = true;
    for (size_t i = 0; variation && i < f->wave_count; i++)
        f->waves[i].variation = variation[i];
    free(variation);
}

static void get_responses(struct in *in, struct features *f, uint64_t count)
{
    size_t n = get_count(in);

    f->responses = n ? room_for(in, n, sizeof *f->responses) : NULL;
    for (size_t r = 0; r < n && !in->bad; r++) {
        struct response *x = &f->responses[f->response_count++];

        if ((size_t)(in->end - in->at) < sizeof x->name) {
            in->bad = true;
            return;
        }
        memcpy(x->name, in->at, sizeof x->name);
        in->bad |= memchr(x->name, '\0', sizeof x->name) == NULL;
        in->at += sizeof x->name;
        x->values = get_doubles(in, count, count);
        in->bad |= !x->values;
    }
}

static void get_all(struct in *in, struct features *f, uint64_t count)
{
    if (get(in) != VERSION || get(in) != count || (f->known = get(in)) > count)
        in->bad = true;
    if (!next_is_absent(in)) {
        f->instructions = room_for(in, count, sizeof *f->instructions);
        GET_EACH(in, f->known, f->instructions[i]);
    }
    for (int m = 0; m < FEATURE_COUNT; m++)
        f->metrics[m] = get_doubles(in, f->known, count);
    f->cta_cov = get_doubles(in, f->known, count);
    if (!next_is_absent(in)) {
        f->bbv_of = room_for(in, count, sizeof *f->bbv_of);
        GET_EACH(in, f->known, f->bbv_of[i]);
    }
    get_bbvs(in, &f->bbvs);
    for (uint64_t i = 0; f->bbv_of && i < f->known && !in->bad; i++)
        in->bad |= f->bbv_of[i] >= f->bbvs.bbv_count;
    get_waves(in, f);
    get_responses(in, f, count);
    in->bad |= in->at != in->end;
}

struct features *features_decode(const void *bytes, size_t n, uint64_t count, struct err *e)
{
    struct in in = {.at = bytes, .end = (const uint8_t *)bytes + n, .e = e};
    struct features *f = features_new(e);

    if (!f)
        return NULL;
    e->code = ERR_NONE;
    get_all(&in, f, count);
    if (!in.bad)
        return f;
    features_free(f);
    if (e->code != ERR_NO_MEMORY)
        err_set(e, ERR_INVALID, "the stored features are damaged, or of another profile");
    return NULL;
}
