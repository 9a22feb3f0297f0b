/* vivace trace: looks into kernel traces. Which subcommand. */
#include "cli/cmd_trace.h"

#include <stdio.h>

static const char trace_text[] =
    "Looks into kernel traces: an Accel-Sim trace folder, a tar of one, or a single kernel file; plain, .gz, .xz "
    "or\n"
    ".zst.\n"
    "\n"
    "  vivace trace info FILE     one row a kernel: shape, CTAs, warps, warp instructions, size; then the mix\n"
    "  vivace trace dump FILE     the instructions of a kernel as text, in whole or of one CTA or warp\n"
    "  vivace trace verify FILE   reads everything; says what is damaged, what was repaired, what is unknown\n"
    "  vivace trace diff A B      where two sets of traces first differ, kernel by kernel\n"
    "  vivace trace convert A B.vtrace   writes them as one small file that is read faster\n"
    "  vivace trace features FILE counts what sampling methods go by: instructions, metrics, basic blocks\n"
    "\n"
    "`vivace trace info --help` and so on say more.\n";

const char *trace_shape(const uint32_t d[3], char out[48])
{
    snprintf(out, 48, "(%u,%u,%u)", d[0], d[1], d[2]);
    return out;
}

/* --- which of them --- */

int cmd_trace(int argc, char **argv)
{
    static const struct cli_subcommand list[] = {
        {"info", trace_info}, {"dump", trace_dump},       {"verify", trace_verify},
        {"diff", trace_diff}, {"convert", trace_convert}, {"features", trace_features},
        {NULL, NULL}};
    const struct cli_usage usage = {.command = "trace",
                                    .synopsis = "info|dump|verify|diff|convert|features FILE",
                                    .text = trace_text,
                                    .least_args = 1,
                                    .most_args = 1};

    return cli_choose(&usage, list, argc, argv);
}
