/* wire/lease_items.h: parts of the messages in wire/lease.h: lists of structs, and (job, attempt). */
#ifndef VIVACE_WIRE_LEASE_ITEMS_H
#define VIVACE_WIRE_LEASE_ITEMS_H

#include "wire/lease.h"

typedef int (*read_item_fn)(const json_t *v, void *item, struct err *e); /* fills one element, zeroed before */
typedef json_t *(*write_item_fn)(const void *item);

/* Reads the member `key` of `object` as an array of structs of `size` bytes, at most WIRE_LEASES_MAX. *count
 * includes an element that failed, so after -1 the caller releases every element that may own memory. */
int lease_items_read(const json_t *object, const char *key, size_t size, read_item_fn read, void **items,
                     size_t *count, struct err *e);
/* Returns a new reference; NULL: out of memory. */
json_t *lease_items_write(const void *items, size_t count, size_t size, write_item_fn write);

void attempt_put(struct json_obj *o, const char *job, uint32_t attempt);
int attempt_read(const json_t *v, char job[WIRE_ID], uint32_t *attempt, struct err *e);

#endif
