#include "ptx/list/launch_list_pack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"
#include "base/archive_write.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"

#define LIST_NAME "launches.json"

/* --- packing --- */

/* The file's name in the list. NULL: the file is outside the list's folder, so the archive cannot contain it. */
static const char *name_in(const struct launch_list *l, const char *file)
{
    const char *name = str_starts(file, l->folder) ? file + strlen(l->folder) : file;
    size_t n = strlen(name);

    if (name[0] == '/' || str_starts(name, "../") || strstr(name, "/../") || (n > 2 && str_ends(name, "/..")))
        return NULL;
    return name;
}

static bool named_before(const struct launch_list *l, const char *file, uint32_t modules, uint32_t buffers)
{
    for (uint32_t i = 0; i < modules; i++)
        if (strcmp(l->modules[i].file, file) == 0)
            return true;
    for (uint32_t i = 0; i < buffers; i++)
        if (l->buffers[i].init == INIT_FILE && strcmp(l->buffers[i].file, file) == 0)
            return true;
    return false;
}

static int add(struct archive_writer *w, const struct launch_list *l, const char *file, struct err *e)
{
    const char *name = name_in(l, file);

    if (name)
        return archive_writer_file(w, name, file, e);
    err_set(e, ERR_INVALID, "%s: %s is outside of the list's folder and cannot be packed with it", l->path, file);
    return err_hint(e, "Copy it beside the list, and name it there.");
}

static int add_all(struct archive_writer *w, const struct launch_list *l, const struct strbuf *json, struct err *e)
{
    if (archive_writer_bytes(w, LIST_NAME, json->text, json->length, e) < 0)
        return -1;
    for (uint32_t i = 0; i < l->module_count; i++)
        if (!named_before(l, l->modules[i].file, i, 0) && add(w, l, l->modules[i].file, e) < 0)
            return -1;
    for (uint32_t i = 0; i < l->buffer_count; i++)
        if (l->buffers[i].init == INIT_FILE && !named_before(l, l->buffers[i].file, l->module_count, i) &&
            add(w, l, l->buffers[i].file, e) < 0)
            return -1;
    return archive_writer_finish(w, e);
}

int launch_list_pack(const char *path, const struct launch_list *l, int fd, struct err *e)
{
    struct archive_writer *w = archive_writer_new(fd, e);
    struct strbuf json = STRBUF_INIT;
    int ret = w ? stream_read_whole(path, LAUNCH_LIST_BYTES_MAX, &json, e) : -1;

    if (ret == 0)
        ret = add_all(w, l, &json, e);
    strbuf_release(&json);
    archive_writer_free(w);
    return ret;
}

/* --- unpacking --- */

struct unpacking {
    struct archive *a;
    uint64_t left; /* bytes that the unpacked list may still add */
    struct launch_list *l;
};

/* Reads the member's bytes and appends a NUL. */
static char *read_member(struct unpacking *u, const struct archive_member *m, struct err *e)
{
    uint64_t have = 0;
    ssize_t got;
    char *bytes;

    if (m->bytes > u->left) {
        err_set(e, ERR_TOO_LARGE, "the program needs more memory than this simulation may use (at %s)", m->name);
        return NULL;
    }
    u->left -= m->bytes;
    bytes = mem_zalloc(m->bytes + 1, 1, e);
    while (bytes && have < m->bytes) {
        got = archive_member_read(u->a, bytes + have, m->bytes - have, e);
        if (got <= 0) {
            free(bytes);
            return NULL;
        }
        have += (uint64_t)got;
    }
    return bytes;
}

static int give_buffer(struct list_buffer *b, const char *bytes, uint64_t n, struct err *e)
{
    uint64_t want = b->count * element_bytes(b->type);

    if (b->offset > n || want > n - b->offset)
        return err_set(e, ERR_INVALID,
                       "%s: buffer %s needs %" PRIu64 " bytes at byte %" PRIu64 ", and the file has %" PRIu64
                       " there",
                       b->file, b->name, want, b->offset, b->offset > n ? 0 : n - b->offset);
    b->values = mem_zalloc(want + 1, 1, e);
    if (!b->values)
        return -1;
    memcpy(b->values, bytes + b->offset, want);
    b->init = INIT_VALUES;
    return 0;
}

/* Passes the member's bytes to every module and buffer that names this file. */
static int give(struct unpacking *u, const struct archive_member *m, const char *bytes, struct err *e)
{
    struct launch_list *l = u->l;

    for (uint32_t i = 0; i < l->module_count; i++) {
        if (strcmp(l->modules[i].file, m->name) != 0 || l->modules[i].text)
            continue;
        l->modules[i].text = mem_zalloc(m->bytes + 1, 1, e);
        if (!l->modules[i].text)
            return -1;
        memcpy(l->modules[i].text, bytes, m->bytes);
        l->modules[i].bytes = m->bytes;
    }
    for (uint32_t i = 0; i < l->buffer_count; i++)
        if (l->buffers[i].init == INIT_FILE && strcmp(l->buffers[i].file, m->name) == 0 &&
            give_buffer(&l->buffers[i], bytes, m->bytes, e) < 0)
            return -1;
    return 0;
}

static int take_member(struct unpacking *u, const struct archive_member *m, struct err *e)
{
    char *bytes = read_member(u, m, e);
    int ret = -1;

    if (!bytes)
        return -1;
    if (u->l)
        ret = give(u, m, bytes, e);
    else if (strcmp(m->name, LIST_NAME) == 0)
        ret = launch_list_parse(bytes, m->bytes, LIST_NAME, &u->l, e);
    else
        err_set(e, ERR_INVALID, "a packed program begins with " LIST_NAME ", and this one begins with %s", m->name);
    free(bytes);
    return ret;
}

static int all_there(const struct launch_list *l, struct err *e)
{
    if (!l)
        return err_set(e, ERR_INVALID, "the packed program is empty");
    for (uint32_t i = 0; i < l->module_count; i++)
        if (!l->modules[i].text)
            return err_set(e, ERR_INVALID, "the packed program lacks %s", l->modules[i].file);
    for (uint32_t i = 0; i < l->buffer_count; i++)
        if (l->buffers[i].init == INIT_FILE)
            return err_set(e, ERR_INVALID, "the packed program lacks %s", l->buffers[i].file);
    return 0;
}

int launch_list_unpack(const char *path, uint64_t most, struct launch_list **out, struct err *e)
{
    struct unpacking u = {.left = most};
    struct archive_member m;
    int ret, got;

    *out = NULL;
    ret = archive_open(path, &u.a, e);
    while (ret == 0 && (got = archive_next(u.a, &m, e)) != 0)
        ret = got < 0 ? -1 : take_member(&u, &m, e);
    if (ret == 0)
        ret = all_there(u.l, e);
    archive_close(u.a);
    if (ret < 0)
        launch_list_free(u.l);
    else
        *out = u.l;
    return ret;
}
