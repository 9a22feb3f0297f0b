/* vivace design collective: what a collective operation takes on a system, by size, and by which algorithm. */
#include <string.h>

#include "base/conf.h"
#include "cli/design/cmd_design.h"
#include "cli/output/table.h"
#include "simcore/system/collective.h"
#include "wire/json.h"

static const char collective_text[] =
    "Shows what a collective operation of NCCL takes on a system: by size, with the algorithm and protocol that "
    "take\n"
    "least time; or, with --size, every way to do it. The size is that of nccl-tests: the whole array, of "
    "all-gather\n"
    "and reduce-scatter too. The bus bandwidth is theirs as well. The first GPUs of the system are the ranks.\n"
    "A collective is alone: it shares no link with others. docs/systems.md has the assumptions.\n"
    "\n"
    "Operations: allreduce, allgather, reducescatter, broadcast, sendrecv (from gpu0 to gpu1).\n"
    "Algorithms: ring, tree, nvls (reductions in the switch), direct (sendrecv). Protocols: LL, LL128, Simple.\n"
    "\n"
    "Examples:\n"
    "  vivace design collective dgx-a100\n"
    "  vivace design collective hgx-h100 --op allreduce --size 1GiB\n"
    "  vivace design collective hgx-h100 --op allgather --ranks 4 --algorithm ring --csv\n"
    "  vivace design collective ./half-nvlink.json --size 16MiB --json";

struct question {
    const struct system_design *system;
    struct collective_fabric fabric;
    enum collective_op op;
    struct collective_limits limits;
    uint64_t size; /* 0: a table of sizes */
};

/* --- what one way takes --- */

static void put_way(struct json_obj *o, const struct collective_way *w)
{
    json_put_str(o, "algorithm", collective_algorithm_names[w->algorithm]);
    json_put_str(o, "protocol", collective_protocol_names[w->protocol]);
    json_put_double(o, "us", w->us);
    json_put_double(o, "latency_us", w->latency_us);
    json_put_double(o, "bus_gbs", w->bus_gbs);
}

static json_t *way_json(const struct collective_way *w)
{
    struct json_obj o = json_obj_begin();

    put_way(&o, w);
    return json_obj_end(&o);
}

static void time_cell(struct table *t, double us)
{
    char text[NUM_TEXT];

    table_number(t, us, format_duration(us / 1e6, text));
}

static void rate_cell(struct table *t, double gbs)
{
    char text[CLI_NUMBER];

    table_number(t, gbs, cli_number(gbs, text));
}

static void way_cells(struct table *t, const struct collective_way *w)
{
    table_text(t, collective_algorithm_names[w->algorithm]);
    table_text(t, collective_protocol_names[w->protocol]);
    time_cell(t, w->us);
    time_cell(t, w->latency_us);
    time_cell(t, w->us - w->latency_us);
    rate_cell(t, w->bus_gbs);
}

/* --- by size --- */

static const struct table_column size_columns[] = {
    {"size", "bytes", true, false},         {"algorithm", "algorithm", false, false},
    {"protocol", "protocol", false, false}, {"time", "us", true, false},
    {"latency", "latency_us", true, false}, {"transfer", "transfer_us", true, false},
    {"bus GB/s", "bus_gbs", true, false},   {"why", "why", false, true},
};

/* "tree LL128 +12 %": the next best way; "the only way". */
static void why_text(const struct collective_way *ways, size_t n, char *out, size_t room)
{
    if (n > 1)
        snprintf(out, room, "next: %s %s, %+.1f %%", collective_algorithm_names[ways[1].algorithm],
                 collective_protocol_names[ways[1].protocol], (ways[1].us / ways[0].us - 1) * 100);
    else
        snprintf(out, room, "the only way");
}

static json_t *size_json(uint64_t bytes, const struct collective_way *ways, size_t n)
{
    struct json_obj o = json_obj_begin();
    char why[96];

    why_text(ways, n, why, sizeof why);
    json_put_u64(&o, "bytes", bytes);
    put_way(&o, &ways[0]);
    json_put_str(&o, "why", why);
    return json_obj_end(&o);
}

static void size_row(struct table *t, uint64_t bytes, const struct collective_way *ways, size_t n)
{
    char text[CLI_NUMBER], why[96];

    why_text(ways, n, why, sizeof why);
    table_number(t, (double)bytes, cli_bytes((double)bytes, text));
    way_cells(t, &ways[0]);
    table_text(t, why);
}

/* --- every way to do it at one size --- */

static const struct table_column way_columns[] = {
    {"algorithm", "algorithm", false, false},
    {"protocol", "protocol", false, false},
    {"time", "us", true, false},
    {"latency", "latency_us", true, false},
    {"transfer", "transfer_us", true, false},
    {"bus GB/s", "bus_gbs", true, false},
};

/* "ring with LL128 takes the least time; ..." */
static void print_why(const struct collective_way *ways, size_t n)
{
    const struct collective_way *a = &ways[0], *b = &ways[1];

    printf("\n%s with %s ", collective_algorithm_names[a->algorithm], collective_protocol_names[a->protocol]);
    if (n == 1) {
        printf("is the only way.\n");
        return;
    }
    printf("takes the least time. The next, %s with %s, takes %.1f %% more: its ",
           collective_algorithm_names[b->algorithm], collective_protocol_names[b->protocol],
           (b->us / a->us - 1) * 100);
    if (b->latency_us - a->latency_us > b->us - a->us)
        printf("latency is longer, which its shorter transfer does not make up for.\n");
    else if (b->latency_us > a->latency_us)
        printf("latency and its transfer are longer.\n");
    else
        printf("transfer is longer, which its shorter latency does not make up for.\n");
}

/* --- the answer --- */

/* The fabric in one line each: what the ring and the switch carry. */
static void print_head(const struct question *q)
{
    const struct collective_fabric *f = &q->fabric;
    char gbs[CLI_NUMBER], us[CLI_NUMBER], channels[CLI_NUMBER];

    printf("%s: %s over %u GPUs, %s\n", q->system->name, collective_op_names[q->op], f->ranks,
           cli_counted(q->limits.channels ? q->limits.channels : f->channels, "channel", NULL, channels));
    printf("ring     %s GB/s one way, limited by %s; %s ns a hop\n", cli_number(f->ring_gbs, gbs), f->limit,
           cli_number(f->hop_us * 1000, us));
    printf("switch   %s\n\n", f->nvls_gbs > 0 ? "reduces (nvls)" : "does not reduce");
}

static json_t *head_json(const struct question *q)
{
    const struct collective_fabric *f = &q->fabric;
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "system", q->system->name);
    json_put_str(&o, "sha256", q->system->sha256);
    json_put_str(&o, "op", collective_op_names[q->op]);
    json_put_u64(&o, "ranks", f->ranks);
    json_put_u64(&o, "channels", q->limits.channels ? q->limits.channels : f->channels);
    json_put_u64(&o, "rings", f->rings);
    json_put_double(&o, "ring_gbs", f->ring_gbs);
    json_put_str(&o, "ring_limit", f->limit);
    json_put_double(&o, "hop_us", f->hop_us);
    json_put_double(&o, "nvls_gbs", f->nvls_gbs);
    return json_obj_end(&o);
}

static int add_rows(const struct question *q, struct table *t, json_t *list, size_t *rows, struct err *e)
{
    static const uint64_t smallest = 1024, largest = UINT64_C(1) << 30;
    struct collective_way ways[COLLECTIVE_WAYS_MAX];
    int ret = 0;

    *rows = 0;
    for (uint64_t bytes = q->size ? q->size : smallest; bytes <= (q->size ? q->size : largest) && ret == 0;
         bytes *= 4) {
        size_t n = collective_ways(&q->fabric, q->op, q->limits, bytes, ways);

        for (size_t i = 0; i < n && ret == 0 && (i == 0 || q->size); i++, ++*rows) {
            ret = json_array_append_new(list, q->size ? way_json(&ways[i]) : size_json(bytes, ways, n)) < 0
                      ? err_no_memory(e)
                      : 0;
            if (q->size)
                way_cells(t, &ways[i]);
            else
                size_row(t, bytes, ways, n);
        }
    }
    return ret;
}

static int no_way(const struct question *q, struct err *e)
{
    err_set(e, ERR_INVALID, "%s over %u GPUs of %s cannot be done this way", collective_op_names[q->op],
            q->fabric.ranks, q->system->name);
    return err_hint(
        e, "tree is for allreduce; nvls for allreduce, allgather and reducescatter, with Simple, on switches "
           "that reduce; LL128 needs links named nvlink; direct is for sendrecv");
}

static int answer(const struct question *q, const struct cli_output *o, struct err *e)
{
    json_t *list = json_array(), *whole;
    struct table t;
    size_t rows = 0;
    int ret;

    if (q->size)
        table_init(&t, way_columns, sizeof way_columns / sizeof *way_columns);
    else
        table_init(&t, size_columns, sizeof size_columns / sizeof *size_columns);
    ret = list ? add_rows(q, &t, list, &rows, e) : err_no_memory(e);
    if (ret == 0 && rows == 0)
        ret = no_way(q, e);
    if (ret == 0 && o->json) {
        whole = head_json(q);
        if (!whole || (q->size && json_object_set_new(whole, "bytes", json_integer((json_int_t)q->size)) < 0) ||
            json_object_set(whole, q->size ? "ways" : "sizes", list) < 0) {
            json_decref(whole);
            whole = NULL;
        }
        ret = cli_print_json(whole, e);
    } else if (ret == 0) {
        if (!o->csv)
            print_head(q);
        ret = table_print(&t, o->csv, stdout, e);
    }
    if (ret == 0 && q->size && !o->json && !o->csv) {
        struct collective_way ways[COLLECTIVE_WAYS_MAX];
        size_t n = collective_ways(&q->fabric, q->op, q->limits, q->size, ways);

        print_why(ways, n);
    }
    table_release(&t);
    json_decref(list);
    return ret;
}

/* --- the command line --- */

struct options {
    const char *op, *size, *algorithm, *protocol;
    uint64_t ranks, channels;
};

/* -1 in *out where the option was not given. */
static int find_word(const char *const *names, const char *word, const char *option, int *out, struct err *e)
{
    struct strbuf known = STRBUF_INIT;

    *out = word ? collective_find(names, word) : -1;
    if (!word || *out >= 0)
        return 0;
    for (size_t i = 0; names[i]; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", names[i]);
    err_set(e, ERR_USAGE, "--%s: there is no `%.40s`", option, word);
    err_hint(e, "it is one of %s", known.text);
    strbuf_release(&known);
    return -1;
}

static int read_question(const struct options *g, struct question *q, struct err *e)
{
    int op, count = (int)system_count(q->system, SYSTEM_GPU);

    if (find_word(collective_op_names, g->op, "op", &op, e) < 0 ||
        find_word(collective_algorithm_names, g->algorithm, "algorithm", &q->limits.algorithm, e) < 0 ||
        find_word(collective_protocol_names, g->protocol, "protocol", &q->limits.protocol, e) < 0)
        return -1;
    q->op = (enum collective_op)op;
    if (g->size && conf_parse_bytes(g->size, "--size", &q->size, e) < 0)
        return -1;
    if (g->size && (!q->size || q->size > SYSTEM_COPY_MAX))
        return err_set(e, ERR_USAGE, "--size: must be 1 byte to 1 TiB, not %.40s", g->size);
    if (g->channels > COLLECTIVE_CHANNELS_MAX)
        return err_set(e, ERR_USAGE, "--channels: at most %d, as NCCL has", COLLECTIVE_CHANNELS_MAX);
    if (g->ranks > (uint64_t)count)
        return err_set(e, ERR_USAGE, "--ranks: %s has %d GPUs, not %llu", q->system->name, count,
                       (unsigned long long)g->ranks);
    q->limits.channels = (uint32_t)g->channels;
    return collective_fabric_make(q->system, g->ranks ? (uint32_t)g->ranks : (uint32_t)count, &q->fabric, e);
}

int design_collective(int argc, char **argv)
{
    struct cli_output output = {0};
    struct options g = {.op = "allreduce"};
    const struct cli_option options[] = {
        {"op", 0, CLI_TEXT, "NAME", &g.op, "the operation (default: allreduce)"},
        {"size", 0, CLI_TEXT, "BYTES", &g.size, "only this size, such as 16MiB, with all algorithms"},
        {"ranks", 0, CLI_COUNT, "N", &g.ranks, "the first N GPUs (default: all)"},
        {"algorithm", 0, CLI_TEXT, "NAME", &g.algorithm, "only this algorithm: ring, tree, nvls or direct"},
        {"protocol", 0, CLI_TEXT, "NAME", &g.protocol, "only this protocol: LL, LL128 or Simple"},
        {"channels", 0, CLI_COUNT, "N", &g.channels, "channels of NCCL (default: two for each link, at most 24)"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "design collective", "SYSTEM|FILE", collective_text, options, &output, true, 1, 1};
    struct cli_args args;
    struct system_design *s = NULL;
    struct question q = {.size = 0};
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    ret = system_load(args.items[0], &s, &e);
    q.system = s;
    if (ret == 0)
        ret = read_question(&g, &q, &e);
    if (ret == 0)
        ret = answer(&q, &output, &e);
    system_free(s);
    return cli_end(ret, &e);
}
