/* simcore/validation/board.h: designs of the graphics cards on which values were measured (boards.csv). A card with
 * a built-in design uses it at the measured clock. Any other card uses the most similar built-in design, with the
 * card's numbers of SMs, channels and so on. */
#ifndef VIVACE_SIMCORE_VALIDATION_BOARD_H
#define VIVACE_SIMCORE_VALIDATION_BOARD_H

#include "simcore/simcore.h"

enum { BOARD_CHANGES = 24 };

struct board {
    char name[32], design[32], changes[256]; /* changes: "gpu.sms=142 dram.gbs=864" */
};
struct board_list {
    size_t count, capacity;
    struct board *items;
};

int boards_builtin(struct board_list *out, struct err *e); /* boards.csv, which is part of the program */
void boards_release(struct board_list *l);
/* Finds the row of a card by its name. NULL: no row. */
const struct board *board_find(const struct board_list *l, const char *name);
/* Makes the card's design at an SM clock of `mhz` (0: the clock of the design; the L2 clock is scaled with it).
 * Then applies `changes` ("gpu.sms=x0.5", or NULL). The caller frees *out with design_free(). */
int board_design(const struct board *b, double mhz, const char *changes, struct gpu_design **out, struct err *e);

/* Reads a CSV text without quotes: splits the next line that is neither empty nor a '#' comment into at most `most`
 * fields, in place. Returns the number of fields; 0 at the end. */
size_t rows_next(char **at, char **field, size_t most);
/* Copies a table that is part of the program ("facts.csv"). The caller frees *out. */
int rows_builtin(const char *name, char **out, struct err *e);

#endif
