/* vivace design: lists the GPU designs. */
#include "cli/design/cmd_design.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/table.h"
#include "wire/json.h"

static const char list_text[] =
    "The built-in GPU designs. Clock and bandwidth are those of the vendor's sheet "
    "unless `vivace design show` says\n"
    "otherwise. --systems lists systems of several GPUs; GB/s is the data that one copy "
    "carries one way.\n"
    "\n"
    "Examples:\n"
    "  vivace design list\n"
    "  vivace design list --csv\n"
    "  vivace design list --systems\n"
    "  vivace design list --farm";

int design_view_open(const char *name, struct design_view *out, struct err *e)
{
    memset(out, 0, sizeof *out);
    if (system_is_named(name))
        return err_set(e, ERR_USAGE, "%s is a system; here the design of one GPU is needed", name);
    if (design_load(name, &out->design, e) < 0)
        return -1;
    if (design_facts_make(out->design, &out->facts, e) < 0) {
        design_free(out->design);
        out->design = NULL;
        return -1;
    }
    return 0;
}

int design_view_open_any(const char *name, struct design_view *out, struct err *e)
{
    if (!system_is_named(name))
        return design_view_open(name, out, e);
    memset(out, 0, sizeof *out);
    if (system_load(name, &out->system, e) < 0)
        return -1;
    if (system_facts_make(out->system, &out->facts, e) == 0)
        return 0;
    system_free(out->system);
    out->system = NULL;
    return -1;
}

const char *design_view_name(const struct design_view *v)
{
    return v->system ? v->system->name : design_name(v->design);
}

const char *design_view_sha256(const struct design_view *v)
{
    return v->system ? v->system->sha256 : design_sha256(v->design);
}

void design_view_release(struct design_view *v)
{
    if (v->design || v->system)
        design_facts_release(&v->facts);
    design_free(v->design);
    system_free(v->system);
    v->design = NULL;
    v->system = NULL;
}

const char *design_value_text(const char *json, char out[CLI_NUMBER])
{
    size_t n;

    snprintf(out, CLI_NUMBER, "%s", json + (*json == '"'));
    n = strlen(out);
    if (*json == '"' && n && out[n - 1] == '"')
        out[n - 1] = '\0';
    return out;
}

/* --- list --- */

static double number(const struct design_view *v, const char *name)
{
    const struct design_fact *f = design_facts_find(&v->facts, name);

    return f ? strtod(f->value, NULL) : 0;
}

/* NVIDIA's names of its compute capabilities, from the CUDA C++ Programming Guide. */
static const char *architecture(const struct design_view *v)
{
    static const struct {
        int least;
        const char *name;
    } rows[] = {{100, "Blackwell"}, {90, "Hopper"}, {89, "Ada"},    {80, "Ampere"},
                {75, "Turing"},     {70, "Volta"},  {60, "Pascal"}, {50, "Maxwell"}};
    int capability = (int)number(v, "gpu.compute_capability");
    size_t i = 0;

    while (i + 1 < sizeof rows / sizeof *rows && capability < rows[i].least)
        i++;
    return rows[i].name;
}

static const struct table_column list_columns[] = {
    {"design", "name", false, false},    {"architecture", "architecture", false, false},
    {"SMs", "sms", true, false},         {"SM MHz", "sm_mhz", true, false},
    {"memory GB/s", "gbs", true, false}, {"L2 KB", "l2_kb", true, false},
    {"GPU", "title", false, true},       {NULL, "sha256", false, false},
};

static void list_row(struct table *t, const struct design_view *v)
{
    static const char *const numbers[] = {"gpu.sms", "clock.sm_mhz", "dram.gbs", "l2.kb"};

    table_text(t, design_name(v->design));
    table_text(t, architecture(v));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_text(t, design_facts_find(&v->facts, numbers[i])->value);
    table_text(t, v->facts.title);
    table_text(t, design_sha256(v->design));
}

static json_t *list_json(const struct design_view *v)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "name", design_name(v->design));
    json_put_str(&o, "title", v->facts.title);
    json_put_str(&o, "architecture", architecture(v));
    json_put_u64(&o, "compute_capability", (uint64_t)number(v, "gpu.compute_capability"));
    json_put_u64(&o, "sms", (uint64_t)number(v, "gpu.sms"));
    json_put_double(&o, "sm_mhz", number(v, "clock.sm_mhz"));
    json_put_double(&o, "gbs", number(v, "dram.gbs"));
    json_put_double(&o, "l2_kb", number(v, "l2.kb"));
    json_put_str(&o, "sha256", design_sha256(v->design));
    return json_obj_end(&o);
}

static int list_all(struct table *t, json_t *list, struct err *e)
{
    for (const char *const *name = design_builtin_names(); *name; name++) {
        struct design_view v;
        int ret;

        if (design_view_open(*name, &v, e) < 0)
            return -1;
        list_row(t, &v);
        ret = list ? json_array_append_new(list, list_json(&v)) : 0;
        design_view_release(&v);
        if (ret < 0)
            return err_no_memory(e);
    }
    return 0;
}

int design_list(int argc, char **argv)
{
    struct cli_output output = {0};
    bool farm = false, systems = false;
    const struct cli_option options[] = {
        {"farm", 0, CLI_FLAG, NULL, &farm, "list the designs of the farm, which runs can name"},
        {"systems", 0, CLI_FLAG, NULL, &systems, "list the built-in systems of several GPUs"},
        {.name = NULL}};
    const struct cli_usage usage = {"design list", "", list_text, options, &output, true, 0, 0};
    struct cli_args args;
    struct table t;
    json_t *list = NULL;
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    if (farm && systems)
        return cli_end(err_set(&e, ERR_USAGE, "--farm and --systems exclude each other: a farm has no systems"),
                       &e);
    if (farm || systems)
        return cli_end(farm ? farm_designs_list(&output, &e) : design_list_systems(&output, &e), &e);
    table_init(&t, list_columns, sizeof list_columns / sizeof *list_columns);
    list = output.json ? json_array() : NULL;
    ret = list_all(&t, list, &e);
    if (ret == 0 && output.json)
        ret = cli_print_json(json_pack("{s:O}", "designs", list), &e);
    else if (ret == 0)
        ret = table_print(&t, output.csv, stdout, &e);
    json_decref(list);
    table_release(&t);
    return cli_end(ret, &e);
}
