#include "cli/plan/methods_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/output/table.h"
#include "sampling/profile/profile.h"
#include "wire/methods_json.h"

/* --- the hold-out --- */

enum { EXAMPLES = 2 };

static void describe_side(struct strbuf *b, const struct match_side *side, const struct profile *p,
                          const char *other)
{
    char text[MATCH_LAUNCH], n[CLI_NUMBER];

    for (int why = 0; why < MATCH_REASONS; why++) {
        if (!side->count[why])
            continue;
        strbuf_addf(b, "           %s launches are not in the %s: %s\n", cli_whole(side->count[why], n), other,
                    match_reason_sentence((enum match_reason)why));
        for (size_t i = 0; i < side->example_count[why] && i < EXAMPLES; i++)
            strbuf_addf(b, "             %s\n", match_launch_text(p, side->examples[why][i], text));
    }
}

void holdout_describe(struct holdout *h, const struct match *m, const struct profile *a, const struct profile *b)
{
    h->matched = m->matched;
    h->count = a->count;
    h->other_count = b->count;
    h->share = (double)m->a.unmatched_value / (double)profile_total(a);
    h->other_share = (double)m->b.unmatched_value / (double)profile_total(b);
    describe_side(&h->report, &m->a, a, "scored profile");
    describe_side(&h->report, &m->b, b, "planned one");
}

void holdout_release(struct holdout *h)
{
    strbuf_release(&h->report);
}

/* --- means over files --- */

void means_over_files(const struct scored_file *files, size_t count, size_t row, struct method_means *out)
{
    *out = (struct method_means){.first = &files[0].v[row]};
    for (size_t f = 0; f < count; f++) {
        const struct evaluation *v = &files[f].v[row];

        if (v->why_not)
            continue;
        means_add(&out->speedup, v->speedup);
        means_add(&out->speedup_instructions, v->speedup_instructions);
        means_add(&out->speedup_seconds, v->speedup_seconds);
        means_add(&out->actual_error, v->actual_error);
        out->inside += v->inside;
        out->repeats += v->repeats;
        out->covered += v->covered;
        out->intervals += v->intervals;
    }
    means_finish(&out->speedup);
    means_finish(&out->speedup_instructions);
    means_finish(&out->speedup_seconds);
    means_finish(&out->actual_error);
}

/* --- JSON --- */

static void write_means(struct jw *w, const char *name, const struct means *m)
{
    jw_key(w, name);
    jw_object_inline(w);
    jw_key_double(w, "harmonic", m->harmonic);
    jw_key_double(w, "geometric", m->geometric);
    jw_key_double(w, "arithmetic", m->arithmetic);
    jw_end(w, '}');
}

static void write_all_means(struct jw *w, const struct scored_file *files, size_t count)
{
    jw_key(w, "means");
    jw_array(w);
    for (size_t i = 0; count > 1 && i < files[0].count; i++) {
        struct method_means m;

        means_over_files(files, count, i, &m);
        jw_object(w);
        jw_key_text(w, "method", m.first->method->name);
        jw_key_text(w, "title", m.first->method->title);
        jw_key_double(w, "error", m.first->params.error);
        jw_key_u64(w, "workloads", m.speedup.count);
        write_means(w, "speedup", &m.speedup);
        write_means(w, "speedup_instructions", &m.speedup_instructions);
        write_means(w, "speedup_seconds", &m.speedup_seconds);
        write_means(w, "actual_error", &m.actual_error);
        jw_key_u64(w, "inside", m.inside);
        jw_key_u64(w, "repeats", m.repeats);
        jw_key_u64(w, "covered", m.covered);
        jw_key_u64(w, "intervals", m.intervals);
        jw_end(w, '}');
    }
    jw_end(w, ']');
}

static void write_holdout(struct jw *w, const struct holdout *h)
{
    jw_key(w, "holdout");
    if (!h->path) {
        jw_null(w);
        return;
    }
    jw_object(w);
    jw_key_text(w, "file", h->path);
    jw_key_u64(w, "matched", h->matched);
    jw_key_u64(w, "unmatched_planned", h->count - h->matched);
    jw_key_double(w, "unmatched_planned_share", h->share);
    jw_key_u64(w, "unmatched_scored", h->other_count - h->matched);
    jw_key_double(w, "unmatched_scored_share", h->other_share);
    jw_end(w, '}');
}

static int print_json(const struct scored_file *files, size_t count, bool cloud, struct err *e)
{
    struct jw w;
    int ret;

    jw_init(&w, jw_to_file, stdout, e);
    w.indent = true;
    jw_object(&w);
    jw_key(&w, "items");
    jw_array(&w);
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f].count; i++)
            evaluation_to_json(&w, &files[f].v[i], files[f].path, cloud);
    jw_end(&w, ']');
    write_all_means(&w, files, count);
    write_holdout(&w, &files[0].holdout);
    jw_end(&w, '}');
    ret = jw_finish(&w);
    jw_release(&w);
    return ret;
}

int methods_print(const struct scored_file *files, size_t count, const struct cli_output *output, bool cloud,
                  struct err *e)
{
    if (output->json)
        return print_json(files, count, cloud, e);
    return output->csv ? methods_print_csv(files, count, e) : methods_print_text(files, count, e);
}

/* --- the list of methods --- */

static int print_list_json(struct err *e)
{
    struct jw w;
    int ret;

    jw_init(&w, jw_to_file, stdout, e);
    w.indent = true;
    jw_object(&w);
    jw_key(&w, "items");
    jw_array(&w);
    for (size_t i = 0; methods[i]; i++)
        method_to_json(&w, methods[i]);
    jw_end(&w, ']');
    jw_end(&w, '}');
    ret = jw_finish(&w);
    jw_release(&w);
    return ret;
}

static int print_list_csv(struct err *e)
{
    static const struct table_column columns[] = {{NULL, "name", false, false},
                                                  {NULL, "title", false, false},
                                                  {NULL, "sentence", false, false},
                                                  {NULL, "needs_sentence", false, false}};
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; methods[i]; i++) {
        struct strbuf needs = STRBUF_INIT;

        method_needs_text(methods[i], &needs);
        table_text(&t, methods[i]->name);
        table_text(&t, methods[i]->title);
        table_text(&t, methods[i]->sentence);
        table_text(&t, needs.text);
        strbuf_release(&needs);
    }
    ret = table_print(&t, true, stdout, e);
    table_release(&t);
    return ret;
}

int methods_print_list(const struct cli_output *output, struct err *e)
{
    if (output->json)
        return print_list_json(e);
    if (output->csv)
        return print_list_csv(e);
    for (size_t i = 0; methods[i]; i++) {
        struct strbuf needs = STRBUF_INIT;

        if (methods[i]->is_code)
            continue;
        method_needs_text(methods[i], &needs);
        printf("%s%s (%s)\n", i ? "\n" : "", methods[i]->name, methods[i]->title);
        cli_print_wrapped("", methods[i]->sentence, 4);
        cli_print_wrapped("", needs.text, 4);
        if (methods[i]->code) {
            printf("    --variant code:\n");
            cli_print_wrapped("", methods[i]->code->sentence, 8);
        }
        strbuf_release(&needs);
    }
    return 0;
}
