/* server/platform/net/npy.h: writer of NumPy's file format, version 1.0 (numpy.lib.format): magic, header length,
 * a dictionary padded so that the data begin at a multiple of 64, then the numbers in C order, little-endian. */
#ifndef VIVACE_SERVER_HTTP_NPY_H
#define VIVACE_SERVER_HTTP_NPY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Appends the header of an array with that shape. The caller then appends each number by the function of its
 * type. */
void npy_begin(struct strbuf *b, bool doubles, const size_t shape[], size_t dimensions);
void npy_add_float(struct strbuf *b, float v);
void npy_add_double(struct strbuf *b, double v);

#endif
