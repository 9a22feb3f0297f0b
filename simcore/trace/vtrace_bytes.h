/* simcore/trace/vtrace_bytes.h: numbers in a .vtrace, and constants that its writer and reader share. Internal to
 * .vtrace; docs/formats/vtrace.md is the specification. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_BYTES_H
#define VIVACE_SIMCORE_TRACE_VTRACE_BYTES_H

#include <string.h>

#include "base/strbuf.h"
#include "simcore/trace/vtrace.h"

#define VTRACE_MAGIC         "SCTR" /* 4 bytes */
#define VTRACE_END_MAGIC     "RTCS"
#define VTRACE_VERSION       1
#define VTRACE_HEADER_BYTES  20
#define VTRACE_TRAILER_BYTES 52
#define VTRACE_SECTORS_ONLY  1u  /* header flag */
#define VTRACE_COPIES        2u  /* header flag */
#define VTRACE_CLUSTERS      4u  /* header flag */
#define VTRACE_IMAGES        8u  /* header flag */
#define VTRACE_OTHERS        16u /* header flag: predicates, uniform registers and groups of products */
#define VTRACE_RUNS          32u /* header flag: some warm images have runs */
#define VTRACE_FLAGS                                                                                               \
    (VTRACE_SECTORS_ONLY | VTRACE_COPIES | VTRACE_CLUSTERS | VTRACE_IMAGES | VTRACE_OTHERS | VTRACE_RUNS)
#define WARPS_MAX           32         /* of a CTA with 1024 threads, the maximum of kernel_check_shape() */
#define VTRACE_LAUNCHES_MAX (1u << 22) /* equal to KERNELS_MAX of a bundle */

#define RAW_BLOCK_MAX (1u << 30) /* bytes of a block before compression */

/* The checksum of header, blocks, index and trailer: the first 8 bytes of SHA-256, as a number. */
int vtrace_checksum(const void *bytes, size_t n, uint64_t *out, struct err *e);

/* Every block is one zstd frame. */
enum vtrace_block_kind { BLOCK_CTAS, BLOCK_LAUNCHES, BLOCK_STATIC, BLOCK_DICTIONARY, BLOCK_IMAGES, BLOCK_KINDS };

/* Codes in an address program: how the addresses of an executed instruction with a mask and a width are encoded. */
enum {
    /* same lane pattern as at its last execution in this warp (at the first: stride = width), predicted base */
    OP_PREDICTED = 0,
    OP_SAME = 1,        /* same lane pattern, then the base */
    OP_STRIDE = 2,      /* stride, then the base */
    OP_NO_ADDRESS = 3,  /* no address was recorded */
    OP_LIST = 4,        /* + shift: lane distances in units of 1 << shift, then the base */
    OP_LIST_SHIFTS = 16 /* number of shifts */
};
/* References to dictionaries: a constant, or REF_DICTIONARY + index. */
enum { REF_EMPTY = 0, REF_INLINE = 1, REF_DICTIONARY = 2 };
/* Masks in a path: a constant, or MASK_OTHER + ~mask. */
enum { MASK_ZERO = 0, MASK_BEFORE = 1, MASK_OTHER = 2 };
/* Bits of the second number of a segment's head. */
enum { SEGMENT_JUMP = 1, SEGMENT_MASK = 2, SEGMENT_COUNT_SHIFT = 2 };

static inline uint64_t zigzag(int64_t x)
{
    return (uint64_t)x << 1 ^ (x < 0 ? UINT64_MAX : 0);
}

static inline int64_t unzigzag(uint64_t x)
{
    return (int64_t)(x >> 1 ^ (x & 1 ? UINT64_MAX : 0));
}

/* --- writing --- */

void put_long_number(struct strbuf *b, uint64_t x);

static inline void put_number(struct strbuf *b, uint64_t x)
{
    if (x < 0x80 && b->length + 1 < b->capacity)
        b->text[b->length++] = (char)x;
    else
        put_long_number(b, x);
}

static inline void put_signed(struct strbuf *b, int64_t x)
{
    put_number(b, zigzag(x));
}

static inline void put_text(struct strbuf *b, const char *s)
{
    put_number(b, strlen(s));
    strbuf_adds(b, s);
}

/* --- reading --- */

/* A read position. After an error, `wrong` stays set and every number read is 0. */
struct byte_cursor {
    const uint8_t *at, *end;
    bool wrong;
};

uint64_t get_long_number(struct byte_cursor *c);

static inline uint64_t get_number(struct byte_cursor *c)
{
    return c->at < c->end && *c->at < 0x80 ? *c->at++ : get_long_number(c);
}

static inline int64_t get_signed(struct byte_cursor *c)
{
    return unzigzag(get_number(c));
}

/* Reads a number below `end`. */
static inline uint64_t get_below(struct byte_cursor *c, uint64_t end)
{
    uint64_t x = get_number(c);

    if (x < end)
        return x;
    c->wrong = true;
    c->at = c->end;
    return 0;
}

/* Reads a count of elements, each of which takes at least one byte. */
static inline uint64_t get_count(struct byte_cursor *c)
{
    return get_below(c, (uint64_t)(c->end - c->at) + (c->at < c->end));
}

/* The next n bytes, or NULL. */
const uint8_t *get_bytes(struct byte_cursor *c, uint64_t n);
char *get_text(struct byte_cursor *c, struct err *e); /* the caller frees; NULL with *e filled */

/* --- lanes --- */

/* Writes the distances between neighbouring active lanes; returns their count. */
static inline unsigned lane_distances(const uint64_t *list, uint32_t mask, uint64_t out[WARP_LANES])
{
    unsigned n = 0, lane = (unsigned)__builtin_ctz(mask);

    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        unsigned next = (unsigned)__builtin_ctz(rest);

        out[n++] = list[next] - list[lane];
        lane = next;
    }
    return n;
}

/* --- lists of mostly zero numbers: the count of zeros, then a number, and so on; the count of zeros at the end ---
 */

struct zeros_out {
    struct strbuf *b;
    uint64_t zeros;
};

static inline void zeros_put(struct zeros_out *z, uint64_t x)
{
    if (x == 0) {
        z->zeros++;
        return;
    }
    put_number(z->b, z->zeros);
    put_number(z->b, x);
    z->zeros = 0;
}

static inline void zeros_end(struct zeros_out *z)
{
    put_number(z->b, z->zeros);
}

struct zeros_in {
    struct byte_cursor *c;
    uint64_t zeros;
    bool began;
};

static inline uint64_t zeros_get(struct zeros_in *z)
{
    uint64_t x;

    if (!z->began) {
        z->began = true;
        z->zeros = get_number(z->c);
    }
    if (z->zeros > 0) {
        z->zeros--;
        return 0;
    }
    x = get_number(z->c);
    z->zeros = get_number(z->c);
    if (x == 0)
        z->c->wrong = true;
    return x;
}

/* Whether all numbers were read, no more and no fewer. */
static inline bool zeros_over(struct zeros_in *z)
{
    if (!z->began)
        z->zeros = get_number(z->c);
    return z->zeros == 0 && !z->c->wrong;
}

#endif
