#include "worker/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "base/whole_file.h"

enum { BUCKETS = 4096 };

struct cache {
    char *folder;
    char suffix[8];
    bool checked;
    uint64_t most_bytes, bytes;
    size_t count;
    struct cache_entry *newest, *oldest;
    struct cache_entry *buckets[BUCKETS];
};

struct cache_writer {
    struct cache *cache;
    char hex[SHA256_HEX], part[PATH_MAX];
    int fd;
    uint64_t written;
    struct sha256 *hash;
};

int make_folders(const char *path, struct err *e)
{
    char p[PATH_MAX];

    if ((size_t)snprintf(p, sizeof p, "%s", path) >= sizeof p)
        return err_set(e, ERR_USAGE, "the path is too long: %.200s…", path);
    for (char *c = p + 1; *c; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        if (mkdir(p, 0700) != 0 && errno != EEXIST)
            return err_set_errno(e, errno, "folder %s", p);
        *c = '/';
    }
    return mkdir(p, 0700) == 0 || errno == EEXIST ? 0 : err_set_errno(e, errno, "folder %s", p);
}

/* --- The index: a hash table and a list by last use --- */

static struct cache_entry **bucket(struct cache *c, const char *hex)
{
    return &c->buckets[hash_fnv1a(hex, SHA256_HEX - 1) % BUCKETS];
}

static struct cache_entry *find(struct cache *c, const char *hex)
{
    struct cache_entry *x = *bucket(c, hex);

    while (x && strcmp(x->hex, hex) != 0)
        x = x->chain;
    return x;
}

static void list_remove(struct cache *c, struct cache_entry *x)
{
    *(x->newer ? &x->newer->older : &c->newest) = x->older;
    *(x->older ? &x->older->newer : &c->oldest) = x->newer;
    x->newer = x->older = NULL;
}

static void list_push(struct cache *c, struct cache_entry *x)
{
    x->older = c->newest;
    *(c->newest ? &c->newest->newer : &c->oldest) = x;
    c->newest = x;
}

static struct cache_entry *add(struct cache *c, const char *hex, uint64_t bytes, bool trusted, struct err *e)
{
    struct cache_entry *x = mem_zalloc(1, sizeof *x, e), **b = bucket(c, hex);

    if (!x)
        return NULL;
    memcpy(x->hex, hex, SHA256_HEX);
    x->bytes = bytes;
    x->trusted = trusted;
    x->chain = *b;
    *b = x;
    list_push(c, x);
    c->bytes += bytes;
    c->count++;
    return x;
}

/* Removes the entry from the index and its file from the disk. */
static void forget(struct cache *c, struct cache_entry *x)
{
    struct cache_entry **at = bucket(c, x->hex);
    char path[PATH_MAX];

    while (*at != x)
        at = &(*at)->chain;
    *at = x->chain;
    list_remove(c, x);
    c->bytes -= x->bytes;
    c->count--;
    cache_path(c, x->hex, path, sizeof path);
    unlink(path);
    free(x);
}

/* --- Opening: files of an earlier process --- */

struct found {
    char hex[SHA256_HEX];
    uint64_t bytes;
    struct timespec used;
};
struct found_list {
    struct found *items;
    size_t count, capacity;
};

static int older_first(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->hex, y->hex);
}

static int take_file(struct cache *c, int dir, const char *name, struct found_list *list, struct err *e)
{
    struct found f = {.bytes = 0};
    struct stat st;
    void *items = list->items;

    if (str_ends(name, ".part")) {
        unlinkat(dir, name, 0);
        return 0;
    }
    if (strlen(name) != SHA256_HEX - 1 + strlen(c->suffix) || !str_ends(name, c->suffix))
        return 0;
    memcpy(f.hex, name, SHA256_HEX - 1);
    if (!sha256_hex_valid(f.hex) || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return 0;
    f.bytes = (uint64_t)st.st_size;
    f.used = st.st_mtim;
    if (array_reserve(&items, &list->capacity, list->count + 1, sizeof f, e) < 0)
        return -1;
    list->items = items;
    list->items[list->count++] = f;
    return 0;
}

static int scan_folder(struct cache *c, const char *path, struct found_list *list, struct err *e)
{
    DIR *d = opendir(path);
    struct dirent *entry;
    int ret = 0;

    if (!d)
        return errno == ENOENT ? 0 : err_set_errno(e, errno, "folder %s", path);
    while (ret == 0 && (entry = readdir(d)))
        ret = take_file(c, dirfd(d), entry->d_name, list, e);
    closedir(d);
    return ret;
}

static int take_up(struct cache *c, struct err *e)
{
    struct found_list list = {.count = 0};
    char path[PATH_MAX];
    int ret = 0;

    for (unsigned i = 0; ret == 0 && i < 256; i++) {
        snprintf(path, sizeof path, "%s/%02x", c->folder, i);
        ret = scan_folder(c, path, &list, e);
    }
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, older_first);
    for (size_t i = 0; ret == 0 && i < list.count; i++)
        ret = add(c, list.items[i].hex, list.items[i].bytes, !c->checked, e) ? 0 : -1;
    free(list.items);
    return ret;
}

int cache_open(const char *folder, const char *suffix, bool checked, uint64_t most_bytes, struct cache **out,
               struct err *e)
{
    struct cache *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return -1;
    c->folder = mem_strdup(folder, e);
    snprintf(c->suffix, sizeof c->suffix, "%s", suffix);
    c->checked = checked;
    c->most_bytes = most_bytes;
    if (!c->folder || make_folders(folder, e) < 0 || take_up(c, e) < 0) {
        cache_close(c);
        return err_wrap(e, "cache");
    }
    cache_evict(c, most_bytes);
    *out = c;
    return 0;
}

void cache_close(struct cache *c)
{
    if (!c)
        return;
    for (struct cache_entry *x = c->newest, *older; x; x = older) {
        older = x->older;
        free(x);
    }
    free(c->folder);
    free(c);
}

/* --- Using --- */

void cache_path(const struct cache *c, const char *hex, char *out, size_t size)
{
    snprintf(out, size, "%s/%.2s/%s%s", c->folder, hex, hex, c->suffix);
}

struct cache_entry *cache_pin(struct cache *c, const char *hex)
{
    struct cache_entry *x = find(c, hex);
    char path[PATH_MAX];

    if (!x)
        return NULL;
    cache_path(c, hex, path, sizeof path);
    if (utimensat(AT_FDCWD, path, NULL, 0) != 0 && errno == ENOENT && x->pins == 0) {
        forget(c, x); /* another process removed the file */
        return NULL;
    }
    list_remove(c, x);
    list_push(c, x);
    x->pins++;
    return x;
}

void cache_unpin(struct cache *c, struct cache_entry *entry)
{
    entry->pins--;
    if (c->bytes > c->most_bytes)
        cache_evict(c, c->most_bytes);
}

int cache_check(const struct cache *c, const struct cache_entry *entry, struct err *e)
{
    char path[PATH_MAX], hex[SHA256_HEX];

    if (!c->checked)
        return 1;
    cache_path(c, entry->hex, path, sizeof path);
    if (sha256_file(path, hex, e) < 0)
        return -1;
    return strcmp(hex, entry->hex) == 0;
}

void cache_drop(struct cache *c, struct cache_entry *entry)
{
    forget(c, entry);
}

void cache_evict(struct cache *c, uint64_t most_bytes)
{
    for (struct cache_entry *x = c->oldest, *newer; x && c->bytes > most_bytes; x = newer) {
        newer = x->newer;
        if (x->pins == 0)
            forget(c, x);
    }
}

uint64_t cache_bytes(const struct cache *c)
{
    return c->bytes;
}

size_t cache_count(const struct cache *c)
{
    return c->count;
}

/* --- Writing --- */

struct cache_writer *cache_write_begin(struct cache *c, const char *hex, uint64_t expected, struct err *e)
{
    struct cache_writer *w = mem_zalloc(1, sizeof *w, e);
    char folder[PATH_MAX];

    if (!w)
        return NULL;
    w->cache = c;
    w->fd = -1;
    memcpy(w->hex, hex, SHA256_HEX);
    cache_evict(c, expected < c->most_bytes ? c->most_bytes - expected : 0);
    snprintf(folder, sizeof folder, "%s/%.2s", c->folder, hex);
    snprintf(w->part, sizeof w->part, "%.3900s/%s%s.part", folder, hex, c->suffix);
    w->hash = sha256_new(e);
    if (!w->hash)
        goto fail;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        err_set_errno(e, errno, "folder %s", folder);
        goto fail;
    }
    w->fd = open(w->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (w->fd < 0) {
        err_set_errno(e, errno, "%s", w->part);
        goto fail;
    }
    return w;
fail:
    cache_write_abort(w);
    return NULL;
}

int cache_write(struct cache_writer *w, const void *bytes, size_t n, struct err *e)
{
    if (fd_write_all(w->fd, bytes, n) < 0)
        return err_set_errno(e, errno, "%s", w->part);
    sha256_update(w->hash, bytes, n);
    w->written += n;
    return 0;
}

uint64_t cache_written(const struct cache_writer *w)
{
    return w->written;
}

int cache_write_restart(struct cache_writer *w, struct err *e)
{
    struct sha256 *fresh = sha256_new(e);

    if (!fresh)
        return -1;
    sha256_free(w->hash);
    w->hash = fresh;
    w->written = 0;
    if (ftruncate(w->fd, 0) != 0 || lseek(w->fd, 0, SEEK_SET) != 0)
        return err_set_errno(e, errno, "%s", w->part);
    return 0;
}

static int settle(struct cache_writer *w, struct err *e)
{
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX], path[PATH_MAX];

    sha256_final(w->hash, digest);
    hex_encode(digest, sizeof digest, hex);
    if (w->cache->checked && strcmp(hex, w->hex) != 0)
        return err_set(e, ERR_INVALID, "blob %.12s…: the received bytes have another SHA-256 (%.12s…, %llu bytes)",
                       w->hex, hex, (unsigned long long)w->written);
    cache_path(w->cache, w->hex, path, sizeof path);
    if (fdatasync(w->fd) != 0 || rename(w->part, path) != 0)
        return err_set_errno(e, errno, "%s", path);
    w->part[0] = '\0';
    return 0;
}

struct cache_entry *cache_write_finish(struct cache_writer *w, struct err *e)
{
    struct cache_entry *x = NULL;

    if (settle(w, e) == 0) {
        uint64_t most = w->cache->most_bytes;

        x = find(w->cache, w->hex);
        if (!x) {
            cache_evict(w->cache, most > w->written ? most - w->written : 0);
            x = add(w->cache, w->hex, w->written, true, e);
        }
        if (x) {
            x->trusted = true;
            x->pins++;
        }
    }
    cache_write_abort(w);
    return x;
}

void cache_write_abort(struct cache_writer *w)
{
    if (!w)
        return;
    if (w->fd >= 0)
        close(w->fd);
    if (w->part[0])
        unlink(w->part);
    sha256_free(w->hash);
    free(w);
}
