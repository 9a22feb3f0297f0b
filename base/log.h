/* base/log.h: one line an event on stderr, key=value, for people and collectors alike.
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
void log_set_json(bool on); /* one JSON object a line instead, for collectors; every value is a string */
void log_event(enum log_level level, const char *subsystem, const char *message, const char *fields, ...)
    PRINTF_LIKE(4, 5);
/* Warnings and errors that say the same again within ten seconds are counted (log_repeat.h): a line with "
 * repeated=N" follows. This writes those that are due, before a program ends. */
void log_end(void);
/* Writes s as a quoted value into out (cut if need be); returns out, so that it can stand in an argument list. */
const char *log_quote(const char *s, char *out, size_t size);

#define log_debug(subsystem, message, ...) log_event(LOG_DEBUG, subsystem, message, __VA_ARGS__)
#define log_info(subsystem, message, ...)  log_event(LOG_INFO, subsystem, message, __VA_ARGS__)
#define log_warn(subsystem, message, ...)  log_event(LOG_WARN, subsystem, message, __VA_ARGS__)
#define log_error(subsystem, message, ...) log_event(LOG_ERROR, subsystem, message, __VA_ARGS__)

#endif
