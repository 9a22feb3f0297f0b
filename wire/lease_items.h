/* wire/lease_items.h: what the messages of wire/lease.h are made of: lists of structs, and (job, attempt). */
#ifndef VIVACE_WIRE_LEASE_ITEMS_H
#define VIVACE_WIRE_LEASE_ITEMS_H

#include "wire/lease.h"

typedef int (*read_item_fn)(const json_t *v, void *item, struct err *e); /* fills one zeroed element */
typedef json_t *(*write_item_fn)(const void *item);

/* The member `key` of `object` as an array of structs of `size` bytes, WIRE_LEASES_MAX at most. *count holds the
 * elements that were begun, so that on -1 the caller's release sees exactly those that may own memory. */
int lease_items_read(const json_t *object, const char *key, size_t size, read_item_fn read, void **items,
                     size_t *count, struct err *e);
/* A new reference; NULL when memory ran out. */
json_t *lease_items_write(const void *items, size_t count, size_t size, write_item_fn write);

void attempt_put(struct json_obj *o, const char *job, uint32_t attempt);
int attempt_read(const json_t *v, char job[WIRE_ID], uint32_t *attempt, struct err *e);

#endif
