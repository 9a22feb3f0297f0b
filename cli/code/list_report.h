/* cli/code/list_report.h: what `vivace ptx run` and `vivace sass run` say of a launch list: a table, CSV or JSON of
 * the launches and of the checked results. */
#ifndef VIVACE_CLI_CODE_LIST_REPORT_H
#define VIVACE_CLI_CODE_LIST_REPORT_H

#include "cli/cli.h"
#include "cli/code/ptx_timing.h"
#include "cli/output/table.h"
#include "sass/exec/list_engine.h"

enum { LIST_REPORT_COLUMNS_MAX = 12 };
struct list_report {
    struct cli_output output;
    struct ptx_timing *timing;                            /* NULL: there is none */
    const struct sass_list_engine *machine;               /* NULL: PTX was executed */
    struct table_column columns[LIST_REPORT_COLUMNS_MAX]; /* of the table */
    struct table table;
    json_t *launches, *expects;
    bool failed; /* memory for a row of JSON ran out */
};

/* Call it after the options are parsed, before the list runs. */
void list_report_begin(struct list_report *r);
void list_report_release(struct list_report *r);
void list_report_launch(struct list_report *r, const char *name, uint64_t number, const struct ptx_exec_stats *s);
void list_report_check(struct list_report *r, const char *what, bool good, const char *text);
int list_report_print(struct list_report *r, const struct launch_list_done *d, double seconds, struct err *e);
/* ERR_INVALID: results differ from the expected ones. */
int list_report_verdict(const struct launch_list *l, const struct launch_list_done *d, struct err *e);
/* Writes the printf() output of kernels to `ctx`: stdout, or stderr with --json or --csv, which use stdout. */
void list_report_text(void *ctx, const char *text, size_t n);
FILE *list_report_text_to(const struct list_report *r);

#endif
