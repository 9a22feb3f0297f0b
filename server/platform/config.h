/* server/platform/config.h: the settings of vivace-server (base/conf.h tells where they come from). */
#ifndef VIVACE_SERVER_CONFIG_H
#define VIVACE_SERVER_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/conf.h"
#include "base/err.h"

enum {
    HTTP_THREADS = 4, /* one serves thousands of connections; four keep one upload's hashing from delaying others */
    FILE_THREADS = 4, /* they make uploaded bytes durable and wait for the disk: more would wait too */
    REQUESTS_WAITING = 1024, /* for a thread of each kind; more are answered 503, so that overload is seen */
    REQUESTS_WAIT_S = 10,    /* clients give up soon after; those that come later are answered 503 at once */
    PRIVATE_CONNECTIONS =
        100 /* of the private database: two servers with default threads; a larger farm has its own */
};

struct server_config {
    char *listen, *public_url, *trusted_proxies;
    char *state;           /* folder: tokens, blobs, the private database */
    char *database;        /* NULL: the private one */
    char *database_direct; /* where `database` is a pooler: the database itself */
    char *postgres_bin;    /* NULL: searched for */
    char *user;            /* to become when started as root; NULL: vivace, else postgres */
    uint64_t s3_wait_s;
    char *blob_store, *s3_endpoint, *s3_region, *s3_keys; /* blob_store NULL: in the state folder */
    char *web_dir, *examples, *vivace_sim;
    bool blob_store_shared;
    char *tls_cert, *tls_key; /* both or none */
    char *host_names;
    char *launcher, *launcher_folder, *launcher_worker, *launcher_token_file, *launcher_ca_file;
    char *slurm_partition, *slurm_time, *slurm_options;
    uint64_t launcher_least, launcher_most, launcher_slots, launcher_target_s, launcher_each_s;
    uint64_t launcher_idle_s, launcher_drain_s;
    char *log_level, *log_format;
    uint64_t db_threads, worker_threads, cpu_threads;
    uint64_t connections, connections_an_address, idle_s, head_time_s;
    uint64_t requests_a_second, requests_burst, anonymous_a_second;
    uint64_t upload_most_bytes, uploads_most, team_quota_bytes;
    uint64_t blob_grace_s, collect_each_s, scrub_bytes_a_s;
    uint64_t import_memory_bytes, postgres_shared_bytes;
    uint64_t heartbeat_s, dead_after_s;
    uint64_t job_time_s, job_memory_bytes;
    char *recheck;
    double recheck_share; /* what it says */
    uint64_t archive_after_s, keep_jobs_s, keep_attempts_s, keep_events_s, keep_audit_s;
    uint64_t disk_reserve_bytes;
    bool check, dry_run, with_blobs;
};

extern const struct conf_program server_program;

/* Fills in what depends on the machine: the state folder, the web folder, the simulator beside this program.
 * Call before the user changes: paths become absolute. */
int server_config_complete(struct server_config *c, struct err *e);
uint64_t server_config_connections(const struct server_config *c); /* to the database, at most */
bool server_config_bucket(const struct server_config *c);          /* stored files lie in a bucket */
const char *
server_config_files(const struct server_config *c); /* folder of stored files, or of what is on its way */

#endif
