#include "worker/job_stderr.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void end_mark(struct job_stderr *s)
{
    struct job_stderr_part *part;

    if (s->part_count < SIM_PACK_MAX) {
        part = &s->parts[s->part_count++];
        memcpy(part->job, s->mark + 1, s->mark_length - 1);
        part->job[s->mark_length - 1] = '\0';
        part->begin = s->total;
    }
    s->mark_length = 0;
}

static void keep(struct job_stderr *s, char c)
{
    s->ring[s->total++ % JOB_STDERR_KEPT] = c;
}

/* The bytes began with JOB_STDERR_MARK but are longer than any id: they are text. */
static void keep_as_text(struct job_stderr *s)
{
    for (size_t i = 0; i < s->mark_length; i++)
        keep(s, s->mark[i]);
    s->mark_length = 0;
}

void job_stderr_add(struct job_stderr *s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = bytes[i];

        if (s->mark_length > 0 && c == '\n')
            end_mark(s);
        else if (s->mark_length > 0 || c == JOB_STDERR_MARK)
            s->mark[s->mark_length++] = c;
        else
            keep(s, c);
        if (s->mark_length == WIRE_ID + 1)
            keep_as_text(s);
    }
}

/* Removes control characters and, where the text was cut, its incomplete first line; in place. */
static void clean(char *text, bool cut)
{
    char *start = text, *line;

    if (cut && (line = strchr(text, '\n')))
        start = line + 1;
    for (line = start; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char *end = strchr(line, '\n');

        if (end)
            *end = '\0';
        text_sanitize(line);
        if (end)
            *end = '\n';
    }
    memmove(text, start, strlen(start) + 1);
}

char *job_stderr_text(const struct job_stderr *s, const char *job)
{
    size_t part = 0;
    uint64_t begin = 0, end, first;
    char *text;

    while (part < s->part_count && strcmp(s->parts[part].job, job) != 0)
        part++;
    if (part < s->part_count)
        begin = s->parts[part++].begin;
    else
        part = 0;
    end = part < s->part_count ? s->parts[part].begin : s->total;
    first = begin;
    if (s->total - first > JOB_STDERR_KEPT)
        first = s->total - JOB_STDERR_KEPT;
    if (first >= end || !(text = malloc(end - first + 1)))
        return NULL;
    for (uint64_t i = first; i < end; i++) {
        char c = s->ring[i % JOB_STDERR_KEPT];

        text[i - first] = c ? c : '?';
    }
    text[end - first] = '\0';
    clean(text, first > begin);
    return text;
}
