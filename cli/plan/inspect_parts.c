#include "cli/plan/inspect_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output/table.h"
#include "sampling/profile/domains.h"
#include "wire/json.h"

#define SHORT_ROWS 10
#define JSON_ROWS  10000

static double share_of(const struct profile *p, const struct domain_total *t)
{
    uint64_t total = profile_total(p);

    return total ? (double)t->total / (double)total : 0;
}

/* --- JSON --- */

static json_t *part_json(const struct profile *p, const struct domain_total *t)
{
    static const char *const names[PROFILE_UNITS] = {"total_ns", "total_warp_instructions", "total_cycles"};

    return json_pack("{s:o, s:I, s:I, s:f}", "name", t->name[0] ? json_text(t->name) : json_null(), "launches",
                     (json_int_t)t->launches, names[p->unit], (json_int_t)t->total, "share", share_of(p, t));
}

/* An empty list where the profile has no such parts; NULL: no memory. */
static json_t *parts_json(const struct profile *p, enum domain_kind kind, struct err *e)
{
    json_t *list = json_array();
    struct domain_total *totals = NULL;
    struct domain_view view;
    size_t count;
    int ret = domain_view_make(p, kind, &view, e);

    if (ret > 0)
        ret = domain_totals(&view, kind, &totals, &count, e) < 0 ? -1 : 1;
    for (size_t i = 0; ret > 0 && i < count && i < JSON_ROWS; i++)
        if (json_array_append_new(list, part_json(p, &totals[i])) < 0)
            ret = err_no_memory(e);
    free(totals);
    domain_view_release(&view);
    if (ret >= 0)
        return list;
    json_decref(list);
    return NULL;
}

int inspect_parts_json(const struct profile *p, json_t *document, struct err *e)
{
    static const char *const members[DOMAIN_KINDS] = {"layers", "phases", "steps", "classes", "ranks"};

    for (int kind = 0; kind < DOMAIN_KINDS; kind++) {
        json_t *list = parts_json(p, kind, e);

        if (!list || json_object_set_new(document, members[kind], list) < 0)
            return list ? err_no_memory(e) : -1;
    }
    return 0;
}

/* --- tables --- */

static void add_row(struct table *t, const struct profile *p, const struct domain_total *from)
{
    char text[CLI_NUMBER], digits[24];

    table_number(t, share_of(p, from), cli_percent(share_of(p, from), text));
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)from->total);
    table_pair(t,
               p->unit == PROFILE_NS ? cli_seconds((double)from->total * 1e-9, text) : cli_whole(from->total, text),
               digits);
    table_count(t, from->launches);
    table_pair(t, from->name[0] ? from->name : "(none)", from->name);
}

static int print_totals(const struct profile *p, enum domain_kind kind, const struct domain_total *totals,
                        size_t shown, bool csv, struct err *e)
{
    bool times = p->unit == PROFILE_NS;
    const char *name = domain_kind_name(kind);
    const struct table_column columns[] = {
        {"share", "share", true, false},
        {times ? "total" : profile_unit_words(p->unit), times ? "total_ns" : profile_unit_name(p->unit), true,
         false},
        {"launches", "launches", true, false},
        {name, name, false, true},
    };
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < shown; i++)
        add_row(&t, p, &totals[i]);
    ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    return ret;
}

/* 1; 0: the profile has no such parts; -1. before: printed before a table. */
static int print_parts(const struct profile *p, enum domain_kind kind, uint64_t most, bool csv, const char *before,
                       struct err *e)
{
    struct domain_total *totals = NULL;
    struct domain_view view;
    size_t count = 0, shown;
    int ret = domain_view_make(p, kind, &view, e);

    if (ret > 0 && domain_totals(&view, kind, &totals, &count, e) < 0)
        ret = -1;
    if (ret > 0) {
        shown = most < count ? (size_t)most : count;
        fputs(before, stdout);
        if (print_totals(p, kind, totals, shown, csv, e) < 0)
            ret = -1;
        else if (shown < count && !csv)
            printf("and %zu more (--by %s --top %zu shows all)\n", count - shown, domain_kind_name(kind), count);
    }
    free(totals);
    domain_view_release(&view);
    return ret;
}

int inspect_parts_print(const struct profile *p, struct err *e)
{
    static const enum domain_kind order[] = {DOMAIN_CLASS, DOMAIN_RANK, DOMAIN_PHASE, DOMAIN_LAYER, DOMAIN_STEP};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (print_parts(p, order[i], SHORT_ROWS, false, "\n", e) < 0)
            return -1;
    return 0;
}

int inspect_part_table(const struct profile *p, enum domain_kind kind, uint64_t most, bool csv, struct err *e)
{
    int ret = print_parts(p, kind, most, csv, "", e);

    return ret > 0 ? 0 : ret < 0 ? -1 : domain_view_refuse(kind, e);
}
