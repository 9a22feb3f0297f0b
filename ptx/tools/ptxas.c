/* ptx/tools/ptxas.c: parses the report of `ptxas -v`. The parser is tolerant, because the text changes with
 * every version. */
#include "ptx/tools/ptxas.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { REGISTERS_MAX = 255 };

/* The quoted text after `before`; malloc'ed. *out NULL: there is none. */
static int quoted(const char *line, const char *before, char **out, struct err *e)
{
    const char *at = strstr(line, before), *end;

    *out = NULL;
    if (!at)
        return 0;
    at += strlen(before);
    end = strchr(at, '\'');
    if (!end)
        return 0;
    *out = mem_strndup(at, (size_t)(end - at), e);
    return *out ? 0 : -1;
}

static int keep(struct ptxas_report *r, const char *name, uint32_t registers, struct err *e)
{
    for (size_t k = 0; k < r->count; k++)
        if (strcmp(r->kernels[k].name, name) == 0) {
            r->kernels[k].registers = registers;
            return 0;
        }
    if (array_reserve((void **)&r->kernels, &r->capacity, r->count + 1, sizeof *r->kernels, e))
        return -1;
    r->kernels[r->count].name = mem_strdup(name, e);
    if (!r->kernels[r->count].name)
        return -1;
    r->kernels[r->count++].registers = registers;
    return 0;
}

/* Parses one line. *name: the kernel that the following lines describe. */
static int take_line(struct ptxas_report *r, const char *line, char **name, struct err *e)
{
    const char *used = strstr(line, "Used ");
    unsigned registers;
    char *next;

    if (quoted(line, "Compiling entry function '", &next, e))
        return -1;
    if (next) {
        free(*name);
        *name = next;
        return 0;
    }
    if (!*name || !used || sscanf(used, "Used %u registers", &registers) != 1 || !registers ||
        registers > REGISTERS_MAX)
        return 0;
    return keep(r, *name, registers, e);
}

int ptxas_report_read(const char *path, struct ptxas_report *out, struct err *e)
{
    FILE *f = fopen(path, "r");
    char *line = NULL, *name = NULL;
    size_t room = 0;
    int ret = 0;

    *out = (struct ptxas_report){0};
    if (!f)
        return err_set(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", path, strerror(errno));
    while (ret == 0 && getline(&line, &room, f) >= 0)
        ret = take_line(out, line, &name, e);
    if (ret == 0 && ferror(f))
        ret = err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    if (ret == 0 && !out->count) {
        err_set(e, ERR_INVALID, "%s does not list the registers of any kernel", path);
        ret = err_hint(e, "Give a file with the output of `ptxas -v` (or `nvcc -Xptxas -v`).");
    }
    if (ret != 0)
        ptxas_report_release(out);
    free(name);
    free(line);
    fclose(f);
    return ret;
}

void ptxas_report_release(struct ptxas_report *r)
{
    for (size_t k = 0; k < r->count; k++)
        free(r->kernels[k].name);
    free(r->kernels);
    *r = (struct ptxas_report){0};
}

uint32_t ptxas_registers(const struct ptxas_report *r, const char *kernel)
{
    for (size_t k = 0; k < r->count; k++)
        if (strcmp(r->kernels[k].name, kernel) == 0)
            return r->kernels[k].registers;
    return 0;
}
