/* server/store/db/list_order.h: lists sorted by one of their columns, with keyset pagination. The fragments of
 * server/store/repo/sql/list.sql sort them. A list without a sort column is newest first, in the order of its own
 * index. */
#ifndef VIVACE_SERVER_DB_LIST_ORDER_H
#define VIVACE_SERVER_DB_LIST_ORDER_H

#include <stdbool.h>

#include "server/store/db/db.h"

#define LIST_KEY 256 /* bytes of a key in a cursor, with its NUL */
struct list_order {
    const char *column;                /* "" for newest first */
    bool largest_first;                /* needs a column */
    char key[LIST_KEY], id[UUID_TEXT]; /* of the last row of the previous page; "" for the first page */
    uint64_t limit;                    /* rows */
};

#endif
