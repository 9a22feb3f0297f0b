#include "simcore/trace/vtrace_path.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "simcore/trace/vtrace_writer.h"

static bool is_same(const struct path_memo *m, const struct run_warp *r)
{
    return m->run_count == r->run_count && memcmp(m->runs, r->runs, r->run_count * sizeof *r->runs) == 0;
}

/* Adds rows for instructions from `first` to before `end`, which are consecutive in the kernel's table. */
static int add_rows(struct vtrace_writer *w, uint32_t first, uint32_t end, uint32_t mask, uint32_t *row,
                    struct err *e)
{
    struct path_memo *m = &w->memo;

    ASSERT_HOT(first < end && end <= w->map_count);
    for (uint32_t i = w->next_access[first]; i < end; i = w->next_access[i + 1]) {
        if (m->row_count == m->row_capacity &&
            array_reserve((void **)&m->rows, &m->row_capacity, m->row_count + 1, sizeof *m->rows, e) < 0)
            return -1;
        m->rows[m->row_count++] = (struct path_row){w->inst_map[i], mask, (*row)++};
    }
    return 0;
}

static int put_run(struct vtrace_writer *w, const struct inst_source *s, const struct warp_run *r,
                   struct path_segment *g, struct err *e)
{
    uint32_t end = r->inst + r->count, row = r->row, stretch;

    for (uint32_t i = r->inst; i < end; i += stretch) {
        if (writer_map_run(w, s, i, end, &stretch, e) < 0)
            return -1;
        path_step(&w->warp_path, g, w->inst_map[i], stretch, r->mask);
        if (add_rows(w, i, i + stretch, r->mask, &row, e) < 0)
            return -1;
    }
    return 0;
}

static int remember(struct path_memo *m, const struct run_warp *r, struct err *e)
{
    ASSERT(r->run_count > 0);
    if (array_reserve((void **)&m->runs, &m->run_capacity, r->run_count, sizeof *m->runs, e) < 0)
        return -1;
    memcpy(m->runs, r->runs, r->run_count * sizeof *m->runs);
    m->run_count = r->run_count;
    return 0;
}

int writer_put_path(struct vtrace_writer *w, const struct inst_source *s, const struct run_warp *r, uint32_t count,
                    struct err *e)
{
    struct path_segment g = path_begin();

    ASSERT(count > 0);
    if (is_same(&w->memo, r))
        return 0;
    w->memo.run_count = w->memo.row_count = 0;
    strbuf_clear(&w->warp_path);
    put_number(&w->warp_path, count);
    for (size_t i = 0; i < r->run_count; i++)
        if (put_run(w, s, &r->runs[i], &g, e) < 0)
            return -1;
    path_put(&w->warp_path, &g);
    return remember(&w->memo, r, e);
}

void path_memo_release(struct path_memo *m)
{
    free(m->runs);
    free(m->rows);
    *m = (struct path_memo){0};
}
