/* server/store/repo/repo_caches_json.h: how far the cache state of a run is off, as pages show it: SQL for
 * statements where `r` is the run and `d` one of its designs. */
#ifndef VIVACE_SERVER_DB_REPO_CACHES_JSON_H
#define VIVACE_SERVER_DB_REPO_CACHES_JSON_H

/* CACHE_ERROR_BEFORE, as schema/0300 has it. */
#define CACHE_FIRST_WINDOW "16"
/* As `vivace simulate --cache-check` writes it; NULL: nothing was measured. */
#define CACHE_STATE_JSON                                                                                           \
    "(SELECT json_build_object('relative', x.relative, 'launches', x.launches, 'launches_before', x.looks_back,"   \
    "   'wanted_before', x.wanted, 'missing_before', x.missing, 'whole', x.whole, 'settled', x.settled,"           \
    "   'share', x.share, 'least', l.least, 'most', l.most) FROM cache_error x CROSS JOIN LATERAL (SELECT"         \
    "   min(k.warmed_cycles / k.empty_cycles - 1) AS least, max(k.warmed_cycles / k.empty_cycles - 1) AS most"     \
    "   FROM cache_check_task k WHERE k.run_id = x.run_id AND k.design = x.design AND k.looks_back = x.looks_back" \
    "   AND k.state = 'done') l"                                                                                   \
    "  WHERE x.run_id = d.run_id AND x.design = d.number"                                                          \
    "   AND x.launches > 0)"
/* How far the measuring is; NULL: nobody has asked. */
#define CACHE_CHECK_JSON                                                                                           \
    "(SELECT json_build_object('launches', x.launches, 'asked_by', x.asked_by, 'asked_at', api_time(x.asked_at),"  \
    "   'launches_before', x.looks_back, 'state', CASE WHEN x.chosen_at IS NULL AND x.looks_back "                 \
    "= " CACHE_FIRST_WINDOW " THEN 'waiting' WHEN x.chosen_at IS NULL OR k.open > 0 THEN 'measuring'"              \
    "      WHEN k.done > 0 THEN 'measured' ELSE 'failed' END, 'simulations', k.open + k.done + k.failed,"          \
    "   'done', k.done, 'failed', k.failed, 'why', coalesce(x.why_not, k.why))"                                    \
    "   FROM cache_wish x CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state IN ('ready', 'leased')) AS "     \
    "open,"                                                                                                        \
    "      count(*) FILTER (WHERE state = 'done') AS done, count(*) FILTER (WHERE state = 'failed') AS failed,"    \
    "      min(why) AS why FROM cache_check_task WHERE run_id = x.run_id) k WHERE x.run_id = r.id)"

#endif
