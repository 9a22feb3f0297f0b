/* worker/spool.h: finished attempts that the server has not acknowledged yet. Each is a file, written, fsynced and
 * renamed before it is reported, so that a crash of worker, server or machine loses no result. */
#ifndef VIVACE_WORKER_SPOOL_H
#define VIVACE_WORKER_SPOOL_H

#include <stddef.h>

#include "wire/lease.h"

struct spool; /* opaque */
struct spool_entry {
    struct spool_entry *next;
    struct job_outcome outcome;
    char farm[WIRE_ID]; /* id of its farm, and name of the folder with its file; "": not known */
    size_t bytes;       /* approximate length of its JSON */
    bool on_disk;       /* a file holds it */
    bool in_flight;     /* part of the report that is being sent */
    bool alone;         /* report it in a separate message: the server refused a batch with it */
};

/* Makes the folder and loads its outcomes, of all farms. A file that cannot be read is renamed to *.bad and logged,
 * so that it never blocks the others. */
int spool_open(const char *folder, struct spool **out, struct err *e);
void spool_close(struct spool *s); /* the files stay */
/* Sets the farm of the session. Outcomes of other farms are removed from the list; their files stay for a worker of
 * that farm. "": the server does not report its farm; the list then has the outcomes of no known farm. */
int spool_choose_farm(struct spool *s, const char *farm, struct err *e);
size_t spool_others(const struct spool *s);  /* number of outcomes of other farms at the last spool_choose_farm() */
size_t spool_refused(const struct spool *s); /* number of refused files at that time */
/* Moves *outcome into the spool and initialises *outcome again. With `durable` it is on disk when this returns. On
 * -1 (disk full) the entry is kept in memory, and *e holds the error. */
int spool_add(struct spool *s, struct job_outcome *outcome, bool durable, struct err *e);
struct spool_entry *spool_first(struct spool *s);
size_t spool_count(const struct spool *s);
/* The server has acknowledged it: removes the entry and its file. */
void spool_remove(struct spool *s, struct spool_entry *entry);
/* The server refuses it permanently: removes the entry and renames its file to *.refused, for an operator. */
void spool_refuse(struct spool *s, struct spool_entry *entry);
/* True when the id may be a file name: letters, digits, '-' and '_' only. */
bool spool_id_safe(const char *job);

#endif
