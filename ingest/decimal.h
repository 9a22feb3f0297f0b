/* ingest/decimal.h: decimal numbers as integers, converted without floating point. */
#ifndef VIVACE_INGEST_DECIMAL_H
#define VIVACE_INGEST_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* "1712195495505582.988" with shift 3 -> 1712195495505582988; "1.5e3" with shift 0 -> 1500. The result is rounded
 * to the nearest integer, halves away from zero. 0; -1: not a number, or outside int64. */
int decimal_scaled(const char *text, size_t length, int shift, int64_t *out);

#endif
