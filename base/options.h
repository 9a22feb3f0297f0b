/* base/options.h: the words of a command line, the same for all programs: `--out FILE`, `--out=FILE`, `-o FILE`,
 * `-oFILE`, flags together (`-qx`), the beginning of a name where only one option begins so. Options stand
 * anywhere; `--` ends them. */
#ifndef VIVACE_BASE_OPTIONS_H
#define VIVACE_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum option_value { OPTION_FLAG, OPTION_OPTIONAL, OPTION_VALUE }; /* OPTIONAL: only as --NAME=VALUE */
struct option_spec {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    enum option_value value;
};

enum option_fault { OPTION_UNKNOWN, OPTION_NEEDS_VALUE, OPTION_TAKES_NO_VALUE };
struct options {
    const struct option_spec *specs;
    size_t count;
    bool whole_names;     /* the beginning of a name is not enough */
    bool first_word_ends; /* what follows the first word that is no option belongs to it */
    void *ctx;
    /* An option, by its place in specs; value: NULL where there is none. 1 ends the reading, -1 with *e, too. */
    int (*take)(void *ctx, size_t at, const char *value, struct err *e);
    /* Says what is wrong with a word: fills *e and returns -1. `at` is not looked at where the option is unknown.
     */
    int (*fault)(void *ctx, enum option_fault fault, size_t at, const char *word, struct err *e);
};
/* Reads argv from 1 on and puts it in order: options first. *words: where the words begin. 0, also where take()
 * ended it; -1. */
int options_read(const struct options *o, int argc, char **argv, int *words, struct err *e);

#endif
