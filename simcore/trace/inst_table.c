#include "simcore/trace/inst_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"
#include "simcore/trace/fields.h"

#define INSTS_MAX   (1u << 20) /* 16 MiB of machine code, more than any kernel has */
#define FIRST_SLOTS 512

static uint64_t key_hash(const struct inst_text *x)
{
    uint64_t h = hash_fnv1a(x->before, x->before_bytes) * 31 + hash_fnv1a(x->after, x->after_bytes);

    h = h * 31 + (uint64_t)x->inst.immediate + (x->inst.has_immediate ? 1 : 0) + (x->fields ? 2 : 0);
    return h ^ h >> 29;
}

static bool key_equal(const struct inst_table *t, uint32_t at, uint64_t hash, const struct inst_text *x)
{
    const struct inst_key *k = &t->keys[at];

    return k->hash == hash && k->before == x->before_bytes && k->after == x->after_bytes &&
           t->insts[at].immediate == x->inst.immediate && t->insts[at].has_immediate == x->inst.has_immediate &&
           k->fields == x->fields && memcmp(t->texts + k->text, x->before, k->before) == 0 &&
           memcmp(t->texts + k->text + k->before, x->after, k->after) == 0;
}

static void put(uint32_t *slots, size_t count, uint64_t hash, uint32_t value)
{
    size_t at = hash & (count - 1);

    ASSERT((count & (count - 1)) == 0 && value > 0);
    while (slots[at])
        at = (at + 1) & (count - 1);
    slots[at] = value;
}

static int more_slots(struct inst_table *t, struct err *e)
{
    size_t count = t->slot_count * 2;
    uint32_t *slots = mem_zalloc(count, sizeof *slots, e);

    if (!slots)
        return -1;
    for (size_t i = 0; i < t->count; i++)
        put(slots, count, t->keys[i].hash, (uint32_t)i + 1);
    ASSERT(t->count < count);
    free(t->slots);
    t->slots = slots;
    t->slot_count = count;
    return 0;
}

static int more_opcode_slots(struct inst_table *t, struct err *e)
{
    size_t count = t->opcode_slot_count * 2;
    uint32_t *slots = mem_zalloc(count, sizeof *slots, e);

    if (!slots)
        return -1;
    for (size_t i = 0; i < t->opcode_count; i++)
        put(slots, count, hash_fnv1a(t->opcodes[i], strlen(t->opcodes[i])), (uint32_t)i + 1);
    ASSERT(t->opcode_count < count);
    free(t->opcode_slots);
    t->opcode_slots = slots;
    t->opcode_slot_count = count;
    return 0;
}

static uint32_t intern_opcode(struct inst_table *t, const char *s, size_t n, struct err *e)
{
    uint64_t hash = hash_fnv1a(s, n);
    size_t at = hash & (t->opcode_slot_count - 1);
    void *p = t->opcodes;

    for (; t->opcode_slots[at]; at = (at + 1) & (t->opcode_slot_count - 1)) {
        uint32_t i = t->opcode_slots[at] - 1;

        if (strncmp(t->opcodes[i], s, n) == 0 && t->opcodes[i][n] == '\0')
            return i;
    }
    if (array_reserve(&p, &t->opcode_capacity, t->opcode_count + 1, sizeof *t->opcodes, e) < 0)
        return INST_NONE;
    t->opcodes = p;
    t->opcodes[t->opcode_count] = mem_strndup(s, n, e);
    if (!t->opcodes[t->opcode_count])
        return INST_NONE;
    t->opcode_slots[at] = (uint32_t)++t->opcode_count;
    if (t->opcode_count * 2 > t->opcode_slot_count && more_opcode_slots(t, e) < 0)
        return INST_NONE;
    return (uint32_t)t->opcode_count - 1;
}

static int reserve(struct inst_table *t, size_t text, struct err *e)
{
    void *insts = t->insts, *keys = t->keys, *links = t->links, *texts = t->texts;
    int ret;

    if (t->count >= INSTS_MAX)
        return err_set(e, ERR_TOO_LARGE, "more than %u different instructions", INSTS_MAX);
    ret = array_reserve(&insts, &t->inst_capacity, t->count + 1, sizeof *t->insts, e) < 0 ||
          array_reserve(&keys, &t->key_capacity, t->count + 1, sizeof *t->keys, e) < 0 ||
          array_reserve(&links, &t->link_capacity, t->count + 2, sizeof *t->links, e) < 0 ||
          array_reserve(&texts, &t->text_capacity, t->text_bytes + text, 1, e) < 0;
    t->insts = insts; /* set also after a failure below, because arrays may have moved */
    t->keys = keys;
    t->links = links;
    t->texts = texts;
    ASSERT(ret || (t->count < t->inst_capacity && t->text_bytes + text <= t->text_capacity));
    return ret ? -1 : 0;
}

static uint32_t add(struct inst_table *t, const struct inst_text *x, uint64_t hash, struct err *e)
{
    struct trace_inst *i;
    struct inst_key *k;
    uint32_t opcode;

    if (reserve(t, x->before_bytes + x->after_bytes, e) < 0)
        return INST_NONE;
    opcode = intern_opcode(t, x->opcode, x->opcode_bytes, e);
    if (opcode == INST_NONE)
        return INST_NONE;
    ASSERT(opcode < t->opcode_count);
    i = &t->insts[t->count];
    k = &t->keys[t->count];
    *i = x->inst;
    i->opcode = opcode;
    i->width = x->fields          ? FIELDS_WIDTH
               : x->printed_width ? sass_access_width(t->opcodes[opcode], x->printed_width)
                                  : 0;
    *k = (struct inst_key){.text = t->text_bytes,
                           .before = (uint32_t)x->before_bytes,
                           .hash = hash,
                           .after = (uint32_t)x->after_bytes,
                           .has_addresses = x->printed_width != 0,
                           .second = x->second,
                           .fields = x->fields,
                           .polls = x->printed_width == 0 && sass_may_poll(t->opcodes[opcode]),
                           .fast = x->fast && x->before_bytes + x->after_bytes <= FAST_KEY_MAX};
    k->repair = sass_complete(t->opcodes[opcode], i);
    k->repair.width = !x->fields && i->width != x->printed_width;
    memcpy(t->texts + t->text_bytes, x->before, x->before_bytes);
    memcpy(t->texts + t->text_bytes + x->before_bytes, x->after, x->after_bytes);
    t->text_bytes += x->before_bytes + x->after_bytes;
    t->links[t->count + 1][0] = t->links[t->count + 1][1] = INST_NONE;
    return (uint32_t)t->count++;
}

uint32_t inst_table_intern(struct inst_table *t, const struct inst_text *x, struct err *e)
{
    uint64_t hash = key_hash(x);
    size_t at = hash & (t->slot_count - 1);
    uint32_t index;

    for (; t->slots[at]; at = (at + 1) & (t->slot_count - 1))
        if (key_equal(t, t->slots[at] - 1, hash, x))
            return t->slots[at] - 1;
    index = add(t, x, hash, e);
    if (index == INST_NONE)
        return INST_NONE;
    ASSERT(index + 1 == t->count && !t->slots[at]);
    t->slots[at] = index + 1;
    if (t->count * 2 > t->slot_count && more_slots(t, e) < 0)
        return INST_NONE;
    return index;
}

void inst_table_show(const struct inst_table *t, struct inst_source *s)
{
    s->insts = t->insts;
    s->inst_count = t->count;
    s->opcodes = (const char *const *)t->opcodes;
    s->opcode_count = t->opcode_count;
}

int inst_table_init(struct inst_table *t, struct err *e)
{
    *t = (struct inst_table){.slot_count = FIRST_SLOTS, .opcode_slot_count = FIRST_SLOTS};
    t->slots = mem_zalloc(t->slot_count, sizeof *t->slots, e);
    t->opcode_slots = mem_zalloc(t->opcode_slot_count, sizeof *t->opcode_slots, e);
    if (!t->slots || !t->opcode_slots || reserve(t, 1, e) < 0) {
        inst_table_release(t);
        return -1;
    }
    t->links[0][0] = t->links[0][1] = INST_NONE;
    return 0;
}

void inst_table_release(struct inst_table *t)
{
    for (size_t i = 0; i < t->opcode_count; i++)
        free(t->opcodes[i]);
    free(t->opcodes);
    free(t->opcode_slots);
    free(t->slots);
    free(t->links);
    free(t->texts);
    free(t->keys);
    free(t->insts);
    *t = (struct inst_table){0};
}
