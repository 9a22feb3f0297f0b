/* cli/run/cmd_run.h: shared functions of `vivace run`. */
#ifndef VIVACE_CLI_CMD_RUN_H
#define VIVACE_CLI_CMD_RUN_H

#include "cli/client/api_client.h"
#include "cli/nouns.h"
#include "cli/input/rule_options.h"

/* Prints the cost, asks for confirmation on a terminal unless `yes`, and sets the run's stopping rule. */
int run_extend(struct api *api, const char *run, const struct rule_options *rule, bool yes,
               const struct cli_output *output, struct err *e);
#define RUN_EXTEND_YES(flag)                                                                                       \
    {                                                                                                              \
        "yes", 'y', CLI_FLAG, NULL, &(flag),                                                                       \
            "do not ask before more is simulated; the cost is printed in any case"                                 \
    }

#endif
