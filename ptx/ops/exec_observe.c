#include "ptx/ops/exec_observe.h"

#include <string.h>

_Static_assert(PTX_CLUSTER_STRIDE == 1 << FIELDS_RANK_SHIFT, "CTAs of a cluster lie as the trace has them");

void ptx_report_fields(const struct ptx_warp *w, const uint64_t *field, uint32_t count)
{
    const struct ptx_observer *o = w->cta->observer;
    uint64_t at[PTX_LANES];

    for (uint32_t k = 0; k < PTX_LANES; k++)
        at[k] = field[0] + (k && k < count ? field[k] : 0);
    o->memory(o->ctx, w->id,
              &(struct ptx_touched){.code = w->code,
                                    .op = w->pc,
                                    .space = PTX_SPACE_GLOBAL,
                                    .lie = PTX_LIE_SCATTERED,
                                    .mask = (uint32_t)((1ull << count) - 1),
                                    .at = at,
                                    .fields = true});
}

void ptx_report_barrier(const struct ptx_warp *w, const struct ptx_reach *r, uint32_t mask, enum barrier_what what,
                        const uint32_t count[PTX_LANES], const int64_t bytes[PTX_LANES])
{
    while (mask) {
        uint32_t first = ptx_first_lane(mask), same = 0;
        uint64_t field[BARRIER_FIELDS] = {
            [BARRIER_ADDRESS] = ptx_ranked(w, r->cta, r->at[first]), [BARRIER_WHAT] = what};

        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t l = ptx_first_lane(left);

            if (r->at[l] != r->at[first])
                continue;
            same |= 1u << l;
            field[BARRIER_COUNT] += count[l];
            field[BARRIER_BYTES] += bytes ? (uint64_t)bytes[l] : 0;
        }
        if (what == BARRIER_WAIT || what == BARRIER_INIT) /* all lanes have the same count */
            field[BARRIER_COUNT] = count[first];
        field[BARRIER_LANES] = same;
        ptx_report_fields(w, field, BARRIER_FIELDS);
        mask &= ~same;
    }
}

uint64_t ptx_observed_shared(const struct ptx_warp *w, const struct ptx_access *a, uint32_t lane)
{
    uint64_t at[PTX_LANES];

    ptx_addresses(w, a, 1u << lane, at);
    return at[lane] - PTX_SHARED_BASE < PTX_WINDOW_BYTES ? at[lane] - PTX_SHARED_BASE : at[lane];
}

/* --- copies --- */

void ptx_report_copy(struct ptx_observed_copy *c, const struct ptx_warp *w, uint32_t lane,
                     const struct ptx_access *barrier, uint64_t bytes, uint32_t ctas)
{
    *c = (struct ptx_observed_copy){.w = w, .reported = barrier ? bytes : 0};
    c->field[COPY_LANES] = 1u << lane;
    c->field[COPY_BARRIER] = barrier ? ptx_observed_shared(w, barrier, lane) + 1 : 0;
    c->field[COPY_CTAS] = ctas;
}

/* Reports the rows collected so far as one part of the copy. The barrier counts `reported` bytes of it. */
static void report_part(struct ptx_observed_copy *c, uint64_t reported, bool more)
{
    c->field[COPY_REPORTED_BYTES] = reported;
    c->field[COPY_MORE] = more;
    c->reported -= reported;
    ptx_report_fields(c->w, c->field, COPY_FIELDS);
    c->field[COPY_ROWS] = 0;
    c->lines = 0;
}

/* Returns true if a row continues the pattern of the rows collected so far. */
static bool goes_on(struct ptx_observed_copy *c, uint64_t address, uint64_t bytes, uint32_t lines)
{
    uint64_t *f = c->field;

    if (!f[COPY_ROWS] || f[COPY_ROW_BYTES] != bytes || c->lines + lines > COPY_LINES_MAX)
        return false;
    if (f[COPY_ROWS] == 1)
        f[COPY_STRIDE] = address - f[COPY_ADDRESS];
    return address == f[COPY_ADDRESS] + f[COPY_ROWS] * f[COPY_STRIDE];
}

static void report_short_row(struct ptx_observed_copy *c, uint64_t address, uint64_t bytes)
{
    uint32_t lines = (uint32_t)((address % COPY_LINE_BYTES + bytes + COPY_LINE_BYTES - 1) / COPY_LINE_BYTES);
    uint64_t *f = c->field, so_far = f[COPY_ROWS] * f[COPY_ROW_BYTES];

    if (!goes_on(c, address, bytes, lines)) {
        if (f[COPY_ROWS])
            report_part(c, so_far < c->reported ? so_far : c->reported, true);
        f[COPY_ADDRESS] = address;
        f[COPY_ROW_BYTES] = bytes;
        f[COPY_STRIDE] = 0;
    }
    f[COPY_ROWS]++;
    c->lines += lines;
}

void ptx_report_row(struct ptx_observed_copy *c, uint64_t address, uint64_t bytes)
{
    while (bytes) {
        uint64_t most = (uint64_t)COPY_LINES_MAX * COPY_LINE_BYTES - address % COPY_LINE_BYTES,
                 some = bytes < most ? bytes : most;

        report_short_row(c, address, some);
        address += some;
        bytes -= some;
    }
}

void ptx_report_copied(struct ptx_observed_copy *c)
{
    if (!c->field[COPY_ROWS])
        c->field[COPY_ADDRESS] = 0;
    report_part(c, c->reported, false);
}
