/* docs/openapi.json against routes.c, both ways: no route without a description, no description without a route,
 * and each names the scope that the route asks for. */
#include "tests/harness/check.h"

#include <ctype.h>
#include <jansson.h>

#include "base/embed.h"
#include "server/access/access.h"
#include "server/access/access_rules.h"
#include "server/http/http.h"

static json_t *read_document(void)
{
    json_error_t error;
    json_t *doc = json_loadb((const char *)embedded_openapi[0].bytes, embedded_openapi[0].size,
                             JSON_REJECT_DUPLICATES, &error);

    if (!doc)
        fail_msg("docs/openapi.json, line %d: %s", error.line, error.text);
    return doc;
}

static void lower(const char *s, char *out)
{
    for (; *s; s++)
        *out++ = (char)tolower((unsigned char)*s);
    *out = '\0';
}

static bool of_the_dashboard(const struct route *r)
{
    return strstr(r->path, "{path*}") != NULL;
}

static void every_route_is_described(void **state)
{
    json_t *doc = read_document(), *paths = json_object_get(doc, "paths");

    (void)state;
    for (const struct route *r = routes; r->method; r++) {
        char method[16];

        lower(r->method, method);
        if (!of_the_dashboard(r) && !json_object_get(json_object_get(paths, r->path), method))
            fail_msg("%s %s is not in docs/openapi.json", r->method, r->path);
    }
    json_decref(doc);
}

static const struct route *find(const char *method, const char *path)
{
    char name[16];

    for (const struct route *r = routes; r->method; r++) {
        lower(r->method, name);
        if (strcmp(name, method) == 0 && strcmp(r->path, path) == 0)
            return r;
    }
    return NULL;
}

static void check_operation(const char *path, const char *method, const json_t *op)
{
    const struct route *r = find(method, path);
    const json_t *security = json_object_get(op, "security");
    const char *scope = json_string_value(json_array_get(json_object_get(json_array_get(security, 0), "token"), 0));

    if (!r)
        fail_msg("docs/openapi.json describes %s %s, which is no route", method, path);
    if (!json_is_string(json_object_get(op, "summary")) || json_object_size(json_object_get(op, "responses")) < 2)
        fail_msg("%s %s has no summary, or no answers", method, path);
    if (r->scope == SCOPE_NONE ? scope != NULL : !scope || strcmp(scope, scope_name(r->scope)) != 0)
        fail_msg("%s %s needs the scope %s, the document says %s", method, path,
                 r->scope ? scope_name(r->scope) : "none", scope ? scope : "none");
    if (r->body_most == 0 && json_object_get(op, "requestBody"))
        fail_msg("%s %s takes no body, the document says it does", method, path);
}

static void every_description_is_a_route(void **state)
{
    json_t *doc = read_document(), *item, *op;
    const char *path, *method;

    (void)state;
    json_object_foreach(json_object_get(doc, "paths"), path, item) json_object_foreach(item, method, op)
        check_operation(path, method, op);
    json_decref(doc);
}

/* Each {name} of an address is a parameter, and each $ref points at something. */
static void check_refs(const json_t *doc, const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;

    json_object_foreach((json_t *)value, key, member)
    {
        if (strcmp(key, "$ref") == 0) {
            const char *at = json_string_value(member);
            json_t *schemas = json_object_get(json_object_get(doc, "components"), "schemas");

            if (strncmp(at, "#/components/schemas/", 21) != 0 || !json_object_get(schemas, at + 21))
                fail_msg("%s points at nothing", at);
        }
        check_refs(doc, member);
    }
    json_array_foreach(value, i, member) check_refs(doc, member);
}

static void references_point_at_something(void **state)
{
    json_t *doc = read_document();

    (void)state;
    check_refs(doc, doc);
    json_decref(doc);
}

static void parameters_are_listed(void **state)
{
    json_t *doc = read_document(), *item, *op, *parameter;
    const char *path, *method;
    size_t i;

    (void)state;
    json_object_foreach(json_object_get(doc, "paths"), path, item) json_object_foreach(item, method, op)
    {
        size_t in_path = 0, listed = 0;

        for (const char *c = path; *c; c++)
            in_path += *c == '{';
        json_array_foreach(json_object_get(op, "parameters"), i, parameter) listed +=
            strcmp(json_string_value(json_object_get(parameter, "in")), "path") == 0;
        if (in_path != listed)
            fail_msg("%s %s: %zu parameters in the path, %zu described", method, path, in_path, listed);
    }
    json_decref(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_route_is_described),
        cmocka_unit_test(every_description_is_a_route),
        cmocka_unit_test(references_point_at_something),
        cmocka_unit_test(parameters_are_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
