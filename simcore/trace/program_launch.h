/* simcore/trace/program_launch.h: one launch of a program as an input of its own: a few lines of text that name the
 * program (a launch list with its modules and data, packed: docs/formats/program-launch.md) by its hash, and the
 * launch by its number. No instruction is stored: the simulating program runs the program up to there.
 *
 * Takes the place of a trace: its own SHA-256 is part of a result's key, and so are the program's bytes. */
#ifndef VIVACE_SIMCORE_TRACE_PROGRAM_LAUNCH_H
#define VIVACE_SIMCORE_TRACE_PROGRAM_LAUNCH_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "simcore/trace/accel_sim.h"

struct program_launch {
    char program[SHA256_HEX];   /* of the packed program */
    uint64_t program_bytes;     /* its length, at least 1 */
    uint64_t number;            /* among the program's launches, from 0 */
    struct kernel_info info;    /* name, id (number + 1), grid, block; the rest is known when it runs */
    struct trace_counts counts; /* as the writer has counted them */
};

/* 1: the text begins as such a file does, of any version. */
int program_launch_recognise(const char *text, size_t n);
/* ERR_UNSUPPORTED: another version; ERR_INVALID with the line: anything else. Released by program_launch_release().
 */
int program_launch_read(struct stream *s, struct program_launch *out, struct err *e);
int program_launch_read_path(const char *path, struct program_launch *out, struct err *e);
void program_launch_release(struct program_launch *l);
/* Whether what the program runs there is what the lines say: ERR_INVALID with both. */
int program_launch_compare(const struct program_launch *l, const struct kernel_info *is, struct err *e);
/* The same launch gives the same bytes. */
int program_launch_write(const struct program_launch *l, struct strbuf *out, struct err *e);

#endif
