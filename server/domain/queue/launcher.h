/* server/domain/queue/launcher.h: starts workers when jobs wait (--launcher local|slurm). It is one thread, on the
 * server that has the leader's row "launcher". The launcher never stops workers: they exit after an idle time, so a
 * busy worker is never stopped. A lost worker is replaced, because then fewer workers are counted than wanted.
 *
 * wanted = ceil(expected seconds of ready jobs / (target * slots of a worker)), limited to the number of jobs,
 * and to least .. most. Busy workers count if a job is expected to end within the target. If jobs take longer,
 * busy workers will not be free in time, and the wanted workers are started in addition. */
#ifndef VIVACE_SERVER_LAUNCHER_H
#define VIVACE_SERVER_LAUNCHER_H

#include "base/strbuf.h"
#include "server/domain/farm.h"
#include "server/store/repo/repo_scale.h"

struct launcher_settings {
    uint32_t least, most;   /* number of workers */
    uint32_t slots;         /* per worker; at least 1 */
    double target_s;        /* the ready jobs should be done within this time */
    uint32_t each_s;        /* minimum interval between starts of workers */
    uint32_t waiting_max;   /* no more workers are submitted while this number waits to be started */
    uint32_t idle_s;        /* a worker exits after this time without a job */
    uint32_t drain_s;       /* after SIGTERM, running simulations may continue for this time */
    const char *worker;     /* path of vivace-worker */
    const char *vivace_sim; /* path of vivace-sim, or NULL: beside it */
    const char *url;        /* URL of the farm for workers */
    const char *token_file; /* path on the workers' machines */
    const char *ca_file;    /* or NULL */
    const char *folder;     /* for state folders and logs of workers */
    const char *job_name;   /* distinguishes our batch jobs from others */
    const char *partition, *memory, *time, *options; /* for Slurm, or NULL; options: separated by spaces */
};

struct launcher_count {
    uint32_t running, waiting;
};

/* A way to start workers. Only the launcher's thread calls it. */
struct launcher_place {
    const char *kind;
    void *ctx;
    int (*count)(void *ctx, struct launcher_count *out, struct err *e);
    int (*start)(void *ctx, uint32_t workers, struct err *e);
    void (*close)(void *ctx); /* called when the server stops */
};
int launcher_local_open(const struct launcher_settings *s, struct launcher_place *out, struct err *e);
int launcher_slurm_open(const struct launcher_settings *s, struct launcher_place *out, struct err *e);

/* A pure function. */
uint32_t launcher_wanted(const struct launcher_settings *s, const struct scale_demand *d);

/* The arguments of a worker, after the program name; NULL at the end. `state` NULL: the worker chooses its
 * folder, and the batch system sets the number of slots. The pointers point into s and text. */
enum { LAUNCHER_WORDS = 24 };
struct launcher_words {
    const char *words[LAUNCHER_WORDS];
    char slots[16], idle[16], drain[16];
};
void launcher_worker_words(const struct launcher_settings *s, const char *state, struct launcher_words *out);

struct launcher;
/* The address on which the farm listens. */
struct launcher_farm {
    const char *address, *scheme; /* "127.0.0.1:34567", "http" */
};
/* Starts the launcher that farm->config->launcher names. *out stays NULL for "none". */
int launcher_start(struct farm *farm, const struct launcher_farm *at, struct launcher **out, struct err *e);
/* Local workers return their leased jobs, so call it while requests are still answered. */
void launcher_stop(struct launcher *l);

#endif
