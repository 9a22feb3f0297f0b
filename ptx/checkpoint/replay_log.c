/* ptx/checkpoint/replay_log.c: writes the pages that each launch has changed into a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "base/whole_file.h"
#include "ptx/checkpoint/checkpoint.h"
#include "ptx/checkpoint/checkpoint_file.h"
#include "ptx/program/program.h"
#include "ptx/checkpoint/replay_file.h"

/* --- launches and memory, for writing and reading --- */

/* The module's hash is needed because a kernel's body may differ although its name and parameters do not. */
int replay_launch_text(struct ptx_program *p, const struct ptx_launch *launch, char out[REPLAY_LAUNCH_TEXT],
                       struct err *e)
{
    char text[REPLAY_LAUNCH_TEXT - 40];
    const char *module;

    if (ptx_launch_text(p, launch, text, sizeof text, e) != 0 ||
        ptx_program_module_hash(p, launch->module, &module, e) != 0)
        return -1;
    snprintf(out, REPLAY_LAUNCH_TEXT, "%s, module %.16s", text, module);
    return 0;
}

static void hash_page(struct sha256 *h, uint64_t address, const uint8_t *page)
{
    if (page_is_zero(page))
        return;
    sha256_update(h, &address, sizeof address);
    sha256_update(h, page, PAGE_BYTES);
}

void replay_memory_add(struct sha256 *h, const struct device_memory *m)
{
    struct page_walk walk = {.memory = m};
    const uint8_t *page;
    uint64_t address;

    while ((page = page_walk_next(&walk, &address)) != NULL)
        hash_page(h, address, page);
}

int replay_memory_hash(const struct device_memory *m, uint8_t out[SHA256_BYTES], struct err *e)
{
    struct sha256 *h = sha256_new(e);

    if (!h)
        return -1;
    replay_memory_add(h, m);
    sha256_final(h, out);
    sha256_free(h);
    return 0;
}

/* --- writing --- */

struct ptx_replay_log {
    struct ptx_program *program;
    uint8_t *before;     /* memory when the launch begins, then when it ends; index: address - PTX_GLOBAL_BASE */
    uint32_t generation; /* of the allocations when the launch begins */
    struct ptx_io given; /* addresses of the pages that the program has changed since the previous launch */
    struct ptx_io live;  /* addresses of all pages in use when the launch begins */
    struct sha256 *hash; /* of the pages in `given` and of the pages that the launch changes, both before it */
    char launch[REPLAY_LAUNCH_TEXT];
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
    *l = (struct ptx_replay_log){.program = p,
                                 .before = before,
                                 .given = {.saves = true, .out = STRBUF_INIT},
                                 .live = {.saves = true, .out = STRBUF_INIT},
                                 .steps = STRBUF_INIT};
    *out = l;
    return 0;
}

void ptx_replay_log_free(struct ptx_replay_log *l)
{
    if (!l)
        return;
    munmap(l->before, device_span(ptx_program_memory(l->program)));
    strbuf_release(&l->given.out);
    strbuf_release(&l->live.out);
    sha256_free(l->hash);
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

    sha256_free(l->hash);
    l->hash = sha256_new(e);
    if (!l->hash)
        return -1;
    strbuf_clear(&l->given.out);
    strbuf_clear(&l->live.out);
    while ((page = page_walk_next(&walk, &address)) != NULL) {
        PTX_IO(&l->live, address);
        /* A page that is still zero equals `before`. It is not copied, so it takes no memory. */
        if (memcmp(page_before(l, address), page, PAGE_BYTES) != 0) {
            memcpy(page_before(l, address), page, PAGE_BYTES);
            PTX_IO(&l->given, address);
            sha256_update(l->hash, page, PAGE_BYTES);
        }
    }
    l->generation = device_generation(walk.memory);
    return replay_launch_text(l->program, launch, l->launch, e);
}

/* Saves the pages that the launch has changed. For launches that have not allocated or freed memory. */
static void put_changed(struct ptx_replay_log *l, struct ptx_io *pages)
{
    struct page_walk walk = {.memory = ptx_program_memory(l->program)};
    const uint8_t *page;
    uint64_t address;

    while ((page = page_walk_next(&walk, &address)) != NULL)
        if (memcmp(page_before(l, address), page, PAGE_BYTES) != 0) {
            PTX_IO(pages, address);
            strbuf_add(&pages->out, page, PAGE_BYTES);
            sha256_update(l->hash, page_before(l, address), PAGE_BYTES);
            memcpy(page_before(l, address), page, PAGE_BYTES);
        }
}

/* Saves all pages that are not zero. Reading them clears the other pages too, so the hash covers all of memory as
 * it was before the launch. */
static void put_all(struct ptx_replay_log *l, struct ptx_io *pages)
{
    struct page_walk walk = {.memory = ptx_program_memory(l->program)};
    const uint8_t *page;
    uint64_t address;

    for (size_t at = 0; at < l->live.out.length; at += sizeof address) {
        memcpy(&address, l->live.out.text + at, sizeof address);
        hash_page(l->hash, address, page_before(l, address));
    }
    while ((page = page_walk_next(&walk, &address)) != NULL) {
        if (!page_is_zero(page)) {
            PTX_IO(pages, address);
            strbuf_add(&pages->out, page, PAGE_BYTES);
        }
        if (memcmp(page_before(l, address), page, PAGE_BYTES) != 0)
            memcpy(page_before(l, address), page, PAGE_BYTES);
    }
}

/* Writes the addresses in `given` and the hash; the table of allocations if the kernel has allocated or freed
 * memory; the pages. */
static void put_memory(struct ptx_replay_log *l, struct ptx_io *io)
{
    const struct device_memory *m = ptx_program_memory(l->program);
    struct ptx_io table = {.saves = true, .out = STRBUF_INIT}, pages = {.saves = true, .out = STRBUF_INIT};
    uint64_t bytes = 0, given = l->given.out.length;
    uint8_t hash[SHA256_BYTES];

    if (device_generation(m) != l->generation) {
        memory_table_save(m, &table);
        bytes = table.out.length;
        put_all(l, &pages);
    } else {
        put_changed(l, &pages);
    }
    sha256_final(l->hash, hash);
    PTX_IO(io, given);
    ptx_io_bytes(io, l->given.out.text, given);
    ptx_io_bytes(io, hash, sizeof hash);
    PTX_IO(io, bytes);
    ptx_io_bytes(io, table.out.text, bytes);
    ptx_io_bytes(io, pages.out.text, pages.out.length);
    io->out.failed =
        io->out.failed || l->given.out.failed || l->live.out.failed || table.out.failed || pages.out.failed;
    strbuf_release(&table.out);
    strbuf_release(&pages.out);
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
    PTX_IO(&io, s.registers);
    PTX_IO(&io, heap);
    PTX_IO(&io, printed);
    strbuf_add(&io.out, s.print, s.print_bytes);
    put_memory(l, &io);
    ret = section_add(&l->steps, "STEP", SECTION_PACKED, &io.out, e);
    strbuf_release(&io.out);
    l->count += ret == 0;
    return ret;
}

int ptx_replay_save(const struct ptx_replay_log *l, const char *path, const char *design, struct err *e)
{
    struct ptx_io head = {.saves = true, .out = STRBUF_INIT};
    const struct strbuf none = STRBUF_INIT;
    struct strbuf file = STRBUF_INIT;
    uint8_t hash[SHA256_BYTES];
    uint64_t count = l->count;
    int ret = replay_memory_hash(ptx_program_memory(l->program), hash, e);

    PTX_IO(&head, count);
    ptx_io_bytes(&head, hash, sizeof hash);
    strbuf_addf(&head.out, "%s%s", REPLAY_WRITER, design ? design : "");
    strbuf_adds(&file, REPLAY_FIRST_LINE);
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
