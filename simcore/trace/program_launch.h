/* simcore/trace/program_launch.h: one launch of a program as a simulation input. The file is a few lines of text
 * with the SHA-256 hash of the program (a packed launch list with its modules and data:
 * docs/formats/program-launch.md) and the number of the launch. It stores no instructions: the simulator executes
 * the program up to this launch.
 *
 *
 * It replaces a trace: a result's key includes its SHA-256 and the program's bytes. */
#ifndef VIVACE_SIMCORE_TRACE_PROGRAM_LAUNCH_H
#define VIVACE_SIMCORE_TRACE_PROGRAM_LAUNCH_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "simcore/trace/accel_sim.h"

struct program_launch {
    char program[SHA256_HEX]; /* of the packed program */
    uint64_t program_bytes;   /* length of the program, at least 1 */
    uint64_t number;          /* among the program's launches, from 0 */
    /* name, id (number + 1), grid, block; the other members are known when the program runs */
    struct kernel_info info;
    struct trace_counts counts; /* as counted by the writer of the file */
};

/* 1: the text begins like such a file, of any version. */
int program_launch_recognise(const char *text, size_t n);
/* ERR_UNSUPPORTED: another version; ERR_INVALID with the line: anything else. Released by program_launch_release().
 */
int program_launch_read(struct stream *s, struct program_launch *out, struct err *e);
int program_launch_read_path(const char *path, struct program_launch *out, struct err *e);
void program_launch_release(struct program_launch *l);
/* Compares the executed launch with the facts in the file. ERR_INVALID with both if they differ. */
int program_launch_compare(const struct program_launch *l, const struct kernel_info *is, struct err *e);
/* The same launch always gives the same bytes. */
int program_launch_write(const struct program_launch *l, struct strbuf *out, struct err *e);

#endif
