/* simcore/trace/inst_table.h: the static instructions of a kernel, each distinct line of text once.
 *
 * Of a line, "<before>mask<after>addresses immediate", the text before and after the mask is the key. Code runs
 * in the same order most of the time, so each instruction remembers the two that followed it last: comparing the
 * next line with these finds nearly every instruction without parsing or hashing it. */
#ifndef VIVACE_SIMCORE_TRACE_INST_TABLE_H
#define VIVACE_SIMCORE_TRACE_INST_TABLE_H

#include "simcore/trace/sass.h"

#define INST_NONE    UINT32_MAX
#define FAST_KEY_MAX 1024u /* bytes; longer lines are parsed each time */

struct inst_key {
    size_t text;            /* where its `before` and, right behind, its `after` lie in the table's texts */
    uint32_t before, after; /* bytes of each */
    bool fast;              /* the mask has 8 digits and the key is not too long */
    bool has_addresses;
    bool second; /* behind the addresses come two immediates and NoVal or nothing (Accel-Sim 2.0) */
    bool fields; /* executed with fields in place of addresses (fields.h) */
    bool polls;  /* may be part of a loop that polls: it touches neither memory nor a barrier */
    struct sass_repair repair;
    uint64_t hash;
};

struct inst_table {
    struct trace_inst *insts;
    struct inst_key *keys;
    size_t count, inst_capacity, key_capacity;
    char *texts;
    size_t text_bytes, text_capacity;
    uint32_t (*links)[2]; /* [0]: which instruction began a warp last; [i + 1]: what followed instruction i */
    size_t link_capacity;
    uint32_t *slots; /* hash table of index + 1; a power of two of them */
    size_t slot_count;
    char **opcodes;
    size_t opcode_count, opcode_capacity;
    uint32_t *opcode_slots;
    size_t opcode_slot_count;
};

/* What a parsed line says about its instruction. */
struct inst_text {
    const char *before, *after, *opcode;
    size_t before_bytes, after_bytes, opcode_bytes;
    bool fast;
    bool second, fields; /* struct inst_key */
    unsigned printed_width;
    uint32_t printed_destinations;
    struct trace_inst inst; /* opcode, width and register groups are filled in by the table */
};

int inst_table_init(struct inst_table *t, struct err *e);
void inst_table_release(struct inst_table *t);
/* The index of this instruction, which is added when it is new; INST_NONE with *e filled. */
uint32_t inst_table_intern(struct inst_table *t, const struct inst_text *text, struct err *e);

/* The table may have moved: shows the users of the source where it is. */
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
