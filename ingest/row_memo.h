/* ingest/row_memo.h: rows that end like an earlier row. A profile has millions of rows, and apart from times and
 * correlation ids, which stand first, few different ones: what an earlier row's end meant need not be read again.
 */
#ifndef VIVACE_INGEST_ROW_MEMO_H
#define VIVACE_INGEST_ROW_MEMO_H

#include "ingest/import.h"

#define ROW_MEMO_SLOTS 2048 /* a power of two */
#define ROW_MEMO_MAX   4096 /* bytes of an end that is kept: 8 MiB in all */

struct row_memo_slot {
    char *end;
    size_t length, capacity;
    bool known; /* launch is what these bytes mean */
    struct import_launch launch;
};

struct row_memo {
    struct row_memo_slot slots[ROW_MEMO_SLOTS];
    uint64_t asked, known;
};

/* The slot of a row that ends with these bytes: one that knows them, or one that holds them now and wants to be
 * given (`launch`, then `known`). NULL: empty or too long, no memory, or most rows were new, so that asking does
 * not pay. */
struct row_memo_slot *row_memo_get(struct row_memo *m, const char *end, size_t length);
void row_memo_release(struct row_memo *m);

#endif
