/* simcore/trace/vtrace_source.h: one launch of a .vtrace during reading: its tables and directory
 * (vtrace_source.c), its CTAs (vtrace_decode.c). Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_SOURCE_H
#define VIVACE_SIMCORE_TRACE_VTRACE_SOURCE_H

#include "simcore/trace/cta_store.h"
#include "simcore/trace/survey.h"
#include "simcore/trace/vtrace_reader.h"

/* An entry of the directory of a launch: the position of a CTA. */
struct cta_place {
    uint32_t block, offset, bytes;
};

struct stream_shapes;

struct vtrace_source {
    struct inst_source source; /* must be the first member */
    struct vtrace *v;
    bool owns_file;
    size_t launch;
    const struct launch_row *row;
    struct loaded_kernel *kernel;
    struct loaded_block *block; /* block of the last CTA */
    uint32_t block_index;
    struct cta_place *places;
    uint64_t *ids; /* linear numbers of the CTAs; NULL: the CTAs are in order */
    struct vtrace_fact *root_facts, *facts;
    struct warm_image *image;
    size_t root_fact_count, fact_count;
    struct vtrace_model model;
    bool rooted;    /* the model has the root's facts */
    size_t applied; /* number of `facts` already applied to the model */
    struct cta_pool pool;
    struct stream_shapes *streams; /* NULL: no CTA needed windows */
    uint64_t next;                 /* index of the next CTA */
};

int vtrace_source_damaged(const struct vtrace_source *s, struct err *e, const char *what); /* returns -1 */
/* Decodes the CTA with this id from its record in s->block. */
int vtrace_decode_cta(struct vtrace_source *s, const uint32_t id[3], struct byte_cursor record,
                      struct cta_trace **out, struct err *e);
/* Counts the work of a CTA of `warps` warps from its record. `known`: results for the shapes in the kernel's
 * dictionary, initially none. */
int vtrace_count_cta(struct vtrace_source *s, struct byte_cursor record, uint32_t warps,
                     const struct survey_signs *signs, struct cta_work *known, struct cta_work *out, struct err *e);
/* Implements inst_source.survey, in vtrace_survey.c. */
int vtrace_survey(struct inst_source *s, struct survey *out, struct err *e);

#endif
