/* ingest/range_name.h: the kind of a program's range, from its name: a step, a phase, a layer or an operator. */
#ifndef VIVACE_INGEST_RANGE_NAME_H
#define VIVACE_INGEST_RANGE_NAME_H

#include <stddef.h>

enum range_kind {
    RANGE_LAYER,    /* a module or any other range: a part of the layer's path */
    RANGE_OPERATOR, /* an operator of a library: "aten::addmm"; it is part of a path only where no layer encloses it
                     */
    RANGE_PHASE,    /* "forward", "prefill", "optimizer" */
    RANGE_STEP      /* "ProfilerStep#12", "iteration 12" */
};
#define RANGE_NAME_BYTES 200

/* Writes the name without the numbers that differ between calls: "aten::addmm, op_id = 7" is "aten::addmm",
 * "nn.Module: Linear_0" is "Linear_0", "## forward ##" is "forward", a step is its number. out is valid UTF-8 if
 * text is; "": no name. */
enum range_kind range_name_clean(const char *text, size_t n, char out[RANGE_NAME_BYTES]);

#endif
