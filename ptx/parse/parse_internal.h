/* ptx/parse/parse_internal.h: shared by the files of the parser: parse.c (the module), parse_variable.c
 * (declarations), parse_body.c (statements), parse_instruction.c, parse_operand.c, parse_expression.c.
 *
 * Functions return -1 with the error in p->e. An error inside a function's body makes only that function
 * unusable. */
#ifndef VIVACE_PTX_PARSE_PARSE_INTERNAL_H
#define VIVACE_PTX_PARSE_PARSE_INTERNAL_H

#include "ptx/parse/intern.h"
#include "ptx/parse/lex.h"
#include "ptx/parse/symbols.h"

enum {
    PARSE_REGISTERS_MAX = 1 << 20, /* in a function */
    PARSE_NESTING_MAX = 64,        /* of braces, brackets and parentheses */
    PARSE_FILES_MAX = 1 << 16
};

/* A use of a name that may be defined later: a label. Operands contain its index until the function ends. */
struct parse_reference {
    const char *name;
    uint32_t scope;
    struct ptx_place place;
};

/* State of the function whose body is being parsed. */
struct parse_body {
    uint32_t function; /* PTX_NONE: outside */
    struct symbols symbols;
    uint32_t *parents; /* parent of each scope; scope 0 is the module's */
    size_t scopes, scope_capacity;
    uint32_t scope;
    struct parse_reference *references;
    size_t reference_count, reference_capacity;
    size_t register_capacity, inst_capacity, operand_capacity, label_capacity, target_capacity;
    uint32_t loc_file, loc_line;
    bool nounroll; /* .pragma "nounroll" since the last instruction */
};

struct parser {
    struct lexer x;
    struct ptx_module *m;
    struct err *e;
    struct symbols symbols; /* of the module */
    struct parse_body body;
    size_t function_capacity, variable_capacity, initial_capacity;
    struct ptx_operand *scratch; /* elements of lists that are not closed yet */
    size_t scratch_count, scratch_capacity;
    uint32_t nesting;
    uint32_t unit;       /* the module of the text: 1, 2, ... Names without linkage are in a scope of this number */
    uint32_t first_file; /* of this module in the list of files */
};

/* --- parse_steps.c --- */
int parse_fault(struct parser *p, const struct ptx_place *at, const char *format, ...) PRINTF_LIKE(3, 4);
/* "expected X, found `y`" at the current token. */
int parse_expected(struct parser *p, const char *what);
int parse_mark(struct parser *p, char mark); /* consumes it */
bool parse_try_mark(struct parser *p, char mark);
bool parse_try(struct parser *p, const char *word);
const char *parse_name(struct parser *p, const char *what); /* interned; NULL: fault */
const char *parse_intern(struct parser *p, const char *text, size_t n);
int parse_integer(struct parser *p, uint64_t *out); /* a constant expression of integers */
int parse_uint(struct parser *p, const char *what, uint32_t most, uint32_t *out);
int parse_pragma(struct parser *p); /* after .pragma; "nounroll" is for the next instruction of the body */
struct ptx_function *parse_function_now(struct parser *p);
int parse_push_variable(struct parser *p, const struct ptx_variable *v, uint32_t *index);

/* --- parse_function.c --- */
int parse_function(struct parser *p, bool entry, enum ptx_linkage link); /* after .entry or .func; with the body */
/* The index of a declared function: a new one, or that of its earlier declaration. */
int parse_place_function(struct parser *p, const char *name, struct ptx_place at, enum ptx_linkage link,
                         uint32_t *index);
/* A symbol of this module, or one that other modules offer. NULL: none. */
const struct symbol *parse_find_global(const struct parser *p, const char *name);
/* As parse_find_global(), for a declaration with this linkage. A name without linkage does not refer to a symbol of
 * another module. */
const struct symbol *parse_find_declared(const struct parser *p, const char *name, enum ptx_linkage link);
const char *parse_name_in_unit(struct parser *p, const char *name, enum ptx_linkage link); /* NULL: no memory */
/* Makes a symbol of the module known, to the others too if it has linkage. */
int parse_add_global(struct parser *p, const char *name, enum ptx_linkage link, enum symbol_kind kind,
                     uint32_t index);
/* Skips tokens until at most `braces` braces are open. */
int parse_skip_to(struct parser *p, uint32_t braces, const char *what);

/* --- parse_variable.c --- */
/* Starts at the state space: .global .align 4 .b8 name[4] = {...}, ... ; consumes the semicolon. */
int parse_variables(struct parser *p, enum ptx_linkage linkage);
/* One parameter of a list, without comma: .param .u64 .ptr .global .align 8 name. */
int parse_param(struct parser *p, struct ptx_param *out);
int parse_registers(struct parser *p);                /* after .reg */
enum ptx_space parse_space_of(const struct token *t); /* PTX_GENERIC: the token is no state space */

/* --- parse_body.c --- */
int parse_begin_body(
    struct parser *p,
    uint32_t function);           /* begins the scope of a function; call it before its parameters are parsed */
int parse_body(struct parser *p); /* from after the opening brace up to the closing one */
int parse_add_register(struct parser *p, const char *name, enum ptx_type type, uint8_t vector, uint32_t *index);
const char *parse_name_once(struct parser *p, const char *name);
void parse_body_release(struct parse_body *b);

/* --- parse_instruction.c --- */
int parse_guard(struct parser *p, struct ptx_inst *i);       /* %p or !%p, after the @ */
int parse_instruction(struct parser *p, struct ptx_inst *i); /* after the opcode; adds it to the function */

/* --- parse_expression.c --- */
/* A number: an integer expression or a float with its sign. */
int parse_constant(struct parser *p, struct ptx_operand *out);
int parse_deeper(struct parser *p); /* enters one bracket level, p->nesting; an error if there are too many */

/* --- parse_operand.c --- */
int parse_operand(struct parser *p, struct ptx_operand *out, bool label);
/* Moves the scratch list from `first` on to the function's operands. *at, *count: their position there. */
int parse_take_scratch(struct parser *p, size_t first, uint32_t *at, uint32_t *count);
int parse_push_scratch(struct parser *p, const struct ptx_operand *o);
bool parse_is_special(const char *name); /* true for %tid and other special registers */
/* The meaning of a name in the innermost scope. NULL: not defined yet. */
const struct symbol *parse_find(const struct parser *p, const char *name);

#endif
