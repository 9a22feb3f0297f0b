#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "base/text.h"
#include "simcore/trace/accel_sim_line.h"
#include "simcore/trace/macsim_internal.h"

#define LINE_LENGTH_MAX 65536
#define WARPS_MAX       (1u << 26) /* 1 GiB of records; each warp is a file */

/* --- lines --- */

struct lines {
    struct stream *s;
    struct err *e;
};

static int at_line(const struct lines *l)
{
    return err_wrap(l->e, "%s: line %" PRIu64, stream_name(l->s), stream_line_number(l->s));
}

/* Returns 1 with the next line that is not blank, 0 at the end, or -1. */
static int next_line(const struct lines *l, char **line)
{
    size_t n;
    int got;

    while ((got = stream_line(l->s, LINE_LENGTH_MAX, line, &n, NULL, l->e)) > 0)
        if (!line_is_blank(*line, n))
            break;
    return got;
}

/* Reads a line that holds one number. */
static int take_count(const struct lines *l, const char *what, uint64_t *out)
{
    char *line;
    const char *end;
    int got = next_line(l, &line);

    if (got < 0)
        return -1;
    end = got ? scan_decimal(scan_blanks(line), out) : NULL;
    if (end && *scan_blanks(end) == '\0')
        return 0;
    err_set(l->e, ERR_INVALID, "%s", what);
    return at_line(l);
}

/* Reads "65536 12": the number of a warp and another number. 1, or 0 at the end. */
static int take_pair(const struct lines *l, uint64_t *a, uint64_t *b)
{
    char *line;
    const char *p;
    int got = next_line(l, &line);

    if (got <= 0)
        return got;
    p = scan_decimal(scan_blanks(line), a);
    p = p ? scan_decimal(scan_blanks(p), b) : NULL;
    if (p && *scan_blanks(p) == '\0')
        return 1;
    err_set(l->e, ERR_INVALID, "expected the number of a warp and another number");
    return at_line(l);
}

/* --- trace.txt --- */

int macsim_recognise(const char *text, size_t n)
{
    return n >= 6 && memcmp(text, "nvbit", 5) == 0 && (text[5] == '\n' || text[5] == '\r');
}

static int take_version(const struct lines *l)
{
    uint64_t version = 0;
    char *line;
    int got = next_line(l, &line);

    if (got < 0)
        return -1;
    if (!got || strcmp(line, "nvbit") != 0) {
        err_set(l->e, ERR_UNSUPPORTED, "%s: MacSim traces of the kind \"%.20s\" are not supported, only \"nvbit\"",
                stream_name(l->s), got ? line : "");
        return -1;
    }
    if (take_count(l, "the version of the trace is missing or is not a number", &version) < 0)
        return -1;
    if (version != MACSIM_VERSION)
        return err_set(l->e, ERR_UNSUPPORTED, "%s: version %" PRIu64 " of MacSim's traces; only %d is read",
                       stream_name(l->s), version, MACSIM_VERSION);
    return 0;
}

static int add_warp(struct macsim_head *h, size_t *capacity, uint64_t id, struct err *e)
{
    void *p = h->warps;

    if (h->warp_count >= WARPS_MAX)
        return err_set(e, ERR_TOO_LARGE, "more than %u warps", WARPS_MAX);
    if (array_reserve(&p, capacity, h->warp_count + 1, sizeof *h->warps, e) < 0)
        return -1;
    h->warps = p;
    h->warps[h->warp_count++] = (struct macsim_warp){id, UINT64_MAX};
    return 0;
}

static int by_id(const void *a, const void *b)
{
    const struct macsim_warp *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

static int sort_warps(const struct lines *l, struct macsim_head *h)
{
    if (h->warp_count)
        qsort(h->warps, h->warp_count, sizeof *h->warps, by_id);
    for (size_t i = 1; i < h->warp_count; i++)
        if (h->warps[i].id == h->warps[i - 1].id)
            return err_set(l->e, ERR_INVALID, "%s: warp %" PRIu64 " is listed twice", stream_name(l->s),
                           h->warps[i].id);
    return 0;
}

static int read_warps(const struct lines *l, struct macsim_head *h)
{
    uint64_t count = 0, id = 0, start = 0, blocks = 0;
    size_t capacity = 0;
    int got;

    if (take_version(l) < 0 || take_count(l, "the maximum number of blocks of a core is missing", &blocks) < 0 ||
        take_count(l, "the number of warps is missing", &count) < 0)
        return -1;
    while ((got = take_pair(l, &id, &start)) > 0)
        if (add_warp(h, &capacity, id, l->e) < 0)
            return at_line(l);
    if (got < 0)
        return -1;
    if (h->warp_count != count || count == 0) {
        err_set(l->e, ERR_INVALID, "%s lists %zu warps where it says %" PRIu64, stream_name(l->s), h->warp_count,
                count);
        return err_hint(l->e, "The tracer writes the list at the end of the program: did it end early?");
    }
    return sort_warps(l, h);
}

/* --- trace_info.txt (optional): number of records in the file of each warp --- */

static int read_lengths(const struct lines *l, struct macsim_head *h)
{
    uint64_t id = 0, records = 0;
    int got;

    while ((got = take_pair(l, &id, &records)) > 0) {
        struct macsim_warp key = {id, 0}, *w = bsearch(&key, h->warps, h->warp_count, sizeof *h->warps, by_id);

        if (!w) {
            err_set(l->e, ERR_INVALID, "warp %" PRIu64 " is not in trace.txt", id);
            return at_line(l);
        }
        w->records = records;
    }
    return got;
}

/* --- kernel_names.txt in the parent folder (optional): name and shape of every launch --- */

/* Reads the number after `what` in text. */
static bool number_after(const char *text, const char *what, uint32_t *out)
{
    const char *p = strstr(text, what);
    uint64_t x;

    if (!p || !scan_decimal(p + strlen(what), &x) || x > UINT32_MAX)
        return false;
    *out = (uint32_t)x;
    return true;
}

static bool shape_after(const char *text, const char *what, uint32_t out[3])
{
    const char *p = strstr(text, what);

    p = p ? p + strlen(what) : NULL;
    for (int i = 0; p && i < 3; i++) {
        uint64_t x;

        p = *p == "(,,"[i] ? scan_decimal(scan_blanks(p + 1), &x) : NULL;
        if (p)
            out[i] = x > UINT32_MAX ? UINT32_MAX : (uint32_t)x;
    }
    return p && *p == ')';
}

static int take_shape(const struct lines *l, struct kernel_info *k)
{
    uint32_t fixed = 0, dynamic = 0;
    char *line;
    int got = next_line(l, &line);

    if (got < 0)
        return -1;
    if (!got || !shape_after(line, "Grid size: ", k->grid) || !shape_after(line, "Block size: ", k->block)) {
        err_set(l->e, ERR_INVALID, "expected the grid and block size of the kernel");
        return at_line(l);
    }
    number_after(line, "# of regs: ", &k->registers);
    number_after(line, "static shared mem: ", &fixed);
    number_after(line, "dynamic shared mem: ", &dynamic);
    k->shared_bytes = fixed + dynamic < fixed ? UINT32_MAX : fixed + dynamic;
    return 1;
}

/* 1: the launch was found. */
static int read_names(const struct lines *l, const char *folder, struct kernel_info *k)
{
    size_t n = strlen(folder);
    char *line;
    int got;

    while ((got = next_line(l, &line)) > 0) {
        if (strncmp(line, folder, n) != 0 || !str_starts(line + n, " name: "))
            continue;
        text_sanitize(line);
        free(k->name);
        k->name = mem_strdup(line + n + strlen(" name: "), l->e);
        return k->name ? take_shape(l, k) : -1;
    }
    return got;
}

/* --- putting it together --- */

char *macsim_beside(const char *path, const char *name, struct err *e)
{
    const char *slash = strrchr(path, '/');
    struct strbuf b = STRBUF_INIT;
    char *out;

    strbuf_addf(&b, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name);
    out = strbuf_detach(&b);
    if (!out)
        err_no_memory(e);
    return out;
}

/* Writes "Kernel12" for ".../Kernel12/trace.txt", or "". */
static void folder_of(const char *path, char out[64])
{
    const char *end = strrchr(path, '/'), *begin = end;

    while (begin && begin > path && begin[-1] != '/')
        begin--;
    snprintf(out, 64, "%.*s", begin ? (int)(end - begin) : 0, begin ? begin : "");
}

/* Without kernel_names.txt: derives a one-dimensional grid and block from the CTAs and warps in the trace. */
static void shape_of_warps(const struct macsim_head *h, struct kernel_info *k)
{
    uint64_t ctas = h->warps[h->warp_count - 1].id >> 16;
    uint32_t warps = 0, most = 0;

    for (size_t i = 0; i < h->warp_count; i++) {
        warps = i > 0 && h->warps[i].id >> 16 == h->warps[i - 1].id >> 16 ? warps + 1 : 1;
        most = warps > most ? warps : most;
    }
    k->grid[0] = ctas < UINT32_MAX ? (uint32_t)ctas + 1 : UINT32_MAX;
    k->block[0] = most * WARP_LANES;
    k->grid[1] = k->grid[2] = k->block[1] = k->block[2] = 1;
}

/* Opens the file beside `path` and reads it. Returns 0 also if the file does not exist. */
static int with_file(const char *path, const char *name, struct macsim_head *h, struct err *e,
                     int (*read)(const struct lines *l, struct macsim_head *h))
{
    char *beside = macsim_beside(path, name, e);
    struct lines l = {.e = e};
    int ret = -1;

    if (beside && access(beside, F_OK) != 0)
        ret = 0;
    else if (beside && stream_open(beside, &l.s, e) == 0)
        ret = read(&l, h);
    stream_close(l.s);
    free(beside);
    return ret;
}

static int read_shape(const struct lines *l, struct macsim_head *h)
{
    char folder[64];

    snprintf(folder, sizeof folder, "%s", h->info.name);
    return read_names(l, folder, &h->info);
}

static int complete(const char *path, struct macsim_head *h, struct err *e)
{
    struct kernel_info *k = &h->info;
    char folder[64];
    uint64_t number;
    int named;

    folder_of(path, folder);
    k->name = mem_strdup(folder, e);
    if (!k->name)
        return -1;
    k->id = str_starts(folder, "Kernel") && scan_decimal(folder + 6, &number) ? number : 0;
    named = with_file(path, "../kernel_names.txt", h, e, read_shape);
    if (named < 0)
        return -1;
    if (!named)
        shape_of_warps(h, k);
    return kernel_check_shape(k, e) < 0 ? err_wrap(e, "%s", path) : 0;
}

int macsim_head_read(const char *path, const char *shown, struct macsim_head *out, struct err *e)
{
    struct lines l = {.e = e};
    int ret;

    *out = (struct macsim_head){.info.registers = 1};
    if (stream_open_as(path, shown, &l.s, e) < 0)
        return -1;
    ret = read_warps(&l, out);
    stream_close(l.s);
    if (ret == 0)
        ret = with_file(path, "trace_info.txt", out, e, read_lengths);
    return ret == 0 ? complete(path, out, e) : -1;
}

void macsim_head_release(struct macsim_head *h)
{
    free(h->info.name);
    free(h->warps);
    *h = (struct macsim_head){0};
}
