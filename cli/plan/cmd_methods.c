/* vivace methods: the cost and the error of every sampling method on a profile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/plan/methods_output.h"
#include "cli/input/plan_options.h"
#include "cli/input/profile_input.h"

static const char help_text[] =
    "Compares the sampling methods on profiles. Each method plans for each error; then its samples are\n"
    "drawn many times, and every draw is projected to the whole and compared with the true value, the sum\n"
    "over all launches.\n"
    "\n"
    "  strata     groups from which launches are drawn\n"
    "  samples    draws / distinct launches, where these differ\n"
    "  by time    total / time of the drawn launches (mean over the repeats); also by instructions, where\n"
    "             the profile has them, and by seconds of simulation, with --cost\n"
    "  promised   half-width of the interval that the plan aims at; * marks a promise that is about the\n"
    "             profile only, because the method's samples cannot show a spread when they are simulated\n"
    "  actual     mean error of the repeats, and the largest\n"
    "  inside     repeats within the promised error; within the requested error if the method has no promise\n"
    "  covered    repeats whose own interval contains the true value; -: no intervals\n"
    "\n"
    "An option of a single method (--share, --budget, --min-samples, ...) applies to the methods that have it.\n"
    "\n"
    "A score on the values that the plan was made from is too good, because several methods choose their\n"
    "samples by the same total. --score OTHER plans on the file and uses the values of another profile of the\n"
    "same workload (another run or another GPU), launch by launch in the order of each kernel. Launches\n"
    "without a match are reported and left out on both sides. With several files, the harmonic, geometric\n"
    "and arithmetic means follow.\n"
    "\n"
    "Examples:\n"
    "  vivace methods report.sqlite --error 1%,5%\n"
    "  vivace methods a100.sqlite --score h100.sqlite --method vivace,root\n"
    "  vivace methods bert.sqlite resnet.sqlite --error 3% --repeats 1000 --csv >methods.csv\n"
    "  vivace methods --list\n";

#define ERRORS_MAX 16
#define FILES_MAX  64

struct request {
    const char *const *paths;
    size_t path_count;
    const char *errors, *method, *score, *features;
    struct plan_options plan;
    uint64_t repeats;
    bool cloud, list;
    struct cli_output output;
    /* parsed from the texts above */
    double error[ERRORS_MAX];
    size_t error_count, method_count;
    const struct method **methods;
};

/* "1%,5%" -> 0.01, 0.05 */
static int parse_errors(struct request *q, struct err *e)
{
    char *copy = mem_strdup(q->errors, e), *rest = copy, *piece;
    int ret = copy ? 0 : -1;

    while (ret == 0 && (piece = strsep(&rest, ","))) {
        if (q->error_count == ERRORS_MAX)
            ret = err_set(e, ERR_USAGE, "--error must have at most %d values", ERRORS_MAX);
        else
            ret = parse_share(piece, "--error", &q->error[q->error_count++], e);
    }
    free(copy);
    return ret;
}

/* "vivace,root"; all methods where no list is given. */
static int parse_methods(struct request *q, struct err *e)
{
    char *copy, *rest, *piece;
    size_t all = 0;
    int ret = 0;

    while (methods[all])
        all++;
    q->methods = mem_zalloc(all, sizeof(struct method *), e);
    copy = q->methods ? mem_strdup(q->method ? q->method : "", e) : NULL;
    if (!copy)
        return -1;
    for (size_t i = 0; !q->method && i < all; i++)
        q->methods[q->method_count++] = methods[i];
    rest = copy;
    while (q->method && ret == 0 && (piece = strsep(&rest, ","))) {
        if (q->method_count == all)
            ret = err_set(e, ERR_USAGE, "--method names more methods than there are");
        else
            ret = plan_options_method(&q->plan, piece, &q->methods[q->method_count++], e);
    }
    free(copy);
    return ret;
}

/* Takes the values of the other profile for the launches of this one. Launches without a match are 0 in both
 * profiles: no method draws them, and the truth does not include them. */
static int take_values(struct profile *p, const char *path, struct holdout *h, double **y, struct err *e)
{
    const struct profile_input plain = {0};
    struct match match = {0};
    struct profile other;
    int ret = -1;

    h->path = path;
    if (profile_input_read(path, &plain, &other, e) < 0 || match_profiles(p, &other, &match, e) < 0)
        goto out;
    if (!match.matched) {
        err_set(e, ERR_INVALID, "no launch of %s is in the profile to plan on", path);
        err_hint(
            e, "--score must be another profile of the same workload: `vivace inspect` shows the kernels of both");
        goto out;
    }
    *y = mem_zalloc(p->count, sizeof **y, e);
    if (!*y)
        goto out;
    holdout_describe(h, &match, p, &other);
    for (size_t i = 0; i < p->count; i++) {
        if (match.of[i] == MATCH_NONE)
            p->value[i] = 0;
        else
            (*y)[i] = (double)other.value[match.of[i]];
    }
    ret = 0;
out:
    match_release(&match);
    profile_release(&other);
    return ret;
}

static int evaluate_all(const struct request *q, const struct profile *p, const double *y, struct scored_file *f,
                        struct err *e)
{
    f->v = mem_zalloc(q->error_count * q->method_count, sizeof *f->v, e);
    if (!f->v)
        return -1;
    for (size_t i = 0; i < q->error_count; i++) {
        for (size_t m = 0; m < q->method_count; m++) {
            struct plan_params params = q->plan.params;
            char text[CLI_NUMBER];

            params.error = q->error[i];
            cli_progress("%s at %s", q->methods[m]->name, cli_percent(params.error, text));
            if (evaluate_on(q->methods[m], p, &params, y, (unsigned)q->repeats, &f->v[f->count], e) < 0)
                return err_wrap(e, "method %s", q->methods[m]->name);
            f->count++;
        }
    }
    return 0;
}

static int score_file(const struct request *q, const char *path, struct scored_file *f, struct err *e)
{
    struct profile_input input = {.features = q->features};
    struct profile profile;
    double *y = NULL;
    int ret = -1;

    f->path = path;
    for (size_t m = 0; m < q->method_count; m++)
        input.needs |= q->methods[m]->needs;
    if (profile_input_read(path, &input, &profile, e) == 0 &&
        (!q->score || take_values(&profile, q->score, &f->holdout, &y, e) == 0))
        ret = evaluate_all(q, &profile, y, f, e);
    free(y);
    profile_release(&profile);
    return ret;
}

static int compare_methods(struct request *q, struct err *e)
{
    struct scored_file *files = mem_zalloc(q->path_count, sizeof *files, e);
    int ret = files ? 0 : -1;

    cli_progress_begin(&q->output);
    for (size_t f = 0; files && f < q->path_count; f++)
        files[f].holdout.report = (struct strbuf)STRBUF_INIT;
    for (size_t f = 0; ret == 0 && f < q->path_count; f++)
        ret = score_file(q, q->paths[f], &files[f], e);
    cli_progress_end();
    if (ret == 0)
        ret = methods_print(files, q->path_count, &q->output, q->cloud, e);
    for (size_t f = 0; files && f < q->path_count; f++) {
        for (size_t i = 0; i < files[f].count; i++)
            evaluation_release(&files[f].v[i]);
        free(files[f].v);
        holdout_release(&files[f].holdout);
    }
    free(files);
    return ret;
}

static int answer(struct request *q, struct err *e)
{
    int ret;

    if (q->list)
        return methods_print_list(&q->output, e);
    if (!q->path_count)
        return err_set(e, ERR_USAGE, "missing profile: `vivace methods FILE`, or `vivace methods --list`");
    if (q->score && q->path_count > 1)
        return err_set(e, ERR_USAGE, "--score needs exactly one file: the profile to plan on");
    if (q->features && q->path_count > 1)
        return err_set(e, ERR_USAGE, "--features needs exactly one file: the profile it belongs to");
    if (!q->repeats || q->repeats > 1000000)
        return err_set(e, ERR_USAGE, "--repeats must be between 1 and 1000000");
    if (q->plan.variant && !q->method)
        return err_set(e, ERR_USAGE, "--variant needs --method; without it all methods are compared");
    if (plan_options_finish(&q->plan, e) < 0 || parse_errors(q, e) < 0)
        return -1;
    ret = parse_methods(q, e) < 0 ? -1 : compare_methods(q, e);
    free(q->methods);
    return ret;
}

int cmd_methods(int argc, char **argv)
{
    struct request q = {.errors = "1%,5%", .plan = PLAN_OPTIONS_DEFAULT, .repeats = 100};
    const struct cli_option options[] = {
        {"error", 'e', CLI_TEXT, "LIST", &q.errors, "wanted errors, separated by commas (1%,5%)"},
        {"method", 'm', CLI_TEXT, "LIST", &q.method, "only these methods, separated by commas"},
        PROFILE_FEATURES_ROW(q),
        {"score", 0, CLI_PATH, "FILE", &q.score, "score on the values of this profile of the same workload"},
        {"repeats", 'r', CLI_U64, "N", &q.repeats, "how often each method draws (100)"},
        PLAN_OPTION_ROWS(q.plan),
        {"cloud", 0, CLI_FLAG, NULL, &q.cloud, "with --json: speedup and error of every repeat"},
        {"list", 'l', CLI_FLAG, NULL, &q.list, "describe every method and what it needs"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "methods",
                                    .synopsis = "FILE|FOLDER... [--error 1%,5%] [--score OTHER]",
                                    .text = help_text,
                                    .options = options,
                                    .output = &q.output,
                                    .csv = true,
                                    .least_args = 0,
                                    .most_args = FILES_MAX};
    struct cli_args args;
    struct err e;
    int r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    q.paths = (const char *const *)args.items;
    q.path_count = (size_t)args.count;
    return cli_end(answer(&q, &e), &e);
}
