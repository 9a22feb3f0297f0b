/* simcore/system/system_read.c: converts the document of a system design to struct system_design. It reports what
 * is wrong and where, and continues with the next part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "simcore/design_read.h"
#include "simcore/system/system_internal.h"

enum { GPU = 1 << SYSTEM_GPU, CPU = 1 << SYSTEM_CPU, SWITCH = 1 << SYSTEM_SWITCH };

/* clang-format off */
const struct system_param system_params[] = {
    {PLACE_LINK, "gbs", "GB/s", "one link in one direction, packet headers included", 0.1, 10000, 0},
    {PLACE_LINK, "latency_ns", "ns", "from one end to the other", 0, 1000000, 0},
    {PLACE_LINK, "payload_bytes", "bytes", "data of a packet of a long copy", 1, 65536, 0},
    {PLACE_LINK, "header_bytes", "bytes", "beside the data of a packet", 0, 65536, 0},
    {PLACE_COPY, "peer_startup_ns", "ns", "before the first byte of a copy between GPUs", 0, 10000000, 0},
    {PLACE_COPY, "host_startup_ns", "ns", "before the first byte of a copy between host and GPU", 0, 10000000, 0},
    {PLACE_NODE, "count", "count", "nodes of the group", 1, SYSTEM_NODES_MAX, GPU | CPU | SWITCH},
    {PLACE_NODE, "cores", "count", "cores of a CPU", 1, 1024, CPU},
    {PLACE_NODE, "latency_ns", "ns", "for data that pass through", 0, 1000000, CPU | SWITCH},
    {PLACE_NODE, "nvls", "share", "of the links' rate that reductions in the switch (NVLink SHARP) reach", 0.01, 1, SWITCH},
    {.key = NULL},
};
/* clang-format on */
const struct system_param system_ports_param = {
    PLACE_NODE,        "ports", "count", "links of this kind that a node has", 0, SYSTEM_NODES_MAX * 64,
    GPU | CPU | SWITCH};
static const char *const kind_names[] = {"gpu", "cpu", "switch", NULL};
static const char *const top_keys[] = {"format", "version", "name",     "title",   "links",
                                       "copy",   "nodes",   "channels", "sources", NULL};

struct reader {
    struct system_design *s;
    const json_t *root, *sources;
    struct design_faults faults;
};

/* Checks that each key of an object is one of these. */
static int check_keys(const json_t *object, const char *where, const char *const *known, struct err *e)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)object, key, value)
    {
        struct design_nearest n = {key, NULL, SIZE_MAX};
        char text[64];
        size_t i = 0;

        while (known[i] && strcmp(known[i], key) != 0)
            design_nearest_try(&n, known[i++]);
        if (known[i])
            continue;
        err_set(e, ERR_INVALID, "%s: unknown key `%s`", where, design_shown(key, text));
        return n.best ? err_hint(e, "the nearest known name is `%s`", n.best) : -1;
    }
    return 0;
}

/* A number of the file; scale: the unit of *out in the unit of the file. */
static int read_number(struct reader *r, const json_t *leaf, const char *where, const struct system_param *p,
                       double scale, uint64_t *out, struct err *e)
{
    const json_t *value = json_object_get(leaf, "value");
    double x = json_number_value(value);

    if (!leaf)
        return err_set(e, ERR_INVALID, "%s is missing", where);
    if (design_check_leaf(leaf, r->sources, where, p->unit, e) < 0)
        return -1;
    if (!json_is_number(value))
        return err_set(e, ERR_INVALID, "%s: the value must be a number", where);
    if (!(x >= p->least && x <= p->most))
        return err_set(e, ERR_INVALID, "%s: %g is outside %g to %g %s", where, x, p->least, p->most, p->unit);
    if (scale == 1 && x != floor(x))
        return err_set(e, ERR_INVALID, "%s: %g must be a whole number", where, x);
    *out = (uint64_t)floor(x * scale + 0.5);
    return 0;
}

static const struct system_param *param(enum system_place place, const char *key)
{
    const struct system_param *p = system_params;

    while (p->place != place || strcmp(p->key, key) != 0)
        p++;
    return p;
}

static int read_member(struct reader *r, const json_t *in, const char *group, enum system_place place,
                       const char *key, double scale, uint64_t *out, struct err *e)
{
    char where[96];

    snprintf(where, sizeof where, "%s.%s", group, key);
    return read_number(r, json_object_get(in, key), where, param(place, key), scale, out, e);
}

static int check_name(const char *name, const char *what, struct err *e)
{
    size_t n = strlen(name);
    char text[64];

    if (n && n < SYSTEM_NAME && name[0] >= 'a' && name[0] <= 'z' &&
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == n && (name[n - 1] < '0' || name[n - 1] > '9'))
        return 0;
    return err_set(
        e, ERR_INVALID,
        "%s `%s`: a name must be 1 to %d small letters, digits or underscores, and begin and end without a "
        "digit",
        what, design_shown(name, text), SYSTEM_NAME - 1);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of an object in order. Returns their count; the caller frees *out. -1: out of memory, or too many. */
static int sorted_keys(const json_t *object, const char *what, size_t most, const char ***out, struct err *e)
{
    size_t n = 0;
    const char *key;
    json_t *value;

    *out = NULL;
    if (json_object_size(object) > most)
        return err_set(e, ERR_INVALID, "\"%s\": at most %zu are supported", what, most);
    *out = mem_zalloc(most, sizeof **out, e);
    if (!*out)
        return -1;
    json_object_foreach((json_t *)object, key, value)(*out)[n++] = key;
    array_sort((void *)*out, n, sizeof **out, compare_names);
    return (int)n;
}

/* --- links and copies --- */

static int read_link(struct reader *r, const char *name, const json_t *in, struct err *e)
{
    static const char *const known[] = {"gbs", "latency_ns", "payload_bytes", "header_bytes", NULL};
    struct system_link *l = &r->s->link[r->s->link_count];
    uint64_t payload = 0, header = 0;
    char where[64];

    if (check_name(name, "links", e) < 0)
        return -1;
    snprintf(where, sizeof where, "links.%s", name);
    if (check_keys(in, where, known, e) < 0 || read_member(r, in, where, PLACE_LINK, "gbs", 1000, &l->mbs, e) < 0 ||
        read_member(r, in, where, PLACE_LINK, "latency_ns", 1000, &l->latency_ps, e) < 0 ||
        read_member(r, in, where, PLACE_LINK, "payload_bytes", 1, &payload, e) < 0 ||
        read_member(r, in, where, PLACE_LINK, "header_bytes", 1, &header, e) < 0)
        return -1;
    l->payload_bytes = (uint32_t)payload;
    l->header_bytes = (uint32_t)header;
    snprintf(l->name, sizeof l->name, "%s", name);
    r->s->link_count++;
    return 0;
}

static int read_links(struct reader *r, struct err *e)
{
    const json_t *links = json_object_get(r->root, "links");
    const char **names = NULL;
    int n, ret = 0;

    if (!json_object_size(links))
        return design_fault_stop(
                   &r->faults, err_set(e, ERR_INVALID, "\"links\" is missing: an object of the kinds of links"), e)
                   ? -1
                   : 0;
    n = sorted_keys(links, "links", SYSTEM_LINKS_MAX, &names, e);
    if (n < 0)
        ret = design_fault_stop(&r->faults, -1, e) ? -1 : 0;
    for (int i = 0; i < n && ret == 0; i++)
        ret =
            design_fault_stop(&r->faults, read_link(r, names[i], json_object_get(links, names[i]), e), e) ? -1 : 0;
    free(names);
    return ret;
}

static int read_copy(struct reader *r, struct err *e)
{
    static const char *const known[] = {"peer_startup_ns", "host_startup_ns", NULL};
    const json_t *in = json_object_get(r->root, "copy");

    if (!json_is_object(in))
        return err_set(e, ERR_INVALID, "\"copy\" is missing: an object of the start-up times of copies");
    if (check_keys(in, "copy", known, e) < 0 ||
        read_member(r, in, "copy", PLACE_COPY, known[0], 1000, &r->s->peer_startup_ps, e) < 0)
        return -1;
    return read_member(r, in, "copy", PLACE_COPY, known[1], 1000, &r->s->host_startup_ps, e);
}

/* --- nodes --- */

static uint32_t find_link(const struct system_design *s, const char *name)
{
    for (uint32_t i = 0; name && i < s->link_count; i++)
        if (strcmp(s->link[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

/* The ports of each node of a group, by link. */
static int read_ports(struct reader *r, const json_t *in, const char *group, uint32_t ports[SYSTEM_LINKS_MAX],
                      struct err *e)
{
    const char *key;
    json_t *leaf;

    for (size_t i = 0; i < SYSTEM_LINKS_MAX; i++)
        ports[i] = UINT32_MAX;
    if (in && !json_is_object(in))
        return err_set(e, ERR_INVALID, "%s.ports: must be an object of numbers by link", group);
    json_object_foreach((json_t *)in, key, leaf)
    {
        uint32_t link = find_link(r->s, key);
        uint64_t n = 0;
        char where[96], text[64];

        snprintf(where, sizeof where, "%s.ports.%s", group, design_shown(key, text));
        if (link == UINT32_MAX)
            return err_set(e, ERR_INVALID, "%s: there is no link of this name", where);
        if (read_number(r, leaf, where, &system_ports_param, 1, &n, e) < 0)
            return -1;
        ports[link] = (uint32_t)n;
    }
    return 0;
}

static int read_kind(const json_t *in, const char *where, enum system_kind *out, struct err *e)
{
    const char *kind = json_string_value(json_object_get(in, "kind"));

    for (int i = 0; kind && kind_names[i]; i++) {
        if (strcmp(kind, kind_names[i]) == 0) {
            *out = (enum system_kind)i;
            return 0;
        }
    }
    return err_set(e, ERR_INVALID, "%s.kind: must be \"gpu\", \"cpu\" or \"switch\"", where);
}

static int read_design(const json_t *in, const char *where, struct system_node *node, struct err *e)
{
    const char *design = json_string_value(json_object_get(in, "design"));
    char text[64];
    size_t n;

    if (!design || strlen(design) >= sizeof node->design)
        return err_set(e, ERR_INVALID, "%s.design is missing: the built-in design of the GPU", where);
    snprintf(node->design, sizeof node->design, "%s", design);
    if (design_builtin_json(design, &n))
        return 0;
    err_set(e, ERR_INVALID, "%s.design: there is no built-in GPU design `%s`", where, design_shown(design, text));
    return err_hint(e, "`vivace design list` shows them");
}

/* The keys that a group of this kind may have. */
static int check_node_keys(const json_t *in, const char *where, enum system_kind kind, struct err *e)
{
    static const char *const gpu[] = {"kind", "count", "ports", "design", NULL};
    static const char *const cpu[] = {"kind", "count", "ports", "cores", "latency_ns", NULL};
    static const char *const other[] = {"kind", "count", "ports", "latency_ns", "nvls", NULL};

    return check_keys(in, where, kind == SYSTEM_GPU ? gpu : kind == SYSTEM_CPU ? cpu : other, e);
}

/* What the nodes of a group have in common. */
static int read_group(struct reader *r, const json_t *in, const char *where, struct system_node *node,
                      uint64_t *count, struct err *e)
{
    uint64_t cores = 0, nvls = 0;

    if (read_kind(in, where, &node->kind, e) < 0 || check_node_keys(in, where, node->kind, e) < 0 ||
        read_member(r, in, where, PLACE_NODE, "count", 1, count, e) < 0)
        return -1;
    if (node->kind == SYSTEM_GPU && read_design(in, where, node, e) < 0)
        return -1;
    if (node->kind == SYSTEM_CPU && read_member(r, in, where, PLACE_NODE, "cores", 1, &cores, e) < 0)
        return -1;
    node->cores = (uint32_t)cores;
    if (json_object_get(in, "nvls") && read_member(r, in, where, PLACE_NODE, "nvls", 1000, &nvls, e) < 0)
        return -1;
    node->nvls_permille = (uint32_t)nvls;
    return node->kind == SYSTEM_GPU
               ? 0
               : read_member(r, in, where, PLACE_NODE, "latency_ns", 1000, &node->latency_ps, e);
}

static int read_nodes_of(struct reader *r, const char *name, uint32_t group, const json_t *in, struct err *e)
{
    struct system_design *s = r->s;
    struct system_node node = {.group = group};
    uint32_t ports[SYSTEM_LINKS_MAX];
    uint64_t count = 0;
    char where[64];

    if (check_name(name, "nodes", e) < 0)
        return -1;
    snprintf(where, sizeof where, "nodes.%s", name);
    if (read_group(r, in, where, &node, &count, e) < 0 ||
        read_ports(r, json_object_get(in, "ports"), where, ports, e) < 0)
        return -1;
    if (count > SYSTEM_NODES_MAX - s->node_count)
        return err_set(e, ERR_INVALID, "%s.count: a system may have at most %d nodes", where, SYSTEM_NODES_MAX);
    for (uint64_t i = 0; i < count; i++) {
        memcpy(s->ports[s->node_count], ports, sizeof ports);
        snprintf(node.name, sizeof node.name, "%s%u", name, (unsigned)i);
        s->nodes[s->node_count++] = node;
    }
    return 0;
}

static int read_nodes(struct reader *r, struct err *e)
{
    const json_t *nodes = json_object_get(r->root, "nodes");
    const char **names = NULL;
    int n, ret = 0;

    if (!json_object_size(nodes))
        return design_fault_stop(&r->faults,
                                 err_set(e, ERR_INVALID, "\"nodes\" is missing: an object of groups of nodes"), e)
                   ? -1
                   : 0;
    n = sorted_keys(nodes, "nodes", SYSTEM_NODES_MAX, &names, e);
    if (n < 0)
        ret = design_fault_stop(&r->faults, -1, e) ? -1 : 0;
    for (int i = 0; i < n && ret == 0; i++)
        ret = design_fault_stop(&r->faults,
                                read_nodes_of(r, names[i], (uint32_t)i, json_object_get(nodes, names[i]), e), e)
                  ? -1
                  : 0;
    free(names);
    return ret;
}

/* --- channels --- */

struct range {
    uint32_t first, count;
};

/* "gpu3": one node; "gpu0..7": eight. */
static int read_range(const struct system_design *s, const char *text, const char *where, struct range *out,
                      struct err *e)
{
    const char *dots = text ? strstr(text, "..") : NULL;
    char name[SYSTEM_NAME + 8], shown[64];
    size_t letters =
        dots ? (size_t)(dots - text) : 0; /* without the number at the end; a name may have digits inside */
    uint64_t last = 0;
    struct err ignored;
    uint32_t end;

    if (!text)
        return err_set(e, ERR_INVALID, "%s: must be the name of a node, such as \"gpu0\", or \"gpu0..7\"", where);
    while (letters && text[letters - 1] >= '0' && text[letters - 1] <= '9')
        letters--;
    if (strlen(text) < sizeof name + 8) {
        snprintf(name, sizeof name, "%.*s", dots ? (int)(dots - text) : (int)sizeof name - 1, text);
        out->first = system_node_find(s, name);
        end = out->first;
        if (dots && parse_u64(dots + 2, "", &last, &ignored) == 0 && letters < SYSTEM_NAME) {
            snprintf(name, sizeof name, "%.*s%u", (int)letters, text, (unsigned)(last % SYSTEM_NODES_MAX));
            end = last < SYSTEM_NODES_MAX ? system_node_find(s, name) : UINT32_MAX;
        } else if (dots) {
            end = UINT32_MAX;
        }
        if (out->first != UINT32_MAX && end != UINT32_MAX && end >= out->first) {
            out->count = end - out->first + 1;
            return 0;
        }
    }
    return err_set(e, ERR_INVALID, "%s: there are no nodes `%s`", where, design_shown(text, shown));
}

static int add_channel(struct system_design *s, uint32_t a, uint32_t b, uint32_t link, uint32_t links,
                       const char *where, struct err *e)
{
    if (a == b)
        return err_set(e, ERR_INVALID, "%s: %s is connected with itself", where, s->nodes[a].name);
    if (s->channel_count == SYSTEM_CHANNELS_MAX)
        return err_set(e, ERR_INVALID, "%s: at most %d channels are supported", where, SYSTEM_CHANNELS_MAX);
    for (uint32_t i = 0; i < s->channel_count; i++) {
        const struct system_channel *c = &s->channels[i];

        if (c->link != link || !((c->a == a && c->b == b) || (c->a == b && c->b == a)))
            continue;
        err_set(e, ERR_INVALID, "%s: %s and %s have two channels of link %s", where, s->nodes[a].name,
                s->nodes[b].name, s->link[link].name);
        return err_hint(e, "give one channel with the number of its links");
    }
    s->channels[s->channel_count++] = (struct system_channel){a, b, link, links};
    return 0;
}

/* One channel for each node of the longer range; neighbours share the nodes of the shorter one. */
static int add_channels(struct reader *r, struct range a, struct range b, uint32_t link, uint32_t links,
                        const char *where, struct err *e)
{
    uint32_t longer = a.count > b.count ? a.count : b.count, shorter = a.count > b.count ? b.count : a.count;

    if (longer % shorter)
        return err_set(e, ERR_INVALID, "%s: %u nodes cannot be shared evenly by %u", where, longer, shorter);
    for (uint32_t i = 0; i < longer; i++)
        if (add_channel(r->s, a.first + i / (longer / a.count), b.first + i / (longer / b.count), link, links,
                        where, e) < 0)
            return -1;
    return 0;
}

static int read_channel(struct reader *r, size_t at, const json_t *in, struct err *e)
{
    static const char *const known[] = {"a", "b", "link", "links", "source", "reason", NULL};
    const json_t *links = json_object_get(in, "links");
    const char *source = json_string_value(json_object_get(in, "source"));
    const char *reason = json_string_value(json_object_get(in, "reason"));
    uint32_t link = find_link(r->s, json_string_value(json_object_get(in, "link")));
    json_int_t n = links ? json_integer_value(links) : 1;
    struct range a, b;
    char where[40];

    snprintf(where, sizeof where, "channels[%zu]", at);
    if (!json_is_object(in))
        return err_set(e, ERR_INVALID, "%s: must be an object", where);
    if (check_keys(in, where, known, e) < 0 ||
        read_range(r->s, json_string_value(json_object_get(in, "a")), where, &a, e) < 0 ||
        read_range(r->s, json_string_value(json_object_get(in, "b")), where, &b, e) < 0)
        return -1;
    if (link == UINT32_MAX)
        return err_set(e, ERR_INVALID, "%s: \"link\" must be the name of a link", where);
    if (n < 1 || n > 1024)
        return err_set(e, ERR_INVALID, "%s: \"links\" must be 1 to 1024", where);
    if (!source || !json_is_string(json_object_get(r->sources, source)))
        return err_set(e, ERR_INVALID, "%s: it needs a source that is spelled out in \"sources\"", where);
    if (strcmp(source, "E") == 0 && (!reason || !*reason))
        return err_set(e, ERR_INVALID, "%s: an estimate (source E) needs a \"reason\"", where);
    return add_channels(r, a, b, link, (uint32_t)n, where, e);
}

static int read_channels(struct reader *r, struct err *e)
{
    const json_t *channels = json_object_get(r->root, "channels");

    if (!json_is_array(channels))
        return design_fault_stop(&r->faults, err_set(e, ERR_INVALID, "\"channels\" is missing: a list"), e) ? -1
                                                                                                            : 0;
    for (size_t i = 0; i < json_array_size(channels); i++)
        if (design_fault_stop(&r->faults, read_channel(r, i, json_array_get(channels, i), e), e))
            return -1;
    return 0;
}

/* --- the whole document --- */

static int read_head(struct reader *r, struct err *e)
{
    const char *format = json_string_value(json_object_get(r->root, "format"));

    if (!format || strcmp(format, "vivace-system") != 0)
        return err_set(e, ERR_UNSUPPORTED, "not a system design: \"format\" must be \"vivace-system\"");
    if (design_check_head(r->root, e) < 0 || check_keys(r->root, "the system", top_keys, e) < 0)
        return -1;
    r->s->name = mem_strdup(json_string_value(json_object_get(r->root, "name")), e);
    r->s->title = r->s->name ? mem_strdup(json_string_value(json_object_get(r->root, "title")), e) : NULL;
    return r->s->title ? 0 : -1;
}

int system_read(struct system_design *s, const json_t *root, design_fault_fn *fault, void *ctx, struct err *e)
{
    struct reader r = {.s = s, .root = root, .faults = {fault, ctx, 0}};

    r.sources = json_object_get(root, "sources");
    s->nodes = mem_zalloc(SYSTEM_NODES_MAX, sizeof *s->nodes, e);
    s->ports = s->nodes ? mem_zalloc(SYSTEM_NODES_MAX, sizeof *s->ports, e) : NULL;
    s->channels = s->ports ? mem_zalloc(SYSTEM_CHANNELS_MAX, sizeof *s->channels, e) : NULL;
    if (!s->channels)
        return -1;
    if (!json_is_object(root)) {
        (void)design_fault_stop(&r.faults, err_set(e, ERR_MALFORMED, "a system design must be a JSON object"), e);
        return -1;
    }
    if (design_fault_stop(&r.faults, read_head(&r, e), e) || read_links(&r, e) < 0 ||
        design_fault_stop(&r.faults, read_copy(&r, e), e))
        return -1;
    if (r.faults.count) /* nodes refer to links */
        return -1;
    if (read_nodes(&r, e) < 0 || r.faults.count || read_channels(&r, e) < 0 || r.faults.count)
        return -1;
    return system_check(s, fault, ctx, e) ? -1 : 0;
}

/* --- the numbers of a document, by name --- */

struct walk {
    system_leaf_fn *take;
    void *ctx;
};

static int walk_place(const struct walk *w, enum system_place place, const char *group, const json_t *in)
{
    const char *key;
    json_t *leaf;

    json_object_foreach((json_t *)in, key, leaf)
    {
        char name[96];
        int ret = 0;

        for (const struct system_param *p = system_params; p->key && ret == 0; p++) {
            if (p->place != place || strcmp(p->key, key) != 0)
                continue;
            snprintf(name, sizeof name, "%s.%s", group, key);
            ret = w->take(w->ctx, name, leaf, p);
        }
        if (ret)
            return ret;
    }
    return 0;
}

static int walk_groups(const struct walk *w, enum system_place place, const char *what, const json_t *groups)
{
    const char *key, *port;
    json_t *in, *leaf;
    int ret = 0;

    json_object_foreach((json_t *)groups, key, in)
    {
        char name[96];

        snprintf(name, sizeof name, "%s.%s", what, key);
        ret = walk_place(w, place, name, in);
        json_object_foreach(json_object_get(in, "ports"), port, leaf)
        {
            snprintf(name, sizeof name, "%s.%s.ports.%s", what, key, port);
            ret = ret ? ret : w->take(w->ctx, name, leaf, &system_ports_param);
        }
        if (ret)
            return ret;
    }
    return 0;
}

int system_each_leaf(const json_t *root, system_leaf_fn *take, void *ctx)
{
    const struct walk w = {take, ctx};
    int ret = walk_groups(&w, PLACE_LINK, "links", json_object_get(root, "links"));

    ret = ret ? ret : walk_place(&w, PLACE_COPY, "copy", json_object_get(root, "copy"));
    return ret ? ret : walk_groups(&w, PLACE_NODE, "nodes", json_object_get(root, "nodes"));
}

struct seek {
    const char *name;
    const json_t *found;
};

static int seek_leaf(void *ctx, const char *name, const json_t *leaf, const struct system_param *p)
{
    struct seek *s = ctx;

    (void)p;
    if (strcmp(name, s->name) == 0)
        s->found = leaf;
    return s->found != NULL;
}

json_t *system_leaf(const json_t *root, const char *name)
{
    struct seek s = {name, NULL};

    (void)system_each_leaf(root, seek_leaf, &s);
    return (json_t *)s.found;
}
