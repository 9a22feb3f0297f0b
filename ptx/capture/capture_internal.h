/* ptx/capture/capture_internal.h: shared by the files of this folder: memory that a launch can reach
 * (capture_reach.c), its modules (capture_module.c), buffers and files (capture.c). */
#ifndef VIVACE_PTX_CAPTURE_CAPTURE_INTERNAL_H
#define VIVACE_PTX_CAPTURE_CAPTURE_INTERNAL_H

#include <jansson.h>

#include "ptx/capture/capture.h"
#include "ptx/program/program.h"

struct capture_reached { /* an allocation that the launch can reach */
    const struct device_allocation *at;
    char *name;
    bool pointers; /* it contains pointers */
};

struct ptx_capture {
    struct ptx_program *program;
    struct ptx_launch launch;
    uint8_t *params;
    char *folder, *name;
    struct capture_reached *reached;
    size_t count, capacity;
    json_t *modules, *buffers, *steps;
    bool failed; /* a JSON function had no memory */
};

/* --- capture_reach.c --- */
/* Collects all allocations that the launch can reach through pointers in parameters, variables and reached
 * buffers. */
int capture_reach(struct ptx_capture *c, struct err *e);
/* Names each buffer by its label. If several buffers have the label "x", the second one is "x.1". */
int capture_name(struct ptx_capture *c, struct err *e);
/* The allocation that the word points into, or to its end; NULL: the word is no pointer. */
const struct device_allocation *capture_target(const struct ptx_capture *c, uint64_t word);
struct capture_reached *capture_find(struct ptx_capture *c, const struct device_allocation *a); /* or NULL */
bool capture_is_variable(const struct ptx_program *p, uint64_t address);
/* Adds the allocations that words of these bytes point to. *any becomes true if there is a pointer. */
int capture_reach_words(struct ptx_capture *c, const uint8_t *bytes, uint64_t n, bool *any, struct err *e);
/* All bound textures; NULL: the launch's module uses none. */
const struct ptx_textures *capture_textures(const struct ptx_capture *c);

/* --- capture_module.c --- */
int capture_modules(struct ptx_capture *c, struct err *e);

/* --- capture.c --- */
void capture_put(struct ptx_capture *c, json_t *o, const char *key, json_t *value);
void capture_push(struct ptx_capture *c, json_t *array, json_t *value);
/* Adds a buffer with these initial values to the list. Values that are not all zero go into a file. */
int capture_add_buffer(struct ptx_capture *c, const char *name, enum element_type type, const uint8_t *bytes,
                       uint64_t n, bool pointers, struct err *e);
int capture_write_file(const struct ptx_capture *c, const char *name, const void *bytes, size_t n, struct err *e);

#endif
