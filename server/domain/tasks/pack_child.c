#include "server/domain/tasks/pack_child.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/domain/import/import_child.h"
#include "server/domain/tasks/pack_table.h"
#include "simcore/trace/vtrace.h"

struct wanted {
    const char *folder;
    size_t *launches;
    size_t n;
};

static int number_of_launch(const struct vtrace *v, const char *text, size_t *out, struct err *e)
{
    *out = strtoull(text, NULL, 10);
    return *out < vtrace_launch_count(v) ? 0 : err_set(e, ERR_INVALID, "the file has no launch %.20s", text);
}

static void report(size_t complete)
{
    printf("@p 0 %zu\n", complete);
    fflush(stdout);
}

/* As `vivace push --plan` would send it. */
static int cut_one(struct vtrace *v, const char *path, size_t launch, struct err *e)
{
    struct inst_source *s = NULL;
    int ret = vtrace_source(v, launch, &s, e);

    if (ret == 0)
        ret = vtrace_write_one(path, s, e);
    inst_source_release(s);
    return ret;
}

static int cut_each(struct vtrace *v, const struct wanted *w, struct err *e)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < w->n; i++) {
        snprintf(path, sizeof path, "%s/%zu", w->folder, i);
        if (cut_one(v, path, w->launches[i], e) < 0)
            return -1;
        report(i + 1);
    }
    return 0;
}

static int add_launch(struct vtrace *v, size_t launch, struct vtrace_writer *w, struct err *e)
{
    struct inst_source *s = NULL;
    int ret = vtrace_source(v, launch, &s, e);

    if (ret == 0)
        ret = vtrace_writer_add(w, s, e);
    inst_source_release(s);
    return ret;
}

/* Includes the copies before each launch, but for the first launch only those directly before it. */
static int add_all(struct vtrace *v, const size_t *launches, size_t n, struct vtrace_writer *w, struct err *e)
{
    const struct trace_copies *copies = vtrace_copies(v);
    uint64_t context = vtrace_launch_at(v, launches[0])->context;
    size_t next = 0;

    while (next < copies->count && copies->items[next].before < launches[0])
        next++;
    for (size_t i = 0; i < n; i++) {
        for (; next < copies->count && copies->items[next].before <= launches[i]; next++)
            if (copies->items[next].context == context && vtrace_writer_copy(w, &copies->items[next], e) < 0)
                return -1;
        if (add_launch(v, launches[i], w, e) < 0)
            return -1;
    }
    return 0;
}

static int join(struct vtrace *v, const struct wanted *w, struct err *e)
{
    struct vtrace_writer *writer = NULL;
    char path[PATH_MAX];
    int ret = 0;

    snprintf(path, sizeof path, "%s/0", w->folder);
    if (vtrace_writer_new(path, NULL, &writer, e) < 0 || add_all(v, w->launches, w->n, writer, e) < 0 ||
        vtrace_writer_finish(writer, e) < 0)
        ret = -1;
    vtrace_writer_release(writer);
    if (ret == 0)
        report(1);
    return ret;
}

static int cut(struct vtrace *v, bool joined, const char *folder, char **texts, size_t n, struct err *e)
{
    struct wanted w = {.folder = folder, .launches = mem_zalloc(n, sizeof *w.launches, e), .n = n};
    int ret = w.launches ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < n; i++)
        ret = number_of_launch(v, texts[i], &w.launches[i], e);
    if (ret == 0)
        ret = joined ? join(v, &w, e) : cut_each(v, &w, e);
    free(w.launches);
    return ret;
}

int pack_child_main(int argc, char **argv)
{
    bool table = argc == 4 && strcmp(argv[0], "table") == 0, joined = argc > 4 && strcmp(argv[0], "join") == 0;
    struct vtrace *v = NULL;
    struct err e = {0};
    int ret;

    if (!table && !joined && !(argc > 4 && strcmp(argv[0], "cut") == 0))
        return err_exit_code(ERR_USAGE);
    ret = import_child_confine(argv[1], argv[3], &e) < 0 ? -1 : vtrace_open_as(argv[1], argv[2], &v, &e);
    if (ret == 0)
        ret = table ? pack_table_write(argv[3], v, &e) : cut(v, joined, argv[3], argv + 4, (size_t)argc - 4, &e);
    if (ret < 0)
        import_child_fail(&e);
    fflush(stdout);
    vtrace_close(v);
    return ret < 0 ? err_exit_code(e.code) : 0;
}
