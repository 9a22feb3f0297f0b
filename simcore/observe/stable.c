#include "simcore/observe/stable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/observe/stable_internal.h"

#define SAME_SIZE 1.26 /* CTAs of a stratum: maximum ratio of their instruction counts */
/* CTAs of a stratum: maximum difference of each sum of signs, and of lane accesses, per instruction */
#define SAME_MIX   0.12
#define LOOK_AGAIN 1.05 /* growth of the number of ended CTAs until the next evaluation */

/* --- strata --- */

static void describe(const struct cta_work *w, struct stratum *out)
{
    double n = (double)w->instructions;

    *out = (struct stratum){.instructions = n, .largest = n, .lanes = (double)w->lane_accesses / n / WARP_LANES};
    for (int k = 0; k < SURVEY_MIX; k++)
        out->mix[k] = (double)w->mix[k] / n;
}

static bool alike(const struct stratum *a, const struct stratum *b)
{
    bool same = a->instructions <= SAME_SIZE * b->instructions && b->instructions <= SAME_SIZE * a->instructions &&
                fabs(a->lanes - b->lanes) <= SAME_MIX;

    for (int k = 0; same && k < SURVEY_MIX; k++)
        same = fabs(a->mix[k] - b->mix[k]) <= SAME_MIX;
    return same;
}

/* The first matching stratum, because earlier strata have been observed earlier. NO_STRATUM: too many strata. */
static uint16_t stratum_of(struct stable *s, const struct cta_work *w)
{
    struct stratum x;
    size_t i = 0;

    describe(w, &x);
    while (i < s->stratum_count && !alike(&s->strata[i], &x))
        i++;
    if (i == STRATA_MAX)
        return NO_STRATUM;
    if (i == s->stratum_count)
        s->strata[s->stratum_count++] = x;
    if (s->strata[i].largest < x.instructions)
        s->strata[i].largest = x.instructions;
    return (uint16_t)i;
}

/* False: there are too many strata. */
static bool make_strata(struct stable *s)
{
    const struct cta_work *all = s->survey.ctas;

    for (size_t i = 0; i < s->survey.count; i++) {
        if (!all[i].instructions)
            s->stratum[i] = NO_STRATUM;
        else if (i && memcmp(&all[i], &all[i - 1], sizeof *all) == 0)
            s->stratum[i] = s->stratum[i - 1];
        else if ((s->stratum[i] = stratum_of(s, &all[i])) == NO_STRATUM)
            return false;
        s->instructions += all[i].instructions;
    }
    return true;
}

/* --- creation --- */

static uint64_t filled(const struct stable *s)
{
    const struct mem_counters *m = memory_counters(s->simulator->memory);

    return m->read_miss_sectors + m->write_sectors;
}

/* 1; 0: the source cannot provide a survey. */
static int survey(struct inst_source *source, const struct sim_options *o, struct survey *out, struct err *e)
{
    struct inst_source *again;
    int ret;

    if (source->survey)
        return source->survey(source, out, e) < 0 ? -1 : 1;
    if (!o->reopen)
        return 0;
    if (o->reopen(o->reopen_ctx, &again, e) < 0)
        return -1;
    ret = survey_read(again, out, e);
    inst_source_release(again);
    return ret < 0 ? -1 : 1;
}

static int prepare(struct stable *s, const struct sim_options *o, const char **why_not, struct err *e)
{
    struct inst_source *source = s->simulator->launch[0]->source;
    int got = survey(source, o, &s->survey, e);

    if (got < 0)
        return -1;
    if (got == 0) {
        *why_not = "the work of its CTAs is not known, because the trace cannot be read twice";
        return 0;
    }
    s->stratum = mem_zalloc(s->survey.count + 1, sizeof *s->stratum, e);
    s->lives = s->stratum ? mem_zalloc(s->survey.count + 1, sizeof *s->lives, e) : NULL;
    if (!s->lives)
        return -1;
    if (!make_strata(s))
        *why_not = "it has more than 256 kinds of CTAs";
    return 0;
}

struct stable *stable_new(struct simulator *sim, const struct sim_options *o, uint64_t wave, const char **why_not,
                          struct err *e)
{
    const struct kernel_info *k = &sim->launch[0]->source->info;
    struct stable *s = mem_zalloc(1, sizeof *s, e);

    *why_not = NULL;
    if (!s)
        return NULL;
    s->simulator = sim;
    s->wave = wave;
    s->limit = o->projection_limit > 0 ? o->projection_limit : SIM_PROJECTION_LIMIT_MAX;
    s->look_at = 2 * wave;
    s->filled_before = filled(s);
    s->why_not = "two waves of CTAs had not ended";
    if ((uint64_t)k->grid[0] * k->grid[1] * k->grid[2] < 3 * wave)
        *why_not = "the kernel has fewer than three waves of CTAs";
    else if (k->cluster > 1)
        *why_not = "its CTAs start in clusters";
    else if (prepare(s, o, why_not, e) < 0) {
        stable_free(s);
        return NULL;
    }
    return s;
}

void stable_free(struct stable *s)
{
    if (!s)
        return;
    survey_release(&s->survey);
    free(s->stratum);
    free(s->lives);
    free(s->behind);
    free(s);
}

void stable_cta_over(struct stable *s, uint64_t index, uint64_t started, uint64_t end)
{
    if (s->lives && index < s->survey.count)
        s->lives[index] = (struct life){started, end};
    s->ended++;
}

const char *stable_why_not(const struct stable *s)
{
    return s->why_not;
}

uint64_t stable_instructions(const struct stable *s)
{
    return s->instructions;
}

uint64_t stable_empty_ctas(const struct stable *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->survey.count; i++)
        n += !s->survey.ctas[i].instructions;
    return n;
}

/* --- one evaluation --- */

/* Collects the start times of the CTAs that have not ended. */
static void find_residents(struct looking *l)
{
    const struct simulator *s = l->s->simulator;

    for (uint32_t i = 0; i < s->design->sms; i++)
        for (uint32_t k = 0; s->sms[i].active && k < SM_CTAS_MAX; k++) {
            const struct cta *c = &s->sms[i].cta[k];
            uint64_t left = c->live_mask;

            if (c->trace && left && c->trace->index < l->s->survey.count)
                l->s->lives[c->trace->index].start = s->sms[i].warp[c->slot_of[__builtin_ctzll(left)]].started;
        }
}

/* Whether the L2 has reached its steady state. When it is full, modified lines must be written back and earlier
 * lines are evicted, so the kernel can behave differently. */
static bool l2_is_settled(struct looking *l)
{
    struct stable *s = l->s;
    const struct mem_counters *m = memory_counters(s->simulator->memory);
    double bytes = (double)(filled(s) - s->filled_before) * 32, room = s->simulator->design->l2_bytes;
    bool matters = m->write_sectors > 0 || m->read_hit_sectors * 20 > m->read_sectors;

    if (s->full_since)
        return true;
    if (bytes < room && (!matters || bytes * (double)s->instructions < room * (double)l->issued))
        return true;
    if (bytes >= room)
        s->full_since = l->now;
    return stable_no(l, "L2 was still filling");
}

/* Selects the CTAs that are evaluated: from the second wave on, the newer half, after the L2 was full. */
static bool choose_cohort(struct looking *l)
{
    const struct stable *s = l->s;

    l->from = s->wave > s->ended / 2 ? s->wave : s->ended / 2;
    while (l->from < l->placed && (s->stratum[l->from] == NO_STRATUM || s->lives[l->from].start < s->full_since))
        l->from++;
    if (l->from >= l->placed)
        return stable_no(l, "too few CTAs had ended since it ran steadily");
    l->since = s->lives[l->from].start;
    return true;
}

/* Whether the code so far has loads of scope GPU or SYS, which can read data that other SMs are writing. */
static bool may_spin(struct stable *s)
{
    const struct inst_source *source = s->simulator->launch[0]->source;

    for (; s->opcodes_seen < source->opcode_count; s->opcodes_seen++) {
        const char *op = source->opcodes[s->opcodes_seen];

        s->may_spin |=
            strncmp(op, "LD", 2) == 0 && (strstr(op, ".STRONG.GPU") != NULL || strstr(op, ".STRONG.SYS") != NULL);
    }
    if (s->may_spin)
        s->why_not = "loads of the kernel bypass L1, so its warps may spin";
    return s->may_spin;
}

static bool evaluate(struct looking *l, const struct projection_sample *samples, size_t n,
                     struct stable_answer *out)
{
    find_residents(l);
    return choose_cohort(l) && stable_collect(l) && stable_rest_is_known(l) && stable_is_steady(l, samples, n) &&
           stable_answer_make(l, out);
}

/* 0; -1: out of memory. */
static int note_stores(struct stable *s, size_t n, uint64_t now, struct err *e)
{
    uint64_t done = clock_from_ps(&s->simulator->env.clock, s->simulator->launch[0]->stores_done);
    void *p = s->behind;

    if (array_reserve(&p, &s->behind_capacity, n, sizeof *s->behind, e) < 0)
        return -1;
    s->behind = p;
    for (; s->behind_count < n; s->behind_count++)
        s->behind[s->behind_count] = done > now ? (double)(done - now) : 0;
    return 0;
}

int stable_evaluate(struct stable *s, const struct projection_sample *samples, size_t n, uint64_t now,
                    uint64_t issued, struct stable_answer *out, struct err *e)
{
    const struct launch *launch = s->simulator->launch[0];
    struct looking l = {.s = s, .now = now, .issued = issued, .placed = launch->taken - launch->held_count};
    bool stop, failed;

    if (note_stores(s, n, now, e) < 0)
        return -1;
    if (may_spin(s) || !l2_is_settled(&l) || s->ended < s->look_at || l.placed >= s->survey.count)
        return 0;
    s->look_at = (uint64_t)((double)s->ended * LOOK_AGAIN) + 1;
    l.seen = mem_zalloc(l.placed, sizeof *l.seen, e);
    l.place = l.seen ? mem_zalloc(s->wave, sizeof *l.place, e) : NULL;
    failed = !l.place;
    stop = !failed && evaluate(&l, samples, n, out);
    free(l.seen);
    free(l.place);
    return failed ? -1 : stop;
}
