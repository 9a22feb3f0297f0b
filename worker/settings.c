#include "worker/settings.h"

#include "base/version.h"
#include "wire/lease.h"

#define AT(member) offsetof(struct worker_settings, member)

static const struct conf_setting settings[] = {
    {"server", CONF_TEXT, "http://127.0.0.1:8080", "URL", 0, 0, AT(server), 0,
     "the farm's address; several servers are separated by commas"},
    {"ca-file", CONF_PATH, NULL, "FILE", 0, 0, AT(ca_file), 0,
     "PEM file of the certificates to trust for https; default: those of the system"},
    {"token", CONF_TEXT, NULL, "TOKEN", 0, 0, AT(token), CONF_SECRET,
     "file with a token of the scope `worker`; the server's first start writes one to its state folder, file "
     "worker-token"},
    {"slots", CONF_NUMBER, "0", "N", 0, WIRE_SLOTS_MAX, AT(slots), 0,
     "simulations at the same time; 0: one for each processor"},
    {"pack", CONF_NUMBER, "0", "N", 0, WIRE_PACK_MAX, AT(pack), 0,
     "short jobs that a slot takes at once; 1: one at a time, so that few jobs are lost with the machine; 0: jobs "
     "for two seconds, at most 32"},
    {"state", CONF_PATH, NULL, "DIR", 0, 0, AT(state), 0,
     "folder for cache and spool; default $XDG_STATE_HOME/vivace-worker, else ~/.local/state/vivace-worker, or "
     "/var/lib/vivace-worker for root. Each worker needs its own folder. In a Slurm job: a new folder in "
     "$SLURM_TMPDIR, else /tmp, removed with the job"},
    {"cache-bytes", CONF_BYTES, "0", "BYTES", 0, 0, AT(cache_bytes), 0,
     "maximum size of the cache of traces; 0: 20 GiB, or half of the free disk if that is less"},
    {"name", CONF_TEXT, NULL, "NAME", 0, 0, AT(name), 0,
     "the worker's name on the farm page; default: the host's name"},
    {"exit-when-idle", CONF_DURATION, "0", "TIME", 0, 0, AT(exit_when_idle_s), 0,
     "the worker ends after this time without work, for workers started on demand; 0: never"},
    {"drain-for", CONF_DURATION, "5min", "TIME", 0, 0, AT(drain_for_s), 0,
     "on SIGTERM, the time that running simulations have before their jobs are returned; choose less than the "
     "grace period of the batch system"},
    {"vivace-sim", CONF_PATH, NULL, "FILE", 0, 0, AT(vivace_sim), 0,
     "path of the simulator; default: beside this program, then on PATH"},
    {"require-sandbox", CONF_FLAG, NULL, NULL, 0, 0, AT(require_sandbox), 0,
     "refuse to start if simulations cannot be confined fully (`vivace-sim --test-sandbox` prints full)"},
    {"log-format", CONF_CHOICE, "text", "text|json", 0, 0, AT(log_format), 0,
     "format of the log: lines of key=value, or one JSON object per line for log collectors"},
    {"log-level", CONF_CHOICE, "info", "debug|info|warn|error", 0, 0, AT(log_level), 0,
     "least severity of messages on stderr"},
    {.name = NULL},
};

const struct conf_program worker_program = {
    .name = "vivace-worker",
    .version = VIVACE_VERSION,
    .usage = "usage: vivace-worker --server URL --token-file FILE [--slots N] ...\n"
             "\n"
             "Takes jobs from a farm, fetches their traces and GPU designs, runs vivace-sim for each in a child\n"
             "process, and reports the results. Start one on each machine.\n"
             "\n"
             "  vivace-worker --server https://farm.example --token-file /etc/vivace/worker-token\n"
             "\n"
             "SIGTERM drains: no new jobs, running ones may finish within --drain-for and are then returned. A\n"
             "second SIGTERM, or SIGINT, returns everything at once. Finished results that are not yet reported "
             "stay in\n"
             "the state folder. The next worker that is started there reports them.",
    .epilogue =
        "Exit codes: 0 drained or idle, 64 the settings are wrong, 69 the server cannot be reached within the\n"
        "drain time, 74 the state folder cannot be used, 75 another worker uses it, 77 the token is refused.\n",
    .settings = settings,
    .most_args = 0,
};
