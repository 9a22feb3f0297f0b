/* The notes of an import about a file (ingest/import.h): one per reason, with a count and the first examples. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ingest/import.h"

/* The same maps generate the tables and the enums, so both have the same order. */
struct reason {
    const char *code, *sentence;
};
static const struct reason drops[DROP_COUNT] = {
#define X(name, code, sentence) {code, sentence},
    IMPORT_DROP_MAP(X)
#undef X
};
static const struct reason ignores[IGNORE_COUNT] = {
#define X(name, code, sentence) {code, sentence},
    IMPORT_IGNORE_MAP(X)
#undef X
};

/* The note with this code, created at the first call. NULL: out of memory. */
static struct import_note *note_get(struct import *im, struct import_notes *list, const char *code,
                                    const char *sentence)
{
    struct import_note *n;
    void *items = list->items;
    struct err e;

    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].code, code) == 0)
            return &list->items[i];
    }
    if (array_reserve(&items, &list->capacity, list->count + 1, sizeof *list->items, &e) < 0) {
        im->note_lost = true;
        return NULL;
    }
    ASSERT(list->count < list->capacity);
    list->items = items;
    n = &list->items[list->count];
    memset(n, 0, sizeof *n);
    n->code = code;
    n->sentence = mem_strdup(sentence, &e);
    if (!n->sentence) {
        im->note_lost = true;
        return NULL;
    }
    list->count++;
    return n;
}

static void note_example(struct import_note *n, const char *format, va_list ap)
{
    struct strbuf b = STRBUF_INIT;
    char *text;

    ASSERT(n->example_count <= IMPORT_EXAMPLES && n->example_count <= n->count);
    if (n->example_count == IMPORT_EXAMPLES)
        return;
    strbuf_vaddf(&b, format, ap);
    if (b.length > 300) { /* a name may have kilobytes; an example is one line on a screen */
        b.length = 297;
        b.text[b.length] = '\0';
        b.length = utf8_valid_prefix(b.text, b.length);
        b.text[b.length] = '\0';
        strbuf_adds(&b, "...");
    }
    text = strbuf_detach(&b);
    if (!text)
        return; /* the count is correct; only the example is missing */
    text_sanitize(text);
    n->examples[n->example_count++] = text;
}

void import_drop(struct import *im, enum import_drop why, const char *example, ...)
{
    struct import_note *n = note_get(im, &im->report->dropped, drops[why].code, drops[why].sentence);
    va_list ap;

    im->report->dropped_count++;
    if (!n)
        return;
    n->count++;
    ASSERT(n->count <= im->report->dropped_count);
    va_start(ap, example);
    note_example(n, example, ap);
    va_end(ap);
}

void import_ignore(struct import *im, enum import_ignore why, uint64_t count, const char *example, ...)
{
    struct import_note *n;
    va_list ap;

    if (count == 0)
        return;
    n = note_get(im, &im->report->ignored, ignores[why].code, ignores[why].sentence);
    im->report->ignored_count += count;
    if (!n)
        return;
    n->count += count;
    ASSERT(n->count <= im->report->ignored_count);
    va_start(ap, example);
    note_example(n, example, ap);
    va_end(ap);
}

void import_warn(struct import *im, const char *code, uint64_t count, const char *sentence, ...)
{
    struct strbuf b = STRBUF_INIT;
    struct import_note *n;
    va_list ap;

    va_start(ap, sentence);
    strbuf_vaddf(&b, sentence, ap);
    va_end(ap);
    n = note_get(im, &im->report->warnings, code, b.text);
    if (n)
        n->count += count;
    if (b.failed)
        im->note_lost = true;
    strbuf_release(&b);
}
