/* server/store/db/list_order.h: lists in the order of one of their columns, page by page.
 *
 * A statement gathers `k`: (id, key), where a key is text that orders as the column does (LIST_KEY_SQL). LIST_PAGE
 * makes `page` of it: (id, key, place); the statement joins that to what it shows and orders it by place. A list
 * without a column is newest first, which its own index gives. */
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

/* Key of a number that is not negative: its bytes, the highest first, order as it does. */
#define LIST_NUMBER(x) "encode(float8send((" x ")::double precision), 'hex')"
/* Key of a text: the first letters, since a cursor holds no more. */
#define LIST_TEXT(x) "left(lower(" x "), 60)"
/* One column of a `raw`: "CASE $5::text" LIST_BY("name", LIST_TEXT("w.name")) ... " END". */
#define LIST_BY(column, key) " WHEN '" column "' THEN " key
/* `raw`: NULL where a row has nothing to order by, which stands behind all else in either direction; `down`: the
 * parameter that says largest first. */
#define LIST_KEY_SQL(raw, down)                                                                                    \
    "(coalesce(CASE WHEN " down "::boolean THEN '1' ELSE '0' END || " raw ", CASE WHEN " down                      \
    "::boolean THEN '0' ELSE '1' END)) COLLATE \"C\""
/* `first`: array of ids that come before all others, on the first page; the others name parameters. */
#define LIST_PAGE(first, down, key_at, id_at, limit)                                                               \
    " page AS (SELECT k.id, k.key, row_number() OVER (ORDER BY k.id = ANY (" first ") DESC,"                       \
    "  CASE WHEN " down "::boolean THEN k.key END DESC, CASE WHEN NOT " down "::boolean THEN k.key END,"           \
    "  CASE WHEN " down "::boolean THEN k.id END DESC, k.id) AS place FROM k"                                      \
    "  WHERE " key_at "::text = '' OR (k.id <> ALL (" first ") AND CASE WHEN " down "::boolean"                    \
    "   THEN (k.key, k.id) < (" key_at "::text, nullif(" id_at "::text, '')::uuid)"                                \
    "   ELSE (k.key, k.id) > (" key_at "::text, nullif(" id_at "::text, '')::uuid) END)"                           \
    "  ORDER BY place LIMIT " limit "::bigint)"

#endif
