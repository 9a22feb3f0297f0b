/* The pictures of `vivace validate`: plain SVG, the same bytes for the same rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/whole_file.h"
#include "cli/validate/validate.h"

enum { WIDTH = 720, HEIGHT = 400, LEFT = 56, BOTTOM = 40, TOP = 34, RIGHT = 12, COLORS = 6, LEGEND_WIDTH = 100 };
static const char *const colors[COLORS] = {"#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626", "#475569"};

struct frame {
    struct strbuf *b;
    double x0, x1, y0, y1;  /* the range of the axes; logarithms where the axis is logarithmic */
    char names[COLORS][32]; /* of the families that have a colour; the last: all further ones */
    size_t count;
};

static double at_x(const struct frame *p, double x)
{
    return LEFT + (x - p->x0) / (p->x1 - p->x0) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const struct frame *p, double y)
{
    return HEIGHT - BOTTOM - (y - p->y0) / (p->y1 - p->y0) * (HEIGHT - BOTTOM - TOP);
}

static size_t color_of(struct frame *p, const char *family)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->names[i], family) == 0)
            return i;
    if (p->count == COLORS) {
        snprintf(p->names[COLORS - 1], sizeof p->names[0], "others");
        return COLORS - 1;
    }
    snprintf(p->names[p->count], sizeof p->names[0], "%s", family);
    return p->count++;
}

static void begin(struct frame *p, const char *title, const char *across, const char *up)
{
    strbuf_addf(p->b,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                "font-size=\"12\">\n<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
                "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
                WIDTH, HEIGHT, title, WIDTH, HEIGHT, (LEFT + WIDTH) / 2, HEIGHT - 6, across,
                (TOP + HEIGHT - BOTTOM) / 2, up);
}

static void line(const struct frame *p, double xa, double ya, double xb, double yb, const char *stroke)
{
    strbuf_addf(p->b, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" fill=\"none\"/>\n", at_x(p, xa), at_y(p, ya),
                at_x(p, xb), at_y(p, yb), stroke);
}

/* Names of cards (boards.csv) have no characters that SVG reserves. */
static void dot(struct frame *p, double x, double y, const struct validated *r)
{
    strbuf_addf(p->b,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: simulated / measured %.2f</title>"
                "</circle>\n",
                at_x(p, x), at_y(p, y), colors[color_of(p, r->family)], r->fact->card, r->ratio);
}

static void end(const struct frame *p)
{
    for (size_t i = 0; i < p->count; i++)
        strbuf_addf(p->b, "<circle cx=\"%zu\" cy=\"16\" r=\"4\" fill=\"%s\"/><text x=\"%zu\" y=\"20\">%s</text>\n",
                    LEFT + 8 + i * LEGEND_WIDTH, colors[i], LEFT + 18 + i * LEGEND_WIDTH, p->names[i]);
    strbuf_adds(p->b, "</svg>\n");
}

static int by_ratio(const void *a, const void *b)
{
    const struct validated *x = *(const struct validated *const *)a, *y = *(const struct validated *const *)b;

    if (x->ratio < y->ratio || x->ratio > y->ratio)
        return x->ratio < y->ratio ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* A long flat middle is a good model. */
void validate_draw_scurve(const struct validate *v, struct strbuf *b)
{
    static const double marks[] = {0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2};
    struct err e;
    size_t count;
    const struct validated **order = validate_worst(v, &count, &e);
    struct frame p = {.b = b, .x0 = 0, .x1 = (double)count + 1, .y0 = log(0.4), .y1 = log(2.5)};

    if (!order) {
        b->failed = true;
        return;
    }
    array_sort(order, count, sizeof(void *), by_ratio);
    begin(&p, "Simulated / measured, rows in ascending order", "rows", "simulated / measured");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        line(&p, p.x0, log(marks[i]), p.x1, log(marks[i]), marks[i] >= 1 && marks[i] <= 1 ? "#111" : "#ddd");
        strbuf_addf(b, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6,
                    at_y(&p, log(marks[i])) + 4, marks[i]);
    }
    for (size_t i = 0; i < count; i++) {
        double y = log(order[i]->ratio);

        dot(&p, (double)i + 1, y < p.y0 ? p.y0 : y > p.y1 ? p.y1 : y, order[i]);
    }
    end(&p);
    free(order);
}

/* The decades that hold all values. Rows have different units: each is compared with itself only. */
static void decades(const struct validate *v, struct frame *p)
{
    p->x0 = 1e9;
    p->x1 = -1e9;
    for (size_t i = 0; i < v->count; i++) {
        const struct validated *r = &v->rows[i];

        if (isnan(r->ratio))
            continue;
        p->x0 = fmin(p->x0, floor(log10(fmin(r->measured, r->simulated))));
        p->x1 = fmax(p->x1, ceil(log10(fmax(r->measured, r->simulated))));
    }
    if (p->x0 > p->x1)
        p->x0 = p->x1 = 0;
    if (p->x0 >= p->x1)
        p->x1 = p->x0 + 1;
    p->y0 = p->x0;
    p->y1 = p->x1;
}

void validate_draw_scatter(const struct validate *v, struct strbuf *b)
{
    struct frame p = {.b = b};

    decades(v, &p);
    begin(&p, "Simulated over measured values", "measured (unit of the row; 1 / bandwidth)", "simulated");
    for (int k = (int)p.x0; k <= (int)p.x1; k++) {
        line(&p, k, p.y0, k, p.y1, "#ddd");
        line(&p, p.x0, k, p.x1, k, "#ddd");
        strbuf_addf(b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", at_x(&p, k), HEIGHT - 24,
                    pow(10, k));
        strbuf_addf(b, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6, at_y(&p, k) + 4,
                    pow(10, k));
    }
    line(&p, p.x0, p.y0, p.x1, p.y1, "#111");
    for (size_t i = 0; i < v->count; i++)
        if (!isnan(v->rows[i].ratio))
            dot(&p, log10(v->rows[i].measured), log10(v->rows[i].simulated), &v->rows[i]);
    end(&p);
}

static int write_picture(const struct validate *v, void (*draw)(const struct validate *, struct strbuf *),
                         const char *folder, const char *name, struct err *e)
{
    struct strbuf b = {0};
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    draw(v, &b);
    return validate_put(&b, path, e);
}

int validate_write_pictures(const struct validate *v, const char *folder, struct err *e)
{
    return write_picture(v, validate_draw_scurve, folder, "validation-scurve.svg", e) < 0 ||
                   write_picture(v, validate_draw_scatter, folder, "validation-scatter.svg", e) < 0
               ? -1
               : 0;
}
