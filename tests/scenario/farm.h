/* tests/scenario/farm.h: the servers of a scenario, and what every scenario finds in the database.
 *
 * A server is what vivace_server.c starts, less the private database, the launcher and the signals, on fibers. */
#ifndef VIVACE_TESTS_SCENARIO_FARM_H
#define VIVACE_TESTS_SCENARIO_FARM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "server/domain/access/secret_text.h"

#define SERVERS_MAX 2
#define TEAMS       2
#define LAUNCHES    40 /* of each profile */

/* What fixture_make() stored. */
struct fixture {
    int64_t team[TEAMS];
    char member[TEAMS][TOKEN_TEXT], worker[TOKEN_TEXT];
    char profile[TEAMS][37];
    char simulator[40];
};
extern struct fixture fixture;
int fixture_make(void *folder, struct err *e);

#define HEARTBEAT_S  2
#define DEAD_AFTER_S 7
#define JOB_TIME_S   14400
#define ARCHIVE_S    30

/* Once a process: settings, and what the simulator says of itself. */
int farm_open(const char *folder, struct err *e);
void farm_begin(int servers); /* starts them */
int farm_servers(void);
const char *farm_files(void); /* the folder of stored files */
bool farm_up(int server);
void farm_start(int server);
void farm_crash(int server);      /* as kill -9 does */
void farm_crash_soon(int server); /* the same, for who runs on it: when its fiber sleeps; it comes back */
void farm_stop(int server);       /* as SIGTERM does; it is down some time later */
void farm_forget(void);

#endif
