/* ptx/parse/lex.h: converts PTX text to tokens, one at a time, with one token of look-ahead. */
#ifndef VIVACE_PTX_PARSE_LEX_H
#define VIVACE_PTX_PARSE_LEX_H

#include "ptx/parse/module.h"

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,    /* add, %r1, $L__BB0_2, _ */
    TOKEN_DOTTED,  /* .global, .L2::128B: the text begins with the dot */
    TOKEN_INTEGER, /* `bits`: its value */
    TOKEN_FLOAT,   /* `bits`: those of a double; float32: written as 0f and 8 digits */
    TOKEN_STRING,  /* the text without its quotes, as written */
    TOKEN_MARK,    /* one of ; , ( ) [ ] { } < > @ ! | & ^ ~ = + - * / % : ?  in `mark` */
    TOKEN_BAD      /* text: the error message */
};

struct token {
    enum token_kind kind;
    char mark;
    bool float32;
    const char *text;
    size_t n;
    uint64_t bits;
    struct ptx_place place;
};

struct lexer {
    const char *at, *end, *line_start;
    uint32_t line;
    uint32_t braces;    /* number of open braces before the current token */
    struct token token; /* the current one */
};

void lex_begin(struct lexer *x, const char *text, size_t n); /* reads the first token */
void lex_next(struct lexer *x);
/* Continues at the first token of a line after `line`. .loc and .file end at the end of their line. */
void lex_next_line(struct lexer *x, uint32_t line);
bool token_is(const struct token *t, const char *name); /* a name or a dotted word */
bool token_is_mark(const struct token *t, char mark);

#endif
