/* Recognizes report files that only NVIDIA's tools can read. The error names the command that converts them. */
#include <string.h>

#include "base/text.h"
#include "ingest/import.h"

static bool begins(const struct import_head *head, const char *magic, size_t n)
{
    return head->length >= n && memcmp(head->bytes, magic, n) == 0;
}

bool nsys_report_is_name(const char *name)
{
    return str_ends(name, ".nsys-rep") || str_ends(name, ".qdrep");
}

int nsys_report_refuse(const char *name, struct err *e)
{
    err_set(e, ERR_UNSUPPORTED,
            "%s: a report of Nsight Systems (.nsys-rep or .qdrep), which only nsys itself can read", name);
    return err_hint(e, "Export it first: nsys export --type sqlite --output report.sqlite report.nsys-rep");
}

int nsys_report_recognise(const struct import_head *head, const char **format, struct err *e)
{
    static const char nsys[] = "NVIDIA Tegra Profiler Report 1.", ncu[] = "NVR\0";

    *format = NULL;
    if (begins(head, nsys, sizeof nsys - 1)) {
        *format = "nsys-report";
        nsys_report_refuse(head->name, e);
    } else if (begins(head, ncu, sizeof ncu - 1)) {
        *format = "ncu-report";
        err_set(e, ERR_UNSUPPORTED,
                "%s: a report of Nsight Compute (.ncu-rep): metrics of single kernels, not the times "
                "of a run",
                head->name);
        err_hint(e, "Profile the run with nsys: nsys profile --trace=cuda --output report ./program");
    }
    return 0;
}
