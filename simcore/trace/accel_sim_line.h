/* simcore/trace/accel_sim_line.h: one line of the format: header fields, numbers, instructions.
 * Internal to the reader; docs/formats/accel-sim.md describes what is read. */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_LINE_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_LINE_H

#include "simcore/trace/accel_sim.h"
#include "simcore/trace/cta_store.h"
#include "simcore/trace/inst_table.h"
#include "simcore/trace/trace_text.h"

struct line_format {
    uint32_t prefix; /* numbers in front of a line: CTA x, y, z and warp (4), with cluster numbers (11), or 0 */
    bool lineinfo;   /* a source line number is in front of the PC */
    bool second;     /* Accel-Sim 2.0 format: two immediates, register values */
    uint64_t shared_base; /* from the header: base of the generic address window of shared memory */
};
#define PREFIX_NUMBERS_1 4u
#define PREFIX_NUMBERS_2 11u

struct trace_header {
    struct kernel_info info;
    bool lineinfo;
    bool second;     /* written by the tracer of Accel-Sim 2.0 */
    bool body_began; /* the last line of the header was "#BEGIN_TB" */
};

/* Reads up to the first line that starts with '#'. The caller frees the name in *out. */
int trace_header_read(struct stream *s, struct trace_header *out, struct err *e);
/* ERR_INVALID for a grid or block that CUDA does not allow. */
int kernel_check_shape(const struct kernel_info *k, struct err *e);
/* The number of CTAs of the grid, and of warps of a CTA. */
uint64_t kernel_cta_count(const struct kernel_info *k);
uint32_t kernel_warp_count(const struct kernel_info *k);
/* -1 with *e filled: CUDA does not allow this grid or block. */
int kernel_check_shape(const struct kernel_info *k, struct err *e);

/* Scanners. Each returns the position where it stopped, or NULL if the text does not match. */
const char *scan_blanks(const char *p);
const char *scan_decimal(const char *p, uint64_t *out);
const char *scan_signed(const char *p, int64_t *out);
const char *scan_hex(const char *p, unsigned digits_max, uint64_t *out);
/* Parses "thread block = 1,2,3" after `word`. Returns the text after '=' and blanks, or NULL if the line is another
 * one. */
const char *scan_field(const char *line, const char *word);
bool line_is_blank(const char *p, size_t n);

/* Fields of an Accel-Sim 2.0 line about a barrier in shared memory or a bulk copy by descriptor (fields.h): one row
 * for each execution of the instruction. The buffer is reused from line to line. */
struct line_records {
    uint64_t *values; /* malloc'ed; row after row */
    size_t capacity;
    uint32_t count, fields; /* number of rows; numbers per row */
};

/* One instruction line, parsed. */
struct inst_line {
    bool marker;               /* the begin or end of a polling region, not an instruction */
    bool region;               /* valid with `marker`: it is the begin */
    uint32_t cta[3], warp;     /* valid with a prefix */
    uint32_t cluster[3], rank; /* valid with an Accel-Sim 2.0 prefix */
    uint32_t mask;
    uint32_t inst; /* index in the instruction table */
    bool has_addresses;
    struct address_set addresses;
};

/* Parses the line at p and adds its instruction to the table. The line ends at p + n with a newline, or with a NUL
 * if it is the last one. On -1, *e describes the error without its position. */
int inst_line_parse(const char *p, size_t n, const struct line_format *f, struct inst_table *t,
                    struct line_records *records, struct inst_line *out, struct err *e);
/* Returns the mask of row `i` and writes the row as addresses. */
uint32_t line_records_at(const struct line_records *r, uint32_t i, struct address_set *out);
void line_records_release(struct line_records *r);
/* Compares the text at p, which may be cut off, with the instruction `candidate`. Returns the beginning of the next
 * line, or NULL if inst_line_parse() must parse it. `p` points after a prefix. */
const char *inst_line_match(const char *p, const struct inst_table *t, uint32_t candidate, uint32_t *mask,
                            bool *has_addresses, struct address_set *addresses);

#endif
