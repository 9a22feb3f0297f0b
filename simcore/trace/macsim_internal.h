/* simcore/trace/macsim_internal.h: what the parts of the MacSim reader share. */
#ifndef VIVACE_SIMCORE_TRACE_MACSIM_INTERNAL_H
#define VIVACE_SIMCORE_TRACE_MACSIM_INTERNAL_H

#include "simcore/trace/cta_store.h"
#include "simcore/trace/inst_table.h"
#include "simcore/trace/macsim.h"

#define MACSIM_VERSION      14
#define MACSIM_RECORD_BYTES 64

/* --- the texts of a launch: macsim_head.c --- */
struct macsim_warp {
    uint64_t id;      /* CTA in x-fastest order times 2^16, plus the slot on the SM that the warp had */
    uint64_t records; /* in its file, by trace_info.txt; UINT64_MAX: not said */
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
/* Whether b tells of another line of memory that a's execution touched. */
bool macsim_is_child(const struct macsim_record *a, const struct macsim_record *b);
bool macsim_has_address(const struct macsim_record *r);
const char *macsim_opcode(uint8_t opcode); /* "LDG"; NULL: the tracer did not know it either */
/* The static instruction; code_base: the PC that counts as 0. *dropped: operands that were no general registers. */
uint32_t macsim_intern(struct inst_table *t, const struct macsim_record *r, unsigned width, uint64_t code_base,
                       bool *dropped, struct err *e);
/* Lane addresses from the first active lane's and those of the other lines (docs/formats/macsim.md). */
void macsim_lanes(uint32_t mask, uint64_t first, const uint64_t *lines, unsigned line_count, unsigned width,
                  struct address_set *out);

#endif
