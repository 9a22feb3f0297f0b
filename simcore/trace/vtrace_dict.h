/* simcore/trace/vtrace_dict.h: stores byte strings that occur more than once only once (writing). At the first
 * occurrence, a string is written in place and only its hash is kept. At the second, it enters the dictionary. So
 * strings that never repeat take no memory in the writer or the reader. Internal to .vtrace. */
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
    uint32_t *slots; /* hash table of index + 1; the number of slots is a power of two */
    size_t slot_count;
};

/* Hashes of strings that occurred once, for all dictionaries of a file. A full table is emptied; then some strings
 * enter a dictionary one occurrence later. */
struct seen_once {
    uint64_t *slots;
    size_t count, slot_count;
};
int seen_once_init(struct seen_once *s, struct err *e);
void seen_once_release(struct seen_once *s);

/* Returns the index of these bytes and adds them if they are new; DICT_NONE with *e filled. */
uint32_t dict_intern(struct vtrace_dict *d, const void *bytes, size_t n, struct err *e);
/* Returns the index if the bytes are in the dictionary or occurred before; DICT_NONE: write them in place. `salt`
 * distinguishes the dictionaries. -1 with *e filled. */
int dict_repeated(struct vtrace_dict *d, struct seen_once *s, uint64_t salt, const void *bytes, size_t n,
                  uint32_t *index, struct err *e);
void dict_release(struct vtrace_dict *d);

#endif
