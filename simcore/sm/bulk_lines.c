#include "simcore/sm/bulk_lines.h"

#include "simcore/trace/fields.h"

/* A row has at least 16 bytes, and a part at most COPY_LINES_MAX lines. */
enum { ROWS_MAX = COPY_LINES_MAX * LINE_BYTES / 16 };

_Static_assert(COPY_LINE_BYTES == 1 << LINE_SHIFT, "parts are made of lines of L2");

/* Adds bytes [from, to) of a line. */
static void add_piece(struct coalesced *c, uint64_t line, uint32_t from, uint32_t to)
{
    uint8_t all = 0, full = 0;

    for (uint32_t s = from / SECTOR_BYTES; s * SECTOR_BYTES < to; s++) {
        all |= (uint8_t)(1u << s);
        full |= (uint8_t)((s * SECTOR_BYTES >= from && (s + 1) * SECTOR_BYTES <= to) << s);
    }
    if (!c->count || c->line[c->count - 1] != line) {
        c->line[c->count] = line;
        c->sectors[c->count] = c->full[c->count] = 0;
        c->count++;
    }
    c->sectors[c->count - 1] |= all;
    c->full[c->count - 1] |= full;
}

static void add_row(struct coalesced *c, uint64_t at, uint64_t bytes)
{
    while (bytes && (c->count < COPY_LINES_MAX || c->line[c->count - 1] == at >> LINE_SHIFT)) {
        uint32_t from = (uint32_t)(at % LINE_BYTES);
        uint64_t some = bytes < LINE_BYTES - from ? bytes : LINE_BYTES - from;

        add_piece(c, at >> LINE_SHIFT, from, from + (uint32_t)some);
        at += some;
        bytes -= some;
    }
}

void bulk_lines(const uint64_t field[], struct coalesced *c)
{
    c->count = 0;
    for (uint64_t r = 0; r < field[COPY_ROWS] && r < ROWS_MAX; r++)
        add_row(c, field[COPY_ADDRESS] + r * field[COPY_STRIDE], field[COPY_ROW_BYTES]);
}

enum mem_kind bulk_kind(uint8_t mix, uint8_t flags)
{
    return mix == MIX_LOAD ? MEM_READ : flags & OP_REDUCES ? MEM_REDUCTION : MEM_WRITE;
}
