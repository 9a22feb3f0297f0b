/* base/options.h: the words of a command line, the same for all programs: `--out FILE`, `--out=FILE`, `-o FILE`,
 * `-oFILE`, combined flags (`-qx`), and the beginning of a name where it is unique. Options may be anywhere among
 * the words; `--` ends them. */
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
    bool whole_names;     /* true: the beginning of a name is not accepted */
    bool first_word_ends; /* true: the first word that is not an option ends the options */
    void *ctx;
    /* Called for each option; at: its index in specs; value: NULL where it has none. Reading ends when this returns
     * 1, or -1 with *e. */
    int (*take)(void *ctx, size_t at, const char *value, struct err *e);
    /* Describes the fault of a word in *e and returns -1. `at` has no meaning where the option is unknown. */
    int (*fault)(void *ctx, enum option_fault fault, size_t at, const char *word, struct err *e);
};
/* Reads argv from index 1 on and reorders it: options first. *words: index of the first word that is not an option.
 * Returns 0, also when take() returned 1; -1 with *e. */
int options_read(const struct options *o, int argc, char **argv, int *words, struct err *e);

#endif
