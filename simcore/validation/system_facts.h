/* simcore/validation/system_facts.h: copies and collectives that others measured on systems of several GPUs
 * (systems.csv), and what the system designs make of them. */
#ifndef VIVACE_SIMCORE_VALIDATION_SYSTEM_FACTS_H
#define VIVACE_SIMCORE_VALIDATION_SYSTEM_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct system_fact {
    char id[16], system[32], measure[64], source[32];
    double low, high, tolerance; /* GB/s, or us for "time"; tolerance as a share */
    bool test;                   /* no parameter of a design was taken from it */
    double got, error;           /* error: got is outside low..high by this share, with its sign; 0 inside */
};
struct system_facts {
    size_t count, capacity;
    struct system_fact *items;
};

/* The table that is part of the program, each row measured on its built-in system. */
int system_facts_builtin(struct system_facts *out, struct err *e);
/* The same for a table of these columns: NUL-terminated, cut up. */
int system_facts_parse(char *text, struct system_facts *out, struct err *e);
void system_facts_release(struct system_facts *l);

#endif
