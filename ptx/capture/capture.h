/* ptx/capture/capture.h: one launch as a launch list of its own, so that it runs alone: its modules, the buffers
 * that it can reach, and what they hold when it is done.
 *
 * Reachable is what the parameters and variables point at, and what words in those buffers point at: whole
 * allocations. A word that is in an allocation is taken for a pointer. Works for any program: those of launch
 * lists, and those that run through the shim. */
#ifndef VIVACE_PTX_CAPTURE_CAPTURE_H
#define VIVACE_PTX_CAPTURE_CAPTURE_H

#include "ptx/list/launch_list.h"

struct ptx_capture_options {
    const char *folder; /* made where it is missing: launches.json, module*.ptx, buffer*.bin */
    const char *name;   /* of the launch */
    /* Of the allocation that begins there, for values of its type; ELEMENT_TYPE_COUNT: bytes. NULL: all are bytes.
     */
    enum element_type (*type)(void *ctx, uint64_t address);
    void *ctx;
};
struct ptx_capture; /* opaque */
/* Before the launch: writes modules and what buffers hold. ERR_UNSUPPORTED: textures; pointers to variables that
 * lie elsewhere when modules are loaded first. */
int ptx_capture_begin(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_capture_options *o,
                      struct ptx_capture **out, struct err *e);
/* Behind it: writes the list. `ran`: what buffers hold now is expected of who runs it (of those without pointers);
 * false: it has failed, nothing is expected. */
int ptx_capture_end(struct ptx_capture *c, bool ran, struct err *e);
void ptx_capture_free(struct ptx_capture *c);

#endif
