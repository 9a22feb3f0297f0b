#include "worker/spool.h"

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
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "worker/cache.h"

/* Maximum of a result, of the last lines of stderr (JSON escapes lengthen them at most six-fold), and of the other
 * fields. */
#define FILE_MAX (RESULT_BYTES_MAX + 6 * (size_t)WIRE_LAST_LINES_BYTES + 65536)

struct spool {
    char *folder;
    int dir;
    char farm[WIRE_ID];
    size_t count, others, refused;
    struct spool_entry *first, **end;
};

bool spool_id_safe(const char *job)
{
    return *job && strlen(job) < WIRE_ID &&
           job[strspn(job, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")] == '\0';
}

static void file_name(const char *farm, const struct attempt_id *id, const char *suffix, char out[NAME_MAX])
{
    snprintf(out, NAME_MAX, "%s%s%s.%u%s", farm, *farm ? "/" : "", id->job, id->attempt, suffix);
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

/* --- Loading --- */

static int read_outcome(const char *path, struct job_outcome *out, struct err *e)
{
    json_t *v = json_read_path(path, FILE_MAX, e);
    int ret;

    if (!v)
        return -1;
    ret = job_outcome_from_json(v, out, e);
    json_decref(v);
    if (ret == 0 && !spool_id_safe(out->id.job)) {
        job_outcome_release(out);
        ret = err_set(e, ERR_INVALID, "%s: the job's id has invalid characters", path);
    }
    return ret;
}

static int take_up_one(struct spool *s, const char *farm, const char *name, struct err *e)
{
    char path[PATH_MAX], bad[NAME_MAX], quoted[600];
    struct job_outcome o;
    struct spool_entry *x;
    struct err why;

    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    if (read_outcome(path, &o, &why) < 0) {
        if (why.code == ERR_NO_MEMORY)
            return err_no_memory(e);
        log_error("worker", "a spooled outcome cannot be read and is set aside", "file=%s why=%s", name,
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
    snprintf(x->farm, sizeof x->farm, "%s", farm);
    return 0;
}

/* Loads the outcomes in the folder of a farm. "": the outcomes of no known farm, and the folders of all farms. */
static int take_up(struct spool *s, const char *farm, struct err *e)
{
    char path[PATH_MAX];
    struct dirent *entry;
    DIR *d;
    int ret = 0;

    snprintf(path, sizeof path, "%s/%s", s->folder, farm);
    d = opendir(path);
    if (!d)
        return err_set_errno(e, errno, "folder %s", path);
    while (ret == 0 && (entry = readdir(d))) {
        char name[NAME_MAX * 2];

        snprintf(name, sizeof name, "%s%s%s", farm, *farm ? "/" : "", entry->d_name);
        if (str_ends(name, ".part"))
            unlinkat(s->dir, name, 0); /* incomplete: spool_add() did not return */
        else if (str_ends(name, ".json"))
            ret = take_up_one(s, farm, name, e);
        else if (str_ends(name, ".refused"))
            s->refused++;
        else if (!*farm && entry->d_type != DT_REG && spool_id_safe(entry->d_name))
            ret = take_up(s, entry->d_name, e);
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
    if (take_up(s, "", e) < 0)
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

/* Makes the file's name and its folder's name durable. */
static int sync_folder(const struct spool *s)
{
    int fd, ret;

    if (fsync(s->dir) != 0)
        return -1;
    if (!s->farm[0])
        return 0;
    fd = openat(s->dir, s->farm, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ret = fsync(fd);
    close(fd);
    return ret;
}

static int write_file(struct spool *s, const struct attempt_id *id, const struct strbuf *text, struct err *e)
{
    char part[NAME_MAX], name[NAME_MAX];
    int fd, ret;

    file_name(s->farm, id, ".json.part", part);
    file_name(s->farm, id, ".json", name);
    if (s->farm[0] && mkdirat(s->dir, s->farm, 0700) < 0 && errno != EEXIST)
        return err_set_errno(e, errno, "spool %s", s->farm);
    fd = openat(s->dir, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set_errno(e, errno, "spool %s", part);
    ret = fd_write_all(fd, text->text, text->length) < 0 || fsync(fd) != 0 ? -1 : 0;
    if (ret == 0 && (renameat(s->dir, part, s->dir, name) != 0 || sync_folder(s) != 0))
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
    snprintf(x->farm, sizeof x->farm, "%s", s->farm);
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

/* --- Reading and removing --- */

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
        file_name(entry->farm, &entry->outcome.id, ".json", name);
        unlinkat(s->dir, name, 0);
    }
    forget(s, entry);
}

void spool_refuse(struct spool *s, struct spool_entry *entry)
{
    char name[NAME_MAX], kept[NAME_MAX];

    if (entry->on_disk) {
        file_name(entry->farm, &entry->outcome.id, ".json", name);
        file_name(entry->farm, &entry->outcome.id, ".refused", kept);
        if (renameat(s->dir, name, s->dir, kept) == 0)
            s->refused++;
    }
    forget(s, entry);
}

/* --- Choosing the farm --- */

size_t spool_others(const struct spool *s)
{
    return s->others;
}

size_t spool_refused(const struct spool *s)
{
    return s->refused;
}

int spool_choose_farm(struct spool *s, const char *farm, struct err *e)
{
    bool changed = strcmp(farm, s->farm) != 0;

    if (*farm && !spool_id_safe(farm))
        return err_set(e, ERR_INVALID, "the farm's id has invalid characters");
    if (changed && s->others > 0) { /* outcomes of the other farms may belong to this one: read the files again */
        for (struct spool_entry *x = s->first, *next; x; x = next) {
            next = x->next;
            if (x->on_disk)
                forget(s, x);
        }
        s->refused = 0;
        if (take_up(s, "", e) < 0)
            return -1;
    }
    if (changed)
        s->others = 0;
    snprintf(s->farm, sizeof s->farm, "%s", farm);
    for (struct spool_entry *x = s->first, *next; x; x = next) {
        next = x->next;
        if (!x->farm[0] || strcmp(x->farm, farm) == 0)
            continue;
        s->others += x->on_disk;
        forget(s, x);
    }
    return 0;
}
