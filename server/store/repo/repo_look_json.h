/* server/store/repo/repo_look_json.h: a run's rule, looks and launches that could not be simulated, as pages show
 * them: SQL for statements where `r` is the run and `u` its run_rule, if it has one. */
#ifndef VIVACE_SERVER_DB_REPO_LOOK_JSON_H
#define VIVACE_SERVER_DB_REPO_LOOK_JSON_H

#define RULE_JSON                                                                                                  \
    "CASE WHEN u.run_id IS NOT NULL THEN json_build_object('until', u.error, 'confidence', u.confidence,"          \
    "   'resolve', u.resolve, 'baseline', (SELECT name FROM run_design WHERE run_id = r.id AND number ="           \
    "   u.baseline), 'budget', CASE u.budget_in WHEN 'seconds' THEN json_build_object('seconds', u.budget)"        \
    "   WHEN 'jobs' THEN json_build_object('jobs', u.budget)"                                                      \
    "   WHEN 'money' THEN json_build_object('money', u.budget, 'price_per_s', u.price_per_s) END,"                 \
    "   'approve', CASE WHEN u.ask THEN 'ask' ELSE 'auto' END, 'looks', u.looks,"                                  \
    "   'failures', CASE WHEN u.redraw THEN 'redraw' ELSE 'drop' END, 'settled', u.settled) END"
/* What a promise's half-width is a share of; that of a difference is one already. */
#define PROMISE_UNIT "(CASE WHEN m.difference THEN 1 ELSE abs(m.value) END)"
/* What intervals say of their level, in statements with projection `v`: of a total, `level` is its own,
 * `confidence` what looks share; before there is a projection, as the rule has them. */
#define SHARED_TOTAL                                                                                               \
    "'confidence', coalesce(v.confidence, u.confidence, p.confidence), 'looks', CASE WHEN v.run_id IS NOT NULL"    \
    "   THEN v.looks WHEN u.error > 0 THEN u.looks END, 'level_note', v.level_note"
#define LOOK_PROMISES_JSON                                                                                         \
    "(SELECT json_agg(json_build_object('design', d.name, 'difference', m.difference, 'value', m.value,"           \
    "   'half_width', m.half_width, 'level', m.level, 'final_half_width', m.once, 'wanted', m.wanted,"             \
    "   'relative_half_width', m.half_width / nullif(" PROMISE_UNIT ", 0), 'relative_wanted', m.wanted"            \
    "   / nullif(" PROMISE_UNIT ", 0),"                                                                            \
    "   'df', m.df, 'trusted', m.trusted, 'kept', m.kept) ORDER BY m.ordinal) FROM look_promise m"                 \
    "   JOIN run_design d ON d.run_id = m.run_id AND d.number = m.design"                                          \
    "  WHERE m.run_id = k.run_id AND m.number = k.number)"
#define LOOKS_JSON                                                                                                 \
    "(SELECT coalesce(json_agg(json_build_object('number', k.number, 'at', api_time(k.at), 'plan', k.plan_id,"     \
    "   'jobs', k.jobs, 'spent_s', k.spent_s, 'unit', k.unit, 'decision', k.decision, 'reason', k.reason,"         \
    "   'promises', " LOOK_PROMISES_JSON                                                                           \
    ", 'extension', CASE WHEN k.next_plan_id IS NOT NULL THEN json_build_object('plan', k.next_plan_id,"           \
    "     'jobs', k.extra_jobs, 'expected_s', k.extra_s, 'strata', k.changes, 'answer', k.answer, 'answered_by',"  \
    "     k.answered_by, 'answered_at', api_time(k.answered_at)) END) ORDER BY k.number), '[]')"                   \
    "  FROM look k WHERE k.run_id = r.id)"
/* On exports. */
#define PASSED_OVER_LIST_JSON                                                                                      \
    "(SELECT coalesce(json_agg(json_build_object('invocation', invocation, 'stratum', stratum, 'design', design,"  \
    "   'failure', json_build_object('class', failure, 'detail', failure_text), 'replaced', replaced)"             \
    "   ORDER BY invocation), '[]') FROM run_passed_over WHERE run_id = r.id)"
#define PASSED_OVER_JSON                                                                                           \
    "(SELECT json_build_object('replaced', count(*) FILTER (WHERE replaced), 'dropped', count(*) FILTER (WHERE"    \
    "   NOT replaced), 'assumption', CASE WHEN count(*) > 0 THEN 'launches that could not be simulated are taken"  \
    " to be like the others of their strata; no interval covers what is wrong with that' END)"                     \
    "  FROM run_passed_over WHERE run_id = r.id)"

#endif
