/* server/domain/project/stopping.h: stopping rules: a run with a rule decides when it ends (repo_interim.h). The
 * run begins with a pilot. Whenever all of its jobs have ended, the rule is evaluated. Either launches that could
 * not be simulated are replaced, or there is an interim analysis (sampling/sequential/interim.h). After it the run
 * ends, or continues with a larger plan.
 *
 * The evaluation reads and computes; the projector writes the decision in its transaction. An interim analysis
 * is a function of the plan, the results and the earlier analyses. Its number is its key. If a server dies, the
 * analysis is repeated with the same outcome, and stored once. */
#ifndef VIVACE_SERVER_RUN_STOPPING_H
#define VIVACE_SERVER_RUN_STOPPING_H

#include "server/store/repo/repo_interim.h"
#include "sampling/profile/profile.h"
#include "server/domain/plan/plan_store.h"
#include "server/domain/project/run_results.h"

enum verdict_kind {
    VERDICT_NONE,   /* nothing to do */
    VERDICT_REDRAW, /* launches that cannot be simulated are replaced */
    VERDICT_ANALYZED,
    VERDICT_GIVE_UP /* the run ends without an interim analysis; `problem` says why */
};
struct verdict {
    enum verdict_kind kind;
    bool goes_on; /* the run does not end, although all of its jobs have ended */
    struct rule_row rule;
    struct interim_analysis analysis; /* of VERDICT_ANALYZED */
    struct plan_store next;           /* the next plan; id "": there is none */
    struct profile profile;           /* the plan's profile, if it was needed */
    struct strbuf changes;            /* JSON: strata that get more samples */
    json_t *reason;                   /* the decision, an event_part(); NULL before it is made */
    double spent_s, extra_s;          /* seconds of simulation: so far, and of the next plan */
    size_t failed;                    /* number of launches that have failed */
    const char *unit;
    char problem[480];
};
#define VERDICT_INIT                                                                                               \
    {                                                                                                              \
        .kind = VERDICT_NONE, .next = PLAN_STORE_INIT, .changes = STRBUF_INIT                                      \
    }
/* For a run whose jobs have all ended. Takes about a second for some million launches. */
int stopping_evaluate(const struct run_results *r, struct db *db, struct clock *clock, struct verdict *out,
                      struct err *e) MUST_CHECK;
/* The decision of an interim analysis now under that rule, after the analyses in `past`. The verdict is
 * VERDICT_ANALYZED. No launch is replaced. */
int stopping_preview(const struct run_results *r, struct db *db, struct clock *clock, const struct rule_row *rule,
                     const struct interim_past *past, struct verdict *out, struct err *e) MUST_CHECK;
/* True if the error *e is permanent. Then the verdict becomes VERDICT_GIVE_UP with that error as its problem. */
bool stopping_give_up(struct verdict *v, const struct err *why);
void verdict_release(struct verdict *v);

/* The run does not end when the verdict is written. */
bool stopping_goes_on(const struct verdict *v);
/* Call it in the transaction that marks the results as projected. */
int stopping_write(const struct verdict *v, const struct run_results *r, struct db *db, wall_us now,
                   struct err *e) MUST_CHECK;

/* The plan with which a run with a rule begins, made from the requested plan. out->id is "" if the requested
 * plan is small enough. *confidence: the plan's. The profile is loaded into *profile, which the caller releases.
 * ERR_INVALID when plans of this kind do not support interim analyses. */
struct stopping_pilot_request {
    const char *plan, *profile; /* ids */
    struct clock *clock;
};
int stopping_pilot(struct db *db, const struct stopping_pilot_request *request, struct profile *profile,
                   struct plan_store *out, double *confidence, struct err *e) MUST_CHECK;

/* Switches the run to the plan `to`: creates jobs for new samples, and uses known results at once. The caller
 * has the admission lock. */
int stopping_go_on(struct db *db, const char *run, const char *from, const char *to, wall_us now,
                   struct err *e) MUST_CHECK;

#endif
