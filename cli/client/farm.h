/* cli/client/farm.h: functions of the commands that use a farm: lists of the API as tables, and shared output. */
#ifndef VIVACE_CLI_FARM_H
#define VIVACE_CLI_FARM_H

#include "base/strbuf.h"
#include "cli/client/api_client.h"
#include "cli/cli.h"
#include "cli/output/table.h"
#include "wire/json.h"

/* The format of a member of an item in a table; in CSV always with full precision. */
enum farm_kind {
    FARM_TEXT,
    FARM_COUNT,   /* an integer, as number or as text */
    FARM_NUMBER,  /* 3 significant digits */
    FARM_PERCENT, /* a share */
    FARM_LEVEL,   /* a confidence level */
    FARM_SPEEDUP,
    FARM_SECONDS,
    FARM_RATIO,            /* a ratio ± its half-width in a table: "ratio,ratio_half_width" */
    FARM_ESTIMATE_SECONDS, /* as FARM_RATIO, for seconds */
    FARM_ESTIMATE_METRIC,  /* as FARM_RATIO, in the item's `unit` */
    FARM_BYTES,
    FARM_GROUPED, /* a list of numbers: (16,1,10); or a text in its place */
    FARM_LIST     /* a list of texts: a, b */
};
struct farm_column {
    struct table_column column;
    const char *member; /* a path of member names: "profile.launches" */
    enum farm_kind kind;
};
/* Prints an array of objects as a table, as CSV, or (o->json) as {"items": […]}. Takes the reference of `items`.
 * NULL means an earlier failure: it returns -1 and does not change *e. `nothing`: the text for an empty list. */
int farm_print_list(json_t *items, const struct farm_column *columns, size_t count, const struct cli_output *o,
                    const char *nothing, struct err *e);
/* The member at a path of names, or NULL. */
const json_t *farm_member(const json_t *item, const char *path);
const char *farm_text(const json_t *item, const char *path); /* "" when it is not a text */
double farm_number(const json_t *item, const char *path);    /* NaN when it is not a number or digits */
uint64_t farm_count(const json_t *item, const char *path);   /* 0 when it is not a count */
/* Appends "/plans/" and the escaped id. -1: no memory, or ERR_USAGE for an empty id, which would address the list.
 */
int farm_path_add(struct strbuf *path, const char *before, const char *id, struct err *e) MUST_CHECK;
/* "/plans/" + escaped id + rest, as one text that the caller frees. NULL: no memory, or ERR_USAGE for an empty id.
 */
char *farm_path(const char *before, const char *id, const char *after, struct err *e);

/* PATCH of "/plans/" + id, then prints "NOUN ID SAID". Takes the reference of `change`; NULL: no memory. */
int farm_change(struct api *api, const char *noun, const char *before, const char *id, json_t *change,
                const char *said, struct err *e) MUST_CHECK;
/* DELETE, then prints "NOUN ID is deleted". */
int farm_delete(struct api *api, const char *noun, const char *before, const char *id, struct err *e) MUST_CHECK;

/* A query parameter of a list. It is not sent where its value is NULL. */
struct farm_query {
    const char *name, *value;
};
/* Fetches all rows of the list at `path`; `query` ends with a NULL name. NULL on failure. */
json_t *farm_list_all(struct api *api, const char *path, const struct farm_query *query, struct err *e);

/* "a,b" as a JSON array of texts; NULL when memory ran out. */
json_t *farm_list(const char *names);

/* api_open() + one GET of before+id+after. NULL on failure. */
json_t *farm_get(struct api *api, const char *before, const char *id, const char *after, struct err *e);

/* Runs a complete command: parses its line, opens the API, calls `body`, prints the error. Returns the exit code.
 */
typedef int (*farm_body)(struct api *api, const struct cli_args *args, void *ctx, struct err *e);
int farm_command(int argc, char **argv, const struct cli_usage *usage, farm_body body, void *ctx);
/* As farm_command(), for the verb argv[0] of a noun whose verbs share options. args->verb is the verb. */
int farm_verb_command(int argc, char **argv, const struct cli_usage *usage, const struct cli_verb *verbs,
                      farm_body body, void *ctx);

/* Follows a run until it ends. *out: the last state of the run, a reference for the caller. 0 only when the run is
 * done without failures. */
int farm_watch_run(struct api *api, const char *run, json_t **out, struct err *e);
/* The jobs of a run that wait for missing traces, and the number of these traces; jobs is 0 where none waits.
 * `plan` is valid as long as the run's document. */
struct run_waits {
    uint64_t jobs, traces;
    const char *plan;
};
int farm_run_waits(struct api *api, const json_t *run, struct run_waits *out, struct err *e);
void run_waits_say(const struct run_waits *w, struct strbuf *out); /* "88 jobs wait for 22 traces" */
void run_waits_say_what_now(const struct run_waits *w, struct strbuf *out);
/* Writes the simulator version that the run's jobs need and no connected worker has, with advice. False where a
 * worker has it. */
bool run_stranded_say(const json_t *run, struct strbuf *out);
/* Prints the waiting jobs and the missing simulator version, one line each. Prints nothing where the run does not
 * wait. */
int farm_print_waits(struct api *api, const json_t *run, FILE *to, struct err *e);
/* Prints the projections of a run. `projection`: the answer of /runs/{id}/projection, with the reasons for unknown
 * parts; NULL: not fetched. */
void farm_print_run(const json_t *run, const json_t *projection);
/* Prints which interim answer is shown while the next is simulated; no output where there is none. */
void farm_print_answer(const json_t *answer, FILE *to);
/* Prints each distinct note about a confidence level in a list of differences. */
void farm_print_level_notes(const json_t *list, const char *member, FILE *to);
/* Prints the answer of /runs/{id}/extend/cost: the cost of an extension before it starts. */
void farm_print_extension(const json_t *cost, FILE *to);
/* Prints the answer of /farm. */
void farm_print_glance(const json_t *farm);
/* Prints the answer of /runs/{run}/estimate. */
void farm_print_estimate(const json_t *estimate);
/* Prints the `opinions` of one design in that answer; NULL: not requested. */
void farm_print_opinions(const json_t *opinions);
/* Prints the answer of /runs/{run}/domains: a table for each design. */
int farm_print_domains(const json_t *answer, struct err *e);
/* Prints the answer of /runs/{run}/metrics. */
int farm_print_metrics(const json_t *answer, const struct cli_output *o, struct err *e);
int farm_show_run(struct api *api, const json_t *run, struct err *e); /* fetches the projection, then prints */
/* Waits for an import and shows its progress. Returns the import when it is ready. */
json_t *farm_wait_import(struct api *api, const char *import, struct err *e);

/* Opens a file to be sent, and returns its descriptor. *name points at the last part of the path. */
struct stat;
int push_open(const char *path, struct stat *st, const char **name, struct err *e);
/* `vivace push FILE --profile PROFILE`: sends features, or a .vtrace with the profile's launches. */
int push_to_profile(struct api *api, const char *path, const char *profile, const struct cli_output *o,
                    struct err *e);
/* `vivace push TRACES --plan PLAN`. context: the index in the profile of the traces' first context. */
int push_traces(struct api *api, const char *path, const char *plan, uint64_t context, const struct cli_output *o,
                struct err *e);
/* As push_traces(), for a launch list: the worker executes its launches and simulates them while they run. */
int push_program(struct api *api, const char *path, const char *plan, uint64_t context, const struct cli_output *o,
                 struct err *e);

#endif
