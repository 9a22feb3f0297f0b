#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/stream.h"
#include "simcore/trace/accel_sim_line.h"
#include "simcore/trace/macsim_internal.h"

/* lines of one access; the tracer writes up to 31 more records after the first record of an access */
#define LINES_MAX 64

struct macsim {
    struct inst_source source; /* must be the first member */
    struct macsim_head head;
    char *path, *shown; /* the path of trace.txt, and its name in messages */
    struct inst_table table;
    struct cta_pool pool;
    size_t next_warp; /* the first warp not yet returned */
    uint64_t code_base, ctas, bytes_in;
    bool based, ended; /* based: code_base is set from the first record */
};

/* One warp's file while it is read. */
struct warp_file {
    struct stream *s;
    uint64_t records;
    struct macsim_record ahead; /* a record that was read ahead */
    bool has_ahead;
};

/* --- records --- */

/* Returns 1, 0 at the end of the file, or -1. */
static int read_record(struct warp_file *f, struct macsim_record *out, struct err *e)
{
    uint8_t bytes[MACSIM_RECORD_BYTES];
    size_t have = 0;

    while (have < sizeof bytes) {
        ssize_t got = stream_read(f->s, bytes + have, sizeof bytes - have, e);

        if (got < 0)
            return -1;
        if (got == 0 && have == 0)
            return 0;
        if (got == 0)
            return err_set(e, ERR_INVALID, "%s ends in the middle of record %" PRIu64, stream_name(f->s),
                           f->records);
        have += (size_t)got;
    }
    f->records++;
    macsim_record_parse(bytes, out);
    return 1;
}

static int next_record(struct warp_file *f, struct macsim_record *out, struct err *e)
{
    if (!f->has_ahead)
        return read_record(f, out, e);
    *out = f->ahead;
    f->has_ahead = false;
    return 1;
}

/* Reads the records after an access that hold its other lines. *width: bytes per lane. */
static int take_children(struct warp_file *f, const struct macsim_record *r, uint64_t lines[LINES_MAX],
                         unsigned *count, unsigned *width, struct err *e)
{
    struct macsim_record child = {0};
    int got;

    *count = 0;
    *width = r->access_bytes;
    while ((got = next_record(f, &child, e)) > 0 && *count < LINES_MAX && macsim_is_child(r, &child)) {
        lines[(*count)++] = child.address;
        *width = child.access_bytes; /* the first record holds the width times the number of lines */
    }
    f->ahead = child;
    f->has_ahead = got > 0;
    return got < 0 ? -1 : 0;
}

/* 1: an instruction was added; 0: end of the file. */
static int take_inst(struct macsim *m, struct cta_store *c, struct warp_file *f, struct err *e)
{
    uint64_t lines[LINES_MAX];
    struct address_set addresses;
    struct macsim_record r;
    unsigned count, width;
    uint32_t inst, row = NO_ADDRESS;
    bool dropped;
    int got = next_record(f, &r, e);

    if (got <= 0 || take_children(f, &r, lines, &count, &width, e) < 0)
        return got > 0 ? -1 : got;
    if (!m->based) {
        m->code_base = r.pc; /* every kernel begins at its first instruction, so this PC is the base */
        m->based = true;
    }
    inst = macsim_intern(&m->table, &r, width, m->code_base, &dropped, e);
    if (inst == INST_NONE)
        return -1;
    if (macsim_has_address(&r) && r.mask && width) {
        macsim_lanes(r.mask, r.address, lines, count, m->table.insts[inst].width, &addresses);
        if (cta_store_add_addresses(c, &addresses, &row, e) < 0)
            return -1;
        m->source.repairs.lane_addresses++;
    }
    m->source.repairs.operand_kind += dropped;
    trace_repairs_count(&m->source.repairs, m->table.keys[inst].repair);
    return cta_store_add(c, inst, r.mask, row, e) < 0 ? -1 : 1;
}

/* --- a warp --- */

/* trace_N.raw is compressed with gzip. Older tracer versions wrote bin_trace_N.raw. */
static int open_warp(const struct macsim *m, uint64_t id, struct stream **out, struct err *e)
{
    static const char *const prefixes[] = {"", "bin_"};
    char name[64], *path;
    int ret = -1;

    for (size_t i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%strace_%" PRIu64 ".raw", prefixes[i], id);
        path = macsim_beside(m->path, name, e);
        if (!path)
            return -1;
        ret = stream_open(path, out, e);
        free(path);
        if (ret == 0 || e->code != ERR_NOT_FOUND)
            return ret;
    }
    return err_set(e, ERR_NOT_FOUND,
                   "%s names warp %" PRIu64 ", but neither trace_%" PRIu64 ".raw nor bin_%s is there", m->shown, id,
                   id, name + 4);
}

static int read_warp(struct macsim *m, struct cta_store *c, const struct macsim_warp *w, uint32_t number,
                     struct err *e)
{
    struct warp_file f = {0};
    int got;

    if (open_warp(m, w->id, &f.s, e) < 0)
        return -1;
    cta_store_begin_warp(c, number);
    while ((got = take_inst(m, c, &f, e)) > 0)
        ;
    cta_store_end_warp(c, number);
    if (got == 0 && w->records != UINT64_MAX && w->records != f.records)
        got = err_set(e, ERR_INVALID, "%s holds %" PRIu64 " records where trace_info.txt says %" PRIu64,
                      stream_name(f.s), f.records, w->records);
    m->bytes_in += stream_bytes_in(f.s);
    stream_close(f.s);
    return got;
}

/* --- a CTA --- */

/* Makes an empty CTA with this linear number (x fastest); NULL with *e filled. */
static struct cta_store *begin_cta(struct macsim *m, uint64_t cta, struct err *e)
{
    const uint32_t *g = m->source.info.grid;
    struct cta_store *c;

    if (cta >= kernel_cta_count(&m->source.info)) {
        err_set(e, ERR_INVALID, "%s: CTA %" PRIu64 " is outside of the grid (%u,%u,%u)", m->shown, cta, g[0], g[1],
                g[2]);
        return NULL;
    }
    c = cta_pool_take(&m->pool, kernel_warp_count(&m->source.info), e);
    if (!c)
        return NULL;
    c->trace.id[0] = (uint32_t)(cta % g[0]);
    c->trace.id[1] = (uint32_t)(cta / g[0] % g[1]);
    c->trace.id[2] = (uint32_t)(cta / g[0] / g[1]);
    return c;
}

/* Warp numbers are slots of the SM. The rank of a warp's slot is its number in the CTA. */
static int read_cta(struct macsim *m, struct cta_store *c, uint64_t cta, struct err *e)
{
    uint32_t number = 0;

    for (; m->next_warp < m->head.warp_count && m->head.warps[m->next_warp].id >> 16 == cta; m->next_warp++) {
        if (number == c->trace.warp_count)
            return err_set(e, ERR_INVALID, "%s: CTA %" PRIu64 " has more warps than the %u of a block", m->shown,
                           cta, c->trace.warp_count);
        if (read_warp(m, c, &m->head.warps[m->next_warp], number++, e) < 0)
            return -1;
    }
    return 0;
}

static int next_from(struct macsim *m, struct cta_trace **out, struct err *e)
{
    struct cta_store *c;
    uint64_t cta;

    if (m->next_warp == m->head.warp_count) {
        m->source.repairs.empty_ctas = kernel_cta_count(&m->source.info) - m->ctas;
        return 0;
    }
    cta = m->head.warps[m->next_warp].id >> 16;
    c = begin_cta(m, cta, e);
    if (!c)
        return -1;
    if (read_cta(m, c, cta, e) < 0) {
        cta_pool_give(&m->pool, c);
        return -1;
    }
    cta_store_finish(c);
    c->trace.index = m->ctas++;
    *out = &c->trace;
    return 1;
}

/* --- the source --- */

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct macsim *m = (struct macsim *)source;
    int got;

    *out = NULL;
    if (m->ended)
        return 0;
    got = next_from(m, out, e);
    m->ended = got <= 0;
    inst_table_show(&m->table, source);
    return got;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    cta_pool_give(&((struct macsim *)source)->pool, cta->opaque);
}

static void release(struct inst_source *source)
{
    struct macsim *m = (struct macsim *)source;

    cta_pool_release(&m->pool);
    inst_table_release(&m->table);
    macsim_head_release(&m->head);
    free(m->path);
    free(m->shown);
    free(m);
}

static const struct inst_source_ops macsim_ops = {"macsim", next_cta, release_cta, release};

int macsim_open(const char *path, const char *shown, struct inst_source **out, struct err *e)
{
    struct macsim *m = mem_zalloc(1, sizeof *m, e);

    *out = NULL;
    if (!m)
        return -1;
    m->source.ops = &macsim_ops;
    m->path = mem_strdup(path, e);
    m->shown = mem_strdup(shown, e);
    if (!m->path || !m->shown || macsim_head_read(path, shown, &m->head, e) < 0 ||
        inst_table_init(&m->table, e) < 0) {
        release(&m->source);
        return -1;
    }
    m->source.info = m->head.info; /* the head owns the name */
    inst_table_show(&m->table, &m->source);
    *out = &m->source;
    return 0;
}

uint64_t macsim_bytes_in(const struct inst_source *s)
{
    return ((const struct macsim *)s)->bytes_in;
}
