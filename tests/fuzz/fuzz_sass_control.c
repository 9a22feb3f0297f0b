/* Reads the input as a disassembly with encodings, and puts its control words on a small kernel. */
#include <stdlib.h>
#include <string.h>

#include "simcore/trace/accel_sim.h"
#include "simcore/trace/sass_control.h"

static const char kernel[] =
    "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n"
    "#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R1 MOV 0 0 0\n"
    "0010 ffffffff 0 EXIT 0 0 0\n#END_TB\n";

static struct stream *open_input(const void *bytes, size_t n)
{
    struct stream *s;
    struct err e;

    if (stream_open_bytes(bytes, n, "input", &s, &e) < 0)
        abort();
    return s;
}

static void apply(const struct sass_control *c)
{
    struct sass_control_match match;
    struct inst_source *s;
    struct cta_trace *cta;
    struct err e;

    if (accel_sim_open(open_input(kernel, sizeof kernel - 1), &s, &e) < 0 ||
        sass_control_source(s, c, &match, &s, &e) < 0)
        abort();
    while (inst_source_next_cta(s, &cta, &e) > 0)
        inst_source_release_cta(s, cta);
    if (match.function && match.known + match.missing + match.mismatch != 2)
        abort();
    inst_source_release(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stream *s = open_input(data, size);
    struct sass_control *c;
    struct err e;

    if (sass_control_read(s, &c, &e) == 0) {
        apply(c);
        sass_control_free(c);
    }
    stream_close(s);
    return 0;
}
