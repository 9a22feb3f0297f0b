/* server/domain/tasks/pack_child.h: the process that reads a profile's trace file, in the sandbox of
 * server/domain/import/import_child.h: a damaged or hostile file can end only this process.
 *
 *   vivace-server pack-child table FILE NAME TABLE            writes server/domain/tasks/pack_table.h
 *   vivace-server pack-child cut FILE NAME FOLDER LAUNCH...   writes each launch into FOLDER/0, FOLDER/1, ...
 *   vivace-server pack-child join FILE NAME FOLDER LAUNCH...  writes the launches into FOLDER/0
 *
 * NAME is the name of the file in messages. A LAUNCH is an index in the file. It writes the lines of
 * import_child.h: the second number of "@p" is the number of files that are complete. */
#ifndef VIVACE_SERVER_PACK_CHILD_H
#define VIVACE_SERVER_PACK_CHILD_H

#define PACK_CHILD "pack-child"

int pack_child_main(int argc, char **argv);

#endif
