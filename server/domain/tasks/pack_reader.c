#include "server/domain/tasks/pack_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "server/domain/import/import_reader.h"
#include "server/domain/tasks/pack_child.h"
#include "server/store/blob/blob_store.h"

#define WORDS     6                    /* before the numbers of launches */
#define DIGITS    21                   /* of a number, and a NUL */
#define PIECE_MAX (UINT64_C(16) << 30) /* bytes of one piece */

static int stage(struct farm *farm, char *path, struct err *e)
{
    int fd;

    if (blob_stage(farm->store.blobs, &fd, path, e) < 0)
        return -1;
    close(fd);
    return 0;
}

int pack_read(struct farm *farm, const char *path, const char *name, struct pack_table *out, struct err *e)
{
    char table[PATH_MAX];
    const char *const argv[] = {"/proc/self/exe", PACK_CHILD, "table", path, name, table, NULL};
    struct strbuf report = STRBUF_INIT;
    const struct import_reading r = {.file = path, .report = &report, .killed_passes = true};
    int ret;

    *out = (struct pack_table){.count = 0};
    if (stage(farm, table, e) < 0)
        return -1;
    ret = import_read_by(farm, argv, PACK_TABLE_MAX, &r, e);
    if (ret == 0)
        ret = pack_table_read(table, out, e);
    unlink(table);
    strbuf_release(&report);
    return ret;
}

/* --- Cutting --- */

struct progress {
    struct pack_pieces *pieces;
    size_t most;
};

static int count_pieces(void *ctx, uint64_t bytes, uint64_t complete, struct err *e)
{
    struct progress *p = ctx;

    (void)bytes;
    if (complete > p->most)
        return err_set(e, ERR_INVALID, "the process that cut the traces reported more files than were asked for");
    p->pieces->count = (size_t)complete;
    return 0;
}

static int run(struct farm *farm, const char *how, const char *path, const size_t *launches, size_t n,
               struct progress *p, struct err *e)
{
    const char **argv = mem_zalloc(WORDS + n + 1, sizeof *argv, e);
    char(*digits)[DIGITS] = argv ? mem_zalloc(n, sizeof *digits, e) : NULL;
    const char *const words[WORDS] = {"/proc/self/exe",       PACK_CHILD,       how, path,
                                      "the profile's traces", p->pieces->folder};
    struct strbuf report = STRBUF_INIT;
    const struct import_reading r = {
        .file = path, .progress = count_pieces, .progress_ctx = p, .report = &report, .killed_passes = true};
    int ret = -1;

    if (digits) {
        memcpy(argv, words, sizeof words);
        for (size_t i = 0; i < n; i++) {
            snprintf(digits[i], DIGITS, "%zu", launches[i]);
            argv[WORDS + i] = digits[i];
        }
        ret = import_read_by(farm, argv, PIECE_MAX, &r, e);
        if (ret == 0 && p->pieces->count != p->most)
            ret = err_set(e, ERR_INVALID, "the process that cut the traces wrote %zu of %zu files",
                          p->pieces->count, p->most);
    }
    strbuf_release(&report);
    free(digits);
    free(argv);
    return ret;
}

int pack_cut(struct farm *farm, const char *path, const size_t *launches, size_t n, struct pack_pieces *out,
             struct err *e)
{
    struct progress p = {out, n};

    *out = (struct pack_pieces){.count = 0};
    return blob_stage_folder(farm->store.blobs, out->folder, e) < 0 ? -1
                                                                    : run(farm, "cut", path, launches, n, &p, e);
}

int pack_join(struct farm *farm, const char *path, const size_t *launches, size_t n, struct pack_pieces *out,
              struct err *e)
{
    struct progress p = {out, 1};

    *out = (struct pack_pieces){.count = 0};
    return blob_stage_folder(farm->store.blobs, out->folder, e) < 0 ? -1
                                                                    : run(farm, "join", path, launches, n, &p, e);
}

int pack_take(struct farm *farm, const struct pack_pieces *p, size_t piece, char *path, char sha256[SHA256_HEX],
              struct err *e)
{
    char from[PATH_MAX + DIGITS];
    struct stat st;

    if (stage(farm, path, e) < 0)
        return -1;
    snprintf(from, sizeof from, "%s/%zu", p->folder, piece);
    /* a link could show the server a file that the other process may not read */
    if (lstat(from, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)
        err_set(e, ERR_INVALID, "the process that cut the traces wrote no file for one of them");
    else if (rename(from, path) < 0)
        err_set_errno(e, errno, "taking a cut trace");
    else if (sha256_file(path, sha256, e) == 0)
        return 0;
    unlink(path);
    return -1;
}

void pack_pieces_release(struct pack_pieces *p)
{
    if (p->folder[0])
        blob_unstage_folder(p->folder);
    *p = (struct pack_pieces){.count = 0};
}
