/* server/domain/tasks/trace_child.h: the process that reads the header and the counts of one uploaded trace, in the
 * sandbox of server/domain/import/import_child.h: a damaged or hostile file can end only this process.
 *
 *   vivace-server trace-child FILE
 *
 * It writes the lines of import_child.h; the report is {"name","grid","block","warp_instructions","ctas","warps",
 * "program"}: program is the SHA-256 of the program that the launch needs, or "". */
#ifndef VIVACE_SERVER_TRACE_CHILD_H
#define VIVACE_SERVER_TRACE_CHILD_H

#define TRACE_CHILD "trace-child"

int trace_child_main(int argc, char **argv);

#endif
