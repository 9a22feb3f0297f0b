/* base/log_repeat.h: repeated log lines are counted instead of written. An unreachable database is then reported
 * every ten seconds instead of ten times a second. */
#ifndef VIVACE_BASE_LOG_REPEAT_H
#define VIVACE_BASE_LOG_REPEAT_H

#include <stdbool.h>
#include <stdint.h>

/* `body` is a log line without its time; now_us is monotonic. Returns true when the same body was written within
 * the last ten seconds: it is then counted, and the caller does not write it. The last few bodies are remembered.
 * `say` is called with a body and its count when its ten seconds are over, or when its slot is reused. A body of
 * more than a kilobyte is never counted. Safe from any thread, and in a child that was forked while another thread
 * held the lock. */
typedef void (*log_say_fn)(const char *body, unsigned repeated);
bool log_repeat(const char *body, uint64_t now_us, log_say_fn say);
/* Calls `say` for every pending count. Call it before the program ends. */
void log_repeat_end(log_say_fn say);

#endif
