/* vivace record: shows the content of recordings, which `vivace simulate --record` and `vivace-sim --record` write.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nouns.h"
#include "simcore/record/recording.h"

static const char show_text[] = "Prints minimum, mean and maximum of each rate of a recording, and the sum of each "
                                "column, which is the launch's\n"
                                "counter of that name.\n"
                                "\n"
                                "Examples:\n"
                                "  vivace simulate traces/ --gpu v100 --record recordings/\n"
                                "  vivace record show recordings/0-v100.vrec\n";

static const char export_text[] =
    "Writes a recording interval by interval: as one JSON document with computed rates, shares and watts\n"
    "beside the columns, as a Chrome trace that Perfetto (ui.perfetto.dev) opens, or as the gzip text log that "
    "AerialVision draws.\n"
    "\n"
    "Examples:\n"
    "  vivace record export recordings/0-v100.vrec --out 0.json\n"
    "  vivace record export recordings/0-v100.vrec --to chrome --out 0.trace.json\n"
    "  vivace record export recordings/0-v100.vrec --to aerialvision --out 0.log.gz\n";

int record_show(int argc, char **argv)
{
    const struct cli_usage usage = {
        .command = "record show", .synopsis = "FILE", .text = show_text, .least_args = 1, .most_args = 1};
    struct recording *r = NULL;
    struct cli_args args;
    struct err e = {.code = ERR_NONE};
    char *text = NULL;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    ret = recording_read(args.items[0], &r, &e);
    if (ret == 0 && !(text = recording_summary(r, &e)))
        ret = -1;
    if (text)
        fputs(text, stdout);
    free(text);
    recording_free(r);
    return cli_end(ret, &e);
}

static int export_to(const struct recording *r, const char *to, const char *path, struct err *e)
{
    char *text;
    size_t n = 0;
    int ret;

    if (strcmp(to, "aerialvision") == 0)
        return recording_export_aerialvision(r, path ? path : "/dev/stdout", e);
    if (strcmp(to, "json") != 0 && strcmp(to, "chrome") != 0)
        return err_set(e, ERR_USAGE, "--to: json, chrome or aerialvision, not `%s`", to);
    text = strcmp(to, "json") == 0 ? recording_json(r, e) : recording_chrome_trace(r, &n, e);
    ret = text ? cli_write_text(path, text, strlen(text), e) : -1;
    free(text);
    return ret;
}

int record_export(int argc, char **argv)
{
    const char *to = "json", *path = NULL;
    const struct cli_option options[] = {
        {"to", 0, CLI_TEXT, "json|chrome|aerialvision", &to, "the format; default: json"},
        {"out", 'o', CLI_PATH, "FILE", &path, "output file; default: standard output"},
        {.name = NULL}};
    const struct cli_usage usage = {.command = "record export",
                                    .synopsis = "FILE [--to json|chrome|aerialvision] [--out FILE]",
                                    .text = export_text,
                                    .options = options,
                                    .least_args = 1,
                                    .most_args = 1};
    struct recording *r = NULL;
    struct cli_args args;
    struct err e = {.code = ERR_NONE};
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    ret = recording_read(args.items[0], &r, &e);
    if (ret == 0)
        ret = export_to(r, to, path, &e);
    recording_free(r);
    return cli_end(ret, &e);
}
