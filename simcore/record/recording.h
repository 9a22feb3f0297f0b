/* simcore/record/recording.h: a launch over time, in intervals of a fixed number of SM cycles.
 *
 *
 * A recording is a table of whole numbers. A row is an interval; a column is a quantity (of the GPU, or of each SM,
 * slice, channel or bank). The sum of a column is the launch's counter of the same name. Shares, rates and watts
 * are computed when it is read: series.h. It does not depend on the timing model, so the server can read the
 * recordings of workers. */
#ifndef VIVACE_SIMCORE_RECORD_RECORDING_H
#define VIVACE_SIMCORE_RECORD_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

enum { RECORDING_ROWS_MAX = 4096, RECORDING_COLUMNS_MAX = 128, RECORDING_SECTOR_BYTES = 32 };
enum { RECORDING_COUNT_MAX = 4096 }; /* numbers per row in one column */

enum recorded_of { OF_GPU, OF_SM, OF_SLICE, OF_CHANNEL, OF_BANK }; /* banks are ordered by channel */
enum { RECORDED_OF_COUNT = OF_BANK + 1 };
extern const char *const recorded_of_names[RECORDED_OF_COUNT];

/* One column, or several of the same kind that are adjacent in a row. */
struct recorded_column {
    char name[40];
    const char *unit, *sentence;
    enum recorded_of of;
    uint32_t first, count; /* index of the first number in a row, and count of numbers */
};

struct recording_about { /* facts needed to interpret the numbers */
    char simulator[64], design[64], design_sha256[SHA256_HEX], kernel[512];
    uint64_t kernel_id;
    uint32_t sm_khz;
    uint64_t dram_mbs, noc_request_mbs, noc_reply_mbs; /* peak rates of the whole GPU */
};

struct recording {
    struct recording_about about;
    uint32_t interval_cycles;
    uint64_t cycles; /* length of the launch; `rows` covers it */
    uint32_t width, rows;
    uint64_t *cell; /* row by row */
    char *texts;    /* for a recording read from a file: buffer of the units and sentences; else NULL */
    size_t column_count;
    struct recorded_column column[RECORDING_COLUMNS_MAX];
};

void recording_free(struct recording *r); /* NULL is allowed */
/* The value of column `c` (its number `index`, if it has several) in a row, and its sum over all rows. */
uint64_t recording_value(const struct recording *r, uint32_t row, const struct recorded_column *c, uint32_t index);
uint64_t recording_sum(const struct recording *r, const struct recorded_column *c, uint32_t index);
const struct recorded_column *recording_column(const struct recording *r, const char *name); /* NULL: not found */
/* Adds a column; there must be no rows yet. The pointers unit and sentence are kept, not copied. */
void recording_add_column(struct recording *r, const char *name, const char *unit, const char *sentence,
                          enum recorded_of of, uint32_t count);

/* Writes a recording to a file (docs/formats/recording.md) and reads one. The reader rejects unknown content. */
int recording_write(const struct recording *r, const char *path, struct err *e);
int recording_read(const char *path, struct recording **out, struct err *e);
int recording_parse(const char *bytes, size_t n, const char *name, struct recording **out, struct err *e);

/* Exports with computed rates, shares and watts: as JSON, as a Chrome trace (for Perfetto), as text for a terminal,
 * or as the gzip text log that AerialVision draws. The caller frees texts; NULL on error. */
char *recording_json(const struct recording *r, struct err *e);
char *recording_chrome_trace(const struct recording *r, size_t *n, struct err *e);
int recording_export_aerialvision(const struct recording *r, const char *path, struct err *e);
char *recording_summary(const struct recording *r, struct err *e);

#endif
