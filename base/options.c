#include "base/options.h"

#include <string.h>

#include "base/text.h"

struct line {
    const struct options *o;
    int argc;
    char **argv;
    int words; /* index in argv of the first word that is not an option */
    int at;    /* index of the word that is read now; the words that are not options are just before it */
};

static size_t find_name(const struct options *o, const char *name, size_t n)
{
    size_t found = o->count, begins = 0;

    for (size_t i = 0; i < o->count; i++)
        if (str_is(name, n, o->specs[i].name))
            return i;
    for (size_t i = 0; !o->whole_names && n > 0 && i < o->count; i++)
        if (strncmp(o->specs[i].name, name, n) == 0) {
            found = i;
            begins++;
        }
    return begins == 1 ? found : o->count;
}

static size_t find_letter(const struct options *o, char letter)
{
    size_t i = 0;

    while (i < o->count && o->specs[i].letter != letter)
        i++;
    return i;
}

/* Moves the word that is read now before the words that are not options. */
static void put_before(struct line *l)
{
    char *word = l->argv[l->at];

    memmove(&l->argv[l->words + 1], &l->argv[l->words], (size_t)(l->at - l->words) * sizeof *l->argv);
    l->argv[l->words++] = word;
    l->at++;
}

/* Returns the next word as the option's value; NULL where there is no next word. Call it after put_before() of the
 * option's own word. */
static const char *next_value(struct line *l)
{
    const char *value = l->at < l->argc ? l->argv[l->at] : NULL;

    if (value)
        put_before(l);
    return value;
}

static int read_long(struct line *l, const char *word, struct err *e)
{
    const struct options *o = l->o;
    const char *name = word + 2, *equals = strchr(name, '='), *value = equals ? equals + 1 : NULL;
    size_t at = find_name(o, name, equals ? (size_t)(equals - name) : strlen(name));

    if (at == o->count)
        return o->fault(o->ctx, OPTION_UNKNOWN, at, word, e);
    if (value && o->specs[at].value == OPTION_FLAG)
        return o->fault(o->ctx, OPTION_TAKES_NO_VALUE, at, word, e);
    if (!value && o->specs[at].value == OPTION_VALUE && !(value = next_value(l)))
        return o->fault(o->ctx, OPTION_NEEDS_VALUE, at, word, e);
    return o->take(o->ctx, at, value, e);
}

static int read_letters(struct line *l, const char *word, struct err *e)
{
    const struct options *o = l->o;
    int ret = 0;

    for (const char *c = word + 1; *c && ret == 0; c++) {
        size_t at = find_letter(o, *c);
        const char *value = NULL;

        if (at == o->count)
            return o->fault(o->ctx, OPTION_UNKNOWN, at, word, e);
        if (o->specs[at].value == OPTION_VALUE) {
            value = c[1] ? c + 1 : next_value(l);
            if (!value)
                return o->fault(o->ctx, OPTION_NEEDS_VALUE, at, word, e);
        }
        ret = o->take(o->ctx, at, value, e);
        if (value)
            break;
    }
    return ret;
}

int options_read(const struct options *o, int argc, char **argv, int *words, struct err *e)
{
    struct line l = {.o = o, .argc = argc, .argv = argv, .words = 1, .at = 1};
    int ret = 0;

    while (l.at < argc && ret == 0) {
        const char *word = argv[l.at];

        if (word[0] != '-' || !word[1]) {
            if (o->first_word_ends)
                break;
            l.at++;
            continue;
        }
        put_before(&l);
        if (strcmp(word, "--") == 0)
            break;
        ret = word[1] == '-' ? read_long(&l, word, e) : read_letters(&l, word, e);
    }
    *words = l.words;
    return ret < 0 ? -1 : 0;
}
