/* ptx/code/rows.c: assigns rows to values by linear scan, in the order in which their ranges begin. A value gets a
 * free row of its width. The row that was freed last is used first, because it is probably still in the cache.
 * live.h explains why this is correct. */
#include <stdlib.h>

#include "base/array.h"
#include "ptx/code/live.h"

enum { CLASSES = 5 }; /* predicates, 16, 32, 64, 128 bits */

struct packer {
    const struct ptx_function *f;
    const struct ptx_live *live;
    uint16_t *row_of;
    uint32_t *next;   /* of each value: the next value in its list */
    uint32_t *begins; /* lists of values: by the position where their range begins; by the position where it ends */
    uint32_t *ends;
    uint8_t *class_of;      /* of each value: index of its width */
    uint32_t free[CLASSES]; /* lists of values whose rows are free */
    uint32_t rows, preds;
};

uint32_t ptx_row_bits(enum ptx_type t)
{
    uint32_t bits = ptx_type_bits(t);

    return t == PTX_PRED ? 1 : bits < 16 ? 16 : bits;
}

static uint8_t class_of(enum ptx_type t)
{
    uint32_t bits = ptx_row_bits(t);

    return bits == 1 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : bits == 64 ? 3 : 4;
}

static bool is_result(const struct ptx_function *f, uint32_t reg)
{
    for (uint32_t k = 0; k < f->result_count; k++)
        if (f->results[k].reg == reg)
            return true;
    return false;
}

static int new_row(struct packer *p, uint32_t value, struct err *e)
{
    uint32_t *count = p->class_of[value] ? &p->rows : &p->preds;

    if (*count >= PTX_NO_ROW - 8u)
        return err_set(e, ERR_UNSUPPORTED, "%s: more registers are live at the same time than Vivace can execute",
                       p->f->name);
    p->row_of[value] = (uint16_t)*count;
    *count += p->class_of[value] ? 1u << (p->class_of[value] - 1) : 1;
    return 0;
}

static void push(uint32_t *list, struct packer *p, uint32_t value)
{
    p->next[value] = *list;
    *list = value;
}

static int take_row(struct packer *p, uint32_t value, struct err *e)
{
    uint32_t *list = &p->free[p->class_of[value]], old = *list;

    if (old == PTX_NONE)
        return new_row(p, value, e);
    *list = p->next[old];
    p->row_of[value] = p->row_of[old];
    return 0;
}

/* Assigns rows to the registers that share none. All other values go into the lists. */
static int sort_values(struct packer *p, struct err *e)
{
    for (uint32_t r = p->f->register_count; r-- > 0;) {
        bool apart = p->f->registers[r].vector > 1 || is_result(p->f, r);

        for (uint32_t v = p->live->value_of[r]; v < p->live->value_of[r + 1]; v++) {
            p->class_of[v] = class_of(p->f->registers[r].type);
            p->row_of[v] = PTX_NO_ROW;
            if (apart && new_row(p, v, e) < 0)
                return -1;
            if (!apart && p->live->ranges[v].begin <= p->live->ranges[v].end)
                push(&p->begins[p->live->ranges[v].begin], p, v);
        }
    }
    return 0;
}

static int scan(struct packer *p, struct err *e)
{
    for (uint32_t at = 0; at < 2 * p->f->inst_count; at++) {
        for (uint32_t v = p->begins[at], next; v != PTX_NONE; v = next) {
            next = p->next[v];
            if (take_row(p, v, e) < 0)
                return -1;
            push(&p->ends[p->live->ranges[v].end], p, v);
        }
        for (uint32_t v = p->ends[at], next; v != PTX_NONE; v = next) {
            next = p->next[v];
            push(&p->free[p->class_of[v]], p, v);
        }
    }
    return 0;
}

int ptx_rows_pack(const struct ptx_function *f, const struct ptx_live *l, uint16_t *row_of_value, uint32_t *rows,
                  uint32_t *preds, struct err *e)
{
    struct packer p = {.f = f, .live = l, .row_of = row_of_value};
    size_t positions = 2 * (size_t)f->inst_count + 1;
    int ret = -1;

    p.next = mem_zalloc(l->value_count + 1u, sizeof *p.next, e);
    p.class_of = mem_zalloc(l->value_count + 1u, sizeof *p.class_of, e);
    p.begins = mem_zalloc(positions, sizeof *p.begins, e);
    p.ends = mem_zalloc(positions, sizeof *p.ends, e);
    if (p.next && p.class_of && p.begins && p.ends) {
        for (size_t k = 0; k < positions; k++)
            p.begins[k] = p.ends[k] = PTX_NONE;
        for (size_t k = 0; k < CLASSES; k++)
            p.free[k] = PTX_NONE;
        ret = sort_values(&p, e) < 0 ? -1 : scan(&p, e);
    }
    *rows = p.rows;
    *preds = p.preds;
    free(p.next);
    free(p.class_of);
    free(p.begins);
    free(p.ends);
    return ret;
}
