/* simcore/trace/vtrace_tables.h: encodes and decodes the tables of a .vtrace: static instructions, facts, launches,
 * warm images. Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_TABLES_H
#define VIVACE_SIMCORE_TRACE_VTRACE_TABLES_H

#include "simcore/trace/vtrace_model.h"
#include "simcore/trace/warm_image.h"

/* The index entry of a block. */
struct vtrace_block {
    enum vtrace_block_kind kind;
    uint64_t bytes, raw_bytes; /* compressed, and decompressed */
    uint64_t checksum;         /* of the compressed bytes */
    uint64_t offset;           /* in the file; computed from the sizes of earlier blocks */
};

/* A position: index of a block within its kind, and offset in the block. */
struct vtrace_position {
    uint32_t block;
    uint64_t offset;
};

struct launch_row {
    struct vtrace_launch launch; /* the kernel owns its name */
    uint32_t kernel;
    uint32_t root; /* index + 1 of the launch whose facts also apply here; 0: none */
    struct vtrace_position ctas, record, image;
};

struct static_table {
    struct trace_inst *insts;
    size_t inst_count;
    char **opcodes;
    size_t opcode_count;
};
/* others: with the column that VTRACE_OTHERS announces. */
bool static_table_has_others(const struct trace_inst *insts, size_t count);
void put_static_table(struct strbuf *b, const struct trace_inst *insts, size_t count, bool others);
/* Reads the result of put_static_table(), after the opcodes. */
int get_static_table(struct byte_cursor *c, bool others, struct static_table *out, struct err *e);
void static_table_release(struct static_table *t);

void put_facts(struct strbuf *b, const struct vtrace_fact *facts, size_t count);
/* Reads the facts of a launch; its kernel has `insts` instructions. The caller frees *out. */
int get_facts(struct byte_cursor *c, size_t insts, struct vtrace_fact **out, size_t *count, struct err *e);

void put_launch(struct strbuf *b, const struct launch_row *x);
void get_launch(struct byte_cursor *c, struct launch_row *out); /* the name stays NULL */

/* These functions are in vtrace_image.c. */
void put_image(struct strbuf *b, const struct warm_image *image);
/* Returns NULL with *e filled if the image is damaged. The caller frees it with warm_image_free(). */
struct warm_image *get_image(struct byte_cursor *c, struct err *e);

#endif
