#include "simcore/validation/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/embed.h"

size_t rows_next(char **at, char **field, size_t most)
{
    char *line;
    size_t n = 0;

    while ((line = strsep(at, "\n")) && (!*line || *line == '#' || *line == '\r'))
        ;
    if (line)
        line[strcspn(line, "\r")] = '\0';
    while (line && n < most)
        field[n++] = strsep(&line, ",");
    return n;
}

int rows_builtin(const char *name, char **out, struct err *e)
{
    const struct embedded_file *f = embedded_validation;

    while (f->name && strcmp(f->name, name) != 0)
        f++;
    ASSERT(f->name);
    *out = mem_zalloc(f->size + 1, 1, e);
    if (!*out)
        return -1;
    memcpy(*out, f->bytes, f->size);
    return 0;
}

int boards_builtin(struct board_list *out, struct err *e)
{
    char *text, *at, *field[4];
    size_t n;
    int ret = 0;

    memset(out, 0, sizeof *out);
    if (rows_builtin("boards.csv", &text, e) < 0)
        return -1;
    at = text;
    rows_next(&at, field, 4); /* names of the columns */
    while (ret == 0 && (n = rows_next(&at, field, 4))) {
        struct board *b;

        ASSERT(n >= 3);
        ret = array_reserve((void **)&out->items, &out->capacity, out->count + 1, sizeof *out->items, e);
        if (ret < 0)
            break;
        b = &out->items[out->count++];
        snprintf(b->name, sizeof b->name, "%s", field[0]);
        snprintf(b->design, sizeof b->design, "%s", field[1]);
        snprintf(b->changes, sizeof b->changes, "%s", field[2]);
    }
    free(text);
    return ret;
}

void boards_release(struct board_list *l)
{
    free(l->items);
    memset(l, 0, sizeof *l);
}

const struct board *board_find(const struct board_list *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->items[i].name, name) == 0)
            return &l->items[i];
    return NULL;
}

/* Splits "a.b=1 c.d=x2", in place. A later change of a parameter replaces an earlier one. */
static int split_changes(char *text, struct design_change *list, size_t *count, struct err *e)
{
    char *save = NULL;
    size_t n = 0;

    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        size_t at = 0;

        if (!value)
            return err_set(e, ERR_USAGE, "the change `%.80s` is not NAME=VALUE", word);
        *value = '\0';
        while (at < n && strcmp(list[at].name, word) != 0)
            at++;
        if (at == BOARD_CHANGES)
            return err_set(e, ERR_USAGE, "there are more than %d changes, from `%.80s` on", BOARD_CHANGES, word);
        list[at] = (struct design_change){word, value + 1};
        n += at == n;
    }
    *count = n;
    return 0;
}

/* Applies the changes to *d. */
static int change(struct gpu_design **d, const char *name, const char *changes, struct err *e)
{
    struct design_change list[BOARD_CHANGES];
    struct gpu_design *changed = NULL;
    char *copy = strdup(changes ? changes : ""), *text = NULL;
    size_t n = 0;
    int ret;

    ret = copy ? split_changes(copy, list, &n, e) : err_no_memory(e);
    if (ret < 0 || !n) {
        free(copy);
        return ret;
    }
    ret = design_derive(*d, name, list, n, &text, e);
    free(copy);
    if (ret == 0)
        ret = design_parse(text, strlen(text), name, &changed, e);
    free(text);
    if (ret == 0) {
        design_free(*d);
        *d = changed;
    }
    return ret;
}

int board_design(const struct board *b, double mhz, const char *changes, struct gpu_design **out, struct err *e)
{
    char clocks[96] = "";
    struct gpu_design *d;

    if (mhz > 0)
        snprintf(clocks, sizeof clocks, "clock.sm_mhz=%g clock.l2_mhz=%g", mhz, mhz);
    if (design_load(b->design, &d, e) < 0)
        return -1;
    if (change(&d, b->design, b->changes, e) < 0 || change(&d, b->design, clocks, e) < 0 ||
        change(&d, b->design, changes, e) < 0) {
        design_free(d);
        return -1;
    }
    *out = d;
    return 0;
}
