/* cli/design/cmd_design.h: the subcommands of `vivace design`. Each parses its command line and returns the exit
 * code. */
#ifndef VIVACE_CLI_CMD_DESIGN_H
#define VIVACE_CLI_CMD_DESIGN_H

#include "cli/nouns.h"
#include "simcore/simcore.h"
#include "simcore/system/system.h"

/* A built-in design or a design file, with its parameters. The caller releases it. */
struct design_view {
    struct gpu_design *design;
    struct system_design *system; /* or this: a system of several GPUs */
    struct design_facts facts;
};
int design_view_open_any(const char *name, struct design_view *out, struct err *e);
const char *design_view_name(const struct design_view *v);
const char *design_view_sha256(const struct design_view *v);
/* The same for designs of one GPU only. */
int design_view_open(const char *name, struct design_view *out, struct err *e);
void design_view_release(struct design_view *v);
/* A parameter's value for people: a simple name is shown without quotes. */
const char *design_value_text(const char *json, char out[CLI_NUMBER]);

/* Systems of several GPUs: the list; what copies between their nodes take. */
struct system_options {
    const char *from, *to; /* two nodes: one copy between them */
    uint64_t bytes;        /* 0: not given */
    bool pairs;            /* every pair, not one row for all that are alike */
};
int design_list_systems(const struct cli_output *o, struct err *e);
int system_show_copies(const struct system_design *s, const struct system_options *q, const struct cli_output *o,
                       struct err *e);
/* One row for pairs that are alike. NULL with *e. */
json_t *system_ways_json(const struct system_design *s, bool each, struct err *e);

/* Designs of a farm: the list; one design, as in its file. */
int farm_designs_list(const struct cli_output *o, struct err *e);
int farm_design_show(const char *name, struct err *e);

#endif
