/* tests/scenario/interim.h: runs with a stopping rule: the rules that they get, the invariants of their interim
 * analyses, and their twins. A twin is the same run again without faults. Its interim analyses, samples and end
 * must be the same. */
#ifndef VIVACE_TESTS_SCENARIO_INTERIM_H
#define VIVACE_TESTS_SCENARIO_INTERIM_H

#include <stdbool.h>
#include <stddef.h>

/* Random members of a run's request: `,"until":0.02,...`. With approve:ask a user must answer each extension. */
void interim_draw_rule(char *out, size_t size, bool several_designs, bool ask);
/* Number of the interim analysis whose extension waits for an answer; 0: none. */
int interim_waiting(const char *run);
/* True if the run ended by its rule alone and all its samples could be simulated. Then a twin must do the same. */
bool interim_have_twin(const char *run);

/* Checks: interim analyses are numbered without gaps, each has one event, each uses the plan of the previous one,
 * and the run ended by its rule. */
void check_interim(const char *run);
/* Compares interim analyses, samples and estimates of a run and its twin. */
void check_twins(const char *run, const char *twin);

#endif
