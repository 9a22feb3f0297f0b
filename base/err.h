/* base/err.h: an error in the caller's own storage, so that it can be reported when memory ran out.
 *
 * Functions that can fail return 0 (or 1 for "found", 0 for "none") and -1 with *e filled.
 * One row per kind: the name, the stable name for machines, the HTTP status a handler answers, and the exit code
 * that a program returns (base/exit_code.h). */
#ifndef VIVACE_BASE_ERR_H
#define VIVACE_BASE_ERR_H

#include <stdarg.h>

#include "base/exit_code.h"

#define PRINTF_LIKE(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#define MUST_CHECK                       __attribute__((warn_unused_result))

/* clang-format off: a table reads best as one */
/*    name, machine name, HTTP status, exit code, exit code of vivace-sim, title shown to people */
#define ERR_MAP(X)                                                                                                 \
    X(USAGE, "usage", 400, EXIT_USAGE, SIM_EXIT_USAGE, "the command line or request is not understood")            \
    X(MALFORMED, "malformed", 400, EXIT_BAD_INPUT, SIM_EXIT_BAD_INPUT, "the request is malformed")                 \
    X(UNAUTHORIZED, "unauthorized", 401, EXIT_NOT_ALLOWED, SIM_EXIT_BAD_INPUT, "no valid credential")              \
    X(FORBIDDEN, "forbidden", 403, EXIT_NOT_ALLOWED, SIM_EXIT_BAD_INPUT,                                           \
      "this credential does not permit the request")                                                               \
    X(NOT_FOUND, "not_found", 404, EXIT_NOT_FOUND, SIM_EXIT_BAD_INPUT, "the object does not exist")                \
    X(NOT_ALLOWED, "not_allowed", 405, EXIT_USAGE, SIM_EXIT_BAD_INPUT, "this address does not support the method") \
    X(CONFLICT, "conflict", 409, EXIT_TRY_AGAIN, SIM_EXIT_BAD_INPUT,                                               \
      "the present state does not allow the request")                                                              \
    X(LEASE_LOST, "lease_lost", 409, EXIT_TRY_AGAIN, SIM_EXIT_BAD_INPUT, "another worker has the lease now")       \
    X(GONE, "gone", 410, EXIT_NOT_FOUND, SIM_EXIT_BAD_INPUT, "the object no longer exists")                        \
    X(TOO_LARGE, "too_large", 413, EXIT_BAD_INPUT, SIM_EXIT_BAD_INPUT, "the request or file is too large")         \
    X(UNSUPPORTED, "unsupported", 415, EXIT_BAD_INPUT, SIM_EXIT_UNSUPPORTED,                                       \
      "this format or version is not supported")                                                                   \
    X(INVALID, "invalid", 422, EXIT_BAD_INPUT, SIM_EXIT_BAD_INPUT, "the content of the request is not valid")      \
    X(RATE_LIMITED, "rate_limited", 429, EXIT_TRY_AGAIN, SIM_EXIT_BAD_INPUT, "too many requests")                  \
    X(INTERNAL, "internal", 500, EXIT_DEFECT, SIM_EXIT_BAD_INPUT, "a defect in Vivace")                            \
    X(IO, "io", 500, EXIT_IO, EXIT_TRY_AGAIN, "reading or writing failed")                                         \
    X(SIMULATION, "simulation", 500, EXIT_DEFECT, SIM_EXIT_BAD_INPUT, "the simulation failed")                     \
    X(NETWORK, "network", 502, EXIT_UNREACHABLE, SIM_EXIT_BAD_INPUT, "the remote server cannot be reached")        \
    X(DATABASE, "database", 503, EXIT_UNREACHABLE, SIM_EXIT_BAD_INPUT, "the database is not available")            \
    X(BUSY, "busy", 503, EXIT_TRY_AGAIN, EXIT_TRY_AGAIN, "too busy at present")                                    \
    X(UNAVAILABLE, "unavailable", 503, EXIT_TRY_AGAIN, SIM_EXIT_BAD_INPUT, "a part of the farm does not answer")   \
    X(NO_MEMORY, "no_memory", 503, EXIT_NO_MEMORY, SIM_EXIT_MEMORY, "out of memory")                               \
    X(NO_SPACE, "no_space", 507, EXIT_IO, EXIT_TRY_AGAIN, "no storage space is left")
/* clang-format on */

enum err_code {
    ERR_NONE = 0,
#define X(name, machine_name, status, exit, sim_exit, title) ERR_##name,
    ERR_MAP(X)
#undef X
        ERR_CODE_COUNT
};

struct err {
    enum err_code code;
    char text[480]; /* valid UTF-8; one sentence, widest context first: "plan 71: stratum 3: no launches" */
    char hint[240]; /* advice: what the user can do; empty when there is none */
};

/* Fills *e and returns -1, so that callers can `return err_set(...)`. Clears the hint. */
int err_set(struct err *e, enum err_code code, const char *format, ...) PRINTF_LIKE(3, 4);
/* As err_set with strerror(errno) appended; ENOSPC, EDQUOT and EFBIG become ERR_NO_SPACE, ENOENT
 * ERR_NOT_FOUND, ENOMEM ERR_NO_MEMORY, anything else ERR_IO. */
int err_set_errno(struct err *e, int errnum, const char *format, ...) PRINTF_LIKE(3, 4);
/* Puts context in front of the text ("context: text"); returns -1. */
int err_wrap(struct err *e, const char *format, ...) PRINTF_LIKE(2, 3);
/* Sets the hint; returns -1. */
int err_hint(struct err *e, const char *format, ...) PRINTF_LIKE(2, 3);
int err_no_memory(struct err *e);

int err_http_status(enum err_code code);   /* 500 for ERR_NONE */
int err_exit_code(enum err_code code);     /* 0 for ERR_NONE */
int err_sim_exit_code(enum err_code code); /* the same for vivace-sim */
const char *err_name(enum err_code code);  /* "not_found"; stable, for machines */
const char *err_title(enum err_code code);

#endif
