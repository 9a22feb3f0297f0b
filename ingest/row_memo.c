#include "ingest/row_memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

/* After this many rows at least one in eight must be known, else the memo is not used: reading a row costs as
 * much as ten lookups. */
#define TRIAL 8192

struct row_memo_slot *row_memo_get(struct row_memo *m, const char *end, size_t length)
{
    struct row_memo_slot *s;
    struct err ignored; /* without memory for the slot the row is read in the usual way */

    ASSERT_HOT(m->known <= m->asked);
    if (length == 0 || length > ROW_MEMO_MAX || (m->asked >= TRIAL && m->known < m->asked / 8))
        return NULL;
    m->asked++;
    s = &m->slots[hash_words(end, length) & (ROW_MEMO_SLOTS - 1)];
    if (s->known && s->length == length && memcmp(s->end, end, length) == 0) {
        m->known++;
        return s;
    }
    s->known = false;
    if (array_reserve((void **)&s->end, &s->capacity, length, 1, &ignored) < 0)
        return NULL;
    ASSERT_HOT(s->capacity >= length && !s->known);
    memcpy(s->end, end, length);
    s->length = length;
    return s;
}

void row_memo_release(struct row_memo *m)
{
    for (size_t i = 0; i < ROW_MEMO_SLOTS; i++)
        free(m->slots[i].end);
}
