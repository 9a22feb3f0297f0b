/* cli/cmd_design.h: the subcommands of `vivace design`. Each parses its command line and returns the exit code. */
#ifndef VIVACE_CLI_CMD_DESIGN_H
#define VIVACE_CLI_CMD_DESIGN_H

#include "cli/nouns.h"
#include "simcore/simcore.h"

/* A built-in design or a design file, with its parameters. The caller releases both. */
struct design_view {
    struct gpu_design *design;
    struct design_facts facts;
};
int design_view_open(const char *name, struct design_view *out, struct err *e);
void design_view_release(struct design_view *v);
/* A parameter's value for people: a simple name is shown without quotes. */
const char *design_value_text(const char *json, char out[CLI_NUMBER]);

/* Designs of a farm: the list; one design, as in its file. */
int farm_designs_list(const struct cli_output *o, struct err *e);
int farm_design_show(const char *name, struct err *e);

#endif
