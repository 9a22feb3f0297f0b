/* The table of measurements: finds, checks and runs one by its text. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simcore/validation/micro.h"

const struct micro *const micro_lists[] = {micro_latency, micro_rate,   micro_cache,    micro_stream,
                                           micro_atomic,  micro_grid,   micro_conv,     micro_matmul,
                                           micro_matvec,  micro_sample, micro_timeline, NULL};

enum { NUMBER_MAX = 12 }; /* characters of a number: more is no size of anything */

const struct micro *micro_find(const char *name)
{
    for (const struct micro *const *list = micro_lists; *list; list++)
        for (const struct micro *m = *list; m->name; m++)
            if (strcmp(m->name, name) == 0)
                return m;
    return NULL;
}

/* Is `word` what the description `want` says: "a|b|c", "OPCODE", or the number of something? */
static bool fits(const char *word, const char *want)
{
    size_t n = strlen(word);

    if (strstr(want, "OPCODE") || strstr(want, "COUNTER"))
        return true;
    if (!strchr(want, '|'))
        return isdigit((unsigned char)*word) && (strtoull(word, NULL, 10) > 0 || strcmp(want, "APART") == 0) &&
               n <= NUMBER_MAX;
    for (const char *at = want; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, word, n) == 0 && strchr("|", at[n]))
            return true;
    return false;
}

/* "threads=64", of the options "[threads=N] [ctas=N]". */
static bool is_option(const char *word, const char *options)
{
    size_t n = strcspn(word, "=");
    char bracket[32];

    if (!word[n] || !isdigit((unsigned char)word[n + 1]) || strlen(word + n + 1) > NUMBER_MAX)
        return false;
    snprintf(bracket, sizeof bracket, "[%.*s=", (int)n, word);
    return strstr(options, bracket) != NULL;
}

int micro_check(const char *text, struct err *e)
{
    char copy[256], args[128], *save = NULL, *wants = NULL, *word, *want;
    const struct micro *m;
    size_t count = 0;

    snprintf(copy, sizeof copy, "%s", text);
    word = strtok_r(copy, " ", &save);
    m = word ? micro_find(word) : NULL;
    if (!m)
        return err_set(e, ERR_INVALID, "there is no measurement `%.60s`", text);
    snprintf(args, sizeof args, "%s", m->args);
    for (want = strtok_r(args, " ", &wants); want && *want != '['; want = strtok_r(NULL, " ", &wants)) {
        word = strtok_r(NULL, " ", &save);
        if (!word || !fits(word, want) || ++count > MICRO_ARGS)
            return err_set(e, ERR_INVALID, "`%.60s`: %s is measured by `%s %s`", text, m->name, m->name, m->args);
    }
    while ((word = strtok_r(NULL, " ", &save)))
        if (!is_option(word, m->args) || ++count > MICRO_ARGS)
            return err_set(e, ERR_INVALID, "`%.60s`: %s has no argument `%.30s`: `%s %s`", text, m->name, word,
                           m->name, m->args);
    return 0;
}

int micro_measure(const char *text, const struct gpu_design *d, double *out, struct err *e)
{
    char copy[256], *save = NULL, *word;
    struct micro_call c = {.design = d, .opcode = ""};
    const struct micro *m;
    int ret;

    snprintf(copy, sizeof copy, "%s", text);
    word = strtok_r(copy, " ", &save);
    m = word ? micro_find(word) : NULL;
    if (!m)
        return err_set(e, ERR_NOT_FOUND, "there is no measurement `%s`", text);
    while ((word = strtok_r(NULL, " ", &save)) && c.argc < MICRO_ARGS)
        c.arg[c.argc++] = word;
    if (c.argc)
        c.opcode = c.arg[0];
    c.simulator = simulator_new(d, e);
    if (!c.simulator)
        return -1;
    ret = m->measure(&c, out, e);
    simulator_free(c.simulator);
    return ret;
}
