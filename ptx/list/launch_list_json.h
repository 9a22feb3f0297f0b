/* ptx/list/launch_list_json.h: strict JSON reader for launch lists. Messages give the position in the document.
 * Unknown keys are errors. A function that fails fills the reader's error and returns -1 (or NULL). */
#ifndef VIVACE_PTX_LIST_LAUNCH_LIST_JSON_H
#define VIVACE_PTX_LIST_LAUNCH_LIST_JSON_H

#include <jansson.h>

#include "base/strbuf.h"
#include "ptx/list/launch_list.h"

struct list_reader {
    struct launch_list *l;
    struct err *e;
    char where[300]; /* "steps[2].launch.grid" */
    uint32_t depth;  /* nesting of repeats */
};

/* Enters a child element. Returns the value to pass to list_leave(). */
size_t list_enter(struct list_reader *r, const char *format, ...) PRINTF_LIKE(2, 3);
void list_leave(struct list_reader *r, size_t before);
/* Sets the error "PATH: WHERE: ..." with ERR_INVALID. Returns -1. */
int list_fault(struct list_reader *r, const char *format, ...) PRINTF_LIKE(2, 3);
/* Appends the JSON text to *out. Whole numbers of 2^63 to 2^64 - 1, which jansson refuses, become texts. */
int list_quote_large(const char *json, size_t n, struct strbuf *out, struct err *e);
/* Requires an object that has only these keys (the array ends with NULL). */
int list_object(struct list_reader *r, const json_t *o, const char *const *keys);
/* Read members of an object. If a member is missing: an error if `needed`, else *out is unchanged. */
int list_text(struct list_reader *r, const json_t *o, const char *key, bool needed, const char **out);
int list_u64(struct list_reader *r, const json_t *o, const char *key, bool needed, uint64_t most, uint64_t *out);
int list_s64(struct list_reader *r, const json_t *o, const char *key, bool needed, int64_t *out);
int list_number(struct list_reader *r, const json_t *o, const char *key, bool needed, double *out);
char *list_copy(struct list_reader *r, const char *text);         /* malloc'ed */
char *list_file(struct list_reader *r, const char *name);         /* path in the folder of the list; malloc'ed */
uint32_t list_buffer_of(struct list_reader *r, const char *name); /* index; PTX_NONE: unknown name, error is set */
int list_place_of(struct list_reader *r, const char *text, struct list_place *out); /* "x", "x+4096" */
/* Reads an array of numbers in the layout of device memory. *out is malloc'ed. */
int list_values(struct list_reader *r, const json_t *array, enum element_type t, uint8_t **out, uint64_t *count);
/* Reads one number in the layout of device memory. A number that does not fit the type is an error. Floats may
 * also be "nan", "inf", "-inf". */
int list_value(struct list_reader *r, const json_t *v, enum element_type t, void *out);

/* launch_list_params.c: writes the parameters of a launch to its image. */
int list_params(struct list_reader *r, const json_t *array, struct list_step *s);
/* launch_list_tensor.c: reads a tensor map without its address. *place: the buffer position that it points to. */
int list_tensor_map(struct list_reader *r, const json_t *o, uint8_t *out, struct list_place *place);
/* launch_list_texture.c: returns the index of a texture name and adds a new name. PTX_NONE: no memory, error is
 * set. list_read_texture() reads the step. */
uint32_t list_texture_of(struct list_reader *r, const char *name);
int list_read_texture(struct list_reader *r, const json_t *o, struct list_step *s);
/* launch_list_steps.c */
int list_steps(struct list_reader *r, const json_t *array, struct list_step **out, uint32_t *count);
void list_steps_free(struct list_step *steps, uint32_t count);

#endif
