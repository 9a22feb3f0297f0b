/* Fuzzes the PTX parser. A module without errors is printed; parsing this text and printing it again must give the
 * same text. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/parse/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static bool whole(const struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i].broken || m->functions[i].alias_of)
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct ptx_module *m, *again;
    char *first, *second;
    struct err e;

    if (ptx_parse((const char *)bytes, n, "fuzz", &m, &e) < 0)
        return 0;
    first = ptx_print(m, &e);
    if (first && whole(m)) {
        if (ptx_parse(first, strlen(first), "print", &again, &e) < 0)
            __builtin_trap();
        second = ptx_print(again, &e);
        if (!second || strcmp(first, second) != 0)
            __builtin_trap();
        free(second);
        ptx_module_free(again);
    }
    free(first);
    ptx_module_free(m);
    return 0;
}
