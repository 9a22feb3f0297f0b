/* The output of commands: errors, JSON, progress. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/whole_file.h"
#include "cli/cli.h"
#include "cli/output/table.h"
#include "wire/json.h"

#define LINE 100 /* columns of running text */

static struct {
    bool line;  /* rewrites one line of a terminal */
    bool lines; /* no terminal: prints a line at intervals */
    bool shown; /* the line has text */
    uint64_t last_us;
} progress;

void cli_progress_begin(const struct cli_output *output)
{
    bool terminal = isatty(STDERR_FILENO) == 1;

    progress.line = terminal && !output->quiet;
    progress.lines = !terminal && output->progress && !output->quiet;
    progress.shown = false;
    progress.last_us = 0;
}

static void print_line(const char *format, va_list ap)
{
    fputs(progress.line ? "\r\033[K" : "", stderr);
    vfprintf(stderr, format, ap);
    if (!progress.line)
        fputc('\n', stderr);
    fflush(stderr);
}

void cli_progress(const char *format, ...)
{
    uint64_t now = clock_monotonic_us();
    va_list ap;

    if (!(progress.line || progress.lines))
        return;
    if (progress.last_us && now - progress.last_us < (progress.line ? 100000u : 5000000u))
        return;
    progress.last_us = now;
    va_start(ap, format);
    print_line(format, ap);
    va_end(ap);
    progress.shown = progress.line;
}

void cli_reading(void *ctx, uint64_t bytes_in, uint64_t rows)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    (void)ctx;
    cli_progress("reading: %s, %s launches", cli_bytes((double)bytes_in, a), cli_whole(rows, b));
}

void cli_unpacking(void *ctx, uint64_t bytes_in, size_t kernels)
{
    char text[CLI_NUMBER];

    (void)ctx;
    cli_progress("unpacking the traces: %zu kernels, %s read", kernels, cli_bytes((double)bytes_in, text));
}

void cli_progress_end(void)
{
    if (progress.shown)
        fputs("\r\033[K", stderr);
    progress.shown = false;
    progress.last_us = 0;
}

void cli_note(const char *format, ...)
{
    va_list ap;

    if (!(progress.line || progress.lines))
        return;
    cli_progress_end();
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
}

void cli_error(const struct err *e)
{
    cli_progress_end();
    fprintf(stderr, "vivace: %s\n", *e->text ? e->text : err_title(e->code));
    if (*e->hint)
        fprintf(stderr, "        %s\n", e->hint);
}

void cli_warn(const char *format, ...)
{
    va_list ap;

    cli_progress_end();
    fputs("vivace: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
}

/* True when the reader has closed the pipe, as in `vivace ... | head`: this is not reported as an error. */
static bool reader_is_gone(void)
{
    struct pollfd p = {.fd = STDOUT_FILENO};

    return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

int cli_end(int ret, struct err *e)
{
    cli_progress_end();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (ret == 0)
            ret = err_set_errno(e, errno, "the output cannot be written");
    }
    if (ret >= 0)
        return 0;
    if (ferror(stdout) && reader_is_gone())
        return err_exit_code(e->code);
    cli_error(e);
    return err_exit_code(e->code);
}

int cli_print_json(json_t *document, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret = 0;

    if (!document)
        return err_no_memory(e);
    json_write_text(document, true, &b);
    json_decref(document);
    if (b.failed)
        ret = err_no_memory(e);
    else if (fwrite(b.text, 1, b.length, stdout) != b.length)
        ret = err_set_errno(e, errno, "the output cannot be written");
    strbuf_release(&b);
    return ret;
}

void cli_print_wrapped(const char *label, const char *text, int indent)
{
    int at = indent;

    printf("%-*s", indent, label);
    while (*text) {
        size_t n = strcspn(text, " ");
        char *word = strndup(text, n);
        int width = word ? (int)table_width(word) : 0;

        if (at > indent && at + 1 + width > LINE) {
            printf("\n%*s", indent, "");
            at = indent;
        }
        printf("%s%.*s", at > indent ? " " : "", (int)n, text);
        at += width + (at > indent);
        free(word);
        text += n + (text[n] == ' ');
    }
    putchar('\n');
}

int cli_write_text(const char *path, const char *text, size_t n, struct err *e)
{
    if (path)
        return whole_file_put(path, text, n, e);
    return fwrite(text, 1, n, stdout) == n ? 0 : err_set_errno(e, errno, "standard output");
}
