/* simcore/record/recording.h: a launch over time: what happened in each interval of a number of SM cycles.
 *
 * A table of whole numbers: a row an interval, a column a quantity (of the GPU, or of each SM, slice, channel or
 * bank). A column's sum is the launch's counter of the same name. Shares, rates and watts are worked out when it is
 * read: series.h. Knows nothing of the timing model, so that the server can read what a worker has recorded. */
#ifndef VIVACE_SIMCORE_RECORD_RECORDING_H
#define VIVACE_SIMCORE_RECORD_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

enum { RECORDING_ROWS_MAX = 4096, RECORDING_COLUMNS_MAX = 128, RECORDING_SECTOR_BYTES = 32 };
enum { RECORDING_COUNT_MAX = 4096 }; /* numbers of a column in a row */

enum recorded_of { OF_GPU, OF_SM, OF_SLICE, OF_CHANNEL, OF_BANK }; /* banks: channel by channel */
enum { RECORDED_OF_COUNT = OF_BANK + 1 };
extern const char *const recorded_of_names[RECORDED_OF_COUNT];

/* One column or several of the same kind, side by side in a row. */
struct recorded_column {
    char name[40];
    const char *unit, *sentence;
    enum recorded_of of;
    uint32_t first, count; /* numbers of a row */
};

struct recording_about { /* what the numbers are read with */
    char simulator[64], design[64], design_sha256[SHA256_HEX], kernel[512];
    uint64_t kernel_id;
    uint32_t sm_khz;
    uint64_t dram_mbs, noc_request_mbs, noc_reply_mbs; /* at peak, of the whole GPU */
};

struct recording {
    struct recording_about about;
    uint32_t interval_cycles;
    uint64_t cycles; /* of the launch; `rows` covers them */
    uint32_t width, rows;
    uint64_t *cell; /* row by row */
    char *texts;    /* of a recording that was read: units and sentences lie in here; else NULL */
    size_t column_count;
    struct recorded_column column[RECORDING_COLUMNS_MAX];
};

void recording_free(struct recording *r); /* NULL is fine */
/* What column `c` (of several, the `index`th) has in a row, and in all. */
uint64_t recording_value(const struct recording *r, uint32_t row, const struct recorded_column *c, uint32_t index);
uint64_t recording_sum(const struct recording *r, const struct recorded_column *c, uint32_t index);
const struct recorded_column *recording_column(const struct recording *r, const char *name); /* or NULL */
/* One more column, before there are rows. unit and sentence are kept as pointers. */
void recording_add_column(struct recording *r, const char *name, const char *unit, const char *sentence,
                          enum recorded_of of, uint32_t count);

/* A recording as a file (docs/formats/recording.md), and back; the reader refuses what it does not understand. */
int recording_write(const struct recording *r, const char *path, struct err *e);
int recording_read(const char *path, struct recording **out, struct err *e);
int recording_parse(const char *bytes, size_t n, const char *name, struct recording **out, struct err *e);

/* The same with rates, shares and watts worked out: as JSON, as a Chrome trace (which Perfetto opens), as lines for
 * people, or as the gzip text log that AerialVision draws. The caller frees texts; NULL on error. */
char *recording_json(const struct recording *r, struct err *e);
char *recording_chrome_trace(const struct recording *r, size_t *n, struct err *e);
int recording_export_aerialvision(const struct recording *r, const char *path, struct err *e);
char *recording_summary(const struct recording *r, struct err *e);

#endif
