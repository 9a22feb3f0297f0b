/* Prints which answer of a run is shown while an extension is simulated, and the cost of an extension. */
#include <math.h>
#include <string.h>

#include "cli/client/farm.h"

static void print_under_way(const json_t *more, FILE *to)
{
    uint64_t open = farm_count(more, "open"), blocked = farm_count(more, "blocked"),
             missing = farm_count(more, "missing_traces");
    char jobs[CLI_NUMBER], left[CLI_NUMBER], waits[CLI_NUMBER], traces[CLI_NUMBER];

    cli_counted(farm_count(more, "jobs"), "job", NULL, jobs);
    if (json_is_true(farm_member(more, "cancelled"))) {
        fprintf(to, "cancelled: %s for the next answer; the present answer remains\n", jobs);
        return;
    }
    fprintf(to, "under way: %s for the next answer, %s to go", jobs, cli_whole(open, left));
    if (missing)
        fprintf(to, ", %s of them blocked on %s", cli_whole(blocked, waits),
                cli_counted(missing, "missing trace", NULL, traces));
    fprintf(to, "\n");
}

void farm_print_answer(const json_t *answer, FILE *to)
{
    const json_t *more = farm_member(answer, "under_way");
    char launches[CLI_NUMBER];

    if (!json_is_object(more))
        return;
    fprintf(to, "shown: the last complete answer, of %s, from %s on each design; it stays until the next one\n",
            farm_text(answer, "at"), cli_counted(farm_count(answer, "launches"), "launch", "launches", launches));
    print_under_way(more, to);
}

void farm_print_level_notes(const json_t *list, const char *member, FILE *to)
{
    const char *before = "";

    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *note = farm_text(json_array_get(list, i), member);

        if (*note && strcmp(note, before) != 0)
            fprintf(to, "  level: %s\n", note);
        before = note;
    }
}

/* Prints "45 jobs: v100 15, h100 15, a100 15". */
static void print_jobs(const json_t *cost, FILE *to)
{
    const json_t *designs = farm_member(cost, "designs");
    char launches[CLI_NUMBER], jobs[CLI_NUMBER], n[CLI_NUMBER];
    size_t count = json_array_size(designs);

    fprintf(to, "%s more on %s%s of the run: %s (",
            cli_counted(farm_count(cost, "samples"), "launch", "launches", launches), count > 1 ? "all " : "",
            cli_counted(count, "design", NULL, n), cli_counted(farm_count(cost, "jobs"), "job", NULL, jobs));
    for (size_t i = 0; i < count; i++) {
        const json_t *d = json_array_get(designs, i);

        fprintf(to, "%s%s %s", i ? ", " : "", farm_text(d, "design"), cli_whole(farm_count(d, "jobs"), jobs));
    }
    fprintf(to, ")\n");
}

void farm_print_extension(const json_t *cost, FILE *to)
{
    uint64_t missing = farm_count(cost, "missing_traces");
    char text[CLI_NUMBER];

    if (*farm_text(cost, "why_not")) {
        fprintf(to, "cost: not known: %s\n", farm_text(cost, "why_not"));
        return;
    }
    if (strcmp(farm_text(cost, "decision"), "more") != 0) {
        fprintf(to, "cost: nothing more is simulated: %s\n", farm_text(cost, "reason"));
        return;
    }
    fprintf(to, "cost: ");
    print_jobs(cost, to);
    if (missing)
        fprintf(to, "      %s: their jobs wait for them\n",
                cli_counted(missing, "trace is missing", "traces are missing", text));
    if (isfinite(farm_number(cost, "expected_s")))
        fprintf(to, "      about %s of simulation\n", cli_seconds(farm_number(cost, "expected_s"), text));
    if (farm_count(cost, "looks_left") > 0)
        fprintf(to, "      then at most %s; each may request more\n",
                cli_counted(farm_count(cost, "looks_left"), "interim analysis", "interim analyses", text));
}
