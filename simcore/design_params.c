#include "simcore/design_params.h"

#include <string.h>

/* Each in the order of its enum in design.h. */
static const char *const sched_names[] = {WARP_SCHEDULERS(COMPONENT_NAME) NULL};
static const char *const dependence_names[] = {"none", "one_load", "scoreboard", "control", NULL};
static const char *const fetch_names[] = {"ideal", "cached", NULL};
static const char *const regfile_names[] = {"ideal", "banked", NULL};
static const char *const memory_names[] = {MEMORY_PATHS(COMPONENT_NAME) NULL};
static const char *const noc_names[] = {NOC_MODELS(COMPONENT_NAME) NULL};
static const char *const dram_names[] = {DRAM_MODELS(COMPONENT_NAME) NULL};
static const char *const hash_names[] = {ADDRESS_HASHES(COMPONENT_NAME) NULL};
static const char *const cta_names[] = {CTA_SCHEDULERS(COMPONENT_NAME) NULL};
static const char *const replacement_names[] = {REPLACEMENT_POLICIES(COMPONENT_NAME) NULL};
static const char *const mshr_names[] = {MSHR_KINDS(COMPONENT_NAME) NULL};
static const char *const tlb_names[] = {"off", "on", NULL};

const char *const gpu_generation_names[GENERATION_COUNT] = {
#define X(name, first, text) text,
    GPU_GENERATIONS(X)
#undef X
};

enum gpu_generation gpu_generation_of(double compute_capability)
{
    static const uint32_t firsts[GENERATION_COUNT] = {
#define X(name, first, text) first,
        GPU_GENERATIONS(X)
#undef X
    };
    uint32_t g = GENERATION_COUNT - 1;

    while (g > 0 && !(compute_capability >= firsts[g]))
        g--;
    return (enum gpu_generation)g;
}

/* The names that the rows use. */
enum {
#define X(name, first, text) name = 1 << GENERATION_##name,
    GPU_GENERATIONS(X)
#undef X
        EVERY = (1 << GENERATION_COUNT) - 1
};

/* clang-format off */
#define BY(generations, ...) BY_TEXTS(generations, __VA_ARGS__, NULL, ) /* the reason is optional */
#define BY_TEXTS(generations, value, source, reason, ...) {generations, value, source, reason}
#define ADDED(value) {DESIGN_ADDED, value, NULL, NULL}
#define REQUIRED {0, NULL, NULL, NULL}
#define DEFAULTS(...) (const struct design_default[]){__VA_ARGS__, REQUIRED}
#define OWN(field) offsetof(struct gpu_design, field)
#define AT(place) offsetof(struct gpu_design, place)
#define NUMBER(group, key, place, unit, least, most, scale, meaning, ...) \
    {group, key, unit, meaning, DESIGN_NUMBER, place, least, most, scale, NULL, DEFAULTS(__VA_ARGS__)},
#define CHOICE(group, key, place, unit, names, meaning, ...) \
    {group, key, unit, meaning, DESIGN_CHOICE, place, 0, 0, 1, names, DEFAULTS(__VA_ARGS__)},
#define LIST(group, key, unit, meaning, ...) \
    {group, key, unit, meaning, DESIGN_LIST, 0, 0, 0, 1, NULL, DEFAULTS(__VA_ARGS__)},

const struct design_param design_params[] = {
#include "simcore/params/all.h"
    {NULL, NULL, NULL, NULL, DESIGN_NUMBER, 0, 0, 0, 0, NULL, NULL},
};
/* clang-format on */

const char *design_added(const struct design_param *p)
{
    return p->defaults->generations == DESIGN_ADDED ? p->defaults->value : NULL;
}

const struct design_default *design_default_of(const struct design_param *p, enum gpu_generation g)
{
    for (const struct design_default *d = p->defaults; d->generations; d++)
        if (d->generations >> g & 1)
            return d;
    return NULL;
}

const char *design_source_text(const char *key)
{
    static const char *const sources[][2] = {
#define SOURCE(key, text) {key, text},
#include "simcore/params/sources.h"
    };

    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(sources[i][0], key) == 0)
            return sources[i][1];
    return NULL;
}
