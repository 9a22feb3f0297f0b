/* tests/validation/fact_list.h: the table of measured facts (facts.csv) and what the simulator makes of each. */
#ifndef VIVACE_TESTS_VALIDATION_FACT_LIST_H
#define VIVACE_TESTS_VALIDATION_FACT_LIST_H

#include "tests/validation/board.h"

enum fact_state { FACT_PASS, FACT_FAIL, FACT_NOT_MODELLED };

struct fact {
    char id[16], card[32], measure[192], kind, source[32];
    double mhz, low, high, tolerance; /* tolerance as a share */
    double got, error;                /* error: how far outside low..high, as a share; 0 inside */
    double cpu_s;                     /* CPU time of the measurement */
    enum fact_state state;
    char why[256]; /* of a fact that is not modelled */
};
struct fact_list {
    size_t count, capacity;
    struct fact *items;
};

int facts_read(const char *path, struct fact_list *out, struct err *e);
void facts_release(struct fact_list *l);
/* Fills got, error, cpu_s and state. changes: "model.noc=flit" for every design, before the changes of the row
 * itself; NULL: none. -1 only where the simulator failed or the table is wrong. */
int fact_measure(struct fact *f, const struct board_list *boards, const char *changes, struct err *e);

#endif
