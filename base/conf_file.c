#include "base/conf_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LINE_LENGTH_MAX 4096

static char *trim(char *s)
{
    size_t n;

    s += strspn(s, " \t");
    n = strlen(s);
    while (n > 0 && strchr(" \t\r\n", s[n - 1]))
        s[--n] = '\0';
    return s;
}

/* A '#' at the start of a line or after a blank starts a comment, unless the value is in quotes. */
static void cut_comment(char *s)
{
    for (char *c = s; *c; c++)
        if (*c == '#' && (c == s || c[-1] == ' ' || c[-1] == '\t')) {
            *c = '\0';
            return;
        }
}

static int read_line(char *line, conf_file_fn fn, void *ctx, struct err *e)
{
    char *equals = strchr(line, '='), *value;
    size_t n;

    if (!equals)
        return err_set(e, ERR_USAGE, "\"%.60s\" does not have the form `name = value`", line);
    *equals = '\0';
    value = trim(equals + 1);
    n = strlen(value);
    if (n >= 2 && value[0] == '"' && value[n - 1] == '"') {
        value[n - 1] = '\0';
        value++;
    }
    return fn(ctx, trim(line), value, e);
}

int conf_file_read(const char *path, const char *section, conf_file_fn fn, void *ctx, struct err *e)
{
    FILE *f = fopen(path, "re");
    char buffer[LINE_LENGTH_MAX];
    bool ours = true;
    int ret = 0;

    if (!f)
        return err_set_errno(e, errno, "%s", path);
    for (int number = 1; ret == 0 && fgets(buffer, sizeof buffer, f); number++) {
        char *line;
        size_t n = strlen(buffer);

        if (n == sizeof buffer - 1 && buffer[n - 1] != '\n') {
            ret = err_set(e, ERR_USAGE, "the line is longer than %d bytes", LINE_LENGTH_MAX - 2);
        } else {
            if (!strchr(buffer, '"'))
                cut_comment(buffer);
            line = trim(buffer);
            n = strlen(line);
            if (line[0] == '[' && n > 2 && line[n - 1] == ']') {
                line[n - 1] = '\0';
                ours = strcmp(line + 1, section) == 0;
            } else if (line[0] && line[0] != '#' && ours) {
                ret = read_line(line, fn, ctx, e);
            }
        }
        if (ret < 0)
            err_wrap(e, "%s, line %d", path, number);
    }
    fclose(f);
    return ret;
}
