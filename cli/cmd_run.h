/* cli/cmd_run.h: `vivace run` and its words. */
#ifndef VIVACE_CLI_CMD_RUN_H
#define VIVACE_CLI_CMD_RUN_H

#include "cli/api_client.h"
#include "cli/nouns.h"
#include "cli/rule_options.h"

/* Says what it costs, asks a person on a terminal unless `yes`, and gives the run the rule. */
int run_extend(struct api *api, const char *run, const struct rule_options *rule, bool yes,
               const struct cli_output *output, struct err *e);
#define RUN_EXTEND_YES(flag)                                                                                       \
    {                                                                                                              \
        "yes", 'y', CLI_FLAG, NULL, &(flag),                                                                       \
            "do not ask before more is simulated; the cost is printed all the same"                                \
    }

#endif
