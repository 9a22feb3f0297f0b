#include "server/domain/import/import_child.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/sandbox.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ingest/ingest.h"
#include "server/domain/import/profile_file.h"

#define TELL_EVERY_US 250000

static void tell(void *ctx, uint64_t bytes, uint64_t rows)
{
    uint64_t *last = ctx, now = clock_monotonic_us();

    ASSERT(now >= *last);
    if (now - *last < TELL_EVERY_US)
        return;
    *last = now;
    printf("@p %llu %llu\n", (unsigned long long)bytes, (unsigned long long)rows);
    fflush(stdout);
}

void import_child_fail(struct err *e)
{
    text_sanitize(e->text);
    text_sanitize(e->hint);
    printf("@e %s\n@t %s\n", err_name(e->code), e->text);
    if (e->hint[0])
        printf("@h %s\n", e->hint);
}

int import_child_confine(const char *file, const char *scratch, struct err *e)
{
    const struct sandbox_path paths[] = {{file, false}, {scratch, true}};
    const struct sandbox_rules rules = {.open_files = 64, .paths = paths, .path_count = scratch ? 2 : 1};
    enum sandbox_level level;

    return sandbox_enter(&rules, &level, e);
}

int import_child_main(int argc, char **argv)
{
    uint64_t last = 0;
    struct ingest_options options = {.progress = tell, .progress_ctx = &last};
    bool features = argc == 3;
    struct strbuf json = STRBUF_INIT;
    struct import_report report;
    struct profile profile;
    struct err e = {0};
    int ret = -1;

    if (argc != 2 && !features)
        return err_exit_code(ERR_USAGE);
    options.features = options.without_values = features;
    options.display_name = features ? argv[2] : NULL;
    profile_init(&profile);
    import_report_init(&report);
    if (import_child_confine(argv[0], argv[1], &e) < 0) {
        import_child_fail(&e);
        return err_exit_code(e.code);
    }
    if (ingest_file(argv[0], &options, &profile, &report, &e) == 0) {
        import_report_to_json(&report, &json);
        ret = json.failed ? err_no_memory(&e) : profile_file_write(argv[1], &profile, json.text, &e);
    } else if (report.accepted || report.dropped_count || report.ignored_count) {
        import_report_to_json(&report, &json); /* includes the counts up to a failure */
    }
    if (json.length && !json.failed && !strchr(json.text, '\n'))
        printf("@r %s\n", json.text);
    if (ret < 0)
        import_child_fail(&e);
    fflush(stdout);
    strbuf_release(&json);
    import_report_release(&report);
    profile_release(&profile);
    return ret < 0 ? err_exit_code(e.code) : 0;
}
