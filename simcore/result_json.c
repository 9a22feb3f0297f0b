/* simcore/result_json.c: a result as text: the stored document, and the digest that shows whether two simulations
 * agree. */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/design.h"

static void add_string(struct strbuf *b, const char *s)
{
    size_t n = strlen(s), good = utf8_valid_prefix(s, n);

    strbuf_addc(b, '"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];

        if (c == '"' || c == '\\')
            strbuf_addf(b, "\\%c", c);
        else if (c < 0x20 || c == 0x7f || i >= good)
            strbuf_addf(b, "\\u%04x", c); /* invalid UTF-8 is escaped byte by byte */
        else
            strbuf_addc(b, (char)c);
    }
    strbuf_addc(b, '"');
}

static const char *end_name(enum sim_end end)
{
    static const char *const names[] = {"done", "stalled", "cycle_limit", "time_limit"};

    return names[end];
}

/* Hashes everything that must be the same on every machine. */
static int digest(const struct kernel_info *k, const struct sim_result *r, char hex[SHA256_HEX], struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret = -1;

    strbuf_addf(&b, "%s\n%" PRIu64 " %u,%u,%u %u,%u,%u\n%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                k->name ? k->name : "", k->id, k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
                k->block[2], end_name(r->end), r->cycles, r->launch_cycles, r->warp_instructions);
    for (size_t i = 0; i < r->counter_count; i++)
        strbuf_addf(&b, "%s %" PRIu64 "\n", r->counters[i].name, r->counters[i].value);
    if (r->cycles_warm_bound)
        strbuf_addf(&b, "cycles_warm_bound %" PRIu64 "\n", r->cycles_warm_bound);
    if (r->projected.method)
        strbuf_addf(&b, "projected %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                    sim_projection_names[r->projected.method], r->projected.at_cycle, r->projected.low_cycles,
                    r->projected.high_cycles);
    if (b.failed)
        err_no_memory(e);
    else
        ret = sha256_bytes(b.text, b.length, hex, e);
    strbuf_release(&b);
    return ret;
}

/* Adds the members of a projected result. */
static void add_projected(struct strbuf *b, const struct sim_result *r)
{
    const struct sim_projected *p = &r->projected;
    char spread[NUM_TEXT], error[NUM_TEXT];

    strbuf_addf(b,
                ",\"projected\":{\"method\":\"%s\",\"at_cycle\":%" PRIu64 ",\"ctas_done\":%" PRIu64
                ",\"ctas\":%" PRIu64 ",\"spread\":%s",
                sim_projection_names[p->method], p->at_cycle, p->ctas_done, p->ctas, num_format(p->spread, spread));
    if (p->method == PROJECT_STABLE)
        strbuf_addf(b,
                    ",\"steady_cycles\":%" PRIu64 ",\"low_cycles\":%" PRIu64 ",\"high_cycles\":%" PRIu64
                    ",\"standard_error_cycles\":%s",
                    p->steady_cycles, p->low_cycles, p->high_cycles,
                    num_format(sim_projected_error(p, r->cycles), error));
    strbuf_addc(b, '}');
}

char *sim_result_json(const struct gpu_design *d, const struct kernel_info *k, const char *trace_sha256,
                      const struct sim_result *r, double host_seconds, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char hex[SHA256_HEX], seconds[NUM_TEXT], foreign[FOREIGN_TEXT_BYTES], *text;

    if (digest(k, r, hex, e) < 0)
        return NULL;
    strbuf_addf(&b,
                "{\"format\":\"vivace-result\",\"version\":1,\"simulator\":\"%s\",\"trace_sha256\":\"%s\","
                "\"design\":\"%s\","
                "\"design_sha256\":\"%s\",\"kernel\":{\"name\":",
                SIMCORE_VERSION, trace_sha256, d->name, d->sha256);
    add_string(&b, k->name ? k->name : "");
    strbuf_addf(&b,
                ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"id\":%" PRIu64 "},\"end\":\"%s\",\"cycles\":%" PRIu64
                ",\"launch_cycles\":%" PRIu64 ",\"warp_instructions\":%" PRIu64 ",\"clock_hz\":%" PRIu64
                ",\"counters\":[",
                k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2], k->id, end_name(r->end),
                r->cycles, r->launch_cycles, r->warp_instructions, (uint64_t)d->sm_khz * 1000);
    for (size_t i = 0; i < r->counter_count; i++)
        strbuf_addf(&b, "%s\n{\"name\":\"%s\",\"unit\":\"%s\",\"value\":%" PRIu64 "}", i ? "," : "",
                    r->counters[i].name, r->counters[i].unit, r->counters[i].value);
    strbuf_addf(&b, "],\"digest\":\"%s\",\"host_seconds\":%s", hex, num_format(host_seconds, seconds));
    if (r->warm)
        strbuf_adds(&b, ",\"caches\":\"warm\"");
    if (design_is_foreign(d, k, foreign)) {
        strbuf_adds(&b, ",\"foreign_isa\":");
        add_string(&b, foreign);
    }
    if (r->cycles_warm_bound)
        strbuf_addf(&b, ",\"cycles_warm_bound\":%" PRIu64, r->cycles_warm_bound);
    if (r->replayed)
        strbuf_addf(&b, ",\"replayed_launches\":%" PRIu64, r->replayed);
    if (r->projected.method)
        add_projected(&b, r);
    if (r->projected.why_not) {
        strbuf_adds(&b, ",\"whole_why\":");
        add_string(&b, r->projected.why_not);
    }
    if (r->report) {
        strbuf_adds(&b, ",\"report\":");
        add_string(&b, r->report);
    }
    strbuf_adds(&b, "}\n");
    text = strbuf_detach(&b);
    if (!text)
        err_no_memory(e);
    return text;
}
