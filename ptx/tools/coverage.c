/* ptx/tools/coverage.c: counts of executed ops, by form. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/whole_file.h"
#include "ptx/tools/run_watch.h"
#include "ptx/warp/watch.h"

#define FORMAT "vivace-ptx-coverage"
enum { COVERAGE_BYTES_MAX = 64 << 20 };

struct counted {                 /* one function */
    const struct ptx_code *code; /* not dereferenced after the run, when it may be freed */
    uint32_t ops;
    uint64_t *executed;  /* count for each op */
    struct strbuf forms; /* the forms of all ops, in order, each NUL-terminated */
};
struct ptx_coverage {
    struct ptx_watch watch;
    struct counted *functions;
    size_t count, capacity, last; /* last: the function that ran most recently */
};

static struct counted *begin_function(struct ptx_coverage *c, struct counted *f, const struct ptx_code *code,
                                      struct err *e)
{
    *f = (struct counted){.code = code, .ops = code->op_count, .forms = STRBUF_INIT};
    f->executed = mem_zalloc(code->op_count + 1, sizeof(uint64_t), e);
    if (!f->executed)
        return NULL;
    for (uint32_t k = 0; k < code->op_count; k++) {
        const struct ptx_inst *i = &code->function->insts[k];

        strbuf_addf(&f->forms, "%s%s", i->opcode, i->suffix);
        strbuf_addc(&f->forms, '\0');
    }
    c->count++;
    return f;
}

static struct counted *counted_of(struct ptx_coverage *c, const struct ptx_code *code, struct err *e)
{
    if (c->last < c->count && c->functions[c->last].code == code)
        return &c->functions[c->last];
    for (c->last = 0; c->last < c->count; c->last++)
        if (c->functions[c->last].code == code)
            return &c->functions[c->last];
    if (array_reserve((void **)&c->functions, &c->capacity, c->count + 1, sizeof *c->functions, e) != 0)
        return NULL;
    return begin_function(c, &c->functions[c->count], code, e);
}

static int before(void *ctx, const struct ptx_seen *s)
{
    struct counted *f = counted_of(ctx, s->code, s->warp->cta->e);

    if (!f)
        return -1;
    f->executed[s->op] += s->mask != 0;
    return 0;
}

struct ptx_coverage *ptx_coverage_new(struct err *e)
{
    struct ptx_coverage *c = mem_zalloc(1, sizeof *c, e);

    if (c)
        c->watch = (struct ptx_watch){.ctx = c, .before = before};
    return c;
}

const struct ptx_watch *ptx_coverage_watch(const struct ptx_coverage *c)
{
    return &c->watch;
}

void ptx_coverage_free(struct ptx_coverage *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->count; i++) {
        free(c->functions[i].executed);
        strbuf_release(&c->functions[i].forms);
    }
    free(c->functions);
    free(c);
}

static bool add_form(json_t *forms, const char *name, uint64_t executed)
{
    json_t *form = json_object_get(forms, name), *now;
    uint64_t places;

    places = form ? (uint64_t)json_integer_value(json_object_get(form, "places")) : 0;
    executed += form ? (uint64_t)json_integer_value(json_object_get(form, "executed")) : 0;
    now = json_pack("{s:I,s:I}", "places", (json_int_t)places + 1, "executed", (json_int_t)executed);
    return now && json_object_set_new(forms, name, now) == 0;
}

int ptx_coverage_write(const struct ptx_coverage *c, const char *path, struct err *e)
{
    json_t *root = json_pack("{s:s,s:i,s:{}}", "format", FORMAT, "version", 1, "forms");
    bool good = root != NULL;
    char *text;
    int ret;

    for (size_t i = 0; good && i < c->count; i++) {
        const char *form = c->functions[i].forms.text;

        good = !c->functions[i].forms.failed;
        for (uint32_t k = 0; good && k < c->functions[i].ops; k++, form += strlen(form) + 1)
            good = add_form(json_object_get(root, "forms"), form, c->functions[i].executed[k]);
    }
    text = good ? json_dumps(root, JSON_INDENT(1) | JSON_SORT_KEYS) : NULL;
    ret = text ? whole_file_write(path, text, strlen(text), e) : err_no_memory(e);
    free(text);
    json_decref(root);
    return ret;
}

/* --- comparing --- */

static json_t *read_forms(const char *path, struct err *e)
{
    json_error_t je;
    json_t *root, *forms;
    char *text;
    size_t n;

    if (whole_file_read(path, COVERAGE_BYTES_MAX, &text, &n, e) != 0)
        return NULL;
    root = json_loadb(text, n, 0, &je);
    free(text);
    forms = json_object_get(root, "forms");
    if (!json_is_object(forms) || !json_is_string(json_object_get(root, "format")) ||
        strcmp(json_string_value(json_object_get(root, "format")), FORMAT) != 0) {
        json_decref(root);
        err_set(e, ERR_MALFORMED, "%s: not a coverage file of a run", path);
        return NULL;
    }
    json_incref(forms);
    json_decref(root);
    return forms;
}

struct row {
    const char *form;
    uint64_t executed;
    size_t others; /* number of other files that have executed it */
};

static int by_others(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->others != y->others)
        return x->others < y->others ? -1 : 1;
    return strcmp(x->form, y->form);
}

static uint64_t executed_in(const json_t *forms, const char *form)
{
    return (uint64_t)json_integer_value(json_object_get(json_object_get(forms, form), "executed"));
}

static int list_forms(json_t *const *all, size_t count, struct strbuf *out, struct err *e)
{
    struct row *rows = mem_zalloc(json_object_size(all[0]) + 1, sizeof *rows, e);
    const char *form;
    json_t *value;
    size_t n = 0;

    if (!rows)
        return -1;
    json_object_foreach(all[0], form, value)
    {
        struct row r = {form, executed_in(all[0], form), 0};

        for (size_t i = 1; i < count; i++)
            r.others += executed_in(all[i], form) > 0;
        if (r.executed)
            rows[n++] = r;
    }
    qsort(rows, n, sizeof *rows, by_others);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(out, "%s\texecuted %llu times\tin %zu of %zu others\n", rows[i].form,
                    (unsigned long long)rows[i].executed, rows[i].others, count - 1);
    free(rows);
    return out->failed ? err_no_memory(e) : 0;
}

int ptx_coverage_compare(const char *const *paths, size_t count, struct strbuf *out, struct err *e)
{
    json_t **all = mem_zalloc(count + 1, sizeof(json_t *), e);
    int ret = all ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < count; i++)
        if (!(all[i] = read_forms(paths[i], e)))
            ret = -1;
    if (ret == 0)
        ret = list_forms(all, count, out, e);
    for (size_t i = 0; all && i < count; i++)
        json_decref(all[i]);
    free(all);
    return ret;
}
