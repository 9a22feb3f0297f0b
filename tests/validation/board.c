#include "tests/validation/board.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int text_file_read(const char *path, char **out, struct err *e)
{
    FILE *f = fopen(path, "r");
    size_t n = 0, got, capacity = 0;
    void *text = NULL;

    if (!f)
        return err_set_errno(e, errno, "cannot open %s", path);
    do {
        if (array_reserve(&text, &capacity, n + 65536, 1, e) < 0) {
            fclose(f);
            free(text);
            return -1;
        }
        got = fread((char *)text + n, 1, 65535, f);
        n += got;
    } while (got);
    ((char *)text)[n] = '\0';
    fclose(f);
    *out = text;
    return 0;
}

size_t csv_next(char **at, char **field, size_t most)
{
    char *line;
    size_t n = 0;

    while ((line = strsep(at, "\n")) && (!*line || *line == '#'))
        ;
    while (line && n < most)
        field[n++] = strsep(&line, ",");
    return n;
}

int boards_read(const char *path, struct board_list *out, struct err *e)
{
    char *text, *at, *field[4];
    size_t n;
    int ret = 0;

    memset(out, 0, sizeof *out);
    if (text_file_read(path, &text, e) < 0)
        return -1;
    at = text;
    csv_next(&at, field, 4); /* names of the columns */
    while (ret == 0 && (n = csv_next(&at, field, 4))) {
        struct board *b;

        if (n < 3) {
            ret = err_set(e, ERR_INVALID, "%s: a line has %zu columns instead of 4", path, n);
            break;
        }
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

/* Adds "a.b=1 c.d=x2" to the list; the text is cut up. */
static size_t split_changes(char *text, struct design_change *list, size_t n)
{
    char *save = NULL;

    for (char *word = strtok_r(text, " ", &save); word && n < BOARD_CHANGES; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');

        if (!value)
            continue;
        *value = '\0';
        list[n++] = (struct design_change){word, value + 1};
    }
    return n;
}

/* Applies the changes to *d. */
static int change(struct gpu_design **d, const char *name, const char *changes, struct err *e)
{
    struct design_change list[BOARD_CHANGES];
    struct gpu_design *changed = NULL;
    char copy[512], *text = NULL;
    size_t n;
    int ret;

    snprintf(copy, sizeof copy, "%s", changes ? changes : "");
    n = split_changes(copy, list, 0);
    if (!n)
        return 0;
    ret = design_derive(*d, name, list, n, &text, e);
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
