/* vivace validate --systems: copies and collectives measured on systems of several GPUs, and what the system
 * designs make of them.
 */
#include <math.h>
#include <string.h>

#include "cli/output/table.h"
#include "cli/validate/validate.h"
#include "simcore/validation/system_facts.h"
#include "wire/json.h"

static const struct table_column columns[] = {
    {"row", "", false, false},     {"system", "", false, false}, {"measurement", "", false, true},
    {"measured", "", true, false}, {"model", "", true, false},   {"error", "", true, false},
    {"set", "", false, false},     {"source", "", false, false},
};

/* Mean and largest of |error|, in per cent, and the rows out of tolerance. */
struct summary {
    size_t rows, out;
    double mean, worst;
};

static struct summary summarize(const struct system_facts *l, bool test)
{
    struct summary s = {0};

    for (size_t i = 0; i < l->count; i++) {
        const struct system_fact *f = &l->items[i];

        if (f->test != test)
            continue;
        s.rows++;
        s.out += fabs(f->error) > f->tolerance;
        s.mean += fabs(f->error);
        s.worst = fmax(s.worst, fabs(f->error));
    }
    if (s.rows)
        s.mean /= (double)s.rows;
    return s;
}

static void add_row(struct table *t, const struct system_fact *f)
{
    char text[CLI_NUMBER];

    table_text(t, f->id);
    table_text(t, f->system);
    table_text(t, f->measure);
    snprintf(text, sizeof text, f->low < f->high ? "%g to %g" : "%g", f->low, f->high);
    table_number(t, f->low, text);
    table_number(t, f->got, cli_number(f->got, text));
    snprintf(text, sizeof text, "%+.1f %%", f->error * 100);
    table_number(t, f->error, f->error == 0 ? "0" : text);
    table_text(t, f->test ? "test" : "build");
    table_text(t, f->source);
}

static void print_summary(const char *name, struct summary s)
{
    printf("%-6s %2zu rows, mean error %.1f %%, worst %.1f %%, %zu out of tolerance\n", name, s.rows, s.mean * 100,
           s.worst * 100, s.out);
}

static int print_table(const struct system_facts *l, struct err *e)
{
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < l->count; i++)
        add_row(&t, &l->items[i]);
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    if (ret < 0)
        return -1;
    printf("\nGB/s, or us for \"time\"; the error is the distance to the measured range, 0 inside. No parameter "
           "was taken "
           "from a\nrow of the set \"test\".\n\n");
    print_summary("build", summarize(l, false));
    print_summary("test", summarize(l, true));
    return 0;
}

static json_t *fact_json(const struct system_fact *f)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "id", f->id);
    json_put_str(&o, "system", f->system);
    json_put_str(&o, "measure", f->measure);
    json_put_double(&o, "low", f->low);
    json_put_double(&o, "high", f->high);
    json_put_double(&o, "model", f->got);
    json_put_double(&o, "error", f->error);
    json_put_str(&o, "set", f->test ? "test" : "build");
    json_put_str(&o, "source", f->source);
    return json_obj_end(&o);
}

static json_t *summary_json(struct summary s)
{
    struct json_obj o = json_obj_begin();

    json_put_u64(&o, "rows", s.rows);
    json_put_double(&o, "mean_error", s.mean);
    json_put_double(&o, "worst_error", s.worst);
    json_put_u64(&o, "out_of_tolerance", s.out);
    return json_obj_end(&o);
}

static int print_json(const struct system_facts *l, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *rows = json_array();

    for (size_t i = 0; i < l->count; i++)
        o.failed |= json_push(rows, fact_json(&l->items[i])) < 0;
    json_put(&o, "rows", rows);
    json_put(&o, "build", summary_json(summarize(l, false)));
    json_put(&o, "test", summary_json(summarize(l, true)));
    return cli_print_json(json_obj_end(&o), e);
}

int validate_systems(bool json, bool check, struct err *e)
{
    struct system_facts l;
    size_t out = 0;
    int ret = system_facts_builtin(&l, e);

    if (ret == 0)
        ret = json ? print_json(&l, e) : print_table(&l, e);
    out = summarize(&l, false).out + summarize(&l, true).out;
    if (ret == 0 && check && out)
        ret = err_set(e, ERR_INVALID, "%zu of %zu rows are out of tolerance", out, l.count);
    system_facts_release(&l);
    return ret;
}
