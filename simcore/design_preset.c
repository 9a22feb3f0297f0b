/* simcore/design_preset.c: presets: "v100:detailed" is a design with its "model" levels set for speed or for
 * detail.
 */
#include <stdlib.h>
#include <string.h>

#include "simcore/design_read.h"

struct preset {
    const char *name;
    struct design_change changes[8]; /* the last one has the name NULL */
};

/* "default" keeps the levels in the file. */
static const struct preset presets[] = {
    {"fast", {{"model.fetch", "ideal"}, {"model.dram", "fixed"}}},
    {"default", {{NULL, NULL}}},
    {"detailed",
     {{"model.dependence", "control"},
      {"model.fetch", "cached"},
      {"model.regfile", "banked"},
      {"model.memory", "event"},
      {"model.noc", "flit"},
      {"model.dram", "bank"},
      {"model.tlb", "on"}}},
};

static const struct preset *preset_of(const char *suffix)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (strcmp(presets[i].name, suffix) == 0)
            return &presets[i];
    return NULL;
}

size_t design_preset_split(const char *name)
{
    const char *colon = strrchr(name, ':');

    return colon && preset_of(colon + 1) ? (size_t)(colon - name) : 0;
}

int design_preset_apply(const char *preset, struct gpu_design **d, struct err *e)
{
    const struct preset *p = preset_of(preset);
    char name[80], *text = NULL;
    size_t n = 0;
    int ret;

    while (n < sizeof p->changes / sizeof *p->changes && p->changes[n].name)
        n++;
    if (!n)
        return 0;
    snprintf(name, sizeof name, "%s-%s", design_name(*d), preset);
    if (design_derive(*d, name, p->changes, n, &text, e) < 0)
        return -1;
    design_free(*d);
    *d = NULL;
    ret = design_parse(text, strlen(text), name, d, e);
    free(text);
    return ret;
}
