/* simcore/record/series_internal.h: the kinds of series, for series.c. */
#ifndef VIVACE_SIMCORE_RECORD_SERIES_INTERNAL_H
#define VIVACE_SIMCORE_RECORD_SERIES_INTERNAL_H

#include "simcore/record/series.h"

extern const struct series_kind series_kinds[]; /* series_count() of them */

#endif
