/* server/domain/project/stopping.h: runs that decide for themselves when they are over. A run with a rule
 * (repo_look.h) begins with a pilot; each time that all its jobs have ended it is judged: launches that could not
 * be simulated are replaced, or it is looked at (sampling/looks.h), and then ends, or goes on with a larger plan.
 *
 * Judging reads and computes; what follows is written in the projector's one transaction. A look is a function of
 * the plan, the results and the looks before, and its number is its key: even if a server dies meanwhile, it is
 * taken once, or again with the same outcome. */
#ifndef VIVACE_SERVER_RUN_STOPPING_H
#define VIVACE_SERVER_RUN_STOPPING_H

#include "server/store/repo/repo_look.h"
#include "sampling/profile.h"
#include "server/domain/plan/plan_store.h"
#include "server/domain/project/run_results.h"

enum verdict_kind {
    VERDICT_NONE,   /* nothing to do */
    VERDICT_REDRAW, /* launches that cannot be simulated are replaced */
    VERDICT_LOOK,
    VERDICT_GIVE_UP /* it ends without having been looked at; `problem` says why */
};
struct verdict {
    enum verdict_kind kind;
    bool goes_on; /* the run is not over, whatever its jobs say */
    struct rule_row rule;
    struct look look;        /* of VERDICT_LOOK */
    struct plan_store next;  /* the plan to go on with; id "" where there is none */
    struct profile profile;  /* that of the plan, when it was needed */
    struct strbuf changes;   /* JSON: strata that grow */
    json_t *reason;          /* the decision, an event_part(); NULL before it is made */
    double spent_s, extra_s; /* seconds of simulation */
    size_t failed;           /* launches */
    const char *unit;
    char problem[480];
};
#define VERDICT_INIT                                                                                               \
    {                                                                                                              \
        .kind = VERDICT_NONE, .next = PLAN_STORE_INIT, .changes = STRBUF_INIT                                      \
    }
/* Of a run whose jobs have all ended. Takes a second for some million launches. */
int stopping_evaluate(const struct run_results *r, struct db *db, struct clock *clock, struct verdict *out,
                      struct err *e) MUST_CHECK;
/* What a look at the run now would decide under that rule, after the looks in `past`; VERDICT_LOOK. Nothing is
 * replaced before. */
int stopping_preview(const struct run_results *r, struct db *db, struct clock *clock, const struct rule_row *rule,
                     const struct look_past *past, struct verdict *out, struct err *e) MUST_CHECK;
/* True where what went wrong would go wrong the next time as well: the verdict is VERDICT_GIVE_UP then, for that.
 */
bool stopping_give_up(struct verdict *v, const struct err *why);
void verdict_release(struct verdict *v);

/* The run is not over when the verdict is written. */
bool stopping_goes_on(const struct verdict *v);
/* Inside the transaction that marks the results as seen. */
int stopping_write(const struct verdict *v, const struct run_results *r, struct db *db, wall_us now,
                   struct err *e) MUST_CHECK;

/* The plan that a run with a rule begins with, made from the plan that was asked for: out->id "" where that is
 * small enough itself; *confidence: the plan's. The profile is loaded into *profile, which the caller releases.
 * ERR_INVALID when plans of this kind cannot be looked at. */
struct stopping_pilot_request {
    const char *plan, *profile; /* ids */
    struct clock *clock;
};
int stopping_pilot(struct db *db, const struct stopping_pilot_request *request, struct profile *profile,
                   struct plan_store *out, double *confidence, struct err *e) MUST_CHECK;

/* The run goes on with the plan `to`: jobs for what is new, known results at once. The admission lock is taken. */
int stopping_go_on(struct db *db, const char *run, const char *from, const char *to, wall_us now,
                   struct err *e) MUST_CHECK;

#endif
