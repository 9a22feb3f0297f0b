#include "simcore/trace/program_launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

#define MARK            "vivace-program-launch "
#define LINE_LENGTH_MAX 65536 /* mangled names can be long */
enum { VERSION = 1 };

int program_launch_recognise(const char *text, size_t n)
{
    return n >= 16 && memcmp(text, MARK, 16) == 0;
}

/* Reads the next line, which must begin with `key`. Returns the words after it; the stream owns them. */
static int line_of(struct stream *s, const char *key, char **words, struct err *e)
{
    size_t n, length = strlen(key);
    bool complete = true;
    char *line;
    int got = stream_line(s, LINE_LENGTH_MAX, &line, &n, &complete, e);

    if (got < 0)
        return -1;
    if (got == 0 || !complete)
        return err_set(e, ERR_INVALID, "%s: ends before its line `%s`", stream_name(s), key);
    if (strlen(line) != n || !str_starts(line, key) || line[length] != ' ')
        return err_set(e, ERR_INVALID, "%s: line %" PRIu64 ": `%s` is expected there", stream_name(s),
                       stream_line_number(s), key);
    *words = line + length + 1;
    return 0;
}

/* Reads exactly `count` whole numbers. */
static int numbers_of(struct stream *s, const char *key, size_t count, uint64_t *out, struct err *e)
{
    char *words = NULL, *word, *rest = NULL;
    size_t i = 0;

    if (line_of(s, key, &words, e) < 0)
        return -1;
    for (word = strtok_r(words, " ", &rest); word && i < count; word = strtok_r(NULL, " ", &rest), i++)
        if (parse_u64(word, key, &out[i], e) < 0)
            return err_wrap(e, "%s: line %" PRIu64, stream_name(s), stream_line_number(s));
    if (word || i < count)
        return err_set(e, ERR_INVALID, "%s: line %" PRIu64 ": `%s` takes %zu numbers", stream_name(s),
                       stream_line_number(s), key, count);
    return 0;
}

static int dimensions_of(struct stream *s, const char *key, uint32_t out[3], struct err *e)
{
    uint64_t n[3] = {0};

    if (numbers_of(s, key, 3, n, e) < 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        if (n[i] < 1 || n[i] > INT32_MAX)
            return err_set(e, ERR_INVALID, "%s: `%s` counts from 1 to %d", stream_name(s), key, INT32_MAX);
        out[i] = (uint32_t)n[i];
    }
    return 0;
}

static int read_program(struct stream *s, struct program_launch *out, struct err *e)
{
    char *words = NULL, *blank = NULL;

    if (line_of(s, "program", &words, e) < 0 || !words)
        return -1;
    blank = strchr(words, ' ');
    if (blank)
        *blank = '\0';
    if (!blank || !sha256_hex_valid(words) || parse_u64(blank + 1, "program", &out->program_bytes, e) < 0 ||
        out->program_bytes == 0)
        return err_set(e, ERR_INVALID, "%s: `program` takes a SHA-256 (64 lower-case hex digits) and a length",
                       stream_name(s));
    memcpy(out->program, words, sizeof out->program);
    return 0;
}

static int read_all(struct stream *s, struct program_launch *out, struct err *e)
{
    uint64_t version = 0, counts[3];
    char *name = NULL;

    if (numbers_of(s, "vivace-program-launch", 1, &version, e) < 0)
        return -1;
    if (version != VERSION)
        return err_set(e, ERR_UNSUPPORTED, "%s: version %" PRIu64 "; this program reads version %d", stream_name(s),
                       version, VERSION);
    if (read_program(s, out, e) < 0 || numbers_of(s, "launch", 1, &out->number, e) < 0 ||
        line_of(s, "kernel", &name, e) < 0)
        return -1;
    if (!name || out->number > INT64_MAX || !*name || utf8_valid_prefix(name, strlen(name)) != strlen(name))
        return err_set(e, ERR_INVALID, "%s: a launch has a number below 2^63 and a kernel's name in UTF-8",
                       stream_name(s));
    out->info.name = mem_strdup(name, e);
    if (!out->info.name || dimensions_of(s, "grid", out->info.grid, e) < 0 ||
        dimensions_of(s, "block", out->info.block, e) < 0 || numbers_of(s, "counts", 3, counts, e) < 0)
        return -1;
    out->info.id = out->number + 1;
    out->counts = (struct trace_counts){.ctas = counts[0], .warps = counts[1], .warp_instructions = counts[2]};
    return 0;
}

int program_launch_read(struct stream *s, struct program_launch *out, struct err *e)
{
    char *line;
    size_t n;
    int got;

    *out = (struct program_launch){.number = 0};
    if (read_all(s, out, e) == 0) {
        got = stream_line(s, LINE_LENGTH_MAX, &line, &n, NULL, e);
        if (got == 0)
            return 0;
        if (got > 0)
            err_set(e, ERR_INVALID, "%s: unexpected data after `counts`", stream_name(s));
    }
    program_launch_release(out);
    return -1;
}

int program_launch_read_path(const char *path, struct program_launch *out, struct err *e)
{
    struct stream *s;
    int ret;

    if (stream_open(path, &s, e) < 0)
        return -1;
    ret = program_launch_read(s, out, e);
    stream_close(s);
    return ret;
}

int program_launch_compare(const struct program_launch *l, const struct kernel_info *is, struct err *e)
{
    const uint32_t *g = is->grid, *b = is->block, *want_g = l->info.grid, *want_b = l->info.block;

    if (strcmp(l->info.name, is->name) == 0 && memcmp(want_g, g, sizeof is->grid) == 0 &&
        memcmp(want_b, b, sizeof is->block) == 0)
        return 0;
    return err_set(e, ERR_INVALID,
                   "launch %" PRIu64 " of the program is %.80s, grid %ux%ux%u, block %ux%ux%u; requested: %.80s, "
                   "grid %ux%ux%u, block %ux%ux%u",
                   l->number, is->name, g[0], g[1], g[2], b[0], b[1], b[2], l->info.name, want_g[0], want_g[1],
                   want_g[2], want_b[0], want_b[1], want_b[2]);
}

void program_launch_release(struct program_launch *l)
{
    kernel_info_release(&l->info);
    *l = (struct program_launch){.number = 0};
}

int program_launch_write(const struct program_launch *l, struct strbuf *out, struct err *e)
{
    const struct kernel_info *k = &l->info;

    if (strpbrk(k->name, "\r\n"))
        return err_set(e, ERR_INVALID, "the name of a kernel must not contain a line end");
    strbuf_addf(out, MARK "%d\nprogram %s %" PRIu64 "\nlaunch %" PRIu64 "\nkernel %s\n", VERSION, l->program,
                l->program_bytes, l->number, k->name);
    strbuf_addf(out, "grid %u %u %u\nblock %u %u %u\n", k->grid[0], k->grid[1], k->grid[2], k->block[0],
                k->block[1], k->block[2]);
    strbuf_addf(out, "counts %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", l->counts.ctas, l->counts.warps,
                l->counts.warp_instructions);
    return out->failed ? err_no_memory(e) : 0;
}
