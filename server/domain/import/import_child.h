/* server/domain/import/import_child.h: the process that reads one foreign file. It has limits on memory, time and
 * output, so that a hostile file ends this process and not the server.
 *
 *   vivace-server import-child FILE SCRATCH [NAME]
 *
 * It writes lines on stdout: "@p BYTES ROWS" now and then, at the end "@r REPORT-JSON" when there is a report and,
 * when it failed, "@e CODE", "@t TEXT", "@h HINT". Exit code 0: SCRATCH holds the profile
 * (server/domain/import/profile_file.h). With NAME the file is wanted for the features of its launches, which then
 * need no durations; messages call it so.
 */
#ifndef VIVACE_SERVER_IMPORT_CHILD_H
#define VIVACE_SERVER_IMPORT_CHILD_H

int import_child_main(int argc, char **argv);

#endif
