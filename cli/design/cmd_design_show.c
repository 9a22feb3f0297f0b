/* vivace design show, diff: the parameters of one design, and the differences between two. */
#include <string.h>

#include "cli/design/cmd_design.h"
#include "cli/output/table.h"
#include "wire/json.h"

static const char show_text[] =
    "Shows every parameter of a design, in the order of its file: value, unit, source "
    "and meaning. The sources are\n"
    "listed below the table. With the name of a parameter or of a group (\"l2\", "
    "\"units.fp64\") it shows only those, each\n"
    "with its source and the reason for its value. E is our own estimate.\n"
    "\n"
    "For a system of several GPUs it also shows what a copy between two nodes takes, with one row "
    "for all pairs that\n"
    "are alike; --from and --to ask for one copy. Such copies are alone: they share no link "
    "with others.\n"
    "\n"
    "Examples:\n"
    "  vivace design show v100\n"
    "  vivace design show h100 l2.slices\n"
    "  vivace design show ./my-gpu.json --json\n"
    "  vivace design show wide --farm\n"
    "  vivace design show dgx-a100\n"
    "  vivace design show dgx1-v100 --from gpu0 --to gpu5 --bytes 1048576\n"
    "  vivace design show gb200-nvl72 --pairs --csv";

static const char diff_text[] =
    "Shows the parameters whose values differ between two designs. Sources and reasons are not compared.\n"
    "\n"
    "Examples:\n"
    "  vivace design diff a100 h100\n"
    "  vivace design diff v100 ./v100-wide.json --json";

/* --- show --- */

static const struct table_column show_columns[] = {
    {"parameter", "name", false, false}, {"value", "value", true, false},     {"unit", "unit", false, false},
    {"source", "source", false, false},  {"meaning", "meaning", false, true}, {NULL, "reason", false, false},
    {NULL, "source_text", false, false},
};

/* The filter "l2" selects all parameters l2.…; a complete name selects its parameter. */
static bool wanted(const struct design_fact *f, const char *filter)
{
    size_t n = filter ? strlen(filter) : 0;

    return !filter || (strncmp(f->name, filter, n) == 0 && (!f->name[n] || f->name[n] == '.'));
}

static json_t *fact_json(const struct design_fact *f)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "name", f->name);
    json_put(&o, "value", json_loads(f->value, JSON_DECODE_ANY, NULL));
    json_put_str(&o, "unit", f->unit);
    json_put_str(&o, "meaning", f->meaning);
    json_put_str(&o, "source", f->source);
    json_put_str(&o, "source_text", f->source_text);
    json_put_str(&o, "reason", f->reason);
    return json_obj_end(&o);
}

static int show_json(const struct design_view *v, const char *filter, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *list = json_array();

    for (size_t i = 0; i < v->facts.count; i++)
        if (wanted(&v->facts.items[i], filter) && json_array_append_new(list, fact_json(&v->facts.items[i])) < 0) {
            json_decref(list);
            json_decref(json_obj_end(&o));
            return err_no_memory(e);
        }
    json_put_str(&o, "name", design_view_name(v));
    json_put_str(&o, "title", v->facts.title);
    json_put_str(&o, "sha256", design_view_sha256(v));
    json_put(&o, "parameters", list);
    if (v->system && !filter)
        json_put(&o, "pairs", system_ways_json(v->system, false, e));
    return cli_print_json(json_obj_end(&o), e);
}

/* Prints each source once, in the order of first use. */
static void print_sources(const struct design_facts *facts)
{
    printf("\nSources:\n");
    for (size_t i = 0; i < facts->count; i++) {
        size_t first = 0;
        char label[100];

        while (strcmp(facts->items[first].source, facts->items[i].source) != 0)
            first++;
        if (first < i)
            continue;
        snprintf(label, sizeof label, "  %s ", facts->items[i].source);
        cli_print_wrapped(label, facts->items[i].source_text, 9);
    }
}

static void print_in_full(const struct design_fact *f)
{
    char value[CLI_NUMBER];

    printf("%s  %s %s\n", f->name, design_value_text(f->value, value), f->unit);
    cli_print_wrapped("  meaning", f->meaning, 11);
    cli_print_wrapped("  source", f->source_text, 11);
    if (f->reason)
        cli_print_wrapped("  why", f->reason, 11);
}

static int show_table(const struct design_view *v, const char *filter, bool csv, struct err *e)
{
    struct table t;
    int ret;

    if (!csv)
        printf("%s: %s\n%s %s\n\n", design_view_name(v), v->facts.title, v->system ? "system" : "design",
               design_view_sha256(v));
    table_init(&t, show_columns, sizeof show_columns / sizeof *show_columns);
    for (size_t i = 0; i < v->facts.count; i++) {
        const struct design_fact *f = &v->facts.items[i];
        char value[CLI_NUMBER];

        if (!wanted(f, filter))
            continue;
        table_text(&t, f->name);
        table_text(&t, design_value_text(f->value, value));
        table_text(&t, f->unit);
        table_text(&t, f->source);
        table_text(&t, f->meaning);
        table_text(&t, f->reason ? f->reason : "");
        table_text(&t, f->source_text);
    }
    ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    if (ret == 0 && !csv)
        print_sources(&v->facts);
    return ret;
}

static int show(const struct design_view *v, const char *filter, const struct cli_output *o, struct err *e)
{
    const char *names[256], *near;
    size_t found = 0, count = 0;

    for (size_t i = 0; i < v->facts.count; i++) {
        found += wanted(&v->facts.items[i], filter);
        if (count < sizeof names / sizeof *names)
            names[count++] = v->facts.items[i].name;
    }
    if (!found) {
        near = text_nearest(filter, names, count);
        err_set(e, ERR_NOT_FOUND, "there is no parameter or group `%.60s`", filter);
        return near ? err_hint(e, "did you mean %s?", near) : -1;
    }
    if (o->json)
        return show_json(v, filter, e);
    if (!filter || o->csv)
        return show_table(v, filter, o->csv, e);
    for (size_t i = 0; i < v->facts.count; i++)
        if (wanted(&v->facts.items[i], filter))
            print_in_full(&v->facts.items[i]);
    return 0;
}

/* Prints the parameters of a system and the times of copies between its nodes; if `q` asks for copies, only these.
 */
static int show_system(const struct design_view *v, const char *filter, const struct system_options *q,
                       const struct cli_output *o, struct err *e)
{
    bool copies = q->from || q->to || q->bytes || q->pairs;

    if (copies && filter)
        return err_set(e, ERR_USAGE, "a parameter and --from, --to, --bytes or --pairs exclude each other");
    if (copies)
        return system_show_copies(v->system, q, o, e);
    if (show(v, filter, o, e) < 0)
        return -1;
    if (filter || o->json || o->csv)
        return 0;
    printf("\nCopies, each alone, one way; one row for all pairs that are alike:\n\n");
    return system_show_copies(v->system, q, o, e);
}

int design_show(int argc, char **argv)
{
    struct cli_output output = {0};
    struct system_options copies = {NULL, NULL, 0, false};
    bool farm = false;
    const struct cli_option options[] = {
        {"farm", 0, CLI_FLAG, NULL, &farm, "print the file of a design of the farm, by name or id"},
        {"from", 0, CLI_TEXT, "NODE", &copies.from, "of a system: a copy from this node, such as gpu0 or cpu0"},
        {"to", 0, CLI_TEXT, "NODE", &copies.to, "to this node"},
        {"bytes", 0, CLI_COUNT, "N", &copies.bytes, "bytes of the copy (default: 64 MiB)"},
        {"pairs", 0, CLI_FLAG, NULL, &copies.pairs, "of a system: every pair of nodes in a row of its own"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "design show", "NAME|FILE [PARAMETER]", show_text, options, &output, true, 1, 2};
    struct cli_args args;
    struct design_view v;
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    if (farm)
        return cli_end(farm_design_show(args.items[0], &e), &e);
    ret = design_view_open_any(args.items[0], &v, &e);
    if (ret == 0 && v.system)
        ret = show_system(&v, args.count > 1 ? args.items[1] : NULL, &copies, &output, &e);
    else if (ret == 0 && (copies.from || copies.to || copies.bytes || copies.pairs))
        ret = err_set(&e, ERR_USAGE, "--from, --to, --bytes and --pairs need a system; %s is one GPU",
                      design_view_name(&v));
    else if (ret == 0)
        ret = show(&v, args.count > 1 ? args.items[1] : NULL, &output, &e);
    design_view_release(&v);
    return cli_end(ret, &e);
}

/* --- diff: both lists come from the same table of parameters, so their rows correspond --- */

static json_t *design_json(const struct design_view *v)
{
    return json_pack("{s:s, s:s}", "name", design_name(v->design), "sha256", design_sha256(v->design));
}

static int diff_json(const struct design_view *a, const struct design_view *b, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *list = json_array();

    for (size_t i = 0; i < a->facts.count; i++) {
        const struct design_fact *x = &a->facts.items[i], *y = &b->facts.items[i];
        struct json_obj row;

        if (strcmp(x->value, y->value) == 0)
            continue;
        row = json_obj_begin();
        json_put_str(&row, "name", x->name);
        json_put(&row, "a", json_loads(x->value, JSON_DECODE_ANY, NULL));
        json_put(&row, "b", json_loads(y->value, JSON_DECODE_ANY, NULL));
        json_put_str(&row, "unit", x->unit);
        if (json_array_append_new(list, json_obj_end(&row)) < 0) {
            json_decref(list);
            json_decref(json_obj_end(&o));
            return err_no_memory(e);
        }
    }
    json_put(&o, "a", design_json(a));
    json_put(&o, "b", design_json(b));
    json_put(&o, "differences", list);
    return cli_print_json(json_obj_end(&o), e);
}

static int diff_table(const struct design_view *a, const struct design_view *b, bool csv, struct err *e)
{
    const struct table_column columns[] = {{"parameter", "name", false, false},
                                           {design_name(a->design), "a", true, false},
                                           {design_name(b->design), "b", true, false},
                                           {"unit", "unit", false, false}};
    struct table t;
    size_t same = 0;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < a->facts.count; i++) {
        const struct design_fact *x = &a->facts.items[i], *y = &b->facts.items[i];
        char text[CLI_NUMBER];

        if (strcmp(x->value, y->value) == 0) {
            same++;
            continue;
        }
        table_text(&t, x->name);
        table_text(&t, design_value_text(x->value, text));
        table_text(&t, design_value_text(y->value, text));
        table_text(&t, x->unit);
    }
    ret = csv || same < a->facts.count ? table_print(&t, csv, stdout, e) : 0;
    table_release(&t);
    if (ret == 0 && !csv)
        printf("%s%zu of %zu parameters are the same\n", same < a->facts.count ? "\n" : "", same, a->facts.count);
    return ret;
}

int design_diff(int argc, char **argv)
{
    struct cli_output output = {0};
    const struct cli_usage usage = {"design diff", "A B", diff_text, NULL, &output, true, 2, 2};
    struct cli_args args;
    struct design_view a, b = {.design = NULL};
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    ret = design_view_open(args.items[0], &a, &e);
    if (ret == 0)
        ret = design_view_open(args.items[1], &b, &e);
    if (ret == 0)
        ret = output.json ? diff_json(&a, &b, &e) : diff_table(&a, &b, output.csv, &e);
    design_view_release(&a);
    design_view_release(&b);
    return cli_end(ret, &e);
}
