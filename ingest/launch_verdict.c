/* The result of a comparison as an error message and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/assert.h"
#include "base/text.h"
#include "ingest/launch_check.h"

#define SHAPE_TEXT 48

static const char *shape_text(const uint32_t d[3], char out[SHAPE_TEXT])
{
    snprintf(out, SHAPE_TEXT, "(%u,%u,%u)", d[0], d[1], d[2]);
    return out;
}

#define NAME_TEXT 112

/* Index just before two long names begin to differ. 0 when the difference is near the beginning. */
static size_t where_they_part(const char *a, const char *b)
{
    size_t n = 0, lead = NAME_TEXT / 3;

    while (a[n] && a[n] == b[n])
        n++;
    return n > NAME_TEXT / 2 ? n - lead : 0;
}

/* A part of a name from byte `from` on. It never cuts a UTF-8 character. */
static const char *piece(const char *s, size_t from, char out[NAME_TEXT])
{
    static const char dots[] = "…";
    const size_t room = NAME_TEXT - 2 * sizeof dots;
    size_t n;

    ASSERT(from <= strlen(s));
    for (s += from; ((unsigned char)*s & 0xc0) == 0x80; s++) /* continuation bytes of UTF-8 */
        continue;
    n = strlen(s);
    n = utf8_valid_prefix(s, n < room ? n : room);
    snprintf(out, NAME_TEXT, "%s%.*s%s", from ? dots : "", (int)n, s, s[n] ? dots : "");
    return out;
}

/* The demangler cuts names by the lengths in them, so its result may be invalid UTF-8. */
static char *demangled(const char *listed, struct err *e)
{
    char *name = demangle(listed, e);

    if (name)
        text_sanitize(name);
    return name;
}

/* Reports both spellings of both names. */
static int refuse_name(const struct launch_verdict *v, const struct profile *p, struct err *e)
{
    const struct launch_mismatch *m = &v->mismatch;
    const struct profile_kernel *k = &p->kernels[p->kernel[m->launch]];
    const char *mangled = k->mangled_name ? k->mangled_name : k->name;
    char *listed = demangled(m->listed_name, e), a[NAME_TEXT], b[NAME_TEXT];
    size_t from;

    ASSERT(m->launch < p->count);
    if (!listed)
        return -1;
    from = where_they_part(listed, k->name);
    err_set(e, ERR_INVALID, "launch %" PRIu64 " is %s in the list (%s %" PRIu64 "), but %s in the profile",
            m->order, piece(listed, from, a), m->place, m->number, piece(k->name, from, b));
    free(listed);
    from = where_they_part(m->listed_name, mangled);
    return err_hint(e, "its name is %s in the list, and %s in the profile", piece(m->listed_name, from, a),
                    piece(mangled, from, b));
}

static int refuse_shape(const struct launch_verdict *v, const struct profile *p, struct err *e)
{
    const struct launch_mismatch *m = &v->mismatch;
    const struct profile_kernel *k = &p->kernels[p->kernel[m->launch]];
    bool grid = strcmp(m->what, "grid") == 0;
    char a[SHAPE_TEXT], b[SHAPE_TEXT], name[NAME_TEXT];

    ASSERT(m->launch < p->count && m->listed_shape);
    err_set(e, ERR_INVALID, "launch %" PRIu64 ", %s, has %s %s in the list (%s %" PRIu64 "), but %s in the profile",
            m->order, piece(k->name, 0, name), m->what, shape_text(grid ? m->listed_grid : m->listed_block, a),
            m->place, m->number, shape_text(grid ? k->grid : k->block, b));
    return err_hint(
        e, "The program did not do the same as when it was profiled. Use the same input and the same seeds.");
}

static int refuse_ambiguous(const struct launch_verdict *v, struct err *e)
{
    ASSERT(v->places > 1 && v->offset < v->second);
    err_set(e, ERR_INVALID,
            "the profile's %" PRIu64 " launches are in the list at %" PRIu64 " places, first from launch %" PRIu64
            " and from launch %" PRIu64,
            v->calls, v->places, v->offset, v->second);
    return err_hint(e, "Give --offset N, the launch of the list, counted from 0, at which the profile began");
}

/* For a profile of a part of the run: reports where the list matches, and how far. */
static int hint_offset(const struct launch_verdict *v, struct err *e)
{
    char before[sizeof e->hint];

    if (!v->offset || !v->matched)
        return -1;
    memcpy(before, e->hint, sizeof before);
    return err_hint(
        e, "The profile's first %" PRIu64 " launches are launches %" PRIu64 " to %" PRIu64 " of the list. %s",
        v->matched, v->offset, v->offset + v->matched - 1, before);
}

static int refuse(const struct launch_verdict *v, const struct profile *p, struct err *e)
{
    const struct launch_mismatch *m = &v->mismatch;
    char name[NAME_TEXT];

    ASSERT(m->there);
    if (strcmp(m->what, "ambiguous") == 0)
        return refuse_ambiguous(v, e);
    if (strcmp(m->what, "missing") == 0) {
        err_set(e, ERR_INVALID,
                "the list ends after %" PRIu64 " launches; the profile has %" PRIu64 ", the next is %s", m->order,
                v->calls, piece(p->kernels[p->kernel[m->launch]].name, 0, name));
        return err_hint(
            e, "The tracer counted fewer launches than the profiler: older tracers count only cuLaunchKernel.");
    }
    if (strcmp(m->what, "extra") == 0) {
        err_set(e, ERR_INVALID,
                "the list goes on with %s (%s %" PRIu64
                ") where the profile has no launch any more: it has %" PRIu64,
                piece(m->listed_name, 0, name), m->place, m->number, v->calls);
        return err_hint(e, "Profile and trace the same part of the program, with the same input.");
    }
    if (strcmp(m->what, "name") != 0)
        return refuse_shape(v, p, e);
    return refuse_name(v, p, e);
}

int launch_verdict_refuse(const struct launch_verdict *v, const struct profile *p, struct err *e)
{
    refuse(v, p, e);
    return hint_offset(v, e);
}

static json_t *shape_json(const uint32_t d[3])
{
    return json_pack("[I, I, I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

static json_t *listed_json(const struct launch_mismatch *m)
{
    struct err ignored;
    char *name;
    json_t *v;

    if (!m->listed_name)
        return json_null();
    name = demangled(m->listed_name, &ignored);
    v = name ? json_pack("{s:s, s:s, s:s, s:I, s:o?, s:o?}", "name", name, "spelled", m->listed_name, "place",
                         m->place, "number", (json_int_t)m->number, "grid",
                         m->listed_shape ? shape_json(m->listed_grid) : NULL, "block",
                         m->listed_shape ? shape_json(m->listed_block) : NULL)
             : NULL;
    free(name);
    return v;
}

static json_t *profiled_json(const struct launch_mismatch *m, const struct profile *p)
{
    const struct profile_kernel *k;

    if (strcmp(m->what, "extra") == 0)
        return json_null();
    ASSERT(m->launch < p->count);
    k = &p->kernels[p->kernel[m->launch]];
    return json_pack("{s:I, s:s, s:s?, s:o, s:o}", "launch", (json_int_t)m->launch, "name", k->name, "mangled_name",
                     k->mangled_name, "grid", shape_json(k->grid), "block", shape_json(k->block));
}

static json_t *mismatch_json(const struct launch_verdict *v, const struct profile *p)
{
    const struct launch_mismatch *m = &v->mismatch;
    struct err e;

    if (!m->there)
        return json_null();
    launch_verdict_refuse(v, p, &e);
    return json_pack("{s:s, s:I, s:s, s:s, s:o, s:o}", "what", m->what, "order", (json_int_t)m->order, "detail",
                     e.text, "hint", e.hint, "listed", listed_json(m), "profiled", profiled_json(m, p));
}

json_t *launch_verdict_json(const struct launch_verdict *v, const struct profile *p)
{
    ASSERT(v->matched <= v->listed);
    return json_pack("{s:b, s:s, s:I, s:s, s:I, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "ok", !v->mismatch.there,
                     "format", v->format, "context", (json_int_t)v->context, "part", v->group, "parts",
                     (json_int_t)v->groups, "whole", (int)v->in_order, "offset", (json_int_t)v->offset, "places",
                     (json_int_t)v->places, "listed", (json_int_t)v->listed, "expected", (json_int_t)v->expected,
                     "matched", (json_int_t)v->matched, "graph_launches", (json_int_t)v->graph_launches, "mismatch",
                     mismatch_json(v, p));
}
