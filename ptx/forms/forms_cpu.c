/* ptx/forms/forms_cpu.c: joins the tables of forms and selects those of this CPU. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/forms/forms_lanes.h"
#include "ptx/forms/forms_list.h"

#define DECLARE(part, kind) extern const struct ptx_form_table ptx_forms_##part##_##kind;
#define NAME(part, kind)    &ptx_forms_##part##_##kind,
#define TABLES(kind)        static const struct ptx_form_table *const tables_##kind[] = {PTX_FORM_PARTS(NAME, kind)};

PTX_FORM_PARTS(DECLARE, plain)
TABLES(plain)
extern const struct ptx_lane_ops ptx_forms_memory_plain;
#ifdef PTX_CPU_KINDS
PTX_FORM_PARTS(DECLARE, avx2)
PTX_FORM_PARTS(DECLARE, avx512)
TABLES(avx2)
TABLES(avx512)
extern const struct ptx_lane_ops ptx_forms_memory_avx2, ptx_forms_memory_avx512;
#endif

enum { PARTS = sizeof tables_plain / sizeof tables_plain[0], FORMS_MAX = 8192 };

/* The forms of one kind of CPU in order of name. They are sorted when the kind is first chosen. */
struct kind {
    const struct ptx_form_table *const *tables;
    const struct ptx_form *sorted[FORMS_MAX];
    size_t count;
};
static struct kind kinds[3];
static const struct kind *chosen;
static const struct ptx_lane_ops *lanes = &ptx_forms_memory_plain;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct ptx_form *const *)a)->name, (*(const struct ptx_form *const *)b)->name);
}

static const struct ptx_lane_ops *lanes_of(const struct ptx_form_table *const *tables)
{
#ifdef PTX_CPU_KINDS
    if (tables == tables_avx512)
        return &ptx_forms_memory_avx512;
    if (tables == tables_avx2)
        return &ptx_forms_memory_avx2;
#endif
    (void)tables;
    return &ptx_forms_memory_plain;
}

static void sort(struct kind *k)
{
    for (size_t i = 0; i < PARTS; i++)
        for (size_t f = 0; f < k->tables[i]->count; f++) {
            if (k->count == FORMS_MAX)
                abort(); /* FORMS_MAX is too small */
            k->sorted[k->count++] = &k->tables[i]->forms[f];
        }
    qsort(k->sorted, k->count, sizeof(void *), by_name);
}

static void take(const struct ptx_form_table *const *tables)
{
    struct kind *k = kinds;

    while (k->tables && k->tables != tables)
        k++;
    if (!k->tables) {
        k->tables = tables;
        sort(k);
    }
    lanes = lanes_of(tables);
    chosen = k;
}

/* The tables of a kind of CPU; "" selects the best kind. NULL: this CPU cannot run them. */
static const struct ptx_form_table *const *tables_of(const char *kind)
{
    bool any = !kind[0];

#ifdef PTX_CPU_KINDS
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");

    if (avx512 && (any || strcmp(kind, "avx512") == 0))
        return tables_avx512;
    if (avx2 && (any || strcmp(kind, "avx2") == 0))
        return tables_avx2;
#endif
    return any || strcmp(kind, "plain") == 0 ? tables_plain : NULL;
}

static void take_best(void)
{
    take(tables_of(""));
}

int ptx_forms_choose_cpu(const char *kind, struct err *e)
{
    const struct ptx_form_table *const *tables = tables_of(kind ? kind : "");

    pthread_once(&once, take_best);
    if (!tables)
        return err_set(e, ERR_UNSUPPORTED, "this CPU does not support the instruction set \"%s\"", kind);
    take(tables);
    return 0;
}

const struct ptx_form *ptx_form_find(const char *name)
{
    struct ptx_form key = {.name = name};
    const struct ptx_form *wanted = &key, **found;

    pthread_once(&once, take_best);
    found = bsearch(&wanted, chosen->sorted, chosen->count, sizeof(void *), by_name);
    return found ? *found : NULL;
}

const struct ptx_form *const *ptx_forms(size_t *n)
{
    pthread_once(&once, take_best);
    *n = chosen->count;
    return chosen->sorted;
}

const struct ptx_lane_ops *ptx_lane_ops(void)
{
    return lanes; /* set: a lookup of forms precedes every execution */
}
