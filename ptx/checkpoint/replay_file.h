/* ptx/checkpoint/replay_file.h: shared by the writing and the reading of replay files. */
#ifndef VIVACE_PTX_CHECKPOINT_REPLAY_FILE_H
#define VIVACE_PTX_CHECKPOINT_REPLAY_FILE_H

#include "base/hash.h"
#include "base/version.h"
#include "ptx/checkpoint/replay.h"

#define REPLAY_FIRST_LINE "vivace-ptx-replay\t2\n"
#define REPLAY_WRITER     "Vivace " VIVACE_VERSION ", simulator " SIMCORE_VERSION "\n"
enum { REPLAY_LAUNCH_TEXT = 800 };

/* Describes the launch as text, with a hash of its module. */
int replay_launch_text(struct ptx_program *p, const struct ptx_launch *launch, char out[REPLAY_LAUNCH_TEXT],
                       struct err *e);
/* Adds all of memory to the hash: address and content of every page that is not zero. */
void replay_memory_add(struct sha256 *h, const struct device_memory *m);
int replay_memory_hash(const struct device_memory *m, uint8_t out[SHA256_BYTES], struct err *e);

#endif
