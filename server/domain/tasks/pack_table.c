#include "server/domain/tasks/pack_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"

#define MAGIC "VVPT0001"
#define LATE  64 /* names that were written last: launches of few kernels take turns */

struct head {
    char magic[8];
    uint64_t launches, name_bytes;
};

/* --- Writing, in the sandboxed process --- */

struct names {
    struct strbuf text; /* each name ends with a NUL */
    uint32_t late[LATE];
    size_t count;
};

static int put_name(struct names *n, const char *name, uint32_t *at, struct err *e)
{
    for (size_t i = 0; i < n->count && i < LATE; i++)
        if (strcmp(n->text.text + n->late[i], name) == 0) {
            *at = n->late[i];
            return 0;
        }
    if (n->text.length + strlen(name) >= UINT32_MAX)
        return err_set(e, ERR_TOO_LARGE, "the names of its kernels take more than 4 GiB");
    *at = n->late[n->count++ % LATE] = (uint32_t)n->text.length;
    strbuf_add(&n->text, name, strlen(name) + 1);
    return n->text.failed ? err_no_memory(e) : 0;
}

static int put_launches(FILE *f, const struct vtrace *v, struct names *n, struct err *e)
{
    for (size_t i = 0; i < vtrace_launch_count(v); i++) {
        const struct vtrace_launch *l = vtrace_launch_at(v, i);
        struct pack_launch p = {.context = l->context, .id = l->info.id};

        memcpy(p.grid, l->info.grid, sizeof p.grid);
        memcpy(p.block, l->info.block, sizeof p.block);
        if (put_name(n, l->info.name, &p.name, e) < 0)
            return -1;
        fwrite(&p, sizeof p, 1, f); /* a failure shows at the end */
    }
    return 0;
}

static int put_all(FILE *f, const struct vtrace *v, struct err *e)
{
    struct head h = {.magic = MAGIC, .launches = vtrace_launch_count(v)};
    struct names n = {.text = STRBUF_INIT};
    int ret;

    fwrite(&h, sizeof h, 1, f);
    ret = put_launches(f, v, &n, e);
    h.name_bytes = n.text.length;
    if (n.text.length > 0)
        fwrite(n.text.text, 1, n.text.length, f);
    strbuf_release(&n.text);
    if (ret == 0 && (fseek(f, 0, SEEK_SET) < 0 || fwrite(&h, sizeof h, 1, f) != 1 || fflush(f) != 0 || ferror(f)))
        ret = err_set_errno(e, errno, "the table of launches");
    return ret;
}

int pack_table_write(const char *path, const struct vtrace *v, struct err *e)
{
    FILE *f = fopen(path, "wbe");
    int ret;

    if (!f)
        return err_set_errno(e, errno, "the table of launches");
    ret = put_all(f, v, e);
    if (fclose(f) != 0 && ret == 0)
        ret = err_set_errno(e, errno, "the table of launches");
    return ret;
}

/* --- Reading, in the server --- */

static bool begins_name(const struct pack_table *t, uint32_t at, uint64_t name_bytes)
{
    return at < name_bytes && (at == 0 || t->names[at - 1] == '\0');
}

static bool sound(const struct pack_table *t, uint64_t name_bytes)
{
    if (name_bytes > 0 && t->names[name_bytes - 1] != '\0')
        return false;
    for (size_t i = 0; i < t->count; i++)
        if (!begins_name(t, t->launches[i].name, name_bytes) ||
            (i > 0 && t->launches[i].context < t->launches[i - 1].context))
            return false;
    return true;
}

/* Names are made safe to show, in their places. */
static void sanitize(char *names, size_t n)
{
    for (size_t i = 0; i < n; i += strlen(names + i) + 1)
        text_sanitize(names + i);
}

static bool take(struct pack_table *t, size_t n)
{
    struct head h;
    uint64_t rest;

    if (n < sizeof h)
        return false;
    memcpy(&h, t->bytes, sizeof h);
    rest = n - sizeof h;
    if (memcmp(h.magic, MAGIC, sizeof h.magic) != 0 || h.launches > rest / sizeof *t->launches)
        return false;
    rest -= h.launches * sizeof *t->launches;
    if (h.name_bytes != rest)
        return false;
    t->launches = (struct pack_launch *)(void *)(t->bytes + sizeof h);
    t->count = h.launches;
    t->names = t->bytes + (n - rest);
    if (!sound(t, rest))
        return false;
    sanitize(t->bytes + (n - rest), rest);
    return true;
}

int pack_table_read(const char *path, struct pack_table *out, struct err *e)
{
    size_t n;

    *out = (struct pack_table){.count = 0};
    if (whole_file_read(path, PACK_TABLE_MAX, &out->bytes, &n, e) < 0)
        return -1;
    if (take(out, n))
        return 0;
    pack_table_release(out);
    return err_set(e, ERR_INVALID, "the process that read the traces wrote no table of launches");
}

const char *pack_table_name(const struct pack_table *t, size_t launch)
{
    return t->names + t->launches[launch].name;
}

void pack_table_release(struct pack_table *t)
{
    free(t->bytes);
    *t = (struct pack_table){.count = 0};
}
