/* simcore/validation/fact_list.h: tables of measured values (facts.csv, counters.csv, kernels.csv), and the
 * simulated value for each. */
#ifndef VIVACE_SIMCORE_VALIDATION_FACT_LIST_H
#define VIVACE_SIMCORE_VALIDATION_FACT_LIST_H

#include "simcore/validation/board.h"

enum fact_state { FACT_OPEN, FACT_PASS, FACT_FAIL, FACT_NOT_MODELLED }; /* FACT_OPEN: not measured yet */

struct fact {
    char id[16], card[32], measure[192], kind, source[32]; /* kind: P, M or D, as facts.csv explains */
    double mhz, low, high, tolerance;                      /* tolerance as a share */
    double got, error; /* got: simulated value; error: relative distance from the range low..high; 0 inside it */
    double cpu_s;      /* CPU time of the measurement */
    enum fact_state state;
    char why[256]; /* the reason why a fact is not modelled */
};
struct fact_list {
    size_t count, capacity;
    struct fact *items;
    char tuned[512]; /* the "# tuned:" lines of the table: which parameters of the model were computed from its
                        rows; may be empty */
};

/* Reads a table that is part of the program: "facts", "counters", "kernels". */
int facts_builtin(const char *set, struct fact_list *out, struct err *e);
/* Reads a table with the same columns. `text` is NUL-terminated and is overwritten. name: for messages. A row whose
 * values, card or measurement are not valid is an error that states its line. */
int facts_parse(char *text, const char *name, const struct board_list *boards, struct fact_list *out,
                struct err *e);
void facts_release(struct fact_list *l);
/* Simulates the measurement and sets got, error, cpu_s and state. changes: "model.noc=flit" for every design,
 * applied before the changes in the row; NULL: none. -1: the simulator failed, or the table or a change is not
 * valid. */
int fact_measure(struct fact *f, const struct board_list *boards, const char *changes, struct err *e);
/* The first word of its measurement: "chase". */
const char *fact_kernel(const struct fact *f, char out[32]);

#endif
