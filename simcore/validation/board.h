/* simcore/validation/board.h: the cards that figures were measured on, as designs: a built-in one at the measured
 * clock, and where there is none of that card, its nearest relation with the counts of the card (boards.csv). */
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
/* By the name of a card; NULL: none. */
const struct board *board_find(const struct board_list *l, const char *name);
/* The card's design at `mhz` (0: its own clock; L2 follows the SMs), with further changes ("gpu.sms=x0.5", or NULL)
 * after its own. */
int board_design(const struct board *b, double mhz, const char *changes, struct gpu_design **out, struct err *e);

/* Rows of a CSV text without quotes: splits the next line that is neither empty nor a '#' comment, in place, into
 * at most `most` fields. The number of fields, 0 at the end. */
size_t rows_next(char **at, char **field, size_t most);
/* A copy of a table that is part of the program ("facts.csv"); the caller frees. */
int rows_builtin(const char *name, char **out, struct err *e);

#endif
