#include "ingest/nsys_strings.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

static struct nsys_string *slot_of(struct nsys_strings *s, int64_t id)
{
    size_t at = ((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & (s->slot_count - 1);

    ASSERT_HOT(at < s->slot_count && s->slots_used < s->slot_count);
    while (s->slots[at].used && s->slots[at].id != id)
        at = (at + 1) & (s->slot_count - 1);
    return &s->slots[at];
}

static int slots_grow(struct nsys_strings *s, struct err *e)
{
    struct nsys_string *old = s->slots;
    size_t old_count = s->slot_count, count = old_count ? old_count * 2 : 1024;
    struct nsys_string *fresh = mem_zalloc(count, sizeof *fresh, e);

    if (!fresh)
        return -1;
    ASSERT((count & (count - 1)) == 0 && s->slots_used < count); /* slots are indexed by a mask */
    s->slots = fresh;
    s->slot_count = count;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].used)
            *slot_of(s, old[i].id) = old[i];
    }
    free(old);
    return 0;
}

static int fetch_string(struct nsys_strings *s, int64_t id, struct nsys_string *slot, struct err *e)
{
    int status, ret = 0;

    ASSERT(slot->used && slot->id == id && !slot->name);
    sqlite3_bind_int64(s->select, 1, id);
    status = sqlite3_step(s->select);
    if (status == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(s->select, 0);
        size_t length = (size_t)sqlite3_column_bytes(s->select, 0);

        slot->too_long = length > s->im->options.most_name_bytes;
        if (text)
            ret = import_intern(s->im, text, length, &slot->name, e);
    } else if (status != SQLITE_DONE) {
        ret = nsys_failed(s->db, e);
    }
    sqlite3_reset(s->select);
    return ret;
}

int nsys_string_get(struct nsys_strings *s, int64_t id, const struct nsys_string **out, struct err *e)
{
    struct nsys_string *slot;

    if (s->slots_used * 2 >= s->slot_count && slots_grow(s, e) < 0)
        return -1;
    slot = slot_of(s, id);
    if (!slot->used) {
        *slot = (struct nsys_string){.id = id, .used = true};
        s->slots_used++;
        if (fetch_string(s, id, slot, e) < 0)
            return -1;
    }
    ASSERT_HOT(slot->used && slot->id == id);
    *out = slot;
    return 0;
}

int nsys_strings_begin(struct nsys_strings *s, struct import *im, struct nsys_database *db, struct err *e)
{
    ASSERT(!s->select && !s->slots);
    s->im = im;
    s->db = db;
    return nsys_prepare(db, &s->select, "SELECT value FROM StringIds WHERE id = ?1", e);
}

void nsys_strings_release(struct nsys_strings *s)
{
    sqlite3_finalize(s->select);
    free(s->slots);
    *s = (struct nsys_strings){.slots = NULL};
}
