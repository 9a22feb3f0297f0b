#include "worker/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "worker/cache.h"

/* A result, the last lines of stderr, escaped at worst six-fold, and the rest. */
#define FILE_MOST (RESULT_BYTES_MOST + 6 * (size_t)WIRE_LAST_LINES_BYTES + 65536)

struct spool {
    char *folder;
    int dir;
    size_t count;
    struct spool_entry *first, **end;
};

bool spool_id_safe(const char *job)
{
    return *job && strlen(job) < WIRE_ID &&
           job[strspn(job, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")] == '\0';
}

static void file_name(const struct attempt_id *id, const char *suffix, char out[NAME_MAX])
{
    snprintf(out, NAME_MAX, "%s.%u%s", id->job, id->attempt, suffix);
}

static struct spool_entry *append(struct spool *s, struct job_outcome *outcome, struct err *e)
{
    struct spool_entry *x = mem_zalloc(1, sizeof *x, e);

    if (!x)
        return NULL;
    x->outcome = *outcome;
    job_outcome_init(outcome);
    *s->end = x;
    s->end = &x->next;
    s->count++;
    return x;
}

/* --- Taking up --- */

static int read_outcome(const char *path, struct job_outcome *out, struct err *e)
{
    json_t *v = json_read_path(path, FILE_MOST, e);
    int ret;

    if (!v)
        return -1;
    ret = job_outcome_from_json(v, out, e);
    json_decref(v);
    if (ret == 0 && !spool_id_safe(out->id.job)) {
        job_outcome_release(out);
        ret = err_set(e, ERR_INVALID, "%s: the job's id holds characters that no id has", path);
    }
    return ret;
}

static int take_up_one(struct spool *s, const char *name, struct err *e)
{
    char path[PATH_MAX], bad[NAME_MAX], quoted[600];
    struct job_outcome o;
    struct spool_entry *x;
    struct err why;

    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    if (read_outcome(path, &o, &why) < 0) {
        if (why.code == ERR_NO_MEMORY)
            return err_no_memory(e);
        log_error("worker", "a spooled outcome cannot be read and is put aside", "file=%s why=%s", name,
                  log_quote(why.text, quoted, sizeof quoted));
        snprintf(bad, sizeof bad, "%.240s.bad", name);
        renameat(s->dir, name, s->dir, bad);
        return 0;
    }
    x = append(s, &o, e);
    if (!x) {
        job_outcome_release(&o);
        return -1;
    }
    x->on_disk = true;
    return 0;
}

static int take_up(struct spool *s, struct err *e)
{
    DIR *d = opendir(s->folder);
    struct dirent *entry;
    int ret = 0;

    if (!d)
        return err_set_errno(e, errno, "folder %s", s->folder);
    while (ret == 0 && (entry = readdir(d))) {
        if (str_ends(entry->d_name, ".part"))
            unlinkat(s->dir, entry->d_name, 0); /* never finished, so never promised */
        else if (str_ends(entry->d_name, ".json"))
            ret = take_up_one(s, entry->d_name, e);
    }
    closedir(d);
    return ret;
}

int spool_open(const char *folder, struct spool **out, struct err *e)
{
    struct spool *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return -1;
    s->dir = -1;
    s->end = &s->first;
    s->folder = mem_strdup(folder, e);
    if (!s->folder || make_folders(folder, e) < 0)
        goto fail;
    s->dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->dir < 0) {
        err_set_errno(e, errno, "folder %s", folder);
        goto fail;
    }
    if (take_up(s, e) < 0)
        goto fail;
    *out = s;
    return 0;
fail:
    spool_close(s);
    return err_wrap(e, "spool");
}

void spool_close(struct spool *s)
{
    if (!s)
        return;
    for (struct spool_entry *x = s->first, *next; x; x = next) {
        next = x->next;
        job_outcome_release(&x->outcome);
        free(x);
    }
    if (s->dir >= 0)
        close(s->dir);
    free(s->folder);
    free(s);
}

/* --- Adding --- */

static int write_file(struct spool *s, const struct attempt_id *id, const struct strbuf *text, struct err *e)
{
    char part[NAME_MAX], name[NAME_MAX];
    int fd, ret;

    file_name(id, ".json.part", part);
    file_name(id, ".json", name);
    fd = openat(s->dir, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set_errno(e, errno, "spool %s", part);
    ret = fd_write_all(fd, text->text, text->length) < 0 || fsync(fd) != 0 ? -1 : 0;
    if (ret == 0 && (renameat(s->dir, part, s->dir, name) != 0 || fsync(s->dir) != 0))
        ret = -1;
    if (ret < 0)
        err_set_errno(e, errno, "spool %s", name);
    close(fd);
    if (ret < 0)
        unlinkat(s->dir, part, 0);
    return ret;
}

int spool_add(struct spool *s, struct job_outcome *outcome, bool durable, struct err *e)
{
    struct spool_entry *x = append(s, outcome, e);
    struct strbuf text = STRBUF_INIT;
    json_t *v;
    int ret = 0;

    if (!x)
        return -1;
    v = job_outcome_to_json(&x->outcome);
    if (v)
        json_write_text(v, false, &text);
    json_decref(v);
    x->bytes = text.length;
    if (!v || text.failed)
        ret = err_no_memory(e);
    else if (durable)
        ret = write_file(s, &x->outcome.id, &text, e);
    x->on_disk = durable && ret == 0;
    strbuf_release(&text);
    return ret;
}

/* --- Looking and removing --- */

struct spool_entry *spool_first(struct spool *s)
{
    return s->first;
}

size_t spool_count(const struct spool *s)
{
    return s->count;
}

static void forget(struct spool *s, struct spool_entry *entry)
{
    struct spool_entry **at = &s->first;

    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    if (s->end == &entry->next)
        s->end = at;
    s->count--;
    job_outcome_release(&entry->outcome);
    free(entry);
}

void spool_remove(struct spool *s, struct spool_entry *entry)
{
    char name[NAME_MAX];

    if (entry->on_disk) {
        file_name(&entry->outcome.id, ".json", name);
        unlinkat(s->dir, name, 0);
    }
    forget(s, entry);
}

void spool_refuse(struct spool *s, struct spool_entry *entry)
{
    char name[NAME_MAX], kept[NAME_MAX];

    if (entry->on_disk) {
        file_name(&entry->outcome.id, ".json", name);
        file_name(&entry->outcome.id, ".refused", kept);
        renameat(s->dir, name, s->dir, kept);
    }
    forget(s, entry);
}
