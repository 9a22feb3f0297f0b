/* The programs of tests/unit/ptx/conformance: their first lines say how to launch kernel `k` and what it leaves. */
#ifndef VIVACE_TESTS_UNIT_PTX_PROGRAM_FILE_H
#define VIVACE_TESTS_UNIT_PTX_PROGRAM_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness/check.h"

struct numbers {
    uint32_t *of;
    size_t count;
};
struct program {
    struct numbers in, out;
    uint32_t grid[3], block[3], shared;
    char *print, *fault; /* NULL: not specified */
};

static inline void add_numbers(struct numbers *n, const char *text)
{
    char *end;

    for (;; text = end) {
        unsigned long v = strtoul(text, &end, 16);

        if (end == text)
            return;
        n->of = realloc(n->of, (n->count + 1) * sizeof *n->of);
        n->of[n->count++] = (uint32_t)v;
    }
}

/* Replaces
 *  by a line feed. */
static inline char *unescape(const char *text)
{
    char *out = calloc(strlen(text) + 1, 1), *to = out;

    for (; *text; text++) {
        bool end = text[0] == '\\' && text[1] == 'n';

        *to++ = end ? '\n' : *text;
        text += end;
    }
    return out;
}

static inline void read_line(struct program *p, char *line)
{
    if (strncmp(line, "// launch: ", 11) == 0)
        assert_int_equal(sscanf(line + 11, "%u %u %u %u %u %u %u", &p->grid[0], &p->grid[1], &p->grid[2],
                                &p->block[0], &p->block[1], &p->block[2], &p->shared),
                         7);
    else if (strncmp(line, "// in: ", 7) == 0)
        add_numbers(&p->in, line + 7);
    else if (strncmp(line, "// out: ", 8) == 0)
        add_numbers(&p->out, line + 8);
    else if (strncmp(line, "// print: ", 10) == 0)
        p->print = unescape(line + 10);
    else if (strncmp(line, "// fault: ", 10) == 0)
        p->fault = unescape(line + 10);
}

static inline void read_program(struct program *p, const char *text)
{
    while (strncmp(text, "//", 2) == 0) {
        size_t n = strcspn(text, "\n");
        char *line = strndup(text, n);

        read_line(p, line);
        free(line);
        text += n + 1;
    }
}

static inline void program_release(struct program *p)
{
    free(p->in.of);
    free(p->out.of);
    free(p->print);
    free(p->fault);
}

#endif
