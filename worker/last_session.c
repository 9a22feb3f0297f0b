#include "worker/last_session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/whole_file.h"
#include "worker/spool.h"

static const char *path_of(const char *state, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/session", state);
    return path;
}

void last_session_read(const char *state, char id[WIRE_ID])
{
    char path[PATH_MAX], *text = NULL;
    struct err e;
    size_t n;

    id[0] = '\0';
    if (access(path_of(state, path), R_OK) != 0 || whole_file_read(path, WIRE_ID - 1, &text, &n, &e) < 0)
        return;
    if (spool_id_safe(text))
        snprintf(id, WIRE_ID, "%s", text);
    free(text);
}

/* Errors are ignored: without the file, the only loss is that the old session's jobs are requeued a minute later
 * after a restart. */
void last_session_keep(const char *state, const char *id)
{
    char path[PATH_MAX];
    struct err e;

    if (whole_file_write(path_of(state, path), id, strlen(id), &e) < 0)
        log_warn("worker", "the session could not be written to the state folder", "path=%s error=%s", path,
                 log_quote(e.text, (char[300]){0}, 300));
}

void last_session_forget(const char *state)
{
    char path[PATH_MAX];

    unlink(path_of(state, path));
}
