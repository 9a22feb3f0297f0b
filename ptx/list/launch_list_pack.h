/* ptx/list/launch_list_pack.h: a launch list and the files it runs on (modules, initial values; not what is
 * expected of the results) as one file, a tar compressed with zstd: docs/formats/program-launch.md. */
#ifndef VIVACE_PTX_LIST_LAUNCH_LIST_PACK_H
#define VIVACE_PTX_LIST_LAUNCH_LIST_PACK_H

#include "ptx/list/launch_list.h"

/* Writes it to fd, from its offset; l: launch_list_read(path). The same files give the same bytes (with the
 * same zstd). ERR_INVALID: the list names a file outside its folder. */
int launch_list_pack(const char *path, const struct launch_list *l, int fd, struct err *e);
/* The list with all that it names in memory: no file is needed to run it (without checking results). ERR_TOO_LARGE:
 * more than `most` bytes unpacked. */
int launch_list_unpack(const char *path, uint64_t most, struct launch_list **out, struct err *e);

#endif
