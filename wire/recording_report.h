/* wire/recording_report.h: POST /worker/recordings: reports the outcome of recording a result (a lease with
 * `record`). */
#ifndef VIVACE_WIRE_RECORDING_REPORT_H
#define VIVACE_WIRE_RECORDING_REPORT_H

#include "wire/lease.h"

struct recording_report {
    char session[WIRE_ID];
    struct attempt_id id; /* job: id of the result */
    enum attempt_outcome outcome;
    char *message; /* one sentence; NULL: none */
    void *bytes;   /* docs/formats/recording.md; set exactly when the outcome is ok */
    size_t n;
};
json_t *recording_report_to_json(const struct recording_report *r);
int recording_report_from_json(const json_t *v, struct recording_report *out, struct err *e);
void recording_report_release(struct recording_report *r);

#endif
