#include "wire/lease_items.h"

#include "base/array.h"
#include "base/assert.h"

int lease_items_read(const json_t *object, const char *key, size_t size, read_item_fn read, void **items,
                     size_t *count, struct err *e)
{
    const json_t *list = NULL;
    size_t n;

    ASSERT(size > 0);
    *items = NULL;
    *count = 0;
    if (json_need_array(object, key, &list, e) < 0)
        return -1;
    n = json_array_size(list);
    if (n > WIRE_LEASES_MAX)
        return err_set(e, ERR_TOO_LARGE, "`%s` has %zu entries, more than %d", key, n, WIRE_LEASES_MAX);
    *items = mem_zalloc(n ? n : 1, size, e);
    if (!*items)
        return -1;
    for (size_t i = 0; i < n; i++) {
        *count = i + 1;
        if (read(json_array_get(list, i), (char *)*items + i * size, e) < 0)
            return err_wrap(e, "`%s`[%zu]", key, i);
    }
    return 0;
}

json_t *lease_items_write(const void *items, size_t count, size_t size, write_item_fn write)
{
    json_t *list = json_array();

    ASSERT((items || count == 0) && size > 0);
    ASSERT(count <= WIRE_LEASES_MAX); /* the reader refuses more items */
    for (size_t i = 0; list && i < count; i++)
        if (json_push(list, write((const char *)items + i * size)) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

void attempt_put(struct json_obj *o, const char *job, uint32_t attempt)
{
    ASSERT(job[0] != '\0');
    ASSERT(attempt > 0 && attempt <= INT32_MAX);
    json_put_str(o, "job", job);
    json_put_u64(o, "attempt", attempt);
}

int attempt_read(const json_t *v, char job[WIRE_ID], uint32_t *attempt, struct err *e)
{
    if (json_need_object(v, "an attempt", e) < 0 || json_need_copy(v, "job", job, WIRE_ID, e) < 0)
        return -1;
    return json_need_u32(v, "attempt", 1, INT32_MAX, attempt, e);
}
