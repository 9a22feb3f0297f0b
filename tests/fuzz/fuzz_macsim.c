/* Reads the input as a launch of MacSim's tracer: up to the first line "--", trace.txt; up to the second,
 * kernel_names.txt; the rest are the records of each warp. The files are in a temporary folder of this process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stream.h"
#include "simcore/trace/macsim.h"

#define WARPS 8 /* files with the records: warps 0 ... and the first of CTA 1 */

static char folder[64];

static void remove_folder(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        abort();
}

static void make_folder(void)
{
    char below[96];

    if (*folder)
        return;
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-macsim-XXXXXX" : "/tmp/fuzz-macsim-XXXXXX");
    if (!mkdtemp(folder))
        abort();
    atexit(remove_folder);
    snprintf(below, sizeof below, "%s/Kernel0", folder);
    if (mkdir(below, 0700) != 0)
        abort();
}

static void put(const char *name, const uint8_t *bytes, size_t n)
{
    char path[128];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
        abort();
}

/* Reads everything that a simulator would read. */
static void look(const struct inst_source *s, const struct cta_trace *cta, volatile uint64_t *sink)
{
    for (uint32_t w = 0; w < cta->warp_count; w++)
        for (uint32_t i = 0; i < cta->warps[w].count; i++) {
            const struct warp_inst *x = &cta->warps[w].insts[i];
            const struct trace_inst *inst = &s->insts[x->inst];
            struct lane_addresses a;

            if (inst->src_count > INST_MAX_SRC || inst->opcode >= s->opcode_count)
                abort();
            *sink += strlen(s->opcodes[inst->opcode]) + inst->dst_regs;
            if (x->address == UINT32_MAX)
                continue;
            if (!x->mask || !inst->width)
                abort();
            cta_addresses(cta, x->address, &a);
            for (uint32_t mask = x->mask; mask; mask &= mask - 1)
                *sink += a.kind == ADDRESS_LIST ? a.list[__builtin_ctz(mask)] : a.base;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const warps[WARPS] = {"0", "1", "2", "3", "65536", "65537", "131072", "131073"};
    const uint8_t *first = memmem(data, size, "--\n", 3), *rest = first ? first + 3 : data + size, *second;
    static volatile uint64_t sink;
    char path[128];
    struct inst_source *s;
    struct cta_trace *cta;
    struct err e;

    second = memmem(rest, (size_t)(data + size - rest), "--\n", 3);
    make_folder();
    put("Kernel0/trace.txt", data, first ? (size_t)(first - data) : size);
    put("kernel_names.txt", rest, second ? (size_t)(second - rest) : 0);
    for (int w = 0; w < WARPS; w++) {
        snprintf(path, sizeof path, "Kernel0/bin_trace_%s.raw", warps[w]);
        put(path, second ? second + 3 : rest, second ? (size_t)(data + size - second - 3) : 0);
    }
    snprintf(path, sizeof path, "%s/Kernel0/trace.txt", folder);
    if (macsim_open(path, "input", &s, &e) < 0)
        return 0;
    while (inst_source_next_cta(s, &cta, &e) > 0) {
        look(s, cta, &sink);
        inst_source_release_cta(s, cta);
    }
    inst_source_release(s);
    return 0;
}
