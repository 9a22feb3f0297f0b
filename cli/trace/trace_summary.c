#include "cli/trace/trace_summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/trace/trace_repairs.h"
#include "simcore/trace/sass.h"
#include "wire/json.h"

/* --- opcodes --- */

static int add_opcode(struct trace_summary *t, const char *opcode, uint64_t instructions, struct err *e)
{
    size_t n = strcspn(opcode, ".");
    void *p = t->opcodes;
    struct opcode_count *c;

    for (size_t i = 0; i < t->opcode_count; i++)
        if (str_is(opcode, n, t->opcodes[i].opcode)) {
            t->opcodes[i].instructions += instructions;
            return 0;
        }
    if (array_reserve(&p, &t->opcode_capacity, t->opcode_count + 1, sizeof *t->opcodes, e) < 0)
        return -1;
    t->opcodes = p;
    c = &t->opcodes[t->opcode_count];
    *c = (struct opcode_count){mem_strndup(opcode, n, e), instructions, sass_opcode_known(opcode)};
    if (!c->opcode)
        return -1;
    t->opcode_count++;
    return 0;
}

static int most_frequent_first(const void *a, const void *b)
{
    const struct opcode_count *x = a, *y = b;

    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    return strcmp(x->opcode, y->opcode);
}

void trace_summary_sort(struct trace_summary *t)
{
    if (t->opcode_count)
        qsort(t->opcodes, t->opcode_count, sizeof *t->opcodes, most_frequent_first);
}

/* --- one kernel --- */

/* Number of executions of each instruction of the source; grows with the source's table. */
struct uses {
    uint64_t *counts;
    size_t count, capacity;
};

static int uses_grow(struct uses *u, size_t want, struct err *e)
{
    void *p = u->counts;

    if (u->counts && want <= u->count)
        return 0;
    if (array_reserve(&p, &u->capacity, want + 1, sizeof *u->counts, e) < 0)
        return -1;
    u->counts = p;
    memset(u->counts + u->count, 0, (want - u->count) * sizeof *u->counts);
    u->count = want;
    return 0;
}

static void count_warp(struct trace_summary *t, const struct cta_warp *w, uint64_t *counts)
{
    t->warps += w->count > 0;
    t->instructions += w->count;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct warp_inst *x = &w->insts[i];

        counts[x->inst]++;
        t->lanes += (uint64_t)__builtin_popcount(x->mask);
        t->masked_out += x->mask == 0;
        t->with_memory += x->address != UINT32_MAX;
    }
}

static int take_uses(struct trace_summary *t, const struct inst_source *s, const struct uses *u, struct err *e)
{
    for (size_t i = 0; i < u->count; i++)
        if (u->counts[i] > 0 && add_opcode(t, s->opcodes[s->insts[i].opcode], u->counts[i], e) < 0)
            return -1;
    return 0;
}

int trace_summary_read(struct trace_summary *t, struct inst_source *s, struct err *e)
{
    struct uses u = {0};
    struct cta_trace *cta;
    struct err second;
    int got = 0;

    t->kernels++;
    while (got == 0 && (got = inst_source_next_cta(s, &cta, e)) > 0) {
        got = uses_grow(&u, s->inst_count, e);
        t->ctas++;
        for (uint32_t w = 0; got == 0 && w < cta->warp_count; w++)
            count_warp(t, &cta->warps[w], u.counts);
        inst_source_release_cta(s, cta);
    }
    if (take_uses(t, s, &u, got < 0 ? &second : e) < 0)
        got = -1;
    trace_repairs_add(&t->repairs, &s->repairs);
    free(u.counts);
    return got;
}

void trace_summary_release(struct trace_summary *t)
{
    for (size_t i = 0; i < t->opcode_count; i++)
        free(t->opcodes[i].opcode);
    free(t->opcodes);
    *t = (struct trace_summary){0};
}

/* --- text output --- */

static double share(const struct trace_summary *t, uint64_t n)
{
    return t->instructions ? (double)n / (double)t->instructions : 0;
}

double trace_summary_unknown_share(const struct trace_summary *t)
{
    uint64_t n = 0;

    for (size_t i = 0; i < t->opcode_count; i++)
        n += t->opcodes[i].known ? 0 : t->opcodes[i].instructions;
    return share(t, n);
}

void trace_summary_print_unknown(const struct trace_summary *t)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];
    size_t count = 0;

    for (size_t i = 0; i < t->opcode_count; i++)
        count += !t->opcodes[i].known;
    printf("unknown    %zu opcodes", count);
    if (count)
        printf(", %s of the warp instructions", cli_percent(trace_summary_unknown_share(t), a));
    printf("\n");
    for (size_t i = 0; i < t->opcode_count; i++)
        if (!t->opcodes[i].known)
            printf("    %s: %s warp instructions, %s\n", t->opcodes[i].opcode,
                   cli_whole(t->opcodes[i].instructions, a), cli_percent(share(t, t->opcodes[i].instructions), b));
}

void trace_summary_print_mix(const struct trace_summary *t, size_t most)
{
    struct strbuf line = STRBUF_INIT;
    char a[CLI_NUMBER];

    for (size_t i = 0; i < t->opcode_count && i < most; i++)
        strbuf_addf(&line, "%s%s %s", i ? ", " : "", t->opcodes[i].opcode,
                    cli_percent(share(t, t->opcodes[i].instructions), a));
    if (t->opcode_count > most)
        strbuf_addf(&line, ", and %zu more opcodes", t->opcode_count - most);
    if (!line.failed && line.length)
        cli_print_wrapped("mix", line.text, 11);
    strbuf_release(&line);
    if (t->instructions)
        printf("lanes      %.1f of 32 active; %s of the instructions with none, %s with addresses\n",
               (double)t->lanes / (double)t->instructions, cli_percent(share(t, t->masked_out), a),
               cli_percent(share(t, t->with_memory), (char[CLI_NUMBER]){0}));
}

/* --- JSON output --- */

static json_t *opcodes_json(const struct trace_summary *t, bool unknown_only)
{
    json_t *list = json_array();

    for (size_t i = 0; i < t->opcode_count; i++)
        if (!unknown_only || !t->opcodes[i].known)
            json_array_append_new(list, json_pack("{s:o, s:I, s:f}", "opcode", json_text(t->opcodes[i].opcode),
                                                  "warp_instructions", (json_int_t)t->opcodes[i].instructions,
                                                  "share", share(t, t->opcodes[i].instructions)));
    return list;
}

json_t *trace_summary_unknown_json(const struct trace_summary *t)
{
    return opcodes_json(t, true);
}

json_t *trace_summary_mix_json(const struct trace_summary *t)
{
    return opcodes_json(t, false);
}
