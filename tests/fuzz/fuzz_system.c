/* Fuzzes the reader of system designs: an accepted design has routes and copies, can be a base, and can be read
 * back. */
#include <stdlib.h>
#include <string.h>

#include "simcore/system/system.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Both directions use the same route, and a larger copy does not take less time. */
static void copy_between(const struct system_design *s, uint32_t a, uint32_t b)
{
    struct system_route there, back;
    struct err e;

    if (system_route(s, a, b, &there, &e) < 0 || system_route(s, b, a, &back, &e) < 0)
        return; /* no memory */
    if (there.hops != back.hops || there.latency_ps != back.latency_ps || there.gbs != back.gbs)
        __builtin_trap();
    if (there.hops && system_copy_ps(s, &there, 1) > system_copy_ps(s, &there, SYSTEM_COPY_MAX))
        __builtin_trap();
}

static void derive_and_read_back(const struct system_design *s)
{
    struct system_design *again = NULL;
    struct err e;
    char *text = NULL;

    if (system_derive(s, "again", NULL, 0, &text, &e) < 0)
        __builtin_trap();
    if (system_parse(text, strlen(text), "again", &again, &e) < 0)
        __builtin_trap();
    if (again->node_count != s->node_count || again->channel_count != s->channel_count)
        __builtin_trap();
    system_free(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct system_design *s = NULL;
    struct design_facts facts;
    struct err e;

    if (system_parse((const char *)bytes, n, "fuzz", &s, &e) < 0)
        return 0;
    for (uint32_t i = 0; i < s->node_count && i < 8; i++)
        copy_between(s, i, s->node_count - 1 - i);
    if (system_facts_make(s, &facts, &e) == 0)
        design_facts_release(&facts);
    derive_and_read_back(s);
    system_free(s);
    return 0;
}
