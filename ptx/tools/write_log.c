/* ptx/tools/write_log.c: logs values that are written to registers. */
#include "ptx/tools/write_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "ptx/tools/op_values.h"

struct known { /* a function, and which of its ops have been written to the log */
    const struct ptx_code *code;
    uint8_t *reported;
};

struct write_log {
    struct ptx_watch watch;
    char *path, *temporary;
    FILE *to;
    uint64_t first, last;
    struct known *known; /* for the current launch */
    size_t count, capacity;
    struct strbuf line;
};

static struct known *known_of(struct write_log *l, const struct ptx_code *code, struct err *e)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->known[i].code == code)
            return &l->known[i];
    if (array_reserve((void **)&l->known, &l->capacity, l->count + 1, sizeof *l->known, e) != 0)
        return NULL;
    l->known[l->count] = (struct known){code, mem_zalloc(code->op_count + 1, 1, e)};
    return l->known[l->count].reported ? &l->known[l->count++] : NULL;
}

static void report_op(struct write_log *l, const struct ptx_seen *s)
{
    char place[200];

    ptx_place_text(s->warp, s->code, s->op, place, sizeof place);
    strbuf_addf(&l->line, "op\t%s:%u\t%s\t%s\t", s->code->function->name, s->op,
                ptx_type_name((enum ptx_type)op_type(s->code, s->op)), place);
    op_ptx_text(s, &l->line);
    strbuf_addc(&l->line, '\n');
}

static void add_bits(struct strbuf *b, const uint64_t bits[2])
{
    if (bits[1])
        strbuf_addf(b, "%" PRIx64 "%016" PRIx64, bits[1], bits[0]);
    else
        strbuf_addf(b, "%" PRIx64, bits[0]);
}

static void add_values(struct strbuf *b, const struct ptx_seen *s, const struct op_value *v)
{
    uint64_t first[2], bits[2];
    bool same = true;

    op_value_read(s, v, (uint32_t)__builtin_ctz(s->mask), first);
    for (uint32_t left = s->mask; left && same; left &= left - 1) {
        op_value_read(s, v, (uint32_t)__builtin_ctz(left), bits);
        same = memcmp(first, bits, sizeof bits) == 0;
    }
    strbuf_addc(b, '\t');
    op_value_name(s->code, v, b);
    strbuf_addc(b, '=');
    add_bits(b, first);
    for (uint32_t left = s->mask & (s->mask - 1); left && !same; left &= left - 1) {
        op_value_read(s, v, (uint32_t)__builtin_ctz(left), bits);
        strbuf_addc(b, ',');
        add_bits(b, bits);
    }
}

static int after(void *ctx, const struct ptx_seen *s)
{
    struct write_log *l = ctx;
    struct op_value v[OP_VALUES_MAX];
    uint64_t cta = s->warp->cta->linear;
    uint32_t n = cta < l->first || cta > l->last ? 0 : op_values(s->code, s->op, true, v);
    struct known *k = n ? known_of(l, s->code, s->warp->cta->e) : NULL;

    if (!n)
        return 0;
    if (!k)
        return -1;
    strbuf_clear(&l->line);
    if (!k->reported[s->op])
        report_op(l, s);
    k->reported[s->op] = 1;
    strbuf_addf(&l->line, "w\t%" PRIu64 "\t%u\t%s:%u\t%x", cta, s->warp->id, s->code->function->name, s->op,
                s->mask);
    for (uint32_t i = 0; i < n; i++)
        add_values(&l->line, s, &v[i]);
    strbuf_addc(&l->line, '\n');
    if (l->line.failed)
        return err_no_memory(s->warp->cta->e);
    if (fwrite(l->line.text, 1, l->line.length, l->to) != l->line.length)
        return err_set_errno(s->warp->cta->e, errno, "%s", l->temporary);
    return 0;
}

static void forget_functions(struct write_log *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->known[i].reported);
    l->count = 0;
}

void write_log_launch(struct write_log *l, uint64_t number, const char *name)
{
    forget_functions(l);
    fprintf(l->to, "launch\t%" PRIu64 "\t%s\n", number, name);
}

int write_log_new(const char *path, uint64_t first, uint64_t last, struct write_log **out, struct err *e)
{
    struct write_log *l = mem_zalloc(1, sizeof *l, e);
    struct strbuf temporary = STRBUF_INIT;

    if (!l)
        return -1;
    l->line = (struct strbuf)STRBUF_INIT;
    l->watch = (struct ptx_watch){.ctx = l, .after = after};
    l->first = first;
    l->last = last;
    strbuf_addf(&temporary, "%s.part", path);
    l->temporary = strbuf_detach(&temporary);
    l->path = mem_strdup(path, e);
    l->to = l->temporary && l->path ? fopen(l->temporary, "w") : NULL;
    if (!l->to) {
        if (l->temporary && l->path)
            err_set_errno(e, errno, "%s", l->temporary);
        else
            err_no_memory(e);
        write_log_free(l);
        return -1;
    }
    fputs(WRITE_LOG_FORMAT "\t1\n", l->to);
    *out = l;
    return 0;
}

const struct ptx_watch *write_log_watch(const struct write_log *l)
{
    return &l->watch;
}

int write_log_end(struct write_log *l, struct err *e)
{
    bool bad = ferror(l->to) != 0, closed = fclose(l->to) == 0;

    l->to = NULL;
    if (bad || !closed || rename(l->temporary, l->path) != 0)
        return err_set_errno(e, errno, "%s", l->path);
    return 0;
}

void write_log_free(struct write_log *l)
{
    if (!l)
        return;
    if (l->to) { /* write_log_end() was not called */
        fclose(l->to);
        unlink(l->temporary);
    }
    forget_functions(l);
    free(l->known);
    free(l->path);
    free(l->temporary);
    strbuf_release(&l->line);
    free(l);
}
