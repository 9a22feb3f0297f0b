/* ptx/forms/forms_video.h: the SIMD video operations on one lane: vadd vsub vavrg vabsdiff vmin vmax vset of 4
 * bytes or 2 halves. Source of the semantics: NVIDIA, PTX ISA 9.0, section 9.7.17. */
#ifndef VIVACE_PTX_FORMS_FORMS_VIDEO_H
#define VIVACE_PTX_FORMS_FORMS_VIDEO_H

#include <stdbool.h>
#include <stdint.h>

/* Fields of args.imm: operation, types, saturation, use of c. */
enum { V_ADD, V_SUB, V_AVRG, V_ABSDIFF, V_MIN, V_MAX, V_SET, V_OPERATION = 7 };
enum { V_SIGNED_A = 8, V_SIGNED_B = 16, V_SIGNED_D = 32, V_SATURATE = 64, V_SUM = 128, V_HALVES = 256 };
enum { V_COMPARE = 9, V_EQ = 0, V_NE, V_LT, V_LE, V_GT, V_GE }; /* vset's comparison, from bit V_COMPARE on */
enum { VIDEO_ALL = 15 };                                        /* mask of all bytes or halves of the result */

#define VIDEO_INLINE static inline __attribute__((always_inline))

VIDEO_INLINE bool video_compare(int32_t a, int32_t b, uint32_t how)
{
    bool yes = how <= V_NE ? a == b : how == V_LT || how == V_GE ? a < b : a <= b;

    return yes != (how == V_NE || how == V_GE || how == V_GT);
}

VIDEO_INLINE int32_t video_take(uint32_t x, uint32_t k, uint32_t width, bool is_signed)
{
    uint32_t v = x >> k * width << (32 - width);

    return is_signed ? (int32_t)v >> (32 - width) : (int32_t)(v >> (32 - width));
}

VIDEO_INLINE int32_t video_piece(int32_t a, int32_t b, uint32_t imm, uint32_t width)
{
    int32_t r, low = imm & V_SIGNED_D ? -(1 << (width - 1)) : 0, high = low + (int32_t)((1u << width) - 1);

    switch (imm & V_OPERATION) {
    case V_ADD: r = a + b; break;
    case V_SUB: r = a - b; break;
    case V_AVRG: r = a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; break;
    case V_ABSDIFF: r = a < b ? b - a : a - b; break;
    case V_MIN: r = a < b ? a : b; break;
    case V_SET: r = video_compare(a, b, imm >> V_COMPARE); break;
    default: r = a > b ? a : b; break;
    }
    return !(imm & V_SATURATE) ? r : r < low ? low : r > high ? high : r;
}

/* Pieces whose bit in `chosen` is clear come from c; with V_SUM they add nothing to c. Results are truncated to
 * their width when they become pieces, but not when they are summed. */
VIDEO_INLINE uint32_t video_pieces(uint32_t a, uint32_t b, uint32_t c, uint32_t imm, uint32_t chosen)
{
    uint32_t width = imm & V_HALVES ? 16 : 8, pieces = 0, sum = c;

    for (uint32_t k = 0; k < 32 / width; k++) {
        uint32_t ones = (1u << width) - 1;
        uint32_t r = (uint32_t)video_piece(video_take(a, k, width, imm & V_SIGNED_A),
                                           video_take(b, k, width, imm & V_SIGNED_B), imm, width);

        if (!(chosen >> k & 1)) {
            pieces |= c & ones << k * width;
            continue;
        }
        pieces |= (r & ones) << k * width;
        sum += r;
    }
    return imm & V_SUM ? sum : pieces;
}

#endif
