/* simcore/trace/bundle_list.h: which files of a trace folder are kernels, in which order. Works on names alone, so
 * that folders and tars share it. Internal to the bundle. */
#ifndef VIVACE_SIMCORE_TRACE_BUNDLE_LIST_H
#define VIVACE_SIMCORE_TRACE_BUNDLE_LIST_H

#include "simcore/trace/bundle.h"

enum bundle_name { BUNDLE_OTHER, BUNDLE_KERNEL, BUNDLE_VTRACE, BUNDLE_LIST };
enum bundle_name bundle_classify(const char *name);
enum trace_format bundle_format(const char *name); /* of a BUNDLE_KERNEL */
uint64_t bundle_kernel_id(const char *name);       /* 12 for "x/kernel-12.traceg"; 0: no number */

struct catalog_file {
    char *name; /* "folder/kernel-1.traceg" */
    char *path; /* where to read it */
};
struct catalog_list {
    char *name;     /* "folder/kernelslist.g" */
    char **entries; /* "kernel-1.traceg", in order */
    size_t count, capacity;
    uint64_t memory_copies;     /* lines like MemcpyHtoD */
    struct trace_copies copies; /* of those, the ones that say what they copy; by places in this list */
};
struct catalog {
    struct catalog_file *files;
    size_t file_count, file_capacity;
    struct catalog_file *vtraces; /* looked into only where there are no kernel files: they may be made of them */
    size_t vtrace_count, vtrace_capacity;
    struct catalog_list *lists;
    size_t list_count, list_capacity;
    bool skip_missing; /* kernels of a list that are not there are left out */
};

int catalog_add_file(struct catalog *c, const char *name, const char *path, struct err *e);
int catalog_add_vtrace(struct catalog *c, const char *name, const char *path, struct err *e);
/* Reads a kernel list, whose stream the caller closes. */
int catalog_add_list(struct catalog *c, const char *name, struct stream *s, struct err *e);
/* The kernels in launch order; `what` is for messages. *out is released by bundle_close(), also on failure. */
int catalog_resolve(struct catalog *c, const char *what, struct bundle *out, struct err *e);
/* For those who resolve .vtrace files: by text, numbers by value; what messages call a file of the catalog. */
int catalog_compare_names(const char *a, const char *b);
char *catalog_shown(const struct catalog_file *f, const char *what, bool unpacked, struct err *e);
/* bundle_vtrace.c: the launches of the catalog's .vtrace files. */
int catalog_resolve_vtraces(struct catalog *c, const char *what, struct bundle *out, struct err *e);
void catalog_release(struct catalog *c);

#endif
