#include "worker/last_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void last_words_add(struct last_words *w, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        w->ring[w->total++ % LAST_WORDS_KEPT] = bytes[i];
}

char *last_words_text(const struct last_words *w)
{
    uint64_t said = w->total - w->job, n = said < LAST_WORDS_KEPT ? said : LAST_WORDS_KEPT, from = w->total - n;
    char *text = malloc(n + 1), *start = text, *line;

    if (!text || n == 0) {
        free(text);
        return NULL;
    }
    for (uint64_t i = 0; i < n; i++) {
        char c = w->ring[(from + i) % LAST_WORDS_KEPT];

        text[i] = c ? c : '?';
    }
    text[n] = '\0';
    if (from > w->job && (line = strchr(text, '\n')))
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
    return text;
}

void last_words_next_job(struct last_words *w, bool together)
{
    if (!together || w->total > w->job)
        w->earlier = w->job;
    w->job = w->total;
}
