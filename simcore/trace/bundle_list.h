/* simcore/trace/bundle_list.h: finds the kernel files of a trace folder and their order. It uses only names, so
 * folders and tars share it. Internal to the bundle. */
#ifndef VIVACE_SIMCORE_TRACE_BUNDLE_LIST_H
#define VIVACE_SIMCORE_TRACE_BUNDLE_LIST_H

#include "simcore/trace/bundle.h"

enum bundle_name { BUNDLE_OTHER, BUNDLE_KERNEL, BUNDLE_VTRACE, BUNDLE_LIST };
enum bundle_name bundle_classify(const char *name);
enum trace_format bundle_format(const char *name); /* for a BUNDLE_KERNEL */
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
    struct trace_copies copies; /* the copies that state their address and size, with positions in this list */
};
struct catalog {
    struct catalog_file *files;
    size_t file_count, file_capacity;
    /* used only if there are no kernel files, because they may have been converted from those */
    struct catalog_file *vtraces;
    size_t vtrace_count, vtrace_capacity;
    struct catalog_list *lists;
    size_t list_count, list_capacity;
    bool skip_missing; /* kernels of a list that do not exist are left out */
};

int catalog_add_file(struct catalog *c, const char *name, const char *path, struct err *e);
int catalog_add_vtrace(struct catalog *c, const char *name, const char *path, struct err *e);
/* Reads a kernel list; the caller closes the stream. */
int catalog_add_list(struct catalog *c, const char *name, struct stream *s, struct err *e);
/* Writes the kernels in launch order; `what` is for messages. *out is released by bundle_close(), also on failure.
 */
int catalog_resolve(struct catalog *c, const char *what, struct bundle *out, struct err *e);
/* For bundle_vtrace.c: compares names as text, with numbers by value; and the name of a file for messages. */
int catalog_compare_names(const char *a, const char *b);
char *catalog_shown(const struct catalog_file *f, const char *what, bool unpacked, struct err *e);
/* In bundle_vtrace.c: resolves the launches of the catalog's .vtrace files. */
int catalog_resolve_vtraces(struct catalog *c, const char *what, struct bundle *out, struct err *e);
void catalog_release(struct catalog *c);

#endif
