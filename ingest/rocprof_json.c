/* Results of AMD's rocprofv3 as JSON (rocprofv3 --kernel-trace --output-format json, NAME_results.json).
 *
 * Below "rocprofiler-sdk-tool" is one object per process with its agents, its kernel symbols and its records.
 * Records name kernels and agents by number, and the order of these lists is not specified. The file is therefore
 * read twice: first symbols and agents, then dispatches. Source of the keys: AMD, "ROCprofiler-SDK: using
 * rocprofv3" (JSON output schema). Times are in ns, sizes of the grid in work-items. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "ingest/decimal.h"
#include "ingest/json_stream.h"
#include "ingest/rocprof.h"

#define AGENT_TYPE_GPU 2    /* rocprofiler_agent_type_t */
#define GPUS_MAX       1024 /* of one process */

/* --- the path of a value: its keys, 6 bits each --- */

enum key {
    ITEM = 1, /* an element of an array */
    TOOL,
    METADATA,
    PID,
    AGENTS,
    ID,
    HANDLE,
    TYPE,
    PRODUCT_NAME,
    NAME,
    SYMBOLS,
    KERNEL_ID,
    FORMATTED_NAME,
    KERNEL_NAME,
    REGISTERS,
    BUFFERS,
    DISPATCHES,
    START,
    END,
    STREAM_ID,
    INFO,
    DISPATCH_ID,
    AGENT_ID,
    QUEUE_ID,
    SHARED,
    GROUP,
    GRID,
    X,
    Y,
    Z,
    OTHER = 63
};

static const struct {
    const char *text;
    enum key key;
} keys[] = {
    {"rocprofiler-sdk-tool", TOOL},
    {"metadata", METADATA},
    {"pid", PID},
    {"agents", AGENTS},
    {"id", ID},
    {"handle", HANDLE},
    {"type", TYPE},
    {"product_name", PRODUCT_NAME},
    {"name", NAME},
    {"kernel_symbols", SYMBOLS},
    {"kernel_id", KERNEL_ID},
    {"formatted_kernel_name", FORMATTED_NAME},
    {"kernel_name", KERNEL_NAME},
    {"arch_vgpr_count", REGISTERS},
    {"buffer_records", BUFFERS},
    {"kernel_dispatch", DISPATCHES},
    {"start_timestamp", START},
    {"end_timestamp", END},
    {"stream_id", STREAM_ID},
    {"dispatch_info", INFO},
    {"dispatch_id", DISPATCH_ID},
    {"agent_id", AGENT_ID},
    {"queue_id", QUEUE_ID},
    {"group_segment_size", SHARED},
    {"workgroup_size", GROUP},
    {"grid_size", GRID},
    {"x", X},
    {"y", Y},
    {"z", Z},
};

#define KEY_BITS         6
#define PATH_DEPTH       9 /* levels that fit into a path; no value that is read is deeper */
#define TOO_DEEP         UINT64_MAX
#define P1(a)            ((uint64_t)(a))
#define P2(a, b)         (P1(a) << KEY_BITS | (b))
#define PROCESS          P2(TOOL, ITEM)
#define BELOW(path, key) ((uint64_t)(path) << KEY_BITS | (key))
#define AGENT            BELOW(BELOW(PROCESS, AGENTS), ITEM)
#define SYMBOL           BELOW(BELOW(PROCESS, SYMBOLS), ITEM)
#define DISPATCH         BELOW(BELOW(BELOW(PROCESS, BUFFERS), DISPATCHES), ITEM)
#define DISPATCHED       BELOW(DISPATCH, INFO)

struct symbol {
    uint64_t process; /* index in the file */
    int64_t id, registers;
    const struct import_name *name; /* NULL: unknown or too long */
};

struct agent {
    uint64_t process;
    int64_t handle, type;
    int64_t device; /* number among the GPUs of its process */
    char name[128];
};

/* Fields of a dispatch, by the bit in `seen`. */
enum field {
    F_START,
    F_END,
    F_STREAM,
    F_DISPATCH,
    F_AGENT,
    F_QUEUE,
    F_KERNEL,
    F_SHARED,
    F_GROUP,
    F_GRID = F_GROUP + 3,
    FIELD_COUNT = F_GRID + 3
};

static const struct {
    uint64_t path;
    enum field field;
} dispatch_fields[] = {
    {BELOW(DISPATCH, START), F_START},
    {BELOW(DISPATCH, END), F_END},
    {BELOW(BELOW(DISPATCH, STREAM_ID), HANDLE), F_STREAM},
    {BELOW(DISPATCHED, DISPATCH_ID), F_DISPATCH},
    {BELOW(BELOW(DISPATCHED, AGENT_ID), HANDLE), F_AGENT},
    {BELOW(BELOW(DISPATCHED, QUEUE_ID), HANDLE), F_QUEUE},
    {BELOW(DISPATCHED, KERNEL_ID), F_KERNEL},
    {BELOW(DISPATCHED, SHARED), F_SHARED},
    {BELOW(BELOW(DISPATCHED, GROUP), X), F_GROUP},
    {BELOW(BELOW(DISPATCHED, GROUP), Y), F_GROUP + 1},
    {BELOW(BELOW(DISPATCHED, GROUP), Z), F_GROUP + 2},
    {BELOW(BELOW(DISPATCHED, GRID), X), F_GRID},
    {BELOW(BELOW(DISPATCHED, GRID), Y), F_GRID + 1},
    {BELOW(BELOW(DISPATCHED, GRID), Z), F_GRID + 2},
};

struct rocprof {
    struct json_stream json;
    bool second_pass;
    enum key key; /* key of the next value */
    uint64_t path[PATH_DEPTH + 1];
    bool array[PATH_DEPTH + 1];
    uint64_t process, dispatches; /* process: index of the current one */
    int64_t pid;
    struct symbol symbol;
    struct agent agent;
    int64_t value[FIELD_COUNT];
    unsigned seen;
    bool bad;
    struct symbol *symbols; /* sorted by process and id for the second pass */
    size_t symbol_count, symbol_capacity;
    struct agent *agents;
    size_t agent_count, agent_capacity;
    size_t agent_first, agent_end; /* agents of the current process: they follow each other in the list */
    int64_t *pids;                 /* of the processes by index */
    size_t pid_count, pid_capacity;
};

static uint64_t here(const struct rocprof *r)
{
    return r->json.depth <= PATH_DEPTH ? r->path[r->json.depth] : TOO_DEEP;
}

/* The path of the value that begins now. */
static uint64_t value_path(const struct rocprof *r)
{
    if (here(r) == TOO_DEEP)
        return TOO_DEEP;
    return BELOW(here(r), r->array[r->json.depth] ? ITEM : r->key);
}

/* --- first pass: symbols and agents --- */

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Grows one of the lists by one entry. Their total size is limited like that of names. */
static int grow(struct rocprof *r, void *list, size_t *capacity, size_t count, size_t size)
{
    size_t bytes =
        r->symbol_count * sizeof *r->symbols + r->agent_count * sizeof *r->agents + r->pid_count * sizeof *r->pids;

    if (bytes > r->json.im->options.most_memory_bytes)
        return err_set(r->json.e, ERR_TOO_LARGE,
                       "%s: its kernel symbols and agents take more than %llu bytes of memory",
                       stream_name(r->json.stream), (unsigned long long)r->json.im->options.most_memory_bytes);
    return array_reserve(list, capacity, count + 1, size, r->json.e);
}

static int keep_symbol(struct rocprof *r)
{
    void *list = r->symbols;

    if (grow(r, &list, &r->symbol_capacity, r->symbol_count, sizeof *r->symbols) < 0)
        return -1;
    r->symbols = list;
    r->symbols[r->symbol_count++] = r->symbol;
    return 0;
}

static int keep_agent(struct rocprof *r)
{
    void *list = r->agents;

    if (r->agent.type != AGENT_TYPE_GPU)
        return 0;
    if (r->agent_count > 0 && r->agents[r->agent_count - 1].process == r->process)
        r->agent.device = r->agents[r->agent_count - 1].device + 1;
    if (r->agent.device >= GPUS_MAX)
        return err_set(r->json.e, ERR_TOO_LARGE, "%s: a process has more than %d GPUs", stream_name(r->json.stream),
                       GPUS_MAX);
    if (grow(r, &list, &r->agent_capacity, r->agent_count, sizeof *r->agents) < 0)
        return -1;
    r->agents = list;
    r->agents[r->agent_count++] = r->agent;
    return 0;
}

static int keep_pid(struct rocprof *r)
{
    void *list = r->pids;

    if (grow(r, &list, &r->pid_capacity, r->pid_count, sizeof *r->pids) < 0)
        return -1;
    r->pids = list;
    r->pids[r->pid_count++] = r->pid;
    return 0;
}

static void definition_number(struct rocprof *r, uint64_t path, int64_t value)
{
    if (path == BELOW(BELOW(PROCESS, METADATA), PID))
        r->pid = value;
    else if (path == BELOW(SYMBOL, KERNEL_ID))
        r->symbol.id = value;
    else if (path == BELOW(SYMBOL, REGISTERS))
        r->symbol.registers = value;
    else if (path == BELOW(AGENT, TYPE))
        r->agent.type = value;
    else if (path == BELOW(BELOW(AGENT, ID), HANDLE))
        r->agent.handle = value;
}

/* The formatted name is the demangled one. It has precedence, also over a later kernel_name. */
static int definition_string(struct rocprof *r, uint64_t path, const char *text, size_t n)
{
    if (path == BELOW(SYMBOL, FORMATTED_NAME) || (path == BELOW(SYMBOL, KERNEL_NAME) && !r->symbol.name)) {
        if (n > 0 && n <= r->json.im->options.most_name_bytes)
            return import_intern(r->json.im, text, rocprof_name_length(text, n), &r->symbol.name, r->json.e);
    } else if (path == BELOW(AGENT, PRODUCT_NAME) || (path == BELOW(AGENT, NAME) && !r->agent.name[0])) {
        n = n < sizeof r->agent.name ? n : utf8_valid_prefix(text, sizeof r->agent.name - 1);
        memcpy(r->agent.name, text, n);
        r->agent.name[n] = '\0';
    }
    return 0;
}

/* --- second pass: dispatches --- */

static const struct symbol *symbol_of(const struct rocprof *r, int64_t id)
{
    const struct symbol wanted = {.process = r->process, .id = id};

    return r->symbol_count ? bsearch(&wanted, r->symbols, r->symbol_count, sizeof *r->symbols, compare_symbols)
                           : NULL;
}

/* Finds the agents of the process that begins. */
static void begin_process(struct rocprof *r)
{
    r->agent_first = r->agent_end;
    while (r->agent_end < r->agent_count && r->agents[r->agent_end].process == r->process)
        r->agent_end++;
}

static const struct agent *agent_of(const struct rocprof *r, int64_t handle)
{
    for (size_t i = r->agent_first; i < r->agent_end; i++)
        if (r->agents[i].handle == handle)
            return &r->agents[i];
    return NULL;
}

static bool has(const struct rocprof *r, enum field f)
{
    return r->seen >> f & 1;
}

static int dispatch_end(struct rocprof *r)
{
    struct import_launch l = {.place = "dispatch", .number = ++r->dispatches, .has_shape = true};
    const struct symbol *symbol = has(r, F_KERNEL) ? symbol_of(r, r->value[F_KERNEL]) : NULL;
    const struct agent *agent = has(r, F_AGENT) ? agent_of(r, r->value[F_AGENT]) : NULL;
    const char *name = symbol && symbol->name ? symbol->name->text : "";
    struct import *im = r->json.im;

    if (!has(r, F_START) || !has(r, F_END)) {
        import_drop(im, has(r, F_START) ? DROP_NO_END_TIME : DROP_NO_START_TIME, "dispatch %llu: %.60s",
                    (unsigned long long)l.number, name);
        return 0;
    }
    for (int d = 0; d < 3; d++) {
        l.block[d] = has(r, F_GROUP + d) ? r->value[F_GROUP + d] : 0;
        l.grid[d] = rocprof_workgroups(r->value[F_GRID + d], l.block[d]);
    }
    if (r->bad) {
        import_drop(im, DROP_BAD_NUMBER, "dispatch %llu: %.60s", (unsigned long long)l.number, name);
        return 0;
    }
    l.name = symbol ? symbol->name : NULL;
    l.registers = symbol ? symbol->registers : 0;
    l.shared_bytes = has(r, F_SHARED) ? r->value[F_SHARED] : 0;
    l.start_ns = r->value[F_START];
    l.value = r->value[F_END] - r->value[F_START];
    l.process = r->process < r->pid_count ? (uint64_t)r->pids[r->process] : 0;
    l.correlation = has(r, F_DISPATCH) ? (uint64_t)r->value[F_DISPATCH] : 0;
    l.has_correlation = has(r, F_DISPATCH);
    l.has_stream = has(r, F_STREAM) || has(r, F_QUEUE);
    l.stream = (uint64_t)(has(r, F_STREAM) ? r->value[F_STREAM] : has(r, F_QUEUE) ? r->value[F_QUEUE] : 0);
    l.device = agent ? agent->device : 0;
    if (agent)
        import_gpu_name(im, agent->device, agent->name, strlen(agent->name));
    return import_launch(im, &l, r->json.e);
}

static void dispatch_number(struct rocprof *r, uint64_t path, int64_t value, bool valid)
{
    for (size_t i = 0; i < sizeof dispatch_fields / sizeof *dispatch_fields; i++) {
        if (dispatch_fields[i].path != path)
            continue;
        r->value[dispatch_fields[i].field] = value;
        r->seen |= 1u << dispatch_fields[i].field;
        r->bad |= !valid;
    }
}

/* --- callbacks of yajl; returning 0 stops the parser, with json.e filled --- */

static int on_number(void *ctx, const char *text, size_t n)
{
    struct rocprof *r = ctx;
    uint64_t path = value_path(r);
    int64_t value = 0;
    bool valid = decimal_scaled(text, n, 0, &value) == 0 && value >= 0;

    if (r->second_pass)
        dispatch_number(r, path, value, valid);
    else if (valid)
        definition_number(r, path, value);
    return json_stream_value(&r->json);
}

static int on_string(void *ctx, const unsigned char *bytes, size_t n)
{
    struct rocprof *r = ctx;

    if (!r->second_pass && definition_string(r, value_path(r), (const char *)bytes, n) < 0)
        return 0;
    return json_stream_value(&r->json);
}

static int on_word(void *ctx) /* null: as if the key were absent */
{
    return json_stream_value(&((struct rocprof *)ctx)->json);
}

static int on_boolean(void *ctx, int value)
{
    (void)value;
    return on_word(ctx);
}

static int on_key(void *ctx, const unsigned char *text, size_t n)
{
    struct rocprof *r = ctx;

    r->key = OTHER;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && r->json.depth <= PATH_DEPTH; i++)
        if (str_is((const char *)text, n, keys[i].text))
            r->key = keys[i].key;
    return json_stream_value(&r->json);
}

static int open_container(struct rocprof *r, bool array)
{
    uint64_t path = value_path(r);

    if (!json_stream_deeper(&r->json))
        return 0;
    if (r->json.depth <= PATH_DEPTH) {
        r->path[r->json.depth] = r->json.depth == 1 ? 0 : path;
        r->array[r->json.depth] = array;
    }
    return 1;
}

static int on_map_open(void *ctx)
{
    struct rocprof *r = ctx;

    if (!open_container(r, false))
        return 0;
    if (here(r) == SYMBOL)
        r->symbol = (struct symbol){.process = r->process, .id = -1};
    else if (here(r) == AGENT)
        r->agent = (struct agent){.process = r->process};
    else if (here(r) == PROCESS) {
        r->pid = 0;
        if (r->second_pass)
            begin_process(r);
    } else if (here(r) == DISPATCH) {
        memset(r->value, 0, sizeof r->value);
        r->seen = 0;
        r->bad = false;
    }
    return 1;
}

static int on_map_close(void *ctx)
{
    struct rocprof *r = ctx;
    uint64_t path = here(r);
    int ret = 0;

    ASSERT_HOT(r->json.depth > 0);
    if (path == DISPATCH && r->second_pass)
        ret = dispatch_end(r);
    else if (path == SYMBOL && !r->second_pass)
        ret = keep_symbol(r);
    else if (path == AGENT && !r->second_pass)
        ret = keep_agent(r);
    else if (path == PROCESS && !r->second_pass)
        ret = keep_pid(r);
    r->process += path == PROCESS;
    r->json.depth--;
    return ret == 0 && json_stream_value(&r->json);
}

static int on_array_open(void *ctx)
{
    return open_container(ctx, true);
}

static int on_array_close(void *ctx)
{
    struct rocprof *r = ctx;

    ASSERT_HOT(r->json.depth > 0);
    r->json.depth--;
    return json_stream_value(&r->json);
}

/* --- the import --- */

static int read_pass(struct rocprof *r, struct import *im, bool second, struct err *e)
{
    static const yajl_callbacks callbacks = {
        .yajl_null = on_word,
        .yajl_boolean = on_boolean,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_start_map = on_map_open,
        .yajl_map_key = on_key,
        .yajl_end_map = on_map_close,
        .yajl_start_array = on_array_open,
        .yajl_end_array = on_array_close,
    };
    int ret;

    r->second_pass = second;
    r->process = 0;
    r->key = OTHER;
    ret = json_stream_open(&r->json, im, e);
    if (ret == 0)
        ret = json_stream_parse(&r->json, &callbacks, r, e);
    if (ret == 0 && second)
        json_stream_report(&r->json);
    json_stream_release(&r->json);
    return ret;
}

int rocprof_json_import(struct import *im, struct err *e)
{
    struct rocprof *r = mem_zalloc(1, sizeof *r, e);
    int ret;

    if (!r)
        return -1;
    ret = read_pass(r, im, false, e);
    if (ret == 0 && r->symbol_count)
        qsort(r->symbols, r->symbol_count, sizeof *r->symbols, compare_symbols);
    if (ret == 0)
        ret = read_pass(r, im, true, e);
    if (ret == 0)
        rocprof_warn(im);
    free(r->symbols);
    free(r->agents);
    free(r->pids);
    free(r);
    return ret;
}
