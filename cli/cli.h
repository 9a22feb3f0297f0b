/* cli/cli.h: the program `vivace`: its table of commands, and the functions that all commands share.
 *
 * A command is one file cmd_NAME.c in a folder of cli/ with `int cmd_NAME(int argc, char **argv)` (argv[0] is the
 * command's name; the return value is the exit code) and one row in cli/commands.c. A command
 *   1. parses its line:         r = cli_parse(&usage, argc, argv, &args, &e); if (r) return cli_parsed(r, &e);
 *   2. does its work;           progress goes to stderr: cli_progress()
 *   3. prints to stdout         one table (cli/output/table.h), or one JSON document where --json was given
 *   4. ends with                return cli_end(ret, &e);
 */
#ifndef VIVACE_CLI_CLI_H
#define VIVACE_CLI_CLI_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/version.h"

struct command {
    const char *name;
    const char *group;   /* heading in --help; the commands of a group are adjacent in the table */
    const char *summary; /* one line, begins with a verb */
    int (*run)(int argc, char **argv);
    const struct cli_noun *noun; /* instead of `run`: the command is a noun, and a verb follows it */
};
extern const struct command commands[]; /* ends with a NULL name; in the order of typical use */
int cli_main(int argc, char **argv);
int cli_command(int argc, char **argv); /* runs a command without the program's name: argv[0] is the command */

/* --- The command line of a command: --help comes from the same table --- */
enum cli_kind {
    CLI_FLAG,   /* bool: true when given */
    CLI_TEXT,   /* const char *: points into argv; UTF-8 */
    CLI_PATH,   /* as CLI_TEXT, with any bytes: names of files, and of designs, which may be files */
    CLI_U64,    /* uint64_t */
    CLI_COUNT,  /* uint64_t, 1 or more; 0: the option was not given */
    CLI_SHARE,  /* double in (0,1): "5%" or "0.05" */
    CLI_DOUBLE, /* double */
    CLI_LIST    /* struct cli_list: texts, may be given several times */
};
enum { CLI_LIST_MAX = 64 };
struct cli_list {
    const char *items[CLI_LIST_MAX]; /* point into argv */
    size_t count;
};
struct cli_option {
    const char *name; /* without the dashes; NULL ends the table */
    char letter;      /* short form, or 0 */
    enum cli_kind kind;
    const char *argument; /* "NAME", "FILE", ...; NULL for a flag */
    void *value;          /* where the value is stored; initialised with the default */
    const char *sentence;
};
/* --json, --csv, --progress and --quiet, the same for all commands. */
struct cli_output {
    bool json, csv, progress, quiet;
};
enum { CLI_REST = INT_MAX };
struct cli_usage {
    const char *command;              /* "plan", or "plans create" */
    const char *synopsis;             /* the text after the name: "FILE --method NAME [--out FILE]" */
    const char *text;                 /* its purpose, then examples; with line breaks */
    const struct cli_option *options; /* may be NULL */
    struct cli_output *output;        /* NULL: the command has none of these four options */
    bool csv;                         /* --csv is supported */
    int least_args, most_args;        /* words that are not options; CLI_REST: the first ends the options */
};
struct cli_args {
    int count;
    char **items;     /* points into argv, which is reordered: options first */
    const char *verb; /* of cli_parse_verb() */
};
/* 0: continue; 1: --help was given and is printed; -1: ERR_USAGE. Options may be anywhere among the words; "--"
 * ends them. `-j4`, `--out=FILE` and `--out FILE` are accepted. */
int cli_parse(const struct cli_usage *usage, int argc, char **argv, struct cli_args *args, struct err *e);
/* A command whose verbs share options: `plan show`, `plan fetch`. */
struct cli_verb {
    const char *name;     /* NULL ends the table */
    const char *synopsis; /* the text after it: "PLAN [--out FILE]" */
    const char *options;  /* names of its options, each between blanks: " out gpu "; NULL: none */
    int least_args, most_args;
    const char *text; /* its purpose, then examples; NULL: the text of the usage */
};
/* As cli_parse(), for argv[0], a verb of the table. `usage` has the noun as its command, and the options of all
 * verbs. */
int cli_parse_verb(const struct cli_usage *usage, const struct cli_verb *verbs, int argc, char **argv,
                   struct cli_args *args, struct err *e);
/* Checks a word that is sent to a farm or written to JSON: ERR_USAGE where it is not UTF-8. Values of options that
 * are not paths are already checked. */
int cli_need_utf8(const char *text, const char *what, struct err *e) MUST_CHECK;
/* The exit code for a non-zero result r of cli_parse(). */
int cli_parsed(int r, const struct err *e);
/* ERR_USAGE unless `list` is a list of names separated by commas. option: its name for the message. */
int cli_check_names(const char *list, const char *option, struct err *e);

/* --- A noun and its verbs: `vivace trace info FILE` --- */
struct cli_subcommand {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the verb */
    const char *summary; /* one line, begins with a verb; NULL: an old name, which --help does not list */
    const char *now;     /* for an old name: the present verb; else NULL */
};
/* A noun: its name, the text above the list of verbs in --help, and its verbs. `bare`: the function of the noun
 * without a verb, as in earlier versions; NULL: a missing verb is an error. */
struct cli_noun {
    const char *name, *text;
    const struct cli_subcommand *verbs; /* ends with a NULL name */
    int (*bare)(int argc, char **argv);
    bool bare_alone; /* `bare` also runs where the noun is the only word */
};
/* The verb of that name, or NULL. */
const struct cli_subcommand *cli_subcommand(const struct cli_subcommand *verbs, const char *name);
/* Runs the verb argv[1]. Without a verb it prints the help or an error. Returns the exit code. */
int cli_choose(const struct cli_noun *noun, int argc, char **argv);

/* --- How a command ends --- */
/* Prints "vivace: sentence" and, on a separate line, the hint to stderr. */
void cli_error(const struct err *e);
void cli_warn(const char *format, ...) PRINTF_LIKE(1, 2);
/* Flushes stdout, where a full disk or a closed pipe is an error, and prints the error where ret < 0. Returns the
 * exit code. */
int cli_end(int ret, struct err *e);

/* --- JSON on stdout --- */
/* Prints the document and takes its reference. NULL: memory ran out while it was built. */
int cli_print_json(json_t *document, struct err *e);
/* Writes a text to a file; path NULL: to standard output, which cli_end() flushes. */
int cli_write_text(const char *path, const char *text, size_t n, struct err *e);

/* Prints text in indented lines of at most 100 columns, broken between words. The label is in the first indent. */
void cli_print_wrapped(const char *label, const char *text, int indent);

/* --- Progress on stderr. On a terminal: one line that is rewritten, at most 10 times a second. With --progress and
 * without a terminal: a line each 5 s. Otherwise none --- */
void cli_progress_begin(const struct cli_output *output);
void cli_progress(const char *format, ...) PRINTF_LIKE(1, 2);
/* Shows the progress of reading a profile (ingest.h) and of unpacking traces (bundle.h); ctx is not used. */
void cli_reading(void *ctx, uint64_t bytes_in, uint64_t rows);
void cli_unpacking(void *ctx, uint64_t bytes_in, size_t kernels);
/* Prints a line that is not rewritten (only on a terminal or with --progress; not with --quiet). */
void cli_note(const char *format, ...) PRINTF_LIKE(1, 2);
void cli_progress_end(void); /* clears the line */

/* From now on SIGINT, SIGTERM and SIGHUP remove the unpacked files of this process (bundle.h) before they end it.
 */
void cli_remove_scratch_on_signals(void);
/* From now on these signals also remove one unfinished file. NULL: the file is finished. `path` must stay valid
 * until the call with NULL. */
void cli_remove_file_on_signals(const char *path);
void cli_forget_scratch_on_signals(void); /* for a forked child, which does not own these files */

/* --- Numbers for people (the dashboard formats them alike: web/ui/format.js) --- */
#define CLI_NUMBER 96
/* 3 significant digits; from 10 000 on in groups, separated by a narrow space; integers below that are exact. */
const char *cli_number(double x, char out[CLI_NUMBER]);
const char *cli_whole(uint64_t n, char out[CLI_NUMBER]); /* exact, in groups from 10 000 on */
/* "1 launch", "12 000 launches". many: the plural; NULL: `one` with an s. */
const char *cli_counted(uint64_t n, const char *one, const char *many, char out[CLI_NUMBER]);
const char *cli_percent(double share, char out[CLI_NUMBER]); /* "0.31 %"; "< 0.01 %"; "–" for NaN */
const char *cli_speedup(double x, char out[CLI_NUMBER]);     /* "412 ×" */
const char *cli_seconds(double s, char out[CLI_NUMBER]);     /* "5.53 s", "3 min 12 s" */
/* "40.4 ± 1.3 s": half-width with 2 digits, value to the same decimal place, one unit after both. With an unknown
 * half-width: "40.4 s (interval not known yet)". */
const char *cli_estimate_seconds(double value, double half_width, char out[CLI_NUMBER]);
const char *cli_estimate(double value, double half_width, const char *unit, char out[CLI_NUMBER]);
/* A total or rate of wire/metrics.h, without its unit. A share has the form "71.2 % ± 0.6 points". */
const char *cli_estimate_metric(double value, double half_width, const char *unit, char out[CLI_NUMBER]);
const char *cli_bytes(double n, char out[CLI_NUMBER]); /* "48 MiB" */

/* Reads a token or a password, one line of standard input, without echo on a terminal. The caller frees. NULL:
 * there is no line; the error has `hint`, which names another way to give the secret. */
char *cli_ask_secret(const char *what, const char *hint, struct err *e);

/* --- The commands that are one verb. For commands of a noun and a verb: cli/nouns.h --- */
int cmd_inspect(int argc, char **argv);
int cmd_methods(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_correlate(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_server(int argc, char **argv);
int cmd_worker(int argc, char **argv);
int cmd_admin(int argc, char **argv);
int cmd_login(int argc, char **argv);
int cmd_push(int argc, char **argv);
int cmd_search(int argc, char **argv);
int cmd_audit(int argc, char **argv);

#endif
