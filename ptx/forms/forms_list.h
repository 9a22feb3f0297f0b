/* ptx/forms/forms_list.h: the tables of forms, X(part) for each file forms_<part>.c, and the kinds of CPU they
 * are compiled for. */
#ifndef VIVACE_PTX_FORMS_FORMS_LIST_H
#define VIVACE_PTX_FORMS_FORMS_LIST_H

/* clang-format off */
#define PTX_FORM_PARTS(X, kind) \
    X(int, kind) X(bits, kind) X(carry, kind) X(move, kind) X(pred, kind) X(float, kind) X(round, kind) X(div, kind) \
    X(approx, kind) X(f16, kind) X(cvt, kind) X(cvt_float, kind) X(video, kind) X(pair, kind) X(mixed, kind)
/* clang-format on */

#endif
