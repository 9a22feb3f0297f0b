/* cli/input/rule_options.h: options of a run's stopping rule: the error, the cost limit, and whether the user
 * confirms extensions. */
#ifndef VIVACE_CLI_RULE_OPTIONS_H
#define VIVACE_CLI_RULE_OPTIONS_H

#include "cli/cli.h"
#include "wire/json.h"

struct rule_options {
    double until, resolve, confidence, price;
    const char *budget;
    uint64_t analyses;
    bool ask, drop;
};
#define CLI_RULE_OPTIONS(r)                                                                                         \
    {"until", 'u', CLI_SHARE, "ERROR", &(r).until, "end when each total is known to within ± ERROR, as in 2%"},     \
        {"resolve",    0,                                                                                           \
         CLI_SHARE,    "ERROR",                                                                                     \
         &(r).resolve, "end when differences to the baseline are known to ± ERROR of its total"},                   \
        {"confidence",    0,                                                                                        \
         CLI_SHARE,       "LEVEL",                                                                                  \
         &(r).confidence, "that all interim analyses share; the plan's unless given"},                              \
        {"budget",    0,                                                                                            \
         CLI_TEXT,    "4h",                                                                                         \
         &(r).budget, "most to spend: seconds of simulation (90s, 30m, 4h, 2d), 500jobs, or money with --price"},   \
        {"price", 0, CLI_DOUBLE, "P", &(r).price, "what an hour of simulation costs, in the currency of --budget"}, \
        {"looks", 0, CLI_COUNT, "N", &(r).analyses, "at most this number of interim analyses: 1 to 5 (default)"},   \
        {"ask", 0, CLI_FLAG, NULL, &(r).ask, "wait for your word before more is simulated"},                        \
    {                                                                                                               \
        "drop", 0, CLI_FLAG, NULL, &(r).drop, "drop launches that cannot be simulated instead of replacing them"    \
    }

bool rule_options_given(const struct rule_options *r);
/* Adds the rule's members of the API request to an open JSON object. */
int rule_options_put(const struct rule_options *r, struct json_obj *o, struct err *e) MUST_CHECK;

#endif
