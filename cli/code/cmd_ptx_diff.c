/* vivace ptx diff: compares the logs of two runs and finds their first difference. */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "cli/nouns.h"
#include "ptx/tools/hash_log.h"
#include "ptx/tools/run_watch.h"
#include "ptx/tools/write_log.h"
#include "wire/json.h"

static const char diff_text[] =
    "Compares the logs of two runs, and prints where they first differ. The kind of log is recognised by its "
    "content:\n"
    "\n"
    "  --hash-after   the first launch after which a buffer differs; where contents were kept (--hash-values), "
    "floats\n"
    "                 may differ by --ulp, --rtol and --atol, and the first value that differs is reported\n"
    "  --log-writes   the first register write whose value differs: CTA, warp, lane, line, instruction, operands; "
    "floats\n"
    "                 may differ by --ulp, results of approximate instructions by 4 in any case\n"
    "  --coverage     the instruction forms of the first run, sorted by the number of other runs that have them,\n"
    "                 the smallest first: give the log of a failing run, then any number of logs of runs that "
    "pass\n"
    "\n"
    "The exit code is 0 if the logs agree, 1 if they differ.\n"
    "\n"
    "Which launch, which instruction, in three steps:\n"
    "  vivace ptx run LIST.json --hash-after a.log          here, and b.log there; then diff: launch 7 differs\n"
    "  vivace ptx run LIST.json --capture 7 --out seven     launch 7 alone\n"
    "  vivace ptx run seven/launches.json --log-writes a.w  here, and b.w there; then diff: the instruction\n";

enum { MOST = 65 };

struct comparison {
    struct hash_tolerance tolerance;
    struct cli_output output;
    const char *paths[MOST];
    size_t count;
    bool differ;
};

static json_t *sentence_json(bool same, const char *what, const char *near)
{
    struct json_obj o = json_obj_begin();

    json_put_bool(&o, "same", same);
    json_put_str(&o, "difference", what);
    json_put_str(&o, "within_tolerance", near);
    return json_obj_end(&o);
}

static int report(struct comparison *c, const char *what, const char *near, struct err *e)
{
    c->differ = what != NULL;
    if (c->output.json)
        return cli_print_json(sentence_json(!what, what, near), e);
    if (near)
        fputs(near, stdout);
    puts(what ? what : "no difference");
    return 0;
}

static int diff_hashes(struct comparison *c, struct err *e)
{
    struct hash_difference d = {0};
    int ret = hash_logs_compare(c->paths[0], c->paths[1], &c->tolerance, &d, e);

    if (ret == 0)
        ret = report(c, d.what, d.near, e);
    hash_difference_release(&d);
    return ret;
}

static int diff_writes(struct comparison *c, struct err *e)
{
    char *what = NULL;
    int ret = write_logs_compare(c->paths[0], c->paths[1], c->tolerance.ulp, &what, e);

    if (ret == 0)
        ret = report(c, what, NULL, e);
    free(what);
    return ret;
}

static int diff_coverage(struct comparison *c, struct err *e)
{
    struct strbuf out = STRBUF_INIT;
    int ret = ptx_coverage_compare(c->paths, c->count, &out, e);

    if (ret == 0)
        fputs(out.text, stdout);
    strbuf_release(&out);
    return ret;
}

static int diff(struct comparison *c, struct err *e)
{
    struct stream *s = NULL;
    char begin[32] = "";
    ssize_t n = -1;

    if (stream_open(c->paths[0], &s, e) == 0)
        n = stream_read(s, begin, sizeof begin - 1, e);
    stream_close(s);
    if (n < 0)
        return -1;
    if (begin[0] == '{')
        return diff_coverage(c, e);
    if (c->count != 2)
        return err_set(e, ERR_USAGE, "exactly two logs are needed");
    if (strncmp(begin, HASH_LOG_FORMAT "\t", sizeof HASH_LOG_FORMAT) == 0)
        return diff_hashes(c, e);
    if (strncmp(begin, WRITE_LOG_FORMAT "\t", sizeof WRITE_LOG_FORMAT) == 0)
        return diff_writes(c, e);
    return err_set(e, ERR_UNSUPPORTED, "%s: not a log of --hash-after, --log-writes or --coverage", c->paths[0]);
}

int ptx_cmd_diff(int argc, char **argv)
{
    struct comparison c = {0};
    const struct cli_option options[] = {
        {"ulp", 0, CLI_U64, "N", &c.tolerance.ulp, "allowed difference of floats in units in the last place"},
        {"rtol", 0, CLI_DOUBLE, "X", &c.tolerance.rtol, "or as a share of the second value (hashes)"},
        {"atol", 0, CLI_DOUBLE, "X", &c.tolerance.atol, "or as an absolute value (hashes)"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "ptx diff",
                                    .synopsis = "A B [--ulp N]",
                                    .text = diff_text,
                                    .options = options,
                                    .output = &c.output,
                                    .least_args = 2,
                                    .most_args = MOST};
    struct cli_args args;
    struct err e;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    for (int i = 0; i < args.count; i++)
        c.paths[c.count++] = args.items[i];
    ret = cli_end(diff(&c, &e), &e);
    return ret ? ret : c.differ;
}
