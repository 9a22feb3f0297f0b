#include "server/domain/import/profile_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "server/domain/import/feature_codec.h"
#include "server/domain/import/profile_codec.h"

#define MAGIC           "VVCP0001"
#define REPORT_MAX      ((size_t)8 << 20)
#define TABLES_MAX      ((size_t)64 << 20)
#define NAME_LENGTH_MAX ((size_t)64 << 10)
#define CHUNK_MAX       ((size_t)6 << 20) /* 65 536 rows of 7 columns, 10 bytes each, and zstd's overhead */

/* --- Facts about a profile --- */

static void spark_of(const struct profile *p, uint16_t out[SPARK_BINS])
{
    uint64_t least = UINT64_MAX, most = 0, counts[SPARK_BINS] = {0}, highest = 0;
    double low, width;

    for (size_t i = 0; i < p->count; i++) {
        if (p->value[i] && p->value[i] < least)
            least = p->value[i];
        if (p->value[i] > most)
            most = p->value[i];
    }
    memset(out, 0, SPARK_BINS * sizeof *out);
    if (most == 0)
        return;
    low = log((double)least);
    width = log((double)most) - low;
    ASSERT(least <= most && width >= 0);
    for (size_t i = 0; i < p->count; i++)
        if (p->value[i]) {
            int bin = width > 0 ? (int)((log((double)p->value[i]) - low) / width * SPARK_BINS) : SPARK_BINS / 2;

            ASSERT(bin >= 0);
            counts[bin < SPARK_BINS ? bin : SPARK_BINS - 1]++;
        }
    for (int b = 0; b < SPARK_BINS; b++)
        highest = counts[b] > highest ? counts[b] : highest;
    ASSERT(highest > 0);
    for (int b = 0; b < SPARK_BINS; b++)
        out[b] = (uint16_t)((counts[b] * 1000 + highest - 1) / highest); /* rounded up */
}

static size_t count_devices(const struct profile *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->context_count; i++) {
        size_t j = 0;

        while (j < i && p->contexts[j].device != p->contexts[i].device)
            j++;
        n += j == i;
    }
    ASSERT(n > 0 && n <= p->context_count);
    return n;
}

static int facts_of(const struct profile *p, struct profile_facts *f, struct err *e)
{
    struct strbuf features = STRBUF_INIT;

    memset(f, 0, sizeof *f);
    snprintf(f->format, sizeof f->format, "%s", p->format);
    snprintf(f->gpu_name, sizeof f->gpu_name, "%s", p->gpu_name);
    snprintf(f->unit, sizeof f->unit, "%s", profile_unit_name(p->unit));
    f->has_times = p->start_ns != NULL;
    f->launches = p->count;
    f->kernels = p->name_count;
    f->kernel_shapes = p->kernel_count;
    f->devices = count_devices(p);
    f->streams = p->stream_count;
    f->total = profile_total(p);
    f->makespan_ns = profile_makespan_ns(p);
    for (size_t i = 0; i < p->count; i++)
        f->zero_launches += p->value[i] == 0;
    spark_of(p, f->spark);
    features_text(p->features, p->count, &features);
    snprintf(f->features, sizeof f->features, "%s", features.text);
    strbuf_release(&features);
    ASSERT(f->launches > 0 && f->kernels <= f->kernel_shapes && f->kernel_shapes <= f->launches);
    return profile_hash(p, f->sha256, e);
}

/* Mean and standard deviation with Welford's recurrence: one pass, and accurate for large values with a small
 * spread. */
static int kernels_of(const struct profile *p, struct kernel_facts **out, struct err *e)
{
    struct kernel_facts *k = mem_zalloc(p->kernel_count, sizeof *k, e);

    if (!k)
        return -1;
    for (size_t i = 0; i < p->count; i++) {
        struct kernel_facts *f = &k[p->kernel[i]];
        double x = (double)p->value[i], off = x - f->mean;

        ASSERT(p->kernel[i] < p->kernel_count);
        f->min = f->calls == 0 || p->value[i] < f->min ? p->value[i] : f->min;
        f->max = p->value[i] > f->max ? p->value[i] : f->max;
        f->calls++;
        f->total += p->value[i];
        f->mean += off / (double)f->calls;
        f->cov += off * (x - f->mean); /* sum of squared deviations until the end of the loop */
    }
    for (size_t i = 0; i < p->kernel_count; i++)
        k[i].cov = k[i].calls > 1 && k[i].mean > 0 ? sqrt(k[i].cov / (double)(k[i].calls - 1)) / k[i].mean : 0;
    *out = k;
    return 0;
}

/* --- Writing --- */

static void put_bytes(FILE *f, const void *bytes, size_t n)
{
    uint64_t length = n;

    fwrite(&length, sizeof length, 1, f);
    fwrite(bytes, 1, n, f);
}

static void put_kernel(FILE *f, const struct profile_kernel *k, const struct kernel_facts *s)
{
    struct kernel_facts row = *s;

    ASSERT(s->calls > 0 && s->min <= s->max && s->cov >= 0);
    row.name = row.mangled_name = NULL;
    memcpy(row.grid, k->grid, sizeof row.grid);
    memcpy(row.block, k->block, sizeof row.block);
    row.registers = k->registers;
    row.shared_bytes = k->shared_bytes;
    row.name_id = k->name_id;
    fwrite(&row, sizeof row, 1, f);
    put_bytes(f, k->name, strlen(k->name));
    put_bytes(f, k->mangled_name ? k->mangled_name : "", k->mangled_name ? strlen(k->mangled_name) : 0);
}

static int put_chunks(FILE *f, const struct profile *p, struct err *e)
{
    for (size_t first = 0; first < p->count; first += CHUNK_ROWS) {
        struct strbuf b = STRBUF_INIT;

        if (chunk_write(p, first, &b, e) < 0) {
            strbuf_release(&b);
            return -1;
        }
        ASSERT(b.length > 0 && b.length <= CHUNK_MAX); /* the reader refuses larger chunks */
        put_bytes(f, b.text, b.length);
        strbuf_release(&b);
    }
    return 0;
}

static int put_features(FILE *f, const struct profile *p, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret = features_write(p, &b, e);

    if (ret == 0)
        put_bytes(f, b.text, b.length);
    strbuf_release(&b);
    return ret;
}

int profile_file_write(const char *path, const struct profile *p, const char *report_json, struct err *e)
{
    struct strbuf tables = STRBUF_INIT;
    struct kernel_facts *kernels = NULL;
    struct profile_facts facts;
    FILE *f = fopen(path, "we");
    int ret = -1;

    if (!f)
        return err_set_errno(e, errno, "the import's scratch file");
    if (facts_of(p, &facts, e) < 0 || kernels_of(p, &kernels, e) < 0)
        goto out;
    tables_write(p, &tables);
    if (tables.failed) {
        err_no_memory(e);
        goto out;
    }
    fwrite(MAGIC, 8, 1, f);
    fwrite(&facts, sizeof facts, 1, f);
    put_bytes(f, report_json, strlen(report_json));
    put_bytes(f, tables.text, tables.length);
    for (size_t i = 0; i < p->kernel_count; i++)
        put_kernel(f, &p->kernels[i], &kernels[i]);
    ret = put_chunks(f, p, e) < 0 ? -1 : put_features(f, p, e);
    if (ret == 0 && (fflush(f) != 0 || ferror(f)))
        ret = err_set_errno(e, errno, "the import's scratch file");
out:
    if (fclose(f) != 0 && ret == 0)
        ret = err_set_errno(e, errno, "the import's scratch file");
    free(kernels);
    strbuf_release(&tables);
    return ret;
}

/* --- Reading --- */

struct profile_file {
    FILE *file;
    struct profile_facts facts;
    struct strbuf report, tables;
    uint64_t kernels_read, rows_read;
};

static int damaged(struct err *e)
{
    return err_set(e, ERR_INVALID, "the import process wrote data that is not a profile");
}

static int get_bytes(FILE *f, size_t most, struct strbuf *out, struct err *e)
{
    char buffer[4096];
    uint64_t n;

    strbuf_clear(out);
    if (fread(&n, sizeof n, 1, f) != 1 || n > most)
        return damaged(e);
    while (n > 0) {
        size_t part = n < sizeof buffer ? (size_t)n : sizeof buffer;

        if (fread(buffer, 1, part, f) != part)
            return damaged(e);
        strbuf_add(out, buffer, part);
        n -= part;
    }
    ASSERT(out->failed || out->length <= most);
    return out->failed ? err_no_memory(e) : 0;
}

static bool terminated(const char *s, size_t size)
{
    size_t n = strnlen(s, size);

    return n < size && utf8_valid_prefix(s, n) == n;
}

static int check_facts(const struct profile_facts *f, struct err *e)
{
    enum profile_unit unit;
    bool good = terminated(f->format, sizeof f->format) && terminated(f->gpu_name, sizeof f->gpu_name) &&
                terminated(f->unit, sizeof f->unit) && terminated(f->features, sizeof f->features) &&
                terminated(f->sha256, sizeof f->sha256);

    if (!good || profile_unit_from_name(f->unit, &unit) < 0 || !sha256_hex_valid(f->sha256) || f->launches == 0 ||
        f->launches > INT64_MAX || f->kernel_shapes == 0 || f->kernel_shapes > f->launches ||
        f->kernels > f->kernel_shapes || f->zero_launches > f->launches || f->devices > f->launches ||
        f->streams > f->launches)
        return damaged(e);
    return 0;
}

int profile_file_open(const char *path, struct profile_file **out, struct err *e)
{
    struct profile_file *f = mem_zalloc(1, sizeof *f, e);
    char magic[8];

    if (!f)
        return -1;
    f->report = f->tables = (struct strbuf)STRBUF_INIT;
    f->file = fopen(path, "re");
    if (!f->file) {
        err_set_errno(e, errno, "the import's scratch file");
        goto fail;
    }
    if (fread(magic, 1, 8, f->file) != 8 || memcmp(magic, MAGIC, 8) != 0 ||
        fread(&f->facts, sizeof f->facts, 1, f->file) != 1) {
        damaged(e);
        goto fail;
    }
    if (check_facts(&f->facts, e) < 0 || get_bytes(f->file, REPORT_MAX, &f->report, e) < 0 ||
        get_bytes(f->file, TABLES_MAX, &f->tables, e) < 0)
        goto fail;
    ASSERT(f->report.length <= REPORT_MAX && f->tables.length <= TABLES_MAX);
    *out = f;
    return 0;
fail:
    profile_file_close(f);
    return -1;
}

void profile_file_close(struct profile_file *f)
{
    if (!f)
        return;
    if (f->file)
        fclose(f->file);
    strbuf_release(&f->report);
    strbuf_release(&f->tables);
    free(f);
}

const struct profile_facts *profile_file_facts(const struct profile_file *f)
{
    return &f->facts;
}

const char *profile_file_report(const struct profile_file *f)
{
    return f->report.text;
}

const struct strbuf *profile_file_tables(const struct profile_file *f)
{
    return &f->tables;
}

void kernel_facts_release(struct kernel_facts *k)
{
    free(k->name);
    free(k->mangled_name);
    k->name = k->mangled_name = NULL;
}

static int get_text(FILE *f, char **out, struct err *e)
{
    ASSERT(!*out);
    struct strbuf b = STRBUF_INIT;

    if (get_bytes(f, NAME_LENGTH_MAX, &b, e) < 0) {
        strbuf_release(&b);
        return -1;
    }
    if (strlen(b.text) != b.length || utf8_valid_prefix(b.text, b.length) != b.length) {
        strbuf_release(&b);
        return damaged(e);
    }
    *out = b.length ? strbuf_detach(&b) : NULL;
    return 0;
}

int profile_file_kernel(struct profile_file *f, struct kernel_facts *out, struct err *e)
{
    ASSERT(f->kernels_read <= f->facts.kernel_shapes);
    if (f->kernels_read == f->facts.kernel_shapes)
        return 0;
    if (fread(out, sizeof *out, 1, f->file) != 1) {
        memset(out, 0, sizeof *out);
        return damaged(e);
    }
    out->name = out->mangled_name = NULL;
    if (get_text(f->file, &out->name, e) < 0 || get_text(f->file, &out->mangled_name, e) < 0)
        return -1;
    if (!isfinite(out->mean) || !isfinite(out->cov))
        return damaged(e);
    f->kernels_read++;
    return 1;
}

int profile_file_chunk(struct profile_file *f, struct strbuf *out, struct err *e)
{
    uint64_t left = f->facts.launches - f->rows_read;

    ASSERT(f->kernels_read == f->facts.kernel_shapes && f->rows_read <= f->facts.launches);
    if (left == 0)
        return 0;
    if (get_bytes(f->file, CHUNK_MAX, out, e) < 0)
        return -1;
    f->rows_read += left < CHUNK_ROWS ? left : CHUNK_ROWS;
    ASSERT(f->rows_read <= f->facts.launches);
    return 1;
}

int profile_file_features(struct profile_file *f, struct strbuf *out, struct err *e)
{
    ASSERT(f->rows_read == f->facts.launches);
    return get_bytes(f->file, FEATURES_MAX, out, e) < 0 ? -1 : out->length > 0;
}
