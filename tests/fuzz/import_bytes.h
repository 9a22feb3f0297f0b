/* tests/fuzz/import_bytes.h: runs one importer on the fuzzer's bytes. Importers read files, so the bytes are
 * written to a file in memory. */
#ifndef VIVACE_TESTS_FUZZ_IMPORT_BYTES_H
#define VIVACE_TESTS_FUZZ_IMPORT_BYTES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ingest/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

typedef int (*recognise_fn)(const struct import_head *head, const char **format, struct err *e);

static inline void recognise_bytes(recognise_fn recognise, const uint8_t *bytes, size_t n)
{
    struct import_head head = {.name = "input", .bytes = malloc(n + 1), .length = n};
    const char *format;
    struct err e;

    if (!head.bytes)
        return;
    memcpy(head.bytes, bytes, n);
    head.bytes[n] = '\0';
    recognise(&head, &format, &e);
    free(head.bytes);
}

static inline void import_bytes(int (*read)(struct import *im, struct err *e), const uint8_t *bytes, size_t n)
{
    static char path[64];
    struct import_report report;
    struct import im = {.name = "input", .report = &report};
    struct profile profile;
    struct strbuf json = STRBUF_INIT;
    struct err e;
    FILE *f;

    snprintf(path, sizeof path, "/dev/shm/vivace-fuzz-%d", (int)getpid());
    im.path = path;
    f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n)
        abort();
    fclose(f);
    profile_init(&profile);
    import_report_init(&report);
    if (import_begin(&im, "fuzz", PROFILE_NS, true, &e) == 0 && read(&im, &e) == 0 &&
        import_finish(&im, "nothing", &profile, &e) == 0 && profile.count != report.accepted)
        abort(); /* a launch was lost and not reported */
    if (profile.features && profile.features->known > profile.count)
        abort();
    for (int c = 0; profile.domains && c < DOMAIN_COLUMNS; c++)
        for (size_t i = 0; profile.domains->columns[c].of && i < profile.count; i++)
            if (profile.domains->columns[c].of[i] >= profile.domains->columns[c].count)
                abort();
    import_report_to_json(&report, &json);
    strbuf_release(&json);
    import_release(&im);
    profile_release(&profile);
    import_report_release(&report);
    unlink(path);
}

#endif
