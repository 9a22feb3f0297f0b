/* simcore/trace/vtrace_tables.h: the tables of a .vtrace, to bytes and back: static instructions, facts, launches,
 * warm images.
 * Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_TABLES_H
#define VIVACE_SIMCORE_TRACE_VTRACE_TABLES_H

#include "simcore/trace/vtrace_model.h"
#include "simcore/trace/warm_image.h"

/* One block: what the index says of it. */
struct vtrace_block {
    enum vtrace_block_kind kind;
    uint64_t bytes, raw_bytes; /* compressed, and before */
    uint64_t checksum;         /* of the compressed bytes */
    uint64_t offset;           /* in the file; follows from the others */
};

/* Where something begins: the how-manieth block of its kind, and where in it. */
struct vtrace_position {
    uint32_t block;
    uint64_t offset;
};

struct launch_row {
    struct vtrace_launch launch; /* its name belongs to the kernel */
    uint32_t kernel;
    uint32_t root; /* index + 1 of the launch whose facts hold here too; 0: none */
    struct vtrace_position ctas, record, image;
};

struct static_table {
    struct trace_inst *insts;
    size_t inst_count;
    char **opcodes;
    size_t opcode_count;
};
void put_static_table(struct strbuf *b, const struct trace_inst *insts, size_t count);
/* What put_static_table() wrote, behind the opcodes. */
int get_static_table(struct byte_cursor *c, struct static_table *out, struct err *e);
void static_table_release(struct static_table *t);

void put_facts(struct strbuf *b, const struct vtrace_fact *facts, size_t count);
/* The facts of a launch of a kernel of `insts` instructions; the caller frees *out. */
int get_facts(struct byte_cursor *c, size_t insts, struct vtrace_fact **out, size_t *count, struct err *e);

void put_launch(struct strbuf *b, const struct launch_row *x);
void get_launch(struct byte_cursor *c, struct launch_row *out); /* the name stays NULL */

/* vtrace_image.c */
void put_image(struct strbuf *b, const struct warm_image *image);
/* NULL with *e filled where it is damaged; the caller frees it with warm_image_free(). */
struct warm_image *get_image(struct byte_cursor *c, struct err *e);

#endif
