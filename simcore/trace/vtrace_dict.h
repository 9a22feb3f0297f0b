/* simcore/trace/vtrace_dict.h: byte strings that occur more than once, each kept once (writing). What is seen for
 * the first time is written in its place and only its hash remembered; seen again, it enters the dictionary. So
 * what never repeats costs neither the writer's memory nor the reader's. Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_DICT_H
#define VIVACE_SIMCORE_TRACE_VTRACE_DICT_H

#include "base/strbuf.h"

#include <stdint.h>

#define DICT_NONE UINT32_MAX

struct dict_entry {
    size_t at, bytes; /* in `texts` */
    uint64_t hash;
};
struct vtrace_dict {
    struct strbuf texts;
    struct dict_entry *entries;
    size_t count, capacity;
    uint32_t *slots; /* hash table of index + 1; a power of two of them */
    size_t slot_count;
};

/* Hashes of what was seen once, of all dictionaries of a file. When the table is full it begins anew: then some
 * things enter a dictionary one occurrence later. */
struct seen_once {
    uint64_t *slots;
    size_t count, slot_count;
};
int seen_once_init(struct seen_once *s, struct err *e);
void seen_once_release(struct seen_once *s);

/* The index of these bytes, which are added when they are new; DICT_NONE with *e filled. */
uint32_t dict_intern(struct vtrace_dict *d, const void *bytes, size_t n, struct err *e);
/* The index, if they are there or were seen before; DICT_NONE: write them out. `salt` tells dictionaries apart.
 * -1 with *e filled. */
int dict_repeated(struct vtrace_dict *d, struct seen_once *s, uint64_t salt, const void *bytes, size_t n,
                  uint32_t *index, struct err *e);
void dict_release(struct vtrace_dict *d);

#endif
