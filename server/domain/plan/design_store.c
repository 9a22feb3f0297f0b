#include "server/domain/plan/design_store.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "server/store/blob/blob_store.h"
#include "server/platform/child.h"
#include "wire/json.h"

#define ANSWER_MAX ((size_t)16 << 20)
#define DESIGN_MAX ((size_t)8 << 20)
static const struct child_limits limits = {.memory_bytes = UINT64_C(1) << 30, .cpu_s = 10};

struct design_store {
    struct farm *farm;
    char *program;
    char simulator[40];
    char *sentences; /* "name\0[unit] sentence\\0" for each counter */
    size_t sentences_length;
};

const char *design_store_simulator(const struct design_store *s)
{
    return s->simulator;
}

void design_store_free(struct design_store *s)
{
    if (!s)
        return;
    free(s->program);
    free(s->sentences);
    free(s);
}

static int ask(const struct design_store *s, const char *option, const char *file, struct strbuf *out,
               struct err *e)
{
    const char *argv[] = {s->program, option, file, NULL};

    return child_run(argv, &limits, ANSWER_MAX, out, e);
}

/* "vivace-sim 0.1.0" */
static int read_version(struct design_store *s, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    const char *at;
    size_t n;
    int ret = ask(s, "--version", NULL, &text, e);

    if (ret == 0) {
        at = strrchr(text.text, ' ');
        n = at ? strcspn(at + 1, "\r\n") : 0;
        if (!at || n == 0 || n >= sizeof s->simulator || strpbrk(at + 1, "\\|"))
            ret = err_set(e, ERR_INVALID, "%s printed no version", s->program);
        else
            snprintf(s->simulator, sizeof s->simulator, "%.*s", (int)n, at + 1);
    }
    strbuf_release(&text);
    if (ret < 0)
        err_hint(e, "Put vivace-sim beside the program; `make` builds it as build/vivace-sim.");
    return ret;
}

/* Parses "cycles [cycles] SM clocks from launch to end": replaces separators by NUL. */
static int read_counters(struct design_store *s, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    int ret = ask(s, "--describe-counters", NULL, &text, e);

    for (size_t i = 0; ret == 0 && i < text.length; i++)
        if (text.text[i] == '\n' || (text.text[i] == ' ' && text.text[i + 1] == '['))
            text.text[i] = '\0';
    if (ret == 0) {
        s->sentences_length = text.length;
        s->sentences = strbuf_detach(&text);
        ret = s->sentences ? 0 : err_no_memory(e);
    }
    strbuf_release(&text);
    return ret;
}

const char *design_store_sentence(const struct design_store *s, const char *counter)
{
    const char *end = s->sentences + s->sentences_length, *rest;

    for (const char *at = s->sentences; at < end; at = rest + strlen(rest) + 1) {
        rest = at + strlen(at) + 1; /* "[cycles] SM clocks …" */
        if (rest >= end)
            break;
        if (strcmp(at, counter) == 0) {
            rest = strstr(rest, "] ");
            return rest ? rest + 2 : "";
        }
    }
    return "";
}

/* Fills a row from the simulator's facts and the whole text. The row points into both. names receives the array
 * literal. */
static int read_facts(const json_t *v, struct design_row *row, struct strbuf *names, struct err *e)
{
    const json_t *list;
    uint32_t sms;

    if (json_need_object(v, "a design", e) < 0 || json_need_copy(v, "name", row->name, sizeof row->name, e) < 0 ||
        json_need_sha256(v, "sha256", row->sha256, e) < 0 ||
        json_need_double(v, "clock_hz", &row->clock_hz, e) < 0 ||
        json_need_u32(v, "sms", 1, 1000000, &sms, e) < 0 || json_need_str(v, "json", &row->json, e) < 0 ||
        json_need_array(v, "gpu_names", &list, e) < 0)
        return -1;
    row->sms = sms;
    db_array_begin(names);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));

        if (name)
            db_array_add(names, name);
    }
    db_array_end(names);
    row->gpu_names = names->text;
    return names->failed ? err_no_memory(e) : 0;
}

static int store_builtin(struct design_store *s, struct db *db, const json_t *v, struct err *e)
{
    struct strbuf names = STRBUF_INIT;
    struct design_row row = {.builtin = true};
    int ret = read_facts(v, &row, &names, e);

    if (ret == 0)
        ret = repo_design_put(db, &row, clock_now(s->farm->clock), e);
    strbuf_release(&names);
    return ret;
}

static int store_builtins(struct design_store *s, struct db *db, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    json_t *list = NULL;
    int ret = ask(s, "--list-designs", NULL, &text, e);

    if (ret == 0) {
        list = json_read_text(text.text, text.length, "the simulator's list of designs", e);
        ret = list ? 0 : -1;
    }
    for (size_t i = 0; ret == 0 && i < json_array_size(list); i++)
        ret = store_builtin(s, db, json_array_get(list, i), e);
    if (ret < 0)
        err_wrap(e, "designs built into %s", s->program);
    json_decref(list);
    strbuf_release(&text);
    return ret;
}

/* Logs designs that have the name of a built-in design, which is now refused. The name refers to the built-in
 * one. */
static int tell_outnamed(struct db *db, struct err *e)
{
    struct db_rows q;

    if (repo_design_outnamed(db, &q, e) < 0)
        return -1;
    for (int i = 0; i < q.count; i++)
        log_warn("designs", "a team's design has the name of a built-in one: use its id", "team=%s name=%s id=%s",
                 db_get(&q, i, 2), db_get(&q, i, 1), db_get(&q, i, 0));
    db_rows_release(&q);
    return 0;
}

int design_store_open(struct farm *farm, const char *program, struct db *db, struct design_store **out,
                      struct err *e)
{
    struct design_store *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return -1;
    s->farm = farm;
    s->program = mem_strdup(program, e);
    if (!s->program || read_version(s, e) < 0 || read_counters(s, e) < 0 || store_builtins(s, db, e) < 0 ||
        tell_outnamed(db, e) < 0) {
        design_store_free(s);
        return -1;
    }
    *out = s;
    return 0;
}

/* The simulator's message without the paths of the simulator and of the staged file. */
static int refuse(const char *path, const struct err *child, struct err *e)
{
    const char *at = strstr(child->text, path);

    at = at ? at + strlen(path) : strstr(child->text, "vivace-sim: ");
    if (!at)
        return err_set(e, ERR_INVALID, "the design is not valid: %s", child->text);
    at += strcspn(at, " ");
    return err_set(e, ERR_INVALID, "the design is not valid: %s", at + strspn(at, " "));
}

static int check(struct design_store *s, const char *json, size_t n, struct strbuf *answer, struct err *e)
{
    char path[PATH_MAX];
    struct err child;
    int fd, ret;

    if (n > DESIGN_MAX)
        return err_set(e, ERR_TOO_LARGE, "a design has at most %zu bytes", DESIGN_MAX);
    if (blob_stage(s->farm->store.blobs, &fd, path, e) < 0)
        return -1;
    ret = fd_write_all(fd, json, n) < 0 ? err_set_errno(e, errno, "%s", path) : 0;
    close(fd);
    if (ret == 0 && ask(s, "--check-design", path, answer, &child) < 0) {
        if (child.code == ERR_NOT_FOUND || child.code == ERR_NO_MEMORY)
            *e = child;
        else
            refuse(path, &child, e);
        ret = -1;
    }
    unlink(path);
    return ret;
}

/* The name of a built-in design has the same meaning for every team, before and after a restart. */
static int check_name(struct db *db, const struct design_row *row, struct err *e)
{
    char builtin[SHA256_HEX];
    int found = repo_design_builtin(db, row->name, builtin, e);

    if (found <= 0 || strcmp(builtin, row->sha256) == 0)
        return found < 0 ? -1 : 0;
    err_set(e, ERR_CONFLICT, "`%s` is a built-in design, and this one has other contents", row->name);
    return err_hint(e,
                    "Give it another `name`; `vivace design scale … --name NAME` makes a copy with another name.");
}

int design_store_add(struct design_store *s, struct db *db, const char *json, size_t n, int64_t team,
                     struct design_row *row, struct err *e)
{
    wall_us now = clock_now(s->farm->clock);
    struct strbuf answer = STRBUF_INIT, names = STRBUF_INIT;
    json_t *facts = NULL;
    int ret = check(s, json, n, &answer, e);

    *row = (struct design_row){.builtin = false};
    if (ret == 0) {
        facts = json_read_text(answer.text, answer.length, "the simulator's answer", e);
        ret = facts ? read_facts(facts, row, &names, e) : -1;
    }
    if (ret == 0)
        ret = check_name(db, row, e);
    if (ret == 0)
        ret = repo_design_put(db, row, now, e);
    if (ret == 0)
        ret = repo_design_own(db, row->sha256, team, now, e);
    row->json = row->gpu_names = NULL; /* the answer owns these texts */
    json_decref(facts);
    strbuf_release(&answer);
    strbuf_release(&names);
    return ret;
}
