/* `vivace validate` as text, CSV and JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/whole_file.h"
#include "cli/output/table.h"
#include "cli/validate/validate.h"
#include "wire/json.h"

static const char *state_word(const struct fact *f)
{
    return f->state == FACT_NOT_MODELLED ? "not modelled" : f->state == FACT_PASS ? "in" : "out";
}

const char *validate_range(const struct fact *f, char out[static CLI_NUMBER])
{
    if (f->low < f->high)
        snprintf(out, CLI_NUMBER, "%g to %g", f->low, f->high);
    else
        snprintf(out, CLI_NUMBER, "%g", f->low);
    return out;
}

/* --- text --- */

static void stats_cells(struct table *t, const struct validated_stats *s)
{
    size_t modelled = s->rows - s->not_modelled;
    char a[CLI_NUMBER];

    table_count(t, modelled);
    table_text(t, cli_percent(s->ratios.error, a));
    table_text(t, isnan(s->ratios.bias) ? "–" : cli_number(s->ratios.bias, a));
    table_text(t, isnan(s->ratios.log_r) ? "–" : cli_number(s->ratios.log_r, a));
    table_count(t, s->ratios.far);
    table_count(t, s->in_tolerance);
}

static int add_set(const struct validate *v, size_t set, struct table *t, struct err *e)
{
    const char *families[VALIDATE_FAMILIES];
    size_t n = validate_families(v, set, families, VALIDATE_FAMILIES);
    struct validated_stats s;

    for (size_t i = 0; n && i <= n; i++) {
        const char *family = i < n ? families[i] : NULL;

        if (validate_stats(v, set, family, &s, e) < 0)
            return -1;
        table_text(t, v->sets[set].name);
        table_text(t, family ? family : "all");
        stats_cells(t, &s);
    }
    return 0;
}

static int print_stats(const struct validate *v, struct err *e)
{
    static const struct table_column columns[] = {
        {"set", NULL, false, false},        {"family", NULL, false, false},     {"rows", NULL, true, false},
        {"error", NULL, true, false},       {"bias", NULL, true, false},        {"log r", NULL, true, false},
        {"beyond 30 %", NULL, true, false}, {"in tolerance", NULL, true, false}};
    struct table t;
    int ret = 0;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t set = 0; ret == 0 && set < v->set_count; set++)
        ret = add_set(v, set, &t, e);
    if (ret == 0)
        ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

static void row_cells(struct table *t, const struct validated *r)
{
    char a[CLI_NUMBER];
    bool modelled = r->fact->state != FACT_NOT_MODELLED;

    table_text(t, r->fact->id);
    table_text(t, r->fact->card);
    table_text(t, validate_range(r->fact, a));
    table_text(t, modelled ? cli_number(r->fact->got, a) : "–");
    table_text(t, modelled ? cli_percent(r->error, a) : "–");
    table_text(t, state_word(r->fact));
    table_text(t, r->fact->measure);
}

static int print_rows(const struct validate *v, bool every_row, struct err *e)
{
    static const struct table_column columns[] = {
        {"id", NULL, false, false},        {"card", NULL, false, false}, {"measured", NULL, true, false},
        {"simulated", NULL, true, false},  {"error", NULL, true, false}, {"tolerance", NULL, false, false},
        {"measurement", NULL, false, true}};
    size_t count;
    const struct validated **order = validate_worst(v, &count, e);
    struct table t;
    int ret;

    if (!order)
        return -1;
    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; every_row && i < v->count; i++)
        row_cells(&t, &v->rows[i]);
    for (size_t i = 0; !every_row && i < count && i < VALIDATE_WORST; i++)
        row_cells(&t, order[i]);
    free(order);
    printf("\n%s\n", every_row ? "all rows" : "the rows that differ most");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

int validate_print_text(const struct validate *v, bool every_row, struct err *e)
{
    size_t absent = 0;
    char a[CLI_NUMBER];

    printf("simulator  %s\n", SIMCORE_VERSION);
    for (size_t i = 0; i < v->set_count; i++) {
        const char *tuned = v->sets[i].facts.tuned;

        printf("%-10s %s\n", v->sets[i].name, v->sets[i].title);
        cli_print_wrapped("", tuned[0] ? tuned : "Nothing of the model was computed from these rows.", 11);
    }
    printf("\n");
    if (print_stats(v, e) < 0 || print_rows(v, every_row, e) < 0)
        return -1;
    for (size_t i = 0; i < v->count; i++)
        absent += v->rows[i].fact->state == FACT_NOT_MODELLED;
    if (absent)
        printf("\n%s not modelled: --csv and --json say why\n", cli_counted(absent, "row is", "rows are", a));
    return 0;
}

/* --- CSV --- */

static void csv_number(struct strbuf *b, double x)
{
    char text[NUM_TEXT];

    strbuf_addc(b, ',');
    if (!isnan(x))
        strbuf_adds(b, num_format(x, text));
}

static void csv_text(struct strbuf *b, const char *s)
{
    strbuf_addc(b, ',');
    strbuf_add_csv(b, s);
}

int validate_put(struct strbuf *b, const char *path, struct err *e)
{
    int ret = b->failed ? err_no_memory(e) : whole_file_put(path, b->text, b->length, e);

    strbuf_release(b);
    return ret;
}

int validate_write_csv(const struct validate *v, const char *path, struct err *e)
{
    struct strbuf b = {0};

    strbuf_adds(
        &b,
        "set,family,id,card,mhz,measure,low,high,tolerance,kind,source,simulated,ratio,error,cpu_s,state,why\n");
    for (size_t i = 0; i < v->count; i++) {
        const struct validated *r = &v->rows[i];
        const struct fact *f = r->fact;
        const char kind[2] = {f->kind, '\0'};
        bool modelled = f->state != FACT_NOT_MODELLED;

        strbuf_adds(&b, v->sets[r->set].name);
        csv_text(&b, r->family);
        csv_text(&b, f->id);
        csv_text(&b, f->card);
        csv_number(&b, f->mhz);
        csv_text(&b, f->measure);
        csv_number(&b, f->low);
        csv_number(&b, f->high);
        csv_number(&b, f->tolerance);
        csv_text(&b, kind);
        csv_text(&b, f->source);
        csv_number(&b, modelled ? f->got : NAN);
        csv_number(&b, r->ratio);
        csv_number(&b, modelled ? r->error : NAN);
        csv_number(&b, f->cpu_s);
        csv_text(&b, state_word(f));
        csv_text(&b, f->why);
        strbuf_addc(&b, '\n');
    }
    return validate_put(&b, path, e);
}

/* --- JSON --- */

static json_t *stats_json(const struct validate *v, size_t set, const char *family, struct err *e)
{
    struct validated_stats s;
    struct json_obj o = json_obj_begin();

    if (validate_stats(v, set, family, &s, e) < 0) {
        json_decref(json_obj_end(&o));
        return NULL;
    }
    json_put_str(&o, "family", family ? family : "all");
    json_put_u64(&o, "rows", s.rows - s.not_modelled);
    json_put_u64(&o, "not_modelled", s.not_modelled);
    json_put_double(&o, "error", s.ratios.error);
    json_put_double(&o, "bias", s.ratios.bias);
    json_put_double(&o, "log_correlation", s.ratios.log_r);
    json_put_u64(&o, "beyond_30_percent", s.ratios.far);
    json_put_u64(&o, "in_tolerance", s.in_tolerance);
    return json_obj_end(&o);
}

static json_t *set_json(const struct validate *v, size_t set, struct err *e)
{
    const char *families[VALIDATE_FAMILIES];
    size_t n = validate_families(v, set, families, VALIDATE_FAMILIES);
    struct json_obj o = json_obj_begin();
    json_t *list = json_array();

    for (size_t i = 0; list && i < n; i++)
        if (json_push(list, stats_json(v, set, families[i], e)) < 0) {
            json_decref(list);
            list = NULL;
        }
    json_put_str(&o, "set", v->sets[set].name);
    json_put(&o, "title", json_text(v->sets[set].title));
    json_put(&o, "tuned", json_text(v->sets[set].facts.tuned));
    json_put(&o, "all", stats_json(v, set, NULL, e));
    json_put(&o, "families", list);
    return json_obj_end(&o);
}

static json_t *row_json(const struct validate *v, const struct validated *r)
{
    const struct fact *f = r->fact;
    const char kind[2] = {f->kind, '\0'};
    bool modelled = f->state != FACT_NOT_MODELLED;
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "set", v->sets[r->set].name);
    json_put(&o, "family", json_text(r->family));
    json_put(&o, "id", json_text(f->id));
    json_put(&o, "card", json_text(f->card));
    json_put(&o, "measure", json_text(f->measure));
    json_put_double(&o, "low", f->low);
    json_put_double(&o, "high", f->high);
    json_put_double(&o, "tolerance", f->tolerance);
    json_put(&o, "kind", json_text(kind));
    json_put(&o, "source", json_text(f->source));
    json_put_double(&o, "simulated", modelled ? f->got : NAN);
    json_put_double(&o, "ratio", r->ratio);
    json_put_double(&o, "cpu_s", f->cpu_s);
    json_put_double(&o, "error", modelled ? r->error : NAN);
    json_put_str(&o, "state", state_word(f));
    json_put(&o, "why", json_text(f->why));
    return json_obj_end(&o);
}

int validate_print_json(const struct validate *v, struct err *e)
{
    json_t *sets = json_array(), *rows = json_array();
    struct json_obj o = json_obj_begin();
    bool failed = !sets || !rows;

    for (size_t i = 0; !failed && i < v->set_count; i++)
        failed = json_push(sets, set_json(v, i, e)) < 0;
    for (size_t i = 0; !failed && i < v->count; i++)
        failed = json_push(rows, row_json(v, &v->rows[i])) < 0;
    json_put_str(&o, "simulator", SIMCORE_VERSION);
    json_put(&o, "sets", failed ? NULL : json_incref(sets));
    json_put(&o, "rows", failed ? NULL : json_incref(rows));
    json_decref(sets);
    json_decref(rows);
    return cli_print_json(json_obj_end(&o), e);
}
