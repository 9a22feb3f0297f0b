/* server/store/db/list_order.h: lists in the order of one of their columns, page by page.
 * The fragments of server/store/repo/sql/list.sql order them. A list without a column is newest first, which its
 * own index gives. */
#ifndef VIVACE_SERVER_DB_LIST_ORDER_H
#define VIVACE_SERVER_DB_LIST_ORDER_H

#include <stdbool.h>

#include "server/store/db/db.h"

#define LIST_KEY 256 /* bytes of a key with its NUL: what a cursor holds */
struct list_order {
    const char *column;                /* "" for newest first */
    bool largest_first;                /* with a column */
    char key[LIST_KEY], id[UUID_TEXT]; /* of the last row of the page before; "" for the first page */
    uint64_t limit;                    /* rows */
};

#endif
