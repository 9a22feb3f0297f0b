/* ptx/warp/late_copies.c: delayed asynchronous copies (strict mode). */
#include "ptx/warp/late_copies.h"

#include <stdlib.h>

void ptx_async_end(struct ptx_cta *c)
{
    struct ptx_late_copies *s = c->async;

    if (s)
        free(s->copies);
    free(s);
    c->async = NULL;
}

int ptx_async_pending(struct ptx_warp *w, uint32_t lane, uint32_t at, uint32_t bytes)
{
    const struct ptx_late_copies *s = w->cta->async;
    char place[200];

    for (size_t i = 0; s && i < s->count; i++) {
        const struct ptx_late_copy *c = &s->copies[i];

        if (at + bytes <= c->to || c->to + c->bytes <= at)
            continue;
        ptx_place_text(w, w->code, c->op, place, sizeof place);
        return ptx_undefined(w, 1u << lane,
                             "reads shared address 0x%x during an asynchronous copy to it, which thread %u of the "
                             "CTA started at %s and has not waited for",
                             at, c->thread, place);
    }
    return 0;
}
