#include "tests/scenario/interim.h"

#include <stdio.h>
#include <string.h>

#include "tests/scenario/checks.h"
#include "tests/scenario/database.h"
#include "tests/scenario/world.h"

void interim_draw_rule(char *out, size_t size, bool several_designs, bool ask)
{
    static const char *const wanted[] = {"0.005", "0.01", "0.02", "0.05", "0.1"};
    char resolve[40] = "";

    if (several_designs && chance(500))
        snprintf(resolve, sizeof resolve, ",\"resolve\":%s", wanted[1 + random_below(4)]);
    snprintf(out, size, ",\"until\":%s%s,\"approve\":\"%s\",\"failures\":\"%s\"", wanted[random_below(5)], resolve,
             ask ? "ask" : "auto", chance(300) ? "drop" : "redraw");
}

int interim_waiting(const char *run)
{
    return (int)ask_number("SELECT number FROM look WHERE run_id = $1::uuid AND answer = 'waiting'", run);
}

bool interim_have_twin(const char *run)
{
    return ask_number("SELECT 1 FROM run r JOIN run_rule u ON u.run_id = r.id WHERE r.id = $1::uuid"
                      "   AND r.state = 'done' AND NOT EXISTS (SELECT FROM skipped_sample p WHERE p.run_id = r.id)",
                      run) > 0;
}

void check_interim(const char *run)
{
    check_none("interim analyses are numbered in order", run,
               "SELECT run_id, count(*), max(number) FROM look WHERE run_id = $1::uuid GROUP BY run_id"
               " HAVING count(*) <> max(number) OR max(number) > 5");
    check_none("an interim analysis is reported once", run,
               "SELECT l.number, count(e.id) FROM look l LEFT JOIN event e ON e.topic = 'run:' || l.run_id"
               "   AND e.kind = 'run.look' AND e.params->>'look' = l.number::text WHERE l.run_id = $1::uuid"
               " GROUP BY l.number HAVING count(e.id) <> 1");
    check_none("no event for an interim analysis that was not stored", run,
               "SELECT e.params FROM event e WHERE e.topic = 'run:' || $1 AND e.kind = 'run.look'"
               "   AND NOT EXISTS (SELECT FROM look l WHERE l.run_id = $1::uuid"
               "                      AND e.params->>'look' = l.number::text)");
    check_none("an interim analysis uses the plan that the one before it made", run,
               "SELECT b.number FROM look a JOIN look b ON b.run_id = a.run_id AND b.number = a.number + 1"
               " WHERE a.run_id = $1::uuid AND a.answer IN ('auto', 'accepted') AND b.plan_id <> a.next_plan_id"
               "   AND NOT EXISTS (SELECT FROM skipped_sample p WHERE p.run_id = a.run_id)");
    check_none(
        "a run that is done was let go by its rule", run,
        "SELECT r.id FROM run r JOIN run_rule u ON u.run_id = r.id WHERE r.id = $1::uuid AND r.state = 'done'"
        "   AND NOT u.settled");
    check_none("its jobs match the samples of its plan", run,
               "SELECT r.id, r.jobs FROM run r WHERE r.id = $1::uuid AND r.dropped_at IS NULL AND r.jobs <>"
               "   (SELECT count(*) FROM sample s WHERE s.plan_id = r.plan_id) *"
               "   (SELECT count(*) FROM run_design d WHERE d.run_id = r.id)");
}

/* Compares the results of a query for a run and its twin. $1 is the run's id. */
static void same(const char *what, const char *run, const char *twin, const char *question)
{
    char sql[1600];
    PGresult *q;

    snprintf(sql, sizeof sql,
             "SELECT * FROM (SELECT $1 AS run, x FROM (%s) x) a FULL JOIN (SELECT $2 AS twin, x FROM (%s) x) b"
             " ON a.x::text = b.x::text WHERE run IS NULL OR twin IS NULL LIMIT 2",
             question, question);
    for (char *at = strstr(strstr(sql, "FULL JOIN"), "$1::uuid"); at; at = strstr(at, "$1::uuid"))
        at[1] = '2';
    q = ask(sql, run, twin);
    for (int i = 0; i < PQntuples(q); i++)
        broken("%s of run %s differ from those of its twin %s without faults: %.300s instead of %.300s", what, run,
               twin, PQgetvalue(q, i, 1), PQgetvalue(q, i, 3));
    PQclear(q);
}

void check_twins(const char *run, const char *twin)
{
    same("the interim analyses", run, twin,
         "SELECT number, jobs, unit, decision, extra_jobs, extra_s, changes::text FROM look WHERE run_id = "
         "$1::uuid");
    same("the promises", run, twin,
         "SELECT number, ordinal, design, difference, value, half_width, once, wanted, df, level, information, "
         "bound,"
         " spent, trusted, kept FROM look_promise WHERE run_id = $1::uuid");
    same("the samples", run, twin,
         "SELECT s.invocation, s.stratum FROM run r JOIN sample s ON s.plan_id = r.plan_id WHERE r.id = $1::uuid");
    same("the estimates", run, twin,
         "SELECT to_jsonb(p) - 'run_id' - 'version' - 'computed_at' FROM projection p WHERE p.run_id = $1::uuid");
}
