/* The pictures: plain SVG, the same bytes for the same ratios. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/ratios.h"

enum { WIDTH = 720, HEIGHT = 400, LEFT = 56, BOTTOM = 40, TOP = 34, RIGHT = 12, SUITES_MAX = 6 };
static const char *const colors[SUITES_MAX] = {"#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626", "#475569"};

struct frame {
    FILE *f;
    double x0, x1, y0, y1; /* what the axes span; logarithms where the axis is logarithmic */
    char suite[SUITES_MAX][16];
    size_t suites;
};

static double at_x(const struct frame *p, double x)
{
    return LEFT + (x - p->x0) / (p->x1 - p->x0) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const struct frame *p, double y)
{
    return HEIGHT - BOTTOM - (y - p->y0) / (p->y1 - p->y0) * (HEIGHT - BOTTOM - TOP);
}

static size_t color_of(struct frame *p, const char *suite)
{
    for (size_t i = 0; i < p->suites; i++)
        if (strcmp(p->suite[i], suite) == 0)
            return i;
    if (p->suites == SUITES_MAX)
        return SUITES_MAX - 1;
    snprintf(p->suite[p->suites], sizeof p->suite[0], "%s", suite);
    return p->suites++;
}

static void begin(struct frame *p, const char *title, const char *across, const char *up)
{
    fprintf(p->f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
            "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            WIDTH, HEIGHT, title, WIDTH, HEIGHT, (LEFT + WIDTH) / 2, HEIGHT - 6, across,
            (TOP + HEIGHT - BOTTOM) / 2, up);
}

static void line(const struct frame *p, double xa, double ya, double xb, double yb, const char *stroke)
{
    fprintf(p->f, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" fill=\"none\"/>\n", at_x(p, xa), at_y(p, ya),
            at_x(p, xb), at_y(p, yb), stroke);
}

static void dot(struct frame *p, double x, double y, const struct ratio *r)
{
    fprintf(p->f,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s, %s: simulated / measured %.2f</title>"
            "</circle>\n",
            at_x(p, x), at_y(p, y), colors[color_of(p, r->suite)], r->fact->card, r->fact->measure, r->value);
}

static int end(struct frame *p, const char *path, struct err *e)
{
    for (size_t i = 0; i < p->suites; i++)
        fprintf(p->f, "<circle cx=\"%zu\" cy=\"16\" r=\"4\" fill=\"%s\"/><text x=\"%zu\" y=\"20\">%s</text>\n",
                LEFT + 8 + i * 100, colors[i], LEFT + 18 + i * 100, p->suite[i]);
    fprintf(p->f, "</svg>\n");
    if (ferror(p->f) | fclose(p->f))
        return err_set_errno(e, errno, "cannot write %s", path);
    return 0;
}

static int open_picture(struct frame *p, const char *folder, const char *name, char *path, size_t n, struct err *e)
{
    snprintf(path, n, "%s/%s", folder, name);
    p->f = fopen(path, "w");
    return p->f ? 0 : err_set_errno(e, errno, "cannot write %s", path);
}

/* Kernels by simulated / measured, ascending: a long flat middle is a good model. */
static int draw_scurve(const struct ratio_list *l, const char *folder, struct err *e)
{
    static const double marks[] = {0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2};
    struct frame p = {.x0 = 0, .x1 = (double)l->count + 1, .y0 = log(0.4), .y1 = log(2.5)};
    char path[512];

    if (open_picture(&p, folder, "validation-scurve.svg", path, sizeof path, e) < 0)
        return -1;
    begin(&p, "Simulated over measured time, kernels in ascending order", "kernels", "simulated / measured");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        line(&p, p.x0, log(marks[i]), p.x1, log(marks[i]), marks[i] == 1 ? "#111" : "#ddd");
        fprintf(p.f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6,
                at_y(&p, log(marks[i])) + 4, marks[i]);
    }
    for (size_t i = 0; i < l->count; i++) {
        double y = log(l->items[i].value);

        dot(&p, (double)i + 1, y < p.y0 ? p.y0 : y > p.y1 ? p.y1 : y, &l->items[i]);
    }
    return end(&p, path, e);
}

/* Times only: a bandwidth has another unit. */
static int draw_scatter(const struct ratio_list *l, const char *folder, struct err *e)
{
    struct frame p = {.x0 = log10(30), .x1 = 5, .y0 = log10(30), .y1 = 5};
    char path[512];

    if (open_picture(&p, folder, "validation-scatter.svg", path, sizeof path, e) < 0)
        return -1;
    begin(&p, "Simulated and measured times", "measured, microseconds", "simulated, microseconds");
    for (int k = 2; k <= 5; k++) {
        line(&p, k, p.y0, k, p.y1, "#ddd");
        line(&p, p.x0, k, p.x1, k, "#ddd");
        fprintf(p.f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", at_x(&p, k), HEIGHT - 24,
                pow(10, k));
        fprintf(p.f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6, at_y(&p, k) + 4,
                pow(10, k));
    }
    line(&p, p.x0, p.y0, p.x1, p.y1, "#111");
    for (size_t i = 0; i < l->count; i++)
        if (!l->items[i].bandwidth)
            dot(&p, log10(l->items[i].silicon), log10(l->items[i].simulated), &l->items[i]);
    return end(&p, path, e);
}

int ratios_draw(const struct ratio_list *l, const char *folder, struct err *e)
{
    return draw_scurve(l, folder, e) < 0 || draw_scatter(l, folder, e) < 0 ? -1 : 0;
}
