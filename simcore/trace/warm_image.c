#include "simcore/trace/warm_image.h"

#include <stdlib.h>

#include "base/array.h"

struct warm_image *warm_image_new(size_t count, size_t runs, struct err *e)
{
    struct warm_image *image = mem_zalloc(1, sizeof *image, e);

    if (!image)
        return NULL;
    image->line = mem_zalloc(count + 1, sizeof *image->line, e);
    image->run = mem_zalloc(runs + 1, sizeof *image->run, e);
    if (image->line && image->run)
        return image;
    warm_image_free(image);
    return NULL;
}

void warm_image_free(struct warm_image *image)
{
    if (!image)
        return;
    free(image->line);
    free(image->run);
    free(image);
}
