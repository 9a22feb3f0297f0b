#include "server/http/queries.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"

struct names {
    bool known; /* false: the address takes anything */
    size_t count, capacity;
    char **items; /* sorted */
};
struct queries {
    size_t count;
    struct names *of; /* for each route */
};
struct name {
    const char *text;
    size_t length;
};

static const char *const of_lists[] = {"after", "limit", "format"};

static int against(const void *key, const void *item)
{
    const struct name *k = key;
    const char *name = *(const char *const *)item;
    int order = strncmp(k->text, name, k->length);

    return order ? order : -(name[k->length] != 0);
}

static bool has(const struct names *n, const char *text, size_t length)
{
    return array_search(&(struct name){text, length}, n->items, n->count, sizeof *n->items, against);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int add(struct names *n, const char *name, struct err *e)
{
    if (has(n, name, strlen(name)))
        return 0;
    if (array_reserve((void **)&n->items, &n->capacity, n->count + 1, sizeof *n->items, e) < 0)
        return -1;
    n->items[n->count] = mem_strdup(name, e);
    if (!n->items[n->count])
        return -1;
    n->count++;
    array_sort(n->items, n->count, sizeof *n->items, by_text);
    return 0;
}

static int read_names(struct names *n, const json_t *operation, bool reads, struct err *e)
{
    const json_t *parameter;
    size_t i;

    n->known = true;
    json_array_foreach(json_object_get(operation, "parameters"), i, parameter)
    {
        const char *in = json_string_value(json_object_get(parameter, "in"));
        const char *name = json_string_value(json_object_get(parameter, "name"));

        if (in && name && strcmp(in, "query") == 0 && add(n, name, e) < 0)
            return -1;
    }
    for (i = 0; reads && i < sizeof of_lists / sizeof *of_lists; i++) {
        if (add(n, of_lists[i], e) < 0)
            return -1;
    }
    return 0;
}

/* Methods are small letters in the document. */
static const json_t *operation_of(const json_t *document, const struct route *route)
{
    json_t *at = json_object_get(json_object_get(document, "paths"), route->path);
    const char *method;
    json_t *operation;

    json_object_foreach(at, method, operation)
    {
        if (strcasecmp(method, route->method) == 0)
            return operation;
    }
    return NULL;
}

static int read_routes(struct queries *q, const struct route *table, const json_t *document, struct err *e)
{
    for (size_t i = 0; i < q->count; i++) {
        const json_t *operation = operation_of(document, &table[i]);

        if (operation && str_starts(table[i].path, "/api/v1/") &&
            read_names(&q->of[i], operation, strcmp(table[i].method, "GET") == 0, e) < 0)
            return -1;
    }
    return 0;
}

int queries_new(const struct route *table, const unsigned char *document, size_t bytes, struct queries **out,
                struct err *e)
{
    json_t *doc = json_loadb((const char *)document, bytes, 0, NULL);
    struct queries *q = doc ? mem_zalloc(1, sizeof *q, e) : NULL;
    int ret = doc ? 0 : err_set(e, ERR_INTERNAL, "the API document of this build is not JSON");

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
    for (size_t i = 0; q->of && i < q->count; i++) {
        for (size_t k = 0; k < q->of[i].count; k++)
            free(q->of[i].items[k]);
        free(q->of[i].items);
    }
    free(q->of);
    free(q);
}

static int refuse(const struct names *n, const char *key, size_t length, struct err *e)
{
    struct strbuf takes = STRBUF_INIT;

    for (size_t i = 0; i < n->count; i++)
        strbuf_addf(&takes, "%s%s", i ? ", " : "", n->items[i]);
    err_set(e, ERR_MALFORMED, "this address has no query parameter `%.*s`; it takes %s",
            length < 60 ? (int)length : 60, key, takes.length ? takes.text : "none");
    strbuf_release(&takes);
    return -1;
}

int queries_check(const struct queries *q, size_t route, const char *uri, struct err *e)
{
    const struct names *n = q ? &q->of[route] : NULL;
    const char *at = strchr(uri, '?');

    for (at = at && n && n->known ? at + 1 : ""; *at; at += *at == '&') {
        size_t length = strcspn(at, "=&");

        if (length > 0 && !has(n, at, length))
            return refuse(n, at, length, e);
        at += strcspn(at, "&");
    }
    return 0;
}
