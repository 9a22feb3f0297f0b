/* server/domain/tasks/pack_table.h: a table of the launches of a profile's trace file. A sandboxed process
 * (server/domain/tasks/pack_child.h) reads the file and writes the table; the server reads only the table. It has
 * one version and is never kept. The reader trusts nothing in it, as the other process may be in the hands of the
 * file's author. */
#ifndef VIVACE_SERVER_PACK_TABLE_H
#define VIVACE_SERVER_PACK_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "simcore/trace/vtrace.h"

#define PACK_TABLE_MAX (UINT64_C(4) << 30) /* bytes: more than 80 million launches */

struct pack_launch {
    uint64_t context, id; /* id: kernel_info.id */
    uint32_t grid[3], block[3];
    uint32_t name; /* where it begins in `names` */
    uint32_t unused;
};
struct pack_table {
    struct pack_launch *launches; /* in the order of the file: contexts do not decrease */
    size_t count;
    char *bytes; /* the whole table */
    const char *names;
};
int pack_table_write(const char *path, const struct vtrace *v, struct err *e) MUST_CHECK;
/* ERR_INVALID: it is not a table. On 0 the caller calls pack_table_release(). */
int pack_table_read(const char *path, struct pack_table *out, struct err *e) MUST_CHECK;
const char *pack_table_name(const struct pack_table *t, size_t launch); /* UTF-8 without control characters */
void pack_table_release(struct pack_table *t);                          /* also of one that is all zero */

#endif
