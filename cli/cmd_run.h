/* cli/cmd_run.h: `vivace run` and its words. */
#ifndef VIVACE_CLI_CMD_RUN_H
#define VIVACE_CLI_CMD_RUN_H

#include "cli/api_client.h"
#include "cli/cli.h"
#include "cli/rule_options.h"

extern const struct cli_subcommand run_words[]; /* extend, accept, undo, show, not-simulated, cache-check, lists */
int cmd_run_show(int argc, char **argv);
int cmd_run_not_simulated(int argc, char **argv);
int cmd_run_cache_check(int argc, char **argv);
int cmd_run_strata(int argc, char **argv);
int cmd_run_convergence(int argc, char **argv);
int cmd_run_events(int argc, char **argv);
/* Says what it costs, asks a person on a terminal unless `yes`, and gives the run the rule. */
int run_extend(struct api *api, const char *run, const struct rule_options *rule, bool yes,
               const struct cli_output *output, struct err *e);
#define RUN_EXTEND_YES(flag)                                                                                       \
    {                                                                                                              \
        "yes", 'y', CLI_FLAG, NULL, &(flag),                                                                       \
            "do not ask before more is simulated; the cost is printed all the same"                                \
    }

#endif
