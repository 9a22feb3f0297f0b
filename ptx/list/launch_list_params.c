/* Parameters of a launch: an image of their bytes with the layout of C, and the positions of addresses in it. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/list/launch_list_json.h"
#include "ptx/memory/tensor_map.h"

enum { IMAGE_MAX = 1 << 16, STRUCTS_DEEP = 8 };

/* Appends `bytes` bytes with that alignment. Returns their offset, or PTX_NONE. */
static uint32_t image_room(struct list_reader *r, struct list_step *s, uint32_t bytes, uint32_t align)
{
    uint32_t at = (s->image_bytes + align - 1) / align * align;
    uint8_t *image;

    if (at + bytes > IMAGE_MAX) {
        list_fault(r, "parameters of more than %d bytes", IMAGE_MAX);
        return PTX_NONE;
    }
    image = realloc(s->image, at + bytes + 1);
    if (!image) {
        err_no_memory(r->e);
        return PTX_NONE;
    }
    memset(image + s->image_bytes, 0, at + bytes + 1 - s->image_bytes);
    s->image = image;
    s->image_bytes = at + bytes;
    return at;
}

static int add_relocation(struct list_reader *r, struct list_step *s, struct list_relocation x)
{
    struct list_relocation *more = realloc(s->relocations, (s->relocation_count + 1) * sizeof *more);

    if (!more)
        return err_no_memory(r->e);
    s->relocations = more;
    more[s->relocation_count++] = x;
    return 0;
}

static int add_texture(struct list_reader *r, const json_t *o, struct list_step *s)
{
    struct list_relocation x = {.at = image_room(r, s, 8, 8)};
    const char *name = NULL;

    if (x.at == PTX_NONE || list_text(r, o, "texture", true, &name) != 0)
        return -1;
    x.texture = list_texture_of(r, name);
    return x.texture == PTX_NONE ? -1 : add_relocation(r, s, x);
}

static int add_pointer(struct list_reader *r, const json_t *o, struct list_step *s)
{
    struct list_place place;
    uint64_t offset = 0, bytes;
    const char *text = NULL;
    uint32_t at = image_room(r, s, 8, 8);

    if (at == PTX_NONE || list_text(r, o, "ptr", true, &text) != 0 || list_place_of(r, text, &place) != 0 ||
        list_u64(r, o, "offset", false, INT64_MAX, &offset) != 0)
        return -1;
    bytes = r->l->buffers[place.buffer].count * element_bytes(r->l->buffers[place.buffer].type);
    if (offset > bytes - place.offset)
        return list_fault(r, "offset %llu is past the end of %s (%llu bytes)", (unsigned long long)offset, text,
                          (unsigned long long)bytes);
    place.offset += offset;
    return add_relocation(r, s, (struct list_relocation){at, place, PTX_NONE});
}

static int add_tensor_map(struct list_reader *r, const json_t *o, struct list_step *s)
{
    size_t before = list_enter(r, ".tensor_map");
    uint32_t at = image_room(r, s, PTX_TENSOR_MAP_BYTES, PTX_TENSOR_MAP_ALIGN);
    struct list_place place;

    if (at == PTX_NONE || list_tensor_map(r, json_object_get(o, "tensor_map"), s->image + at, &place) != 0)
        return -1;
    list_leave(r, before);
    return add_relocation(r, s, (struct list_relocation){at + PTX_TENSOR_MAP_ADDRESS, place, PTX_NONE});
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static int add_bytes(struct list_reader *r, const json_t *o, struct list_step *s)
{
    const char *text = NULL;
    uint32_t at;
    size_t n;

    if (list_text(r, o, "bytes", true, &text) != 0)
        return -1;
    n = strlen(text);
    if (n % 2 != 0 || n / 2 > IMAGE_MAX || strspn(text, "0123456789abcdefABCDEF") != n)
        return list_fault(r, "`bytes` must be pairs of hexadecimal digits");
    at = image_room(r, s, (uint32_t)(n / 2), 1);
    if (at == PTX_NONE)
        return -1;
    for (size_t i = 0; i < n / 2; i++)
        s->image[at + i] = (uint8_t)(hex_digit(text[2 * i]) * 16 + hex_digit(text[2 * i + 1]));
    return 0;
}

static int add_value(struct list_reader *r, const json_t *o, struct list_step *s, uint32_t deep, uint32_t *align);

/* Members have natural alignment. The struct's size is a multiple of its alignment. */
static int add_struct(struct list_reader *r, const json_t *members, struct list_step *s, uint32_t deep,
                      uint32_t *align)
{
    if (!json_is_array(members))
        return list_fault(r, "`struct` must be a list of values");
    if (deep == STRUCTS_DEEP)
        return list_fault(r, "structs nest deeper than %d", STRUCTS_DEEP);
    for (size_t i = 0; i < json_array_size(members); i++) {
        size_t before = list_enter(r, ".struct[%zu]", i);
        uint32_t own = 1;

        if (add_value(r, json_array_get(members, i), s, deep + 1, &own) != 0)
            return -1;
        *align = own > *align ? own : *align;
        list_leave(r, before);
    }
    return image_room(r, s, 0, *align) == PTX_NONE ? -1 : 0;
}

/* The largest alignment of any member. It must be known before the layout, because the struct begins at a
 * multiple of it. */
static uint32_t align_of(const json_t *o, uint32_t deep)
{
    const json_t *members = json_object_get(o, "struct");
    uint32_t align = 1;

    for (size_t i = 0; members && deep < STRUCTS_DEEP && i < json_array_size(members); i++) {
        uint32_t own = align_of(json_array_get(members, i), deep + 1);

        align = own > align ? own : align;
    }
    for (int t = 0; t < ELEMENT_TYPE_COUNT; t++)
        if (json_object_get(o, element_name((enum element_type)t)))
            return element_bytes((enum element_type)t);
    if (json_object_get(o, "tensor_map"))
        return PTX_TENSOR_MAP_ALIGN;
    return json_object_get(o, "texture") ? 8 : align;
}

static int add_value(struct list_reader *r, const json_t *o, struct list_step *s, uint32_t deep, uint32_t *align)
{
    static const char *const keys[] = {
#define X(name, text, bytes) text,
        ELEMENT_TYPES(X)
#undef X
            "offset",
        "struct",
        "bytes",
        "texture",
        "tensor_map",
        NULL};
    enum element_type t = ELEMENT_U8;
    uint32_t at;

    if (list_object(r, o, keys) != 0)
        return -1;
    if (json_object_size(o) != (size_t)(json_object_get(o, "ptr") && json_object_get(o, "offset") ? 2 : 1))
        return list_fault(r, "expected one value here, like {\"s32\": 1} or {\"ptr\": \"x\", \"offset\": 0}");
    *align = align_of(o, deep);
    if (json_object_get(o, "struct"))
        return image_room(r, s, 0, *align) == PTX_NONE
                   ? -1
                   : add_struct(r, json_object_get(o, "struct"), s, deep, align);
    if (json_object_get(o, "bytes"))
        return add_bytes(r, o, s);
    if (json_object_get(o, "ptr"))
        return add_pointer(r, o, s);
    if (json_object_get(o, "texture"))
        return add_texture(r, o, s);
    if (json_object_get(o, "tensor_map"))
        return add_tensor_map(r, o, s);
    while (t < ELEMENT_TYPE_COUNT && !json_object_get(o, element_name(t)))
        t++;
    if (t == ELEMENT_TYPE_COUNT)
        return list_fault(r, "`offset` needs `ptr` beside it");
    at = image_room(r, s, element_bytes(t), element_bytes(t));
    return at == PTX_NONE ? -1 : list_value(r, json_object_get(o, element_name(t)), t, s->image + at);
}

int list_params(struct list_reader *r, const json_t *array, struct list_step *s)
{
    if (!json_is_array(array))
        return list_fault(r, "`params` must be a list of values");
    s->params = mem_zalloc(json_array_size(array) + 1, sizeof *s->params, r->e);
    if (!s->params)
        return -1;
    for (size_t i = 0; i < json_array_size(array); i++) {
        size_t before = list_enter(r, ".params[%zu]", i);
        uint32_t align = 1, first;

        /* Here each parameter has its own aligned offset. lay_out() moves it to the offset that the kernel
         * declares. */
        first = image_room(r, s, 0, PTX_TENSOR_MAP_ALIGN); /* the largest alignment of any parameter */
        if (first == PTX_NONE || add_value(r, json_array_get(array, i), s, 0, &align) != 0)
            return -1;
        s->params[s->param_count++] = (struct list_param){first, s->image_bytes - first};
        list_leave(r, before);
    }
    return 0;
}
