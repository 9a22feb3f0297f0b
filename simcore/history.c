#include "simcore/history.h"

#include <stdlib.h>

#include "base/array.h"

uint64_t trace_history_stream(uint64_t context, uint64_t stream)
{
    return context << 40 ^ stream;
}

static struct sim_work copy_work(const struct trace_copy *c)
{
    static const enum sim_work_kind kinds[TRACE_COPY_KINDS] = {
        [TRACE_COPY_TO_DEVICE] = SIM_COPY_TO_DEVICE,
        [TRACE_COPY_TO_HOST] = SIM_COPY_TO_HOST,
        [TRACE_COPY_DEVICE] = SIM_COPY_DEVICE,
        [TRACE_MEMSET] = SIM_MEMSET,
    };

    return (struct sim_work){.kind = kinds[c->kind],
                             .stream = trace_history_stream(c->context, 0),
                             .address = c->address,
                             .bytes = c->bytes};
}

int trace_history_make(const struct bundle *b, struct trace_history *out, struct err *e)
{
    size_t most = b->count + b->copies.count, copy = 0;

    *out = (struct trace_history){.work = mem_zalloc(most + 1, sizeof *out->work, e)};
    out->kernel = out->work ? mem_zalloc(most + 1, sizeof *out->kernel, e) : NULL;
    out->item = out->kernel ? mem_zalloc(b->count + 1, sizeof *out->item, e) : NULL;
    if (!out->item) {
        trace_history_release(out);
        return -1;
    }
    for (size_t i = 0; i <= b->count; i++) {
        for (; copy < b->copies.count && b->copies.items[copy].before <= i; copy++) {
            out->work[out->count] = copy_work(&b->copies.items[copy]);
            out->kernel[out->count++] = HISTORY_COPY;
        }
        if (i == b->count)
            break;
        out->item[i] = out->count;
        out->work[out->count] = (struct sim_work){.kind = SIM_KERNEL};
        out->kernel[out->count++] = i;
    }
    return 0;
}

void trace_history_release(struct trace_history *h)
{
    free(h->work);
    free(h->kernel);
    free(h->item);
    *h = (struct trace_history){.count = 0};
}

static int open_before(void *ctx, size_t index, struct inst_source **out, struct err *e)
{
    const struct trace_before *b = ctx;
    size_t kernel = b->history->kernel[b->first + index];
    const struct trace_place place = bundle_place(&b->bundle->kernels[kernel]);
    const struct cta_range range = {0, kernel == b->kernel ? b->own_ctas : 0};

    return trace_file_open_range(&place, &range, out, e);
}

void trace_history_before(const struct bundle *b, const struct trace_history *h, size_t kernel, uint64_t launches,
                          uint64_t own_ctas, struct trace_before *out)
{
    const struct bundle_kernel *k = &b->kernels[kernel];
    uint64_t wanted = launches && launches < k->order ? launches : k->order;
    size_t first = kernel, item;

    while (first > 0 && b->kernels[first - 1].context == k->context &&
           b->kernels[first - 1].order + wanted >= k->order)
        first--;
    item = h->item[first];
    while (item > 0 && h->kernel[item - 1] == HISTORY_COPY &&
           h->work[item - 1].stream == trace_history_stream(k->context, 0))
        item--;
    *out = (struct trace_before){.bundle = b,
                                 .history = h,
                                 .first = item,
                                 .kernel = kernel,
                                 .own_ctas = own_ctas,
                                 .missing = wanted - (kernel - first)};
    out->before = (struct sim_before){h->work + item, h->item[kernel] - item + (own_ctas > 0), open_before, out};
}
