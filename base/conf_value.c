#include "base/conf_value.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

struct unit {
    const char *name;
    uint64_t factor;
};

static int parse_with_unit(const char *s, const char *what, const struct unit *units, size_t count,
                           const char *example, uint64_t *out, struct err *e)
{
    size_t digits = strspn(s, "0123456789");
    char number[24];
    const char *unit = s + digits + strspn(s + digits, " ");

    if (digits == 0 || digits >= sizeof number)
        return err_set(e, ERR_USAGE, "`%s`: \"%.60s\" is not a number with a unit, like %s", what, s, example);
    memcpy(number, s, digits);
    number[digits] = '\0';
    if (parse_u64(number, what, out, e) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (strcmp(unit, units[i].name) == 0) {
            if (__builtin_mul_overflow(*out, units[i].factor, out))
                return err_set(e, ERR_USAGE, "`%s`: \"%.60s\" is too large", what, s);
            return 0;
        }
    return err_set(e, ERR_USAGE, "`%s`: the unit \"%.20s\" is not known; write it like %s", what, unit, example);
}

int conf_parse_bytes(const char *s, const char *what, uint64_t *out, struct err *e)
{
    static const struct unit units[] = {
        {"", 1},
        {"B", 1},
        {"k", 1000},
        {"kB", 1000},
        {"M", 1000000},
        {"MB", 1000000},
        {"G", 1000000000},
        {"GB", 1000000000},
        {"KiB", UINT64_C(1) << 10},
        {"MiB", UINT64_C(1) << 20},
        {"GiB", UINT64_C(1) << 30},
        {"TiB", UINT64_C(1) << 40},
    };

    return parse_with_unit(s, what, units, sizeof units / sizeof units[0], "512MiB", out, e);
}

int conf_parse_duration(const char *s, const char *what, uint64_t *out, struct err *e)
{
    static const struct unit units[] = {{"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};

    return parse_with_unit(s, what, units, sizeof units / sizeof units[0], "90s, 5min, 4h", out, e);
}

static int set_text(void *values, const struct conf_setting *s, const char *text, struct err *e)
{
    char **at = (char **)((char *)values + s->offset), *copy, path[PATH_MAX];
    const char *home = getenv("HOME");

    if (s->type == CONF_PATH && str_starts(text, "~/") && home) {
        snprintf(path, sizeof path, "%s/%s", home, text + 2);
        text = path;
    }
    copy = mem_strdup(text, e);
    if (!copy)
        return -1;
    free(*at);
    *at = copy;
    return 0;
}

static int check_choice(const struct conf_setting *s, const char *text, struct err *e)
{
    for (const char *w = s->unit; *w; w += strcspn(w, "|"), w += *w == '|')
        if (str_is(w, strcspn(w, "|"), text))
            return 0;
    return err_set(e, ERR_USAGE, "`%s`: \"%.60s\" is not one of %s", s->name, text, s->unit);
}

static int set_number(void *values, const struct conf_setting *s, const char *text, struct err *e)
{
    uint64_t x = 0;
    int ret = s->type == CONF_BYTES      ? conf_parse_bytes(text, s->name, &x, e)
              : s->type == CONF_DURATION ? conf_parse_duration(text, s->name, &x, e)
                                         : parse_u64(text, s->name, &x, e);

    if (ret < 0) {
        e->code = ERR_USAGE;
        return -1;
    }
    if (x < s->least || (s->most && x > s->most)) {
        if (s->most)
            return err_set(e, ERR_USAGE, "`%s` must be from %llu to %llu", s->name, (unsigned long long)s->least,
                           (unsigned long long)s->most);
        return err_set(e, ERR_USAGE, "`%s` must be at least %llu", s->name, (unsigned long long)s->least);
    }
    memcpy((char *)values + s->offset, &x, sizeof x);
    return 0;
}

static int set_flag(void *values, const struct conf_setting *s, const char *text, struct err *e)
{
    bool *at = (bool *)((char *)values + s->offset);

    if (strcmp(text, "yes") == 0 || strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
        *at = true;
    else if (strcmp(text, "no") == 0 || strcmp(text, "false") == 0 || strcmp(text, "0") == 0)
        *at = false;
    else
        return err_set(e, ERR_USAGE, "`%s`: \"%.60s\" is neither yes nor no", s->name, text);
    return 0;
}

int conf_value_set(void *values, const struct conf_setting *s, const char *text, struct err *e)
{
    if (!text)
        return err_set(e, ERR_USAGE, "`%s` needs a value", s->name);
    switch (s->type) {
    case CONF_CHOICE:
        if (check_choice(s, text, e) < 0)
            return -1;
        return set_text(values, s, text, e);
    case CONF_TEXT:
    case CONF_PATH: return set_text(values, s, text, e);
    case CONF_NUMBER:
    case CONF_BYTES:
    case CONF_DURATION: return set_number(values, s, text, e);
    case CONF_FLAG: return set_flag(values, s, text, e);
    }
    return err_set(e, ERR_INTERNAL, "`%s` has no type", s->name);
}

void conf_release(const struct conf_program *program, void *values)
{
    for (const struct conf_setting *s = program->settings; s->name; s++)
        if (s->type == CONF_TEXT || s->type == CONF_PATH || s->type == CONF_CHOICE) {
            char **at = (char **)((char *)values + s->offset);

            free(*at);
            *at = NULL;
        }
}
