#include "base/log.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

static const char *const names[] = {"debug", "info", "warn", "error"};
static atomic_int threshold = LOG_INFO;

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

void log_event(enum log_level level, const char *subsystem, const char *message, const char *fields, ...)
{
    char line[4096], time[CLOCK_RFC3339];
    int n;
    size_t used;
    va_list ap;

    if ((int)level < atomic_load(&threshold))
        return;
    clock_format(clock_now(&clock_system), time);
    n = snprintf(line, sizeof line - 1, "time=%s level=%s in=%s msg=\"%s\" ", time, names[level], subsystem,
                 message);
    used = n < 0 ? 0 : (size_t)n;
    if (used < sizeof line - 1) {
        va_start(ap, fields);
        n = vsnprintf(line + used, sizeof line - 1 - used, fields, ap);
        va_end(ap);
        used += n < 0 ? 0 : (size_t)n;
    }
    if (used > sizeof line - 2)
        used = sizeof line - 2;
    line[used++] = '\n';
    /* One write a line, so that lines of several threads and processes never mix. */
    if (write(STDERR_FILENO, line, used) < 0)
        return; /* nowhere left to say so */
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
    return out;
}
