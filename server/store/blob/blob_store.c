#include "server/store/blob/blob_store_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "server/platform/config.h"
#include "server/store/blob/s3_client.h"
#include "server/store/blob/store_mark.h"

#define RESERVE_BYTES (UINT64_C(64) << 20)
#define STALE_S       86400 /* a staged file of another host is garbage after this time */

static int make_folder(const char *path, struct err *e)
{
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return err_set_errno(e, errno, "making the folder %s", path);
    return 0;
}

static int sync_folder(const char *path, struct err *e)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;

    if (fd < 0 || fsync(fd) < 0)
        ret = err_set_errno(e, errno, "making the folder %s durable", path);
    if (fd >= 0)
        close(fd);
    return ret;
}

/* Prefix of this host's staged files. Several hosts may share the folder, and their processes may have the same
 * pid. */
static void stage_prefix(char out[40])
{
    char name[256] = "";

    if (gethostname(name, sizeof name - 1) != 0)
        name[0] = '\0';
    snprintf(out, 40, "stage-%016llx-", (unsigned long long)hash_fnv1a(name, strlen(name)));
}

static bool of_another_host(const char *name, const char *mine)
{
    return strspn(name + 6, "0123456789abcdef") == 16 && name[22] == '-' && !str_starts(name, mine);
}

static bool old_in(int folder, const char *name)
{
    struct stat st;

    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           st.st_mtime < clock_now(&clock_system) / 1000000 - STALE_S;
}

/* The staged file belongs to another server process on this machine that is still running. */
static bool of_living_process(const char *name, const char *mine)
{
    long pid = str_starts(name, mine) ? strtol(name + strlen(mine), NULL, 10) : 0;

    return pid > 0 && pid != (long)getpid() && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

static bool left_behind(int folder, const char *name, const char *mine)
{
    if (!str_starts(name, "stage-"))
        return false;
    return (!of_another_host(name, mine) && !of_living_process(name, mine)) || old_in(folder, name);
}

static void unstage_folder_at(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *f;

    if (!d && fd >= 0)
        close(fd);
    while (d && (f = readdir(d)))
        unlinkat(dirfd(d), f->d_name, 0); /* fails for "." and ".." */
    if (d)
        closedir(d);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void blob_unstage_folder(const char *path)
{
    unstage_folder_at(AT_FDCWD, path);
}

void blob_store_sweep(const struct blob_store *s)
{
    char path[PATH_MAX], mine[40];
    const struct dirent *f;
    DIR *d;

    stage_prefix(mine);
    snprintf(path, sizeof path, "%s/staging", s->folder);
    d = opendir(path);
    while (d && (f = readdir(d)))
        if (left_behind(dirfd(d), f->d_name, mine) && unlinkat(dirfd(d), f->d_name, 0) < 0)
            unstage_folder_at(dirfd(d), f->d_name);
    if (d)
        closedir(d);
}

int blob_store_open(const char *folder, struct blob_store **out, struct err *e)
{
    struct blob_store *s = mem_zalloc(1, sizeof *s, e);
    char path[PATH_MAX];

    if (!s)
        return -1;
    s->folder = mem_strdup(folder, e);
    if (!s->folder)
        goto fail;
    if (strlen(folder) > PATH_MAX - 200) {
        err_set(e, ERR_USAGE, "the state folder's path is too long");
        goto fail;
    }
    if (make_folder(folder, e) < 0)
        goto fail;
    snprintf(path, sizeof path, "%s/blobs", folder);
    if (make_folder(path, e) < 0)
        goto fail;
    snprintf(path, sizeof path, "%s/staging", folder);
    if (make_folder(path, e) < 0)
        goto fail;
    *out = s;
    return 0;
fail:
    blob_store_free(s);
    return -1;
}

void blob_store_free(struct blob_store *s)
{
    if (!s)
        return;
    s3_free(s->s3);
    free(s->folder);
    free(s);
}

void blob_store_use_s3(struct blob_store *s, struct s3 *s3)
{
    s->s3 = s3;
}

int blob_store_open_configured(const struct server_config *c, struct clock *clock, struct blob_store **out,
                               struct err *e)
{
    const struct s3_settings where = {c->blob_store, c->s3_endpoint, c->s3_region, c->s3_keys,
                                      (unsigned)c->s3_wait_s};
    struct s3 *s3 = NULL;

    if (blob_store_open(server_config_files(c), out, e) < 0)
        return -1;
    if (!server_config_bucket(c))
        return store_mark(server_config_files(c), c->blob_store_shared, e);
    if (s3_open(&where, clock, &s3, e) < 0)
        return -1;
    blob_store_use_s3(*out, s3);
    return 0;
}

int blob_store_ask(struct blob_store *s, struct err *e)
{
    return s->s3 ? s3_ask(s->s3, e) : 0;
}

int blob_store_probe(struct blob_store *s, struct err *e)
{
    int ret;

    if (!s->s3 || atomic_exchange(&s->probing, true))
        return 0;
    ret = s3_probe(s->s3, e);
    atomic_store(&s->probing, false);
    return ret;
}

bool blob_store_facts(struct blob_store *s, struct s3_facts *out)
{
    *out = (struct s3_facts){.answers = true};
    if (s->s3)
        s3_state(s->s3, out);
    return s->s3 != NULL;
}

static void stage_path(struct blob_store *s, char *path)
{
    char prefix[40];

    stage_prefix(prefix);
    snprintf(path, PATH_MAX, "%s/staging/%s%ld-%u", s->folder, prefix, (long)getpid(),
             atomic_fetch_add(&s->next, 1));
}

int blob_stage(struct blob_store *s, int *fd, char *path, struct err *e)
{
    stage_path(s, path);
    *fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*fd < 0) {
        err_set_errno(e, errno, "making a file in the server's staging folder");
        path[0] = '\0';
        return -1;
    }
    return 0;
}

int blob_stage_folder(struct blob_store *s, char *path, struct err *e)
{
    stage_path(s, path);
    if (mkdir(path, 0700) == 0)
        return 0;
    err_set_errno(e, errno, "making a folder in the server's staging folder");
    path[0] = '\0';
    return -1;
}

int blob_path(const struct blob_store *s, const char *sha256, char *path, struct err *e)
{
    if (!sha256_hex_valid(sha256))
        return err_set(e, ERR_INVALID, "\"%.70s\" is not a SHA-256 (64 lower-case hex digits)", sha256);
    snprintf(path, PATH_MAX, "%s/blobs/%.2s/%.2s/%s", s->folder, sha256, sha256 + 2, sha256);
    return 0;
}

/* Creates blobs/ab and blobs/ab/cd and makes them durable before a file is placed in them. */
static int make_parents(const struct blob_store *s, const char *sha256, char *parent, struct err *e)
{
    char top[PATH_MAX];

    snprintf(parent, PATH_MAX, "%s/blobs/%.2s/%.2s", s->folder, sha256, sha256 + 2);
    if (access(parent, F_OK) == 0)
        return 0;
    snprintf(top, sizeof top, "%s/blobs/%.2s", s->folder, sha256);
    if (make_folder(top, e) < 0 || make_folder(parent, e) < 0 || sync_folder(top, e) < 0)
        return -1;
    snprintf(top, sizeof top, "%s/blobs", s->folder);
    return sync_folder(top, e);
}

static int sync_file(const char *path, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;

    if (fd < 0 || fchmod(fd, 0444) < 0 || fsync(fd) < 0)
        ret = err_set_errno(e, errno, "making a stored file durable");
    if (fd >= 0)
        close(fd);
    return ret;
}

/* --- In an S3 bucket --- */

enum { KEY_MAX = 100 };

/* The key "blobs/ab/cd/ab…", which equals the path in the folder. */
static int key_of(const char *sha256, char key[KEY_MAX], struct err *e)
{
    if (!sha256_hex_valid(sha256))
        return err_set(e, ERR_INVALID, "\"%.70s\" is not a SHA-256 (64 lower-case hex digits)", sha256);
    snprintf(key, KEY_MAX, "blobs/%.2s/%.2s/%s", sha256, sha256 + 2, sha256);
    return 0;
}

static int send(struct blob_store *s, const char *staged_path, const char *sha256, const char *key, struct err *e)
{
    int fd = open(staged_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), ret = -1, there;
    uint64_t bytes = 0;
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0) {
        err_set_errno(e, errno, "making a stored file durable");
    } else {
        there = s3_head(s->s3, key, &bytes, e);
        ret = there < 0                                ? -1
              : there && bytes == (uint64_t)st.st_size ? 0
                                                       : s3_put(s->s3, key, fd, (uint64_t)st.st_size, sha256, e);
    }
    if (fd >= 0)
        close(fd);
    return ret;
}

/* Downloads the blob into a staged file and checks its hash. */
static int fetch_copy(struct blob_store *s, const char *sha256, int *fd, char *path, uint64_t *bytes, struct err *e)
{
    char key[KEY_MAX], hex[SHA256_HEX];

    if (key_of(sha256, key, e) < 0 || blob_stage(s, fd, path, e) < 0)
        return -1;
    if (s3_get(s->s3, key, *fd, bytes, e) == 0 && sha256_file(path, hex, e) == 0) {
        if (strcmp(hex, sha256) == 0)
            return 0;
        err_set(e, ERR_INVALID, "the blob store sent other bytes than those of the blob %.12s…", sha256);
    }
    close(*fd);
    unlink(path);
    *fd = -1;
    return -1;
}

/* --- Folder and bucket --- */

int blob_adopt(struct blob_store *s, const char *staged_path, const char *sha256, struct err *e)
{
    char path[PATH_MAX], parent[PATH_MAX], key[KEY_MAX];
    int ret = -1;

    if (s->s3) {
        ret = key_of(sha256, key, e) < 0 ? -1 : send(s, staged_path, sha256, key, e);
        goto out;
    }
    if (blob_path(s, sha256, path, e) < 0)
        goto out;
    if (access(path, F_OK) == 0) {
        ret = 0;
        goto out;
    }
    if (make_parents(s, sha256, parent, e) < 0 || sync_file(staged_path, e) < 0)
        goto out;
    if (rename(staged_path, path) < 0) {
        err_set_errno(e, errno, "storing a blob");
        goto out;
    }
    return sync_folder(parent, e);
out:
    unlink(staged_path);
    return ret;
}

int blob_put(struct blob_store *s, const void *bytes, size_t n, char sha256[SHA256_HEX], struct err *e)
{
    char path[PATH_MAX];
    int fd;

    if (sha256_bytes(bytes, n, sha256, e) < 0 || blob_stage(s, &fd, path, e) < 0)
        return -1;
    if (fd_write_all(fd, bytes, n) < 0) {
        err_set_errno(e, errno, "storing a blob");
        close(fd);
        unlink(path);
        return -1;
    }
    close(fd);
    return blob_adopt(s, path, sha256, e);
}

int blob_exists(const struct blob_store *s, const char *sha256, uint64_t *bytes, struct err *e)
{
    char path[PATH_MAX], key[KEY_MAX];
    struct stat st;

    if (s->s3)
        return key_of(sha256, key, e) < 0 ? -1 : s3_head(s->s3, key, bytes, e);
    if (blob_path(s, sha256, path, e) < 0)
        return -1;
    if (stat(path, &st) < 0)
        return errno == ENOENT ? 0 : err_set_errno(e, errno, "looking for a blob");
    if (bytes)
        *bytes = (uint64_t)st.st_size;
    return 1;
}

int blob_fetch(struct blob_store *s, const char *sha256, char *path, bool *temporary, struct err *e)
{
    uint64_t bytes;
    int fd;

    *temporary = s->s3 != NULL;
    if (!s->s3)
        return blob_path(s, sha256, path, e);
    if (fetch_copy(s, sha256, &fd, path, &bytes, e) < 0)
        return -1;
    close(fd);
    return 0;
}

int blob_url(struct blob_store *s, const char *sha256, unsigned seconds, struct strbuf *out, struct err *e)
{
    char key[KEY_MAX];

    if (!s->s3)
        return 0;
    return key_of(sha256, key, e) < 0 || s3_url(s->s3, key, seconds, out, e) < 0 ? -1 : 1;
}

int blob_open(struct blob_store *s, const char *sha256, int *fd, uint64_t *bytes, struct err *e)
{
    char path[PATH_MAX];
    uint64_t length;
    struct stat st;

    if (s->s3) {
        if (fetch_copy(s, sha256, fd, path, &length, e) < 0)
            return -1;
        unlink(path);
        lseek(*fd, 0, SEEK_SET);
        if (bytes)
            *bytes = length;
        return 0;
    }
    if (blob_path(s, sha256, path, e) < 0)
        return -1;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (*fd < 0)
        return errno == ENOENT ? err_set(e, ERR_NOT_FOUND, "there is no blob %s", sha256)
                               : err_set_errno(e, errno, "opening the blob %s", sha256);
    if (fstat(*fd, &st) < 0) {
        err_set_errno(e, errno, "opening the blob %s", sha256);
        close(*fd);
        return -1;
    }
    if (bytes)
        *bytes = (uint64_t)st.st_size;
    return 0;
}

int blob_remove(struct blob_store *s, const char *sha256, struct err *e)
{
    char path[PATH_MAX], key[KEY_MAX];

    if (s->s3)
        return key_of(sha256, key, e) < 0 ? -1 : s3_delete(s->s3, key, e);
    if (blob_path(s, sha256, path, e) < 0)
        return -1;
    if (unlink(path) < 0 && errno != ENOENT)
        return err_set_errno(e, errno, "removing a blob");
    return 0;
}

void blob_store_keep_free(struct blob_store *s, uint64_t bytes)
{
    s->keep_free = bytes;
}

int blob_space(const struct blob_store *s, uint64_t *bytes, struct err *e)
{
    struct statvfs v;
    uint64_t reserve, available;

    if (statvfs(s->folder, &v) < 0)
        return err_set_errno(e, errno, "%s", s->folder);
    reserve = (uint64_t)v.f_blocks * v.f_frsize / 100;
    if (reserve > RESERVE_BYTES)
        reserve = RESERVE_BYTES;
    available = (uint64_t)v.f_bavail * v.f_frsize;
    if (reserve < s->keep_free)
        reserve = s->keep_free;
    *bytes = available > reserve ? available - reserve : 0;
    return 0;
}

int blob_quarantine(struct blob_store *s, const char *sha256, struct err *e)
{
    char from[PATH_MAX], to[PATH_MAX], key[KEY_MAX];

    if (s->s3) {
        snprintf(to, sizeof to, "quarantine/%s", sha256);
        return key_of(sha256, key, e) < 0 || s3_copy(s->s3, key, to, e) < 0 ? -1 : s3_delete(s->s3, key, e);
    }
    if (blob_path(s, sha256, from, e) < 0)
        return -1;
    snprintf(to, sizeof to, "%s/quarantine", s->folder);
    if (make_folder(to, e) < 0)
        return -1;
    snprintf(to, sizeof to, "%s/quarantine/%s", s->folder, sha256);
    if (rename(from, to) < 0 && errno != ENOENT)
        return err_set_errno(e, errno, "setting the damaged blob %.12s… aside", sha256);
    return 0;
}
