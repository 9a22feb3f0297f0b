#include "ptx/parse/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { BLOCK_BYTES = 64 << 10, FIRST_SLOTS = 1 << 10 };

struct block {
    struct block *next;
    size_t used, size;
    char bytes[];
};

struct slot {
    const char *text;
    uint32_t hash;
};

struct intern {
    struct block *blocks; /* newest first */
    struct slot *slots;   /* a power of two; at most half are in use */
    size_t slot_count, used;
};

struct intern *intern_new(struct err *e)
{
    struct intern *t = mem_zalloc(1, sizeof *t, e);

    if (!t)
        return NULL;
    t->slot_count = FIRST_SLOTS;
    t->slots = mem_zalloc(t->slot_count, sizeof *t->slots, e);
    if (t->slots)
        return t;
    free(t);
    return NULL;
}

void intern_free(struct intern *t)
{
    if (!t)
        return;
    while (t->blocks) {
        struct block *next = t->blocks->next;

        free(t->blocks);
        t->blocks = next;
    }
    free(t->slots);
    free(t);
}

/* FNV-1a, 32 bits. */
static uint32_t hash_of(const char *bytes, size_t n)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)bytes[i]) * 16777619u;
    return h;
}

static char *room(struct intern *t, size_t n, struct err *e)
{
    struct block *b = t->blocks;

    if (!b || b->size - b->used < n) {
        size_t size = n > BLOCK_BYTES ? n : BLOCK_BYTES;

        b = malloc(sizeof *b + size);
        if (!b) {
            err_no_memory(e);
            return NULL;
        }
        *b = (struct block){.next = t->blocks, .size = size};
        t->blocks = b;
    }
    b->used += n;
    return b->bytes + b->used - n;
}

static int grow(struct intern *t, struct err *e)
{
    size_t count = t->slot_count * 2;
    struct slot *slots = mem_zalloc(count, sizeof *slots, e);

    if (!slots)
        return -1;
    for (size_t i = 0; i < t->slot_count; i++) {
        size_t at = t->slots[i].hash & (count - 1);

        if (!t->slots[i].text)
            continue;
        while (slots[at].text)
            at = (at + 1) & (count - 1);
        slots[at] = t->slots[i];
    }
    free(t->slots);
    t->slots = slots;
    t->slot_count = count;
    return 0;
}

const char *intern_add(struct intern *t, const char *bytes, size_t n, struct err *e)
{
    uint32_t hash = hash_of(bytes, n);
    size_t at;
    char *copy;

    if (t->used * 2 >= t->slot_count && grow(t, e) < 0)
        return NULL;
    at = hash & (t->slot_count - 1);
    for (; t->slots[at].text; at = (at + 1) & (t->slot_count - 1))
        if (t->slots[at].hash == hash && strncmp(t->slots[at].text, bytes, n) == 0 && !t->slots[at].text[n])
            return t->slots[at].text;
    copy = room(t, n + 1, e);
    if (!copy)
        return NULL;
    memcpy(copy, bytes, n);
    copy[n] = '\0';
    t->slots[at] = (struct slot){copy, hash};
    t->used++;
    return copy;
}
