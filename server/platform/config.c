#include "server/platform/config.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "base/version.h"

#define AT(field) offsetof(struct server_config, field)

static const struct conf_setting settings[] = {
    {"listen", CONF_TEXT, "127.0.0.1:8080", "ADDRESS:PORT", 0, 0, AT(listen), 0,
     "Address and port to listen on. Port 0 takes any free port and prints it. The default listens on this machine "
     "only; 0.0.0.0:8080 listens on all addresses."},
    {"public-url", CONF_TEXT, NULL, "URL", 0, 0, AT(public_url), 0,
     "The public address of this server, if it differs from the name of this machine."},
    {"trusted-proxies", CONF_TEXT, NULL, "NETWORKS", 0, 0, AT(trusted_proxies), 0,
     "Proxies whose X-Forwarded-For header is trusted, as 127.0.0.1,10.0.0.0/8. Default: none; the peer of the "
     "connection is the client."},
    {"host-names", CONF_TEXT, NULL, "NAMES", 0, 0, AT(host_names), 0,
     "Further host names of this server, separated by commas, for example the name of a service in a cluster. "
     "Requests that name another host are refused."},
    {"tls-cert", CONF_PATH, NULL, "FILE", 0, 0, AT(tls_cert), 0,
     "PEM file of the server's certificate and its chain, for TLS without a proxy in front."},
    {"tls-key", CONF_PATH, NULL, "FILE", 0, 0, AT(tls_key), 0,
     "PEM file of its private key. The server's user must be able to read it, and not everybody."},
    {"state", CONF_PATH, NULL, "DIR", 0, 0, AT(state), 0,
     "Folder for tokens, stored files and the private database. Default: /var/lib/vivace if started as root, "
     "otherwise ~/.local/state/vivace."},
    {"database", CONF_TEXT, NULL, "URL", 0, 0, AT(database), 0,
     "PostgreSQL to use, as postgresql://user@host/name. Keep the password in ~/.pgpass. Default: the server "
     "creates and runs a private database in its state folder."},
    {"database-direct", CONF_TEXT, NULL, "URL", 0, 0, AT(database_direct), 0,
     "If `database` is a pooler in transaction mode, such as PgBouncer: the URL of the same database without the "
     "pooler. The server uses it to change the schema and for messages between servers. Statements that pass the "
     "pooler are sent with their full text, which makes the queue slower."},
    {"blob-store", CONF_TEXT, NULL, "s3://BUCKET/PREFIX|DIR", 0, 0, AT(blob_store), 0,
     "Where stored files are kept: a bucket of S3 or of a compatible store, or a folder. Default: in the state "
     "folder. All servers of a farm must name the same place."},
    {"blob-store-shared", CONF_FLAG, NULL, NULL, 0, 0, AT(blob_store_shared), 0,
     "Other machines use the folder `blob-store`, too. Without this setting, the server refuses a folder that "
     "another machine has marked."},
    {"s3-endpoint", CONF_TEXT, NULL, "URL", 0, 0, AT(s3_endpoint), 0,
     "The store's address. Workers must be able to reach it, too. Default: Amazon's, by region."},
    {"s3-region", CONF_TEXT, "us-east-1", "NAME", 0, 0, AT(s3_region), 0, "The bucket's region."},
    {"s3-keys", CONF_PATH, NULL, "FILE", 0, 0, AT(s3_keys), 0,
     "File with one line, ACCESS SECRET, that no other user can read. Default: AWS_ACCESS_KEY_ID and "
     "AWS_SECRET_ACCESS_KEY of the environment."},
    {"launcher", CONF_CHOICE, "none", "none|local|slurm", 0, 0, AT(launcher), 0,
     "How workers are started when jobs wait. `none`: you start them (`vivace worker`). `local`: the server starts "
     "them on this machine. `slurm`: the server submits them with sbatch."},
    {"launcher-min-workers", CONF_NUMBER, "0", "N", 0, 1000, AT(launcher_min_workers), 0,
     "Minimum number of workers, kept even if no job waits."},
    {"launcher-max-workers", CONF_NUMBER, "0", "N", 0, 1000, AT(launcher_max_workers), 0,
     "Maximum number of workers. 0: one here, 16 with Slurm."},
    {"launcher-slots", CONF_NUMBER, "0", "N", 0, 4096, AT(launcher_slots), 0,
     "Simulations that each worker runs at the same time. 0: the number of processors here, 1 with Slurm."},
    {"launcher-target", CONF_DURATION, "10min", "TIME", 1, 0, AT(launcher_target_s), 0,
     "Waiting jobs should be done within this time; the number of workers is chosen for it."},
    {"launcher-folder", CONF_PATH, NULL, "DIR", 0, 0, AT(launcher_folder), 0,
     "Folder for state and logs of the workers that are started. With Slurm all nodes must be able to reach it. "
     "Default: workers in the state folder."},
    {"launcher-worker", CONF_PATH, NULL, "PATH", 0, 0, AT(launcher_worker), 0,
     "Path of vivace-worker where workers are started. Default: beside this program."},
    {"launcher-token-file", CONF_PATH, NULL, "FILE", 0, 0, AT(launcher_token_file), 0,
     "File with the worker token where workers are started. Default: worker-token in the state folder."},
    {"launcher-ca-file", CONF_PATH, NULL, "FILE", 0, 0, AT(launcher_ca_file), 0,
     "Certificates that the started workers trust. Default: those of their system."},
    {"slurm-partition", CONF_TEXT, NULL, "NAME", 0, 0, AT(slurm_partition), 0, "Partition for sbatch."},
    {"slurm-time", CONF_TEXT, "4:00:00", "TIME", 0, 0, AT(slurm_time), 0,
     "Maximum run time of one worker, in the format of sbatch --time. A worker that reaches it drains and is "
     "replaced."},
    {"slurm-options", CONF_TEXT, NULL, "WORDS", 0, 0, AT(slurm_options), 0,
     "Further options for sbatch, separated by blanks: \"--account=x --qos=low\"."},
    {"user", CONF_TEXT, NULL, "NAME", 0, 0, AT(user), 0,
     "If started as root: the user to become. Default: vivace, else postgres."},
    {"log-format", CONF_CHOICE, "text", "text|json", 0, 0, AT(log_format), 0,
     "Format of the log: lines of key=value, or one JSON object per line for log collectors."},
    {"log-level", CONF_CHOICE, "info", "debug|info|warn|error", 0, 0, AT(log_level), 0,
     "Least severity of the lines on stderr."},
    {"db-threads", CONF_NUMBER, "8", "N", 1, 64, AT(db_threads), 0,
     "Threads for database work of users' requests, each with a connection."},
    {"worker-threads", CONF_NUMBER, "4", "N", 1, 64, AT(worker_threads), 0,
     "The same for requests of workers. They are separate, so that leases and results do not wait behind page "
     "requests."},
    {"cpu-threads", CONF_NUMBER, "2", "N", 1, 64, AT(cpu_threads), 0, "Threads for imports, plans and sweeps."},
    {"max-connections-per-ip", CONF_NUMBER, "256", "N", 1, 1000000, AT(connections_per_ip), 0,
     "Maximum number of open connections from one address. Behind a proxy set it to 4000, the limit of the whole "
     "server."},
    {"requests-a-second", CONF_NUMBER, "50", "N", 0, 100000, AT(requests_a_second), 0,
     "Calls per second that one credential may make. Calls of workers and pieces of uploads do not count. Further "
     "calls get 429. A page of the dashboard makes ten. 0: no limit."},
    {"upload-max", CONF_BYTES, "64GiB", "BYTES", 1, 0, AT(upload_max_bytes), 0, "Maximum size of one upload."},
    {"team-quota", CONF_BYTES, "1TiB", "BYTES", 0, 0, AT(team_quota_bytes), 0,
     "Bytes that a team may store, unfinished uploads included."},
    {"dry-run", CONF_FLAG, NULL, NULL, 0, 0, AT(dry_run), CONF_ONLY_FLAG,
     "With `vivace-server gc`: prints what would be removed, and removes nothing."},
    {"import-memory", CONF_BYTES, "4GiB", "BYTES", UINT64_C(256) << 20, 0, AT(import_memory_bytes), 0,
     "Memory limit of the process that reads one imported file. A malicious file then ends only that process, not "
     "the server."},
    {"postgres-bin", CONF_PATH, NULL, "DIR", 0, 0, AT(postgres_bin), 0,
     "Folder of initdb and postgres, version 13 or later. Default: the folder that pg_config names, else the "
     "newest in /usr/lib/postgresql."},
    {"postgres-shared", CONF_BYTES, "128MiB", "BYTES", UINT64_C(16) << 20, 0, AT(postgres_shared_bytes), 0,
     "Shared buffers of the private database."},
    {"job-time-limit", CONF_DURATION, "4h", "TIME", 1, 0, AT(job_time_s), 0,
     "Time limit of one simulation on the worker. A job that reaches it is tried once more with twice the time."},
    {"job-memory-limit", CONF_BYTES, "2GiB", "BYTES", UINT64_C(64) << 20, UINT64_C(1) << 50, AT(job_memory_bytes),
     0, "Memory limit of one simulation. A job that reaches it is tried again with twice as much."},
    {"recheck", CONF_TEXT, "0", "SHARE", 0, 0, AT(recheck), 0,
     "Share of new results, as 1%, that a second worker simulates, too. If the results differ, neither is used "
     "until a site admin decides."},
    {"keep-jobs", CONF_DURATION, "90d", "TIME", 0, 0, AT(keep_jobs_s), 0,
     "How long the jobs of a run are kept after its end; 0: for ever. Plans, results and projections are always "
     "kept."},
    {"keep-audit", CONF_DURATION, "366d", "TIME", UINT64_C(366) * 86400, 0, AT(keep_audit_s), 0,
     "How long the audit log is kept. The database refuses to delete entries younger than a year."},
    {"check", CONF_FLAG, NULL, NULL, 0, 0, AT(check), CONF_ONLY_FLAG,
     "Checks the settings, the database and the folder of stored files, prints what is wrong, and ends."},
    {"disk-reserve", CONF_BYTES, "0", "BYTES", 0, 0, AT(disk_reserve_bytes), 0,
     "Minimum free space on the disk of stored files. Below it, uploads and new runs are refused (507) and running "
     "work continues. 0: 64 MiB, or 1 % of a small disk."},
    {"with-blobs", CONF_FLAG, NULL, NULL, 0, 0, AT(with_blobs), CONF_ONLY_FLAG,
     "For `backup`: includes the contents of stored files, not only their names."},

    /* Constants, with the reason why an operator has no need to change them. Tests do: --test-NAME. */
    {"s3-wait", CONF_DURATION, "10s", "TIME", 1, 300, AT(s3_wait_s), CONF_TEST,
     "The store normally answers in milliseconds. After three calls without an answer, further calls are refused "
     "at once."},
    {"web-dir", CONF_PATH, NULL, "DIR", 0, 0, AT(web_dir), CONF_TEST,
     "The package has the dashboard beside the program, or in ../share/vivace/web."},
    {"examples", CONF_PATH, NULL, "DIR", 0, 0, AT(examples), CONF_TEST,
     "The package has the examples beside the program, or in ../share/vivace/examples."},
    {"vivace-sim", CONF_PATH, NULL, "PATH", 0, 0, AT(vivace_sim), CONF_TEST,
     "The package has the simulator of the same version beside the program."},
    {"launcher-each", CONF_DURATION, "30s", "TIME", 1, 3600, AT(launcher_each_s), CONF_TEST,
     "Workers need this long to start and to show in the queue's figures."},
    {"launcher-idle", CONF_DURATION, "2min", "TIME", 1, 86400, AT(launcher_idle_s), CONF_TEST,
     "A start takes a second, so a longer or shorter time gains little."},
    {"launcher-drain", CONF_DURATION, "5min", "TIME", 0, 86400, AT(launcher_drain_s), CONF_TEST,
     "Within the grace period that batch systems give by default. Unfinished jobs are given back."},
    {"requests-burst", CONF_NUMBER, "200", "N", 1, 1000000, AT(requests_burst), CONF_TEST,
     "Four seconds of the default rate: a page of the dashboard makes ten calls."},
    {"anonymous-requests-a-second", CONF_NUMBER, "5", "N", 0, 100000, AT(anonymous_a_second), CONF_TEST,
     "A person logs in once. More calls without a credential from one address are guesses at passwords."},
    {"connections", CONF_NUMBER, "4000", "N", 8, 1000000, AT(connections), CONF_TEST,
     "A thousand workers need two connections each, and a browser six. An idle connection costs 20 kB."},
    {"idle", CONF_DURATION, "30s", "TIME", 1, 3600, AT(idle_s), CONF_TEST,
     "Clients open a new connection without an error."},
    {"head-time", CONF_DURATION, "10s", "TIME", 1, 3600, AT(header_timeout_s), CONF_TEST,
     "The head of a request is one packet. A client that needs longer keeps a connection occupied on purpose."},
    {"uploads-most", CONF_NUMBER, "16", "N", 1, 100000, AT(uploads_max), CONF_TEST,
     "The client sends four at a time. The limit stops programs that begin uploads and do not finish them."},
    {"blob-grace", CONF_DURATION, "24h", "TIME", 1, 0, AT(blob_grace_s), CONF_TEST,
     "Longer than any request between an upload and the request that refers to it."},
    {"collect-each", CONF_DURATION, "1h", "TIME", 1, 86400, AT(collect_each_s), CONF_TEST,
     "A pass takes milliseconds when there is nothing to do."},
    {"scrub-rate", CONF_BYTES, "100MB", "BYTES", 1 << 16, 0, AT(scrub_bytes_a_s), CONF_TEST,
     "Below what one disk reads, so that a scrub does not disturb the farm."},
    {"heartbeat", CONF_DURATION, "10s", "TIME", 1, 300, AT(heartbeat_s), CONF_TEST,
     "One request in ten seconds from each of 1000 workers is a hundredth of the server's capacity."},
    {"dead-after", CONF_DURATION, "60s", "TIME", 2, 3600, AT(dead_after_s), CONF_TEST,
     "Six heartbeats: a short outage of the network loses no job, and a dead worker is noticed soon."},
    {"archive-after", CONF_DURATION, "1d", "TIME", 1, 0, AT(archive_after_s), CONF_TEST,
     "For a day, jobs can be queried in the queue's own tables. Pages show archived jobs in the same way."},
    {"keep-attempts", CONF_DURATION, "30d", "TIME", 0, 0, AT(keep_attempts_s), CONF_TEST,
     "Attempts explain failures. Users need them in the days after a run."},
    {"keep-events", CONF_DURATION, "7d", "TIME", 0, 0, AT(keep_events_s), CONF_TEST,
     "Events show what happens during a run. After the run, its page shows the results."},
    {NULL, CONF_TEXT, NULL, NULL, 0, 0, 0, 0, NULL},
};

/* Settings of earlier versions. The server prints one warning for each that a configuration file, the environment
 * or the command line still contains. */
static const struct conf_removed removed[] = {
    {"launcher-least", false, "Its name is `launcher-min-workers` now.", "launcher-min-workers"},
    {"launcher-most", false, "Its name is `launcher-max-workers` now.", "launcher-max-workers"},
    {"connections-an-address", false, "Its name is `max-connections-per-ip` now.", "max-connections-per-ip"},
    {"upload-most", false, "Its name is `upload-max` now.", "upload-max"},
    {"s3-wait", false, "A call to the bucket's store always waits 10 s.", NULL},
    {"web-dir", false, "Put the dashboard's files beside the program, in `web`, or in ../share/vivace/web.", NULL},
    {"examples", false, "Put the examples beside the program, in `examples`, or in ../share/vivace/examples.",
     NULL},
    {"vivace-sim", false, "Put vivace-sim beside the program.", NULL},
    {"launcher-each", false, "Workers are started at most every 30 s.", NULL},
    {"launcher-waiting", false, "No more workers are submitted while 100 wait for a place.", NULL},
    {"launcher-idle", false, "A worker without work always ends after 2 min.", NULL},
    {"launcher-drain", false, "Simulations of a worker that has to end always have 5 min.", NULL},
    {"slurm-memory", false, "Write --mem=MEMORY into `slurm-options` where the default does not fit.", NULL},
    {"database-pooler", true, "`database-direct` alone now says that `database` is a pooler.", NULL},
    {"http-threads", false, "There are always 4.", NULL},
    {"file-threads", false, "There are always 4.", NULL},
    {"queue", false, "The limit is always 1024 waiting requests.", NULL},
    {"queue-wait", false, "New requests are refused when others have waited 10 s.", NULL},
    {"connections", false, "The limit is always 4000 connections.", NULL},
    {"requests-burst", false, "A credential may always make 200 calls at once; `requests-a-second` sets the rate.",
     NULL},
    {"anonymous-requests-a-second", false, "It is always 5.", NULL},
    {"idle", false, "A silent connection is always closed after 30 s.", NULL},
    {"head-time", false, "A request's head always has 10 s.", NULL},
    {"uploads-most", false, "A team may always have 16 unfinished uploads.", NULL},
    {"upload-expires", false, "An unfinished upload is always dropped after 7 days.", NULL},
    {"blob-grace", false, "Stored files without references are always kept for 24 h.", NULL},
    {"collect-each", false, "The server searches for them every hour; `vivace-server gc` does it at once.", NULL},
    {"scrub-rate", false, "`vivace-server scrub` always reads 100 MB/s.", NULL},
    {"import-time", false, "Reading one file may always take 1 h of processor time.", NULL},
    {"postgres-connections", false,
     "The private database has 100 connections; use `database` if that is not enough.", NULL},
    {"heartbeat", false, "It is always 10 s.", NULL},
    {"dead-after", false, "It is always 60 s, six heartbeats.", NULL},
    {"job-cycle-limit", false, "It is always ten billion cycles.", NULL},
    {"archive-after", false, "Jobs leave the queue's tables one day after the end of their run.", NULL},
    {"keep-attempts", false, "Archived attempts are always kept for 30 days.", NULL},
    {"keep-events", false, "Events are always kept for 7 days.", NULL},
    {"keep-uploads", false, "The record of the upload of each import is always kept for 30 days.", NULL},
    {NULL, false, NULL, NULL},
};

const struct conf_program server_program = {
    .name = "vivace-server",
    .version = VIVACE_VERSION,
    .usage =
        "usage: vivace-server [settings]\n"
        "       vivace-server check-settings [settings]   checks whether a start or restart would accept the "
        "settings\n"
        "       vivace-server database-url [settings]     prints the database's URL, for psql\n"
        "       vivace-server backup FILE [settings]      writes the farm to one file; the server may be running\n"
        "       vivace-server restore FILE [settings]     restores a backup into an empty database\n"
        "       vivace-server gc [--dry-run] [settings]   removes stored files without references, once, now\n"
        "       vivace-server scrub [settings]            verifies the hashes of all stored files; moves damaged "
        "ones to quarantine\n"
        "\n"
        "Serves the dashboard and the API, keeps profiles, plans, jobs and results, and gives jobs to workers.\n"
        "The first start creates two tokens in the state folder and prints the owner's token once.\n"
        "\n"
        "  vivace-server                                    on this machine, everything in one folder\n"
        "  vivace-server --listen 0.0.0.0:8080 --state /srv/vivace\n"
        "  vivace-server --database postgresql://vivace@db.example/vivace\n"
        "  vivace-server --check                            checks settings, database and stored files\n"
        "\n"
        "Stop it with SIGTERM or Ctrl-C: it finishes the requests in progress, then stops the private database. A "
        "second\n"
        "signal ends it at once. SIGHUP (or SIGUSR2) restarts it without a refused connection, to use changed "
        "settings,\n"
        "a new certificate or an upgraded program. SIGUSR1 turns debug lines on and off. If systemd passes a "
        "socket\n"
        "(LISTEN_FDS), the server uses it instead of `listen`.",
    .epilogue = "Exit codes: 0 stopped by a signal, 64 a setting is wrong, 69 database or address not available,\n"
                "70 internal error, 74 reading or writing failed, 77 no permission.",
    .settings = settings,
    .most_args = 4,
    .removed = removed,
};

static int replace(char **at, const char *text, struct err *e)
{
    char *copy = mem_strdup(text, e);

    if (!copy)
        return -1;
    free(*at);
    *at = copy;
    return 0;
}

static int program_folder(char out[PATH_MAX], struct err *e)
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);

    if (n < 0)
        return err_set_errno(e, errno, "/proc/self/exe");
    out[n] = '\0';
    *strrchr(out, '/') = '\0';
    return 0;
}

static int default_state(struct server_config *c, struct err *e)
{
    const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char path[PATH_MAX];

    if (c->state)
        return 0;
    if (geteuid() == 0)
        return replace(&c->state, "/var/lib/vivace", e);
    if (xdg && xdg[0])
        snprintf(path, sizeof path, "%s/vivace", xdg);
    else if (home && home[0])
        snprintf(path, sizeof path, "%s/.local/state/vivace", home);
    else
        return err_set(e, ERR_USAGE, "there is no home folder; set --state DIR");
    return replace(&c->state, path, e);
}

static int absolute(char **path, struct err *e)
{
    char folder[PATH_MAX / 2], joined[PATH_MAX];

    if (!*path || (*path)[0] == '/')
        return 0;
    if (!getcwd(folder, sizeof folder))
        return err_set_errno(e, errno, "the current folder");
    if (snprintf(joined, sizeof joined, "%s/%s", folder, *path) >= (int)sizeof joined)
        return err_set(e, ERR_USAGE, "the path %.100s... is too long", *path);
    return replace(path, joined, e);
}

/* Sets *at to the first candidate that exists. If none exists, it is the first candidate, so that messages name
 * it. */
static int default_path(char **at, const char *folder, const char *const *candidates, struct err *e)
{
    char path[PATH_MAX];

    if (*at)
        return 0;
    for (int i = 0; candidates[i]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, candidates[i]);
        if (access(path, F_OK) == 0)
            return replace(at, path, e);
    }
    snprintf(path, sizeof path, "%s/%s", folder, candidates[0]);
    return replace(at, path, e);
}

int server_config_complete(struct server_config *c, struct err *e)
{
    static const char *const web[] = {"web", "../share/vivace/web", NULL}, *const sim[] = {"vivace-sim", NULL};
    static const char *const examples[] = {"examples", "../share/vivace/examples", NULL};
    char folder[PATH_MAX];

    c->recheck_share = strcmp(c->recheck, "100%") == 0 ? 1 : 0;
    if (strcmp(c->recheck, "0") != 0 && strcmp(c->recheck, "100%") != 0 &&
        parse_share(c->recheck, "recheck", &c->recheck_share, e) < 0)
        return -1;
    if (program_folder(folder, e) < 0 || default_state(c, e) < 0 || default_path(&c->web_dir, folder, web, e) < 0 ||
        default_path(&c->examples, folder, examples, e) < 0 || default_path(&c->vivace_sim, folder, sim, e) < 0)
        return -1;
    if (absolute(&c->state, e) < 0 || (!server_config_bucket(c) && absolute(&c->blob_store, e) < 0))
        return -1;
    return absolute(&c->web_dir, e) < 0 || absolute(&c->examples, e) < 0 || absolute(&c->vivace_sim, e) < 0 ? -1
                                                                                                            : 0;
}

bool server_config_bucket(const struct server_config *c)
{
    return c->blob_store && str_starts(c->blob_store, "s3://");
}

uint64_t server_config_connections(const struct server_config *c)
{
    /* Login 14, dispatcher 2, notifications between servers 1, watch, sweeper, launcher, collector, projector 5,
     * event hub; sometimes also a backup, a check or a migration. */
    enum { OTHERS = 30 };

    return c->db_threads + c->worker_threads + c->cpu_threads + FILE_THREADS + OTHERS;
}

const char *server_config_files(const struct server_config *c)
{
    return c->blob_store && !server_config_bucket(c) ? c->blob_store : c->state;
}
