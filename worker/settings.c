#include "worker/settings.h"

#include "base/version.h"
#include "wire/lease.h"

#define AT(member) offsetof(struct worker_settings, member)

static const struct conf_setting settings[] = {
    {"server", CONF_TEXT, "http://127.0.0.1:8080", "URL", 0, 0, AT(server), 0,
     "the farm's address; of several servers all, with commas between"},
    {"ca-file", CONF_PATH, NULL, "FILE", 0, 0, AT(ca_file), 0,
     "PEM file of the certificates to trust for https; default: those that the system trusts"},
    {"token", CONF_TEXT, NULL, "TOKEN", 0, 0, AT(token), CONF_SECRET,
     "a token with the scope `worker`; the server's first start writes one to its state folder, file worker-token"},
    {"slots", CONF_NUMBER, "0", "N", 0, WIRE_SLOTS_MAX, AT(slots), 0,
     "simulations at a time; 0: as many as there are processors"},
    {"pack", CONF_NUMBER, "0", "N", 0, WIRE_PACK_MAX, AT(pack), 0,
     "short jobs that a slot takes at once; 1: never more than one, so that little is given back when the machine "
     "is "
     "taken away; 0: as many as take two seconds, at most 32"},
    {"state", CONF_PATH, NULL, "DIR", 0, 0, AT(state), 0,
     "cache and spool; default $XDG_STATE_HOME/vivace-worker, else ~/.local/state/vivace-worker, or "
     "/var/lib/vivace-worker for root. One worker a folder. In a Slurm job: a folder of its own in $SLURM_TMPDIR, "
     "else /tmp, that goes with the job"},
    {"cache-bytes", CONF_BYTES, "0", "BYTES", 0, 0, AT(cache_bytes), 0,
     "most that cached traces may take; 0: 20 GiB, or half of the free disk where that is less"},
    {"name", CONF_TEXT, NULL, "NAME", 0, 0, AT(name), 0,
     "what the farm page calls this worker; default: the host's name"},
    {"exit-when-idle", CONF_DURATION, "0", "TIME", 0, 0, AT(exit_when_idle_s), 0,
     "end after so long without work, for workers started on demand; 0: never"},
    {"drain-for", CONF_DURATION, "5min", "TIME", 0, 0, AT(drain_for_s), 0,
     "on SIGTERM, how long running simulations may go on before they are given back; less than the grace of the "
     "batch system"},
    {"vivace-sim", CONF_PATH, NULL, "FILE", 0, 0, AT(vivace_sim), 0,
     "the simulator; default: beside this program, then on PATH"},
    {"require-sandbox", CONF_FLAG, NULL, NULL, 0, 0, AT(require_sandbox), 0,
     "refuse to work where simulations cannot be confined fully (`vivace-sim --test-sandbox` says full)"},
    {"log-format", CONF_CHOICE, "text", "text|json", 0, 0, AT(log_format), 0,
     "Lines of key=value, or one JSON object a line for collectors of logs."},
    {"log-level", CONF_CHOICE, "info", "debug|info|warn|error", 0, 0, AT(log_level), 0,
     "how much to tell on stderr"},
    {.name = NULL},
};

const struct conf_program worker_program = {
    .name = "vivace-worker",
    .version = VIVACE_VERSION,
    .usage =
        "usage: vivace-worker --server URL --token-file FILE [--slots N] ...\n"
        "\n"
        "Takes jobs from a farm, fetches their traces and GPU designs, runs vivace-sim for each in a process of\n"
        "its own, and reports what came out. Start as many as there are machines.\n"
        "\n"
        "  vivace-worker --server https://farm.example --token-file /etc/vivace/worker-token\n"
        "\n"
        "SIGTERM drains: no new jobs, running ones may finish within --drain-for and are then given back. A "
        "second\n"
        "SIGTERM, or SIGINT, gives everything back at once. What is finished and not yet reported is kept in the\n"
        "state folder and reported by the next worker that is started there.",
    .epilogue =
        "Exit codes: 0 drained or idle, 64 the settings are wrong, 69 the server cannot be reached within the\n"
        "drain time, 74 the state folder cannot be used, 75 another worker uses it, 77 the token is refused.\n",
    .settings = settings,
    .most_args = 0,
};
