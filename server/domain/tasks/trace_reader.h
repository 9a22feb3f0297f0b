/* server/domain/tasks/trace_reader.h: reads header and counts of an uploaded trace in another process
 * (server/domain/tasks/trace_child.h). */
#ifndef VIVACE_SERVER_TRACE_READER_H
#define VIVACE_SERVER_TRACE_READER_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_trace.h"

/* Sets all members of *row but sha256. *name is malloc'ed, and row->name points to it. -1: the error of the other
 * process; a crash or a forbidden system call there is ERR_INVALID. ERR_BUSY: the server is stopping. */
int trace_reader_run(struct farm *farm, const char *path, struct trace_row *row, char **name,
                     struct err *e) MUST_CHECK;

#endif
