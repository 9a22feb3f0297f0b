/* wire/model_error.h: the simulator's error, measured on whole kernels by design and kernel class
 * (simcore/designs/model_error.csv, made by `vivace validate --model-error`). It is stated beside a sampling
 * interval and is no part of it. */
#ifndef VIVACE_WIRE_MODEL_ERROR_H
#define VIVACE_WIRE_MODEL_ERROR_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "sampling/profile/kernel_class.h"

struct model_error {
    uint64_t kernels;   /* number of measured kernels */
    double error;       /* mean of |simulated / measured - 1| */
    double bias;        /* geometric mean of simulated / measured */
    char simulator[16]; /* the version that was compared */
    bool tuned;         /* a parameter of the model was computed from some of them */
};
/* design: the name of a built-in design. False: nothing was measured. */
bool model_error_find(const char *design, enum kernel_class class, struct model_error *out);

/* The shares of a workload's planned total by class; they add up to 1, or are all 0. */
struct class_shares {
    double of[KERNEL_CLASSES];
};
/* Adds a kernel; call class_shares_finish() after the last. */
void class_shares_add(struct class_shares *s, const char *kernel_name, double total);
void class_shares_finish(struct class_shares *s);
/* [{"class":…,"share":…,"kernels":…,"error":…,"bias":…,"tuned":…,"simulator":…}], the largest share first; kernels
 * 0 and null where nothing was measured. builtin: false where the design only has the name of a built-in one, or
 * none. A new reference; NULL: out of memory. */
json_t *model_errors_to_json(const char *design, bool builtin, const struct class_shares *s);

#endif
