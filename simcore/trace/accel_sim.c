#include "simcore/trace/accel_sim_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* The position of the reader in the file, for error messages. */
struct place {
    struct cta_store *cta;
    uint32_t warp;
    bool in_warp;
};

int accel_sim_at_line(struct accel_sim *r, struct err *e)
{
    return err_wrap(e, "%s: line %" PRIu64, stream_name(r->s), r->text.line);
}

static int damaged(struct accel_sim *r, struct err *e, const char *what)
{
    err_set(e, ERR_INVALID, "%s", what);
    return accel_sim_at_line(r, e);
}

static int truncated(struct accel_sim *r, const struct place *at, struct err *e)
{
    const uint32_t *id = at->cta->trace.id;

    if (at->in_warp)
        err_set(e, ERR_INVALID, "%s ends inside warp %u of CTA %u,%u,%u", stream_name(r->s), at->warp, id[0], id[1],
                id[2]);
    else
        err_set(e, ERR_INVALID, "%s ends inside CTA %u,%u,%u", stream_name(r->s), id[0], id[1], id[2]);
    return err_hint(e, "The file was cut short; copy it again, or record the kernel again.");
}

int accel_sim_check_place(const struct kernel_info *k, const uint32_t cta[3], uint32_t warp, struct err *e)
{
    for (int i = 0; i < 3; i++)
        if (cta[i] >= k->grid[i])
            return err_set(e, ERR_INVALID, "CTA %u,%u,%u is outside of the grid (%u,%u,%u)", cta[0], cta[1], cta[2],
                           k->grid[0], k->grid[1], k->grid[2]);
    if (warp >= kernel_warp_count(k))
        return err_set(e, ERR_INVALID, "warp %u in a CTA of %u warps", warp, kernel_warp_count(k));
    return 0;
}

/* Every CTA executes at least one EXIT. So a kernel without CTAs was not recorded, or the end of its file is
 * missing.
 */
int accel_sim_no_cta(struct stream *s, struct err *e)
{
    err_set(e, ERR_INVALID, "%s ends after the header: it contains no CTA", stream_name(s));
    return err_hint(e, "The file was cut short; copy it again, or record the kernel again.");
}

/* --- lines between instructions --- */

/* Returns the next line that is not blank and does not consume it. */
static int peek_line(struct trace_text *t, size_t *n, bool *complete, struct err *e)
{
    for (;;) {
        int got = trace_text_peek(t, n, complete, e);

        if (got <= 0 || !line_is_blank(t->at, *n))
            return got;
        trace_text_skip(t, *n, *complete);
    }
}

static bool is_instruction(const char *line)
{
    return (line[0] >= '0' && line[0] <= '9') || (line[0] >= 'a' && line[0] <= 'f') ||
           (line[0] >= 'A' && line[0] <= 'F') || line[0] == ' ' || line[0] == '\t';
}

int accel_sim_is_raw(struct trace_text *t, struct err *e)
{
    size_t n;
    bool complete;
    int got = peek_line(t, &n, &complete, e);

    return got <= 0 ? got : is_instruction(t->at);
}

/* --- a warp --- */

void accel_sim_begin_warp(struct accel_sim *r, struct cta_store *c, uint32_t warp)
{
    cta_store_begin_warp(c, warp);
    r->poll.waited = false;
    r->region = false;
}

void accel_sim_note_poll(struct accel_sim *r, uint32_t inst)
{
    struct trace_inst *i = &r->table.insts[inst];
    const char *opcode = r->table.opcodes[i->opcode];

    if (i->width && i->dst_count && (str_starts(opcode, "LDG.") || str_starts(opcode, "LD.")))
        i->control |= CONTROL_POLL;
}

/* Whether the address set of this instruction holds the fields of a barrier wait. If so, *fields receives its
 * fields.
 */
static bool is_wait(const struct inst_key *k, uint32_t mask, const struct address_set *a, uint64_t *fields)
{
    if (!k->fields || !a || mask != (1u << BARRIER_FIELDS) - 1 || !a->is_list)
        return false;
    fields[0] = a->lanes[0];
    for (unsigned i = 1; i < BARRIER_FIELDS; i++)
        fields[i] = a->lanes[i] - a->lanes[0];
    return fields[BARRIER_WHAT] == BARRIER_WAIT;
}

static void note_poll(struct accel_sim *r, struct cta_store *c, uint32_t inst, uint32_t mask,
                      const struct address_set *addresses)
{
    const struct inst_key *k = &r->table.keys[inst];
    struct poll_state *p = &r->poll;
    uint64_t fields[BARRIER_FIELDS];

    if (!is_wait(k, mask, addresses, fields)) {
        p->quiet = p->quiet && k->polls;
        return;
    }
    if (p->waited && p->quiet && p->inst == inst && memcmp(p->fields, fields, sizeof fields) == 0) {
        r->source.repairs.polls += c->inst_count - p->at;
        cta_store_drop_from(c, p->at);
    }
    *p = (struct poll_state){.waited = true, .quiet = true, .at = c->inst_count, .inst = inst};
    memcpy(p->fields, fields, sizeof fields);
}

int accel_sim_put(struct accel_sim *r, struct cta_store *c, uint32_t inst, uint32_t mask,
                  const struct address_set *addresses, struct err *e)
{
    uint32_t row = NO_ADDRESS;

    note_poll(r, c, inst, mask, addresses);
    if (r->region)
        accel_sim_note_poll(r, inst);
    if (addresses && cta_store_add_addresses(c, addresses, &row, e) < 0)
        return -1;
    trace_repairs_count(&r->source.repairs, r->table.keys[inst].repair);
    return cta_store_add(c, inst, mask, row, e);
}

/* Adds one line, which can represent several executions. */
static int put_line(struct accel_sim *r, struct cta_store *c, const struct inst_line *line, struct err *e)
{
    struct address_set addresses;

    if (line->marker) {
        r->region = line->region;
        return 0;
    }
    for (uint32_t i = 0; i < r->records.count; i++) {
        uint32_t mask = line_records_at(&r->records, i, &addresses);

        if (accel_sim_put(r, c, line->inst, mask, &addresses, e) < 0)
            return -1;
    }
    if (r->records.count)
        return 0;
    return accel_sim_put(r, c, line->inst, line->mask, line->has_addresses ? &line->addresses : NULL, e);
}

static const char *skip_prefix(const char *p, uint32_t numbers)
{
    for (uint32_t i = 0; i < numbers; i++) {
        uint64_t x;

        p = scan_decimal(scan_blanks(p), &x);
        if (!p)
            return NULL;
    }
    return scan_blanks(p);
}

/* Matches the line at the cursor against the two instructions that followed `previous` earlier. 1: matched and
 * added.
 */
static int take_known(struct accel_sim *r, struct cta_store *c, uint32_t *previous, struct err *e)
{
    const char *p = r->format.prefix ? skip_prefix(r->text.at, r->format.prefix) : r->text.at;
    struct address_set addresses;
    bool has_addresses;
    uint32_t mask;

    for (int k = 0; p && k < 2; k++) {
        uint32_t candidate = r->table.links[*previous + 1][k];
        const char *next = candidate == INST_NONE
                               ? NULL
                               : inst_line_match(p, &r->table, candidate, &mask, &has_addresses, &addresses);

        if (!next)
            continue;
        if (accel_sim_put(r, c, candidate, mask, has_addresses ? &addresses : NULL, e) < 0)
            return -1;
        inst_table_follows(&r->table, *previous, candidate);
        *previous = candidate;
        trace_text_next_line(&r->text, r->text.buffer + (next - r->text.buffer));
        return 1;
    }
    return 0;
}

/* Parses any line. 1: added; 0: the line is not an instruction, or the file has ended. */
static int take_any(struct accel_sim *r, struct cta_store *c, uint32_t *previous, struct err *e)
{
    struct inst_line line;
    size_t n;
    bool complete;
    int got = peek_line(&r->text, &n, &complete, e);

    if (got <= 0 || !complete || !is_instruction(r->text.at))
        return got < 0 ? -1 : 0;
    if (inst_line_parse(r->text.at, n, &r->format, &r->table, &r->records, &line, e) < 0 ||
        put_line(r, c, &line, e) < 0)
        return accel_sim_at_line(r, e);
    if (!line.marker) {
        inst_table_follows(&r->table, *previous, line.inst);
        *previous = line.inst;
    }
    trace_text_skip(&r->text, n, complete);
    return 1;
}

static int too_few(struct accel_sim *r, const struct place *at, uint64_t have, uint64_t said, struct err *e)
{
    const uint32_t *id = at->cta->trace.id;
    size_t n;
    bool complete;
    int got = peek_line(&r->text, &n, &complete, e);

    if (got < 0)
        return -1;
    if (got == 0 || !complete)
        return truncated(r, at, e);
    err_set(e, ERR_INVALID, "warp %u of CTA %u,%u,%u has %" PRIu64 " instructions where `insts` says %" PRIu64,
            at->warp, id[0], id[1], id[2], have, said);
    return accel_sim_at_line(r, e);
}

/* Reads one instruction. 1: added; 0: something else follows. */
static int take_inst(struct accel_sim *r, struct cta_store *c, uint32_t *previous, struct err *e)
{
    int got;

    if (trace_text_ahead(&r->text, e) < 0)
        return -1;
    got = take_known(r, c, previous, e);
    return got ? got : take_any(r, c, previous, e);
}

static int read_instructions(struct accel_sim *r, const struct place *at, uint64_t count, struct err *e)
{
    uint32_t previous = INST_NONE;
    uint64_t i;
    int got = 1;

    for (i = 0; got > 0 && (i < count || r->tolerant); i += got > 0)
        got = take_inst(r, at->cta, &previous, e);
    if (got < 0)
        return -1;
    if (i < count && !r->tolerant)
        return too_few(r, at, i, count, e);
    r->source.repairs.damaged_warps += i != count;
    return 0;
}

/* Reads the part after a "warp = N" line: "insts = M" and M instructions. */
static int read_warp(struct accel_sim *r, const struct place *at, struct err *e)
{
    size_t n;
    bool complete;
    uint64_t count;
    const char *value, *end;
    int got = peek_line(&r->text, &n, &complete, e);

    if (got < 0)
        return -1;
    if (got == 0 || !complete)
        return truncated(r, at, e);
    value = scan_field(r->text.at, "insts");
    end = value ? scan_decimal(value, &count) : NULL;
    if (!end || scan_blanks(end) != r->text.at + n)
        return damaged(r, e, "`insts = N` must follow `warp`");
    trace_text_skip(&r->text, n, complete);
    accel_sim_begin_warp(r, at->cta, at->warp);
    if (read_instructions(r, at, count, e) < 0)
        return -1;
    cta_store_end_warp(at->cta, at->warp);
    return 0;
}

/* --- a CTA --- */

static int take_warp_line(struct accel_sim *r, struct place *at, const char *value, size_t n, struct err *e)
{
    uint64_t warp;
    const char *end = scan_decimal(value, &warp);

    if (!end || scan_blanks(end) != r->text.at + n)
        return damaged(r, e, "the number of a warp is missing or is not a number");
    if (warp > UINT32_MAX)
        warp = UINT32_MAX;
    if (accel_sim_check_place(&r->source.info, at->cta->trace.id, (uint32_t)warp, e) < 0)
        return accel_sim_at_line(r, e);
    if (cta_store_has_warp(at->cta, (uint32_t)warp))
        return damaged(r, e, "the same warp begins for the second time in this CTA");
    at->warp = (uint32_t)warp;
    at->in_warp = true;
    trace_text_skip(&r->text, n, true);
    return read_warp(r, at, e);
}

/* Parses "x,y,z" up to the end of the line. */
static bool take_three(const struct accel_sim *r, const char *p, size_t n, uint32_t out[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t x;

        p = scan_decimal(scan_blanks(p), &x);
        if (!p || x > UINT32_MAX)
            return false;
        out[i] = (uint32_t)x;
        p = scan_blanks(p);
        if (i < 2 && *p++ != ',')
            return false;
    }
    return p == r->text.at + n;
}

/* Reads a line of Accel-Sim 2.0 about the cluster of the CTA. 1: read; 0: the line is not about a cluster. */
static int take_cluster_line(struct accel_sim *r, size_t n, struct err *e)
{
    const char *value;
    uint32_t ignored[3];
    uint64_t rank;

    if ((value = scan_field(r->text.at, "cluster id"))) {
        if (!take_three(r, value, n, r->cluster))
            return damaged(r, e, "`cluster id` is not followed by three numbers");
    } else if ((value = scan_field(r->text.at, "cluster cta"))) {
        if (!take_three(r, value, n, ignored))
            return damaged(r, e, "`cluster cta` is not followed by three numbers");
    } else if ((value = scan_field(r->text.at, "cluster rank"))) {
        if (!scan_decimal(value, &rank) || rank >= CLUSTER_CTAS_MAX)
            return damaged(r, e, "`cluster rank` is not a number below 16");
        r->rank = (uint32_t)rank;
    } else {
        return 0;
    }
    trace_text_skip(&r->text, n, true);
    return 1;
}

static int take_cta_id(struct accel_sim *r, struct cta_store *c, const char *value, size_t n, struct err *e)
{
    if (!take_three(r, value, n, c->trace.id))
        return damaged(r, e, "`thread block` is not followed by three numbers");
    if (accel_sim_check_place(&r->source.info, c->trace.id, 0, e) < 0)
        return accel_sim_at_line(r, e);
    trace_text_skip(&r->text, n, true);
    return 0;
}

/* Reads one line of a CTA. 1: it was the last line; 0: more follow. */
static int cta_line(struct accel_sim *r, struct place *at, bool *has_id, struct err *e)
{
    size_t n;
    bool complete;
    const char *value;
    int got = peek_line(&r->text, &n, &complete, e);

    if (got < 0)
        return -1;
    if (got == 0)
        return truncated(r, at, e);
    if (n == 7 && memcmp(r->text.at, "#END_TB", 7) == 0) {
        trace_text_skip(&r->text, n, complete);
        return 1;
    }
    if (!complete)
        return truncated(r, at, e);
    if (r->text.at[0] == '#' && strncmp(r->text.at, "#END_TB", 7) != 0 &&
        strncmp(r->text.at, "#BEGIN_TB", 9) != 0) {
        trace_text_skip(&r->text, n, complete);
        return 0;
    }
    if ((value = scan_field(r->text.at, "thread block")) && !*has_id) {
        *has_id = true;
        return take_cta_id(r, at->cta, value, n, e);
    }
    if (*has_id && r->format.second && (got = take_cluster_line(r, n, e)) != 0)
        return got < 0 ? -1 : 0;
    if ((value = scan_field(r->text.at, "warp")) && *has_id)
        return take_warp_line(r, at, value, n, e);
    if (str_starts(r->text.at, "#END_TB")) {
        trace_text_skip(&r->text, n, complete);
        return 1;
    }
    if (is_instruction(r->text.at) && at->in_warp)
        return damaged(r, e, "the warp has more instructions than its `insts` says");
    if (str_starts(r->text.at, "#BEGIN_TB"))
        return damaged(r, e, "a CTA begins before the previous CTA has ended");
    return damaged(
        r, e, *has_id ? "expected a warp or the end of a CTA" : "a CTA must begin with `thread block = x,y,z`");
}

/* Finds the line that begins a CTA. 1: found; 0: end of file. */
static int find_cta(struct accel_sim *r, struct err *e)
{
    for (;;) {
        size_t n;
        bool complete, begins;
        int got;

        if (r->began) {
            r->began = false;
            return 1;
        }
        got = peek_line(&r->text, &n, &complete, e);
        if (got <= 0)
            return got;
        begins = str_starts(r->text.at, "#BEGIN_TB");
        if (!complete)
            return err_set(e, ERR_INVALID, "%s ends in the middle of line %" PRIu64, stream_name(r->s),
                           r->text.line);
        if (!begins && r->text.at[0] != '#')
            return damaged(r, e, "between CTAs there must be nothing else");
        trace_text_skip(&r->text, n, complete);
        r->began = begins;
    }
}

static int read_cta(struct accel_sim *r, struct cta_store *c, struct err *e)
{
    struct place at = {.cta = c};
    bool has_id = false;
    int got;

    memset(c->trace.id, 0, sizeof c->trace.id);
    memset(r->cluster, 0, sizeof r->cluster);
    r->rank = 0;
    while ((got = cta_line(r, &at, &has_id, e)) == 0)
        ;
    if (got > 0 && !has_id)
        return damaged(r, e, "a CTA without `thread block = x,y,z` ends before this line");
    return got < 0 ? -1 : 0;
}

static int grouped_next(struct accel_sim *r, struct cta_trace **out, struct err *e)
{
    struct cta_store *c;
    int got = find_cta(r, e);

    if (got < 0)
        return -1;
    if (got == 0 && r->ctas == 0)
        return accel_sim_no_cta(r->s, e);
    if (got == 0) {
        r->source.repairs.empty_ctas = kernel_cta_count(&r->source.info) - r->ctas;
        return 0;
    }
    if (r->ctas == kernel_cta_count(&r->source.info))
        return damaged(r, e, "the file contains more CTAs than the grid has");
    c = cta_pool_take(&r->pool, kernel_warp_count(&r->source.info), e);
    if (!c)
        return -1;
    if (read_cta(r, c, e) < 0) {
        cta_pool_give(&r->pool, c);
        return -1;
    }
    cta_store_finish(c);
    c->trace.index = r->ctas++;
    *out = &c->trace;
    return 1;
}

/* --- clusters --- */

static int any_next(struct accel_sim *r, struct cta_trace **out, struct err *e)
{
    return r->raw ? raw_kernel_next(r, out, e) : grouped_next(r, out, e);
}

/* The simulator assumes that the CTAs of a cluster follow each other in the trace, in the order of their ranks. */
static int check_rank(struct accel_sim *r, const struct cta_trace *cta, struct err *e)
{
    uint32_t size = r->source.info.cluster > 1 ? r->source.info.cluster : 1;

    if (r->rank == cta->index % size)
        return 0;
    err_set(e, ERR_UNSUPPORTED,
            "%s: CTA %u,%u,%u has rank %u of its cluster, and its position in the trace does not match that rank",
            stream_name(r->s), cta->id[0], cta->id[1], cta->id[2], r->rank);
    return err_hint(e, "Clusters must be along x, and all of their CTAs recorded.");
}

/* The number of CTAs of a cluster is known when the first CTA of the next cluster has been read. */
static int read_first_cluster(struct accel_sim *r, struct err *e)
{
    struct cluster_ahead *a = &r->ahead;
    uint32_t first[3], ranks = 0;

    do {
        a->end = any_next(r, &a->cta[a->count], e);
        if (a->end <= 0)
            break;
        if (a->count == 0)
            memcpy(first, r->cluster, sizeof first);
        a->count++;
        if (memcmp(first, r->cluster, sizeof first) != 0 || r->rank != ranks)
            break;
        ranks++;
    } while (a->count <= CLUSTER_CTAS_MAX);
    r->source.info.cluster = ranks > 1 ? ranks : 0;
    inst_table_show(&r->table, &r->source);
    return a->end < 0 ? -1 : 0;
}

/* --- the source --- */

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct accel_sim *r = (struct accel_sim *)source;
    int got;

    *out = NULL;
    if (r->ahead.next < r->ahead.count) {
        *out = r->ahead.cta[r->ahead.next++];
        return 1;
    }
    if (r->ended)
        return 0;
    got = any_next(r, out, e);
    r->ended = got <= 0;
    if (got > 0 && check_rank(r, *out, e) < 0) {
        cta_pool_give(&r->pool, (*out)->opaque);
        *out = NULL;
        got = -1;
    }
    inst_table_show(&r->table, &r->source);
    return got;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    cta_pool_give(&((struct accel_sim *)source)->pool, cta->opaque);
}

static void release(struct inst_source *source)
{
    struct accel_sim *r = (struct accel_sim *)source;

    while (r->ahead.next < r->ahead.count)
        cta_pool_give(&r->pool, r->ahead.cta[r->ahead.next++]->opaque);
    raw_kernel_free(r->raw);
    line_records_release(&r->records);
    cta_pool_release(&r->pool);
    inst_table_release(&r->table);
    trace_text_release(&r->text);
    tracez_close(r->tracez);
    kernel_info_release(&r->source.info);
    stream_close(r->s);
    free(r);
}

static const struct inst_source_ops accel_sim_ops = {"accel-sim", next_cta, release_cta, release};

int accel_sim_unpack(struct trace_text *t, struct tracez **out, struct err *e)
{
    int packed = tracez_recognise(t, e);

    *out = NULL;
    if (packed <= 0)
        return packed;
    if (tracez_open(t, out, e) < 0)
        return -1;
    trace_text_release(t);
    return trace_text_init(t, tracez_text(*out), e);
}

static int start(struct accel_sim *r, struct err *e)
{
    struct trace_header h;
    int raw;

    if (trace_header_read(r->s, &h, e) < 0)
        return -1;
    r->source.info = h.info;
    r->format = (struct line_format){.prefix = h.info.tracer_version < 3 ? PREFIX_NUMBERS_1 : 0,
                                     .lineinfo = h.lineinfo,
                                     .second = h.second,
                                     .shared_base = h.info.shared_base};
    r->began = h.body_began;
    if (inst_table_init(&r->table, e) < 0 || trace_text_init(&r->text, r->s, e) < 0 ||

        (h.second && accel_sim_unpack(&r->text, &r->tracez, e) < 0))
        return -1;
    raw = h.body_began ? 0 : accel_sim_is_raw(&r->text, e);
    if (raw < 0)
        return -1;
    if (raw && raw_kernel_read(r, e) < 0)
        return -1;
    inst_table_show(&r->table, &r->source);
    return h.second ? read_first_cluster(r, e) : 0;
}

int accel_sim_open(struct stream *s, struct inst_source **out, struct err *e)
{
    struct accel_sim *r = mem_zalloc(1, sizeof *r, e);

    *out = NULL;
    if (!r) {
        stream_close(s);
        return -1;
    }
    r->source.ops = &accel_sim_ops;
    r->s = s;
    if (start(r, e) < 0) {
        release(&r->source);
        return -1;
    }
    *out = &r->source;
    return 0;
}

void accel_sim_tolerate(struct inst_source *s)
{
    ((struct accel_sim *)s)->tolerant = true;
}

static ssize_t read_on(void *ctx, void *buffer, size_t n, struct err *e)
{
    return stream_read(ctx, buffer, n, e);
}

int accel_sim_open_over(struct stream *s, struct inst_source **out, struct err *e)
{
    struct stream *own;

    *out = NULL;
    return stream_open_fn(read_on, s, stream_name(s), &own, e) < 0 ? -1 : accel_sim_open(own, out, e);
}

int accel_sim_open_path(const char *path, struct inst_source **out, struct err *e)
{
    struct stream *s;

    *out = NULL;
    return stream_open(path, &s, e) < 0 ? -1 : accel_sim_open(s, out, e);
}
