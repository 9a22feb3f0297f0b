/* server/api/handlers/profiles.h: functions that the handlers of a profile share. */
#ifndef VIVACE_SERVER_HANDLERS_PROFILES_H
#define VIVACE_SERVER_HANDLERS_PROFILES_H

#include "server/api/app.h"
#include "server/api/http/http.h"

/* ERR_NOT_FOUND unless the team has the profile in the request path. */
int need_profile(struct db *db, const struct request *req, struct err *e) MUST_CHECK;
/* Reads ?kernel: the kernel's number, or UINT64_MAX for all (absent, or "all"). */
int read_kernel(const struct request *req, uint64_t *kernel, struct err *e) MUST_CHECK;
/* ERR_NOT_FOUND for a kernel that the profile does not have. */
int need_kernel(uint64_t kernel, size_t kernel_count, struct err *e) MUST_CHECK;

#endif
