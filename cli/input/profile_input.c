#include "cli/input/profile_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/input/input_file.h"
#include "ingest/attach.h"
#include "sampling/plan/plan.h"

/* Reports dropped launches: every total lacks them. */
static void say_dropped(const char *path, const struct import_report *r)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    cli_progress_end();
    fprintf(stderr, "vivace: warning: %s: %s of %s could not be taken: the totals lack them\n", path,
            cli_whole(r->dropped_count, a), cli_counted(r->dropped_count + r->accepted, "launch", "launches", b));
    if (r->dropped.count)
        fprintf(stderr, "        first reason: %s; `vivace inspect %s` tells all\n", r->dropped.items[0].sentence,
                path);
}

/* Reports the limits of all plans of this profile. */
static void say_limits(const char *path, const struct import_report *r)
{
    static const char *const codes[] = {"cuda_graphs",   "coarse_clock",      "no_shape",
                                        "partial_trace", "computed_duration", "repaired_json"};

    for (size_t i = 0; i < r->warnings.count; i++)
        for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
            if (strcmp(r->warnings.items[i].code, codes[k]) == 0) {
                cli_progress_end();
                fprintf(stderr, "vivace: warning: %s: %s\n", path, r->warnings.items[i].sentence);
            }
}

static int read_also(const char *list, const struct ingest_options *options, struct profile *p, struct err *e)
{
    char *copy = mem_strdup(list, e), *rest = copy, *path;
    int ret = copy ? 0 : -1;

    while (ret == 0 && (path = strsep(&rest, ","))) {
        struct ingest_options named = *options;
        struct input_file in;

        ret = input_file_open(&in, path, e);
        named.display_name = in.name;
        if (ret == 0)
            ret = ingest_response(in.path, &named, p, e);
        input_file_close(&in);
    }
    free(copy);
    return ret;
}

static int read_input(const struct input_file *in, const struct profile_input *input, struct profile *out,
                      struct err *e)
{
    const char *path = in->path;
    struct ingest_options options = {.progress = cli_reading, .display_name = in->name};
    bool from_trace = input->features && strcmp(input->features, "trace") == 0;
    const char *format = "";
    struct import_report report;
    int ret;

    profile_init(out);
    if (from_trace && (ingest_recognise(path, &format, e) < 0 || strcmp(format, "accel-sim") != 0)) {
        err_set(e, ERR_USAGE, "--features trace: %s is no folder or tar of kernel traces", in->name);
        return err_hint(e, "`vivace trace features TRACES --out F.json` makes a file for --features.");
    }
    import_report_init(&report);
    options.features = from_trace || (!input->features && (input->needs & ~(unsigned)NEEDS_INSTRUCTIONS));
    ret = ingest_file(path, &options, out, &report, e);
    if (ret == 0 && report.dropped_count)
        say_dropped(in->name, &report);
    if (ret == 0)
        say_limits(in->name, &report);
    import_report_release(&report);
    options.features = false;
    if (ret == 0 && input->features && !from_trace)
        ret = ingest_features(input->features, &options, out, in->name, e);
    if (ret == 0 && input->also)
        ret = read_also(input->also, &options, out, e);
    if (ret < 0 && e->code == ERR_CONFLICT)
        e->code = ERR_INVALID; /* not ERR_CONFLICT, which a client may retry: these files will never match */
    if (ret < 0)
        profile_release(out);
    return ret;
}

int profile_input_read(const char *path, const struct profile_input *input, struct profile *out, struct err *e)
{
    struct input_file in;
    int ret = input_file_open(&in, path, e);

    profile_init(out);
    if (ret == 0)
        ret = read_input(&in, input, out, e);
    input_file_close(&in);
    return ret;
}
