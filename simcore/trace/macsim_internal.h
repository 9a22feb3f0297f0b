/* simcore/trace/macsim_internal.h: declarations that the parts of the MacSim reader share. */
#ifndef VIVACE_SIMCORE_TRACE_MACSIM_INTERNAL_H
#define VIVACE_SIMCORE_TRACE_MACSIM_INTERNAL_H

#include "simcore/trace/cta_store.h"
#include "simcore/trace/inst_table.h"
#include "simcore/trace/macsim.h"

#define MACSIM_VERSION      14
#define MACSIM_RECORD_BYTES 64

/* --- the texts of a launch: macsim_head.c --- */
struct macsim_warp {
    uint64_t id;      /* linear CTA number (x fastest) times 2^16, plus the warp's slot on the SM */
    uint64_t records; /* records in its file, from trace_info.txt; UINT64_MAX: unknown */
};
struct macsim_head {
    struct kernel_info info;
    struct macsim_warp *warps; /* by id */
    size_t warp_count;
};
/* *out is released by macsim_head_release(), also on failure. */
int macsim_head_read(const char *path, const char *shown, struct macsim_head *out, struct err *e);
void macsim_head_release(struct macsim_head *h);
/* "<folder of path>/<name>"; the caller frees. */
char *macsim_beside(const char *path, const char *name, struct err *e);

/* --- one record: macsim_record.c --- */
struct macsim_record {
    uint8_t opcode, reads, writes, access_bytes;
    uint16_t src[4], dst[4];
    uint32_t mask;
    uint64_t pc, address;
};
void macsim_record_parse(const uint8_t bytes[MACSIM_RECORD_BYTES], struct macsim_record *out);
/* Whether record b describes another memory line of the same execution as record a. */
bool macsim_is_child(const struct macsim_record *a, const struct macsim_record *b);
bool macsim_has_address(const struct macsim_record *r);
const char *macsim_opcode(uint8_t opcode); /* "LDG"; NULL: an opcode that the tracer did not know */
/* Returns the static instruction. code_base: the PC that counts as 0. *dropped: number of operands that are not
 * general registers. */
uint32_t macsim_intern(struct inst_table *t, const struct macsim_record *r, unsigned width, uint64_t code_base,
                       bool *dropped, struct err *e);
/* Computes the lane addresses from the first active lane's address and the other lines (docs/formats/macsim.md). */
void macsim_lanes(uint32_t mask, uint64_t first, const uint64_t *lines, unsigned line_count, unsigned width,
                  struct address_set *out);

#endif
