/* ptx/parse/symbols.h: names by scope during parsing. Names are interned: equal texts have equal pointers. */
#ifndef VIVACE_PTX_PARSE_SYMBOLS_H
#define VIVACE_PTX_PARSE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum symbol_kind { SYMBOL_REG, SYMBOL_VARIABLE, SYMBOL_FUNCTION, SYMBOL_LABEL, SYMBOL_TARGETS };

struct symbol {
    const char *name; /* NULL: an empty slot */
    uint32_t scope, index;
    enum symbol_kind kind;
};

struct symbols {
    struct symbol *places; /* a power of two; at most half are in use */
    size_t count, used;
};

void symbols_release(struct symbols *s);
void symbols_clear(struct symbols *s); /* keeps the memory */
/* Returns 1 if the name already exists in this scope. */
int symbols_add(struct symbols *s, const char *name, uint32_t scope, enum symbol_kind kind, uint32_t index,
                struct err *e);
const struct symbol *symbols_find(const struct symbols *s, const char *name, uint32_t scope); /* or NULL */

#endif
