/* base/log.h: one line of key=value fields on stderr for each event, readable by people and log collectors.
 *
 *   log_info("worker", "the simulation finished", "job=%s attempt=%d", job, attempt);
 *
 * The message is a sentence without data; data goes into fields. Fields whose value may hold blanks or
 * quotes go through log_quote(). Never log secrets or request bodies. Safe from any thread. */
#ifndef VIVACE_BASE_LOG_H
#define VIVACE_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

void log_set_level(enum log_level level);                       /* default LOG_INFO */
int log_level_from_name(const char *name, enum log_level *out); /* -1: not debug, info, warn or error */
void log_set_json(bool on); /* lines are JSON objects, for log collectors; every value is a string */
void log_event(enum log_level level, const char *subsystem, const char *message, const char *fields, ...)
    PRINTF_LIKE(4, 5);
/* A warning or an error that repeats within ten seconds is counted instead of written (log_repeat.h). A line with
 * repeated=N follows later. Call log_end() before the program ends: it writes the counts that are pending. */
void log_end(void);
/* Writes s as a quoted value into out, cut to its size. Returns out, so that the call can be an argument. */
const char *log_quote(const char *s, char *out, size_t size);

#define log_debug(subsystem, message, ...) log_event(LOG_DEBUG, subsystem, message, __VA_ARGS__)
#define log_info(subsystem, message, ...)  log_event(LOG_INFO, subsystem, message, __VA_ARGS__)
#define log_warn(subsystem, message, ...)  log_event(LOG_WARN, subsystem, message, __VA_ARGS__)
#define log_error(subsystem, message, ...) log_event(LOG_ERROR, subsystem, message, __VA_ARGS__)

#endif
