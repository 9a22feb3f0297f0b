/* server/platform/config.h: the settings of vivace-server. base/conf.h describes the sources of the values. */
#ifndef VIVACE_SERVER_CONFIG_H
#define VIVACE_SERVER_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/conf.h"
#include "base/err.h"

enum {
    HTTP_THREADS =
        4, /* one serves thousands of connections; with four, one upload's hashing does not delay others */
    FILE_THREADS = 4, /* they make uploaded bytes durable and wait for the disk; more threads would wait too */
    REQUESTS_WAITING = 1024,  /* queue length of each executor; further requests get 503 */
    REQUESTS_WAIT_S = 10,     /* maximum wait in a queue; new requests get 503 when it is exceeded */
    PRIVATE_CONNECTIONS = 100 /* of the private database: for two servers with default threads */
};

struct server_config {
    char *listen, *public_url, *trusted_proxies;
    char *state;           /* folder of tokens, blobs and the private database */
    char *database;        /* URL; NULL: the private database */
    char *database_direct; /* URL of the database itself, where `database` is a pooler */
    char *postgres_bin;    /* NULL: the server searches for it */
    char *user;            /* the user to become when started as root; NULL: vivace, else postgres */
    uint64_t s3_wait_s;
    char *blob_store, *s3_endpoint, *s3_region, *s3_keys; /* blob_store NULL: in the state folder */
    char *web_dir, *examples, *vivace_sim;
    bool blob_store_shared;
    char *tls_cert, *tls_key; /* both or none */
    char *host_names;
    char *launcher, *launcher_folder, *launcher_worker, *launcher_token_file, *launcher_ca_file;
    char *slurm_partition, *slurm_time, *slurm_options;
    uint64_t launcher_min_workers, launcher_max_workers, launcher_slots, launcher_target_s, launcher_each_s;
    uint64_t launcher_idle_s, launcher_drain_s;
    char *log_level, *log_format;
    uint64_t db_threads, worker_threads, cpu_threads;
    uint64_t connections, connections_per_ip, idle_s, header_timeout_s;
    uint64_t requests_a_second, requests_burst, anonymous_a_second;
    uint64_t upload_max_bytes, uploads_max, team_quota_bytes;
    uint64_t blob_grace_s, collect_each_s, scrub_bytes_a_s;
    uint64_t import_memory_bytes, postgres_shared_bytes;
    uint64_t heartbeat_s, dead_after_s;
    uint64_t job_time_s, job_memory_bytes;
    char *recheck;
    double recheck_share; /* `recheck` as a fraction from 0 to 1 */
    uint64_t archive_after_s, keep_jobs_s, keep_attempts_s, keep_events_s, keep_audit_s;
    uint64_t disk_reserve_bytes;
    bool check, dry_run, with_blobs;
};

extern const struct conf_program server_program;

/* Sets what depends on the machine: the state folder, the web folder, and the path of the simulator beside this
 * program. Makes paths absolute, so call it before the process changes its user. */
int server_config_complete(struct server_config *c, struct err *e);
uint64_t server_config_connections(const struct server_config *c); /* maximum number of database connections */
bool server_config_bucket(const struct server_config *c);          /* stored files are in an S3 bucket */
const char *
server_config_files(const struct server_config *c); /* of stored files; with a bucket: of files in transfer */

#endif
