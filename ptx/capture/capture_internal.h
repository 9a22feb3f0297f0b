/* ptx/capture/capture_internal.h: what the parts of a capture share: what a launch reaches (capture_reach.c), its
 * modules (capture_module.c), buffers and files (capture.c). */
#ifndef VIVACE_PTX_CAPTURE_CAPTURE_INTERNAL_H
#define VIVACE_PTX_CAPTURE_CAPTURE_INTERNAL_H

#include <jansson.h>

#include "ptx/capture/capture.h"
#include "ptx/program/program.h"

struct capture_reached { /* an allocation */
    const struct device_allocation *at;
    char *name;
    bool pointers; /* in it */
};

struct ptx_capture {
    struct ptx_program *program;
    struct ptx_launch launch;
    uint8_t *params;
    char *folder, *name;
    struct capture_reached *reached;
    size_t count, capacity;
    json_t *modules, *buffers, *steps;
    bool failed; /* JSON had no memory */
};

/* --- capture_reach.c --- */
/* All that the launch can reach, by pointers in parameters, variables and what these point to. */
int capture_reach(struct ptx_capture *c, struct err *e);
/* Labels are names where they can be; "x.1" where one is twice. */
int capture_name(struct ptx_capture *c, struct err *e);
/* The allocation that the word points into, its end too; NULL: it is no pointer. */
const struct device_allocation *capture_target(const struct ptx_capture *c, uint64_t word);
struct capture_reached *capture_find(struct ptx_capture *c, const struct device_allocation *a); /* or NULL */
bool capture_is_variable(const struct ptx_program *p, uint64_t address);
/* What words of these bytes point to, too; in *any whether there was a pointer. */
int capture_reach_words(struct ptx_capture *c, const uint8_t *bytes, uint64_t n, bool *any, struct err *e);
/* NULL: the launch's kernel has no textures. */
const struct ptx_textures *capture_textures(const struct ptx_capture *c);

/* --- capture_module.c --- */
int capture_modules(struct ptx_capture *c, struct err *e);

/* --- capture.c --- */
void capture_put(struct ptx_capture *c, json_t *o, const char *key, json_t *value);
void capture_push(struct ptx_capture *c, json_t *array, json_t *value);
/* A buffer of the list with these first values, in a file where they are not zero. */
int capture_add_buffer(struct ptx_capture *c, const char *name, enum element_type type, const uint8_t *bytes,
                       uint64_t n, bool pointers, struct err *e);
int capture_write_file(const struct ptx_capture *c, const char *name, const void *bytes, size_t n, struct err *e);

#endif
