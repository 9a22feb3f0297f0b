/* simcore/trace/trace_file.h: one kernel launch on disk, in any supported format. */
#ifndef VIVACE_SIMCORE_TRACE_TRACE_FILE_H
#define VIVACE_SIMCORE_TRACE_TRACE_FILE_H

#include "simcore/trace/accel_sim.h"

enum trace_format {
    TRACE_ACCEL_SIM, /* a kernel file, grouped or raw: docs/formats/accel-sim.md */
    TRACE_MACSIM,    /* a folder with one file per warp, identified by its trace.txt: docs/formats/macsim.md */
    TRACE_VTRACE,    /* a launch of a .vtrace file: docs/formats/vtrace.md */
    TRACE_PROGRAM    /* no instructions, only the hash of a program and the number of a launch: program_launch.h */
};
struct trace_place {
    enum trace_format format;
    const char *path;    /* on disk */
    const char *shown;   /* the name in messages */
    struct vtrace *file; /* TRACE_VTRACE: the file if it is open already, or NULL */
    size_t launch;       /* TRACE_VTRACE: index of the launch in the file */
};
/* Recognises the format by the content. An unknown format counts as Accel-Sim, whose reader reports the error. */
int trace_file_recognise(const char *path, enum trace_format *out, struct err *e);
/* TRACE_PROGRAM: ERR_UNSUPPORTED, because its program is needed, too. */
int trace_file_open(const struct trace_place *p, struct inst_source **out, struct err *e);
/* Reads only the header; *info is released by kernel_info_release(). */
int trace_file_info(const struct trace_place *p, struct kernel_info *info, struct err *e);
/* 0: the .vtrace holds one launch. ERR_INVALID: it holds several, so a path alone is ambiguous. */
int trace_file_only_launch(const char *path, struct err *e);
/* Opens the launch at the path. */
int trace_file_open_path(const char *path, struct inst_source **out, struct err *e);
/* Reads header and counts, and decodes no more than needed; *bytes: bytes read from the disk. */
int trace_file_count(const struct trace_place *p, struct kernel_info *info, struct trace_counts *out,
                     uint64_t *bytes, struct err *e);

#endif
