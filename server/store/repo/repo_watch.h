/* server/store/repo/repo_watch.h: what the database knows about its own health. */
#ifndef VIVACE_SERVER_DB_REPO_WATCH_H
#define VIVACE_SERVER_DB_REPO_WATCH_H

#include "server/store/db/db.h"

struct watch_snapshot {
    double age_s; /* of the oldest that another session holds; 0: none */
    int pid;
    char program[64], user[64], state[32];
};
/* Without these PostgreSQL does not keep what was acknowledged, or the queue bloats. */
#define WATCHED_SETTINGS 3
extern const char *const watched_settings[WATCHED_SETTINGS];
#define WATCHED_RECHECKS 4
extern const char *const watched_rechecks[WATCHED_RECHECKS];
struct watch_facts {
    wall_us clock; /* the database's */
    bool setting_on[WATCHED_SETTINGS];
    double oldest_ready_s;
    uint64_t alive, stored_bytes;
    uint64_t quarantined;                /* results about which two workers differ, until somebody decides */
    uint64_t rechecks[WATCHED_RECHECKS]; /* in order of watched_rechecks */
    uint64_t stranded;                   /* runs whose jobs no connected worker can take */
    uint64_t tokens_expiring;            /* that workers used lately: within 14 days, or they have expired */
    double token_left_s;                 /* until the first of them expires; NaN: there is none */
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
