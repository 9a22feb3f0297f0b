/* simcore/record/chrome_trace.c: exports a recording in Chrome's Trace Event Format, a JSON format that Perfetto
 * and chrome://tracing open: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 *
 *
 * Each group is a process, each series a counter track. A series of SMs, slices or channels has one track per line.
 * Banks are left out if there are too many. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/record/json_text.h"
#include "simcore/record/series.h"

/* Process 1 is the launch, then come the groups in the order of their first series. The limits keep a file small
 * enough for viewers: they draw a few hundred tracks, but not thousands, and no long rows of numbers. */
enum { LAUNCH_PID = 1, FIRST_GROUP_PID = 2, COLUMNS = 1024, COLUMNS_EACH = 256, BANKS_MAX = 256, GROUPS_MAX = 16 };

static double us_of(const struct recording *r, uint64_t cycles)
{
    ASSERT(r->about.sm_khz > 0);
    return (double)cycles * 1000 / (double)r->about.sm_khz;
}

static void add_process(struct strbuf *b, int pid, const char *name)
{
    strbuf_addf(b, ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":0,\"args\":{\"name\":", pid);
    json_text_add(b, name);
    strbuf_addf(
        b, "}},\n{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%d,\"tid\":0,\"args\":{\"sort_index\":%d}}",
        pid, pid);
}

static void begin_counter(struct strbuf *b, const struct recording *r, int pid, uint64_t cycle, const char *name,
                          const char *unit)
{
    char number[NUM_TEXT], title[160];

    snprintf(title, sizeof title, "%s (%s)", name, unit);
    strbuf_addf(b, ",\n{\"ph\":\"C\",\"pid\":%d,\"tid\":0,\"ts\":%s,\"name\":", pid,
                num_format(us_of(r, cycle), number));
    json_text_add(b, title);
    strbuf_adds(b, ",\"args\":{");
}

/* A counter has no undefined value, so NaN is written as 0. */
static void add_value(struct strbuf *b, const char *label, double v)
{
    char number[NUM_TEXT];

    json_text_add(b, label);
    strbuf_addf(b, ":%s", num_format(isnan(v) ? 0 : v, number));
}

/* Writes one track with all lines at each time; viewers stack them. */
static void add_stacked(struct strbuf *b, const struct series *s, int pid)
{
    const struct series_window w = series_window(s->recording, 0, 0, COLUMNS);
    char label[SERIES_LABEL];

    ASSERT(w.columns <= COLUMNS);
    for (uint32_t i = 0; i < w.columns; i++) {
        begin_counter(b, s->recording, pid, i * w.cycles_a_column, s->kind->title, s->kind->unit);
        for (uint32_t line = 0; line < s->lines; line++) {
            strbuf_adds(b, line ? "," : "");
            add_value(b, series_label(s, line, label), series_point(s, &w, line, i).mean);
        }
        strbuf_adds(b, "}}");
    }
}

static void add_each(struct strbuf *b, const struct series *s, int pid)
{
    const struct series_window w = series_window(s->recording, 0, 0, COLUMNS_EACH);
    char label[SERIES_LABEL], title[128];

    ASSERT(w.columns <= COLUMNS_EACH);
    for (uint32_t line = 0; line < s->lines; line++) {
        snprintf(title, sizeof title, "%s: %s", series_label(s, line, label), s->kind->title);
        for (uint32_t i = 0; i < w.columns; i++) {
            begin_counter(b, s->recording, pid, i * w.cycles_a_column, title, s->kind->unit);
            add_value(b, "mean", series_point(s, &w, line, i).mean);
            strbuf_adds(b, "}}");
        }
    }
}

/* Returns the process id of a group. Writes the metadata of a new one. */
static int process_of(struct strbuf *b, const char *group, const char **groups, int *count)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(groups[i], group) == 0)
            return FIRST_GROUP_PID + i;
    ASSERT(*count < GROUPS_MAX);
    groups[(*count)++] = group;
    add_process(b, FIRST_GROUP_PID + *count - 1, group);
    return FIRST_GROUP_PID + *count - 1;
}

static void add_launch(struct strbuf *b, const struct recording *r)
{
    char number[NUM_TEXT];

    strbuf_adds(b, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"design\":");
    json_text_add(b, r->about.design);
    strbuf_adds(b, ",\"simulator\":");
    json_text_add(b, r->about.simulator);
    strbuf_addf(b, ",\"cycles\":%" PRIu64 ",\"clock_khz\":%u},\"traceEvents\":[\n", r->cycles, r->about.sm_khz);
    strbuf_addf(b,
                "{\"ph\":\"X\",\"pid\":%d,\"tid\":1,\"ts\":0,\"dur\":%s,\"cat\":\"kernel\",\"name\":", LAUNCH_PID,
                num_format(us_of(r, r->cycles), number));
    json_text_add(b, r->about.kernel);
    strbuf_addf(b, ",\"args\":{\"cycles\":%" PRIu64 "}}", r->cycles);
    add_process(b, LAUNCH_PID, "Launch");
}

char *recording_chrome_trace(const struct recording *r, size_t *n, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    const char *groups[GROUPS_MAX];
    int group_count = 0;
    struct series s;
    char *text;

    add_launch(&b, r);
    for (size_t i = 0; i < series_count(); i++) {
        int pid;

        if (series_open(r, i, &s) < 0 || (strcmp(s.kind->of, "bank") == 0 && s.lines > BANKS_MAX))
            continue;
        pid = process_of(&b, s.kind->group, groups, &group_count);
        if (s.lines > 1 && !s.kind->prefix)
            add_each(&b, &s, pid);
        else
            add_stacked(&b, &s, pid);
    }
    strbuf_adds(&b, "]}\n");
    *n = b.length;
    text = strbuf_detach(&b);
    if (!text)
        err_no_memory(e);
    return text;
}
