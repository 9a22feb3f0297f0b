/* cli/cmd_design.h: the subcommands of `vivace design`; each takes its own command line and answers the exit code.
 */
#ifndef VIVACE_CLI_CMD_DESIGN_H
#define VIVACE_CLI_CMD_DESIGN_H

#include "cli/cli.h"
#include "simcore/simcore.h"

int design_list(int argc, char **argv);
int design_show(int argc, char **argv);
int design_diff(int argc, char **argv);
int design_check(int argc, char **argv);
int design_scale(int argc, char **argv);

/* A built-in design or a file, with its parameters. Release both. */
struct design_view {
    struct gpu_design *design;
    struct design_facts facts;
};
int design_view_open(const char *name, struct design_view *out, struct err *e);
void design_view_release(struct design_view *v);
/* A parameter's value for people: a bare name loses its quotes. */
const char *design_value_text(const char *json, char out[CLI_NUMBER]);

#endif
