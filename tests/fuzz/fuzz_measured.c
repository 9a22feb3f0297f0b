/* Fuzzes tables of measurements (`vivace validate --measured`): each accepted row has a known card and measurement.
 * By hand, what `make fuzz FUZZ=fuzz_measured` does: see fuzz_design.c. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "simcore/validation/fact_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct board_list boards;
    struct fact_list l;
    struct err e;
    char *text = malloc(n + 1);

    if (!text || (!boards.count && boards_builtin(&boards, &e) < 0))
        abort();
    memcpy(text, bytes, n);
    text[n] = '\0';
    if (facts_parse(text, "fuzz", &boards, &l, &e) == 0)
        for (size_t i = 0; i < l.count; i++)
            if (!board_find(&boards, l.items[i].card))
                __builtin_trap();
    facts_release(&l);
    free(text);
    return 0;
}
