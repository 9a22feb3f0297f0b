#include "simcore/trace/accel_sim_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

#define HEADER_LINES_MAX    1000
#define GRID_X_MAX          2147483647u /* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" */
#define GRID_YZ_MAX         65535u /* same table */
#define BLOCK_THREADS_MAX   1024u  /* same table */
#define TRACER_VERSION_MAX  6
#define LAST_OF_ACCEL_SIM_1 5 /* version 2.0 also writes 5 when it records no register values */
/* limit of this reader, not of CUDA: at 10^9 CTAs a second it takes three days; keeps products in 64 bits */
#define GRID_CTAS_MAX (1ull << 48)

/* --- values of fields --- */

static const char *skip_hex_sign(const char *p)
{
    return p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? p + 2 : p;
}

static int bad_value(const char *field, const char *value, struct err *e)
{
    return err_set(e, ERR_INVALID, "the header's \"%s\" has the value \"%.40s\"", field, value);
}

static int take_number(const char *field, const char *value, uint64_t most, uint64_t *out, struct err *e)
{
    const char *end = scan_decimal(value, out);

    if (!end || *scan_blanks(end) != '\0' || *out > most)
        return bad_value(field, value, e);
    return 0;
}

static int take_u32(const char *field, const char *value, uint32_t *out, struct err *e)
{
    uint64_t x;

    if (take_number(field, value, UINT32_MAX, &x, e) < 0)
        return -1;
    *out = (uint32_t)x;
    return 0;
}

static int take_address(const char *field, const char *value, uint64_t *out, struct err *e)
{
    const char *end = scan_hex(skip_hex_sign(value), 16, out);

    return end && *scan_blanks(end) == '\0' ? 0 : bad_value(field, value, e);
}

static int take_dimensions(const char *field, const char *value, uint32_t out[3], struct err *e)
{
    const char *p = value;

    for (int i = 0; i < 3; i++) {
        uint64_t x;

        p = scan_blanks(p);
        if (*p++ != "(,,"[i] || !(p = scan_decimal(scan_blanks(p), &x)) || x > UINT32_MAX)
            return bad_value(field, value, e);
        out[i] = (uint32_t)x;
    }
    return *scan_blanks(p) == ')' ? 0 : bad_value(field, value, e);
}

/* The first versions wrote "1.2" instead of a whole number. Only the part before the dot counts. */
static int take_version(const char *field, const char *value, uint32_t *out, struct err *e)
{
    uint64_t x;

    if (!scan_decimal(value, &x) || x > UINT32_MAX)
        return bad_value(field, value, e);
    *out = (uint32_t)x;
    return 0;
}

/* --- lines --- */

static int take_name(struct trace_header *h, char *value, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (value[i] == '\0')
            value[i] = '?';
    text_sanitize(value);
    free(h->info.name);
    h->info.name = mem_strdup(value, e);
    return h->info.name ? 0 : -1;
}

static int take_field(struct trace_header *h, char *line, size_t n, struct err *e)
{
    struct kernel_info *k = &h->info;
    const char *v;
    uint64_t flag;

    if ((v = scan_field(line, "-kernel name")))
        return take_name(h, line + (v - line), n - (size_t)(v - line), e);
    if ((v = scan_field(line, "-kernel id")))
        return take_number("kernel id", v, UINT64_MAX, &k->id, e);
    if ((v = scan_field(line, "-grid dim")))
        return take_dimensions("grid dim", v, k->grid, e);
    if ((v = scan_field(line, "-block dim")))
        return take_dimensions("block dim", v, k->block, e);
    if ((v = scan_field(line, "-shmem")))
        return take_u32("shmem", v, &k->shared_bytes, e);
    if ((v = scan_field(line, "-nregs")))
        return take_u32("nregs", v, &k->registers, e);
    if ((v = scan_field(line, "-binary version")))
        return take_u32("binary version", v, &k->binary_version, e);
    if ((v = scan_field(line, "-cuda stream id")))
        return take_number("cuda stream id", v, UINT64_MAX, &k->stream, e);
    if ((v = scan_field(line, "-shmem base_addr")))
        return take_address("shmem base_addr", v, &k->shared_base, e);
    if ((v = scan_field(line, "-local mem base_addr")))
        return take_address("local mem base_addr", v, &k->local_base, e);
    if ((v = scan_field(line, "-accelsim tracer version")))
        return take_version("accelsim tracer version", v, &k->tracer_version, e);
    if ((v = scan_field(line, "-enable lineinfo"))) {
        if (take_number("enable lineinfo", v, 1, &flag, e) < 0)
            return -1;
        h->lineinfo = flag == 1;
    }
    return 0; /* fields of other versions are not needed */
}

int kernel_check_shape(const struct kernel_info *k, struct err *e)
{
    const uint32_t *g = k->grid, *b = k->block;

    if (g[0] == 0 || b[0] == 0)
        return err_set(e, ERR_INVALID, "the trace does not say the %s dimensions", g[0] == 0 ? "grid" : "block");
    if (g[0] > GRID_X_MAX || g[1] == 0 || g[1] > GRID_YZ_MAX || g[2] == 0 || g[2] > GRID_YZ_MAX)
        return err_set(e, ERR_INVALID, "no GPU has a grid of (%u,%u,%u)", g[0], g[1], g[2]);
    if (kernel_cta_count(k) > GRID_CTAS_MAX)
        return err_set(e, ERR_TOO_LARGE, "a grid of (%u,%u,%u)", g[0], g[1], g[2]);
    for (int i = 0; i < 3; i++)
        if (b[i] == 0 || b[i] > BLOCK_THREADS_MAX)
            return err_set(e, ERR_INVALID, "no GPU has a block of (%u,%u,%u)", b[0], b[1], b[2]);
    if (b[0] * b[1] * b[2] > BLOCK_THREADS_MAX) /* the check above keeps the product below 2^31 */
        return err_set(e, ERR_INVALID, "no GPU has a block of (%u,%u,%u): that is more than %u threads", b[0], b[1],
                       b[2], BLOCK_THREADS_MAX);
    return 0;
}

static int not_a_trace(struct stream *s, uint64_t line, struct err *e)
{
    return err_set(e, ERR_INVALID, "%s: line %llu does not belong to the header of a kernel trace", stream_name(s),
                   (unsigned long long)line);
}

/* The tracer of Accel-Sim 2.0 writes version 6, or 5 when it records no register values. Its lines have other
 * fields, and its format line names two immediates. */
static int check_version(const struct stream *s, struct trace_header *h, const char *format, struct err *e)
{
    uint32_t version = h->info.tracer_version;

    h->second = version > LAST_OF_ACCEL_SIM_1 || strstr(format, "immediate1");
    if (version <= TRACER_VERSION_MAX)
        return 0;
    err_set(e, ERR_UNSUPPORTED, "%s: written by the Accel-Sim tracer of version %u, newer than %d", stream_name(s),
            version, TRACER_VERSION_MAX);
    return err_hint(e, "Record the kernels with the tracer of Accel-Sim 2.0, or as .vtrace.");
}

static int read_fields(struct stream *s, struct trace_header *out, struct err *e)
{
    for (int lines = 0; lines < HEADER_LINES_MAX; lines++) {
        char *line;
        size_t n;
        int got = stream_line(s, TRACE_LINE_MAX, &line, &n, NULL, e);

        if (got < 0)
            return -1;
        if (got == 0)
            return err_set(e, ERR_INVALID, "%s: the file ends inside the header", stream_name(s));
        if (line[0] == '#') {
            out->body_began = str_starts(line, "#BEGIN_TB");
            return check_version(s, out, line, e);
        }
        if (line_is_blank(line, n))
            continue;
        if (line[0] != '-')
            return not_a_trace(s, stream_line_number(s), e);
        if (take_field(out, line, n, e) < 0)
            return err_wrap(e, "%s: line %llu", stream_name(s), (unsigned long long)stream_line_number(s));
    }
    return not_a_trace(s, stream_line_number(s), e);
}

int trace_header_read(struct stream *s, struct trace_header *out, struct err *e)
{
    *out = (struct trace_header){.info.registers = 1};
    if (read_fields(s, out, e) < 0)
        goto failed;
    if (kernel_check_shape(&out->info, e) < 0) {
        err_wrap(e, "%s", stream_name(s));
        goto failed;
    }
    if (!out->info.name && !(out->info.name = mem_strdup("", e)))
        goto failed;
    return 0;
failed:
    kernel_info_release(&out->info);
    return -1;
}

uint64_t kernel_cta_count(const struct kernel_info *k)
{
    return (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
}

uint32_t kernel_warp_count(const struct kernel_info *k)
{
    return (k->block[0] * k->block[1] * k->block[2] + WARP_LANES - 1) / WARP_LANES;
}

void kernel_info_release(struct kernel_info *k)
{
    free(k->name);
    *k = (struct kernel_info){0};
}

int kernel_info_copy(struct kernel_info *to, const struct kernel_info *from, struct err *e)
{
    *to = *from;
    to->name = mem_strdup(from->name, e);
    return to->name ? 0 : -1;
}

int accel_sim_read_info(struct stream *s, struct kernel_info *out, struct err *e)
{
    struct trace_header h;

    if (trace_header_read(s, &h, e) < 0)
        return -1;
    *out = h.info;
    return 0;
}
