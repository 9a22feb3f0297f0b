/* worker/settings.h: the settings of a worker (`vivace-worker --help`). */
#ifndef VIVACE_WORKER_SETTINGS_H
#define VIVACE_WORKER_SETTINGS_H

#include "base/conf.h"

struct worker_settings {
    char *server, *token, *name, *state, *vivace_sim, *log_level, *log_format, *ca_file;
    uint64_t slots, pack, cache_bytes, exit_when_idle_s, drain_for_s;
    bool require_sandbox;
};
extern const struct conf_program worker_program;

#endif
