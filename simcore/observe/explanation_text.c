/* simcore/observe/explanation_text.c: formats an explanation as text and as JSON. */
#include <inttypes.h>

#include "base/strbuf.h"
#include "simcore/observe/explanation.h"
#include "simcore/trace/sass.h"

static const char *const reasons[SLOT_REASON_COUNT] = {
#define X(name, text, sentence) text,
    SLOT_REASONS(X)
#undef X
};
static const char *const stages[MEM_STAGE_COUNT] = {
#define X(name, text) text,
    MEM_STAGES(X)
#undef X
};
static const char *const l1_names[OBSERVED_L1_COUNT] = {
#define X(name) #name,
    OBSERVED_L1(X)
#undef X
};
static const char *const kinds[] = {
    [MEM_READ] = "read", [MEM_WRITE] = "write", [MEM_ATOMIC] = "atomic", [MEM_REDUCTION] = "reduction"};

static void add_register(struct strbuf *b, const char *before, int operand, const char *after)
{
    char name[REGISTER_NAME_BYTES];

    register_name((uint8_t)operand, (uint8_t)(operand < REG_OTHERS ? 0 : operand - REG_OTHERS + 1), name);
    strbuf_addf(b, "%s%s%s", before, name, after);
}

static uint64_t cycle_of(const struct explanation *x, sim_time_ps t)
{
    return clock_from_ps(&x->clock, t);
}

static uint32_t sectors_of(const struct mem_request *r)
{
    return (uint32_t)__builtin_popcount(r->sectors);
}

/* --- text --- */

static void add_waits(struct strbuf *b, const struct explained_inst *i)
{
    const char *comma = "  waited";

    if (i->operands > i->from) {
        strbuf_addf(b, "%s %" PRIu64, comma, i->operands - i->from);
        if (i->operand == EXPLAINED_PREDICATE)
            strbuf_adds(b, " for its predicate");
        else if (i->operand != EXPLAINED_NOTHING)
            add_register(b, " for ", i->operand, "");
        if (i->reason == SLOT_MEMORY)
            strbuf_adds(b, " from memory");
        comma = ",";
    }
    if (i->ready > i->operands) {
        strbuf_addf(b, "%s %" PRIu64 " (%s)", comma, i->ready - i->operands, reasons[i->reason]);
        comma = ",";
    }
    if (i->issued > i->ready)
        strbuf_addf(b, "%s %" PRIu64 " while other warps issued", comma, i->issued - i->ready);
}

static void add_l1(struct strbuf *b, const struct explained_inst *i)
{
    strbuf_addf(b, "          addresses at %" PRIu64, i->generated);
    if (i->unit_cycles)
        strbuf_addf(b, ", load/store unit %" PRIu64 " for %u", i->unit_from, i->unit_cycles);
    for (uint32_t k = 0; k < OBSERVED_L1_COUNT; k++)
        if (i->l1[k])
            strbuf_addf(b, ", %s %" PRIu64, l1_names[k], i->l1[k]);
    if (i->result)
        strbuf_addf(b, ", result at %" PRIu64, i->result);
    strbuf_addc(b, '\n');
}

static void add_request(struct strbuf *b, const struct explanation *x, const struct explained_request *r)
{
    strbuf_addf(b, "          %s of line 0x%" PRIx64 ", %u sectors, at %" PRIu64 ":", kinds[r->request.kind],
                r->request.line << 7, sectors_of(&r->request), cycle_of(x, r->request.made));
    for (uint32_t s = r->first_step; s; s = x->step[s - 1].next) {
        const struct mem_step *m = &x->step[s - 1].step;

        strbuf_addf(b, "%s %s %u until %" PRIu64, s == r->first_step ? "" : ",", stages[m->stage], m->place,
                    cycle_of(x, m->to));
    }
    strbuf_addc(b, '\n');
}

static void as_text(struct strbuf *b, const struct explanation *x)
{
    if (!x->seen) {
        strbuf_addf(b, "CTA %" PRIu64 " has no warp %u that ran\n", x->cta, x->warp);
        return;
    }
    strbuf_addf(b, "CTA %" PRIu64 ", warp %u, on SM %" PRIu64 ", started at cycle %" PRIu64 "\n", x->cta, x->warp,
                x->sm, x->began);
    strbuf_adds(b, "     n     issued  pc    opcode                    lanes\n");
    for (size_t n = 0; n < x->count; n++) {
        const struct explained_inst *i = &x->inst[n];

        strbuf_addf(b, "%6zu %10" PRIu64 "  %04x  %-24s  %5d", n, i->issued, i->pc, i->opcode,
                    __builtin_popcount(i->mask));
        add_waits(b, i);
        strbuf_addc(b, '\n');
        if (i->memory)
            add_l1(b, i);
        for (uint32_t k = 0; k < i->requests; k++)
            add_request(b, x, &x->request[i->first_request + k]);
    }
    if (x->count == EXPLAINED_MAX)
        strbuf_addf(b, "(the first %d instructions)\n", EXPLAINED_MAX);
}

/* --- JSON --- */

static void json_request(struct strbuf *b, const struct explanation *x, const struct explained_request *r)
{
    strbuf_addf(b, "{\"kind\":\"%s\",\"address\":%" PRIu64 ",\"sectors\":%u,\"cycle\":%" PRIu64 ",\"stages\":[",
                kinds[r->request.kind], r->request.line << 7, sectors_of(&r->request),
                cycle_of(x, r->request.made));
    for (uint32_t s = r->first_step; s; s = x->step[s - 1].next) {
        const struct mem_step *m = &x->step[s - 1].step;

        strbuf_addf(b,
                    "%s{\"stage\":\"%s\",\"place\":%u,\"from_ps\":%" PRIu64 ",\"to_ps\":%" PRIu64
                    ",\"to_cycle\":%" PRIu64 "}",
                    s == r->first_step ? "" : ",", stages[m->stage], m->place, m->from, m->to, cycle_of(x, m->to));
    }
    strbuf_adds(b, "]}");
}

static void json_memory(struct strbuf *b, const struct explanation *x, const struct explained_inst *i)
{
    strbuf_addf(b,
                ",\"memory\":{\"addresses\":%" PRIu64 ",\"unit_from\":%" PRIu64 ",\"unit_cycles\":%u,\"result\":",
                i->generated, i->unit_from, i->unit_cycles);
    strbuf_addf(b, i->result ? "%" PRIu64 : "null", i->result);
    for (uint32_t k = 0; k < OBSERVED_L1_COUNT; k++)
        if (i->l1[k])
            strbuf_addf(b, ",\"%s\":%" PRIu64, l1_names[k], i->l1[k]);
    strbuf_adds(b, ",\"requests\":[");
    for (uint32_t k = 0; k < i->requests; k++) {
        strbuf_adds(b, k ? "," : "");
        json_request(b, x, &x->request[i->first_request + k]);
    }
    strbuf_adds(b, "]}");
}

static void as_json(struct strbuf *b, const struct explanation *x)
{
    strbuf_addf(b, "{\"format\":\"vivace-explanation\",\"version\":1,\"cta\":%" PRIu64 ",\"warp\":%u", x->cta,
                x->warp);
    if (x->seen)
        strbuf_addf(b, ",\"sm\":%" PRIu64 ",\"started\":%" PRIu64, x->sm, x->began);
    strbuf_adds(b, ",\"instructions\":[");
    for (size_t n = 0; n < x->count; n++) {
        const struct explained_inst *i = &x->inst[n];

        strbuf_addf(b,
                    "%s\n{\"pc\":%u,\"opcode\":\"%s\",\"mask\":%u,\"from\":%" PRIu64 ",\"operands\":%" PRIu64
                    ",\"ready\":%" PRIu64 ",\"issued\":%" PRIu64 ",\"reason\":\"%s\",\"operand\":",
                    n ? "," : "", i->pc, i->opcode, i->mask, i->from, i->operands, i->ready, i->issued,
                    reasons[i->reason]);
        if (i->operand == EXPLAINED_NOTHING)
            strbuf_adds(b, "null");
        else if (i->operand == EXPLAINED_PREDICATE)
            strbuf_adds(b, "\"predicate\"");
        else
            add_register(b, "\"", i->operand, "\"");
        if (i->memory)
            json_memory(b, x, i);
        strbuf_addc(b, '}');
    }
    strbuf_adds(b, "]}\n");
}

char *explanation_text(const struct explanation *x, bool json, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *text;

    if (json)
        as_json(&b, x);
    else
        as_text(&b, x);
    text = strbuf_detach(&b);
    if (!text)
        err_no_memory(e);
    return text;
}
