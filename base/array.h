/* base/array.h: growing arrays of plain structs, and allocation whose size cannot overflow. */
#ifndef VIVACE_BASE_ARRAY_H
#define VIVACE_BASE_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

#include "base/err.h"

/* calloc() that fills *e on failure. Returns NULL then. */
void *mem_zalloc(size_t count, size_t size, struct err *e) MUST_CHECK;
char *mem_strdup(const char *s, struct err *e) MUST_CHECK;
char *mem_strndup(const char *s, size_t n, struct err *e) MUST_CHECK;

/* Makes room for at least `need` elements of `size` bytes in the malloc'ed array at *items, doubling
 * *capacity. On -1 the array is as it was. */
int array_reserve(void **items, size_t *capacity, size_t need, size_t size, struct err *e) MUST_CHECK;

/* qsort() and bsearch() of arrays that may be empty: in C a NULL array is undefined, also with 0 elements. */
static inline void array_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(items, count, size, compare);
}

int double_compare(const void *a, const void *b); /* two doubles, neither of them NaN; for array_sort() */

static inline void *array_search(const void *key, const void *items, size_t count, size_t size,
                                 int (*compare)(const void *, const void *))
{
    return count > 0 ? bsearch(key, items, count, size, compare) : NULL;
}

#endif
