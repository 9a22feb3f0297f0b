#include "server/http/queries.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"

struct queries {
    size_t count;
    char **of; /* for each route "name, name, name"; NULL: it takes anything */
};

static const char *const of_lists[] = {"after", "limit", "format"};

/* "name, name" has that name. */
static bool has(const char *list, const char *name, size_t n)
{
    for (; *list; list += strspn(list, ", ")) {
        size_t length = strcspn(list, ",");

        if (length == n && strncmp(list, name, n) == 0)
            return true;
        list += length;
    }
    return false;
}

static void add(struct strbuf *list, const char *name)
{
    strbuf_addf(list, "%s%s", list->length ? ", " : "", name);
}

static char *names_of(const json_t *operation, struct err *e)
{
    struct strbuf list = STRBUF_INIT;
    const json_t *parameter;
    char *text;
    size_t i;

    json_array_foreach(json_object_get(operation, "parameters"), i, parameter)
    {
        const char *in = json_string_value(json_object_get(parameter, "in"));
        const char *name = json_string_value(json_object_get(parameter, "name"));

        if (in && name && strcmp(in, "query") == 0)
            add(&list, name);
    }
    for (i = 0; i < sizeof of_lists / sizeof *of_lists; i++)
        if (!has(list.text, of_lists[i], strlen(of_lists[i])))
            add(&list, of_lists[i]);
    text = strbuf_detach(&list);
    if (!text)
        err_no_memory(e);
    return text;
}

static int read_routes(struct queries *q, const struct route *table, const json_t *document, struct err *e)
{
    for (size_t i = 0; i < q->count; i++) {
        const json_t *at = json_object_get(json_object_get(document, "paths"), table[i].path);
        const json_t *operation = json_object_get(at, "get");

        if (!operation || strcmp(table[i].method, "GET") != 0 || !str_starts(table[i].path, "/api/v1/"))
            continue;
        q->of[i] = names_of(operation, e);
        if (!q->of[i])
            return -1;
    }
    return 0;
}

int queries_new(const struct route *table, const unsigned char *document, size_t bytes, struct queries **out,
                struct err *e)
{
    json_t *doc = json_loadb((const char *)document, bytes, 0, NULL);
    struct queries *q = doc ? mem_zalloc(1, sizeof *q, e) : NULL;
    int ret = doc ? 0 : err_set(e, ERR_INTERNAL, "the API document of this build is no JSON");

    if (q) {
        while (table[q->count].method)
            q->count++;
        q->of = mem_zalloc(q->count + 1, sizeof *q->of, e);
    }
    if (!q || !q->of || read_routes(q, table, doc, e) < 0)
        ret = -1;
    json_decref(doc);
    if (ret < 0) {
        queries_release(q);
        return -1;
    }
    *out = q;
    return 0;
}

void queries_release(struct queries *q)
{
    if (!q)
        return;
    for (size_t i = 0; q->of && i < q->count; i++)
        free(q->of[i]);
    free(q->of);
    free(q);
}

int queries_check(const struct queries *q, size_t route, const char *uri, struct err *e)
{
    const char *at = strchr(uri, '?'), *known = q ? q->of[route] : NULL;

    for (at = at && known ? at + 1 : ""; *at; at += *at == '&') {
        size_t key = strcspn(at, "=&");

        if (key > 0 && !has(known, at, key))
            return err_set(e, ERR_MALFORMED, "this address has no query parameter `%.*s`; it takes %s",
                           key < 60 ? (int)key : 60, at, known);
        at += strcspn(at, "&");
    }
    return 0;
}
