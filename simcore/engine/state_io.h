/* simcore/engine/state_io.h: saves and loads the state of a simulation.
 *
 * Each component has one function for both directions, so that they always have the same members in the same
 * order. Structs without pointers are copied as they are in memory, so a checkpoint is valid for one build of the
 * simulator (checkpoint.h). Loaded values are checked before they are used as an index.
 *
 *   STATE(io, c->clock);                        saves it, or loads it
 *   if (!state_check(io, c->place < PLACES))    loading: the condition must be true, else the checkpoint is refused
 *       return; */
#ifndef VIVACE_SIMCORE_ENGINE_STATE_IO_H
#define VIVACE_SIMCORE_ENGINE_STATE_IO_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct state_io {
    struct strbuf *out;            /* output when saving; NULL: loading */
    const unsigned char *at, *end; /* the remaining input when loading */
    bool failed;                   /* the input is too short, or a check failed: all later loads return 0 */
};

static inline bool state_loading(const struct state_io *io)
{
    return !io->out;
}
void state_bytes(struct state_io *io, void *p, size_t n);
#define STATE(io, x) state_bytes(io, &(x), sizeof(x))
/* Saves v and returns it, or returns the loaded value. */
bool state_flag(struct state_io *io, bool v);
uint32_t state_number(struct state_io *io, uint32_t v);
/* Checks a condition, which must be true while saving. Returns false if this or an earlier check of loaded data
 * failed. */
bool state_check(struct state_io *io, bool holds);

#endif
