#include "base/conf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/conf_file.h"
#include "base/conf_value.h"
#include "base/log.h"
#include "base/text.h"

#define LIST_MAX 256

/* --- Names --- */

#define TEST_PREFIX "test-"

static const struct conf_setting *find_row(const struct conf_program *p, const char *name, size_t n, unsigned kind)
{
    for (const struct conf_setting *s = p->settings; s->name; s++)
        if ((s->flags & CONF_TEST) == kind && str_is(name, n, s->name))
            return s;
    return NULL;
}

static const struct conf_setting *find(const struct conf_program *p, const char *name, size_t n)
{
    return find_row(p, name, n, 0);
}

/* The row of --test-NAME. */
static const struct conf_setting *find_test(const struct conf_program *p, const char *name, size_t n)
{
    size_t prefix = strlen(TEST_PREFIX);

    return n > prefix && str_starts(name, TEST_PREFIX) ? find_row(p, name + prefix, n - prefix, CONF_TEST) : NULL;
}

static int unknown(const struct conf_program *p, const char *prefix, const char *name, struct err *e)
{
    const char *names[LIST_MAX], *near;
    size_t n = 0;

    for (const struct conf_setting *s = p->settings; s->name && n < LIST_MAX; s++)
        if (!(s->flags & CONF_TEST))
            names[n++] = s->name;
    err_set(e, ERR_USAGE, "%s: there is no setting %s%.60s", p->name, prefix, name);
    near = text_nearest(name, names, n);
    return near ? err_hint(e, "Did you mean %s%s? `%s --help` lists all.", prefix, near, p->name)
                : err_hint(e, "`%s --help` lists all settings.", p->name);
}

/* --- Where values come from --- */

struct load {
    const struct conf_program *program;
    void *values;
    struct conf_result *result;
};

static int set_from(struct load *l, const struct conf_setting *s, const char *text, const char *origin,
                    struct err *e)
{
    size_t row = (size_t)(s - l->program->settings);

    if (conf_value_set(l->values, s, text, e) < 0)
        return -1;
    snprintf(l->result->origin[row], sizeof l->result->origin[0], "%s", origin);
    return 0;
}

/* True where the setting was removed; then it is noted for conf_warn(). `row`: may be NULL. */
static bool note_removed(struct load *l, const char *name, size_t n, const char *origin,
                         const struct conf_removed **row)
{
    for (const struct conf_removed *r = l->program->removed; r && r->name; r++)
        if (str_is(name, n, r->name)) {
            snprintf(l->result->removed[r - l->program->removed], sizeof l->result->removed[0], "%s", origin);
            if (row)
                *row = r;
            return true;
        }
    return false;
}

static int load_defaults(struct load *l, struct err *e)
{
    for (const struct conf_setting *s = l->program->settings; s->name; s++)
        if (s->otherwise && set_from(l, s, s->otherwise, "default", e) < 0)
            return err_wrap(e, "the default");
    return 0;
}

struct file_line {
    struct load *load;
    const char *origin;
    bool others_can_read;
};

static int file_setting(void *ctx, const char *name, const char *value, struct err *e)
{
    struct file_line *f = ctx;
    const struct conf_setting *s = find(f->load->program, name, strlen(name));

    if (!s && note_removed(f->load, name, strlen(name), f->origin, NULL))
        return 0;
    if (!s || s->flags & CONF_ONLY_FLAG)
        return unknown(f->load->program, "", name, e);
    if (s->flags & CONF_SECRET && f->others_can_read) {
        err_set(e, ERR_USAGE, "the file holds the secret `%s`, and others can read it", name);
        return err_hint(e, "chmod 600 the file.");
    }
    return set_from(f->load, s, value, f->origin, e);
}

static int load_file(struct load *l, const char *path, const char *origin, bool must, struct err *e)
{
    struct file_line f = {.load = l, .origin = origin};
    const char *section = strrchr(l->program->name, '-');
    struct stat st;

    if (stat(path, &st) == 0)
        f.others_can_read = st.st_mode & 077;
    else if (!must)
        return 0;
    return conf_file_read(path, section ? section + 1 : l->program->name, file_setting, &f, e);
}

static int load_files(struct load *l, const char *config, struct err *e)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char path[PATH_MAX];

    if (load_file(l, "/etc/vivace/vivace.conf", "/etc/vivace", false, e) < 0)
        return -1;
    if (xdg && xdg[0])
        snprintf(path, sizeof path, "%s/vivace/vivace.conf", xdg);
    else
        snprintf(path, sizeof path, "%s/.config/vivace/vivace.conf", home ? home : "");
    if ((home || xdg) && load_file(l, path, "user's file", false, e) < 0)
        return -1;
    if (load_file(l, "vivace.conf", "./vivace.conf", false, e) < 0)
        return -1;
    return config ? load_file(l, config, "--config", true, e) : 0;
}

/* The value of VIVACE_NAME, or NULL; `variable` is its name. */
static const char *from_environment(const char *setting, char variable[80])
{
    size_t n = (size_t)snprintf(variable, 80, "VIVACE_");

    for (const char *c = setting; *c && n < 79; c++)
        variable[n++] = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    variable[n] = '\0';
    return getenv(variable);
}

static int load_environment(struct load *l, struct err *e)
{
    char name[80];

    for (const struct conf_setting *s = l->program->settings; s->name; s++) {
        const char *value = s->flags & (CONF_ONLY_FLAG | CONF_TEST) ? NULL : from_environment(s->name, name);

        if (value && set_from(l, s, value, "environment", e) < 0)
            return err_wrap(e, "%s", name);
    }
    for (const struct conf_removed *r = l->program->removed; r && r->name; r++)
        if (from_environment(r->name, name))
            note_removed(l, r->name, strlen(r->name), "environment", NULL);
    return 0;
}

int conf_read_secret(const char *path, char **out, struct err *e)
{
    char text[1024];
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : fstat(fd, &st) < 0 ? -1 : read(fd, text, sizeof text - 1);

    if (n < 0) {
        err_set_errno(e, errno, "%s", path);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    close(fd);
    if (st.st_mode & 077) {
        err_set(e, ERR_USAGE, "%s holds a secret, and others can read it", path);
        return err_hint(e, "chmod 600 %s", path);
    }
    text[n] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (!text[0])
        return err_set(e, ERR_USAGE, "%s is empty", path);
    *out = mem_strdup(text, e);
    return *out ? 0 : -1;
}

/* --- The command line --- */

struct words {
    int argc, at;
    char **argv;
};

/* The value of --NAME=VALUE or --NAME VALUE. */
static int flag_value(struct words *w, const char *equals, const char *name, const char **out, struct err *e)
{
    if (equals) {
        *out = equals + 1;
        return 0;
    }
    if (w->at + 1 >= w->argc)
        return err_set(e, ERR_USAGE, "%s needs a value", name);
    *out = w->argv[++w->at];
    return 0;
}

static int secret_flag(struct load *l, const struct conf_setting *s, const char *path, struct err *e)
{
    char *secret = NULL;
    int ret;

    if (conf_read_secret(path, &secret, e) < 0)
        return -1;
    ret = set_from(l, s, secret, "flag", e);
    free(secret);
    return ret;
}

/* 1: the word is --NAME or --no-NAME of a removed setting, and its value is skipped. */
static int removed_flag(struct load *l, struct words *w, const char *name, size_t n, const char *equals,
                        struct err *e)
{
    const struct conf_removed *row = NULL;
    const char *value;

    if (!note_removed(l, name, n, "flag", &row) &&
        !(n > 3 && str_starts(name, "no-") && note_removed(l, name + 3, n - 3, "flag", &row)))
        return 0;
    return row->flag ? 1 : flag_value(w, equals, w->argv[w->at], &value, e) < 0 ? -1 : 1;
}

static int read_flag(struct load *l, struct words *w, struct err *e)
{
    const char *word = w->argv[w->at], *equals = strchr(word, '='), *value = "";
    const char *name = word + 2;
    size_t n = equals ? (size_t)(equals - name) : strlen(name);
    const struct conf_setting *s = find(l->program, name, n);
    int removed;

    if (!s)
        s = find_test(l->program, name, n);
    if (s && s->flags & CONF_SECRET) {
        err_set(e, ERR_USAGE, "--%s may not stand on the command line, where others can read it", s->name);
        return err_hint(e, "Put it into a file that only you can read, and say --%s-file PATH.", s->name);
    }
    if (s && s->type == CONF_FLAG)
        return set_from(l, s, equals ? equals + 1 : "yes", "flag", e);
    if (!s && n > 3 && str_starts(name, "no-") && !equals && (s = find(l->program, name + 3, n - 3)) &&
        s->type == CONF_FLAG)
        return set_from(l, s, "no", "flag", e);
    if (!s && n > 5 && strncmp(name + n - 5, "-file", 5) == 0 && (s = find(l->program, name, n - 5)) &&
        s->flags & CONF_SECRET)
        return flag_value(w, equals, word, &value, e) < 0 ? -1 : secret_flag(l, s, value, e);
    removed = s ? 0 : removed_flag(l, w, name, n, equals, e);
    if (removed)
        return removed < 0 ? -1 : 0;
    if (!s || s->flags & CONF_SECRET) {
        char plain[64];

        snprintf(plain, sizeof plain, "%.*s", (int)n, name);
        return unknown(l->program, "--", plain, e);
    }
    return flag_value(w, equals, word, &value, e) < 0 ? -1 : set_from(l, s, value, "flag", e);
}

static int read_words(struct load *l, int argc, char **argv, struct err *e)
{
    struct words w = {.argc = argc, .argv = argv};
    bool only_words = false;

    for (w.at = 1; w.at < argc; w.at++) {
        const char *word = argv[w.at];

        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (!only_words && str_starts(word, "--config")) {
            if (!strchr(word, '='))
                w.at++; /* read before everything else */
        } else if (!only_words && str_starts(word, "--show-settings")) {
            continue;
        } else if (!only_words && str_starts(word, "--")) {
            if (read_flag(l, &w, e) < 0)
                return -1;
        } else if (!only_words && word[0] == '-' && word[1]) {
            return unknown(l->program, "", word, e);
        } else if (l->result->arg_count >= l->program->most_args || l->result->arg_count == CONF_ARGS) {
            err_set(e, ERR_USAGE, "%s does not know what to do with \"%.80s\"", l->program->name, word);
            return err_hint(e, "`%s --help` shows the command line.", l->program->name);
        } else {
            l->result->args[l->result->arg_count++] = word;
        }
    }
    return 0;
}

/* Words that decide before anything is read. */
static bool has_word(int argc, char **argv, const char *word, const char **value)
{
    size_t n = strlen(word);

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], word) == 0) {
            if (value)
                *value = i + 1 < argc ? argv[i + 1] : "";
            return true;
        }
        if (value && strncmp(argv[i], word, n) == 0 && argv[i][n] == '=') {
            *value = argv[i] + n + 1;
            return true;
        }
    }
    return false;
}

/* --- Telling people --- */

static void wrap(FILE *to, const char *text, int indent, int width)
{
    int at = 0;

    while (*text) {
        int n = (int)strcspn(text, " ");

        if (at > 0 && indent + at + 1 + n > width) {
            fprintf(to, "\n%*s", indent, "");
            at = 0;
        }
        at += fprintf(to, "%s%.*s", at ? " " : "", n, text);
        text += n + strspn(text + n, " ");
    }
    fputc('\n', to);
}

void conf_help(const struct conf_program *program, FILE *to)
{
    fprintf(to,
            "%s\n\nSettings (a flag --NAME, an environment variable VIVACE_NAME, or a line NAME = VALUE in "
            "vivace.conf):\n",
            program->usage);
    for (const struct conf_setting *s = program->settings; s->name; s++) {
        const char *file = s->flags & CONF_SECRET ? "-file" : "", *unit = s->flags & CONF_SECRET ? "PATH" : s->unit;

        if (s->flags & CONF_TEST)
            continue;
        fprintf(to, "  --%s%s%s%s\n%*s", s->name, file, s->type != CONF_FLAG ? " " : "",
                s->type != CONF_FLAG && unit ? unit : "", 8, "");
        wrap(to, s->sentence, 8, 100);
        if (s->otherwise && s->type != CONF_FLAG)
            fprintf(to, "%*sdefault: %s\n", 8, "", s->otherwise);
    }
    fprintf(to, "  --config FILE\n        reads settings from this file too\n"
                "  --show-settings\n        prints every setting, its value and where it comes from\n"
                "  --help, --version\n");
    if (program->epilogue)
        fprintf(to, "\n%s\n", program->epilogue);
}

static void show_settings(const struct load *l)
{
    for (const struct conf_setting *s = l->program->settings; s->name; s++) {
        const char *at = (const char *)l->values + s->offset;
        const char *origin = l->result->origin[s - l->program->settings];
        uint64_t number;

        if (s->flags & (CONF_ONLY_FLAG | CONF_TEST))
            continue;
        printf("%s = ", s->name);
        if (s->type == CONF_FLAG)
            printf("%s", *(const bool *)at ? "yes" : "no");
        else if (s->type == CONF_NUMBER || s->type == CONF_BYTES || s->type == CONF_DURATION)
            printf("%llu", (unsigned long long)(memcpy(&number, at, sizeof number), number));
        else if (*(char *const *)at)
            printf("%s", s->flags & CONF_SECRET ? "(secret)" : *(char *const *)at);
        printf("   # %s\n", origin[0] ? origin : "not set");
    }
}

void conf_warn(const struct conf_program *program, const struct conf_result *result)
{
    char advice[300], from[64];

    for (const struct conf_removed *r = program->removed; r && r->name; r++) {
        const char *origin = result->removed[r - program->removed];

        if (origin[0])
            log_warn("settings", "a setting that no longer exists is ignored: delete it",
                     "setting=%s from=%s advice=%s", r->name, log_quote(origin, from, sizeof from),
                     log_quote(r->advice, advice, sizeof advice));
    }
    for (const struct conf_setting *s = program->settings; s->name; s++)
        if (s->flags & CONF_TEST && strcmp(result->origin[s - program->settings], "flag") == 0)
            log_warn("settings", "this flag is for tests only: never use it on a real farm",
                     "flag=--" TEST_PREFIX "%s", s->name);
}

int conf_load(const struct conf_program *program, int argc, char **argv, void *values, struct conf_result *result,
              struct err *e)
{
    struct load l = {program, values, result};
    const char *config = NULL;
    size_t rows = 0;

    memset(result, 0, sizeof *result);
    while (program->settings[rows].name)
        rows++;
    if (rows > CONF_SETTINGS_MAX)
        return err_set(e, ERR_INTERNAL, "%s has %zu settings, and there is room for %d", program->name, rows,
                       CONF_SETTINGS_MAX);
    if (has_word(argc, argv, "--help", NULL) || has_word(argc, argv, "-h", NULL)) {
        conf_help(program, stdout);
        return 1;
    }
    if (has_word(argc, argv, "--version", NULL)) {
        printf("%s %s\n", program->name, program->version);
        return 1;
    }
    if (has_word(argc, argv, "--config", &config) && !config[0])
        return err_set(e, ERR_USAGE, "--config needs a value");
    if (load_defaults(&l, e) < 0 || load_files(&l, config, e) < 0 || load_environment(&l, e) < 0 ||
        read_words(&l, argc, argv, e) < 0)
        return -1;
    if (has_word(argc, argv, "--show-settings", NULL)) {
        show_settings(&l);
        return 1;
    }
    return 0;
}
