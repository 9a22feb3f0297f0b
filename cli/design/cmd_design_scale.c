/* vivace design check, scale: checks design files, and writes designs with changed parameters. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "cli/design/cmd_design.h"
#include "wire/json.h"

static const char check_text[] =
    "Checks a design file and prints one sentence for every fault: unknown keys (with the nearest known one), "
    "missing\n"
    "keys, units, ranges, sources that are not listed, estimates without a reason, and numbers that contradict "
    "each\n"
    "other. In a system of several GPUs it also finds GPUs without a route to each other or to a CPU, two channels "
    "of "
    "one\n"
    "kind between two nodes, more links than ports, and impossible rates. For a file without faults it prints the "
    "hash. The hash depends on what the file means, not on the "
    "order of\n"
    "its members or the spelling of its numbers. The exit code is 0 only without a fault.\n"
    "\n"
    "Examples:\n"
    "  vivace design check my-gpu.json\n"
    "  vivace design check my-gpu.json --json";

static const char scale_text[] =
    "Derives a design from another one by setting some of its parameters. The title of the result, and each "
    "changed\n"
    "parameter, say what was changed and from which value. The result passes the same checks as any file. No "
    "other\n"
    "parameter changes: if you add SMs, they share the same network ports and L2. A value is a number, `x2` for "
    "twice\n"
    "the old value, a name (sm.scheduler=gto) or a list (sm.carveouts_kb=[0,64,96]). `vivace design show NAME` "
    "lists the\n"
    "parameters.\n"
    "\n"
    "Examples:\n"
    "  vivace design scale v100 --set gpu.sms=160 --set noc.gpc_reply_bytes=x2 --out v100-wide.json\n"
    "  vivace design scale h100 --set dram.gbs=x0.5 --name h100-slow-memory --out slow.json\n"
    "  vivace design scale dgx-a100 --set links.nvlink.gbs=x0.5 --out half-nvlink.json\n"
    "  vivace simulate traces/ --gpu v100,./v100-wide.json";

/* --- check --- */

struct faults {
    json_t *list; /* for JSON; NULL: text is printed */
    size_t count;
    bool failed;
};

static void take_fault(void *ctx, const struct err *e)
{
    struct faults *f = ctx;

    f->count++;
    if (f->list)
        f->failed |= json_array_append_new(f->list, json_string(e->text)) < 0;
    else
        printf("%s%s%s%s\n", e->text, *e->hint ? " (" : "", e->hint, *e->hint ? ")" : "");
}

static int check_print_json(const char *path, const struct design_view *v, const struct faults *f, struct err *e)
{
    struct json_obj o = json_obj_begin();
    bool sound = v->design || v->system;

    json_put_str(&o, "file", path);
    json_put_str(&o, "name", sound ? design_view_name(v) : NULL);
    json_put_str(&o, "sha256", sound ? design_view_sha256(v) : NULL);
    json_put(&o, "faults", f->failed ? NULL : json_incref(f->list));
    return cli_print_json(json_obj_end(&o), e);
}

static int check(const char *path, bool json, struct err *e)
{
    struct faults f = {.list = json ? json_array() : NULL};
    struct design_view v = {.design = NULL};
    struct err print;
    int ret = system_is_named(path) ? system_check_file(path, take_fault, &f, &v.system, e)
                                    : design_check_file(path, take_fault, &f, &v.design, e);

    if (ret < 0 && !f.count)
        goto out; /* the file cannot be read at all */
    if (json && check_print_json(path, &v, &f, &print) < 0) {
        *e = print;
        ret = -1;
        goto out;
    }
    if (ret < 0)
        err_set(e, ERR_INVALID, "%s has %zu fault%s", path, f.count, f.count == 1 ? "" : "s");
    else if (!json)
        printf("%s has no fault: %s %s, %s\n", path, v.system ? "system" : "design", design_view_name(&v),
               design_view_sha256(&v));
out:
    json_decref(f.list);
    design_free(v.design);
    system_free(v.system);
    return ret;
}

int design_check(int argc, char **argv)
{
    struct cli_output output = {0};
    const struct cli_usage usage = {"design check", "FILE", check_text, NULL, &output, false, 1, 1};
    struct cli_args args;
    struct err e;
    int r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    return cli_end(check(args.items[0], output.json, &e), &e);
}

/* --- scale --- */

struct scale {
    struct cli_list set;
    const char *name, *out;
    struct design_change changes[CLI_LIST_MAX];
    char keys[CLI_LIST_MAX][64];
    struct strbuf derived_name;
};

static int read_changes(struct scale *s, struct err *e)
{
    for (size_t i = 0; i < s->set.count; i++) {
        const char *text = s->set.items[i], *equals = strchr(text, '=');
        size_t n = equals ? (size_t)(equals - text) : 0;

        if (!n || !equals[1] || n >= sizeof s->keys[i]) {
            err_set(e, ERR_USAGE, "--set %.60s: must be PARAMETER=VALUE", text);
            return err_hint(e, "for example --set gpu.sms=160");
        }
        snprintf(s->keys[i], sizeof s->keys[i], "%.*s", (int)n, text);
        s->changes[i] = (struct design_change){s->keys[i], equals + 1};
    }
    return 0;
}

enum { DESIGN_NAME_MAX = 60 };

/* Makes a name such as "v100-sms-160" or "v100-l2-kb-x2": the base, then each changed parameter without a leading
 * "gpu." and its value. Characters that a name may not contain are replaced. */
static void name_by_changes(const struct scale *s, const char *base, struct strbuf *out)
{
    strbuf_adds(out, base);
    for (size_t i = 0; i < s->set.count; i++) {
        const char *key = s->changes[i].name;

        strbuf_addc(out, '-');
        for (const char *p = str_starts(key, "gpu.") ? key + 4 : key; *p; p++)
            strbuf_addc(out, *p == '.' ? '-' : *p);
        strbuf_addc(out, '-');
        for (const char *p = s->changes[i].value; *p; p++)
            strbuf_addc(out, strchr("[], \"'+", *p) ? '_' : *p);
    }
}

static int make_name(struct scale *s, const char *base, struct err *e)
{
    struct strbuf *out = &s->derived_name;
    char hash[SHA256_HEX];
    size_t length;

    if (s->name)
        strbuf_adds(out, s->name);
    else
        name_by_changes(s, base, out);
    if (!s->name && out->length > DESIGN_NAME_MAX && !out->failed) {
        if (sha256_bytes(out->text, out->length, hash, e) < 0)
            return -1;
        strbuf_clear(out);
        strbuf_addf(out, "%.40s-%.12s", base, hash);
    }
    if (out->failed)
        return err_no_memory(e);
    if (!design_builtin_json(out->text, &length) && (strchr(out->text, '/') || !system_is_named(out->text)))
        return 0;
    err_set(e, ERR_USAGE, "--name %s: a built-in design has that name", out->text);
    return err_hint(e, "Choose another name, for example --name %s-mine.", out->text);
}

/* The text of the new design, which the caller frees. */
static int derive(struct scale *s, const struct design_view *base, char **text, struct err *e)
{
    if (make_name(s, design_view_name(base), e) < 0)
        return -1;
    if (base->system)
        return system_derive(base->system, s->derived_name.text, s->changes, s->set.count, text, e);
    return design_derive(base->design, s->derived_name.text, s->changes, s->set.count, text, e);
}

static int scale(struct scale *s, const char *base_name, struct err *e)
{
    struct design_view base;
    char *text = NULL;
    int ret;

    if (!s->set.count) {
        err_set(e, ERR_USAGE, "design scale: --set is missing");
        return err_hint(e, "for example --set gpu.sms=160");
    }
    if (read_changes(s, e) < 0 || design_view_open_any(base_name, &base, e) < 0)
        return -1;
    ret = derive(s, &base, &text, e);
    if (ret == 0)
        ret = cli_write_text(s->out, text, strlen(text), e);
    if (ret == 0)
        cli_note("%s %s, derived from %s%s%s", base.system ? "system" : "design", s->derived_name.text,
                 design_view_name(&base), s->out ? ": " : "", s->out ? s->out : "");
    free(text);
    design_view_release(&base);
    return ret;
}

int design_scale(int argc, char **argv)
{
    struct scale s = {.derived_name = STRBUF_INIT};
    const struct cli_option options[] = {
        {"set", 0, CLI_LIST, "PARAMETER=VALUE", &s.set, "what to change; may be given several times"},
        {"name", 0, CLI_TEXT, "NAME", &s.name,
         "name of the new design, not a built-in one; default: made from the changes"},
        {"out", 'o', CLI_PATH, "FILE", &s.out, "file for the new design; default: standard output"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "design scale", "NAME|FILE --set PARAMETER=VALUE ... [--out FILE]", scale_text, options, NULL, false, 1, 1};
    struct cli_args args;
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    ret = scale(&s, args.items[0], &e);
    strbuf_release(&s.derived_name);
    return cli_end(ret, &e);
}
