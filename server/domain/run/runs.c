#include "server/domain/run/runs.h"

#include "server/store/repo/repo_run.h"
#include "wire/json.h"

static int to_json(const struct strbuf *text, void **out, struct err *e)
{
    json_error_t je;

    *out = text->failed ? NULL : json_loadb(text->text, text->length, JSON_DECODE_ANY, &je);
    return *out ? 0 : err_no_memory(e);
}

static int both_to_json(struct strbuf *a, struct strbuf *b, void **out_a, void **out_b, struct err *e)
{
    int ret = to_json(a, out_a, e);

    if (ret == 0 && to_json(b, out_b, e) < 0) {
        json_decref(*out_a);
        ret = -1;
    }
    return ret;
}

int runs_latest_of_workload(struct db *db, const char *workload, void **latest_plan, void **latest_run,
                            struct err *e)
{
    struct strbuf plan = STRBUF_INIT, run = STRBUF_INIT;
    int ret = repo_run_latest(db, workload, &plan, &run, e);

    if (ret == 0)
        ret = both_to_json(&plan, &run, latest_plan, latest_run, e);
    strbuf_release(&plan);
    strbuf_release(&run);
    return ret;
}

int runs_lists_of_workload(struct db *db, const char *workload, void **plans, void **runs, struct err *e)
{
    struct strbuf p = STRBUF_INIT, r = STRBUF_INIT;
    int ret = repo_run_of_workload(db, workload, &p, &r, e);

    if (ret == 0)
        ret = both_to_json(&p, &r, plans, runs, e);
    strbuf_release(&p);
    strbuf_release(&r);
    return ret;
}
