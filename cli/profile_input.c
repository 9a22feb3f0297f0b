#include "cli/profile_input.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ingest/attach.h"
#include "sampling/plan.h"

static void show_reading(void *ctx, uint64_t bytes_in, uint64_t rows)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    (void)ctx;
    cli_progress("reading: %s, %s launches", cli_bytes((double)bytes_in, a), cli_whole(rows, b));
}

static int read_also(const char *list, const struct ingest_options *options, struct profile *p, struct err *e)
{
    char *copy = mem_strdup(list, e), *rest = copy, *path;
    int ret = copy ? 0 : -1;

    while (ret == 0 && (path = strsep(&rest, ",")))
        ret = ingest_response(path, options, p, e);
    free(copy);
    return ret;
}

int profile_input_read(const char *path, const struct profile_input *input, struct profile *out, struct err *e)
{
    struct ingest_options options = {.progress = show_reading};
    bool from_trace = input->features && strcmp(input->features, "trace") == 0;
    const char *format = "";
    struct import_report report;
    int ret;

    profile_init(out);
    if (from_trace && (ingest_recognise(path, &format, e) < 0 || strcmp(format, "accel-sim") != 0)) {
        err_set(e, ERR_USAGE, "--features trace: %s is no folder or tar of kernel traces", path);
        return err_hint(e, "`vivace trace features TRACES --out F.json` makes a file for --features.");
    }
    import_report_init(&report);
    options.features = from_trace || (!input->features && (input->needs & ~(unsigned)NEEDS_INSTRUCTIONS));
    ret = ingest_file(path, &options, out, &report, e);
    import_report_release(&report);
    options.features = false;
    if (ret == 0 && input->features && !from_trace)
        ret = ingest_features(input->features, &options, out, path, e);
    if (ret == 0 && input->also)
        ret = read_also(input->also, &options, out, e);
    if (ret < 0)
        profile_release(out);
    return ret;
}
