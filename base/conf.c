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
#include "base/assert.h"
#include "base/conf_file.h"
#include "base/conf_value.h"
#include "base/log.h"
#include "base/options.h"
#include "base/text.h"

#define LIST_MAX 256

/* --- Names --- */

#define TEST_PREFIX "test-"

static const struct conf_setting *find(const struct conf_program *p, const char *name, size_t n)
{
    for (const struct conf_setting *s = p->settings; s->name; s++)
        if (!(s->flags & CONF_TEST) && str_is(name, n, s->name))
            return s;
    return NULL;
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

static const struct conf_removed *find_removed(const struct conf_program *p, const char *name)
{
    for (const struct conf_removed *r = p->removed; r && r->name; r++)
        if (strcmp(r->name, name) == 0)
            return r;
    return NULL;
}

/* Records the origin for conf_warn(), and sets the setting that has the new name. */
static int take_removed(struct load *l, const struct conf_removed *r, const char *value, const char *origin,
                        struct err *e)
{
    const struct conf_setting *s = r->now ? find(l->program, r->now, strlen(r->now)) : NULL;

    ASSERT(!r->now || (s && value));
    snprintf(l->result->removed[r - l->program->removed], sizeof l->result->removed[0], "%s", origin);
    return s ? set_from(l, s, value, origin, e) : 0;
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
    const struct conf_removed *r = s ? NULL : find_removed(f->load->program, name);

    if (r)
        return take_removed(f->load, r, value, f->origin, e);
    if (!s || s->flags & CONF_ONLY_FLAG)
        return unknown(f->load->program, "", name, e);
    if (s->flags & CONF_SECRET && f->others_can_read) {
        err_set(e, ERR_USAGE, "the file contains the secret `%s`, and other users can read it", name);
        return err_hint(e, "Run `chmod 600` on the file.");
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

/* Returns the value of the environment variable VIVACE_NAME, or NULL. Writes the variable's name to `variable`. */
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

    /* First, so that the new name of a setting takes precedence over the old one. */
    for (const struct conf_removed *r = l->program->removed; r && r->name; r++) {
        const char *value = from_environment(r->name, name);

        if (value && take_removed(l, r, value, "environment", e) < 0)
            return err_wrap(e, "%s", name);
    }
    for (const struct conf_setting *s = l->program->settings; s->name; s++) {
        const char *value = s->flags & (CONF_ONLY_FLAG | CONF_TEST) ? NULL : from_environment(s->name, name);

        if (value && set_from(l, s, value, "environment", e) < 0)
            return err_wrap(e, "%s", name);
    }
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
        err_set(e, ERR_USAGE, "%s contains a secret, and other users can read it", path);
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

/* The kind of a word on the command line. */
enum word_kind { WORD_SETTING, WORD_NO, WORD_SECRET_FILE, WORD_SECRET, WORD_REMOVED, WORD_READ_BEFORE };
enum { WORDS_MAX = 2 * CONF_SETTINGS_MAX + 2 * CONF_REMOVED_MAX + 4, WORD_TEXT = 64 };
struct words {
    struct load *load;
    size_t count;
    struct option_spec specs[WORDS_MAX];
    char names[WORDS_MAX][WORD_TEXT];
    enum word_kind kinds[WORDS_MAX];
    const struct conf_setting *settings[WORDS_MAX]; /* NULL: a removed setting */
};

static void add_word(struct words *w, enum word_kind kind, const struct conf_setting *s, enum option_value value,
                     const char *before, const char *name, const char *after)
{
    if (w->count == WORDS_MAX)
        return;
    snprintf(w->names[w->count], WORD_TEXT, "%s%s%s", before, name, after);
    w->specs[w->count] = (struct option_spec){w->names[w->count], 0, value};
    w->kinds[w->count] = kind;
    w->settings[w->count++] = s;
}

static void list_words(struct words *w, const struct conf_program *p)
{
    for (const struct conf_setting *s = p->settings; s->name; s++) {
        const char *test = s->flags & CONF_TEST ? TEST_PREFIX : "";

        if (s->flags & CONF_SECRET) {
            add_word(w, WORD_SECRET, s, OPTION_OPTIONAL, "", s->name, "");
            add_word(w, WORD_SECRET_FILE, s, OPTION_VALUE, "", s->name, "-file");
        } else {
            add_word(w, WORD_SETTING, s, s->type == CONF_FLAG ? OPTION_OPTIONAL : OPTION_VALUE, test, s->name, "");
            if (s->type == CONF_FLAG)
                add_word(w, WORD_NO, s, OPTION_FLAG, "no-", s->name, "");
        }
    }
    for (const struct conf_removed *r = p->removed; r && r->name; r++) {
        add_word(w, WORD_REMOVED, NULL, r->flag ? OPTION_OPTIONAL : OPTION_VALUE, "", r->name, "");
        if (r->flag)
            add_word(w, WORD_REMOVED, NULL, OPTION_FLAG, "no-", r->name, "");
    }
    add_word(w, WORD_READ_BEFORE, NULL, OPTION_VALUE, "", "config", "");
    add_word(w, WORD_READ_BEFORE, NULL, OPTION_FLAG, "", "show-settings", "");
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

static int take_word(void *ctx, size_t at, const char *value, struct err *e)
{
    struct words *w = ctx;
    const struct conf_setting *s = w->settings[at];
    const char *name = w->names[at];
    const struct conf_removed *r;

    switch (w->kinds[at]) {
    case WORD_SETTING: return set_from(w->load, s, value ? value : "yes", "flag", e);
    case WORD_NO: return set_from(w->load, s, "no", "flag", e);
    case WORD_SECRET_FILE: return secret_flag(w->load, s, value, e);
    case WORD_REMOVED:
        r = find_removed(w->load->program, name);
        if (!r)
            r = find_removed(w->load->program, name + strlen("no-"));
        ASSERT(r);
        return take_removed(w->load, r, value, "flag", e);
    case WORD_READ_BEFORE: return 0;
    case WORD_SECRET: break;
    }
    err_set(e, ERR_USAGE, "--%s may not be on the command line, where other users can read it", s->name);
    return err_hint(e, "Put it into a file that only you can read, and give --%s-file PATH.", s->name);
}

static int wrong_word(void *ctx, enum option_fault fault, size_t at, const char *word, struct err *e)
{
    const struct words *w = ctx;
    char plain[64];

    (void)at;
    if (fault != OPTION_UNKNOWN)
        return err_set(e, ERR_USAGE, "%.*s %s", (int)strcspn(word, "="), word,
                       fault == OPTION_NEEDS_VALUE ? "needs a value" : "takes no value");
    if (!str_starts(word, "--"))
        return unknown(w->load->program, "", word, e);
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return unknown(w->load->program, "--", plain, e);
}

static int read_words(struct load *l, int argc, char **argv, struct err *e)
{
    struct words *w = mem_zalloc(1, sizeof *w, e);
    struct options o = {.whole_names = true, .ctx = w, .take = take_word, .fault = wrong_word};
    int first, ret;

    if (!w)
        return -1;
    w->load = l;
    list_words(w, l->program);
    o.specs = w->specs;
    o.count = w->count;
    ret = options_read(&o, argc, argv, &first, e);
    free(w);
    for (int i = first; ret == 0 && i < argc; i++) {
        if (l->result->arg_count >= l->program->most_args || l->result->arg_count == CONF_ARGS) {
            err_set(e, ERR_USAGE, "%s: unexpected argument \"%.80s\"", l->program->name, argv[i]);
            return err_hint(e, "`%s --help` shows the command line.", l->program->name);
        }
        l->result->args[l->result->arg_count++] = argv[i];
    }
    return ret;
}

/* Finds an option that takes effect before any setting is read. True where it is on the command line. */
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

/* --- Help, listings and warnings --- */

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
    fprintf(to, "  --config FILE\n"
                "        also reads settings from this file\n"
                "  --show-settings\n"
                "        prints every setting, its value and its source\n"
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
            log_warn("settings",
                     r->now ? "a setting has a new name; the old name still works: use the new one"
                            : "a setting that no longer exists is ignored: delete it",
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
