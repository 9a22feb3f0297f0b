/* base/conf.h: settings, declared once in a table. Flags, environment variables, files and --help follow from it.
 *
 *   static const struct conf_setting settings[] = {
 *       {"listen", CONF_TEXT, "127.0.0.1:8080", "ADDRESS:PORT", 0, 0, offsetof(struct server_config, listen), 0,
 *        "where to listen; port 0 takes any free one"},
 *       {NULL}};
 *
 * One row makes `--listen X` (or `--listen=X`), VIVACE_LISTEN=X, and the line `listen = X` of a file. Precedence:
 * flag, environment, --config FILE, ./vivace.conf, $XDG_CONFIG_HOME/vivace/vivace.conf (or ~/.config/...),
 * /etc/vivace/vivace.conf, default. An unknown name is an error that names the nearest one. A file may have
 * sections: lines under `[worker]` apply to vivace-worker only, lines before any section to all programs. */
#ifndef VIVACE_BASE_CONF_H
#define VIVACE_BASE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

enum conf_type {
    CONF_TEXT,     /* char *, owned by the values; NULL when the default is NULL */
    CONF_PATH,     /* as CONF_TEXT; a leading ~/ is the home folder */
    CONF_NUMBER,   /* uint64_t in least .. most */
    CONF_BYTES,    /* uint64_t; "8MiB", "64 GiB", "1000" */
    CONF_DURATION, /* uint64_t seconds; "90", "90s", "5min", "4h", "7d" */
    CONF_CHOICE,   /* char *; one of the words in `unit`, separated by '|' */
    CONF_FLAG      /* bool; on the command line without a value, or --no-NAME */
};
enum {
    CONF_ONLY_FLAG = 1, /* an action for this start, such as --check; refused in files and the environment */
    CONF_TEST = 4,      /* a constant that only tests change, by the flag --test-NAME; --help does not list it */
    CONF_SECRET = 2 /* CONF_TEXT that is refused on the command line, where other users can read it. It comes from
                     * --NAME-file PATH, the environment or a settings file that only its owner can read */
};

struct conf_setting {
    const char *name; /* "job-time-limit"; ends a table when NULL */
    enum conf_type type;
    const char *otherwise; /* the default, as text; NULL: none, the value is NULL or 0 */
    const char *unit;      /* for --help: "ADDRESS:PORT", "SECONDS", "DIR"; the words of a CONF_CHOICE */
    uint64_t least, most;  /* for numbers; most 0: no upper bound */
    size_t offset;         /* of the value in the caller's struct */
    unsigned flags;
    const char *sentence; /* its effect and the reason for its default */
};

/* A setting of an earlier version. conf_warn() warns where it still occurs. Where it has a new name, it sets the
 * setting of that name, otherwise it is ignored. */
struct conf_removed {
    const char *name;   /* ends a table when NULL */
    bool flag;          /* true: the setting took no value on the command line */
    const char *advice; /* one sentence: the setting or the behaviour that replaces it */
    const char *now;    /* new name; NULL: none */
};

struct conf_program {
    const char *name;     /* "vivace-server", for messages; its section in a file has the name after "vivace-" */
    const char *version;  /* what --version prints after the name */
    const char *usage;    /* --help begins with it: synopsis, purpose of the program, examples */
    const char *epilogue; /* --help ends with it: exit codes, files; or NULL */
    const struct conf_setting *settings;
    int most_args; /* maximum of words that are not settings, e.g. a subcommand; 0: none allowed */
    const struct conf_removed *removed; /* NULL: none */
};

#define CONF_ARGS 8
enum { CONF_SETTINGS_MAX = 128, CONF_REMOVED_MAX = 64 }; /* rows of a table */
struct conf_result {
    const char *args[CONF_ARGS]; /* words that are not settings, in order; they point into argv */
    int arg_count;
    char origin[CONF_SETTINGS_MAX][24]; /* by row of the table: "flag", "environment", "default", a file's kind */
    char removed[CONF_REMOVED_MAX][24]; /* by row of `removed`: where it occurs, or "" */
};

/* Fills the struct at `values` (zeroed by the caller). Returns 0; 1 when --help, --version or --show-settings was
 * given and its text is printed on stdout (the program then ends with exit code 0); -1 with *e. Call conf_release()
 * in all three cases. */
int conf_load(const struct conf_program *program, int argc, char **argv, void *values, struct conf_result *result,
              struct err *e);
void conf_release(const struct conf_program *program, void *values);
/* Logs one warning for each removed setting that occurs, and one for each --test-NAME. Call when the log is set up.
 */
void conf_warn(const struct conf_program *program, const struct conf_result *result);

/* Parsers of single values, for tests and for values that are not settings. */
int conf_parse_bytes(const char *s, const char *what, uint64_t *out, struct err *e);
int conf_parse_duration(const char *s, const char *what, uint64_t *out, struct err *e);
void conf_help(const struct conf_program *program, FILE *to);
/* Reads the first line of a secret's file. A file that other users can read is refused. The caller frees. */
int conf_read_secret(const char *path, char **out, struct err *e);

#endif
