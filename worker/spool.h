/* worker/spool.h: finished attempts that the server has not acknowledged yet. Each is a file, written, fsynced and
 * renamed before it is reported, so that hours of simulation survive the death of worker, server or machine. */
#ifndef VIVACE_WORKER_SPOOL_H
#define VIVACE_WORKER_SPOOL_H

#include <stddef.h>

#include "wire/lease.h"

struct spool; /* opaque */
struct spool_entry {
    struct spool_entry *next;
    struct job_outcome outcome;
    char farm[WIRE_ID]; /* whose it is: files of it are in a folder of that name; "": not known */
    size_t bytes;       /* about how long its JSON is */
    bool on_disk;       /* a file holds it */
    bool in_flight;     /* being reported now */
    bool alone;         /* report it in a message of its own: a batch with it was refused */
};

/* Makes the folder and takes up what is there, of all farms. A file that cannot be read is renamed to *.bad and
 * reported in the log, so that it never blocks the others. */
int spool_open(const char *folder, struct spool **out, struct err *e);
void spool_close(struct spool *s); /* the files stay */
/* From now on this farm is spoken to: outcomes of others leave the list, their files stay for a worker of theirs.
 * "": a server that does not say who it is gets those that are of no known farm. */
int spool_choose_farm(struct spool *s, const char *farm, struct err *e);
size_t spool_others(const struct spool *s);  /* outcomes of other farms, when a farm was chosen last */
size_t spool_refused(const struct spool *s); /* files that a server refused, by then */
/* Moves *outcome in (it is initialised anew). With `durable` it is on disk when this returns; on -1 (disk full) the
 * entry is kept in memory all the same and *e says why it is not on disk. */
int spool_add(struct spool *s, struct job_outcome *outcome, bool durable, struct err *e);
struct spool_entry *spool_first(struct spool *s);
size_t spool_count(const struct spool *s);
/* The server has it: forgets it, and its file. */
void spool_remove(struct spool *s, struct spool_entry *entry);
/* The server will never take it: keeps its file as *.refused for people. */
void spool_refuse(struct spool *s, struct spool_entry *entry);
/* Ids become file names: letters, digits, '-' and '_' only. */
bool spool_id_safe(const char *job);

#endif
