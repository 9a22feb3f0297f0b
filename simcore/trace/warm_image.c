#include "simcore/trace/warm_image.h"

#include <stdlib.h>

#include "base/array.h"

struct warm_image *warm_image_new(size_t count, struct err *e)
{
    struct warm_image *image = mem_zalloc(1, sizeof *image, e);

    if (!image)
        return NULL;
    image->line = mem_zalloc(count + 1, sizeof *image->line, e);
    if (image->line)
        return image;
    free(image);
    return NULL;
}

void warm_image_free(struct warm_image *image)
{
    if (!image)
        return;
    free(image->line);
    free(image);
}
