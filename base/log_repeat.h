/* base/log_repeat.h: lines that say the same again are counted, not repeated: a database that is away for an hour
 * is reported every ten seconds, not ten times a second. */
#ifndef VIVACE_BASE_LOG_REPEAT_H
#define VIVACE_BASE_LOG_REPEAT_H

#include <stdbool.h>
#include <stdint.h>

/* `body` is a line without its time; `say` writes one with how often it was left out. Of the last few bodies is
 * known what they were and when; now_us is monotonic. True: this one was said within ten seconds and is counted.
 * What has been counted for ten seconds, or must make room, is said on the way. A body of more than a kilobyte is
 * never counted. Safe from any thread, and in a child that was forked while another thread was inside. */
typedef void (*log_say_fn)(const char *body, unsigned repeated);
bool log_repeat(const char *body, uint64_t now_us, log_say_fn say);
/* Says all that was counted and not said: before a program ends. */
void log_repeat_end(log_say_fn say);

#endif
