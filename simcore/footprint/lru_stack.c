#include "simcore/footprint/lru_stack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Places are numbered in the order of last touches. A line that is touched again leaves a hole. When no place is
 * free, places are renumbered. */
enum { PLACES = 2 * WARM_LINES_MAX, TABLE_MIN = 1 << 12 };
/* An image has runs if a line is at this depth or deeper: half of the smallest L2 built in, 1 MB (GTX 1050). */
enum { RUNS_FROM = 4096 };
#define NONE UINT32_MAX

struct stack_line {
    struct warm_line is;
    uint32_t below, above; /* neighbours in the stack, or NONE */
    uint32_t place;        /* place at the end of the last step; NONE: the line is new in this step */
    uint32_t step;         /* the step that touched it last */
};

struct lru_stack {
    struct stack_line *lines;
    size_t count, capacity;
    uint32_t *table; /* hash table of index + 1; 0: free */
    uint32_t table_mask;
    uint32_t top, step;
    size_t touched;       /* lines of this step; they are on top of the stack */
    struct warm_line *at; /* state of these lines before the step */
    size_t found, found_capacity;
    uint64_t own;    /* lines of this step, including those already dropped */
    uint64_t before; /* lines before the step */
    uint32_t places; /* number of places assigned so far */
    uint32_t *tree;  /* Fenwick tree: number of lines at each place, from 1 */
    uint32_t last;   /* the line touched last, because consecutive touches are mostly of the same line */
    /* all lines before the step, in the order of struct warm_image; the newest ones if there are too many runs */
    struct warm_run *runs, *next_runs;
    size_t run_count, next_count;
    uint64_t *sorted; /* the lines of a step */
    size_t sorted_capacity;
};

/* --- Fenwick tree over places --- */

static void tree_add(struct lru_stack *s, uint32_t place, uint32_t by)
{
    for (uint32_t i = place + 1; i <= PLACES; i += i & -i)
        s->tree[i] += by;
}

/* The number of lines at this place or below. */
static uint32_t tree_sum(const struct lru_stack *s, uint32_t place)
{
    uint32_t sum = 0;

    for (uint32_t i = place + 1; i > 0; i &= i - 1)
        sum += s->tree[i];
    return sum;
}

/* --- lines by number --- */

static uint32_t hash(uint64_t line)
{
    return (uint32_t)(line * 0x9e3779b97f4a7c15u >> 32);
}

/* The slot of the line, or the free slot for it. */
static uint32_t slot_of(const struct lru_stack *s, uint64_t line)
{
    uint32_t i = hash(line) & s->table_mask;

    while (s->table[i] && s->lines[s->table[i] - 1].is.line != line)
        i = (i + 1) & s->table_mask;
    return i;
}

static void fill_table(struct lru_stack *s)
{
    memset(s->table, 0, ((size_t)s->table_mask + 1) * sizeof *s->table);
    for (size_t i = 0; i < s->count; i++)
        s->table[slot_of(s, s->lines[i].is.line)] = (uint32_t)i + 1;
}

static int grow_table(struct lru_stack *s, struct err *e)
{
    uint32_t slots = s->table_mask ? 2 * (s->table_mask + 1) : TABLE_MIN;
    uint32_t *table = mem_zalloc(slots, sizeof *table, e);

    if (!table)
        return -1;
    free(s->table);
    s->table = table;
    s->table_mask = slots - 1;
    fill_table(s);
    return 0;
}

/* --- the stack --- */

static void unlink_line(struct lru_stack *s, uint32_t i)
{
    const struct stack_line *x = &s->lines[i];

    if (x->below != NONE)
        s->lines[x->below].above = x->above;
    if (x->above != NONE)
        s->lines[x->above].below = x->below;
    else
        s->top = x->below;
}

static void put_on_top(struct lru_stack *s, uint32_t i)
{
    s->lines[i].below = s->top;
    s->lines[i].above = NONE;
    if (s->top != NONE)
        s->lines[s->top].above = i;
    s->top = i;
}

static int add_line(struct lru_stack *s, uint64_t line, uint32_t slot, struct err *e)
{
    if (array_reserve((void **)&s->lines, &s->capacity, s->count + 1, sizeof *s->lines, e) < 0)
        return -1;
    s->lines[s->count] =
        (struct stack_line){.is = {.line = line}, .below = NONE, .above = NONE, .place = NONE, .step = s->step};
    s->table[slot] = (uint32_t)++s->count;
    return 0;
}

/* At the first touch of a known line in this step, saves its state before the step. */
static int keep_found(struct lru_stack *s, const struct stack_line *x, struct err *e)
{
    if (array_reserve((void **)&s->at, &s->found_capacity, s->found + 1, sizeof *s->at, e) < 0)
        return -1;
    s->at[s->found] = x->is;
    s->at[s->found++].depth = (uint32_t)s->before - tree_sum(s, x->place);
    return 0;
}

/* Moves the lines that are kept, the uppermost ones, to a new array in stack order. */
static int trim(struct lru_stack *s, struct err *e)
{
    size_t kept = s->count < WARM_LINES_MAX ? s->count : WARM_LINES_MAX;
    struct stack_line *lines = mem_zalloc(kept + 1, sizeof *lines, e);
    uint32_t from = s->top;

    if (!lines)
        return -1;
    for (size_t i = kept; i-- > 0; from = s->lines[from].below) {
        lines[i] = s->lines[from];
        lines[i].below = i ? (uint32_t)i - 1 : NONE;
        lines[i].above = i + 1 < kept ? (uint32_t)i + 1 : NONE;
        lines[i].place = NONE;
    }
    free(s->lines);
    s->lines = lines;
    s->capacity = kept + 1;
    s->count = kept;
    s->top = kept ? (uint32_t)kept - 1 : NONE;
    s->last = NONE;
    s->places = 0;
    memset(s->tree, 0, ((size_t)PLACES + 1) * sizeof *s->tree);
    fill_table(s);
    return 0;
}

/* For a step that touches more lines than the stack keeps: afterwards the stack holds only lines of this step. */
static int trim_step(struct lru_stack *s, struct err *e)
{
    if (trim(s, e) < 0)
        return -1;
    s->touched = s->count;
    return 0;
}

static int find_line(struct lru_stack *s, uint64_t line, uint32_t *out, struct err *e)
{
    uint32_t slot;

    if (s->last != NONE && s->lines[s->last].is.line == line && s->lines[s->last].step == s->step) {
        *out = s->last;
        return 0;
    }
    if (s->count / 2 >= WARM_LINES_MAX && trim_step(s, e) < 0)
        return -1;
    if (2 * (s->count + 1) > s->table_mask && grow_table(s, e) < 0)
        return -1;
    slot = slot_of(s, line);
    if (!s->table[slot]) {
        if (add_line(s, line, slot, e) < 0)
            return -1;
        s->touched++;
        s->own++;
    } else if (s->lines[s->table[slot] - 1].step != s->step) {
        if (keep_found(s, &s->lines[s->table[slot] - 1], e) < 0)
            return -1;
        s->lines[s->table[slot] - 1].step = s->step;
        s->touched++;
        s->own++;
    }
    *out = s->table[slot] - 1;
    return 0;
}

/* Changes the line's state as a slice of the L2 does (simcore/mem/slice.h). */
static void change(struct warm_line *x, const struct line_touch *t)
{
    if (t->access == LINE_READ) {
        x->partial &= (uint8_t)~t->sectors;
        x->readers |= (uint8_t)(1u << t->cta % 8);
    } else {
        if (t->access == LINE_WRITE)
            x->partial |= (uint8_t)(t->sectors & ~t->full & ~x->valid);
        x->partial &= (uint8_t) ~(t->access == LINE_WRITE ? t->full : t->sectors);
        x->dirty |= t->sectors;
        x->readers = 0;
    }
    x->valid |= t->sectors;
    x->cta = t->cta;
}

int lru_stack_touch(struct lru_stack *s, const struct line_touch *t, struct err *e)
{
    uint32_t i;

    if (find_line(s, t->line, &i, e) < 0)
        return -1;
    if (s->top != i) {
        if (s->lines[i].below != NONE || s->lines[i].above != NONE)
            unlink_line(s, i);
        put_on_top(s, i);
    }
    s->last = i;
    change(&s->lines[i].is, t);
    return 0;
}

/* --- runs --- */

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The lines of this step, sorted. */
static int sort_touched(struct lru_stack *s, struct err *e)
{
    bool ascending = true;
    uint32_t at = s->top;

    if (array_reserve((void **)&s->sorted, &s->sorted_capacity, s->touched + 1, sizeof *s->sorted, e) < 0)
        return -1;
    for (size_t i = s->touched; i-- > 0; at = s->lines[at].below) {
        s->sorted[i] = s->lines[at].is.line;
        ascending = ascending && (i + 1 == s->touched || s->sorted[i] < s->sorted[i + 1]);
    }
    if (!ascending)
        qsort(s->sorted, s->touched, sizeof *s->sorted, by_value);
    return 0;
}

static void add_run(struct lru_stack *s, uint64_t line, uint64_t end)
{
    if (line < end && s->next_count < WARM_RUNS_MAX)
        s->next_runs[s->next_count++] = (struct warm_run){line, (uint32_t)(end - line)};
}

/* Returns the number of runs. */
static size_t add_touched(struct lru_stack *s)
{
    size_t from = 0;

    for (size_t i = 1; i <= s->touched; i++)
        if (i == s->touched || s->sorted[i] != s->sorted[i - 1] + 1) {
            add_run(s, s->sorted[from], s->sorted[i - 1] + 1);
            from = i;
        }
    return s->next_count;
}

/* The first of n sorted runs that ends after this line. */
static size_t run_after(const struct warm_run *run, size_t n, uint64_t line)
{
    size_t low = 0;

    while (low < n) {
        size_t middle = low + (n - low) / 2;

        if (run[middle].line + run[middle].count <= line)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* Adds the parts of an older run that the step has not touched again. The first `newer` runs of next_runs are those
 * of the step. */
static void add_rest(struct lru_stack *s, const struct warm_run *old, size_t newer)
{
    uint64_t line = old->line, end = line + old->count;

    for (size_t i = run_after(s->next_runs, newer, line); i < newer && s->next_runs[i].line < end; i++) {
        add_run(s, line, s->next_runs[i].line);
        line = s->next_runs[i].line + s->next_runs[i].count;
    }
    add_run(s, line, end);
}

/* If the limit is reached, the oldest runs are dropped. If the step alone reaches it, older runs are dropped. */
static int renew_runs(struct lru_stack *s, struct err *e)
{
    struct warm_run *old = s->runs;
    size_t newer;

    if (sort_touched(s, e) < 0)
        return -1;
    s->next_count = 0;
    newer = add_touched(s);
    for (size_t i = 0; i < s->run_count && s->next_count < WARM_RUNS_MAX; i++)
        add_rest(s, &old[i], newer);
    s->runs = s->next_runs;
    s->next_runs = old;
    s->run_count = s->next_count;
    return 0;
}

/* --- the end of a step --- */

static int by_number(const void *a, const void *b)
{
    const struct warm_line *x = a, *y = b;

    return (x->line > y->line) - (x->line < y->line);
}

/* The runs that hold the lines down to the deepest one found; 0: not needed, or unknown. */
static size_t runs_needed(const struct lru_stack *s)
{
    uint64_t deepest = 0, lines = 0;
    size_t n = 0;

    for (size_t i = 0; i < s->found; i++)
        deepest = s->at[i].depth > deepest ? s->at[i].depth : deepest;
    if (deepest < RUNS_FROM)
        return 0;
    while (n < s->run_count && lines <= deepest)
        lines += s->runs[n++].count;
    return lines > deepest ? n : 0;
}

static int make_image(struct lru_stack *s, struct warm_image **out, struct err *e)
{
    size_t runs = runs_needed(s);
    uint64_t listed = 0;
    struct warm_image *image = warm_image_new(s->found, runs, e);

    if (!image)
        return -1;
    image->run_count = runs;
    for (size_t i = 0; i < runs; i++) {
        uint64_t left = s->before - listed;

        image->run[i] = s->runs[i];
        if (image->run[i].count > left) /* the stack has dropped its deepest lines */
            image->run[i].count = (uint32_t)left;
        listed += image->run[i].count;
    }
    image->lines = s->before;
    image->own = s->own;
    image->count = s->found;
    if (s->found)
        memcpy(image->line, s->at, s->found * sizeof *s->at);
    qsort(image->line, image->count, sizeof *image->line, by_number);
    *out = image;
    return 0;
}

/* Assigns places above all others to the lines of this step. If too few are free, all lines get new places. */
static int give_places(struct lru_stack *s, struct err *e)
{
    size_t n = s->touched;
    uint32_t i;

    if (s->count > WARM_LINES_MAX || n > PLACES - s->places) {
        if (trim(s, e) < 0)
            return -1;
        n = s->count;
    }
    i = s->top;
    for (size_t left = n; left-- > 0; i = s->lines[i].below) {
        struct stack_line *x = &s->lines[i];

        if (x->place != NONE)
            tree_add(s, x->place, UINT32_MAX); /* adds -1 */
        x->place = s->places + (uint32_t)left;
        tree_add(s, x->place, 1);
    }
    s->places += (uint32_t)n;
    return 0;
}

int lru_stack_end_step(struct lru_stack *s, struct warm_image **found, struct err *e)
{
    struct warm_image *image = NULL;

    if ((found && make_image(s, &image, e) < 0) || renew_runs(s, e) < 0 || give_places(s, e) < 0) {
        warm_image_free(image);
        return -1;
    }
    s->touched = s->found = 0;
    s->own = 0;
    s->before = s->count;
    s->last = NONE;
    s->step++;
    if (found)
        *found = image;
    return 0;
}

struct warm_image *lru_stack_top(const struct lru_stack *s, uint64_t most, struct err *e)
{
    size_t n = s->count < most ? s->count : (size_t)most;
    struct warm_image *image = warm_image_new(n, 0, e);
    uint32_t i = s->top;

    if (!image)
        return NULL;
    image->lines = s->count < WARM_LINES_MAX ? s->count : WARM_LINES_MAX;
    image->count = n;
    for (size_t depth = 0; depth < n; depth++, i = s->lines[i].below) {
        image->line[depth] = s->lines[i].is;
        image->line[depth].depth = (uint32_t)depth;
    }
    qsort(image->line, n, sizeof *image->line, by_number);
    return image;
}

/* --- beginning and end --- */

void lru_stack_clear(struct lru_stack *s)
{
    s->count = s->touched = s->found = s->run_count = 0;
    s->own = s->before = 0;
    s->places = 0;
    s->top = s->last = NONE;
    memset(s->tree, 0, ((size_t)PLACES + 1) * sizeof *s->tree);
    fill_table(s);
}

struct lru_stack *lru_stack_new(struct err *e)
{
    struct lru_stack *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return NULL;
    s->top = s->last = NONE;
    s->tree = mem_zalloc((size_t)PLACES + 1, sizeof *s->tree, e);
    s->runs = mem_zalloc(WARM_RUNS_MAX, sizeof *s->runs, e);
    s->next_runs = mem_zalloc(WARM_RUNS_MAX, sizeof *s->next_runs, e);
    if (s->tree && s->runs && s->next_runs && grow_table(s, e) == 0)
        return s;
    lru_stack_free(s);
    return NULL;
}

void lru_stack_free(struct lru_stack *s)
{
    if (!s)
        return;
    free(s->lines);
    free(s->table);
    free(s->at);
    free(s->tree);
    free(s->runs);
    free(s->next_runs);
    free(s->sorted);
    free(s);
}
