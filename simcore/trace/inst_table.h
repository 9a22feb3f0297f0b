/* simcore/trace/inst_table.h: the static instructions of a kernel, each distinct line of text once.
 *
 *
 * The key of a line "<before>mask<after>addresses immediate" is the text before and after the mask. Code mostly
 * runs in the same order, so each instruction stores the last two instructions that followed it. A comparison of
 * the next line with these two finds nearly every instruction without parsing or hashing. */
#ifndef VIVACE_SIMCORE_TRACE_INST_TABLE_H
#define VIVACE_SIMCORE_TRACE_INST_TABLE_H

#include "simcore/trace/sass.h"

#define INST_NONE    UINT32_MAX
#define FAST_KEY_MAX 1024u /* bytes; longer lines are parsed each time */

struct inst_key {
    size_t text;            /* position in the table's texts of `before`, with `after` directly after it */
    uint32_t before, after; /* their lengths in bytes */
    bool fast;              /* the mask has 8 digits and the key is not too long */
    bool has_addresses;
    bool second; /* two immediates, and NoVal or nothing, follow the addresses (Accel-Sim 2.0) */
    bool fields; /* executed with fields in place of addresses (fields.h) */
    bool polls;  /* can be part of a polling loop: touches neither memory nor a barrier */
    struct sass_repair repair;
    uint64_t hash;
};

struct inst_table {
    struct trace_inst *insts;
    struct inst_key *keys;
    size_t count, inst_capacity, key_capacity;
    char *texts;
    size_t text_bytes, text_capacity;
    /* [0]: the last two first instructions of warps; [i + 1]: the last two successors of instruction i */
    uint32_t (*links)[2];
    size_t link_capacity;
    uint32_t *slots; /* hash table of index + 1; the number of slots is a power of two */
    size_t slot_count;
    char **opcodes;
    size_t opcode_count, opcode_capacity;
    uint32_t *opcode_slots;
    size_t opcode_slot_count;
};

/* The facts that a parsed line states about its instruction. */
struct inst_text {
    const char *before, *after, *opcode;
    size_t before_bytes, after_bytes, opcode_bytes;
    bool fast;
    bool second, fields; /* as in struct inst_key */
    unsigned printed_width;
    uint32_t printed_destinations;
    struct trace_inst inst; /* the table fills in opcode, width and register groups */
};

int inst_table_init(struct inst_table *t, struct err *e);
void inst_table_release(struct inst_table *t);
/* Returns the index of this instruction and adds the instruction if it is new; INST_NONE with *e filled. */
uint32_t inst_table_intern(struct inst_table *t, const struct inst_text *text, struct err *e);

/* Sets the table pointers of the source, because the arrays can move. */
void inst_table_show(const struct inst_table *t, struct inst_source *s);

static inline void inst_table_follows(struct inst_table *t, uint32_t previous, uint32_t inst)
{
    uint32_t *link = t->links[previous + 1]; /* INST_NONE + 1 is 0: the start of a warp */

    if (link[0] != inst) {
        link[1] = link[0];
        link[0] = inst;
    }
}

#endif
