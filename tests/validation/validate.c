/* tests/validation/validate.c: `make validate`: counters and times of whole kernels against silicon, statistics by
 * suite, and the pictures of docs/VALIDATION.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tests/validation/fact_list.h"
#include "tests/validation/ratios.h"

static const char usage[] = "usage: validate [--table FILE] [--suite NAME] [--quick] [--pictures FOLDER]\n"
                            "Simulates the kernels of tests/validation/kernels.csv and compares their times.\n"
                            "--quick: every fifth of them. Exit code 1 when one could not be simulated.\n";

struct options {
    const char *table, *suite, *pictures;
    bool quick;
};

static int parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--table") == 0      ? &o->table
                             : strcmp(argv[i], "--suite") == 0    ? &o->suite
                             : strcmp(argv[i], "--pictures") == 0 ? &o->pictures
                                                                  : NULL;

        if (value && i + 1 < argc)
            *value = argv[++i];
        else if (strcmp(argv[i], "--quick") == 0)
            o->quick = true;
        else
            return -1;
    }
    return 0;
}

/* Bandwidth goes the other way than time. */
static struct ratio ratio_of(const struct fact *f)
{
    bool bandwidth = strncmp(f->measure, "stream ", 7) == 0;
    struct ratio r = {
        .fact = f, .silicon = bandwidth ? 1 / f->low : f->low, .simulated = bandwidth ? 1 / f->got : f->got};

    r.value = r.simulated / r.silicon;
    snprintf(r.suite, sizeof r.suite, "%.*s", (int)strcspn(f->id, "-"), f->id);
    return r;
}

static int measure_all(const struct options *o, const struct board_list *boards, struct fact_list *facts,
                       struct ratio_list *out, struct err *e)
{
    for (size_t i = 0; i < facts->count; i++) {
        struct fact *f = &facts->items[i];

        if ((o->quick && i % 5) || (o->suite && strncmp(f->id, o->suite, strlen(o->suite)) != 0))
            continue;
        if (fact_measure(f, boards, NULL, e) < 0 ||
            array_reserve((void **)&out->items, &out->capacity, out->count + 1, sizeof *out->items, e) < 0)
            return -1;
        if (f->state == FACT_NOT_MODELLED)
            return err_set(e, ERR_INVALID, "%s: %s", f->id, f->why);
        out->items[out->count] = ratio_of(f);
        printf("%-12s %-12s %-44s %10.4g %10.4g %7.3f\n", f->id, f->card, f->measure, f->low, f->got,
               out->items[out->count++].value);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct options o = {.table = "tests/validation/kernels.csv"};
    struct board_list boards = {0};
    struct fact_list facts = {0};
    struct ratio_list ratios = {0};
    struct err e;
    int ret = 1;

    if (parse(argc, argv, &o) < 0) {
        fputs(usage, stderr);
        return 2;
    }
    if (boards_read("tests/validation/boards.csv", &boards, &e) < 0 || facts_read(o.table, &facts, &e) < 0 ||
        measure_all(&o, &boards, &facts, &ratios, &e) < 0)
        fprintf(stderr, "validate: %s\n", e.text);
    else {
        ratios_print(&ratios);
        ret = o.pictures && ratios_draw(&ratios, o.pictures, &e) < 0;
        if (ret)
            fprintf(stderr, "validate: %s\n", e.text);
    }
    free(ratios.items);
    facts_release(&facts);
    boards_release(&boards);
    return ret;
}
