/* `vivace validate --html`: one page that loads nothing, for a browser without network. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/whole_file.h"
#include "cli/validate/validate.h"

/* The policy forbids every load; the style is in the page. */
static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Simulator against silicon</title>\n"
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:1.5rem auto;padding:0 1rem}\n"
    "table{border-collapse:collapse;display:block;overflow-x:auto}\n"
    "th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #8886;white-space:nowrap}\n"
    "th.t,td.t{text-align:left}\ntr.all{font-weight:600}\nsvg{max-width:100%;height:auto}\n"
    "</style>\n</head>\n<body>\n";

static void add_text(struct strbuf *b, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '&': strbuf_adds(b, "&amp;"); break;
        case '<': strbuf_adds(b, "&lt;"); break;
        case '>': strbuf_adds(b, "&gt;"); break;
        case '"': strbuf_adds(b, "&quot;"); break;
        default: strbuf_addc(b, *s);
        }
}

static void cell_text(struct strbuf *b, const char *s)
{
    strbuf_adds(b, "<td class=\"t\">");
    add_text(b, s);
    strbuf_adds(b, "</td>");
}

static void cell_number(struct strbuf *b, const char *s)
{
    strbuf_addf(b, "<td>%s</td>", s);
}

static void add_stats(struct strbuf *b, const char *set, const char *family, const struct validated_stats *s)
{
    char a[CLI_NUMBER];

    strbuf_addf(b, "<tr%s>", family ? "" : " class=\"all\"");
    cell_text(b, set);
    cell_text(b, family ? family : "all");
    cell_number(b, cli_whole(s->rows - s->not_modelled, a));
    cell_number(b, cli_percent(s->ratios.error, a));
    cell_number(b, isnan(s->ratios.bias) ? "–" : cli_number(s->ratios.bias, a));
    cell_number(b, isnan(s->ratios.log_r) ? "–" : cli_number(s->ratios.log_r, a));
    cell_number(b, cli_whole(s->ratios.far, a));
    cell_number(b, cli_whole(s->in_tolerance, a));
    strbuf_adds(b, "</tr>\n");
}

static int add_families(const struct validate *v, struct strbuf *b, struct err *e)
{
    struct validated_stats s;

    strbuf_adds(b,
                "<h2>By family</h2>\n<table>\n<tr><th class=\"t\">set</th><th class=\"t\">family</th><th>rows</th>"
                "<th>error</th><th>bias</th><th>log r</th><th>beyond 30 %</th><th>in tolerance</th></tr>\n");
    for (size_t set = 0; set < v->set_count; set++) {
        const char *families[VALIDATE_FAMILIES];
        size_t n = validate_families(v, set, families, VALIDATE_FAMILIES);

        for (size_t i = 0; n && i <= n; i++) {
            if (validate_stats(v, set, i < n ? families[i] : NULL, &s, e) < 0)
                return -1;
            add_stats(b, v->sets[set].name, i < n ? families[i] : NULL, &s);
        }
    }
    strbuf_adds(
        b, "</table>\n<p>Error: mean of |simulated / measured − 1|, 0 inside a measured range. Bias: geometric "
           "mean of simulated / measured. log r: correlation of the logarithms.</p>\n");
    return 0;
}

static void add_row(struct strbuf *b, const struct validated *r)
{
    const struct fact *f = r->fact;
    char a[CLI_NUMBER];

    strbuf_adds(b, "<tr>");
    cell_text(b, f->id);
    cell_text(b, f->card);
    cell_text(b, f->measure);
    cell_number(b, validate_range(f, a));
    cell_number(b, cli_number(f->got, a));
    cell_number(b, cli_percent(r->error, a));
    cell_text(b, f->state == FACT_PASS ? "in" : "out");
    strbuf_adds(b, "</tr>\n");
}

static int add_worst(const struct validate *v, struct strbuf *b, struct err *e)
{
    size_t count;
    const struct validated **order = validate_worst(v, &count, e);

    if (!order)
        return -1;
    strbuf_adds(b,
                "<h2>The rows that differ most</h2>\n<table>\n<tr><th class=\"t\">id</th><th class=\"t\">card</th>"
                "<th class=\"t\">measurement</th><th>measured</th><th>simulated</th><th>error</th>"
                "<th class=\"t\">tolerance</th></tr>\n");
    for (size_t i = 0; i < count && i < (size_t)2 * VALIDATE_WORST; i++)
        add_row(b, order[i]);
    strbuf_adds(b, "</table>\n");
    free(order);
    return 0;
}

int validate_write_html(const struct validate *v, const char *path, struct err *e)
{
    struct strbuf b = {0};

    strbuf_adds(&b, head);
    strbuf_addf(&b, "<h1>Simulator %s against silicon</h1>\n<dl>\n", SIMCORE_VERSION);
    for (size_t i = 0; i < v->set_count; i++) {
        const char *tuned = v->sets[i].facts.tuned;

        strbuf_addf(&b, "<dt>%s: ", v->sets[i].name);
        add_text(&b, v->sets[i].title);
        strbuf_adds(&b, "</dt>\n<dd>");
        add_text(&b, tuned[0] ? tuned : "Nothing of the model was computed from these rows.");
        strbuf_adds(&b, "</dd>\n");
    }
    strbuf_adds(&b, "</dl>\n");
    if (add_families(v, &b, e) < 0)
        goto out;
    strbuf_adds(&b, "<h2>Simulated / measured, in ascending order</h2>\n");
    validate_draw_scurve(v, &b);
    strbuf_adds(&b, "<h2>Simulated over measured</h2>\n");
    validate_draw_scatter(v, &b);
    if (add_worst(v, &b, e) < 0)
        goto out;
    strbuf_adds(&b, "</body>\n</html>\n");
    return validate_put(&b, path, e);
out:
    strbuf_release(&b);
    return -1;
}
