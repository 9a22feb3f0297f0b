#include "cli/client/farm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const json_t *farm_member(const json_t *item, const char *path)
{
    char name[64];

    while (item && *path) {
        size_t n = strcspn(path, ".");

        if (n >= sizeof name)
            return NULL;
        memcpy(name, path, n);
        name[n] = '\0';
        item = json_object_get(item, name);
        path += n + (path[n] == '.');
    }
    return item;
}

json_t *farm_list(const char *names)
{
    json_t *list = json_array();

    while (list && *names) {
        size_t n = strcspn(names, ",");

        if (n > 0 && json_array_append_new(list, json_stringn(names, n)) < 0) {
            json_decref(list);
            return NULL;
        }
        names += n + (names[n] == ',');
    }
    return list;
}

const char *farm_text(const json_t *item, const char *path)
{
    const char *s = json_string_value(farm_member(item, path));

    return s ? s : "";
}

double farm_number(const json_t *item, const char *path)
{
    const json_t *v = farm_member(item, path);
    struct err ignored;
    double x;

    if (json_is_number(v))
        return json_number_value(v);
    return json_is_string(v) && parse_double(json_string_value(v), path, &x, &ignored) == 0 ? x : NAN;
}

uint64_t farm_count(const json_t *item, const char *path)
{
    const json_t *v = farm_member(item, path);
    struct err ignored;
    uint64_t n = 0;

    if (json_is_integer(v))
        return json_integer_value(v) > 0 ? (uint64_t)json_integer_value(v) : 0;
    return json_is_string(v) && parse_u64(json_string_value(v), path, &n, &ignored) == 0 ? n : 0;
}

int farm_path_add(struct strbuf *path, const char *before, const char *id, struct err *e)
{
    size_t of = strlen(before);

    if (!*id && of > 2 && before[of - 1] == '/') /* "/jobs/" */
        return err_set(e, ERR_USAGE, "missing %.*s id", (int)of - 3, before + 1);
    strbuf_adds(path, before);
    api_escape(path, id);
    return path->failed ? err_no_memory(e) : 0;
}

char *farm_path(const char *before, const char *id, const char *after, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *text;

    if (farm_path_add(&b, before, id, e) < 0) {
        strbuf_release(&b);
        return NULL;
    }
    strbuf_adds(&b, after);
    text = strbuf_detach(&b);
    if (!text)
        err_no_memory(e);
    return text;
}

int farm_change(struct api *api, const char *noun, const char *before, const char *id, json_t *change,
                const char *said, struct err *e)
{
    char *path = farm_path(before, id, "", e);
    int ret = path && change ? api_send(api, "PATCH", path, change, e) : -1;

    if (!path)
        json_decref(change);
    else if (!change)
        err_no_memory(e);
    free(path);
    if (ret == 0)
        printf("%s %s %s\n", noun, id, said);
    return ret;
}

int farm_delete(struct api *api, const char *noun, const char *before, const char *id, struct err *e)
{
    char *path = farm_path(before, id, "", e);
    int ret = path ? api_delete(api, path, e) : -1;

    free(path);
    if (ret == 0)
        printf("%s %s is deleted\n", noun, id);
    return ret;
}

json_t *farm_list_all(struct api *api, const char *path, const struct farm_query *query, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    json_t *items = NULL;
    char between = '?';

    strbuf_adds(&b, path);
    for (; query->name; query++)
        if (query->value) {
            strbuf_addf(&b, "%c%s=", between, query->name);
            api_escape(&b, query->value);
            between = '&';
        }
    if (b.failed)
        err_no_memory(e);
    else
        items = api_list_all(api, b.text, e);
    strbuf_release(&b);
    return items;
}

json_t *farm_get(struct api *api, const char *before, const char *id, const char *after, struct err *e)
{
    char *path = farm_path(before, id, after, e);
    json_t *v = NULL;

    if (path && api_get(api, path, &v, e) == 0 && !v)
        err_set(e, ERR_NETWORK, "%s%s: an empty answer", api_url(api), path);
    free(path);
    return v;
}

/* --- Tables --- */

static void add_list(struct table *t, const json_t *list, const char *open, const char *between, const char *close)
{
    struct strbuf b = STRBUF_INIT;
    char number[NUM_TEXT];

    strbuf_adds(&b, open);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *v = json_array_get(list, i);

        strbuf_adds(&b, i ? between : "");
        strbuf_adds(&b, json_is_string(v) ? json_string_value(v) : num_format(json_number_value(v), number));
    }
    strbuf_adds(&b, close);
    table_text(t, b.text);
    strbuf_release(&b);
}

static void add_number(struct table *t, double x, enum farm_kind kind)
{
    char text[CLI_NUMBER], level[NUM_TEXT];

    switch (kind) {
    case FARM_PERCENT: table_number(t, x, cli_percent(x, text)); break;
    case FARM_LEVEL: table_number(t, x, format_level(x, level)); break;
    case FARM_SPEEDUP: table_number(t, x, cli_speedup(x, text)); break;
    case FARM_SECONDS: table_number(t, x, cli_seconds(x, text)); break;
    case FARM_BYTES: table_number(t, x, isfinite(x) ? cli_bytes(x, text) : "–"); break;
    default: table_number(t, x, cli_number(x, text)); break;
    }
}

/* Value and half-width are in one cell, so that both have the same decimal places. Without a half-width: the value.
 */
static void add_estimate(struct table *t, const json_t *item, const struct farm_column *c)
{
    size_t n = strcspn(c->member, ",");
    char member[80], text[CLI_NUMBER];
    double value, half;

    snprintf(member, sizeof member, "%.*s", (int)n, c->member);
    value = farm_number(item, member);
    half = farm_number(item, c->member + n + 1);
    if (c->kind == FARM_ESTIMATE_METRIC)
        table_text(t, isfinite(value) ? cli_estimate_metric(value, half, farm_text(item, "unit"), text) : "–");
    else if (!isfinite(half))
        add_number(t, value, c->kind == FARM_RATIO ? FARM_NUMBER : FARM_SECONDS);
    else if (c->kind == FARM_RATIO)
        table_text(t, cli_estimate(value, half, "×", text));
    else
        table_text(t, cli_estimate_seconds(value, half, text));
}

static void add_cell(struct table *t, const json_t *item, const struct farm_column *c)
{
    const json_t *v = farm_member(item, c->member);

    switch (c->kind) {
    case FARM_TEXT:
        table_text(t, json_is_string(v)  ? json_string_value(v)
                      : json_is_true(v)  ? "yes"
                      : json_is_false(v) ? "no"
                                         : "");
        break;
    case FARM_COUNT:
        if (!v || json_is_null(v))
            table_pair(t, "–", "");
        else
            table_count(t, farm_count(item, c->member));
        break;
    case FARM_GROUPED:
        if (json_is_array(v))
            add_list(t, v, "(", ",", ")");
        else
            table_text(t, farm_text(item, c->member));
        break;
    case FARM_LIST: add_list(t, v, "", ", ", ""); break;
    case FARM_RATIO:
    case FARM_ESTIMATE_SECONDS:
    case FARM_ESTIMATE_METRIC: add_estimate(t, item, c); break;
    default: add_number(t, farm_number(item, c->member), c->kind); break;
    }
}

static int print_table(const json_t *items, const struct farm_column *columns, size_t count, bool csv,
                       struct err *e)
{
    struct table_column *heads = calloc(count, sizeof *heads);
    struct table t;
    int ret;

    if (!heads)
        return err_no_memory(e);
    for (size_t c = 0; c < count; c++)
        heads[c] = columns[c].column;
    table_init(&t, heads, count);
    for (size_t i = 0; i < json_array_size(items); i++)
        for (size_t c = 0; c < count; c++)
            add_cell(&t, json_array_get(items, i), &columns[c]);
    ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    free(heads);
    return ret;
}

int farm_print_list(json_t *items, const struct farm_column *columns, size_t count, const struct cli_output *o,
                    const char *nothing, struct err *e)
{
    int ret = 0;

    if (!items)
        return -1;
    if (o->json)
        return cli_print_json(json_pack("{s:o}", "items", items), e);
    if (json_array_size(items) == 0 && !o->csv)
        printf("%s\n", nothing);
    else
        ret = print_table(items, columns, count, o->csv, e);
    json_decref(items);
    return ret;
}

/* Runs the command; parsed: the result of parsing its line. */
static int with_farm(int parsed, const struct cli_args *args, farm_body body, void *ctx, struct err *e)
{
    struct api *api = NULL;
    int ret;

    if (parsed)
        return cli_parsed(parsed, e);
    ret = api_open(&api, e);
    if (ret == 0)
        ret = body(api, args, ctx, e);
    api_close(api);
    return cli_end(ret, e);
}

int farm_command(int argc, char **argv, const struct cli_usage *usage, farm_body body, void *ctx)
{
    struct cli_args args;
    struct err e = {.code = ERR_NONE};

    return with_farm(cli_parse(usage, argc, argv, &args, &e), &args, body, ctx, &e);
}

int farm_verb_command(int argc, char **argv, const struct cli_usage *usage, const struct cli_verb *verbs,
                      farm_body body, void *ctx)
{
    struct cli_args args;
    struct err e = {.code = ERR_NONE};

    return with_farm(cli_parse_verb(usage, verbs, argc, argv, &args, &e), &args, body, ctx, &e);
}
