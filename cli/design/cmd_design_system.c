/* vivace design list --systems, and show of a system: its parameters, its channels, what a copy between two of its
 * nodes takes. */
#include <string.h>

#include "base/array.h"
#include "cli/design/cmd_design.h"
#include "cli/output/table.h"
#include "wire/json.h"

/* --- list --- */

static const struct table_column list_columns[] = {
    {"system", "name", false, false},      {"GPUs", "gpus", true, false},
    {"GPU", "design", false, false},       {"CPUs", "cpus", true, false},
    {"switches", "switches", true, false}, {"GPU to GPU GB/s", "gbs", true, false},
    {"title", "title", false, true},       {NULL, "sha256", false, false},
};

/* Routes of one kind pair, over links of the same names, with the same figures. */
struct way {
    enum system_kind from, to;
    uint32_t first, last; /* the first pair that takes it */
    uint64_t pairs;
    struct system_route route;
};
struct ways {
    struct way *items;
    size_t count, capacity;
};

static bool same_way(const struct system_design *s, const struct way *w, uint32_t from, uint32_t to,
                     const struct system_route *r)
{
    if (w->from != s->nodes[from].kind || w->to != s->nodes[to].kind || w->route.hops != r->hops ||
        w->route.latency_ps != r->latency_ps || w->route.gbs != r->gbs)
        return false;
    for (uint32_t i = 0; i < r->hops; i++)
        if (s->channels[w->route.channel[i]].link != s->channels[r->channel[i]].link ||
            s->channels[w->route.channel[i]].links != s->channels[r->channel[i]].links)
            return false;
    return true;
}

static int add_pair(const struct system_design *s, struct ways *w, bool each, uint32_t from, uint32_t to,
                    const struct system_route *r, struct err *e)
{
    size_t i = each ? w->count : 0;

    while (i < w->count && !same_way(s, &w->items[i], from, to, r))
        i++;
    if (i == w->count) {
        if (array_reserve((void **)&w->items, &w->capacity, w->count + 1, sizeof *w->items, e) < 0)
            return -1;
        w->items[w->count++] = (struct way){s->nodes[from].kind, s->nodes[to].kind, from, to, 0, *r};
    }
    w->items[i].pairs++;
    return 0;
}

/* The ways between GPUs, and between GPUs and CPUs. each: one for each pair. */
static int find_ways(const struct system_design *s, bool each, struct ways *out, struct err *e)
{
    struct system_route *routes = mem_zalloc(s->node_count, sizeof *routes, e);
    int ret = routes ? 0 : -1;

    memset(out, 0, sizeof *out);
    for (uint32_t from = 0; from < s->node_count && ret == 0; from++) {
        system_routes_after(s, from, routes);
        for (uint32_t to = from + 1; to < s->node_count && ret == 0; to++) {
            bool gpu = s->nodes[from].kind == SYSTEM_GPU || s->nodes[to].kind == SYSTEM_GPU;
            bool ends = s->nodes[from].kind != SYSTEM_SWITCH && s->nodes[to].kind != SYSTEM_SWITCH;

            if (gpu && ends && routes[to].hops)
                ret = add_pair(s, out, each, from, to, &routes[to], e);
        }
    }
    free(routes);
    return ret;
}

/* "145.6", or "13.09 to 48.53" where pairs differ. */
static int peer_rates(const struct system_design *s, char out[CLI_NUMBER], struct err *e)
{
    struct ways w;
    double least = 0, most = 0;
    int ret = find_ways(s, false, &w, e);

    for (size_t i = 0; i < w.count; i++) {
        if (w.items[i].from != SYSTEM_GPU || w.items[i].to != SYSTEM_GPU)
            continue;
        least = least == 0 || w.items[i].route.gbs < least ? w.items[i].route.gbs : least;
        most = w.items[i].route.gbs > most ? w.items[i].route.gbs : most;
    }
    snprintf(out, CLI_NUMBER, least < most ? "%.4g to %.4g" : "%.4g", least, most);
    free(w.items);
    return ret;
}

static const char *gpu_design_of(const struct system_design *s)
{
    for (uint32_t i = 0; i < s->node_count; i++)
        if (s->nodes[i].kind == SYSTEM_GPU)
            return s->nodes[i].design;
    return "";
}

static int list_row(struct table *t, const struct system_design *s, struct err *e)
{
    char gbs[CLI_NUMBER];

    if (peer_rates(s, gbs, e) < 0)
        return -1;
    table_text(t, s->name);
    table_count(t, system_count(s, SYSTEM_GPU));
    table_text(t, gpu_design_of(s));
    table_count(t, system_count(s, SYSTEM_CPU));
    table_count(t, system_count(s, SYSTEM_SWITCH));
    table_text(t, gbs);
    table_text(t, s->title);
    table_text(t, s->sha256);
    return 0;
}

static json_t *list_json(const struct system_design *s)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "name", s->name);
    json_put_str(&o, "title", s->title);
    json_put_str(&o, "design", gpu_design_of(s));
    json_put_u64(&o, "gpus", system_count(s, SYSTEM_GPU));
    json_put_u64(&o, "cpus", system_count(s, SYSTEM_CPU));
    json_put_u64(&o, "switches", system_count(s, SYSTEM_SWITCH));
    json_put_str(&o, "sha256", s->sha256);
    return json_obj_end(&o);
}

int design_list_systems(const struct cli_output *o, struct err *e)
{
    json_t *list = o->json ? json_array() : NULL;
    struct table t;
    int ret = 0;

    table_init(&t, list_columns, sizeof list_columns / sizeof *list_columns);
    for (const char *const *name = system_builtin_names(); *name && ret == 0; name++) {
        struct system_design *s = NULL;

        ret = system_load(*name, &s, e);
        if (ret == 0)
            ret = list_row(&t, s, e);
        if (ret == 0 && list && json_array_append_new(list, list_json(s)) < 0)
            ret = err_no_memory(e);
        system_free(s);
    }
    if (ret == 0)
        ret = list ? cli_print_json(json_pack("{s:O}", "systems", list), e) : table_print(&t, o->csv, stdout, e);
    json_decref(list);
    table_release(&t);
    return ret;
}

/* --- ways: what a copy takes, by pair --- */

enum { KILOBYTES_4 = 4096, MEGABYTES_64 = 64 << 20 };

static const struct table_column way_columns[] = {
    {"from", "from", false, false},    {"to", "to", false, false},
    {"pairs", "pairs", true, false},   {"over", "over", false, true},
    {"GB/s", "gbs", true, false},      {"latency ns", "latency_ns", true, false},
    {"4 KiB", "us_4kib", true, false}, {"64 MiB", "us_64mib", true, false},
};

/* "nvlink x6, nvlink x48, nvlink x6". */
static void way_links(const struct system_design *s, const struct system_route *r, struct strbuf *out)
{
    for (uint32_t i = 0; i < r->hops; i++) {
        const struct system_channel *c = &s->channels[r->channel[i]];

        strbuf_addf(out, "%s%s", i ? ", " : "", s->link[c->link].name);
        if (c->links > 1)
            strbuf_addf(out, " x%u", c->links);
    }
}

static void time_cell(struct table *t, uint64_t ps)
{
    char text[NUM_TEXT];

    table_number(t, (double)ps / 1e6, format_duration((double)ps / 1e12, text));
}

static int way_row(struct table *t, const struct system_design *s, const struct way *w, struct err *e)
{
    struct strbuf over = STRBUF_INIT;
    char text[CLI_NUMBER];

    way_links(s, &w->route, &over);
    if (over.failed) {
        strbuf_release(&over);
        return err_no_memory(e);
    }
    table_text(t, s->nodes[w->first].name);
    table_text(t, s->nodes[w->last].name);
    table_count(t, w->pairs);
    table_text(t, over.text);
    table_number(t, w->route.gbs, cli_number(w->route.gbs, text));
    table_number(t, (double)w->route.latency_ps / 1000, cli_number((double)w->route.latency_ps / 1000, text));
    time_cell(t, system_copy_ps(s, &w->route, KILOBYTES_4));
    time_cell(t, system_copy_ps(s, &w->route, MEGABYTES_64));
    strbuf_release(&over);
    return 0;
}

static int ways_table(const struct system_design *s, const struct ways *w, bool csv, struct err *e)
{
    struct table t;
    int ret = 0;

    table_init(&t, way_columns, sizeof way_columns / sizeof *way_columns);
    for (size_t i = 0; i < w->count && ret == 0; i++)
        ret = way_row(&t, s, &w->items[i], e);
    if (ret == 0)
        ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    return ret;
}

static json_t *route_json(const struct system_design *s, const struct system_route *r)
{
    json_t *nodes = json_array(), *links = json_array();
    struct json_obj o = json_obj_begin();
    int ret = 0;

    for (uint32_t i = 0; i <= r->hops; i++)
        ret |= json_array_append_new(nodes, json_string(s->nodes[r->node[i]].name));
    for (uint32_t i = 0; i < r->hops; i++)
        ret |= json_array_append_new(links, json_string(s->link[s->channels[r->channel[i]].link].name));
    json_put(&o, "nodes", nodes);
    json_put(&o, "links", links);
    json_put_double(&o, "gbs", r->gbs);
    json_put_double(&o, "latency_ns", (double)r->latency_ps / 1000);
    o.failed |= ret != 0;
    return json_obj_end(&o);
}

json_t *system_ways_json(const struct system_design *s, bool each, struct err *e)
{
    json_t *list = json_array();
    struct ways w;
    int ret = find_ways(s, each, &w, e);

    for (size_t i = 0; i < w.count && ret == 0; i++) {
        json_t *row = route_json(s, &w.items[i].route);

        if (!row || json_object_set_new(row, "pairs", json_integer((json_int_t)w.items[i].pairs)) < 0 ||
            json_array_append_new(list, row) < 0)
            ret = err_no_memory(e);
    }
    free(w.items);
    if (ret == 0)
        return list;
    json_decref(list);
    return NULL;
}

/* --- one copy --- */

static int find_node(const struct system_design *s, const char *name, const char *option, uint32_t *out,
                     struct err *e)
{
    *out = system_node_find(s, name);
    if (*out != UINT32_MAX)
        return 0;
    err_set(e, ERR_NOT_FOUND, "--%s: %s has no node `%.40s`", option, s->name, name);
    return err_hint(e, "its first node is %s, its last %s", s->nodes[0].name, s->nodes[s->node_count - 1].name);
}

static int print_copy(const struct system_design *s, const struct system_route *r, uint64_t bytes,
                      const struct cli_output *o, struct err *e)
{
    double ps = (double)system_copy_ps(s, r, bytes), gbs = (double)bytes / ps * 1000;
    char size[CLI_NUMBER], rate[CLI_NUMBER], time[NUM_TEXT];
    struct strbuf over = STRBUF_INIT;

    if (o->json) {
        json_t *copy = route_json(s, r);

        if (copy && (json_object_set_new(copy, "bytes", json_integer((json_int_t)bytes)) < 0 ||
                     json_object_set_new(copy, "us", json_real(ps / 1e6)) < 0 ||
                     json_object_set_new(copy, "copy_gbs", json_real(gbs)) < 0)) {
            json_decref(copy);
            copy = NULL;
        }
        return cli_print_json(copy, e);
    }
    way_links(s, r, &over);
    for (uint32_t i = 0; i <= r->hops; i++)
        printf("%s%s", i ? " – " : "route    ", s->nodes[r->node[i]].name);
    printf("\nlinks    %s\n", over.text);
    strbuf_release(&over);
    printf("limit    %s GB/s of data, one way; latency %s\n", cli_number(r->gbs, rate),
           format_duration((double)r->latency_ps / 1e12, time));
    printf("copy     %s of data in %s", cli_bytes((double)bytes, size), format_duration(ps / 1e12, time));
    printf(", %s GB/s\n", cli_number(gbs, rate));
    return 0;
}

static int show_copy(const struct system_design *s, const struct system_options *q, const struct cli_output *o,
                     struct err *e)
{
    struct system_route r;
    uint32_t from, to;

    if (!q->from || !q->to) {
        err_set(e, ERR_USAGE, "--%s is missing", q->from ? "to" : "from");
        return err_hint(e, "for example --from gpu0 --to gpu1 --bytes 1048576");
    }
    if (q->pairs)
        return err_set(e, ERR_USAGE, "--pairs excludes --from, --to and --bytes");
    if (o->csv)
        return err_set(e, ERR_USAGE,
                       "one copy is not a table: --csv excludes --from, --to and --bytes; use --json");
    if (q->bytes > SYSTEM_COPY_MAX)
        return err_set(e, ERR_USAGE, "--bytes: at most %llu", (unsigned long long)SYSTEM_COPY_MAX);
    if (find_node(s, q->from, "from", &from, e) < 0 || find_node(s, q->to, "to", &to, e) < 0 ||
        system_route(s, from, to, &r, e) < 0)
        return -1;
    if (!r.hops) {
        err_set(e, ERR_NOT_FOUND, "there is no route from %s to %s", q->from, q->to);
        return from == to ? err_hint(e, "both are the same node") : err_hint(e, "GPUs do not forward");
    }
    return print_copy(s, &r, q->bytes ? q->bytes : MEGABYTES_64, o, e);
}

int system_show_copies(const struct system_design *s, const struct system_options *q, const struct cli_output *o,
                       struct err *e)
{
    struct ways w;
    int ret;

    if (q->from || q->to || q->bytes)
        return show_copy(s, q, o, e);
    if (o->json)
        return cli_print_json(json_pack("{s:s, s:o}", "name", s->name, "pairs", system_ways_json(s, true, e)), e);
    ret = find_ways(s, q->pairs, &w, e);
    if (ret == 0)
        ret = ways_table(s, &w, o->csv, e);
    free(w.items);
    return ret;
}
