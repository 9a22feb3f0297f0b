/* ptx/capture/capture_texture.h: textures of a captured launch as steps of a launch list. */
#ifndef VIVACE_PTX_CAPTURE_CAPTURE_TEXTURE_H
#define VIVACE_PTX_CAPTURE_CAPTURE_TEXTURE_H

#include <jansson.h>

#include "ptx/parse/module.h"
#include "ptx/program/texture.h"

/* Does some function of the module use textures or surfaces? */
bool capture_has_textures(const struct ptx_module *m);
/* The step that binds it; place: where its texels lie, "x+4096". NULL: ERR_UNSUPPORTED where a list cannot say it,
 * or no memory. */
json_t *capture_texture_step(const struct ptx_texture *t, size_t number, const char *place, struct err *e);
/* One whose memory has been freed: a row of `number` + 1 bytes in its place, so that those behind it keep theirs.
 */
json_t *capture_texture_gone(size_t number, const char *place, struct err *e);

#endif
