#include "base/log.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log_repeat.h"
#include "base/strbuf.h"
#include "base/text.h"

static const char *const names[] = {"debug", "info", "warn", "error"};
static atomic_int threshold = LOG_INFO;
static atomic_bool as_json;

void log_set_level(enum log_level level)
{
    atomic_store(&threshold, (int)level);
}

int log_level_from_name(const char *name, enum log_level *out)
{
    for (int i = 0; i <= LOG_ERROR; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (enum log_level)i;
            return 0;
        }
    return -1;
}

void log_set_json(bool on)
{
    atomic_store(&as_json, on);
}

/* Appends the field value at *at as a JSON string and moves *at behind it. A quoted value has JSON's escapes
 * already. */
static void add_value(struct strbuf *b, const char **at)
{
    const char *s = *at;
    bool quoted = *s == '"';

    strbuf_addc(b, '"');
    for (s += quoted; *s && *s != (quoted ? '"' : ' '); s++) {
        if (!quoted && (*s == '"' || *s == '\\'))
            strbuf_addc(b, '\\');
        strbuf_addc(b, *s);
        if (quoted && *s == '\\' && s[1])
            strbuf_addc(b, *++s);
    }
    strbuf_addc(b, '"');
    *at = s + (quoted && *s == '"');
}

/* "time=... level=... msg="..." key=value" -> one JSON object; every value is a string. */
static void line_to_json(const char *line, struct strbuf *b)
{
    const char *at = line;

    strbuf_addc(b, '{');
    while (*at) {
        size_t n = strcspn(at, "= ");

        if (at[n] == '=') {
            strbuf_addf(b, "%s\"%.*s\":", b->length > 1 ? "," : "", (int)n, at);
            at += n + 1;
            add_value(b, &at);
        } else {
            at += n;
        }
        at += *at == ' ';
    }
    strbuf_adds(b, "}\n");
}

/* One write() for each line, so that lines of several threads and processes never mix. */
static void write_line(char *line, size_t n)
{
    struct strbuf json = STRBUF_INIT;
    ssize_t wrote;

    if (!atomic_load(&as_json)) {
        line[n++] = '\n';
        wrote = write(STDERR_FILENO, line, n);
    } else {
        line[n] = '\0';
        line_to_json(line, &json);
        wrote = json.failed ? 0 : write(STDERR_FILENO, json.text, json.length);
        strbuf_release(&json);
    }
    (void)wrote; /* a failed write to stderr cannot be reported */
}

static void write_body(const char *body, const char *after)
{
    char line[4096], time[CLOCK_RFC3339];
    int n;

    clock_format(clock_now(&clock_system), time);
    n = snprintf(line, sizeof line - 1, "time=%s %s%s", time, body, after);
    write_line(line, n < 0 ? 0 : (size_t)n > sizeof line - 2 ? sizeof line - 2 : (size_t)n);
}

static void say_repeated(const char *body, unsigned repeated)
{
    char after[32];

    snprintf(after, sizeof after, " repeated=%u", repeated);
    write_body(body, after);
}

void log_event(enum log_level level, const char *subsystem, const char *message, const char *fields, ...)
{
    char body[4096];
    int n;
    va_list ap;

    if ((int)level < atomic_load(&threshold))
        return;
    n = snprintf(body, sizeof body, "level=%s in=%s msg=\"%s\" ", names[level], subsystem, message);
    if (n >= 0 && (size_t)n < sizeof body) {
        va_start(ap, fields);
        vsnprintf(body + n, sizeof body - (size_t)n, fields, ap);
        va_end(ap);
    }
    /* Messages below the level of warnings are a history: repeated ones are written too. */
    if (level < LOG_WARN || !log_repeat(body, clock_monotonic_us(), say_repeated))
        write_body(body, "");
}

void log_end(void)
{
    log_repeat_end(say_repeated);
}

const char *log_quote(const char *s, char *out, size_t size)
{
    size_t n = 0;

    out[n++] = '"';
    for (; *s && n + 4 < size; s++) {
        if (*s == '"' || *s == '\\')
            out[n++] = '\\';
        out[n++] = (unsigned char)*s < 0x20 ? ' ' : *s;
    }
    out[n++] = '"';
    out[n] = '\0';
    text_sanitize(out); /* control characters could act on a terminal */
    return out;
}
