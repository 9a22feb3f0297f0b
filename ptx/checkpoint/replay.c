/* ptx/checkpoint/replay.c: skips the launches of a file: memory receives the state that each launch left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/whole_file.h"
#include "ptx/checkpoint/checkpoint_file.h"
#include "ptx/program/program.h"
#include "ptx/checkpoint/replay_file.h"

#define FILE_MAX ((size_t)1 << 40)

struct ptx_replay {
    char *bytes;
    uint64_t launches, done;
    uint8_t hash[SHA256_BYTES]; /* of memory after the last launch */
    char design[SHA256_HEX];    /* SHA-256 of the GPU design whose times the file has; empty: none */
    struct ptx_io rest;         /* the bytes of the file after the last launch that was skipped */
    struct section step;        /* the last launch that was skipped */
};

static int damaged(struct err *e)
{
    return err_set(e, ERR_MALFORMED, "it is damaged or cut short");
}

/* Checks the line with the versions and reads the design. `text` ends with a NUL. */
static int read_writer(struct ptx_replay *r, const char *text, struct err *e)
{
    size_t line = strlen(REPLAY_WRITER);

    if (strncmp(text, REPLAY_WRITER, line) != 0)
        return err_set(e, ERR_UNSUPPORTED, "it was written by %.*s; this is %.*s",
                       strcspn(text, "\n") < 80 ? (int)strcspn(text, "\n") : 80, text, (int)(line - 1),
                       REPLAY_WRITER);
    snprintf(r->design, sizeof r->design, "%s", text + line);
    return 0;
}

static int read_head(struct ptx_replay *r, size_t n, struct err *e)
{
    struct section none = {.tag = NULL}, head = {.tag = "HEAD"};
    size_t line = strlen(REPLAY_FIRST_LINE);
    struct ptx_io io;
    int ret;

    if (n < line || memcmp(r->bytes, REPLAY_FIRST_LINE, line) != 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "it was not written by `vivace exec --checkpoint-at` (format version 2)");
    r->rest = (struct ptx_io){.in = (const uint8_t *)r->bytes + line, .left = n - line};
    if (sections_read(r->rest.in, r->rest.left, &none, e) != 0 || section_next(&r->rest, &head, e) != 0)
        return -1;
    io = (struct ptx_io){.in = head.bytes, .left = head.n};
    PTX_IO(&io, r->launches);
    ptx_io_bytes(&io, r->hash, sizeof r->hash);
    ret = io.bad ? damaged(e) : read_writer(r, (const char *)io.in, e);
    free(head.bytes);
    return ret;
}

int ptx_replay_open(const char *path, struct ptx_replay **out, struct err *e)
{
    struct ptx_replay *r = mem_zalloc(1, sizeof *r, e);
    size_t n;

    if (!r)
        return -1;
    r->step.tag = "STEP";
    if (whole_file_read(path, FILE_MAX, &r->bytes, &n, e) != 0 ||
        (read_head(r, n, e) != 0 && err_wrap(e, "checkpoint %s", path) != 0)) {
        ptx_replay_close(r);
        return -1;
    }
    *out = r;
    return 0;
}

void ptx_replay_close(struct ptx_replay *r)
{
    if (!r)
        return;
    free(r->step.bytes);
    free(r->bytes);
    free(r);
}

uint64_t ptx_replay_launches(const struct ptx_replay *r)
{
    return r->launches;
}

uint64_t ptx_replay_launches_left(const struct ptx_replay *r)
{
    return r->launches - r->done;
}

const char *ptx_replay_design(const struct ptx_replay *r)
{
    return *r->design ? r->design : NULL;
}

static bool skip(struct ptx_io *io, uint64_t bytes)
{
    if (!ptx_io_check(io, bytes <= io->left))
        return false;
    io->in += bytes;
    io->left -= bytes;
    return true;
}

static int same_launch(struct ptx_io *io, struct ptx_program *p, const struct ptx_launch *launch, struct err *e)
{
    char now[REPLAY_LAUNCH_TEXT];
    size_t n = strnlen((const char *)io->in, io->left);

    if (!ptx_io_check(io, n < io->left))
        return damaged(e);
    if (replay_launch_text(p, launch, now, e) != 0)
        return -1;
    if (strcmp((const char *)io->in, now) != 0)
        return err_set(e, ERR_UNSUPPORTED, "it belongs to another launch (its header names %.300s; this is %.300s)",
                       (const char *)io->in, now);
    (void)skip(io, n + 1);
    return 0;
}

/* Hashes the pages at the addresses in `io`. `between` bytes after each address are ignored. */
static void hash_pages(struct sha256 *h, const struct device_memory *m, struct ptx_io io, size_t between)
{
    static const uint8_t zero[PAGE_BYTES];
    uint64_t address = 0;

    while (io.left && !io.bad) {
        const void *page;

        PTX_IO(&io, address);
        page = device_page(m, address);
        sha256_update(h, page ? page : zero, PAGE_BYTES);
        (void)skip(&io, between);
    }
}

/* Before memory is restored: does it contain the same data as in the first run? Leaves `io` after the hash. */
static int check_given(struct ptx_io *io, const struct device_memory *m, struct err *e)
{
    uint8_t now[SHA256_BYTES], then[SHA256_BYTES];
    struct ptx_io given, changed;
    struct sha256 *h;
    uint64_t bytes = 0;

    PTX_IO(io, bytes);
    given = (struct ptx_io){.in = io->in, .left = bytes};
    if (!skip(io, bytes))
        return damaged(e);
    ptx_io_bytes(io, then, sizeof then);
    changed = *io;
    PTX_IO(&changed, bytes); /* length of the table */
    if (changed.bad)
        return damaged(e);
    h = sha256_new(e);
    if (!h)
        return -1;
    hash_pages(h, m, given, 0);
    if (bytes)
        replay_memory_add(h, m);
    else
        hash_pages(h, m, changed, PAGE_BYTES);
    sha256_final(h, now);
    sha256_free(h);
    if (memcmp(now, then, sizeof now) != 0)
        return err_set(
            e, ERR_UNSUPPORTED,
            "the memory before this launch differs from the checkpoint: run the program with the same input data");
    return 0;
}

static int take_memory(struct ptx_io *io, struct ptx_program *p, struct err *e)
{
    struct device_memory *m = ptx_program_memory(p);
    struct section table = {.bytes = NULL};
    uint64_t bytes = 0, address = 0;

    if (check_given(io, m, e) != 0)
        return -1;
    PTX_IO(io, bytes);
    table.bytes = (uint8_t *)(uintptr_t)io->in;
    table.n = bytes;
    if (!skip(io, bytes))
        return damaged(e);
    if (bytes && memory_table_load(m, &table, e) != 0)
        return -1;
    while (io->left) {
        PTX_IO(io, address);
        if (!ptx_io_check(io, io->left >= PAGE_BYTES) || device_page_restore(m, address, io->in) != 0)
            return damaged(e);
        io->in += PAGE_BYTES;
        io->left -= PAGE_BYTES;
    }
    return 0;
}

static int take_step(struct ptx_io *io, struct ptx_program *p, struct ptx_replay_step *step, struct err *e)
{
    uint64_t heap = 0, printed = 0;

    PTX_IO(io, step->warp_instructions);
    PTX_IO(io, step->length_ps);
    PTX_IO(io, step->registers);
    PTX_IO(io, heap);
    PTX_IO(io, printed);
    step->print = (const char *)io->in;
    step->print_bytes = printed;
    if (!skip(io, printed))
        return damaged(e);
    (void)ptx_program_heap(p, (int64_t)(heap - ptx_program_heap(p, 0)));
    return take_memory(io, p, e);
}

static int check_memory(const struct ptx_replay *r, const struct device_memory *m, struct err *e)
{
    uint8_t now[SHA256_BYTES];

    if (replay_memory_hash(m, now, e) != 0)
        return -1;
    if (memcmp(now, r->hash, sizeof now) != 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "the memory after its last launch differs from the checkpoint: run the program with the "
                       "same input data");
    return 0;
}

int ptx_replay_next(struct ptx_replay *r, struct ptx_program *p, const struct ptx_launch *launch,
                    struct ptx_replay_step *step, struct err *e)
{
    struct ptx_io io;
    int ret;

    free(r->step.bytes);
    r->step.bytes = NULL;
    ret = section_next(&r->rest, &r->step, e);
    if (ret == 0) {
        io = (struct ptx_io){.in = r->step.bytes, .left = r->step.n};
        ret = same_launch(&io, p, launch, e) != 0 || take_step(&io, p, step, e) != 0 ? -1 : 0;
    }
    if (ret == 0 && ++r->done == r->launches)
        ret = check_memory(r, ptx_program_memory(p), e);
    return ret == 0 ? 0 : err_wrap(e, "checkpoint");
}
