#include "cli/input/plan_input.h"

#include "cli/input/input_file.h"
#include "ingest/ingest.h"
#include "wire/plan_json.h"
#include "wire/tracer.h"

int plan_with_profile(const char *plan_path, const char *profile_path, const struct cli_output *output,
                      struct plan *plan, struct profile *profile, struct err *e)
{
    struct ingest_options options = {.progress = cli_reading};
    struct import_report report;
    struct input_file in;
    int ret;

    plan_init(plan);
    profile_init(profile);
    if (!profile_path) {
        err_set(e, ERR_USAGE, "missing profile");
        return err_hint(e, "Give --profile FILE, the file that the plan was made from.");
    }
    if (input_file_open(&in, profile_path, e) < 0) {
        input_file_close(&in);
        return -1;
    }
    options.display_name = in.name;
    import_report_init(&report);
    cli_progress_begin(output);
    ret = plan_read_path(plan_path, plan, e);
    if (ret == 0)
        ret = ingest_file(in.path, &options, profile, &report, e);
    input_file_close(&in);
    cli_progress_end();
    if (ret == 0)
        ret = tracer_check_plan(plan, profile, e);
    import_report_release(&report);
    return ret;
}
