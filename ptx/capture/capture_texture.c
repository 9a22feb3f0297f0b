/* ptx/capture/capture_texture.c: the textures of a captured launch. The list binds all bound textures in the same
 * order, so each texture has the same handle. It does not matter where the kernel reads the handle from. */
#include "ptx/capture/capture_texture.h"

#include <string.h>

bool capture_has_textures(const struct ptx_module *m)
{
    static const char *const opcodes[] = {"tex", "tld4", "txq", "suld", "sust", "suq"};

    for (uint32_t f = 0; f < m->function_count; f++)
        for (uint32_t i = 0; i < m->functions[f].inst_count; i++)
            for (size_t k = 0; k < sizeof opcodes / sizeof *opcodes; k++)
                if (strcmp(m->functions[f].insts[i].opcode, opcodes[k]) == 0)
                    return true;
    return false;
}

/* Can a `texture` step describe this texture? */
static bool can_say(const struct ptx_texture *t)
{
    for (uint32_t d = 1; d < t->dims; d++)
        if (t->mode[d] != t->mode[0])
            return false;
    return (t->dims < 3 && !t->layers) || t->pitch[1] == t->pitch[0] * t->size[1];
}

static json_t *sizes(const struct ptx_texture *t)
{
    json_t *dims = json_array();

    for (uint32_t d = 0; d < t->dims; d++)
        if (json_array_append_new(dims, json_integer(t->size[d])) != 0) {
            json_decref(dims);
            return NULL;
        }
    return dims;
}

json_t *capture_texture_step(const struct ptx_texture *t, size_t number, const char *place, struct err *e)
{
    static const char *const modes[] = {[PTX_ADDRESS_WRAP] = "wrap",
                                        [PTX_ADDRESS_CLAMP] = "clamp",
                                        [PTX_ADDRESS_MIRROR] = "mirror",
                                        [PTX_ADDRESS_BORDER] = "border"};
    static const char kinds[] = {[PTX_TEXEL_UNSIGNED] = 'u', [PTX_TEXEL_SIGNED] = 's', [PTX_TEXEL_FLOAT] = 'f'};
    char name[32], format[8];
    json_t *o;

    if (!can_say(t)) {
        err_set(e, ERR_UNSUPPORTED,
                "not supported: texture %zu has address modes or slices that a launch list cannot express", number);
        return NULL;
    }
    snprintf(name, sizeof name, "t%zu", number);
    snprintf(format, sizeof format, "%c%u", kinds[t->kind], t->bits);
    o = json_pack("{s:{s:s,s:s,s:o,s:s,s:i,s:s,s:s,s:s,s:s,s:I}}", "texture", "handle", name, "buffer", place,
                  "dims", sizes(t), "format", format, "channels", t->channels, "filter",
                  t->linear ? "linear" : "point", "address", modes[t->mode[0]], "coordinates",
                  t->unit_coordinates ? "normalized" : "texels", "read", t->fractions ? "normalized" : "element",
                  "pitch_bytes", (json_int_t)t->pitch[0]);
    if (o && t->layers &&
        json_object_set_new(json_object_get(o, "texture"), "layers", json_integer(t->layers)) != 0) {
        json_decref(o);
        o = NULL;
    }
    if (!o)
        err_no_memory(e);
    return o;
}

json_t *capture_texture_gone(size_t number, const char *place, struct err *e)
{
    const struct ptx_texture t = {.dims = 1,
                                  .size = {(uint32_t)number + 1, 1, 1},
                                  .pitch = {1, 1},
                                  .kind = PTX_TEXEL_UNSIGNED,
                                  .bits = 8,
                                  .channels = 1,
                                  .mode = {PTX_ADDRESS_CLAMP, PTX_ADDRESS_CLAMP, PTX_ADDRESS_CLAMP}};
    json_t *o = capture_texture_step(&t, number, place, e);

    if (o)
        json_object_del(json_object_get(o, "texture"), "pitch_bytes"); /* the default pitch is the width */
    return o;
}
