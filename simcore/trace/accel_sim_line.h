/* simcore/trace/accel_sim_line.h: one line of the format: header fields, numbers, instructions.
 * Internal to the reader; docs/formats/accel-sim.md describes what is read. */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_LINE_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_LINE_H

#include "simcore/trace/accel_sim.h"
#include "simcore/trace/cta_store.h"
#include "simcore/trace/inst_table.h"
#include "simcore/trace/trace_text.h"

struct line_format {
    uint32_t prefix; /* numbers in front of a line: block x, y, z and warp (4), cluster numbers, too (11), or 0 */
    bool lineinfo;   /* a source line number is in front of the PC */
    bool second;     /* as Accel-Sim 2.0 writes them: two immediates, register values */
    uint64_t shared_base; /* of the header: generic addresses of shared memory begin there */
};
#define PREFIX_NUMBERS_1 4u
#define PREFIX_NUMBERS_2 11u

struct trace_header {
    struct kernel_info info;
    bool lineinfo;
    bool second;     /* written by the tracer of Accel-Sim 2.0 */
    bool body_began; /* the line that ended the header was already "#BEGIN_TB" */
};

/* Reads up to the first line that starts with '#'. The name in *out is the caller's. */
int trace_header_read(struct stream *s, struct trace_header *out, struct err *e);
/* ERR_INVALID for a grid or block that CUDA does not have. */
int kernel_check_shape(const struct kernel_info *k, struct err *e);
/* CTAs of the grid, and warps of a CTA. */
uint64_t kernel_cta_count(const struct kernel_info *k);
uint32_t kernel_warp_count(const struct kernel_info *k);
/* -1 with *e filled: no GPU has such a grid or block. */
int kernel_check_shape(const struct kernel_info *k, struct err *e);

/* Scanners. Each returns where it stopped, or NULL when nothing fitting is there. */
const char *scan_blanks(const char *p);
const char *scan_decimal(const char *p, uint64_t *out);
const char *scan_signed(const char *p, int64_t *out);
const char *scan_hex(const char *p, unsigned digits_max, uint64_t *out);
/* "thread block = 1,2,3" behind `word`: what follows the '=' and blanks, or NULL when the line is not that. */
const char *scan_field(const char *line, const char *word);
bool line_is_blank(const char *p, size_t n);

/* What a line of Accel-Sim 2.0 says of a barrier in shared memory or a copy by descriptor: rows of fields
 * (fields.h), each for one execution of the instruction. The buffer is reused from line to line. */
struct line_records {
    uint64_t *values; /* malloc'ed; row after row */
    size_t capacity;
    uint32_t count, fields; /* rows; numbers in each */
};

/* One instruction line, parsed. */
struct inst_line {
    bool marker;               /* the begin or end of a polling region: no instruction */
    uint32_t cta[3], warp;     /* with a prefix */
    uint32_t cluster[3], rank; /* with one of Accel-Sim 2.0 */
    uint32_t mask;
    uint32_t inst; /* in the table */
    bool has_addresses;
    struct address_set addresses;
};

/* Parses the line at p, which ends with a newline (or, the last one, with a NUL) at p + n, and interns its
 * instruction. On -1, *e says what is wrong without saying where. */
int inst_line_parse(const char *p, size_t n, const struct line_format *f, struct inst_table *t,
                    struct line_records *records, struct inst_line *out, struct err *e);
/* Row `i` as addresses, and the mask that belongs to them. */
uint32_t line_records_at(const struct line_records *r, uint32_t i, struct address_set *out);
void line_records_release(struct line_records *r);
/* Tries the instruction `candidate` on the text at p, which need not be a whole line. Returns where the next line
 * begins, or NULL: inst_line_parse() must look. `p` points behind a prefix. */
const char *inst_line_match(const char *p, const struct inst_table *t, uint32_t candidate, uint32_t *mask,
                            bool *has_addresses, struct address_set *addresses);

#endif
