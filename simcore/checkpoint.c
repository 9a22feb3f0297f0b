#include "simcore/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "simcore/mem/memory_internal.h"

enum { LEVEL = 1, SUM_BYTES = SHA256_HEX - 1, IDENTITY_LINES = 4, LINE_MAX_BYTES = 256 };
#define STATE_MAX ((size_t)1 << 30)
static const char first_line[] = "vivace-checkpoint\t1\n";

/* --- identity of the checkpoint --- */

/* The sizes of the structs that the file contains as they are in memory, and the byte order. Increment LAYOUT if
 * fields change their positions without a change of size. */
enum { LAYOUT = 3 };
static uint64_t layout(void)
{
    const uint64_t sizes[] = {
        sizeof(struct counters),     sizeof(struct sub_core),     sizeof(struct warp),
        sizeof(struct cta),          sizeof(struct l1_line),      sizeof(struct l2_line),
        sizeof(struct res),          sizeof(struct dram_channel), sizeof(struct noc_sm_port),
        sizeof(struct mem_counters), sizeof(struct slice_stages), sizeof(struct stream_buffer),
        sizeof(struct sm),           sizeof(struct launch),       sizeof(struct memory_seen)};

    return hash_fnv1a(sizes, sizeof sizes) + LAYOUT;
}

/* Four header lines, each with its name in error messages. */
struct identity {
    char text[IDENTITY_LINES][LINE_MAX_BYTES];
};
static const char *const identity_names[IDENTITY_LINES] = {"simulator", "design", "trace",
                                                           "build of the simulator"};

static void identify(struct identity *id, const struct simulator *s, const struct sim_checkpoint *c)
{
    snprintf(id->text[0], sizeof id->text[0], "simulator\t%s", SIMCORE_VERSION);
    snprintf(id->text[1], sizeof id->text[1], "design\t%s\t%s", s->design->name, s->design->sha256);
    snprintf(id->text[2], sizeof id->text[2], "trace\t%s", c->trace_sha256);
    snprintf(id->text[3], sizeof id->text[3], "layout\t%016" PRIx64, layout());
}

static int possible(const struct simulator *s, const struct sim_checkpoint *c, struct err *e)
{
    if (s->design->model.memory == MEMORY_EVENT)
        return err_set(e, ERR_UNSUPPORTED,
                       "checkpoints are not possible while the memory path runs event by event: use a design "
                       "whose model.memory is \"reserve\"");
    if (!c->trace_sha256 || strlen(c->trace_sha256) != SHA256_HEX - 1)
        return err_set(e, ERR_INVALID, "a checkpoint needs the SHA-256 of its trace");
    return 0;
}

/* --- writing --- */

static int append_packed(struct strbuf *b, const struct strbuf *state, struct err *e)
{
    size_t bound = ZSTD_compressBound(state->length), n;
    void *packed = mem_zalloc(bound, 1, e);

    if (!packed)
        return -1;
    n = ZSTD_compress(packed, bound, state->text, state->length, LEVEL);
    if (!ZSTD_isError(n))
        strbuf_add(b, packed, n);
    free(packed);
    return ZSTD_isError(n) ? err_set(e, ERR_IO, "%s", ZSTD_getErrorName(n)) : 0;
}

static int append_sum(struct strbuf *b, struct err *e)
{
    char sum[SHA256_HEX];

    if (sha256_bytes(b->text, b->length, sum, e) < 0)
        return -1;
    strbuf_add(b, sum, SUM_BYTES);
    return 0;
}

int checkpoint_save(struct simulator *s, struct launch *l, const struct checkpoint_step *step,
                    const struct sim_checkpoint *c, struct err *e)
{
    struct strbuf state = STRBUF_INIT, file = STRBUF_INIT;
    struct identity id = {0};
    int ret = -1;

    if (possible(s, c, e) < 0)
        return -1;
    identify(&id, s, c);
    checkpoint_put(s, l, step, &state, e);
    strbuf_adds(&file, first_line);
    for (int i = 0; i < IDENTITY_LINES; i++)
        strbuf_addf(&file, "%s\n", id.text[i]);
    strbuf_addf(&file, "bytes\t%zu\n", state.length);
    if (state.failed)
        err_no_memory(e);
    else if (append_packed(&file, &state, e) == 0 && append_sum(&file, e) == 0)
        ret = file.failed ? err_no_memory(e) : whole_file_write(c->path, file.text, file.length, e);
    strbuf_release(&state);
    strbuf_release(&file);
    return ret < 0 ? err_wrap(e, "checkpoint") : 0;
}

/* --- reading --- */

struct loaded {
    char *bytes; /* the content of the file */
    size_t n, at;
    char *state;
    size_t state_bytes;
};

static int damaged(struct err *e)
{
    return err_set(e, ERR_MALFORMED, "it is damaged or cut short");
}

/* Checks the checksum and removes it. */
static int check_sum(struct loaded *in, struct err *e)
{
    char sum[SHA256_HEX];

    if (in->n < SUM_BYTES)
        return damaged(e);
    in->n -= SUM_BYTES;
    if (sha256_bytes(in->bytes, in->n, sum, e) < 0)
        return -1;
    return memcmp(sum, in->bytes + in->n, SUM_BYTES) == 0 ? 0 : damaged(e);
}

/* Returns the next line of the header; NULL: no more lines. */
static char *next_line(struct loaded *in)
{
    char *line = in->bytes + in->at, *end = memchr(line, '\n', in->n - in->at);

    if (!end)
        return NULL;
    *end = '\0';
    in->at = (size_t)(end + 1 - in->bytes);
    return line;
}

static int check_header(struct loaded *in, const struct identity *id, struct err *e)
{
    const char *line;
    uint64_t bytes;

    if (!next_line(in))
        return damaged(e);
    for (int i = 0; i < IDENTITY_LINES; i++) {
        line = next_line(in);
        if (!line)
            return damaged(e);
        if (strcmp(line, id->text[i]) != 0)
            return err_set(e, ERR_UNSUPPORTED, "it belongs to another %s (its header names %.80s; this is %.80s)",
                           identity_names[i], strchr(line, '\t') ? strchr(line, '\t') + 1 : line,
                           strchr(id->text[i], '\t') + 1);
    }
    line = next_line(in);
    if (!line || strncmp(line, "bytes\t", 6) != 0 || parse_u64(line + 6, "bytes", &bytes, e) < 0 ||
        bytes > STATE_MAX)
        return damaged(e);
    in->state_bytes = bytes;
    return 0;
}

static int unpack(struct loaded *in, struct err *e)
{
    size_t n;

    in->state = mem_zalloc(in->state_bytes + 1, 1, e);
    if (!in->state)
        return -1;
    n = ZSTD_decompress(in->state, in->state_bytes, in->bytes + in->at, in->n - in->at);
    return ZSTD_isError(n) || n != in->state_bytes ? damaged(e) : 0;
}

/* Checks the identity lines in this order, so that the message names the first difference. */
static int open_file(struct loaded *in, const struct identity *id, struct err *e)
{
    size_t same = strlen(first_line);

    if (in->n < same || memcmp(in->bytes, first_line, same) != 0)
        return err_set(e, ERR_UNSUPPORTED, "it is not a checkpoint of this format");
    if (check_sum(in, e) < 0 || check_header(in, id, e) < 0)
        return -1;
    return unpack(in, e);
}

int checkpoint_resume(struct simulator *s, struct launch *l, struct checkpoint_step *step,
                      const struct sim_checkpoint *c, struct err *e)
{
    struct loaded in = {0};
    struct identity id = {0};
    int ret;

    if (possible(s, c, e) < 0)
        return -1;
    identify(&id, s, c);
    ret = whole_file_read(c->resume, STATE_MAX, &in.bytes, &in.n, e);
    if (ret == 0) {
        ret = open_file(&in, &id, e);
        if (ret == 0)
            ret = checkpoint_take(s, l, step, in.state, in.state_bytes, e);
        if (ret < 0)
            err_wrap(e, "%s", c->resume);
    }
    free(in.bytes);
    free(in.state);
    return ret < 0 ? err_wrap(e, "checkpoint") : 0;
}
