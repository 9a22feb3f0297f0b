/* tests/unit/cli/printed.h: captures the output of a command. */
#ifndef VIVACE_TESTS_UNIT_CLI_PRINTED_H
#define VIVACE_TESTS_UNIT_CLI_PRINTED_H

#include <jansson.h>
#include <unistd.h>

#include "tests/harness/check.h"

static char output[1 << 21], errors[1 << 16];

struct caught {
    FILE *file;
    int fd, old;
};

static inline struct caught catch_begin(int fd)
{
    struct caught c = {tmpfile(), fd, dup(fd)};

    assert_true(c.file && c.old >= 0);
    dup2(fileno(c.file), fd);
    return c;
}

static inline void catch_end(struct caught *c, char *out, size_t size)
{
    size_t n;

    dup2(c->old, c->fd);
    close(c->old);
    rewind(c->file);
    n = fread(out, 1, size - 1, c->file);
    out[n] = '\0';
    fclose(c->file);
}

/* Runs a command with these arguments (NULL at the end) and returns its exit code. The output is in `output` and
 * `errors`. */
static inline int run_words(int (*command)(int argc, char **argv), const char *const *words)
{
    char *argv[32] = {NULL};
    struct caught out, err;
    int argc = 0, ret;

    for (; words[argc]; argc++) {
        assert_true(argc < 31);
        argv[argc] = (char *)words[argc];
    }
    fflush(stdout);
    out = catch_begin(STDOUT_FILENO);
    err = catch_begin(STDERR_FILENO);
    ret = command(argc, argv);
    fflush(stdout);
    fflush(stderr);
    catch_end(&err, errors, sizeof errors);
    catch_end(&out, output, sizeof output);
    return ret;
}
#define RUN(command_, ...) run_words((command_), (const char *const[]){__VA_ARGS__, NULL})

static inline json_t *printed_json(void)
{
    json_error_t why;
    json_t *j = json_loads(output, 0, &why);

    if (!j)
        fail_msg("no JSON (%s): %.400s", why.text, output);
    return j;
}

/* Checks that the object has these members. */
static inline void has_members(json_t *object, const char *const *names)
{
    for (; *names; names++)
        if (!json_object_get(object, *names))
            fail_msg("there is no `%s` in %.600s", *names, output);
}
#define HAS(object_, ...) has_members((object_), (const char *const[]){__VA_ARGS__, NULL})

#endif
