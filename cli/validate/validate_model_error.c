/* `vivace validate --model-error`: the error of whole kernels by design and kernel class (wire/model_error.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cli/validate/validate.h"

/* What the measured kernels compute, as sampling/profile/kernel_class.h defines its classes. */
static const struct {
    const char *measure; /* how it begins */
    enum kernel_class class;
} classes[] = {
    {"add2d ", CLASS_ELEMENTWISE},
    {"stream scale ", CLASS_ELEMENTWISE},
    {"stream triad ", CLASS_ELEMENTWISE},
    {"stream init ", CLASS_COPY},
    {"stream read ", CLASS_REDUCTION},
    {"conv1d ", CLASS_GEMM},
    {"matmul ", CLASS_GEMM},
    {"matvec ", CLASS_GEMM},
    {"counter quasirandom cycles", CLASS_OTHER},
    {"counter layerforward cycles", CLASS_REDUCTION},
    {"counter histogram64 cycles", CLASS_REDUCTION},
    {"counter fwt cycles", CLASS_OTHER},
};

static bool class_of(const struct fact *f, enum kernel_class *out)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (str_starts(f->measure, classes[i].measure)) {
            *out = classes[i].class;
            return true;
        }
    return false;
}

struct cell {
    size_t rows;
    double error, logs;
    struct strbuf sources; /* words */
    bool tuned;
};

static void add_source(struct cell *c, const char *source)
{
    const char *all = c->sources.length ? c->sources.text : "", *at = all;
    size_t n = strlen(source);

    for (; (at = strstr(at, source)); at++)
        if ((at == all || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return;
    strbuf_addf(&c->sources, "%s%s", *all ? " " : "", source);
}

/* A line "stream V100: ..." says that something was computed from V100's rows of this kernel. */
static bool tuned(const struct validate *v, const struct validated *r)
{
    char kernel[32], mark[80];

    snprintf(mark, sizeof mark, "%s %s:", fact_kernel(r->fact, kernel), r->fact->card);
    return strstr(v->sets[r->set].facts.tuned, mark) != NULL;
}

static void add_row(const struct validate *v, const struct validated *r, struct cell *c)
{
    c->rows++;
    c->error += fabs(r->ratio - 1);
    c->logs += log(r->ratio);
    c->tuned |= tuned(v, r);
    add_source(c, r->fact->source);
}

/* The rows of one card, by class. */
static void write_board(const struct validate *v, const struct board *b, struct strbuf *out)
{
    struct cell cells[KERNEL_CLASSES] = {0};
    enum kernel_class class;

    for (size_t i = 0; i < v->count; i++) {
        const struct validated *r = &v->rows[i];

        if (strcmp(r->fact->card, b->name) == 0 && !isnan(r->ratio) && class_of(r->fact, &class) &&
            strcmp(v->sets[r->set].name, "facts") != 0)
            add_row(v, r, &cells[class]);
    }
    for (size_t k = 0; k < KERNEL_CLASSES; k++) {
        struct cell *c = &cells[k];

        if (c->rows)
            strbuf_addf(out, "%s,%s,%zu,%.3f,%.3f,%s,%s,%s\n", b->design, kernel_class_names[k], c->rows,
                        c->error / (double)c->rows, exp(c->logs / (double)c->rows), SIMCORE_VERSION,
                        c->sources.text, c->tuned ? "yes" : "no");
        out->failed |= c->sources.failed;
        strbuf_release(&c->sources);
    }
}

int validate_write_model_error(const struct validate *v, const char *path, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    size_t header;

    strbuf_adds(
        &b, "# The simulator's error on whole kernels, by built-in design and kernel class: mean of |simulated / "
            "measured - 1| and the\n# geometric mean of simulated / measured. Made by `vivace validate "
            "--model-error FILE`; "
            "the sources are named in\n# simcore/validation/kernels.csv. tuned: a parameter was computed from some "
            "of these "
            "rows. What has no row was not measured.\n"
            "design,class,rows,error,bias,simulator,source,tuned\n");
    header = b.length;
    for (size_t i = 0; i < v->boards.count; i++)
        if (!v->boards.items[i].changes[0])
            write_board(v, &v->boards.items[i], &b);
    if (b.length == header && !b.failed) {
        strbuf_release(&b);
        return err_set(e, ERR_USAGE,
                       "--model-error: no row is a whole kernel on a built-in design; add --set kernels");
    }
    return validate_put(&b, path, e);
}
