/* ptx/list/launch_list_pack.h: stores a launch list and its input files (modules, initial values; not the
 * expected results) in one file, a tar compressed with zstd. Format: docs/formats/program-launch.md. */
#ifndef VIVACE_PTX_LIST_LAUNCH_LIST_PACK_H
#define VIVACE_PTX_LIST_LAUNCH_LIST_PACK_H

#include "ptx/list/launch_list.h"

/* Writes the archive to fd at its current offset. l: the list that launch_list_read(path) returned. The same
 * files give the same bytes (with the same version of zstd). ERR_INVALID: the list names a file outside its
 * folder. */
int launch_list_pack(const char *path, const struct launch_list *l, int fd, struct err *e);
/* Reads the list and all its files into memory. Running it needs no other file if results are not checked.
 * ERR_TOO_LARGE: the unpacked size exceeds `most` bytes. */
int launch_list_unpack(const char *path, uint64_t most, struct launch_list **out, struct err *e);

#endif
