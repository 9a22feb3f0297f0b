#include "simcore/record/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

const char *const recorded_of_names[RECORDED_OF_COUNT] = {
    [OF_GPU] = "gpu", [OF_SM] = "sm", [OF_SLICE] = "slice", [OF_CHANNEL] = "channel", [OF_BANK] = "bank"};

void recording_free(struct recording *r)
{
    if (!r)
        return;
    free(r->cell);
    free(r->texts);
    free(r);
}

void recording_add_column(struct recording *r, const char *name, const char *unit, const char *sentence,
                          enum recorded_of of, uint32_t count)
{
    struct recorded_column *c = &r->column[r->column_count++];

    ASSERT(r->column_count <= RECORDING_COLUMNS_MAX && count > 0 && count <= RECORDING_COUNT_MAX);
    snprintf(c->name, sizeof c->name, "%s", name);
    c->unit = unit;
    c->sentence = sentence;
    c->of = of;
    c->first = r->width;
    c->count = count;
    r->width += count;
}

uint64_t recording_value(const struct recording *r, uint32_t row, const struct recorded_column *c, uint32_t index)
{
    ASSERT_HOT(row < r->rows && index < c->count);
    return r->cell[(size_t)row * r->width + c->first + index];
}

uint64_t recording_sum(const struct recording *r, const struct recorded_column *c, uint32_t index)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < r->rows; i++)
        sum += recording_value(r, i, c, index);
    return sum;
}

const struct recorded_column *recording_column(const struct recording *r, const char *name)
{
    for (size_t i = 0; i < r->column_count; i++)
        if (strcmp(r->column[i].name, name) == 0)
            return &r->column[i];
    return NULL;
}
