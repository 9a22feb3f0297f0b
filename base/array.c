#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *mem_zalloc(size_t count, size_t size, struct err *e)
{
    void *p = calloc(count ? count : 1, size ? size : 1);

    if (!p)
        err_no_memory(e);
    return p;
}

char *mem_strndup(const char *s, size_t n, struct err *e)
{
    char *p = strndup(s, n);

    if (!p)
        err_no_memory(e);
    return p;
}

char *mem_strdup(const char *s, struct err *e)
{
    return mem_strndup(s, strlen(s), e);
}

int array_reserve(void **items, size_t *capacity, size_t need, size_t size, struct err *e)
{
    size_t want = *capacity ? *capacity : 16;
    void *p;

    if (need <= *capacity)
        return 0;
    while (want < need) {
        if (want > SIZE_MAX / 2)
            return err_no_memory(e);
        want *= 2;
    }
    if (want > SIZE_MAX / size)
        return err_no_memory(e);
    p = realloc(*items, want * size);
    if (!p)
        return err_no_memory(e);
    *items = p;
    *capacity = want;
    return 0;
}

int double_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}
