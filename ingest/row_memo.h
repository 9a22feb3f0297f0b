/* ingest/row_memo.h: a cache of parsed row endings. A profile has millions of rows. Times and correlation ids
 * come first in a row, and the rest takes few distinct values, so each distinct rest is parsed only once. */
#ifndef VIVACE_INGEST_ROW_MEMO_H
#define VIVACE_INGEST_ROW_MEMO_H

#include "ingest/import.h"

#define ROW_MEMO_SLOTS 2048 /* a power of two */
#define ROW_MEMO_MAX   4096 /* longest row ending that is kept, in bytes; 8 MiB for all slots */

struct row_memo_slot {
    char *end;
    size_t length, capacity;
    bool known; /* `launch` is the parsed form of these bytes */
    struct import_launch launch;
};

struct row_memo {
    struct row_memo_slot slots[ROW_MEMO_SLOTS];
    uint64_t asked, known;
};

/* The slot of a row that ends with these bytes. If its `known` is false, the caller sets `launch`, then `known`.
 * NULL: the ending is empty or too long, out of memory, or most rows were new, so that lookups cost more than
 * they save. */
struct row_memo_slot *row_memo_get(struct row_memo *m, const char *end, size_t length);
void row_memo_release(struct row_memo *m);

#endif
