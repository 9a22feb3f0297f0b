/* Changes the state in a checkpoint, writes the file with a correct checksum, and resumes from it. The file must be
 * refused, or the simulation must end within its limits: a changed value must never be an index outside of an
 * array.
 *
 * Input: the number of bytes that are removed at the end of the state (2 bytes), then changes of 5 bytes: position
 * (4, little-endian, modulo the size), value (1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "base/whole_file.h"
#include "simcore/simcore.h"
#include "simcore/trace/trace_file.h"

enum { CTAS = 12, AT_CYCLE = 900, HEADER_LINES = 5, CYCLES_MAX = 200000, HOST_US_MAX = 200000 };

static char trace_path[60], file_path[60];
static const char trace_sha256[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static struct gpu_design *design;
static struct simulator *simulator;
static struct strbuf header = STRBUF_INIT; /* header of the file, up to the number of bytes */
static char *state;
static size_t state_bytes;

static void give_up(const char *what, const struct err *e)
{
    fprintf(stderr, "%s: %s\n", what, e ? e->text : "");
    abort();
}

static void write_trace(void)
{
    FILE *f = fopen(trace_path, "w");

    if (!f)
        give_up(trace_path, NULL);
    fprintf(f,
            "-kernel name = k\n-kernel id = 1\n-grid dim = (%d,1,1)\n-block dim = (64,1,1)\n-shmem = 4096\n-nregs "
            "= 64\n"
            "-binary version = 70\n-accelsim tracer version = 5\n#traces\n",
            CTAS);
    for (int i = 0; i < CTAS; i++) {
        fprintf(f, "#BEGIN_TB\nthread block = %d,0,0\n", i);
        for (int w = 0; w < 2; w++) {
            fprintf(f, "warp = %d\ninsts = 42\n", w);
            for (int k = 0; k < 8; k++)
                fprintf(
                    f,
                    "%04x ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f%02x%02x%02x00 4 0 \n%04x ffffffff 0 STS 2 R3 R4 4 1 "
                    "0x%x 4 0 \n%04x ffffffff 0 BAR.SYNC 0 0 0 \n%04x ffffffff 1 R5 LDS 1 R3 4 1 0x%x 4 0 \n%04x "
                    "0000ffff 0 RED.E.ADD 2 R2 R5 4 1 0x7f00000%d00 4 0 \n",
                    k * 80, i, w, k, k * 80 + 16, w * 128, k * 80 + 32, k * 80 + 48, w * 128, k * 80 + 64, k);
            fprintf(f, "0300 ffffffff 1 R6 FFMA 3 R6 R5 R4 0 0 \n0310 ffffffff 0 EXIT 0 0 0 \n");
        }
        fprintf(f, "#END_TB\n");
    }
    fclose(f);
}

/* Returns -1 if the simulation did not begin. */
static int simulate_with(const struct sim_checkpoint *c)
{
    const struct sim_options o = {.limit_cycles = CYCLES_MAX, .limit_host_us = HOST_US_MAX, .checkpoint = c};
    struct inst_source *source;
    struct sim_result r;
    struct err e;
    int ret;

    if (trace_file_open_path(trace_path, &source, &e) < 0)
        give_up("the trace", &e);
    ret = simulator_run(simulator, source, &o, &r, &e);
    if (ret == 0)
        sim_result_release(&r);
    else if (!e.text[0])
        give_up("refused without a word", NULL);
    inst_source_release(source);
    return ret;
}

static void unpack(char *file, size_t n)
{
    char *at = file;

    for (int i = 0; i < HEADER_LINES; i++)
        at = strchr(at, '\n') + 1;
    strbuf_add(&header, file, (size_t)(at - file));
    at = strchr(at, '\n') + 1;
    n -= (size_t)(at - file) + SHA256_HEX - 1;
    state_bytes = ZSTD_getFrameContentSize(at, n);
    state = malloc(state_bytes);
    if (!state || ZSTD_decompress(state, state_bytes, at, n) != state_bytes)
        give_up("the checkpoint", NULL);
}

/* Memory in large pages points to the other allocations, and leak checkers do not search large pages. */
static void tear_down(void)
{
    simulator_free(simulator);
    design_free(design);
    strbuf_release(&header);
    free(state);
}

static void set_up(void)
{
    static const struct design_change small[] = {
        {"gpu.sms", "2"}, {"gpu.gpcs", "1"}, {"l2.slices", "2"}, {"dram.channels", "2"}, {"l2.kb", "64"}};
    const struct sim_checkpoint c = {.path = file_path, .at_cycle = AT_CYCLE, .trace_sha256 = trace_sha256};
    struct gpu_design *base;
    char *text, *file;
    struct err e;
    size_t n;

    atexit(tear_down);
    snprintf(trace_path, sizeof trace_path, "/dev/shm/fuzz-checkpoint-%ld.traceg", (long)getpid());
    snprintf(file_path, sizeof file_path, "/dev/shm/fuzz-checkpoint-%ld.vck", (long)getpid());
    write_trace();
    if (design_load("v100", &base, &e) < 0)
        give_up("the design", &e);
    if (design_derive(base, "small", small, sizeof small / sizeof *small, &text, &e) < 0) {
        give_up("the design", &e);
        return;
    }
    if (design_parse(text, strlen(text), "small", &design, &e) < 0 || !(simulator = simulator_new(design, &e)))
        give_up("the design", &e);
    design_free(base);
    free(text);
    if (simulate_with(&c) < 0)
        give_up("the first checkpoint", NULL);
    if (whole_file_read(file_path, 1 << 28, &file, &n, &e) < 0) {
        give_up("the first checkpoint", &e);
        return;
    }
    unpack(file, n);
    free(file);
}

/* Writes a file with the first bytes of the state. */
static void pack(const char *bytes, size_t n)
{
    struct strbuf b = STRBUF_INIT;
    size_t bound = ZSTD_compressBound(n), packed;
    char *to = malloc(bound), sum[SHA256_HEX];
    struct err e;

    packed = to ? ZSTD_compress(to, bound, bytes, n, -5) : 0;
    strbuf_add(&b, header.text, header.length);
    strbuf_addf(&b, "bytes\t%zu\n", n);
    strbuf_add(&b, to, packed);
    if (b.failed || sha256_bytes(b.text, b.length, sum, &e) < 0)
        give_up("packing", NULL);
    strbuf_add(&b, sum, SHA256_HEX - 1);
    if (b.failed || whole_file_write(file_path, b.text, b.length, &e) < 0)
        give_up("packing", NULL);
    strbuf_release(&b);
    free(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct sim_checkpoint c = {.resume = file_path, .trace_sha256 = trace_sha256};
    size_t cut = size < 2 ? 0 : data[0] | (size_t)data[1] << 8;
    char *changed;

    if (!state)
        set_up();
    changed = malloc(state_bytes);
    if (!changed)
        return 0;
    memcpy(changed, state, state_bytes);
    for (size_t i = 2; i + 5 <= size; i += 5) {
        uint32_t at =
            data[i] | (uint32_t)data[i + 1] << 8 | (uint32_t)data[i + 2] << 16 | (uint32_t)data[i + 3] << 24;

        changed[at % state_bytes] = (char)data[i + 4];
    }
    pack(changed, cut < state_bytes ? state_bytes - cut : 0);
    free(changed);
    if (simulate_with(&c) < 0 && size < 2)
        give_up("an unchanged file is refused", NULL);
    unlink(file_path);
    return 0;
}
