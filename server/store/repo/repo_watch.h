/* server/store/repo/repo_watch.h: health data of the database and the farm. */
#ifndef VIVACE_SERVER_DB_REPO_WATCH_H
#define VIVACE_SERVER_DB_REPO_WATCH_H

#include "server/store/db/db.h"

struct watch_snapshot {
    double age_s; /* age of the oldest snapshot of another session; 0: none */
    int pid;
    char program[64], user[64], state[32];
};
/* PostgreSQL settings that must be on. Otherwise committed data may be lost, or the queue's table bloats. */
#define WATCHED_SETTINGS 3
extern const char *const watched_settings[WATCHED_SETTINGS];
#define WATCHED_RECHECKS 4
extern const char *const watched_rechecks[WATCHED_RECHECKS];
struct watch_facts {
    wall_us clock; /* the database's time */
    bool setting_on[WATCHED_SETTINGS];
    double oldest_ready_s;
    uint64_t alive, stored_bytes;
    uint64_t quarantined; /* results on which two workers differ and that a site admin has not decided */
    uint64_t rechecks[WATCHED_RECHECKS]; /* by state, in the order of watched_rechecks */
    uint64_t stranded;                   /* runs with jobs that no connected worker can run */
    uint64_t tokens_expiring; /* recently used tokens of workers that expire within 14 days or have expired */
    double token_left_s;      /* seconds until the first of them expires; NaN: none */
};
#define WATCHED_TABLES 4
struct watch_table {
    char name[32];
    uint64_t dead_rows;
};
int repo_watch_snapshot(struct db *db, struct watch_snapshot *out, struct err *e);
int repo_watch_facts(struct db *db, wall_us now, struct watch_facts *out, struct err *e);
int repo_watch_tables(struct db *db, struct watch_table out[WATCHED_TABLES], size_t *count, struct err *e);

#endif
