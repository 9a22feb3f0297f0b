/* tests/unit/ingest/inputs.h: writes input files and imports them. */
#ifndef VIVACE_TESTS_UNIT_INGEST_INPUTS_H
#define VIVACE_TESTS_UNIT_INGEST_INPUTS_H

#include <sys/stat.h>

#include "ingest/ingest.h"
#include "tests/harness/check.h"

/* A profile and its report together, so that a test releases both at once. */
struct imported {
    struct profile profile;
    struct import_report report;
    struct err e;
    int ret;
};

static inline void import_path(struct imported *i, const char *path, const struct ingest_options *options)
{
    memset(i, 0, sizeof *i);
    profile_init(&i->profile);
    import_report_init(&i->report);
    i->ret = ingest_file(path, options, &i->profile, &i->report, &i->e);
}

static inline void imported_release(struct imported *i)
{
    profile_release(&i->profile);
    import_report_release(&i->report);
}

/* A path that only this test uses. Four of them may be in use at once. */
static inline const char *scratch_path(const char *name)
{
    static char path[4][256];
    static unsigned next;
    char *p = path[next++ % 4];
    const char *dir = getenv("TMPDIR");

    snprintf(p, sizeof path[0], "%s/vivace-test-%d-%s", dir ? dir : "/tmp", (int)getpid(), name);
    return p;
}

static inline void write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Writes the text to its own file and imports it. */
static inline void import_text(struct imported *i, const char *text)
{
    const char *path = scratch_path("text");

    write_bytes(path, text, strlen(text));
    import_path(i, path, NULL);
    unlink(path);
}

/* The note with this code, or NULL. */
static inline const struct import_note *note_of(const struct import_notes *list, const char *code)
{
    for (size_t k = 0; k < list->count; k++) {
        if (strcmp(list->items[k].code, code) == 0)
            return &list->items[k];
    }
    return NULL;
}

/* Number of rows that were dropped, ignored or warned about for this reason. */
static inline uint64_t count_of(const struct import_notes *list, const char *code)
{
    const struct import_note *n = note_of(list, code);

    return n ? n->count : 0;
}

#endif
