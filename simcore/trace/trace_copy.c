#include "simcore/trace/trace_copy.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

#define COPIES_MAX (1u << 22) /* of one list */

/* Reads a number that ends at `stop` or at the end of the line. */
static int get_number(const char **at, int base, char stop, uint64_t *out)
{
    char *end;

    if (!isxdigit((unsigned char)**at))
        return -1;
    errno = 0;
    *out = strtoull(*at, &end, base);
    if (errno || (stop ? *end != stop : *end && !isspace((unsigned char)*end)))
        return -1;
    *at = *end ? end + 1 : end;
    return 0;
}

int trace_copy_parse(const char *line, struct trace_copy *out)
{
    static const char *const words[TRACE_COPY_KINDS] = {
        [TRACE_COPY_TO_DEVICE] = "MemcpyHtoD,0x",
        [TRACE_COPY_TO_HOST] = "MemcpyDtoH,0x",
        [TRACE_COPY_DEVICE] = "MemcpyDtoD,0x",
        [TRACE_MEMSET] = "Memset,0x",
    };

    for (int kind = 0; kind < TRACE_COPY_KINDS; kind++) {
        const char *at = line + strlen(words[kind]);

        if (strncmp(line, words[kind], strlen(words[kind])) != 0)
            continue;
        *out = (struct trace_copy){.kind = (enum trace_copy_kind)kind};
        return get_number(&at, 16, ',', &out->address) == 0 && get_number(&at, 10, '\0', &out->bytes) == 0 &&
               out->bytes <= UINT64_MAX - out->address;
    }
    return 0;
}

int trace_copies_add(struct trace_copies *list, const struct trace_copy *c, struct err *e)
{
    void *p = list->items;

    ASSERT(c->kind < TRACE_COPY_KINDS && c->bytes <= UINT64_MAX - c->address);
    if (list->count >= COPIES_MAX)
        return err_set(e, ERR_TOO_LARGE, "more than %u copies between the launches", COPIES_MAX);
    if (array_reserve(&p, &list->capacity, list->count + 1, sizeof *list->items, e) < 0)
        return -1;
    list->items = p;
    list->items[list->count++] = *c;
    return 0;
}
