/* Finds and runs the verb of a noun. */
#include <string.h>

#include "cli/cli.h"

enum { VERBS_MAX = 32 };

const struct cli_subcommand *cli_subcommand(const struct cli_subcommand *verbs, const char *name)
{
    for (; verbs->name; verbs++)
        if (strcmp(name, verbs->name) == 0)
            return verbs;
    return NULL;
}

static int none_of(const struct cli_noun *noun, const char *word, struct err *e)
{
    const char *names[VERBS_MAX], *near;
    struct strbuf all = STRBUF_INIT;
    size_t n = 0;

    for (const struct cli_subcommand *v = noun->verbs; v->name && n < VERBS_MAX; v++)
        if (v->summary) {
            names[n++] = v->name;
            strbuf_addf(&all, "%s%s", n > 1 ? ", " : "", v->name);
        }
    err_set(e, ERR_USAGE, "%s: \"%.60s\" is none of %s", noun->name, word, all.failed ? "its verbs" : all.text);
    strbuf_release(&all);
    near = text_nearest(word, names, n);
    return near ? err_hint(e, "did you mean `vivace %s %s`?", noun->name, near)
                : err_hint(e, "`vivace %s --help` shows what each is for", noun->name);
}

/* argv[1] is missing or not a verb: prints the help for --help, else an error. */
static int without_verb(const struct cli_noun *noun, int argc, char **argv)
{
    struct cli_usage usage = {
        .command = noun->name, .synopsis = "VERB ...", .least_args = 1, .most_args = CLI_REST};
    struct strbuf text = STRBUF_INIT;
    struct cli_args args;
    struct err e;
    int ret;

    strbuf_addf(&text, "%s\nVerbs:\n", noun->text);
    for (const struct cli_subcommand *v = noun->verbs; v->name; v++)
        if (v->summary)
            strbuf_addf(&text, "  %-14s %s\n", v->name, v->summary);
    strbuf_addf(&text, "\n`vivace %s VERB --help` shows what a verb takes.", noun->name);
    if (text.failed) {
        ret = cli_end(err_no_memory(&e), &e);
    } else {
        usage.text = text.text;
        ret = cli_parse(&usage, argc, argv, &args, &e);
        ret = ret ? cli_parsed(ret, &e) : cli_end(none_of(noun, args.items[0], &e), &e);
    }
    strbuf_release(&text);
    return ret;
}

int cli_choose(const struct cli_noun *noun, int argc, char **argv)
{
    const struct cli_subcommand *verb = argc > 1 ? cli_subcommand(noun->verbs, argv[1]) : NULL;
    bool help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);

    if (!verb)
        return noun->bare && (argc > 1 || noun->bare_alone) && !help ? noun->bare(argc, argv)
                                                                     : without_verb(noun, argc, argv);
    if (verb->now)
        argv[1] = (char *)verb->now;
    return verb->run(argc - 1, argv + 1);
}
