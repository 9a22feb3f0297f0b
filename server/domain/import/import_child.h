/* server/domain/import/import_child.h: the process that reads one untrusted file. It has limits on memory, time
 * and output, so a hostile file can end only this process, not the server.
 *
 *   vivace-server import-child FILE SCRATCH [NAME]
 *
 * It writes lines to stdout: "@p BYTES ROWS" repeatedly; at the end "@r REPORT-JSON" if there is a report; after
 * a failure "@e CODE", "@t TEXT", "@h HINT". Exit code 0: SCRATCH has the profile
 * (server/domain/import/profile_file.h). With NAME the file is read for the features of its launches: they need
 * no durations, and messages use NAME as the file's name. */
#ifndef VIVACE_SERVER_IMPORT_CHILD_H
#define VIVACE_SERVER_IMPORT_CHILD_H

#include "base/err.h"

int import_child_main(int argc, char **argv);

/* For other processes that read foreign files (server/domain/tasks/trace_child.h). Restricts file access to reading
 * `file` and, unless NULL, writing `scratch`, a file or a folder. The parent process limits memory, time and
 * output. */
int import_child_confine(const char *file, const char *scratch, struct err *e);
/* Writes the error's lines. */
void import_child_fail(struct err *e);

#endif
