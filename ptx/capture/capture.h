/* ptx/capture/capture.h: writes one launch as a separate launch list that can run alone: its modules, the buffers
 * that it can reach, and the expected contents of the buffers after the launch.
 *
 * A launch can reach the allocations that its parameters and variables point to, and the allocations that words in
 * those buffers point to. Whole allocations are captured. A word whose value is an address inside an allocation
 * counts as a pointer. This works for the programs of launch lists and for programs that run through the shim. */
#ifndef VIVACE_PTX_CAPTURE_CAPTURE_H
#define VIVACE_PTX_CAPTURE_CAPTURE_H

#include "ptx/list/launch_list.h"

struct ptx_capture_options {
    const char *folder; /* created if missing; receives launches.json, module*.ptx, buffer*.bin */
    const char *name;   /* of the launch */
    /* Returns the element type of the allocation at this address; ELEMENT_TYPE_COUNT: bytes. NULL: all buffers are
     * bytes. */
    enum element_type (*type)(void *ctx, uint64_t address);
    void *ctx;
};
struct ptx_capture; /* opaque */
/* Call it before the launch. Writes the modules and the contents of the buffers. ERR_UNSUPPORTED: a texture that a
 * launch list cannot describe; a pointer to a variable whose address changes if modules are loaded before buffers
 * are allocated. */
int ptx_capture_begin(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_capture_options *o,
                      struct ptx_capture **out, struct err *e);
/* Call it after the launch. Writes the list. ran: the list expects the present contents of the buffers that contain
 * no pointers. Not ran: the launch has failed, and the list expects nothing. */
int ptx_capture_end(struct ptx_capture *c, bool ran, struct err *e);
void ptx_capture_free(struct ptx_capture *c);

#endif
