#include "simcore/trace/sass_control.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "simcore/trace/accel_sim_line.h"

#define LINE_LENGTH_MAX 65536
#define OPCODE_BYTES    20 /* of the part before the first dot; no opcode is longer */
#define ROWS_MAX        (1u << 24)
#define UPPER_SHIFT     41 /* bit 105 is bit 41 of the upper half */
#define WORD_BITS       21

struct row {
    uint32_t pc, control;
    char opcode[OPCODE_BYTES];
};
struct function {
    char *name;
    size_t first, count; /* rows */
};
struct sass_control {
    struct function *functions;
    size_t function_count, function_capacity;
    struct row *rows;
    size_t row_count, row_capacity;
};

uint32_t sass_control_word(uint64_t upper)
{
    return CONTROL_KNOWN | (uint32_t)(upper >> UPPER_SHIFT & ((1u << WORD_BITS) - 1));
}

void sass_control_free(struct sass_control *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->function_count; i++)
        free(c->functions[i].name);
    free(c->functions);
    free(c->rows);
    free(c);
}

size_t sass_control_functions(const struct sass_control *c)
{
    return c->function_count;
}

/* --- reading --- */

/* Finds the name in "Function : NAME" or ".text.NAME:"; 0: another line. */
static size_t function_name(const char *line, const char **name)
{
    const char *p = scan_blanks(line);

    if (str_starts(p, "Function : "))
        p += strlen("Function : ");
    else if (str_starts(p, ".text."))
        p += strlen(".text.");
    else
        return 0;
    *name = p;
    return strcspn(p, ": \t,");
}

static int add_function(struct sass_control *c, const char *name, size_t n, struct err *e)
{
    void *p = c->functions;

    if (array_reserve(&p, &c->function_capacity, c->function_count + 1, sizeof *c->functions, e) < 0)
        return -1;
    c->functions = p;
    c->functions[c->function_count] = (struct function){mem_strndup(name, n, e), c->row_count, 0};
    return c->functions[c->function_count++].name ? 0 : -1;
}

/* "@!P0 LDG.E.128 R4, ..." -> "LDG". */
static void take_opcode(const char *p, char out[OPCODE_BYTES])
{
    size_t n;

    p = scan_blanks(p);
    if (*p == '@') {
        while (*p && *p != ' ' && *p != '\t')
            p++;
        p = scan_blanks(p);
    }
    n = strcspn(p, ". \t;");
    n = n < OPCODE_BYTES - 1 ? n : OPCODE_BYTES - 1;
    memcpy(out, p, n);
    out[n] = '\0';
}

/* Finds a comment with "0x" and 16 digits. NULL: there is none from p on. */
static const char *find_word(const char *p, uint64_t *out)
{
    while ((p = strstr(p, "/*")) != NULL) {
        const char *begin = scan_blanks(p + 2), *end;

        if (begin[0] == '0' && begin[1] == 'x' && (end = scan_hex(begin + 2, 16, out)) != NULL && end - begin == 18)
            return end;
        p += 2;
    }
    return NULL;
}

static int add_row(struct sass_control *c, uint32_t pc, const char *text, struct err *e)
{
    void *p = c->rows;

    if (c->row_count >= ROWS_MAX)
        return err_set(e, ERR_TOO_LARGE, "more than %u instructions", ROWS_MAX);
    if (array_reserve(&p, &c->row_capacity, c->row_count + 1, sizeof *c->rows, e) < 0)
        return -1;
    c->rows = p;
    c->rows[c->row_count].pc = pc;
    c->rows[c->row_count].control = 0;
    take_opcode(text, c->rows[c->row_count++].opcode);
    c->functions[c->function_count - 1].count++;
    return 0;
}

/* Reads one line. *open: the upper half of the last instruction's encoding is still missing. */
static int take_line(struct sass_control *c, const char *line, bool *open, struct err *e)
{
    const char *name, *p = scan_blanks(line), *rest;
    size_t n = function_name(line, &name);
    uint64_t pc, lower, upper;

    if (n)
        return add_function(c, name, n, e);
    if (!c->function_count || p[0] != '/' || p[1] != '*')
        return 0;
    if (p[2] != ' ' && (rest = scan_hex(p + 2, 8, &pc)) != NULL && rest[0] == '*' && rest[1] == '/') {
        if (*open)
            return err_set(e, ERR_UNSUPPORTED,
                           "the instruction before this line has no second half of its encoding");
        *open = true;
        rest = find_word(rest, &lower);
        if (!rest)
            return err_set(e, ERR_INVALID, "there is no encoding (/* 0x... */) beside the instruction");
        return add_row(c, (uint32_t)pc, strstr(p, "*/") + 2, e);
    }
    if (*open && find_word(p, &upper)) {
        c->rows[c->row_count - 1].control = sass_control_word(upper);
        *open = false;
    }
    return 0;
}

static int by_pc(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct function *)a)->name, ((const struct function *)b)->name);
}

static int read_lines(struct sass_control *c, struct stream *s, struct err *e)
{
    bool open = false;
    char *line;
    int got;

    while ((got = stream_line(s, LINE_LENGTH_MAX, &line, NULL, NULL, e)) > 0)
        if (take_line(c, line, &open, e) < 0) {
            err_wrap(e, "%s: line %" PRIu64, stream_name(s), stream_line_number(s));
            return err_hint(
                e, "Since Volta an instruction has 128 bits: `cuobjdump -sass FILE` or `nvdisasm -hex FILE`.");
        }
    if (got == 0 && c->row_count == 0) {
        err_set(e, ERR_INVALID, "%s contains no instruction", stream_name(s));
        return err_hint(e, "Make the file with `cuobjdump -sass FILE` or `nvdisasm -hex FILE`.");
    }
    return got;
}

int sass_control_read(struct stream *s, struct sass_control **out, struct err *e)
{
    struct sass_control *c = mem_zalloc(1, sizeof *c, e);

    *out = NULL;
    if (!c)
        return -1;
    if (read_lines(c, s, e) < 0) {
        sass_control_free(c);
        return -1;
    }
    for (size_t i = 0; i < c->function_count; i++)
        qsort(c->rows + c->functions[i].first, c->functions[i].count, sizeof *c->rows, by_pc);
    qsort(c->functions, c->function_count, sizeof *c->functions, by_name);
    *out = c;
    return 0;
}

/* --- the source --- */

struct controlled {
    struct inst_source source; /* must be the first member */
    struct inst_source *inner;
    const struct sass_control *control;
    const struct function *function; /* NULL: the disassembly does not hold it */
    struct sass_control_match *match;
    struct trace_inst *insts; /* the inner source's table, with control words added */
    size_t count, capacity;
};

static void set_control(struct controlled *s, struct trace_inst *i)
{
    const struct function *f = s->function;
    struct row key = {.pc = i->pc};
    const struct row *row = bsearch(&key, s->control->rows + f->first, f->count, sizeof key, by_pc);
    const char *opcode = s->inner->opcodes[i->opcode];
    size_t n = row ? strlen(row->opcode) : 0;

    if (!row) {
        s->match->missing++;
    } else if (strncmp(opcode, row->opcode, n) != 0 || (opcode[n] != '\0' && opcode[n] != '.')) {
        s->match->mismatch++;
    } else {
        i->control = row->control | (i->control & CONTROL_POLL);
        s->match->known++;
    }
}

static int take_new(struct controlled *s, struct err *e)
{
    const struct inst_source *in = s->inner;
    void *p = s->insts;

    if (array_reserve(&p, &s->capacity, in->inst_count + 1, sizeof *s->insts, e) < 0)
        return -1;
    s->insts = p;
    for (; s->count < in->inst_count; s->count++) {
        s->insts[s->count] = in->insts[s->count];
        if (s->function)
            set_control(s, &s->insts[s->count]);
    }
    s->source.insts = s->insts;
    s->source.inst_count = s->count;
    s->source.opcodes = in->opcodes;
    s->source.opcode_count = in->opcode_count;
    s->source.repairs = in->repairs;
    return 0;
}

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct controlled *s = (struct controlled *)source;
    int got;

    s->inner->windowed = source->windowed;
    got = inst_source_next_cta(s->inner, out, e);
    if (got < 0 || take_new(s, e) == 0)
        return got;
    if (got > 0)
        inst_source_release_cta(s->inner, *out);
    *out = NULL;
    return -1;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    inst_source_release_cta(((struct controlled *)source)->inner, cta);
}

static void release(struct inst_source *source)
{
    struct controlled *s = (struct controlled *)source;

    inst_source_release(s->inner);
    free(s->insts);
    free(s);
}

static const struct inst_source_ops controlled_ops = {"with control words", next_cta, release_cta, release};

int sass_control_source(struct inst_source *inner, const struct sass_control *c, struct sass_control_match *match,
                        struct inst_source **out, struct err *e)
{
    struct controlled *s = mem_zalloc(1, sizeof *s, e);
    struct function key = {.name = inner->info.name};

    *out = NULL;
    if (!s) {
        inst_source_release(inner);
        return -1;
    }
    s->source.ops = &controlled_ops;
    s->source.info = inner->info; /* the inner source owns the name */
    s->source.warm = inner->warm;
    s->inner = inner;
    s->control = c;
    s->match = match;
    s->function = bsearch(&key, c->functions, c->function_count, sizeof key, by_name);
    *match = (struct sass_control_match){.function = s->function != NULL};
    if (take_new(s, e) < 0) {
        release(&s->source);
        return -1;
    }
    *out = &s->source;
    return 0;
}
