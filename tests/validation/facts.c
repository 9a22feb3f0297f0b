/* tests/validation/facts.c: `make facts`: what real GPUs measure against what the simulator says. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/fact_list.h"
#include "tests/validation/micro.h"

static const char usage[] =
    "usage: facts [--gpu DESIGN] [--only ID,ID] [--with CHANGES] [--table FILE] [--json] [--list]\n"
    "Runs the micro-kernels of tests/validation/facts.csv and compares. Exit code 1 when a fact fails.\n"
    "CHANGES, such as \"model.noc=flit model.memory=event\", apply to every design, before those of a row.\n";

struct options {
    const char *gpu, *only, *table, *with;
    bool json, list;
};

static const char *state_name(enum fact_state s)
{
    return s == FACT_PASS ? "pass" : s == FACT_FAIL ? "FAIL" : "not modelled";
}

static bool named(const char *list, const char *id)
{
    size_t n = strlen(id);

    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, id, n) == 0 && (at[n] == ',' || !at[n]))
            return true;
    return false;
}

static bool wanted(const struct options *o, const struct fact *f, const struct board_list *boards)
{
    const struct board *b = board_find(boards, f->card);

    if (o->only)
        return named(o->only, f->id);
    return !o->gpu || (b && strcmp(b->design, o->gpu) == 0);
}

static void want_text(const struct fact *f, char *out, size_t n)
{
    if (f->low == f->high)
        snprintf(out, n, "%g", f->low);
    else
        snprintf(out, n, "%g..%g", f->low, f->high);
}

static void print_row(const struct fact *f)
{
    char want[40];

    want_text(f, want, sizeof want);
    if (f->state == FACT_NOT_MODELLED)
        printf("%-5s %-12s %-42.42s %12s  not modelled: %s\n", f->id, f->card, f->measure, want, f->why);
    else
        printf("%-5s %-12s %-42.42s %12s %9.4g %+7.1f %% %4.0f %% %c %s\n", f->id, f->card, f->measure, want,
               f->got, 100 * f->error, 100 * f->tolerance, f->kind, state_name(f->state));
    fflush(stdout);
}

static json_t *row_json(const struct fact *f)
{
    json_t *o = json_pack("{ss ss ss sf sf sf ss# ss ss}", "id", f->id, "card", f->card, "measure", f->measure,
                          "low", f->low, "high", f->high, "tolerance", f->tolerance, "kind", &f->kind, 1, "source",
                          f->source, "state", f->state == FACT_FAIL ? "fail" : state_name(f->state));

    if (f->state == FACT_NOT_MODELLED)
        json_object_set_new(o, "why", json_string(f->why));
    else {
        json_object_set_new(o, "got", json_real(f->got));
        json_object_set_new(o, "cpu_s", json_real(f->cpu_s));
        json_object_set_new(o, "error", json_real(f->error));
    }
    return o;
}

struct summary {
    size_t count, failed, absent, beyond;
    double sum, worst;
    const char *worst_id;
};

static void sum_up(struct summary *s, const struct fact *f)
{
    if (f->state == FACT_NOT_MODELLED) {
        s->absent++;
        return;
    }
    s->count++;
    s->failed += f->state == FACT_FAIL;
    s->beyond += fabs(f->error) > 0.30;
    s->sum += fabs(f->error);
    if (fabs(f->error) >= s->worst) {
        s->worst = fabs(f->error);
        s->worst_id = f->id;
    }
}

static void print_summary(const struct summary *s, json_t *rows)
{
    double mean = s->count ? s->sum / (double)s->count : 0;

    if (rows) {
        json_t *o = json_pack("{so sI sI sI sI sf sf ss}", "facts", rows, "measured", (json_int_t)s->count,
                              "failed", (json_int_t)s->failed, "not_modelled", (json_int_t)s->absent,
                              "beyond_30_percent", (json_int_t)s->beyond, "mean_absolute_error", mean, "worst",
                              s->worst, "worst_id", s->worst_id ? s->worst_id : "");

        json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        printf("\n");
        json_decref(o);
        return;
    }
    printf("%zu facts: %zu pass, %zu fail (%zu beyond 30 %%), %zu not modelled; mean absolute error %.1f %%, worst "
           "%.1f %% (%s)\n",
           s->count + s->absent, s->count - s->failed, s->failed, s->beyond, s->absent, 100 * mean, 100 * s->worst,
           s->worst_id ? s->worst_id : "none");
}

static void print_list(void)
{
    for (const struct micro *const *list = micro_lists; *list; list++)
        for (const struct micro *m = *list; m->name; m++)
            printf("%-14s %-44s %s: %s\n", m->name, m->args, m->unit, m->sentence);
}

static int run(const struct options *o, const struct board_list *boards, struct fact_list *facts, struct summary *s,
               struct err *e)
{
    json_t *rows = o->json ? json_array() : NULL;

    for (size_t i = 0; i < facts->count; i++) {
        struct fact *f = &facts->items[i];

        if (!wanted(o, f, boards))
            continue;
        if (fact_measure(f, boards, o->with, e) < 0) {
            json_decref(rows);
            return -1;
        }
        sum_up(s, f);
        if (rows)
            json_array_append_new(rows, row_json(f));
        else
            print_row(f);
    }
    print_summary(s, rows);
    return 0;
}

static int parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--gpu") == 0     ? &o->gpu
                             : strcmp(argv[i], "--only") == 0  ? &o->only
                             : strcmp(argv[i], "--with") == 0  ? &o->with
                             : strcmp(argv[i], "--table") == 0 ? &o->table
                                                               : NULL;

        if (value && i + 1 < argc)
            *value = argv[++i];
        else if (strcmp(argv[i], "--json") == 0)
            o->json = true;
        else if (strcmp(argv[i], "--list") == 0)
            o->list = true;
        else
            return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct options o = {.table = "tests/validation/facts.csv"};
    struct board_list boards = {0};
    struct fact_list facts = {0};
    struct summary s = {0};
    struct err e;
    int ret = 2;

    if (parse(argc, argv, &o) < 0) {
        fputs(usage, stderr);
        return 2;
    }
    if (o.list) {
        print_list();
        return 0;
    }
    if (boards_read("tests/validation/boards.csv", &boards, &e) < 0 || facts_read(o.table, &facts, &e) < 0 ||
        run(&o, &boards, &facts, &s, &e) < 0)
        fprintf(stderr, "facts: %s\n", e.text);
    else if (s.count + s.absent == 0)
        fprintf(stderr, "facts: no fact was measured on a design of that name\n");
    else
        ret = s.failed != 0;
    facts_release(&facts);
    boards_release(&boards);
    return ret;
}
