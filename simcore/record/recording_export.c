/* simcore/record/recording_export.c: exports a recording with computed rates, shares and watts: as JSON, as the
 * text log that AerialVision draws, and as text for a terminal. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "simcore/record/json_text.h"
#include "simcore/record/series.h"

/* The sum of a column's numbers in a row; 0 where there is no such column. */
static double value_of(const struct recording *r, uint32_t row, const char *name)
{
    const struct recorded_column *c = recording_column(r, name);
    double sum = 0;

    for (uint32_t i = 0; c && i < c->count; i++)
        sum += (double)recording_value(r, row, c, i);
    return sum;
}

/* The value in one row, for formats without an undefined value: NaN becomes 0. */
static double value_or_0(const struct series *s, uint32_t line, uint32_t row)
{
    double v = series_value(s, line, row, row + 1);

    return isnan(v) ? 0 : v;
}

/* --- JSON --- */

static void add_head(struct strbuf *b, const char *name, const char *unit, const char *sentence, const char *of)
{
    strbuf_adds(b, "{\"name\":");
    json_text_add(b, name);
    strbuf_adds(b, ",\"unit\":");
    json_text_add(b, unit);
    strbuf_adds(b, ",\"meaning\":");
    json_text_add(b, sentence);
    strbuf_addf(b, ",\"of\":\"%s\",\"values\":[", of);
}

static void json_column(struct strbuf *b, const struct recording *r, const struct recorded_column *c)
{
    ASSERT(c->of <= OF_BANK);
    add_head(b, c->name, c->unit, c->sentence, recorded_of_names[c->of]);
    for (uint32_t i = 0; i < c->count; i++) {
        strbuf_adds(b, c->of == OF_GPU ? "" : i ? ",[" : "[");
        for (uint32_t row = 0; row < r->rows; row++)
            strbuf_addf(b, "%s%" PRIu64, row ? "," : "", recording_value(r, row, c, i));
        strbuf_adds(b, c->of == OF_GPU ? "" : "]");
    }
    strbuf_adds(b, "]}");
}

static void json_series(struct strbuf *b, const struct series *s)
{
    bool one = strcmp(s->kind->of, "gpu") == 0;
    char number[NUM_TEXT];

    add_head(b, s->kind->name, s->kind->unit, s->kind->sentence, s->kind->of);
    for (uint32_t line = 0; line < s->lines; line++) {
        strbuf_adds(b, one ? "" : line ? ",[" : "[");
        for (uint32_t row = 0; row < s->recording->rows; row++)
            strbuf_addf(b, "%s%s", row ? "," : "", num_format(series_value(s, line, row, row + 1), number));
        strbuf_adds(b, one ? "" : "]");
    }
    strbuf_adds(b, "]}");
}

char *recording_json(const struct recording *r, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    struct series s;
    const char *comma = "\n";
    char *text;

    strbuf_adds(&b, "{\"format\":\"vivace-recording\",\"version\":1,\"design\":");
    json_text_add(&b, r->about.design);
    strbuf_adds(&b, ",\"kernel\":");
    json_text_add(&b, r->about.kernel);
    strbuf_addf(&b,
                ",\"kernel_id\":%" PRIu64 ",\"clock_hz\":%" PRIu64 ",\"cycles\":%" PRIu64
                ",\"interval_cycles\":%u,\"intervals\":%u,\"series\":[",
                r->about.kernel_id, (uint64_t)r->about.sm_khz * 1000, r->cycles, r->interval_cycles, r->rows);
    for (size_t i = 0; i < series_count(); i++) {
        if (series_open(r, i, &s) < 0)
            continue;
        strbuf_adds(&b, comma);
        json_series(&b, &s);
        comma = ",\n";
    }
    strbuf_adds(&b, "],\"columns\":[");
    for (size_t i = 0; i < r->column_count; i++) {
        strbuf_adds(&b, i ? ",\n" : "\n");
        json_column(&b, r, &r->column[i]);
    }
    strbuf_adds(&b, "]}\n");
    text = strbuf_detach(&b);
    if (!text)
        err_no_memory(e);
    return text;
}

/* --- AerialVision --- */

/* Adds the issue slots: idle, stalled by reason, and issued by lane class. */
static void add_lanes(struct strbuf *b, const struct recording *r, uint32_t row)
{
    static const char *const idle[] = {"slots_", "warp_instructions_"};

    strbuf_adds(b, "shaderwarpdiv:");
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->column_count; i++)
            if (strncmp(r->column[i].name, idle[pass], strlen(idle[pass])) == 0)
                strbuf_addf(b, " %" PRIu64, recording_value(r, row, &r->column[i], 0));
    strbuf_addc(b, '\n');
}

static void add_each(struct strbuf *b, const struct recording *r, uint32_t row, const char *label, const char *name)
{
    const struct recorded_column *c = recording_column(r, name);

    strbuf_addf(b, "%s:", label);
    for (uint32_t i = 0; c && i < c->count; i++)
        strbuf_addf(b, " %" PRIu64, recording_value(r, row, c, i));
    strbuf_addc(b, '\n');
}

/* The series that the text log needs in addition to columns. */
struct aerial {
    struct series utilisation, efficiency, latency, warps, power;
};

static void open_or_nothing(const struct recording *r, const char *name, struct series *s)
{
    struct err ignored; /* recordings of other simulator versions may lack a series */

    if (series_find(r, name, s, &ignored) < 0)
        s->kind = NULL;
}

static double of_gpu(const struct series *s, uint32_t row)
{
    ASSERT(!s->kind || s->lines == 1);
    return s->kind ? value_or_0(s, 0, row) : 0;
}

/* Adds for each channel: per cent of its peak, and per cent of its peak during the time with pending requests. */
static void add_channels(struct strbuf *b, const struct aerial *a, uint32_t row)
{
    ASSERT(!a->utilisation.kind || !a->efficiency.kind || a->utilisation.lines == a->efficiency.lines);
    for (uint32_t i = 0; a->utilisation.kind && a->efficiency.kind && i < a->utilisation.lines; i++)
        strbuf_addf(b, "dramutil: %u %.0f\ndrameff: %u %.0f\n", i, 100 * value_or_0(&a->utilisation, i, row), i,
                    100 * value_or_0(&a->efficiency, i, row));
}

static void add_sample(struct strbuf *b, const struct recording *r, const struct aerial *a, uint32_t row,
                       double *instructions)
{
    uint64_t end = (uint64_t)(row + 1) * r->interval_cycles;

    ASSERT(row < r->rows);
    *instructions += value_of(r, row, "sm_warp_instructions");
    strbuf_addf(b, "globalcyclecount: %" PRIu64 "\nglobalinsncount: %.0f\n", end < r->cycles ? end : r->cycles,
                *instructions);
    add_each(b, r, row, "shaderinsncount", "sm_warp_instructions");
    add_lanes(b, r, row);
    add_channels(b, a, row);
    add_each(b, r, row, "l2slicesectors", "slice_sectors");
    strbuf_addf(b, "L1ReadMiss: %.0f\nL2ReadMiss: %.0f\nctas_completed: %.0f\naveragemflatency: %.0f\n",
                value_of(r, row, "l1_load_miss_sectors"), value_of(r, row, "l2_read_miss_sectors"),
                value_of(r, row, "ctas"), of_gpu(&a->latency, row));
    strbuf_addf(b, "activewarps: %.1f\npower: %.1f\n", of_gpu(&a->warps, row), of_gpu(&a->power, row));
}

/* Compresses in memory first, so that a full disk does not destroy an existing file. */
static int write_gzip(const char *path, const char *text, size_t n, struct err *e)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)n};
    unsigned char *packed;
    size_t room;
    int ret;

    if (n > UINT32_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: more than 4 GB of text", path);
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return err_no_memory(e);
    room = deflateBound(&z, (uLong)n);
    packed = mem_zalloc(room, 1, e);
    if (!packed) {
        deflateEnd(&z);
        return -1;
    }
    z.next_out = packed;
    z.avail_out = (uInt)room;
    ret = deflate(&z, Z_FINISH) == Z_STREAM_END ? whole_file_put(path, packed, z.total_out, e)
                                                : err_set(e, ERR_INTERNAL, "%s: cannot be packed", path);
    deflateEnd(&z);
    free(packed);
    return ret;
}

int recording_export_aerialvision(const struct recording *r, const char *path, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    double instructions = 0;
    struct aerial a;
    int ret;

    open_or_nothing(r, "channel_utilisation", &a.utilisation);
    open_or_nothing(r, "channel_efficiency", &a.efficiency);
    open_or_nothing(r, "memory_latency", &a.latency);
    open_or_nothing(r, "active_warps", &a.warps);
    open_or_nothing(r, "power", &a.power);
    for (uint32_t row = 0; row < r->rows; row++)
        add_sample(&b, r, &a, row, &instructions);
    if (b.failed) {
        strbuf_release(&b);
        return err_no_memory(e);
    }
    ret = write_gzip(path, b.text, b.length, e);
    strbuf_release(&b);
    return ret;
}

/* --- text for a terminal --- */

static void add_row(struct strbuf *b, const struct series *s)
{
    const struct series_window all = series_window(s->recording, 0, 0, 1);
    struct series_point p = {0, 0, 0};

    if (all.columns)
        p = series_point(s, &all, 0, 0);
    if (isnan(p.mean))
        strbuf_addf(b, "  %-24s %12s %12s %12s  %s\n", s->kind->name, "-", "-", "-", s->kind->unit);
    else
        strbuf_addf(b, "  %-24s %12.4g %12.4g %12.4g  %s\n", s->kind->name, p.min, p.mean, p.max, s->kind->unit);
}

char *recording_summary(const struct recording *r, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    struct series s;
    char *text;

    strbuf_addf(&b, "%s on %s: %" PRIu64 " cycles in %u intervals of %u\n\n", r->about.kernel, r->about.design,
                r->cycles, r->rows, r->interval_cycles);
    strbuf_addf(&b, "  %-24s %12s %12s %12s\n", "", "least", "mean", "most");
    for (size_t i = 0; i < series_count(); i++)
        if (series_open(r, i, &s) == 0 && strcmp(s.kind->of, "gpu") == 0)
            add_row(&b, &s);
    strbuf_adds(&b, "\n");
    for (size_t i = 0; i < r->column_count; i++) {
        double sum = 0;

        for (uint32_t k = 0; k < r->column[i].count; k++)
            sum += (double)recording_sum(r, &r->column[i], k);
        strbuf_addf(&b, "  %-32s %16.0f %s\n", r->column[i].name, sum, r->column[i].unit);
    }
    text = strbuf_detach(&b);
    if (!text)
        err_no_memory(e);
    return text;
}
