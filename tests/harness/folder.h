/* tests/harness/folder.h: a temporary folder with files, one for each test program. folder_make and folder_remove
 * are the group's set-up and tear-down. */
#ifndef VIVACE_TESTS_HARNESS_FOLDER_H
#define VIVACE_TESTS_HARNESS_FOLDER_H

#include "tests/harness/check.h"

static char folder[64];

static inline int folder_make(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int folder_remove(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* The path of a file in the folder; valid until the fourth call after this one. */
static inline const char *in_folder(const char *name)
{
    static char path[4][256];
    static unsigned next;
    char *p = path[next++ % 4];

    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static inline void put(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

#endif
