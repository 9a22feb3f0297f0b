#include "simcore/trace/vtrace_dict.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"

#define FIRST_SLOTS 64
#define SEEN_FIRST  ((size_t)1 << 12) /* initial number of slots, of which at most three quarters are used */
#define SEEN_SLOTS  ((size_t)1 << 20)
/* limit per kernel and kind: a reader holds the dictionary while it reads the kernel */
#define DICT_BYTES_MAX (8u << 20)
#define ENTRY_MAX      (DICT_BYTES_MAX / 4)

int seen_once_init(struct seen_once *s, struct err *e)
{
    s->count = 0;
    s->slot_count = SEEN_FIRST;
    s->slots = mem_zalloc(s->slot_count, sizeof *s->slots, e);
    return s->slots ? 0 : -1;
}

void seen_once_release(struct seen_once *s)
{
    free(s->slots);
    *s = (struct seen_once){0};
}

static size_t slot_of(const struct seen_once *s, uint64_t hash)
{
    size_t at = hash & (s->slot_count - 1);

    ASSERT_HOT(s->count < s->slot_count); /* a free slot ends the search */
    while (s->slots[at] && s->slots[at] != hash)
        at = (at + 1) & (s->slot_count - 1);
    return at;
}

/* Enlarges the table. At the maximum size, empties it instead. */
static int make_room(struct seen_once *s, struct err *e)
{
    struct seen_once more = {.slot_count = s->slot_count * 4, .count = s->count};

    if (s->slot_count == SEEN_SLOTS) {
        memset(s->slots, 0, s->slot_count * sizeof *s->slots);
        s->count = 0;
        return 0;
    }
    more.slots = mem_zalloc(more.slot_count, sizeof *more.slots, e);
    if (!more.slots)
        return -1;
    for (size_t k = 0; k < s->slot_count; k++)
        if (s->slots[k])
            more.slots[slot_of(&more, s->slots[k])] = s->slots[k];
    free(s->slots);
    *s = more;
    return 0;
}

/* Adds the hash. 1: it was there already; 0: it is new; -1: out of memory. */
static int seen_before(struct seen_once *s, uint64_t hash, struct err *e)
{
    hash += hash == 0; /* 0 marks an empty slot */
    if (s->slots[slot_of(s, hash)])
        return 1;
    if (s->count == s->slot_count / 4 * 3 && make_room(s, e) < 0)
        return -1;
    s->slots[slot_of(s, hash)] = hash;
    s->count++;
    return 0;
}

static int more_slots(struct vtrace_dict *d, struct err *e)
{
    size_t count = d->slot_count ? d->slot_count * 2 : FIRST_SLOTS;
    uint32_t *slots = mem_zalloc(count, sizeof *slots, e);

    if (!slots)
        return -1;
    for (size_t i = 0; i < d->count; i++) {
        size_t at = d->entries[i].hash & (count - 1);

        while (slots[at])
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t)i + 1;
    }
    free(d->slots);
    d->slots = slots;
    d->slot_count = count;
    return 0;
}

static uint32_t find(const struct vtrace_dict *d, uint64_t hash, const void *bytes, size_t n)
{
    ASSERT_HOT(d->count * 2 <= d->slot_count);
    if (d->slot_count == 0)
        return DICT_NONE;
    for (size_t at = hash & (d->slot_count - 1); d->slots[at]; at = (at + 1) & (d->slot_count - 1)) {
        const struct dict_entry *x = &d->entries[d->slots[at] - 1];

        if (x->hash == hash && x->bytes == n && memcmp(d->texts.text + x->at, bytes, n) == 0)
            return d->slots[at] - 1;
    }
    return DICT_NONE;
}

static uint32_t add(struct vtrace_dict *d, uint64_t hash, const void *bytes, size_t n, struct err *e)
{
    void *p = d->entries;
    size_t at;

    ASSERT(d->count < DICT_NONE);
    if (d->count * 2 >= d->slot_count && more_slots(d, e) < 0)
        return DICT_NONE;
    if (array_reserve(&p, &d->capacity, d->count + 1, sizeof *d->entries, e) < 0)
        return DICT_NONE;
    d->entries = p;
    d->entries[d->count] = (struct dict_entry){d->texts.length, n, hash};
    strbuf_add(&d->texts, bytes, n);
    if (d->texts.failed) {
        err_no_memory(e);
        return DICT_NONE;
    }
    for (at = hash & (d->slot_count - 1); d->slots[at]; at = (at + 1) & (d->slot_count - 1))
        ;
    d->slots[at] = (uint32_t)++d->count;
    return (uint32_t)d->count - 1;
}

uint32_t dict_intern(struct vtrace_dict *d, const void *bytes, size_t n, struct err *e)
{
    uint64_t hash = hash_words(bytes, n);
    uint32_t index = find(d, hash, bytes, n);

    return index != DICT_NONE ? index : add(d, hash, bytes, n, e);
}

int dict_repeated(struct vtrace_dict *d, struct seen_once *s, uint64_t salt, const void *bytes, size_t n,
                  uint32_t *index, struct err *e)
{
    uint64_t hash = hash_words(bytes, n);

    int seen;

    *index = find(d, hash, bytes, n);
    if (*index != DICT_NONE || n > ENTRY_MAX || d->texts.length + n > DICT_BYTES_MAX)
        return 0;
    seen = seen_before(s, hash ^ salt, e);
    if (seen <= 0)
        return seen;
    *index = add(d, hash, bytes, n, e);
    return *index == DICT_NONE ? -1 : 0;
}

void dict_release(struct vtrace_dict *d)
{
    strbuf_release(&d->texts);
    free(d->entries);
    free(d->slots);
    *d = (struct vtrace_dict){.texts = STRBUF_INIT};
}
