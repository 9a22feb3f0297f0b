/* ptx/tools/hash_log.c: writes hashes of buffers. */
#include "ptx/tools/hash_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/whole_file.h"

struct last { /* the last hash of the allocation at this address */
    uint64_t address, bytes;
    char hash[SHA256_HEX];
};

struct hash_log {
    char *path;
    char *values; /* the folder of contents; NULL: not requested */
    struct strbuf text;
    struct last *last; /* sorted by address */
    size_t count;
};

int hash_log_new(const char *path, bool values, struct hash_log **out, struct err *e)
{
    struct hash_log *l = mem_zalloc(1, sizeof *l, e);
    struct strbuf folder = STRBUF_INIT;

    if (!l)
        return -1;
    l->text = (struct strbuf)STRBUF_INIT;
    l->path = mem_strdup(path, e);
    if (values) {
        strbuf_addf(&folder, "%s.values", path);
        l->values = strbuf_detach(&folder);
        if (l->values && mkdir(l->values, 0777) != 0 && errno != EEXIST) {
            err_set_errno(e, errno, "%s", l->values);
            hash_log_free(l);
            return -1;
        }
    }
    if (!l->path || (values && !l->values)) {
        hash_log_free(l);
        return err_no_memory(e);
    }
    strbuf_adds(&l->text, HASH_LOG_FORMAT "\t1\n");
    *out = l;
    return 0;
}

void hash_log_free(struct hash_log *l)
{
    if (!l)
        return;
    free(l->path);
    free(l->values);
    strbuf_release(&l->text);
    free(l->last);
    free(l);
}

static const struct list_buffer *buffer_at(const struct launch_list_view *v, uint64_t address)
{
    for (uint32_t i = 0; i < v->list->buffer_count; i++)
        if (v->addresses[i] == address)
            return &v->list->buffers[i];
    return NULL;
}

/* If several allocations have the same label, their names are "x", "x#1", "x#2". */
static void add_name(struct strbuf *b, const struct device_allocation *const *all, size_t k)
{
    size_t same = 0;

    for (size_t i = 0; i < k; i++)
        same += strcmp(all[i]->label, all[k]->label) == 0;
    strbuf_adds(b, all[k]->label[0] ? all[k]->label : "unnamed");
    if (same)
        strbuf_addf(b, "#%zu", same);
}

static int keep_values(const struct hash_log *l, const char *hash, const void *bytes, size_t n, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    int ret = 0;

    if (!l->values)
        return 0;
    strbuf_addf(&path, "%s/%s", l->values, hash);
    if (path.failed)
        ret = err_no_memory(e);
    else if (access(path.text, F_OK) != 0)
        ret = whole_file_write(path.text, bytes, n, e);
    strbuf_release(&path);
    return ret;
}

static const struct last *last_of(const struct hash_log *l, const struct device_allocation *a)
{
    size_t low = 0, high = l->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (l->last[middle].address < a->address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->count && l->last[low].address == a->address && l->last[low].bytes == a->bytes ? &l->last[low]
                                                                                                  : NULL;
}

int hash_log_add(struct hash_log *l, const struct launch_list_view *v, struct err *e)
{
    size_t n;
    const struct device_allocation *const *all = device_allocations(v->memory, &n);
    struct last *now = mem_zalloc(n + 1, sizeof *now, e);

    strbuf_addf(&l->text, "launch\t%llu\t%s\n", (unsigned long long)v->number, v->step->name);
    for (size_t i = 0; now && i < n; i++) {
        const void *bytes = device_bytes(v->memory, all[i]->address, all[i]->bytes);
        const struct list_buffer *b = buffer_at(v, all[i]->address);
        const struct last *before = last_of(l, all[i]);

        now[i] = (struct last){.address = all[i]->address, .bytes = all[i]->bytes};
        if (sha256_bytes(bytes, all[i]->bytes, now[i].hash, e) != 0 ||
            keep_values(l, now[i].hash, bytes, all[i]->bytes, e) != 0) {
            free(now);
            return -1;
        }
        if (before && strcmp(before->hash, now[i].hash) == 0)
            continue;
        strbuf_adds(&l->text, "buffer\t");
        add_name(&l->text, all, i);
        strbuf_addf(&l->text, "\t%s\t%llu\t%s\n", b ? element_name(b->type) : "-",
                    (unsigned long long)all[i]->bytes, now[i].hash);
    }
    if (!now)
        return -1;
    free(l->last);
    l->last = now;
    l->count = n;
    return l->text.failed ? err_no_memory(e) : 0;
}

int hash_log_end(struct hash_log *l, struct err *e)
{
    return l->text.failed ? err_no_memory(e) : whole_file_write(l->path, l->text.text, l->text.length, e);
}
