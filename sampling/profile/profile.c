/* Accessors and hash of a profile; the hash covers everything that a plan depends on. */
#include "sampling/profile/profile.h"

#include <endian.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/math/order.h"

const char *profile_unit_name(enum profile_unit unit)
{
    static const char *const names[PROFILE_UNITS] = {"ns", "warp_instructions", "cycles"};

    return names[unit];
}

const char *profile_unit_words(enum profile_unit unit)
{
    static const char *const words[PROFILE_UNITS] = {"ns", "warp instructions", "cycles"};

    return words[unit];
}

int profile_unit_from_name(const char *name, enum profile_unit *out)
{
    for (int u = PROFILE_NS; u < PROFILE_UNITS; u++) {
        if (strcmp(name, profile_unit_name(u)) == 0) {
            *out = u;
            return 0;
        }
    }
    return -1;
}

void profile_init(struct profile *p)
{
    memset(p, 0, sizeof *p);
}

void profile_release(struct profile *p)
{
    for (size_t k = 0; k < p->kernel_count; k++) {
        free(p->kernels[k].name);
        free(p->kernels[k].mangled_name);
    }
    free(p->kernels);
    free(p->contexts);
    free(p->streams);
    free(p->kernel);
    free(p->value);
    free(p->start_ns);
    free(p->stream);
    free(p->ties);
    features_free(p->features);
    domains_free(p->domains);
    profile_init(p);
}

uint64_t profile_total(const struct profile *p)
{
    uint64_t total = 0;

    for (size_t i = 0; i < p->count; i++)
        total += p->value[i];
    return total;
}

/* The end of the busy intervals so far, and the busy time before it. */
struct busy {
    uint64_t end, sum;
};

static void busy_add(struct busy *b, uint64_t from, uint64_t to)
{
    ASSERT_HOT(from <= to);
    if (to > b->end) {
        b->sum += to - (from > b->end ? from : b->end);
        b->end = to;
    }
}

static bool starts_in_order(const struct profile *p)
{
    for (size_t i = 1; i < p->count; i++)
        if (p->start_ns[i] < p->start_ns[i - 1])
            return false;
    return true;
}

uint64_t profile_makespan_ns(const struct profile *p)
{
    uint32_t *rows = NULL, *scratch = NULL;
    struct busy busy = {0};
    bool in_order;

    if (!p->start_ns || p->unit != PROFILE_NS || !p->count)
        return 0;
    in_order = starts_in_order(p);
    if (!in_order) {
        /* Starts are never negative here, so signed and unsigned order agree. */
        struct order_key by_start = {.wide = (const uint64_t *)p->start_ns};

        rows = malloc(p->count * sizeof *rows);
        scratch = malloc(p->count * sizeof *scratch);
        if (!rows || !scratch)
            goto out;
        for (size_t i = 0; i < p->count; i++)
            rows[i] = (uint32_t)i;
        order_rows(rows, scratch, p->count, &by_start);
    }
    for (size_t i = 0; i < p->count; i++) {
        size_t row = in_order ? i : rows[i];

        busy_add(&busy, (uint64_t)p->start_ns[row], (uint64_t)p->start_ns[row] + p->value[row]);
    }
out:
    free(rows);
    free(scratch);
    return busy.sum;
}

size_t profile_context_of(const struct profile *p, uint64_t launch)
{
    size_t low = 0, high = p->context_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (p->contexts[middle].first <= launch)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- the canonical form behind the hash: little-endian, each text is preceded by its length --- */

struct canon {
    struct sha256 *hash;
    size_t used;
    uint8_t buffer[65536];
};

static void canon_flush(struct canon *c)
{
    ASSERT(c->used <= sizeof c->buffer);
    sha256_update(c->hash, c->buffer, c->used);
    c->used = 0;
}

static void canon_number(struct canon *c, uint64_t x, unsigned bytes)
{
    ASSERT_HOT(bytes <= sizeof x);
    if (c->used + bytes > sizeof c->buffer)
        canon_flush(c);
    for (unsigned i = 0; i < bytes; i++)
        c->buffer[c->used++] = (uint8_t)(x >> (8 * i));
}

static void canon_text(struct canon *c, const char *s)
{
    size_t n = s ? strlen(s) : 0;

    canon_number(c, s ? n : UINT64_MAX, 8);
    canon_flush(c);
    sha256_update(c->hash, s, n);
}

static void canon_tables(struct canon *c, const struct profile *p)
{
    canon_text(c, "vivace-profile-1");
    canon_text(c, p->gpu_name);
    canon_text(c, profile_unit_name(p->unit));
    canon_number(c, p->kernel_count, 8);
    for (size_t k = 0; k < p->kernel_count; k++) {
        const struct profile_kernel *kernel = &p->kernels[k];

        canon_text(c, kernel->name);
        canon_text(c, kernel->mangled_name);
        for (int d = 0; d < 3; d++) {
            canon_number(c, kernel->grid[d], 4);
            canon_number(c, kernel->block[d], 4);
        }
        canon_number(c, kernel->registers, 4);
        canon_number(c, kernel->shared_bytes, 4);
    }
    canon_number(c, p->context_count, 8);
    for (size_t k = 0; k < p->context_count; k++) {
        canon_number(c, (uint32_t)p->contexts[k].device, 4);
        canon_number(c, p->contexts[k].process, 8);
        canon_number(c, p->contexts[k].context, 8);
        canon_number(c, p->contexts[k].count, 8);
    }
    canon_number(c, p->stream_count, 8);
    for (size_t k = 0; k < p->stream_count; k++) {
        canon_number(c, p->streams[k].context, 4);
        canon_number(c, p->streams[k].stream, 8);
    }
}

/* Columns are most of the hashed data. On a little-endian machine they are hashed directly from memory. */
static void canon_column32(struct canon *c, const uint32_t *column, size_t n)
{
    if (BYTE_ORDER == LITTLE_ENDIAN) {
        canon_flush(c);
        sha256_update(c->hash, column, n * sizeof *column);
        return;
    }
    for (size_t i = 0; i < n; i++)
        canon_number(c, column[i], 4);
}

static void canon_column64(struct canon *c, const uint64_t *column, size_t n)
{
    if (BYTE_ORDER == LITTLE_ENDIAN) {
        canon_flush(c);
        sha256_update(c->hash, column, n * sizeof *column);
        return;
    }
    for (size_t i = 0; i < n; i++)
        canon_number(c, column[i], 8);
}

static void canon_columns(struct canon *c, const struct profile *p)
{
    canon_number(c, p->count, 8);
    canon_number(c, p->start_ns != NULL, 1);
    canon_column32(c, p->kernel, p->count);
    canon_column64(c, p->value, p->count);
    if (p->start_ns)
        canon_column64(c, (const uint64_t *)p->start_ns, p->count);
    canon_column32(c, p->stream, p->count);
}

int profile_hash(const struct profile *p, char hex[SHA256_HEX], struct err *e)
{
    uint8_t digest[SHA256_BYTES];
    struct canon *c = mem_zalloc(1, sizeof *c, e);
    int ret = -1;

    if (!c)
        return -1;
    c->hash = sha256_new(e);
    if (!c->hash)
        goto out;
    canon_tables(c, p);
    canon_columns(c, p);
    canon_flush(c);
    if (p->features && !(p->unit == PROFILE_WARP_INSTRUCTIONS && features_repeat(p->features, p->value, p->count)))
        features_hash(p->features, p->count, c->hash);
    sha256_final(c->hash, digest);
    hex_encode(digest, sizeof digest, hex);
    ret = 0;
out:
    sha256_free(c->hash);
    free(c);
    return ret;
}
