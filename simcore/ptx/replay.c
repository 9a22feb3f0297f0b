/* simcore/ptx/replay.c: pages that launches have changed, launch by launch, into a file and back. */
#include "simcore/ptx/replay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "simcore/ptx/checkpoint.h"
#include "simcore/ptx/checkpoint_file.h"
#include "simcore/ptx/program.h"

static const char first_line[] = "vivace-ptx-replay\t1\n";
enum { LAUNCH_TEXT = 800 };
#define FILE_MAX ((size_t)1 << 40)

/* All that is in memory. */
static int memory_hash(const struct device_memory *m, uint8_t out[SHA256_BYTES], struct err *e)
{
    struct sha256 *h = sha256_new(e);
    struct page_walk walk = {.memory = m};
    const uint8_t *page;
    uint64_t address;

    if (!h)
        return -1;
    while ((page = page_walk_next(&walk, &address)) != NULL)
        if (!page_is_zero(page)) {
            sha256_update(h, &address, sizeof address);
            sha256_update(h, page, PAGE_BYTES);
        }
    sha256_final(h, out);
    sha256_free(h);
    return 0;
}

/* --- writing --- */

struct ptx_replay_log {
    struct ptx_program *program;
    uint8_t *before;     /* memory at the begin of the launch, by address from PTX_GLOBAL_BASE on */
    uint32_t generation; /* of its allocations then */
    char launch[LAUNCH_TEXT];
    struct strbuf steps;
    uint64_t count;
};

int ptx_replay_log_new(struct ptx_program *p, struct ptx_replay_log **out, struct err *e)
{
    struct ptx_replay_log *l = mem_zalloc(1, sizeof *l, e);
    void *before;

    if (!l)
        return -1;
    before = mmap(NULL, device_span(ptx_program_memory(p)), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (before == MAP_FAILED) {
        free(l);
        return err_no_memory(e);
    }
    *l = (struct ptx_replay_log){.program = p, .before = before, .steps = STRBUF_INIT};
    *out = l;
    return 0;
}

void ptx_replay_log_free(struct ptx_replay_log *l)
{
    if (!l)
        return;
    munmap(l->before, device_span(ptx_program_memory(l->program)));
    strbuf_release(&l->steps);
    free(l);
}

static uint8_t *page_before(const struct ptx_replay_log *l, uint64_t address)
{
    return l->before + (address - PTX_GLOBAL_BASE);
}

int ptx_replay_begin(struct ptx_replay_log *l, const struct ptx_launch *launch, struct err *e)
{
    struct page_walk walk = {.memory = ptx_program_memory(l->program)};
    const uint8_t *page;
    uint64_t address;

    while ((page = page_walk_next(&walk, &address)) != NULL)
        if (memcmp(page_before(l, address), page, PAGE_BYTES) != 0) /* so that what is not used takes no memory */
            memcpy(page_before(l, address), page, PAGE_BYTES);
    l->generation = device_generation(walk.memory);
    return ptx_launch_text(l->program, launch, l->launch, sizeof l->launch, e);
}

/* Pages that have changed; where the kernel has allocated or freed: the table, and all pages that are not zero. */
static void put_memory(struct ptx_replay_log *l, struct ptx_io *io)
{
    const struct device_memory *m = ptx_program_memory(l->program);
    bool all = device_generation(m) != l->generation;
    struct ptx_io table = {.saves = true, .out = STRBUF_INIT};
    struct page_walk walk = {.memory = m};
    uint64_t bytes = 0, address;
    const uint8_t *page;

    if (all) {
        memory_table_save(m, &table);
        bytes = table.out.length;
    }
    PTX_IO(io, bytes);
    ptx_io_bytes(io, table.out.text, bytes);
    strbuf_release(&table.out);
    while ((page = page_walk_next(&walk, &address)) != NULL)
        if (all ? !page_is_zero(page) : memcmp(page_before(l, address), page, PAGE_BYTES) != 0) {
            PTX_IO(io, address);
            strbuf_add(&io->out, page, PAGE_BYTES);
        }
}

int ptx_replay_end(struct ptx_replay_log *l, const struct ptx_replay_step *step, struct err *e)
{
    struct ptx_io io = {.saves = true, .out = STRBUF_INIT};
    struct ptx_replay_step s = *step;
    uint64_t heap = ptx_program_heap(l->program, 0), printed = s.print_bytes;
    int ret;

    strbuf_add(&io.out, l->launch, strlen(l->launch) + 1);
    PTX_IO(&io, s.warp_instructions);
    PTX_IO(&io, s.length_ps);
    PTX_IO(&io, heap);
    PTX_IO(&io, printed);
    strbuf_add(&io.out, s.print, s.print_bytes);
    put_memory(l, &io);
    ret = section_add(&l->steps, "STEP", SECTION_PACKED, &io.out, e);
    strbuf_release(&io.out);
    l->count += ret == 0;
    return ret;
}

int ptx_replay_save(const struct ptx_replay_log *l, const char *path, struct err *e)
{
    struct ptx_io head = {.saves = true, .out = STRBUF_INIT};
    const struct strbuf none = STRBUF_INIT;
    struct strbuf file = STRBUF_INIT;
    uint8_t hash[SHA256_BYTES];
    uint64_t count = l->count;
    int ret = memory_hash(ptx_program_memory(l->program), hash, e);

    PTX_IO(&head, count);
    ptx_io_bytes(&head, hash, sizeof hash);
    strbuf_adds(&head.out, VIVACE_VERSION);
    strbuf_adds(&file, first_line);
    if (ret == 0)
        ret = section_add(&file, "HEAD", 0, &head.out, e);
    strbuf_add(&file, l->steps.text, l->steps.length);
    if (ret == 0)
        ret = section_add(&file, "END.", 0, &none, e);
    if (ret == 0)
        ret = whole_file_write(path, file.text, file.length, e);
    strbuf_release(&head.out);
    strbuf_release(&file);
    return ret;
}

/* --- passing over --- */

struct ptx_replay {
    char *bytes;
    uint64_t launches, done;
    uint8_t hash[SHA256_BYTES]; /* of memory after the last */
    struct ptx_io rest;         /* of the file */
    struct section step;        /* the last one that was passed over */
};

static int damaged(struct err *e)
{
    return err_set(e, ERR_MALFORMED, "it is damaged or cut short");
}

static int read_head(struct ptx_replay *r, size_t n, struct err *e)
{
    struct section none = {.tag = NULL}, head = {.tag = "HEAD"};
    size_t line = strlen(first_line);
    struct ptx_io io;
    int ret;

    if (n < line || memcmp(r->bytes, first_line, line) != 0)
        return err_set(e, ERR_UNSUPPORTED, "it is none of `vivace exec --checkpoint-at`");
    r->rest = (struct ptx_io){.in = (const uint8_t *)r->bytes + line, .left = n - line};
    if (sections_read(r->rest.in, r->rest.left, &none, e) != 0 || section_next(&r->rest, &head, e) != 0)
        return -1;
    io = (struct ptx_io){.in = head.bytes, .left = head.n};
    PTX_IO(&io, r->launches);
    ptx_io_bytes(&io, r->hash, sizeof r->hash);
    ret = io.bad ? damaged(e) : 0;
    if (ret == 0 && (io.left != strlen(VIVACE_VERSION) || memcmp(io.in, VIVACE_VERSION, io.left) != 0))
        ret = err_set(e, ERR_UNSUPPORTED, "it was written by version %.*s of Vivace; this is " VIVACE_VERSION,
                      io.left < 40 ? (int)io.left : 40, (const char *)io.in);
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

static int same_launch(struct ptx_io *io, const struct ptx_program *p, const struct ptx_launch *launch,
                       struct err *e)
{
    char now[LAUNCH_TEXT];
    size_t n = strnlen((const char *)io->in, io->left);

    if (!ptx_io_check(io, n < io->left))
        return damaged(e);
    if (ptx_launch_text(p, launch, now, sizeof now, e) != 0)
        return -1;
    if (strcmp((const char *)io->in, now) != 0)
        return err_set(e, ERR_UNSUPPORTED, "it is of another launch (it says %.200s; this is %.200s)",
                       (const char *)io->in, now);
    io->in += n + 1;
    io->left -= n + 1;
    return 0;
}

static int take_memory(struct ptx_io *io, struct ptx_program *p, struct err *e)
{
    struct device_memory *m = ptx_program_memory(p);
    struct section table = {.bytes = NULL};
    uint64_t bytes = 0, address = 0;

    PTX_IO(io, bytes);
    if (!ptx_io_check(io, bytes <= io->left))
        return damaged(e);
    table.bytes = (uint8_t *)(uintptr_t)io->in;
    table.n = bytes;
    if (bytes && memory_table_load(m, &table, e) != 0)
        return -1;
    io->in += bytes;
    io->left -= bytes;
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
    PTX_IO(io, heap);
    PTX_IO(io, printed);
    if (!ptx_io_check(io, printed <= io->left))
        return damaged(e);
    step->print = (const char *)io->in;
    step->print_bytes = printed;
    io->in += printed;
    io->left -= printed;
    (void)ptx_program_heap(p, (int64_t)(heap - ptx_program_heap(p, 0)));
    return take_memory(io, p, e);
}

static int check_memory(const struct ptx_replay *r, const struct device_memory *m, struct err *e)
{
    uint8_t now[SHA256_BYTES];

    if (memory_hash(m, now, e) != 0)
        return -1;
    if (memcmp(now, r->hash, sizeof now) != 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "after its last launch memory is not what it was: the program has been "
                       "given other data this time");
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
