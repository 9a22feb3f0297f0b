/* ptx/capture/capture_texture.h: textures of a captured launch as steps of a launch list. */
#ifndef VIVACE_PTX_CAPTURE_CAPTURE_TEXTURE_H
#define VIVACE_PTX_CAPTURE_CAPTURE_TEXTURE_H

#include <jansson.h>

#include "ptx/parse/module.h"
#include "ptx/program/texture.h"

/* Does some function of the module use textures or surfaces? */
bool capture_has_textures(const struct ptx_module *m);
/* The step that binds texture `number`. place: the address of its texels, as "x+4096". NULL: ERR_UNSUPPORTED if a
 * launch list cannot describe the texture, or ERR_NO_MEMORY. */
json_t *capture_texture_step(const struct ptx_texture *t, size_t number, const char *place, struct err *e);
/* A step for a texture whose memory has been freed. It binds a row of `number` + 1 bytes instead, so the textures
 * after it keep their handles. */
json_t *capture_texture_gone(size_t number, const char *place, struct err *e);

#endif
