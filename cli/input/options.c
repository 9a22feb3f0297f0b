/* The command line of one command, from its table of options. */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/output/table.h"

enum { OPTIONS_MAX = 40 };

/* The options of a command and the options of all commands, also in the form of base/options.h. */
struct grammar {
    const struct cli_usage *usage;
    struct cli_option items[OPTIONS_MAX];
    struct option_spec specs[OPTIONS_MAX];
    size_t count;
    bool help;
};

static void add(struct grammar *g, const struct cli_option *o)
{
    if (g->count == OPTIONS_MAX)
        return;
    g->items[g->count] = *o;
    g->specs[g->count++] =
        (struct option_spec){o->name, o->letter, o->kind == CLI_FLAG ? OPTION_FLAG : OPTION_VALUE};
}

static void build(const struct cli_usage *u, struct grammar *g)
{
    struct cli_output *out = u->output;

    memset(g, 0, sizeof *g);
    g->usage = u;
    for (const struct cli_option *o = u->options; o && o->name; o++)
        add(g, o);
    if (out) {
        add(g, &(struct cli_option){"json", 0, CLI_FLAG, NULL, &out->json, "print one JSON document"});
        if (u->csv)
            add(g, &(struct cli_option){"csv", 0, CLI_FLAG, NULL, &out->csv, "print the table as CSV"});
        add(g, &(struct cli_option){"progress", 0, CLI_FLAG, NULL, &out->progress,
                                    "show progress on stderr even if it is not a terminal"});
        add(g, &(struct cli_option){"quiet", 'q', CLI_FLAG, NULL, &out->quiet, "no progress"});
    }
    add(g, &(struct cli_option){"help", 'h', CLI_FLAG, NULL, &g->help, "show this"});
}

static void print_option(const struct cli_option *o)
{
    char left[80];
    int n = snprintf(left, sizeof left, "  %c%c%s--%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
                     o->letter ? ", " : "  ", o->name, o->argument ? " " : "", o->argument ? o->argument : "");

    if (n > 28)
        printf("%s\n", left);
    cli_print_wrapped(n > 28 ? "" : left, o->sentence, 30);
}

static void print_help(const struct cli_usage *u, const struct grammar *g)
{
    printf("usage: vivace %s%s%s\n\n%s\n\nOptions:\n", u->command, *u->synopsis ? " " : "", u->synopsis, u->text);
    for (size_t i = 0; i < g->count; i++)
        print_option(&g->items[i]);
}

static int see_help(const struct cli_usage *u, struct err *e)
{
    if (!*e->hint)
        err_hint(e, "`vivace %s --help` shows its arguments", u->command);
    return -1;
}

static int unknown_option(const struct cli_usage *u, const struct grammar *g, const char *word, struct err *e)
{
    const char *names[OPTIONS_MAX], *near;
    char bare[64];

    err_set(e, ERR_USAGE, "%s: unknown option `%s`", u->command, word);
    for (size_t i = 0; i < g->count; i++)
        names[i] = g->items[i].name;
    snprintf(bare, sizeof bare, "%s", word + strspn(word, "-"));
    bare[strcspn(bare, "=")] = '\0';
    near = text_nearest(bare, names, g->count);
    if (near)
        err_hint(e, "did you mean --%s?", near);
    return see_help(u, e);
}

static int take_another(struct cli_list *list, const char *text, const char *what, struct err *e)
{
    if (cli_need_utf8(text, what, e) < 0)
        return -1;
    if (list->count == CLI_LIST_MAX)
        return err_set(e, ERR_USAGE, "%s can be given %d times at most", what, CLI_LIST_MAX);
    list->items[list->count++] = text;
    return 0;
}

static int take_count(const char *text, const char *what, uint64_t *out, struct err *e)
{
    if (parse_u64(text, what, out, e) < 0)
        return -1;
    return *out ? 0 : err_set(e, ERR_USAGE, "%s: must be a whole number of 1 or more, not 0", what);
}

/* Checks a text: except for paths, words must be UTF-8, for the farm and for JSON. */
static int take_text(const char *text, const char *what, const char **out, struct err *e)
{
    *out = text;
    return cli_need_utf8(text, what, e);
}

int cli_need_utf8(const char *text, const char *what, struct err *e)
{
    if (utf8_valid_prefix(text, strlen(text)) == strlen(text))
        return 0;
    return err_set(e, ERR_USAGE, "%s: \"%s\" is not UTF-8", what, text);
}

static int take(const struct cli_option *o, const char *text, struct err *e)
{
    char what[64];

    snprintf(what, sizeof what, "--%s", o->name);
    switch (o->kind) {
    case CLI_FLAG: *(bool *)o->value = true; return 0;
    case CLI_TEXT: return take_text(text, what, o->value, e);
    case CLI_PATH: *(const char **)o->value = text; return 0;
    case CLI_U64: return parse_u64(text, what, o->value, e);
    case CLI_COUNT: return take_count(text, what, o->value, e);
    case CLI_SHARE: return parse_share(text, what, o->value, e);
    case CLI_DOUBLE: return parse_double(text, what, o->value, e);
    case CLI_LIST: return take_another(o->value, text, what, e);
    }
    return err_set(e, ERR_INTERNAL, "%s has no kind", what);
}

static int take_option(void *ctx, size_t at, const char *value, struct err *e)
{
    struct grammar *g = ctx;

    if (take(&g->items[at], value, e) < 0) {
        if (e->code != ERR_INTERNAL)
            e->code = ERR_USAGE;
        return see_help(g->usage, e);
    }
    return g->help ? 1 : 0;
}

static int wrong_option(void *ctx, enum option_fault fault, size_t at, const char *word, struct err *e)
{
    const struct grammar *g = ctx;

    if (fault == OPTION_UNKNOWN)
        return unknown_option(g->usage, g, word, e);
    err_set(e, ERR_USAGE, "%s: --%s %s", g->usage->command, g->items[at].name,
            fault == OPTION_TAKES_NO_VALUE ? "takes no value" : "needs a value");
    return see_help(g->usage, e);
}

static int check_words(const struct cli_usage *u, const struct cli_args *args, struct err *e)
{
    if (args->count < u->least_args) {
        err_set(e, ERR_USAGE, "%s: an argument is missing after it", u->command);
        return err_hint(e, "usage: vivace %s %s", u->command, u->synopsis);
    }
    if (args->count > u->most_args) {
        err_set(e, ERR_USAGE, "%s: unexpected argument `%s`", u->command, args->items[u->most_args]);
        return err_hint(e, "usage: vivace %s %s", u->command, u->synopsis);
    }
    if (u->output && u->output->json && u->output->csv)
        return err_set(e, ERR_USAGE, "%s: --json and --csv cannot be combined", u->command);
    return 0;
}

int cli_parse(const struct cli_usage *usage, int argc, char **argv, struct cli_args *args, struct err *e)
{
    struct grammar g;
    struct options o = {
        .first_word_ends = usage->most_args == CLI_REST, .ctx = &g, .take = take_option, .fault = wrong_option};
    int words;

    build(usage, &g);
    o.specs = g.specs;
    o.count = g.count;
    if (options_read(&o, argc, argv, &words, e) < 0)
        return -1;
    if (g.help) {
        print_help(usage, &g);
        return 1;
    }
    args->count = argc - words;
    args->items = argv + words;
    if (check_words(usage, args, e) < 0)
        return -1;
    if (usage->output)
        cli_progress_begin(usage->output);
    return 0;
}

/* True where the verb has the option: " out gpu " contains " out ". */
static bool takes(const struct cli_verb *verb, const char *option)
{
    char word[40];

    snprintf(word, sizeof word, " %s ", option);
    return verb->options && strstr(verb->options, word);
}

int cli_parse_verb(const struct cli_usage *usage, const struct cli_verb *verbs, int argc, char **argv,
                   struct cli_args *args, struct err *e)
{
    struct cli_option kept[OPTIONS_MAX + 1];
    struct cli_usage one = *usage;
    char command[40];
    size_t n = 0;

    while (verbs->name && strcmp(verbs->name, argv[0]) != 0)
        verbs++;
    if (!verbs->name) {
        err_set(e, ERR_INTERNAL, "%s has no verb %s", usage->command, argv[0]);
        return -1;
    }
    for (const struct cli_option *o = usage->options; o && o->name && n < OPTIONS_MAX; o++)
        if (takes(verbs, o->name))
            kept[n++] = *o;
    kept[n] = (struct cli_option){.name = NULL};
    snprintf(command, sizeof command, "%s %s", usage->command, verbs->name);
    one.command = command;
    one.synopsis = verbs->synopsis;
    one.text = verbs->text ? verbs->text : usage->text;
    one.options = kept;
    one.least_args = verbs->least_args;
    one.most_args = verbs->most_args;
    args->verb = verbs->name;
    return cli_parse(&one, argc, argv, args, e);
}

int cli_parsed(int r, const struct err *e)
{
    if (r > 0)
        return fflush(stdout) == 0 ? 0 : err_exit_code(ERR_IO);
    cli_error(e);
    return err_exit_code(e->code);
}

int cli_check_names(const char *list, const char *option, struct err *e)
{
    size_t n = strlen(list);

    if (n > 0 && list[0] != ',' && list[n - 1] != ',' && !strstr(list, ",,"))
        return 0;
    return err_set(e, ERR_USAGE, "%s: must be a list of names such as A,B, not `%s`", option, list);
}
