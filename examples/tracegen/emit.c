#include "examples/tracegen/emit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "base/array.h"

#define FOLDER     "synthetic-transformer"
#define CHUNK      (256u << 10)
#define LEVEL      3
#define TAR_BLOCK  512
#define LINE_BYTES 1024 /* an instruction with 32 addresses takes 700 */

/* --- the compressed tar --- */

struct output {
    int fd;
    char *path;
    ZSTD_CCtx *z;
    char *chunk;
};

static int write_compressed(struct output *o, const void *bytes, size_t n, ZSTD_EndDirective how, struct err *e)
{
    ZSTD_inBuffer from = {bytes, n, 0};
    size_t left;

    do {
        ZSTD_outBuffer to = {o->chunk, CHUNK, 0};
        size_t at = 0;

        left = ZSTD_compressStream2(o->z, &to, &from, how);
        if (ZSTD_isError(left))
            return err_set(e, ERR_INTERNAL, "compressing %s: %s", o->path, ZSTD_getErrorName(left));
        while (at < to.pos) {
            ssize_t put = write(o->fd, o->chunk + at, to.pos - at);

            if (put < 0 && errno != EINTR)
                return err_set_errno(e, errno, "cannot write %s", o->path);
            at += put > 0 ? (size_t)put : 0;
        }
    } while (from.pos < from.size || (how == ZSTD_e_end && left > 0));
    return 0;
}

static void output_free(struct output *o)
{
    if (!o)
        return;
    if (o->fd >= 0)
        close(o->fd);
    ZSTD_freeCCtx(o->z);
    free(o->chunk);
    free(o->path);
    free(o);
}

static struct output *output_open(const char *path, struct err *e)
{
    struct output *o = mem_zalloc(1, sizeof *o, e);

    if (!o)
        return NULL;
    o->fd = -1;
    o->path = mem_strdup(path, e);
    o->z = ZSTD_createCCtx();
    o->chunk = malloc(CHUNK);
    if (!o->path || !o->z || !o->chunk ||
        ZSTD_isError(ZSTD_CCtx_setParameter(o->z, ZSTD_c_compressionLevel, LEVEL))) {
        err_no_memory(e);
    } else if ((o->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) < 0) {
        err_set_errno(e, errno, "cannot create %s", path);
    } else {
        return o;
    }
    output_free(o);
    return NULL;
}

/* A ustar member; times and owners are zero, so that equal options give equal bytes. */
static int write_member(struct output *o, const char *name, const struct strbuf *content, struct err *e)
{
    char h[TAR_BLOCK] = {0};
    static const char zeros[TAR_BLOCK];
    size_t padding = (TAR_BLOCK - content->length % TAR_BLOCK) % TAR_BLOCK;
    unsigned sum = 0;

    if (content->failed)
        return err_no_memory(e);
    snprintf(h, 100, "%s/%s", FOLDER, name);
    strcpy(h + 100, "0000644");
    strcpy(h + 108, "0000000");
    strcpy(h + 116, "0000000");
    snprintf(h + 124, 12, "%011llo", (unsigned long long)content->length);
    strcpy(h + 136, "00000000000");
    memset(h + 148, ' ', 8);
    h[156] = '0';
    memcpy(h + 257,
           "ustar\0"
           "00",
           8);
    for (int i = 0; i < TAR_BLOCK; i++)
        sum += (unsigned char)h[i];
    snprintf(h + 148, 8, "%06o", sum);
    if (write_compressed(o, h, sizeof h, ZSTD_e_continue, e) < 0 ||
        write_compressed(o, content->text, content->length, ZSTD_e_continue, e) < 0)
        return -1;
    return write_compressed(o, zeros, padding, ZSTD_e_continue, e);
}

int emit_open(struct emitter *e, const char *path, struct err *err)
{
    *e = (struct emitter){0};
    e->text = e->body = e->list = (struct strbuf)STRBUF_INIT;
    e->out = output_open(path, err);
    return e->out ? 0 : -1;
}

int emit_close(struct emitter *e, struct err *err)
{
    static const char end[2 * TAR_BLOCK];
    int ret = 0;

    if (e->out) {
        ret = write_member(e->out, "kernelslist.g", &e->list, err);
        if (ret == 0)
            ret = write_compressed(e->out, end, sizeof end, ZSTD_e_end, err);
        if (close(e->out->fd) < 0 && ret == 0)
            ret = err_set_errno(err, errno, "cannot write %s", e->out->path);
        e->out->fd = -1;
    }
    output_free(e->out);
    strbuf_release(&e->text);
    strbuf_release(&e->body);
    strbuf_release(&e->list);
    return ret;
}

void emit_copy(struct emitter *e, uint64_t address, uint64_t bytes)
{
    strbuf_addf(&e->list, "MemcpyHtoD,0x%016llx,%llu\n", (unsigned long long)address, (unsigned long long)bytes);
}

/* --- kernels, CTAs, warps --- */

void emit_kernel(struct emitter *e, const struct kernel_shape *k)
{
    e->kernels++;
    strbuf_clear(&e->text);
    strbuf_addf(
        &e->text,
        "-kernel name = %s\n-kernel id = %llu\n-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n-shmem = %u\n"
        "-nregs = %u\n-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00007f2b00000000\n"
        "-local mem base_addr = 0x00007f2b02000000\n-nvbit version = none: a synthetic trace\n"
        "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
        "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
        "[adrrescompress?] [mem_addresses] immediate\n\n",
        k->name, (unsigned long long)e->kernels, k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
        k->block[2], k->shared_bytes, k->registers);
}

int emit_kernel_end(struct emitter *e, struct err *err)
{
    char name[64];

    snprintf(name, sizeof name, "kernel-%llu.traceg", (unsigned long long)e->kernels);
    strbuf_addf(&e->list, "%s\n", name);
    return write_member(e->out, name, &e->text, err);
}

void emit_cta(struct emitter *e, uint32_t x, uint32_t y)
{
    strbuf_addf(&e->text, "#BEGIN_TB\n\nthread block = %u,%u,0\n", x, y);
}

void emit_cta_end(struct emitter *e)
{
    strbuf_adds(&e->text, "\n#END_TB\n\n");
}

struct warp warp_begin(struct emitter *e, uint32_t number)
{
    strbuf_clear(&e->body);
    return (struct warp){.e = e, .mask = UINT32_MAX, .number = number};
}

void warp_end(struct warp *w)
{
    struct emitter *e = w->e;

    strbuf_addf(&e->text, "\nwarp = %u\ninsts = %llu\n", w->number, (unsigned long long)w->count);
    strbuf_add(&e->text, e->body.text, e->body.length);
    e->text.failed |= e->body.failed;
    e->instructions += w->count;
}

/* --- instructions --- */

static char *put_hex(char *p, uint64_t x, int digits)
{
    for (int i = digits - 1; i >= 0; i--)
        *p++ = "0123456789abcdef"[x >> (4 * i) & 15];
    return p;
}

static char *put_address(char *p, uint64_t x)
{
    int digits = 1;

    while (digits < 16 && x >> (4 * digits))
        digits++;
    *p++ = '0';
    *p++ = 'x';
    return put_hex(p, x, digits);
}

static char *put_decimal(char *p, int64_t x)
{
    char digits[24];
    int n = 0;
    uint64_t left = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;

    if (x < 0)
        *p++ = '-';
    do
        digits[n++] = (char)('0' + left % 10);
    while (left /= 10);
    while (n > 0)
        *p++ = digits[--n];
    return p;
}

/* PC, mask and operands; what follows is the caller's. */
static char *begin_line(struct warp *w, char *p, const char *text)
{
    p = put_hex(p, w->pc, 4);
    *p++ = ' ';
    p = put_hex(p, w->mask, 8);
    *p++ = ' ';
    while (*text)
        *p++ = *text++;
    *p++ = ' ';
    return p;
}

static void end_line(struct warp *w, char *line, char *p)
{
    *p++ = ' ';
    *p++ = '\n';
    strbuf_add(&w->e->body, line, (size_t)(p - line));
    w->pc += 16;
    w->count++;
}

void op_imm(struct warp *w, const char *text, int32_t immediate)
{
    char line[LINE_BYTES], *p = begin_line(w, line, text);

    end_line(w, line, put_decimal(p, immediate));
}

void op(struct warp *w, const char *text)
{
    op_imm(w, text, 0);
}

static uint32_t lowest(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

/* As the tracer does it: one run of two lanes or more with one difference is base and stride. */
static bool is_run(uint32_t mask, const uint64_t *lanes)
{
    uint32_t first, last;

    if (mask == 0)
        return true;
    first = lowest(mask);
    last = 31 - (uint32_t)__builtin_clz(mask);
    if (first == last || mask >> first != (last - first == 31 ? UINT32_MAX : (1u << (last - first + 1)) - 1))
        return false;
    for (uint32_t i = first + 2; i <= last; i++)
        if (lanes[i] - lanes[i - 1] != lanes[first + 1] - lanes[first])
            return false;
    return true;
}

void gather(struct warp *w, const char *text, const uint64_t lanes[32])
{
    char line[LINE_BYTES], *p = begin_line(w, line, text);
    uint32_t rest = w->mask, first = rest ? lowest(rest) : 0;
    uint64_t before = rest ? lanes[first] : 0;

    if (is_run(w->mask, lanes)) {
        *p++ = '1';
        *p++ = ' ';
        p = put_address(p, before);
        *p++ = ' ';
        p = put_decimal(p, rest ? (int64_t)(lanes[first + 1] - lanes[first]) : 0);
    } else {
        *p++ = '2';
        *p++ = ' ';
        p = put_address(p, before);
        for (rest &= rest - 1; rest; rest &= rest - 1) {
            *p++ = ' ';
            p = put_decimal(p, (int64_t)(lanes[lowest(rest)] - before));
            before = lanes[lowest(rest)];
        }
    }
    *p++ = ' ';
    *p++ = '0';
    end_line(w, line, p);
}

void mem(struct warp *w, const char *text, uint64_t base, int64_t stride)
{
    uint64_t lanes[32];

    for (int64_t i = 0; i < 32; i++)
        lanes[i] = base + (uint64_t)(i * stride);
    gather(w, text, lanes);
}
