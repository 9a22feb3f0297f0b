/* server/domain/operate/backup.h: `vivace-server backup FILE` and `restore FILE`: the farm in one file, and back.
 *
 * The file is a tar, compressed with zstd (docs/formats/backup.md):
 *
 *   manifest.json    versions, schema files, roles, number of blobs
 *   database.dump    pg_dump's custom format, of one snapshot
 *   blobs.tsv        SHA-256 and length of every stored file of that same snapshot
 *   blobs/<hex>      their bytes, with --with-blobs
 *   complete         empty; if it is missing, the file is truncated
 *
 * A backup works with a running server or without one. A restore needs an empty database, and no server
 * running. */
#ifndef VIVACE_SERVER_BACKUP_H
#define VIVACE_SERVER_BACKUP_H

#include <stdbool.h>

#include "base/err.h"
#include "server/domain/farm.h"

bool backup_knows(const char *word); /* "backup" or "restore" */
/* Opens the file before privileges are dropped, because only the caller may be able to write to its folder. A
 * backup's file must not exist. It appears only when the backup is complete. */
int backup_open_file(const char *word, const char *path, int *fd, struct err *e);
/* Makes the backup or restores it, and prints a summary. Closes fd. */
int backup_run(struct farm *farm, const char *word, int fd, struct err *e);

/* For backup.c and restore.c: runs a PostgreSQL program ("pg_dump") on this database with the given arguments.
 * Credentials are passed in its environment, because other users can read arguments. NULL ends the list. */
struct pg_tool {
    const char *name, *words[12];
};
int pg_tool_run(const struct farm *farm, const char *conninfo, const struct pg_tool *tool, struct err *e);
int restore_verify(int fd, struct err *e); /* checks the whole file before anything is changed */
int restore_run(struct farm *farm, const char *conninfo, int fd, struct err *e);

#endif
