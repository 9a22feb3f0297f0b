/* cli/validate/validate.h: the data of `vivace validate`: measured rows, the simulated values for them, and
 * statistics. */
#ifndef VIVACE_CLI_VALIDATE_H
#define VIVACE_CLI_VALIDATE_H

#include "cli/cli.h"
#include "sampling/checks/correlation.h"
#include "sampling/profile/kernel_class.h"
#include "simcore/validation/fact_list.h"

enum { VALIDATE_SETS = 4 };

/* A measured row that was simulated. The ratio is a ratio of times; for a bandwidth it is the inverse ratio. If the
 * row has a range, `measured` is the end of the range that is nearer to the simulated value. If the simulated value
 * is inside the range, `measured` equals it. */
struct validated {
    const struct fact *fact;
    size_t set;
    char family[32];
    double measured, simulated; /* as given, or as 1 / bandwidth; NaN: not modelled */
    double ratio;               /* simulated / measured; NaN where one is not above 0 */
    double error;               /* |ratio - 1|, or the error of the fact where there is no ratio */
};

struct validate_set {
    const char *name, *title; /* static text; a file's name for --measured */
    struct fact_list facts;
};

struct validate {
    struct board_list boards;
    size_t set_count;
    struct validate_set sets[VALIDATE_SETS];
    size_t count, capacity;
    struct validated *rows; /* in the order of the tables */
};

struct validated_stats {
    size_t rows, not_modelled, in_tolerance;
    struct correlation ratios; /* of the rows that have a ratio: mean error, and number of large errors */
};
/* Statistics of the rows of one set and family (NULL: all families). */
int validate_stats(const struct validate *v, size_t set, const char *family, struct validated_stats *out,
                   struct err *e);
/* The families of a set in the order of its rows; at most `most`. */
size_t validate_families(const struct validate *v, size_t set, const char **names, size_t most);
/* Rows with a ratio, the largest |log ratio| first, of all sets; for the caller to free. */
const struct validated **validate_worst(const struct validate *v, size_t *count, struct err *e);

enum { VALIDATE_FAMILIES = 64, VALIDATE_WORST = 10 };

int validate_print_text(const struct validate *v, bool every_row, struct err *e);
int validate_print_json(const struct validate *v, struct err *e);
/* Writes all rows as CSV. */
int validate_write_csv(const struct validate *v, const char *path, struct err *e);
/* Writes one HTML page that loads no other file: statistics, S-curve, scatter plot, worst rows. */
int validate_write_html(const struct validate *v, const char *path, struct err *e);
/* Writes folder/validation-scurve.svg and folder/validation-scatter.svg. */
int validate_write_pictures(const struct validate *v, const char *folder, struct err *e);
/* Writes what these functions have collected to the file, and releases it. */
int validate_put(struct strbuf *b, const char *path, struct err *e);
const char *validate_range(const struct fact *f, char out[static CLI_NUMBER]); /* the measured value or range */
/* SVG elements of these pictures. */
void validate_draw_scurve(const struct validate *v, struct strbuf *b);
void validate_draw_scatter(const struct validate *v, struct strbuf *b);
/* simcore/designs/model_error.csv: whole kernels by design and class. Rows of GPUs without a design are skipped. */
int validate_write_model_error(const struct validate *v, const char *path, struct err *e);

/* Systems of several GPUs: prints all rows of systems.csv. check: -1 if one is out of tolerance. */
int validate_systems(bool json, bool check, struct err *e);

#endif
