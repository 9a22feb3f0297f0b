/* ptx/driver/link.c: the linker. It joins PTX texts; the parser links them when the result is loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/driver/driver.h"

enum { INPUT_PTX = 1 }; /* CU_JIT_INPUT_PTX */

struct driver_link {
    char *text; /* NUL-terminated; NULL: nothing was added */
    size_t n;
};

CUresult cuLinkCreate_v2(unsigned count, int *options, void **values, struct driver_link **out)
{
    (void)count, (void)options, (void)values;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = calloc(1, sizeof **out);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuLinkAddData_v2(struct driver_link *l, int type, void *data, size_t bytes, const char *name,
                          unsigned count, int *options, void **values)
{
    size_t n = data ? strnlen(data, bytes) : 0;
    char *text;

    (void)count, (void)options, (void)values;
    if (!l || !n)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != INPUT_PTX) {
        fprintf(stderr, "vivace exec: cuLinkAddData: %s is not PTX, so it is not linked\n",
                name ? name : "the input");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    text = realloc(l->text, l->n + n + 2);
    if (!text)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(text + l->n, data, n);
    l->text = text;
    l->n += n;
    text[l->n++] = '\n';
    text[l->n] = '\0';
    return CUDA_SUCCESS;
}

CUresult cuLinkAddFile_v2(struct driver_link *l, int type, const char *path, unsigned count, int *options,
                          void **values)
{
    FILE *f = path ? fopen(path, "rb") : NULL;
    CUresult r = CUDA_ERROR_FILE_NOT_FOUND;
    char *bytes = NULL;
    long n;

    if (f && fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) > 0 && fseek(f, 0, SEEK_SET) == 0) {
        bytes = malloc((size_t)n);
        r = bytes ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
        if (bytes && fread(bytes, 1, (size_t)n, f) != (size_t)n)
            r = CUDA_ERROR_FILE_NOT_FOUND;
        if (r == CUDA_SUCCESS)
            r = cuLinkAddData_v2(l, type, bytes, (size_t)n, path, count, options, values);
    }
    if (f)
        (void)fclose(f);
    free(bytes);
    return r;
}

/* The result is PTX, which the functions that load a module take. It belongs to the linker. */
CUresult cuLinkComplete(struct driver_link *l, void **image, size_t *bytes)
{
    if (!l || !l->text || !image)
        return CUDA_ERROR_INVALID_VALUE;
    *image = l->text;
    if (bytes)
        *bytes = l->n + 1;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(struct driver_link *l)
{
    if (!l)
        return CUDA_ERROR_INVALID_VALUE;
    free(l->text);
    free(l);
    return CUDA_SUCCESS;
}
