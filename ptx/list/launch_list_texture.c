/* Textures in a launch list: the step that binds a name to a buffer, and the names. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/list/launch_list_json.h"

uint32_t list_texture_of(struct list_reader *r, const char *name)
{
    struct launch_list *l = r->l;
    char **more;

    for (uint32_t k = 0; k < l->texture_count; k++)
        if (strcmp(l->textures[k], name) == 0)
            return k;
    more = realloc(l->textures, (l->texture_count + 1) * sizeof *more);
    if (!more) {
        err_no_memory(r->e);
        return PTX_NONE;
    }
    l->textures = more;
    more[l->texture_count] = list_copy(r, name);
    return more[l->texture_count] ? l->texture_count++ : PTX_NONE;
}

struct word {
    const char *text;
    uint32_t value;
};

/* Reads one of several words. If the member is missing, *out is unchanged. */
static int read_word(struct list_reader *r, const json_t *o, const char *key, const struct word *words,
                     uint8_t *out)
{
    const char *text = NULL;

    if (list_text(r, o, key, false, &text) != 0)
        return -1;
    for (; text && words->text; words++)
        if (strcmp(words->text, text) == 0) {
            *out = (uint8_t)words->value;
            return 0;
        }
    return text ? list_fault(r, "`%s`: \"%.40s\" is not supported", key, text) : 0;
}

static int read_size(struct list_reader *r, const json_t *o, struct ptx_texture *t)
{
    const json_t *dims = json_object_get(o, "dims");
    uint64_t layers = 0, pitch = 0;

    if (!json_is_array(dims) || json_array_size(dims) < 1 || json_array_size(dims) > 3)
        return list_fault(r, "`dims` must be a list of one to three sizes");
    t->dims = (uint32_t)json_array_size(dims);
    for (size_t i = 0; i < t->dims; i++) {
        json_int_t n = json_integer_value(json_array_get(dims, i));

        if (n < 1 || n > 1 << 27)
            return list_fault(r, "`dims`[%zu] must be 1 to 2^27 texels", i);
        t->size[i] = (uint32_t)n;
    }
    if (list_u64(r, o, "layers", false, 1 << 16, &layers) != 0 ||
        list_u64(r, o, "pitch_bytes", false, 1ull << 36, &pitch) != 0)
        return -1;
    t->layers = (uint32_t)layers;
    t->pitch[0] = pitch;
    return 0;
}

static int read_format(struct list_reader *r, const json_t *o, struct ptx_texture *t)
{
    const char *format = NULL;
    uint64_t channels = 1;

    if (list_text(r, o, "format", true, &format) != 0 || list_u64(r, o, "channels", false, 4, &channels) != 0)
        return -1;
    t->channels = (uint8_t)channels;
    t->kind = format[0] == 'f' ? PTX_TEXEL_FLOAT : format[0] == 's' ? PTX_TEXEL_SIGNED : PTX_TEXEL_UNSIGNED;
    t->bits = (uint8_t)(format[0] ? atoi(format + 1) : 0);
    if (!strchr("fsu", format[0]) || element_of(format) == ELEMENT_TYPE_COUNT || t->bits > 32)
        return list_fault(r, "`format` must be one of u8 s8 u16 s16 u32 s32 f16 f32");
    return 0;
}

int list_read_texture(struct list_reader *r, const json_t *o, struct list_step *s)
{
    static const char *const keys[] = {"handle",   "buffer", "dims",    "layers",      "pitch_bytes", "format",
                                       "channels", "filter", "address", "coordinates", "read",        NULL};
    static const struct word filters[] = {{"point", 0}, {"linear", 1}, {NULL, 0}};
    static const struct word coordinates[] = {{"texels", 0}, {"normalized", 1}, {NULL, 0}};
    static const struct word reads[] = {{"element", 0}, {"normalized", 1}, {NULL, 0}};
    static const struct word modes[] = {{"wrap", PTX_ADDRESS_WRAP},
                                        {"clamp", PTX_ADDRESS_CLAMP},
                                        {"mirror", PTX_ADDRESS_MIRROR},
                                        {"border", PTX_ADDRESS_BORDER},
                                        {NULL, 0}};
    uint8_t linear = 0, unit = 0, fractions = 0, mode = PTX_ADDRESS_CLAMP;
    const char *handle = NULL, *place = NULL;

    s->image_of = mem_zalloc(1, sizeof *s->image_of, r->e);
    if (!s->image_of || list_object(r, o, keys) != 0 || list_text(r, o, "handle", true, &handle) != 0 ||
        list_text(r, o, "buffer", true, &place) != 0 || list_place_of(r, place, &s->from) != 0 ||
        read_size(r, o, s->image_of) != 0 || read_format(r, o, s->image_of) != 0 ||
        read_word(r, o, "filter", filters, &linear) != 0 || read_word(r, o, "address", modes, &mode) != 0 ||
        read_word(r, o, "coordinates", coordinates, &unit) != 0 || read_word(r, o, "read", reads, &fractions) != 0)
        return -1;
    s->image_of->linear = linear;
    s->image_of->unit_coordinates = unit;
    s->image_of->fractions = fractions;
    memset(s->image_of->mode, mode, sizeof s->image_of->mode);
    s->texture = list_texture_of(r, handle);
    return s->texture == PTX_NONE ? -1 : 0;
}
