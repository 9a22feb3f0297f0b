/* ptx/tools/break_at.c: prints the values that a line reads, lane by lane. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "ptx/warp/launch.h"
#include "ptx/tools/op_values.h"
#include "ptx/tools/run_watch.h"

struct ptx_break {
    struct ptx_watch watch;
    char *file; /* NULL: any file */
    uint64_t line, left;
    void (*print)(void *ctx, const char *text);
    void *ctx;
};

/* "k.ptx" also matches "/some/where/k.ptx". */
static bool names(const char *path, const char *file)
{
    size_t n = strlen(path), m = strlen(file);

    return n >= m && strcmp(path + n - m, file) == 0 && (n == m || path[n - m - 1] == '/');
}

static bool is_here(const struct ptx_break *b, const struct ptx_seen *s)
{
    const struct ptx_inst *i = &s->code->function->insts[s->op];
    const struct ptx_module *m = ptx_module_of(s->warp->cta->run, s->code);

    if (i->place.line == b->line && (!b->file || names(m->label, b->file)))
        return true;
    return b->file && i->loc_line == b->line && i->loc_file < m->file_count && m->files[i->loc_file] &&
           names(m->files[i->loc_file], b->file);
}

static void add_lanes(const struct ptx_seen *s, const struct op_value *v, struct strbuf *out)
{
    uint64_t first[2], bits[2];
    bool same = true;

    strbuf_adds(out, "  ");
    op_value_name(s->code, v, out);
    op_value_read(s, v, (uint32_t)__builtin_ctz(s->mask), first);
    for (uint32_t left = s->mask; left; left &= left - 1) {
        op_value_read(s, v, (uint32_t)__builtin_ctz(left), bits);
        same = same && memcmp(bits, first, sizeof bits) == 0;
    }
    strbuf_adds(out, same ? " in all lanes:" : ":");
    for (uint32_t left = same ? s->mask & (0u - s->mask) : s->mask; left; left &= left - 1) {
        op_value_read(s, v, (uint32_t)__builtin_ctz(left), bits);
        strbuf_addc(out, ' ');
        op_value_text(v, bits, op_type(s->code, s->op), out);
    }
    strbuf_addc(out, '\n');
}

static int before(void *ctx, const struct ptx_seen *s)
{
    struct ptx_break *b = ctx;
    struct op_value v[OP_VALUES_MAX];
    struct strbuf out = STRBUF_INIT;
    char place[200];
    uint32_t n;

    if (!b->left || !is_here(b, s))
        return 0;
    b->left--;
    ptx_place_text(s->warp, s->code, s->op, place, sizeof place);
    strbuf_addf(&out, "%s, CTA (%u,%u,%u), warp %u, lanes 0x%x: ", place, s->warp->cta->id[0], s->warp->cta->id[1],
                s->warp->cta->id[2], s->warp->id, s->mask);
    op_ptx_text(s, &out);
    strbuf_addc(&out, '\n');
    n = s->mask ? op_values(s->code, s->op, false, v) : 0;
    for (uint32_t k = 0; k < n; k++)
        add_lanes(s, &v[k], &out);
    b->print(b->ctx, out.text);
    strbuf_release(&out);
    return 0;
}

int ptx_break_new(const char *where, uint64_t hits, void (*print)(void *ctx, const char *text), void *ctx,
                  struct ptx_break **out, struct err *e)
{
    const char *colon = strrchr(where, ':');
    struct ptx_break *b = mem_zalloc(1, sizeof *b, e);
    struct err why;

    if (!b)
        return -1;
    b->watch = (struct ptx_watch){.ctx = b, .before = before};
    b->left = hits;
    b->print = print;
    b->ctx = ctx;
    if (parse_u64(colon ? colon + 1 : where, "line", &b->line, &why) != 0 || !b->line) {
        free(b);
        return err_set(e, ERR_USAGE, "`%.100s` is not a line; write it like k.ptx:12, k.cu:7 or 12", where);
    }
    if (colon && !(b->file = mem_strndup(where, (size_t)(colon - where), e))) {
        free(b);
        return -1;
    }
    *out = b;
    return 0;
}

const struct ptx_watch *ptx_break_watch(const struct ptx_break *b)
{
    return &b->watch;
}

void ptx_break_free(struct ptx_break *b)
{
    if (!b)
        return;
    free(b->file);
    free(b);
}
