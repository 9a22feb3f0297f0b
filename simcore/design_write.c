/* simcore/design_write.c: the text of a design file that states every parameter. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "simcore/design_params.h"
#include "simcore/design_read.h"

struct writer {
    const json_t *root;
    struct strbuf out;
    char group[32], unit[32]; /* what is open; unit: inside "units" */
    bool first;               /* it is empty so far */
};

static void write_json(struct writer *w, json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

    w->out.failed |= !text;
    strbuf_adds(&w->out, text ? text : "");
    free(text);
}

static void close_unit(struct writer *w)
{
    if (w->unit[0])
        strbuf_adds(&w->out, "\n    }");
    w->first &= !w->unit[0];
    w->unit[0] = '\0';
}

static void open_group(struct writer *w, const char *full)
{
    const char *dot = strchr(full, '.');
    size_t n = strcspn(full, ".");

    if (strncmp(w->group, full, n) != 0 || w->group[n]) {
        if (w->group[0])
            strbuf_adds(&w->out, "\n  },\n");
        snprintf(w->group, sizeof w->group, "%.*s", (int)n, full);
        strbuf_addf(&w->out, "  \"%s\": {\n", w->group);
        w->first = true;
    }
    if (strcmp(w->unit, dot ? dot + 1 : "") == 0)
        return;
    close_unit(w);
    if (dot) {
        snprintf(w->unit, sizeof w->unit, "%s", dot + 1);
        strbuf_addf(&w->out, "%s    \"%s\": {\n", w->first ? "" : ",\n", w->unit);
        w->first = true;
    }
}

static void write_leaf(struct writer *w, const struct design_param *p)
{
    static const char *const members[] = {"value", "unit", "source", "reason"};
    const json_t *leaf = design_leaf(w->root, p->group, p->key);

    if (!leaf) /* left out */
        return;
    open_group(w, p->group);
    strbuf_addf(&w->out, "%s%s\"%s\": {", w->first ? "" : ",\n", w->unit[0] ? "      " : "    ", p->key);
    w->first = false;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *member = json_object_get(leaf, members[i]);

        if (!member)
            continue;
        strbuf_addf(&w->out, "%s\"%s\": ", i ? ", " : "", members[i]);
        write_json(w, member);
    }
    strbuf_adds(&w->out, "}");
}

char *design_write(const json_t *root, struct err *e)
{
    static const char *const head[] = {"format", "version", "name", "title", "gpu_names"};
    struct writer w = {.root = root, .out = STRBUF_INIT};
    const char *key, *between = "";
    json_t *value;

    strbuf_adds(&w.out, "{\n");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        strbuf_addf(&w.out, "  \"%s\": ", head[i]);
        write_json(&w, json_object_get(root, head[i]));
        strbuf_adds(&w.out, ",\n");
    }
    strbuf_adds(&w.out, "  \"sources\": {\n");
    json_object_foreach(json_object_get(root, "sources"), key, value)
    {
        json_t *name = json_string(key);

        strbuf_addf(&w.out, "%s    ", between);
        write_json(&w, name);
        strbuf_adds(&w.out, ": ");
        write_json(&w, value);
        json_decref(name);
        between = ",\n";
    }
    strbuf_adds(&w.out, "\n  },\n");
    for (const struct design_param *p = design_params; p->group; p++)
        write_leaf(&w, p);
    strbuf_adds(&w.out, "\n  }\n}\n");
    if (w.out.failed) {
        strbuf_release(&w.out);
        err_no_memory(e);
        return NULL;
    }
    return strbuf_detach(&w.out);
}

char *design_file_text(const struct gpu_design *d, struct err *e)
{
    json_t *root = json_loadb(d->json, d->json_bytes, 0, NULL); /* our own text: only memory can be missing */
    char *text = root ? design_write(root, e) : NULL;

    if (!root)
        err_no_memory(e);
    json_decref(root);
    return text;
}
