/* Designs after the parameter of docs/extending.md was added: one that leaves it out keeps its hash, one of a
 * generation with a default has it, a file can state it, and its range holds. argv: the hash that v100 had before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simcore/design.h"

static void fail(const char *what)
{
    fprintf(stderr, "parameter: %s\n", what);
    exit(1);
}

static struct gpu_design *builtin(const char *name)
{
    struct gpu_design *d;
    struct err e;

    if (design_load(name, &d, &e) < 0)
        fail(e.text);
    return d;
}

/* v100 with the parameter set; 0: refused. */
static uint32_t when_set(const struct gpu_design *v100, const char *value)
{
    const struct design_change change = {"l1.fill_cycles", value};
    struct gpu_design *d;
    struct err e;
    char *text;
    uint32_t is;

    if (design_derive(v100, "mine", &change, 1, &text, &e) < 0)
        return 0;
    if (design_parse(text, strlen(text), "mine", &d, &e) < 0)
        fail(e.text);
    is = d->l1_fill;
    free(text);
    design_free(d);
    return is;
}

int main(int argc, char **argv)
{
    struct gpu_design *v100 = builtin("v100"), *b200 = builtin("b200");

    if (argc != 2 || strcmp(design_sha256(v100), argv[1]) != 0)
        fail("v100 has another hash than before");
    if (v100->l1_fill != 0 || b200->l1_fill != 2)
        fail("the defaults are wrong");
    if (!strstr(b200->json, "\"fill_cycles\":{\"reason\":\"an example\""))
        fail("the hash of b200 does not cover its default");
    if (when_set(v100, "7") != 7 || when_set(v100, "101") != 0)
        fail("it cannot be set, or beyond its range");
    design_free(v100);
    design_free(b200);
    return 0;
}
