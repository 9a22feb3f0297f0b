/* server/domain/queue/launcher.h: starts workers when work waits (--launcher local|slurm). One thread, of the
 * server that holds the leader's row "launcher". It only ever starts workers: they leave by themselves when they
 * have been idle, so none that is busy is ever ended by it, and one that vanished is replaced because fewer are
 * counted than wanted.
 *
 * wanted = ceil(expected seconds of ready jobs / (target * slots of a worker)), not more than could each have a
 * job, within least .. most. Busy workers count towards it where a job is expected to end within the target;
 * where jobs take longer the busy ones will not help in time, and the rest is wanted beside them. */
#ifndef VIVACE_SERVER_LAUNCHER_H
#define VIVACE_SERVER_LAUNCHER_H

#include "base/strbuf.h"
#include "server/domain/farm.h"
#include "server/store/repo/repo_scale.h"

struct launcher_settings {
    uint32_t least, most;   /* workers */
    uint32_t slots;         /* of a worker; at least 1 */
    double target_s;        /* in which the ready jobs should be done */
    uint32_t each_s;        /* workers are started at most so often */
    uint32_t waiting_most;  /* no more are submitted while this number waits to be started */
    uint32_t idle_s;        /* a worker without work leaves after this */
    uint32_t drain_s;       /* on SIGTERM its simulations may go on for so long */
    const char *worker;     /* path of vivace-worker */
    const char *vivace_sim; /* path of vivace-sim, or NULL: beside it */
    const char *url;        /* where workers reach the farm */
    const char *token_file; /* as the workers see it */
    const char *ca_file;    /* or NULL */
    const char *folder;     /* state folders and logs of workers */
    const char *job_name;   /* by which our jobs are distinguished from others */
    const char *partition, *memory, *time, *options; /* of Slurm; options: words between blanks; any may be NULL */
};

struct launcher_count {
    uint32_t running, waiting;
};

/* How workers are started somewhere. Called from the launcher's thread only. */
struct launcher_place {
    const char *kind;
    void *ctx;
    int (*count)(void *ctx, struct launcher_count *out, struct err *e);
    int (*start)(void *ctx, uint32_t workers, struct err *e);
    void (*close)(void *ctx); /* the server ends */
};
int launcher_local_open(const struct launcher_settings *s, struct launcher_place *out, struct err *e);
int launcher_slurm_open(const struct launcher_settings *s, struct launcher_place *out, struct err *e);

/* Pure. */
uint32_t launcher_wanted(const struct launcher_settings *s, const struct scale_demand *d);

/* The words after the program's name that a worker of ours is started with, NULL at the end; `state` NULL:
 * the worker chooses its folder and its starter sets the number of slots. Pointers into s and text. */
enum { LAUNCHER_WORDS = 24 };
struct launcher_words {
    const char *words[LAUNCHER_WORDS];
    char slots[16], idle[16], drain[16];
};
void launcher_worker_words(const struct launcher_settings *s, const char *state, struct launcher_words *out);

struct launcher;
/* Where the farm listens already. */
struct launcher_farm {
    const char *address, *scheme; /* "127.0.0.1:34567", "http" */
};
/* Started by farm->config->launcher; *out stays NULL when that is "none". */
int launcher_start(struct farm *farm, const struct launcher_farm *at, struct launcher **out, struct err *e);
/* Local workers are asked to give back what they hold, so call it while requests are still answered. */
void launcher_stop(struct launcher *l);

#endif
