/* tests/scenario/farm.h: the servers of a scenario, and the initial content of the database.
 *
 * A server consists of the parts that vivace_server.c starts, without the private database, the launcher and the
 * signals. It runs on fibers. */
#ifndef VIVACE_TESTS_SCENARIO_FARM_H
#define VIVACE_TESTS_SCENARIO_FARM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "server/domain/access/secret_text.h"

#define SERVERS_MAX 2
#define TEAMS       2
#define LAUNCHES    40 /* per profile */

/* Rows that fixture_make() stored. */
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

/* Once per process: settings, and the simulator's description of itself. */
int farm_open(const char *folder, struct err *e);
void farm_begin(int servers); /* starts the servers */
int farm_servers(void);
const char *farm_files(void); /* the folder of stored files */
bool farm_up(int server);
void farm_start(int server);
void farm_crash(int server);      /* like kill -9 */
void farm_crash_soon(int server); /* the same, once the calling fiber sleeps; it starts again later */
void farm_stop(int server);       /* like SIGTERM; the server is down some time later */
void farm_forget(void);

#endif
