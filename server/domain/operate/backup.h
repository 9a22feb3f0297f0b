/* server/domain/operate/backup.h: `vivace-server backup FILE` and `restore FILE`: the farm in one file, and back.
 *
 * The file is a tar, compressed with zstd (docs/formats/backup.md):
 *
 *   manifest.json    what it is: versions, schema files, roles, how many blobs
 *   database.dump    pg_dump's custom format, of one snapshot
 *   blobs.tsv        SHA-256 and length of every stored file of that same snapshot
 *   blobs/<hex>      their bytes, with --with-blobs
 *   complete         empty; without it the file was cut off
 *
 * A backup is taken beside a running server or without one. A restore wants an empty database, and no server
 * running. */
#ifndef VIVACE_SERVER_BACKUP_H
#define VIVACE_SERVER_BACKUP_H

#include <stdbool.h>

#include "base/err.h"
#include "server/domain/farm.h"

bool backup_knows(const char *word); /* "backup" or "restore" */
/* Before privileges are given up, because the file may lie where only the caller may write. A backup's file must
 * not exist yet, and does not before the backup is whole. */
int backup_open_file(const char *word, const char *path, int *fd, struct err *e);
/* Does it and prints what was done. Closes fd. */
int backup_run(struct farm *farm, const char *word, int fd, struct err *e);

/* For backup.c and restore.c: a program of PostgreSQL ("pg_dump") run on this database, words after its name;
 * credentials go by its environment, never by words that others see. Ends the list of words with NULL. */
struct pg_tool {
    const char *name, *words[12];
};
int pg_tool_run(const struct farm *farm, const char *conninfo, const struct pg_tool *tool, struct err *e);
int restore_verify(int fd, struct err *e); /* that it is whole, before anything is touched */
int restore_run(struct farm *farm, const char *conninfo, int fd, struct err *e);

#endif
