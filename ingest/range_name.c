#include "ingest/range_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* The suffix that PyTorch appends to the names of its NVTX ranges: torch/csrc/profiler/util.cpp, getNvtxStr(). */
static const char *const appended[] = {", seq = ", ", op_id = ", ", sizes = ", ", input_op_ids = "};

/* Name spaces of PyTorch's operators, and prefixes of NVIDIA's libraries, which mark their calls with NVTX. */
static const char *const operators[] = {"aten::",   "autograd::", "c10::",           "c10d::",       "prims::",
                                        "torch::",  "nccl",       "cub::",           "cublas",       "cudnn",
                                        "cusparse", "cusolver",   "DeviceRadixSort", "DeviceReduce", "DeviceScan"};

/* Names that training and serving programs give to their phases. */
static const char *const phases[] = {
    "forward",   "forward pass",   "forward_step",   "backward",    "backward pass", "backward_step", "loss",
    "optimizer", "optimizer step", "optimizer_step", "zero_grad",   "prefill",       "decode",        "generate",
    "train",     "training",       "warmup",         "validate",    "validation",    "eval",          "evaluation",
    "inference", "sampling",       "dataloader",     "data loading"};

/* Words before the number of a step. */
static const char *const steps[] = {"ProfilerStep", "step", "iteration", "iter", "batch", "microbatch", "token"};

static bool begins(const char *text, size_t n, const char *prefix)
{
    size_t length = strlen(prefix);

    return n >= length && strncasecmp(text, prefix, length) == 0;
}

static size_t without_appended(const char *text, size_t n)
{
    for (size_t at = 0; at < n; at++)
        for (size_t i = 0; text[at] == ',' && i < sizeof appended / sizeof *appended; i++)
            if (n - at >= strlen(appended[i]) && memcmp(text + at, appended[i], strlen(appended[i])) == 0)
                return at;
    return n;
}

/* The digits of "step 12", "ProfilerStep#12", "iteration_12"; NULL: not a step. */
static const char *step_number(const char *name)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        size_t at = strlen(steps[i]);

        if (strncasecmp(name, steps[i], at) != 0)
            continue;
        at += strspn(name + at, " _#:-");
        if (name[at] && strspn(name + at, "0123456789") == strlen(name + at))
            return name + at;
    }
    return NULL;
}

static enum range_kind kind_of(char out[RANGE_NAME_BYTES])
{
    const char *digits = step_number(out);

    if (digits) {
        digits += strspn(digits, "0");
        if (!*digits)
            digits--;
        memmove(out, digits, strlen(digits) + 1);
        return RANGE_STEP;
    }
    if (begins(out, strlen(out), "Optimizer.")) { /* "Optimizer.step#SGD.step" of PyTorch */
        strcpy(out, "optimizer");
        return RANGE_PHASE;
    }
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (strcasecmp(out, phases[i]) == 0) {
            strcpy(out, phases[i]);
            return RANGE_PHASE;
        }
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (begins(out, strlen(out), operators[i]))
            return RANGE_OPERATOR;
    return RANGE_LAYER;
}

enum range_kind range_name_clean(const char *text, size_t n, char out[RANGE_NAME_BYTES])
{
    static const char module[] = "nn.Module: ";

    n = without_appended(text, strnlen(text, n));
    if (begins(text, n, module)) {
        text += sizeof module - 1;
        n -= sizeof module - 1;
    }
    while (n > 0 && strchr(" #\t/", text[0])) {
        text++;
        n--;
    }
    while (n > 0 && strchr(" #\t/", text[n - 1]))
        n--;
    if (n >= RANGE_NAME_BYTES)
        n = utf8_valid_prefix(text, RANGE_NAME_BYTES - 1);
    memcpy(out, text, n);
    out[n] = '\0';
    text_sanitize(out);
    return kind_of(out);
}
