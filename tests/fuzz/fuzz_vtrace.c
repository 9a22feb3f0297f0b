/* Reads the input as a .vtrace: opens and verifies it, reads CTAs in any order, and writes the launches that it
 * could read to another .vtrace, which must then be readable. A checksum would detect a changed byte at once, so
 * the mutator changes the contents of blocks and computes sizes and checksums again. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "simcore/trace/vtrace_reader.h"

#define LAUNCHES_MAX 20
#define INSTS_MAX    200000 /* maximum number of instructions that are read of a launch */
#define WRITE_MAX    5000   /* maximum number of instructions of a launch that is written again */
#define PIECES_MAX   64

static int file = -1;
static char file_path[40], again_path[60];

static void spill(const uint8_t *data, size_t size)
{
    if (file < 0) {
        file = memfd_create("fuzz_vtrace", 0);
        snprintf(file_path, sizeof file_path, "/proc/self/fd/%d", file);
        snprintf(again_path, sizeof again_path, "/dev/shm/fuzz-vtrace-%ld", (long)getpid());
    }
    if (ftruncate(file, 0) < 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
}

/* Reads everything that a simulator would read. */
static uint64_t look(const struct inst_source *s, const struct cta_trace *cta, volatile uint64_t *sink)
{
    uint64_t count = 0;

    for (uint32_t w = 0; w < cta->warp_count; w++)
        for (uint32_t i = 0; i < cta->warps[w].count; i++, count++) {
            const struct warp_inst *x = &cta->warps[w].insts[i];
            const struct trace_inst *inst = &s->insts[x->inst];
            struct lane_addresses a;

            *sink += strlen(s->opcodes[inst->opcode]) + inst->src_regs[inst->src_count % INST_MAX_SRC];
            if (x->address == UINT32_MAX)
                continue;
            if (!x->mask || !inst->width)
                abort();
            cta_addresses(cta, x->address, &a);
            for (uint32_t mask = x->mask; mask; mask &= mask - 1)
                *sink += a.kind == ADDRESS_LIST ? a.list[__builtin_ctz(mask)] : a.base;
        }
    return count;
}

/* Reads the launch to its end or up to the limit. 0: the whole launch was read. */
static int read_launch(struct inst_source *s, uint64_t *count)
{
    static volatile uint64_t sink;
    struct cta_trace *cta;
    struct err e;
    int got = 1;

    while (*count < INSTS_MAX && (got = inst_source_next_cta(s, &cta, &e)) > 0) {
        *count += look(s, cta, &sink);
        inst_source_release_cta(s, cta);
    }
    return got;
}

static void write_again(struct vtrace *v, size_t launch, uint64_t count)
{
    struct vtrace_writer *w;
    struct inst_source *s;
    uint64_t again = 0;
    struct err e;

    if (vtrace_source(v, launch, &s, &e) < 0 || vtrace_writer_new(again_path, NULL, &w, &e) < 0 ||
        vtrace_writer_add(w, s, &e) < 0 || vtrace_writer_finish(w, &e) < 0)
        abort();
    vtrace_writer_release(w);
    inst_source_release(s);
    if (vtrace_source_path(again_path, 0, &s, &e) < 0 || read_launch(s, &again) != 0 || again != count)
        abort();
    inst_source_release(s);
    unlink(again_path);
}

static void jump_about(struct inst_source *s, uint64_t ctas)
{
    static volatile uint64_t sink;
    struct cta_trace *cta;
    struct err e;

    for (uint64_t i = 0; i < 4 && ctas > 0; i++) {
        uint64_t index = (ctas - 1) * (3 - i) / 3;

        if (vtrace_seek_cta(s, index, &e) < 0)
            abort();
        if (inst_source_next_cta(s, &cta, &e) <= 0)
            continue;
        if (cta->index != index)
            abort();
        look(s, cta, &sink);
        inst_source_release_cta(s, cta);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vtrace_stats stats;
    struct inst_source *s;
    struct vtrace *v;
    struct err e;

    spill(data, size);
    if (vtrace_open(file_path, &v, &e) < 0)
        return 0;
    (void)vtrace_stats(v, &stats, &e);
    for (size_t i = 0; i < vtrace_launch_count(v) && i < LAUNCHES_MAX; i++) {
        uint64_t count = 0;

        if (vtrace_source(v, i, &s, &e) < 0)
            continue;
        if (read_launch(s, &count) == 0 && count < WRITE_MAX)
            write_again(v, i, count);
        jump_about(s, vtrace_launch_at(v, i)->ctas);
        inst_source_release(s);
    }
    vtrace_close(v);
    return 0;
}

/* --- the mutator --- */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* The blocks of a file before compression. The last one is the part of the index after the table of blocks. */
struct pieces {
    enum vtrace_block_kind kind[PIECES_MAX];
    struct strbuf content[PIECES_MAX];
    size_t count;
};

static void pieces_release(struct pieces *p)
{
    for (size_t i = 0; i < p->count; i++)
        strbuf_release(&p->content[i]);
}

static void add_piece(struct pieces *p, enum vtrace_block_kind kind, const void *bytes, size_t n)
{
    p->kind[p->count] = kind;
    p->content[p->count] = (struct strbuf)STRBUF_INIT;
    strbuf_add(&p->content[p->count++], bytes, n);
}

static int take_index(struct vtrace *v, const uint8_t *data, size_t size, struct pieces *p)
{
    struct vtrace_block at = {.bytes = v->index_bytes - VTRACE_HEADER_BYTES - VTRACE_TRAILER_BYTES};
    struct byte_cursor c;
    uint8_t *index;
    struct err e;

    at.offset = size - VTRACE_TRAILER_BYTES - at.bytes;
    at.raw_bytes = ZSTD_getFrameContentSize(data + at.offset, at.bytes);
    if (vtrace_checksum(data + at.offset, at.bytes, &at.checksum, &e) < 0 ||
        vtrace_unpack(v, &at, 0, &index, &e) < 0)
        return -1;
    c = (struct byte_cursor){index, index + at.raw_bytes, false};
    for (int i = 0; i < 2; i++)
        get_bytes(&c, get_number(&c));
    for (uint64_t n = get_number(&c); n > 0; n--) {
        for (int i = 0; i < 3; i++)
            get_number(&c);
        get_bytes(&c, 8);
    }
    add_piece(p, BLOCK_KINDS, c.at, (size_t)(c.end - c.at));
    free(index);
    return 0;
}

/* -1: the bytes are not a valid .vtrace. */
static int take_apart(const uint8_t *data, size_t size, struct pieces *p)
{
    struct vtrace *v;
    struct err e;
    int ret = 0;

    p->count = 0;
    spill(data, size);
    if (vtrace_open(file_path, &v, &e) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < v->block_count && i < PIECES_MAX - 1; i++) {
        uint8_t *content;

        ret = vtrace_unpack(v, &v->blocks[i], 0, &content, &e);
        if (ret < 0)
            break;
        add_piece(p, v->blocks[i].kind, content, v->blocks[i].raw_bytes);
        free(content);
    }
    if (ret == 0)
        ret = v->block_count < PIECES_MAX ? take_index(v, data, size, p) : -1;
    vtrace_close(v);
    if (ret < 0)
        pieces_release(p);
    return ret;
}

static void put_fixed(struct strbuf *b, uint64_t x, unsigned bytes)
{
    for (; bytes > 0; bytes--, x >>= 8)
        strbuf_addc(b, (char)x);
}

static uint64_t checksum(const void *bytes, size_t n)
{
    uint64_t sum;
    struct err e;

    if (vtrace_checksum(bytes, n, &sum, &e) < 0)
        abort();
    return sum;
}

static void put_packed(struct strbuf *out, const struct strbuf *content, uint64_t *bytes, uint64_t *sum)
{
    size_t most = ZSTD_compressBound(content->length);
    char *packed = malloc(most);

    *bytes = ZSTD_compress(packed, most, content->text, content->length, 1);
    *sum = checksum(packed, *bytes);
    strbuf_add(out, packed, *bytes);
    free(packed);
}

static void put_together(const struct pieces *p, struct strbuf *out)
{
    struct strbuf index = STRBUF_INIT;
    uint64_t bytes, sum;
    size_t trailer, offset;

    strbuf_adds(out, VTRACE_MAGIC);
    put_fixed(out, VTRACE_VERSION, 4);
    put_fixed(out, 0, 4);
    put_fixed(out, checksum(out->text, out->length), 8);
    put_text(&index, "");
    put_text(&index, "");
    put_number(&index, p->count - 1);
    for (size_t i = 0; i + 1 < p->count; i++) {
        put_packed(out, &p->content[i], &bytes, &sum);
        put_number(&index, p->kind[i]);
        put_number(&index, bytes);
        put_number(&index, p->content[i].length);
        put_fixed(&index, sum, 8);
    }
    strbuf_add(&index, p->content[p->count - 1].text, p->content[p->count - 1].length);
    offset = out->length;
    put_packed(out, &index, &bytes, &sum);
    trailer = out->length;
    put_fixed(out, offset, 8);
    put_fixed(out, bytes, 8);
    put_fixed(out, index.length, 8);
    put_fixed(out, sum, 8);
    put_fixed(out, trailer + VTRACE_TRAILER_BYTES, 8);
    put_fixed(out, checksum(out->text + trailer, 40), 8);
    strbuf_adds(out, VTRACE_END_MAGIC);
    strbuf_release(&index);
}

static void mutate_piece(struct strbuf *b)
{
    size_t most = b->length + 64, n;
    uint8_t *bytes = malloc(most);

    memcpy(bytes, b->text, b->length);
    n = LLVMFuzzerMutate(bytes, b->length, most);
    strbuf_clear(b);
    strbuf_add(b, bytes, n);
    free(bytes);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct strbuf out = STRBUF_INIT;
    struct pieces p;

    if (seed % 50 == 0 || take_apart(data, size, &p) < 0)
        return LLVMFuzzerMutate(data, size, max_size);
    mutate_piece(&p.content[seed % p.count]);
    put_together(&p, &out);
    if (out.length <= max_size) {
        memcpy(data, out.text, out.length);
        size = out.length;
    }
    strbuf_release(&out);
    pieces_release(&p);
    return size;
}
