#include "server/domain/tasks/trace_reader.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/text.h"
#include "server/domain/import/import_reader.h"
#include "server/domain/tasks/trace_child.h"
#include "wire/json.h"

/* The other process may be in the hands of the file's author, so its report is checked as foreign JSON is. */
static int read_report(const json_t *v, struct trace_row *row, const char **name, struct err *e)
{
    if (json_need_str(v, "name", name, e) < 0 || json_need_dim3(v, "grid", row->grid, e) < 0 ||
        json_need_dim3(v, "block", row->block, e) < 0 ||
        json_need_u64(v, "warp_instructions", &row->warp_instructions, e) < 0 ||
        json_need_u64(v, "ctas", &row->ctas, e) < 0 || json_need_u64(v, "warps", &row->warps, e) < 0)
        return -1;
    return json_opt_sha256(v, "program", row->program, e) < 0 ? -1 : 0;
}

static int take_report(const struct strbuf *report, struct trace_row *row, char **name, struct err *e)
{
    json_t *v = json_read_text(report->text ? report->text : "", report->length, "the trace's report", e);
    const char *text = NULL;
    int ret = v ? read_report(v, row, &text, e) : -1;

    if (ret == 0)
        *name = mem_strdup(text, e);
    json_decref(v);
    if (ret < 0 || !*name)
        return -1;
    text_sanitize(*name);
    row->name = *name;
    return 0;
}

int trace_reader_run(struct farm *farm, const char *path, struct trace_row *row, char **name, struct err *e)
{
    const char *const argv[] = {"/proc/self/exe", TRACE_CHILD, path, NULL};
    struct strbuf report = STRBUF_INIT;
    const struct import_reading r = {.file = path, .report = &report};
    struct stat st;
    int ret = -1;

    *row = (struct trace_row){.name = NULL};
    *name = NULL;
    if (stat(path, &st) < 0)
        return err_set_errno(e, errno, "reading a trace");
    row->bytes = (uint64_t)st.st_size;
    if (import_read_by(farm, argv, 1, &r, e) == 0)
        ret = report.failed ? err_no_memory(e) : take_report(&report, row, name, e);
    strbuf_release(&report);
    return ret;
}
