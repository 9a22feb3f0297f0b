/* ingest/nsys_strings.h: the table StringIds of an nsys export. Each text is read when its id first occurs. */
#ifndef VIVACE_INGEST_NSYS_STRINGS_H
#define VIVACE_INGEST_NSYS_STRINGS_H

#include "ingest/import.h"
#include "ingest/nsys_database.h"

struct nsys_string {
    int64_t id;
    const struct import_name *name; /* NULL: the file has no such id, or its text is not a valid name */
    bool used, too_long;
};
/* A hash table with linear probing. An id is any 64-bit number. Zero it, then call nsys_strings_begin(). */
struct nsys_strings {
    struct import *im; /* owns the names */
    struct nsys_database *db;
    sqlite3_stmt *select;
    struct nsys_string *slots;
    size_t slot_count, slots_used; /* slot_count is a power of two */
};
int nsys_strings_begin(struct nsys_strings *s, struct import *im, struct nsys_database *db, struct err *e);
/* *out is valid until the next call. */
int nsys_string_get(struct nsys_strings *s, int64_t id, const struct nsys_string **out, struct err *e);
void nsys_strings_release(struct nsys_strings *s);

#endif
