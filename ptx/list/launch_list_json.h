/* ptx/list/launch_list_json.h: strict reading of JSON for launch lists: each value with its place in the
 * document for messages, unknown keys refused. Every function fills the reader's error and answers -1 (or NULL). */
#ifndef VIVACE_PTX_LIST_LAUNCH_LIST_JSON_H
#define VIVACE_PTX_LIST_LAUNCH_LIST_JSON_H

#include <jansson.h>

#include "ptx/list/launch_list.h"

struct list_reader {
    struct launch_list *l;
    struct err *e;
    char where[300]; /* "steps[2].launch.grid" */
    uint32_t depth;  /* of repeats */
};

/* Goes one level down: returns what list_leave() takes to come back. */
size_t list_enter(struct list_reader *r, const char *format, ...) PRINTF_LIKE(2, 3);
void list_leave(struct list_reader *r, size_t before);
/* "PATH: WHERE: ..."; ERR_INVALID. */
int list_fault(struct list_reader *r, const char *format, ...) PRINTF_LIKE(2, 3);
/* An object with no other keys than these (NULL at the end). */
int list_object(struct list_reader *r, const json_t *o, const char *const *keys);
/* Members. Missing ones: `needed` makes that a fault, else *out stays. */
int list_text(struct list_reader *r, const json_t *o, const char *key, bool needed, const char **out);
int list_u64(struct list_reader *r, const json_t *o, const char *key, bool needed, uint64_t most, uint64_t *out);
int list_s64(struct list_reader *r, const json_t *o, const char *key, bool needed, int64_t *out);
int list_number(struct list_reader *r, const json_t *o, const char *key, bool needed, double *out);
char *list_copy(struct list_reader *r, const char *text);         /* malloc'ed */
char *list_file(struct list_reader *r, const char *name);         /* in the folder of the list; malloc'ed */
uint32_t list_buffer_of(struct list_reader *r, const char *name); /* PTX_NONE: there is none, reported */
int list_place_of(struct list_reader *r, const char *text, struct list_place *out); /* "x", "x+4096" */
/* An array of numbers as memory holds them; *out malloc'ed. */
int list_values(struct list_reader *r, const json_t *array, enum element_type t, uint8_t **out, uint64_t *count);
/* One number as memory holds it; fits the type or is a fault. Floats: also "nan", "inf", "-inf". */
int list_value(struct list_reader *r, const json_t *v, enum element_type t, void *out);

/* launch_list_params.c: the parameters of a launch into its image. */
int list_params(struct list_reader *r, const json_t *array, struct list_step *s);
/* launch_list_tensor.c: a tensor map without its address, and where that points. */
int list_tensor_map(struct list_reader *r, const json_t *o, uint8_t *out, struct list_place *place);
/* launch_list_texture.c: a name's number (a new one gets the next; PTX_NONE: no memory, reported); the step. */
uint32_t list_texture_of(struct list_reader *r, const char *name);
int list_read_texture(struct list_reader *r, const json_t *o, struct list_step *s);
/* launch_list_steps.c */
int list_steps(struct list_reader *r, const json_t *array, struct list_step **out, uint32_t *count);
void list_steps_free(struct list_step *steps, uint32_t count);

#endif
