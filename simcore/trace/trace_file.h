/* simcore/trace/trace_file.h: one kernel launch on disk, in any of the formats that are read. */
#ifndef VIVACE_SIMCORE_TRACE_TRACE_FILE_H
#define VIVACE_SIMCORE_TRACE_TRACE_FILE_H

#include "simcore/trace/accel_sim.h"

enum trace_format {
    TRACE_ACCEL_SIM, /* a kernel file, grouped or raw: docs/formats/accel-sim.md */
    TRACE_MACSIM,    /* a folder with a file a warp, named by its trace.txt: docs/formats/macsim.md */
    TRACE_VTRACE,    /* a launch of a .vtrace file: docs/formats/vtrace.md */
    TRACE_PROGRAM    /* no instructions, but which launch of which program makes them: program_launch.h */
};
struct trace_place {
    enum trace_format format;
    const char *path;    /* on disk */
    const char *shown;   /* what messages call it */
    struct vtrace *file; /* TRACE_VTRACE: where it is open already, or NULL */
    size_t launch;       /* TRACE_VTRACE: which of the file */
};
/* By the content; a file of no known format is taken for one of Accel-Sim, whose reader says what is wrong. */
int trace_file_recognise(const char *path, enum trace_format *out, struct err *e);
/* TRACE_PROGRAM: ERR_UNSUPPORTED, as it takes the program, too. */
int trace_file_open(const struct trace_place *p, struct inst_source **out, struct err *e);
/* Its header alone; *info is released by kernel_info_release(). */
int trace_file_info(const struct trace_place *p, struct kernel_info *info, struct err *e);
/* 0 where a .vtrace holds one launch; ERR_INVALID where several: a path does not say which. */
int trace_file_only_launch(const char *path, struct err *e);
/* Opens the path alone. */
int trace_file_open_path(const char *path, struct inst_source **out, struct err *e);
/* Header and counts, without decoding what needs no decoding; *bytes: what is read from the disk for it. */
int trace_file_count(const struct trace_place *p, struct kernel_info *info, struct trace_counts *out,
                     uint64_t *bytes, struct err *e);

#endif
