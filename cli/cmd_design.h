/* cli/cmd_design.h: the subcommands of `vivace design`; each takes its own command line and answers the exit code.
 */
#ifndef VIVACE_CLI_CMD_DESIGN_H
#define VIVACE_CLI_CMD_DESIGN_H

#include "cli/nouns.h"
#include "simcore/simcore.h"

/* A built-in design or a file, with its parameters. Release both. */
struct design_view {
    struct gpu_design *design;
    struct design_facts facts;
};
int design_view_open(const char *name, struct design_view *out, struct err *e);
void design_view_release(struct design_view *v);
/* A parameter's value for people: a bare name loses its quotes. */
const char *design_value_text(const char *json, char out[CLI_NUMBER]);

/* Those of a farm: the list; one, as its file has it. */
int farm_designs_list(const struct cli_output *o, struct err *e);
int farm_design_show(const char *name, struct err *e);

#endif
