#include "simcore/mem/mshr/mshr.h"

int mshr_init(struct mshr_file *f, const struct gpu_design *d, size_t places, uint32_t requests_max, struct err *e)
{
    static const struct mshr_ops *const kinds[] = {
#define X(enumerator, name, what) &mshr_##name,
        MSHR_KINDS(X)
#undef X
    };

    *f = (struct mshr_file){
        .ops = kinds[d->l2_mshr], .slices = d->l2_slices, .places = places, .requests_max = requests_max};
    return f->ops->init(f, d, e);
}

void mshr_release(struct mshr_file *f)
{
    if (f->ops)
        f->ops->release(f);
}
