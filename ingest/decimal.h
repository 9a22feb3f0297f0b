/* ingest/decimal.h: decimal numbers to whole units without a detour over floating point. */
#ifndef VIVACE_INGEST_DECIMAL_H
#define VIVACE_INGEST_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* "1712195495505582.988" with shift 3 -> 1712195495505582988; "1.5e3" with shift 0 -> 1500. What lies below one
 * unit is rounded to the nearest, halves away from zero. 0, or -1: not a number, or beyond int64. */
int decimal_scaled(const char *text, size_t length, int shift, int64_t *out);

#endif
