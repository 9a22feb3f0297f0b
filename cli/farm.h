/* cli/farm.h: what the commands that talk to a farm share: lists of the API as tables. */
#ifndef VIVACE_CLI_FARM_H
#define VIVACE_CLI_FARM_H

#include "base/strbuf.h"
#include "cli/api_client.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "wire/json.h"

/* How a member of an item is written in a cell; in CSV always in full. */
enum farm_kind {
    FARM_TEXT,
    FARM_COUNT,   /* whole number, or digits as text */
    FARM_NUMBER,  /* 3 digits */
    FARM_PERCENT, /* a share */
    FARM_LEVEL,   /* a confidence level */
    FARM_SPEEDUP,
    FARM_SECONDS,
    FARM_RATIO,            /* a ratio ± its half-width, for people: "ratio,ratio_half_width" */
    FARM_ESTIMATE_SECONDS, /* the same of seconds */
    FARM_ESTIMATE_METRIC,  /* the same in the item's `unit` */
    FARM_BYTES,
    FARM_GROUPED, /* a list of numbers: (16,1,10); or words in its place */
    FARM_LIST     /* a list of texts: a, b */
};
struct farm_column {
    struct table_column column;
    const char *member; /* "profile.launches": members of members */
    enum farm_kind kind;
};
/* Prints an array of objects as a table, CSV or (o->json) as {"items": […]}. Drops `items`, which may be NULL after
 * a failure: then returns -1 with *e as it is. `nothing` is what people see when there are none. */
int farm_print_list(json_t *items, const struct farm_column *columns, size_t count, const struct cli_output *o,
                    const char *nothing, struct err *e);
/* The member of a path of names, or NULL. */
const json_t *farm_member(const json_t *item, const char *path);
const char *farm_text(const json_t *item, const char *path); /* "" when it is no text */
double farm_number(const json_t *item, const char *path);    /* NaN when it is no number; digits as text count */
uint64_t farm_count(const json_t *item, const char *path);   /* 0 when it is none */
/* Adds "/plans/" and the escaped id. -1: no memory, or ERR_USAGE, no id: the address would be that of the list. */
int farm_path_add(struct strbuf *path, const char *before, const char *id, struct err *e) MUST_CHECK;
/* "/plans/" + escaped id + rest, as one text that the caller frees. NULL: no memory, or ERR_USAGE, no id. */
char *farm_path(const char *before, const char *id, const char *after, struct err *e);

/* A parameter of a list. A value that is NULL is not asked for. */
struct farm_query {
    const char *name, *value;
};
/* All rows of the list at `path`; `query` ends with a name that is NULL. NULL on failure. */
json_t *farm_list_all(struct api *api, const char *path, const struct farm_query *query, struct err *e);

/* "a,b" as a list of texts; NULL when memory ran out. */
json_t *farm_list(const char *names);

/* api_open() + one GET of before+id+after. NULL on failure. */
json_t *farm_get(struct api *api, const char *before, const char *id, const char *after, struct err *e);

/* A whole command against a farm: reads its line, logs in, runs body, prints what went wrong; the exit code. */
typedef int (*farm_body)(struct api *api, const struct cli_args *args, void *ctx, struct err *e);
int farm_command(int argc, char **argv, const struct cli_usage *usage, farm_body body, void *ctx);
/* The same for a verb, argv[0], of those that share the usage's options; args->verb says which. */
int farm_verb_command(int argc, char **argv, const struct cli_usage *usage, const struct cli_verb *verbs,
                      farm_body body, void *ctx);

/* Follows a run until it ends; *out is the run as last seen (the caller drops it). 0 only when it is done without
 * failures. */
int farm_watch_run(struct api *api, const char *run, json_t **out, struct err *e);
/* Jobs of a run that wait for traces that nobody has sent, and how many traces; jobs is 0 where none does. `plan`
 * lives as long as the run does. */
struct run_waits {
    uint64_t jobs, traces;
    const char *plan;
};
int farm_run_waits(struct api *api, const json_t *run, struct run_waits *out, struct err *e);
void run_waits_say(const struct run_waits *w, struct strbuf *out); /* "88 jobs wait for 22 traces" */
void run_waits_say_what_now(const struct run_waits *w, struct strbuf *out);
/* Which simulator the jobs of a run need, where no connected worker has it, and what now: false where one has. */
bool run_stranded_say(const json_t *run, struct strbuf *out);
/* Each as a line; none where the run waits for nothing. */
int farm_print_waits(struct api *api, const json_t *run, FILE *to, struct err *e);
/* The projections of a run, for people. `projection` is what /runs/{id}/projection says: why parts are not known.
 * NULL: not asked. */
void farm_print_run(const json_t *run, const json_t *projection);
/* Whose answer is shown while the next one is simulated; nothing where none is. */
void farm_print_answer(const json_t *answer, FILE *to);
/* Each note of a level once, of a list of differences. */
void farm_print_level_notes(const json_t *list, const char *member, FILE *to);
/* What /runs/{id}/extend/cost answers: what more of a run costs, before it is done. */
void farm_print_extension(const json_t *cost, FILE *to);
/* What /farm answers. */
void farm_print_glance(const json_t *farm);
/* What /runs/{run}/estimate answers. */
void farm_print_estimate(const json_t *estimate);
/* Its `opinions` of one design; NULL: not asked for. */
void farm_print_opinions(const json_t *opinions);
/* What /runs/{run}/metrics answers. */
int farm_print_metrics(const json_t *answer, const struct cli_output *o, struct err *e);
int farm_show_run(struct api *api, const json_t *run, struct err *e); /* asks, then prints */
/* Shared by push and import: waits for an import, prints progress; the import when it is ready. */
json_t *farm_wait_import(struct api *api, const char *import, struct err *e);

/* Opens a file to be sent: its descriptor; *name points at the last part of path. */
struct stat;
int push_open(const char *path, struct stat *st, const char **name, struct err *e);
/* `vivace push FILE --profile PROFILE`: features, or a .vtrace of its launches. */
int push_to_profile(struct api *api, const char *path, const char *profile, const struct cli_output *o,
                    struct err *e);
/* `vivace push TRACES --plan PLAN`; `context`: which one of the profile the first context of the traces is. */
int push_traces(struct api *api, const char *path, const char *plan, uint64_t context, const struct cli_output *o,
                struct err *e);
/* The same for a launch list: its launches are simulated as they run. */
int push_program(struct api *api, const char *path, const char *plan, uint64_t context, const struct cli_output *o,
                 struct err *e);

#endif
