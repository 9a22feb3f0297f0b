/* tests/scenario/looks.h: runs that decide for themselves: the rules they get, what must hold of their looks, and
 * their twins: the same run once more when nothing fails any more, which must have looked, drawn and ended the
 * same.
 */
#ifndef VIVACE_TESTS_SCENARIO_LOOKS_H
#define VIVACE_TESTS_SCENARIO_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

/* `,"until":0.02,...`: members of a run's request; with approve:ask somebody has to answer its extensions. */
void looks_draw_rule(char *out, size_t size, bool several_designs, bool ask);
/* The number of the look whose extension waits for an answer; 0: none does. */
int looks_waiting(const char *run);
/* It ended by its rule alone, and all that it drew could be simulated: a twin must do the same. */
bool looks_have_twin(const char *run);

/* Each look once, in order, each said once, each on the plan of the one before it; the run ended by its rule. */
void check_looks(const char *run);
/* The same looks, the same samples, the same estimates. */
void check_twins(const char *run, const char *twin);

#endif
