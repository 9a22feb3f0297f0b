/* server/store/repo/repo_job_end.c: ends of attempts. Rows are locked, changed in C, and written back. Each step
 * is one statement for a whole batch. */
#include "server/store/repo/repo_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/store/repo/repo_archive.h"
#include "server/store/repo/sql/statements.h"

#define FEW 4 /* up to this number of jobs, one join costs less than three statements */
enum { LOCKED_COLUMNS = 14 };

void job_rows_release(struct job_rows *r)
{
    free(r->items);
    *r = (struct job_rows){0};
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct job_row *)a)->id, ((const struct job_row *)b)->id);
}

struct job_row *job_rows_find(const struct job_rows *r, const char *id)
{
    size_t low = 0, high = r->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = strcmp(r->items[mid].id, id);

        if (order == 0)
            return &r->items[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static void copy(char *out, size_t size, const char *s)
{
    snprintf(out, size, "%s", s);
}

static int read_row(const struct db_rows *q, int i, struct job_row *r, struct err *e)
{
    copy(r->id, sizeof r->id, db_get(q, i, 0));
    copy(r->run, sizeof r->run, db_get(q, i, 1));
    copy(r->session, sizeof r->session, db_get(q, i, 2));
    if (job_state_from_name(db_get(q, i, 3), &r->state) < 0)
        return err_set(e, ERR_INTERNAL, "job %s has the unknown state %s", r->id, db_get(q, i, 3));
    r->attempt = (int)db_get_i64(q, i, 4);
    r->budgets.failures = (int)db_get_i64(q, i, 5);
    r->budgets.troubles = (int)db_get_i64(q, i, 6);
    r->budgets.losses = (int)db_get_i64(q, i, 7);
    r->budgets.memory_class = (int)db_get_i64(q, i, 8);
    r->budgets.time_class = (int)db_get_i64(q, i, 9);
    r->leased_at = db_get_time(q, i, 10);
    copy(r->key, sizeof r->key, db_get(q, i, 11));
    copy(r->trace_sha256, sizeof r->trace_sha256, db_get(q, i, 12));
    r->design_number = db_get_i64(q, i, 13);
    return 0;
}

/* Copies the columns of the run, from column c on. */
static void read_run(const struct db_rows *q, int i, int c, struct job_row *r)
{
    r->cycle = db_get_bool(q, i, c);
    copy(r->simulator, sizeof r->simulator, db_get(q, i, c + 1));
    copy(r->design_sha256, sizeof r->design_sha256, db_get(q, i, c + 2));
    copy(r->design, sizeof r->design, db_get(q, i, c + 3));
    r->inside_kernels = db_get_double(q, i, c + 4);
}

/* Binary search in `found`, which is sorted by its first column and then by `number` in its second (-1: no second
 * column). Returns the row, or -1. */
static int row_of(const struct db_rows *found, const char *id, int64_t number)
{
    int low = 0, high = found->count - 1;

    while (low <= high) {
        int mid = low + (high - low) / 2, order = strcmp(db_get(found, mid, 0), id);

        if (order == 0 && number >= 0) {
            int64_t at = db_get_i64(found, mid, 1);

            order = (at > number) - (at < number);
        }
        if (order == 0)
            return mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid - 1;
    }
    return -1;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Looks up the runs or sessions of several jobs. Removes duplicate names. */
static int look_up(struct db *db, const struct db_stmt *stmt, const char **names, size_t count, struct db_rows *out,
                   struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct strbuf ids = STRBUF_INIT;
    int ret;

    array_sort(names, count, sizeof *names, by_text);
    db_array_begin(&ids);
    for (size_t i = 0; i < count; i++) {
        if (names[i][0] && (i == 0 || strcmp(names[i], names[i - 1]) != 0))
            db_array_add(&ids, names[i]);
    }
    db_array_end(&ids);
    db_text(&p, ids.text);
    ret = ids.failed ? err_no_memory(e) : db_query(db, stmt, &p, out, e);
    strbuf_release(&ids);
    return ret;
}

static int take_runs(struct db *db, struct job_rows *rows, const char **names, struct err *e)
{
    struct db_rows q = {.count = 0};
    int ret = 0;

    for (size_t i = 0; i < rows->count; i++)
        names[i] = rows->items[i].run;
    if (look_up(db, &sql_job_lock_runs, names, rows->count, &q, e) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < rows->count; i++) {
        struct job_row *r = &rows->items[i];
        int at = row_of(&q, r->run, r->design_number);

        if (at < 0) {
            ret = err_set(e, ERR_INTERNAL, "job %s has no design", r->id);
            break;
        }
        read_run(&q, at, 2, r);
    }
    db_rows_release(&q);
    return ret;
}

static int take_workers(struct db *db, struct job_rows *rows, const char **names, struct err *e)
{
    struct db_rows q = {.count = 0};

    for (size_t i = 0; i < rows->count; i++)
        names[i] = rows->items[i].session;
    if (look_up(db, &sql_job_lock_workers, names, rows->count, &q, e) < 0)
        return -1;
    for (size_t i = 0; i < rows->count; i++) {
        int at = row_of(&q, rows->items[i].session, -1);

        if (at < 0)
            continue;
        copy(rows->items[i].worker, sizeof rows->items[i].worker, db_get(&q, at, 1));
        rows->items[i].token = db_get_i64(&q, at, 2);
    }
    db_rows_release(&q);
    return 0;
}

static int take_shared(struct db *db, struct job_rows *rows, struct err *e)
{
    const char **names;
    int ret;

    if (rows->count == 0)
        return 0;
    names = mem_zalloc(rows->count, sizeof *names, e);
    if (!names)
        return -1;
    ret = take_runs(db, rows, names, e) < 0 ? -1 : take_workers(db, rows, names, e);
    free(names);
    return ret;
}

static int read_rows(const struct db_rows *q, bool joined, struct job_rows *out, struct err *e)
{
    if (q->count > 0 && !(out->items = mem_zalloc((size_t)q->count, sizeof *out->items, e)))
        return -1;
    for (int i = 0; i < q->count; i++) {
        struct job_row *r = &out->items[out->count++];

        if (read_row(q, i, r, e) < 0)
            return -1;
        if (!joined)
            continue;
        read_run(q, i, LOCKED_COLUMNS, r);
        copy(r->worker, sizeof r->worker, db_get(q, i, LOCKED_COLUMNS + 5));
        r->token = db_get_i64(q, i, LOCKED_COLUMNS + 6);
    }
    return 0;
}

int repo_job_lock(struct db *db, const char *ids, size_t count, struct job_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    bool few = count <= FEW;
    struct db_rows q;
    int ret;

    *out = (struct job_rows){0};
    db_text(&p, ids);
    if (db_query(db, few ? &sql_job_lock_few : &sql_job_lock, &p, &q, e) < 0)
        return -1;
    ret = read_rows(&q, few, out, e);
    db_rows_release(&q);
    if (ret == 0 && !few)
        ret = take_shared(db, out, e);
    if (ret < 0)
        job_rows_release(out);
    else if (out->count > 1)
        array_sort(out->items, out->count, sizeof *out->items, by_id);
    return ret;
}

/* Parameters of a bulk statement: array literals to which each row appends one element. The time is the last
 * parameter. */
#define COLUMNS_MAX 14
struct columns {
    size_t count;
    struct strbuf text[COLUMNS_MAX];
};

static void columns_begin(struct columns *c, size_t count)
{
    c->count = count;
    for (size_t i = 0; i < count; i++) {
        c->text[i] = (struct strbuf)STRBUF_INIT;
        db_array_begin(&c->text[i]);
    }
}

static void add_time(struct strbuf *b, wall_us at)
{
    char text[CLOCK_RFC3339];

    if (at)
        clock_format(at, text);
    db_array_add(b, at ? text : NULL);
}

static void columns_release(struct columns *c)
{
    for (size_t i = 0; i < c->count; i++)
        strbuf_release(&c->text[i]);
}

/* late_keys: a parameter after the time; NULL: none. */
static int columns_ask(struct columns *c, struct db *db, const struct db_stmt *stmt, wall_us now,
                       const char *late_keys, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    bool failed = false;
    int ret;

    for (size_t i = 0; i < c->count; i++) {
        db_array_end(&c->text[i]);
        failed = failed || c->text[i].failed;
        db_text(&p, c->text[i].text);
    }
    db_time(&p, now);
    if (late_keys)
        db_text(&p, late_keys);
    ret = failed ? err_no_memory(e) : db_query(db, stmt, &p, out, e);
    columns_release(c);
    return ret;
}

static int columns_run(struct columns *c, struct db *db, const struct db_stmt *stmt, wall_us now, struct err *e)
{
    return columns_ask(c, db, stmt, now, NULL, NULL, e);
}

static int write_undone(struct db *db, const struct job_rows *rows, wall_us now, struct err *e)
{
    struct columns c;
    size_t n = 0;

    columns_begin(&c, 10);
    for (size_t i = 0; i < rows->count; i++) {
        const struct job_row *r = &rows->items[i];

        if (!r->changed || r->state == JOB_DONE)
            continue;
        n++;
        db_array_add(&c.text[0], r->id);
        db_array_add(&c.text[1], job_state_name(r->state));
        add_time(&c.text[2], r->ready_at);
        db_array_add_i64(&c.text[3], r->budgets.failures);
        db_array_add_i64(&c.text[4], r->budgets.troubles);
        db_array_add_i64(&c.text[5], r->budgets.losses);
        db_array_add_i64(&c.text[6], r->budgets.memory_class);
        db_array_add_i64(&c.text[7], r->budgets.time_class);
        db_array_add(&c.text[8], r->state == JOB_FAILED ? r->failure : NULL);
        db_array_add(&c.text[9], r->state == JOB_FAILED ? r->failure_text : NULL);
    }
    if (n > 0)
        return columns_run(&c, db, &sql_job_write, now, e);
    columns_release(&c);
    return 0;
}

static int release_failed(struct db *db, const struct job_rows *rows, wall_us now, struct err *e)
{
    struct columns c;
    size_t n = 0;

    columns_begin(&c, 2);
    for (size_t i = 0; i < rows->count; i++) {
        const struct job_row *r = &rows->items[i];

        if (!r->changed || r->state != JOB_FAILED)
            continue;
        n++;
        db_array_add(&c.text[0], r->id);
        db_array_add(&c.text[1], r->failure);
    }
    if (n > 0)
        return columns_run(&c, db, &sql_job_waiting_failed, now, e);
    columns_release(&c);
    return 0;
}

/* Parameters of job_end: jobs and results, runs, attempts. */
enum { END_JOBS, END_RESULTS, END_RUNS, END_ATTEMPTS, END_COLUMNS = 14 };

static void add_attempt(struct strbuf *c, const struct attempt_row *r)
{
    db_array_add(&c[0], r->job);
    db_array_add_i64(&c[1], r->number);
    db_array_add(&c[2], r->worker);
    db_array_add(&c[3], r->session);
    add_time(&c[4], r->started_at);
    db_array_add(&c[5], r->outcome);
    db_array_add(&c[6], r->message);
    db_array_add(&c[7], r->last_lines);
    db_array_add_double(&c[8], r->host_seconds);
    db_array_add_double(&c[9], r->cpu_seconds);
    db_array_add_i64(&c[10], r->peak_bytes);
}

/* Moves runs that continue back from the archive, because all jobs of such a run must be in the queue's tables. */
static int bring_back(struct db *db, const struct db_rows *runs, struct err *e)
{
    for (int i = 0; i < runs->count; i++) {
        if (repo_archive_return(db, db_get(runs, i, 0), e) < 0)
            return -1;
    }
    return 0;
}

int repo_job_end(struct db *db, const struct job_ends *ends, wall_us now, struct err *e)
{
    const struct job_rows *rows = ends->rows;
    struct columns c;
    struct db_rows go_on;
    int ret;

    if (write_undone(db, rows, now, e) < 0 || release_failed(db, rows, now, e) < 0)
        return -1;
    columns_begin(&c, END_COLUMNS);
    for (size_t i = 0; i < rows->count; i++) {
        const struct job_row *r = &rows->items[i];

        if (!r->changed || r->state != JOB_DONE)
            continue;
        db_array_add(&c.text[END_JOBS], r->id);
        db_array_add(&c.text[END_RESULTS], r->result);
    }
    for (size_t i = 0; i < ends->run_count; i++)
        db_array_add(&c.text[END_RUNS], ends->runs[i]);
    for (size_t i = 0; i < ends->attempt_count; i++)
        add_attempt(&c.text[END_ATTEMPTS], &ends->attempts[i]);
    if (columns_ask(&c, db, ends->late_keys ? &sql_job_end_late : &sql_job_end, now, ends->late_keys, &go_on, e) <
        0)
        return -1;
    ret = bring_back(db, &go_on, e);
    db_rows_release(&go_on);
    return ret;
}

/* Reads one number by a statement with one id. 0 when there is no row. */
static int number_of(struct db *db, const struct db_stmt *stmt, const char *id, int64_t *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, id);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    *out = q.count > 0 ? db_get_i64(&q, 0, 0) : 0;
    db_rows_release(&q);
    return 0;
}

int repo_job_attempt(struct db *db, const char *job, int attempt, struct ended_attempt *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    *out = (struct ended_attempt){.token = 0};
    db_text(&p, job);
    db_i64(&p, attempt);
    if (db_query(db, &sql_job_attempt, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        out->token = db_get_i64(&q, 0, 0);
        copy(out->worker, sizeof out->worker, db_get(&q, 0, 1));
        out->well = db_get_bool(&q, 0, 2);
    }
    db_rows_release(&q);
    return found;
}

int repo_job_dead_sessions(struct db *db, const char *job, int *out, struct err *e)
{
    int64_t n;

    if (number_of(db, &sql_job_dead_sessions, job, &n, e) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

int repo_job_launch(struct db *db, const char *job, int64_t *out, struct err *e)
{
    return number_of(db, &sql_job_launch, job, out, e);
}
