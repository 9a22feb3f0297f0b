/* Commands of two words: which one is meant. */
#include <string.h>

#include "cli/cli.h"

enum { SUBCOMMANDS_MAX = 16 };

const struct cli_subcommand *cli_subcommand(const struct cli_subcommand *list, int argc, char **argv)
{
    for (; argc > 1 && list->name; list++)
        if (strcmp(argv[1], list->name) == 0)
            return list;
    return NULL;
}

static int none_of(const struct cli_usage *usage, const struct cli_subcommand *list, const char *word,
                   struct err *e)
{
    const char *names[SUBCOMMANDS_MAX], *near;
    struct strbuf all = STRBUF_INIT;
    size_t n = 0;

    for (; n < SUBCOMMANDS_MAX && list[n].name; n++) {
        names[n] = list[n].name;
        strbuf_addf(&all, "%s%s", n ? ", " : "", names[n]);
    }
    err_set(e, ERR_USAGE, "%s: \"%.60s\" is none of %s", usage->command, word, all.failed ? "its words" : all.text);
    strbuf_release(&all);
    near = text_nearest(word, names, n);
    return near ? err_hint(e, "did you mean `vivace %s %s`?", usage->command, near)
                : err_hint(e, "`vivace %s --help` shows what each is for", usage->command);
}

int cli_choose(const struct cli_usage *usage, const struct cli_subcommand *list, int argc, char **argv)
{
    const struct cli_subcommand *chosen = cli_subcommand(list, argc, argv);
    struct cli_args args;
    struct err e;
    int r;

    if (chosen)
        return chosen->run(argc - 1, argv + 1);
    r = cli_parse(usage, argc, argv, &args, &e);
    if (r)
        return cli_parsed(r, &e);
    return cli_end(none_of(usage, list, args.items[0], &e), &e);
}
