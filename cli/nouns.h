/* cli/nouns.h: the functions of the commands that consist of a noun and a verb. Each verb also has a row in
 * nouns.c. */
#ifndef VIVACE_CLI_NOUNS_H
#define VIVACE_CLI_NOUNS_H

#include "cli/cli.h"

extern const struct cli_noun noun_plan, noun_trace, noun_ptx, noun_sass, noun_record, noun_design, noun_farm,
    noun_workload, noun_run, noun_job, noun_result, noun_token, noun_user, noun_team, noun_share;

/* A function for several verbs gets the verb in argv[0] (cli_parse_verb). */
int plan_draw(int argc, char **argv);
int plan_farm(int argc, char **argv); /* list, create, show, fetch, samples, cycles, pilot, pilots, cancel, retry */
int plan_costs(int argc, char **argv);
int plan_trace(int argc, char **argv);
int plan_check_list(int argc, char **argv);
int trace_info(int argc, char **argv);
int trace_dump(int argc, char **argv);
int trace_verify(int argc, char **argv);
int trace_diff(int argc, char **argv);
int trace_convert(int argc, char **argv);
int trace_features(int argc, char **argv);
int trace_missing(int argc, char **argv);
int ptx_cmd_run(int argc, char **argv);
int ptx_cmd_list(int argc, char **argv);
int ptx_cmd_print(int argc, char **argv);
int ptx_cmd_diff(int argc, char **argv);
int sass_list(int argc, char **argv);
int sass_dump(int argc, char **argv);
int sass_run(int argc, char **argv);
int sass_compare(int argc, char **argv);
int record_show(int argc, char **argv);
int record_export(int argc, char **argv);
int design_list(int argc, char **argv);
int design_show(int argc, char **argv);
int design_diff(int argc, char **argv);
int design_check(int argc, char **argv);
int design_scale(int argc, char **argv);
int design_collective(int argc, char **argv);
int design_add(int argc, char **argv);
int farm_show(int argc, char **argv);
int farm_doctor(int argc, char **argv);
int workload_any(int argc, char **argv);
int run_create(int argc, char **argv);
int run_list(int argc, char **argv);
int run_change(int argc, char **argv); /* cancel, pause, resume, restart */
int run_label(int argc, char **argv);  /* rename, tag, note, archive, restore, delete */
int plan_label(int argc, char **argv); /* rename, tag, note, archive, restore, delete */
int run_show(int argc, char **argv);
int run_watch(int argc, char **argv);
int run_projection(int argc, char **argv);
int run_compare(int argc, char **argv);
int run_not_simulated(int argc, char **argv);
int run_cache_check(int argc, char **argv);
int run_strata(int argc, char **argv);
int run_convergence(int argc, char **argv);
int run_events(int argc, char **argv);
int run_extend_verb(int argc, char **argv);
int run_accept(int argc, char **argv);
int run_undo(int argc, char **argv);
int job_list(int argc, char **argv);
int job_any(int argc, char **argv); /* show, retry, redraw, drop */
int result_show(int argc, char **argv);
int result_series(int argc, char **argv);
int result_discard(int argc, char **argv);
int result_discarded(int argc, char **argv);
int token_any(int argc, char **argv);
int user_any(int argc, char **argv);
int team_any(int argc, char **argv);
int share_any(int argc, char **argv);

#endif
