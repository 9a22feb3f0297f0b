/* simcore/observe/recording_export.c: a recording with rates, shares and watts worked out: as JSON, as the text log
 * that AerialVision draws, and as lines for people. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/observe/recording.h"

/* --- numbers of a row --- */

static double length_of(const struct recording *r, uint32_t row)
{
    uint64_t from = (uint64_t)row * r->interval_cycles, left = r->cycles - from;

    return (double)(left < r->interval_cycles ? left : r->interval_cycles);
}

static double seconds_of(const struct recording *r, uint32_t row)
{
    return length_of(r, row) / ((double)r->about.sm_khz * 1000);
}

/* The sum of a column's numbers in a row; 0 where there is no such column. */
static double value_of(const struct recording *r, uint32_t row, const char *name)
{
    const struct recorded_column *c = recording_column(r, name);
    double sum = 0;

    for (uint32_t i = 0; c && i < c->count; i++)
        sum += (double)recording_value(r, row, c, i);
    return sum;
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Of the bytes that so many MB/s could have moved in the row. */
static double used(const struct recording *r, uint32_t row, double bytes, uint64_t mbs)
{
    return share(bytes, (double)mbs * 1e6 * seconds_of(r, row));
}

static double derive_ipc(const struct recording *r, uint32_t row)
{
    return share(value_of(r, row, "sm_warp_instructions"), length_of(r, row));
}
static double derive_warps(const struct recording *r, uint32_t row)
{
    return share(value_of(r, row, "warp_cycles"), length_of(r, row));
}
static double derive_l1(const struct recording *r, uint32_t row)
{
    return share(value_of(r, row, "l1_load_hit_sectors") + value_of(r, row, "l1_load_pending_sectors"),
                 value_of(r, row, "l1_load_sectors"));
}
static double derive_l2(const struct recording *r, uint32_t row)
{
    double reads = value_of(r, row, "l2_read_sectors"), misses = value_of(r, row, "l2_read_miss_sectors");

    return reads > misses ? share(reads - misses, reads) : 0;
}
static double derive_dram(const struct recording *r, uint32_t row)
{
    double sectors = value_of(r, row, "channel_read_sectors") + value_of(r, row, "channel_write_sectors");

    return used(r, row, sectors * SECTOR_BYTES, r->about.dram_mbs);
}
static double derive_efficiency(const struct recording *r, uint32_t row)
{
    const struct recorded_column *c = recording_column(r, "channel_pending_ps");
    double pending = c && c->count ? value_of(r, row, c->name) / c->count * 1e-12 : 0;

    return share(derive_dram(r, row) * seconds_of(r, row), pending);
}
static double derive_request(const struct recording *r, uint32_t row)
{
    return used(r, row, value_of(r, row, "noc_request_bytes"), r->about.noc_request_mbs);
}
static double derive_reply(const struct recording *r, uint32_t row)
{
    return used(r, row, value_of(r, row, "noc_reply_bytes"), r->about.noc_reply_mbs);
}
static double derive_latency(const struct recording *r, uint32_t row)
{
    double each_ps = share(value_of(r, row, "answer_ps"), value_of(r, row, "answers"));

    return each_ps * (double)r->about.sm_khz * 1e-9;
}
static double derive_power(const struct recording *r, uint32_t row)
{
    double fj = 0;

    for (size_t i = 0; i < r->column_count; i++)
        if (strncmp(r->column[i].name, "energy_", 7) == 0)
            fj += (double)recording_value(r, row, &r->column[i], 0);
    return share(fj * 1e-15, seconds_of(r, row));
}

static const struct {
    const char *name, *unit, *sentence;
    double (*of)(const struct recording *r, uint32_t row);
} derived[] = {
    {"ipc", "instructions a cycle", "warp instructions of the whole GPU", derive_ipc},
    {"active_warps", "warps", "warps between start and exit, on average", derive_warps},
    {"l1_hit_rate", "share", "sectors of loads that were in L1 or on their way", derive_l1},
    {"l2_hit_rate", "share", "sectors of reads that were in L2 or on their way", derive_l2},
    {"dram_utilisation", "share", "of the bytes that DRAM moves at peak", derive_dram},
    {"dram_efficiency", "share", "the same, of the time with requests in the channels", derive_efficiency},
    {"noc_request_utilisation", "share", "of what the ports of all SMs can send", derive_request},
    {"noc_reply_utilisation", "share", "of what the ports of all SMs can take in", derive_reply},
    {"memory_latency", "cycles", "from leaving the SM to being back, of answers that came in this interval",
     derive_latency},
    {"power", "W", "energy over time", derive_power},
};
enum { DERIVED = sizeof derived / sizeof *derived };

/* --- JSON --- */

static void add_text(struct strbuf *b, const char *s)
{
    strbuf_addc(b, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            strbuf_addc(b, '\\');
        if ((unsigned char)*s < 0x20)
            strbuf_addf(b, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            strbuf_addc(b, *s);
    }
    strbuf_addc(b, '"');
}

static void add_head(struct strbuf *b, const char *name, const char *unit, const char *sentence, const char *of)
{
    strbuf_adds(b, "{\"name\":");
    add_text(b, name);
    strbuf_adds(b, ",\"unit\":");
    add_text(b, unit);
    strbuf_adds(b, ",\"meaning\":");
    add_text(b, sentence);
    strbuf_addf(b, ",\"of\":\"%s\",\"values\":[", of);
}

static void json_column(struct strbuf *b, const struct recording *r, const struct recorded_column *c)
{
    static const char *const of[] = {"gpu", "sm", "slice", "channel"};

    add_head(b, c->name, c->unit, c->sentence, of[c->of]);
    for (uint32_t i = 0; i < c->count; i++) {
        strbuf_adds(b, c->of == OF_GPU ? "" : i ? ",[" : "[");
        for (uint32_t row = 0; row < r->rows; row++)
            strbuf_addf(b, "%s%" PRIu64, row ? "," : "", recording_value(r, row, c, i));
        strbuf_adds(b, c->of == OF_GPU ? "" : "]");
    }
    strbuf_adds(b, "]}");
}

int recording_export_json(const struct recording *r, const char *path, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char number[NUM_TEXT];
    FILE *f = NULL;
    int ret = -1;

    strbuf_adds(&b, "{\"format\":\"vivace-recording\",\"version\":1,\"design\":");
    add_text(&b, r->about.design);
    strbuf_adds(&b, ",\"kernel\":");
    add_text(&b, r->about.kernel);
    strbuf_addf(&b,
                ",\"kernel_id\":%" PRIu64 ",\"clock_hz\":%" PRIu64 ",\"cycles\":%" PRIu64
                ",\"interval_cycles\":%u,\"intervals\":%u,\"series\":[",
                r->about.kernel_id, (uint64_t)r->about.sm_khz * 1000, r->cycles, r->interval_cycles, r->rows);
    for (int i = 0; i < DERIVED; i++) {
        strbuf_adds(&b, i ? ",\n" : "\n");
        add_head(&b, derived[i].name, derived[i].unit, derived[i].sentence, "gpu");
        for (uint32_t row = 0; row < r->rows; row++)
            strbuf_addf(&b, "%s%s", row ? "," : "", num_format(derived[i].of(r, row), number));
        strbuf_adds(&b, "]}");
    }
    strbuf_adds(&b, "],\"columns\":[");
    for (size_t i = 0; i < r->column_count; i++) {
        strbuf_adds(&b, i ? ",\n" : "\n");
        json_column(&b, r, &r->column[i]);
    }
    strbuf_adds(&b, "]}\n");
    if (b.failed) {
        err_no_memory(e);
    } else {
        f = fopen(path, "wb");
        if (!f || fwrite(b.text, 1, b.length, f) != b.length)
            err_set_errno(e, errno, "%s", path);
        else
            ret = 0;
        if (f && fclose(f) != 0)
            ret = err_set_errno(e, errno, "%s", path);
    }
    strbuf_release(&b);
    return ret;
}

/* --- AerialVision --- */

/* Idle, stalled by reason, and the classes of lanes, in slots. */
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

/* Per cent of each channel's peak, and of that in the time with requests pending. */
static void add_channels(struct strbuf *b, const struct recording *r, uint32_t row)
{
    const struct recorded_column *reads = recording_column(r, "channel_read_sectors"),
                                 *writes = recording_column(r, "channel_write_sectors"),
                                 *pending = recording_column(r, "channel_pending_ps");

    if (!reads || !writes || !pending || writes->count != reads->count || pending->count != reads->count)
        return;
    for (uint32_t i = 0; i < reads->count; i++) {
        double bytes =
            (double)(recording_value(r, row, reads, i) + recording_value(r, row, writes, i)) * SECTOR_BYTES;
        double part = used(r, row, bytes * reads->count, r->about.dram_mbs);
        double busy = share((double)recording_value(r, row, pending, i) * 1e-12, seconds_of(r, row));

        strbuf_addf(b, "dramutil: %u %.0f\ndrameff: %u %.0f\n", i, 100 * part, i, 100 * share(part, busy));
    }
}

static void add_sample(struct strbuf *b, const struct recording *r, uint32_t row, double *instructions)
{
    uint64_t end = (uint64_t)(row + 1) * r->interval_cycles;

    *instructions += value_of(r, row, "sm_warp_instructions");
    strbuf_addf(b, "globalcyclecount: %" PRIu64 "\nglobalinsncount: %.0f\n", end < r->cycles ? end : r->cycles,
                *instructions);
    add_each(b, r, row, "shaderinsncount", "sm_warp_instructions");
    add_lanes(b, r, row);
    add_channels(b, r, row);
    add_each(b, r, row, "l2slicesectors", "slice_sectors");
    strbuf_addf(b, "L1ReadMiss: %.0f\nL2ReadMiss: %.0f\nctas_completed: %.0f\naveragemflatency: %.0f\n",
                value_of(r, row, "l1_load_miss_sectors"), value_of(r, row, "l2_read_miss_sectors"),
                value_of(r, row, "ctas"), derive_latency(r, row));
    strbuf_addf(b, "activewarps: %.1f\npower: %.1f\n", derive_warps(r, row), derive_power(r, row));
}

int recording_export_aerialvision(const struct recording *r, const char *path, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    double instructions = 0;
    gzFile f;
    int ret;

    for (uint32_t row = 0; row < r->rows; row++)
        add_sample(&b, r, row, &instructions);
    if (b.failed) {
        strbuf_release(&b);
        return err_no_memory(e);
    }
    f = gzopen(path, "wb");
    if (!f) {
        strbuf_release(&b);
        return err_set_errno(e, errno, "%s", path);
    }
    ret = b.length && gzwrite(f, b.text, (unsigned)b.length) != (int)b.length ? -1 : 0;
    if (gzclose(f) != Z_OK)
        ret = -1;
    strbuf_release(&b);
    return ret < 0 ? err_set(e, ERR_IO, "%s: cannot be written", path) : 0;
}

/* --- for people --- */

static void add_row(struct strbuf *b, const struct recording *r, const char *name, const char *unit,
                    double (*of)(const struct recording *, uint32_t))
{
    double least = 0, most = 0, sum = 0, time = 0;

    for (uint32_t row = 0; row < r->rows; row++) {
        double v = of(r, row), w = length_of(r, row);

        least = row && least < v ? least : v;
        most = row && most > v ? most : v;
        sum += v * w;
        time += w;
    }
    strbuf_addf(b, "  %-24s %12.4g %12.4g %12.4g  %s\n", name, least, share(sum, time), most, unit);
}

char *recording_summary(const struct recording *r, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *text;

    strbuf_addf(&b, "%s on %s: %" PRIu64 " cycles in %u intervals of %u\n\n", r->about.kernel, r->about.design,
                r->cycles, r->rows, r->interval_cycles);
    strbuf_addf(&b, "  %-24s %12s %12s %12s\n", "", "least", "mean", "most");
    for (int i = 0; i < DERIVED; i++)
        add_row(&b, r, derived[i].name, derived[i].unit, derived[i].of);
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
