/* ingest/ncu_launches.h: turns the rows of Nsight Compute into launches with features. */
#ifndef VIVACE_INGEST_NCU_LAUNCHES_H
#define VIVACE_INGEST_NCU_LAUNCHES_H

#include "ingest/import.h"
#include "ingest/ncu_metrics.h"

/* Data from one or more rows of a launch. */
struct ncu_record {
    uint64_t process, context, stream, id, line;
    const struct import_name *name;
    int64_t device, grid[3], block[3];
    bool has_shape, has_stream, bad;
    uint8_t spelling[NCU_COUNT]; /* 1 + index of the spelling that gave the value; 0: no value */
    double value[NCU_COUNT];
};

struct ncu_records {
    struct ncu_record *items;
    size_t count, capacity;
    uint64_t rounded; /* number of values printed in thousands or millions of their unit */
};

/* Joins the rows of each launch, adds the launches in launch order, and stores their features in im->features. */
int ncu_launches_take(struct import *im, struct ncu_records *t, struct err *e);

#endif
