/* wire/tracer.h: converts a plan into a script for each tracer.
 *
 * Tracers identify launches by number, and each counts differently. A wrong number traces the wrong kernel
 * without an error. So a script first makes the tool's own dry run. Then `vivace plan check` compares the tool's
 * list with the profile, launch by launch. Only then does the script trace. The input formats come from the
 * tools' sources and documentation; docs/tracing.md describes them for users. */
#ifndef VIVACE_WIRE_TRACER_H
#define VIVACE_WIRE_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "sampling/plan/plan.h"
#include "wire/json_writer.h"

struct tracer_job;
struct tracer_tool {
    const char *name;     /* in the command line and the API */
    const char *title;    /* for users */
    const char *sentence; /* known problems */
    const char *list;     /* the dry run's file with the list of launches */
    bool per_process;     /* counts across all contexts of a process; false: per context */
    bool graphs;          /* counts each kernel that a CUDA graph replays */
    int (*write)(struct tracer_job *job, struct strbuf *out, struct err *e); /* the script without its head */
};
extern const struct tracer_tool tracer_tools[]; /* ends with name NULL */
/* NULL: unknown name; the hint lists all names */
const struct tracer_tool *tracer_find(const char *name, struct err *e);

struct tracer_pick {
    uint64_t order; /* index among the launches of its context that the tool counts */
    size_t sample;  /* index into the plan's samples */
};
/* The content of one script: one context of the profile. */
struct tracer_job {
    const struct tracer_tool *tool;
    const struct plan *plan;       /* borrowed */
    const struct profile *profile; /* borrowed */
    size_t context;
    uint64_t calls; /* number of launches of the context that the tool counts */
    size_t pick_count;
    struct tracer_pick *picks; /* sorted by order */
    size_t elsewhere;          /* samples in other contexts, which have their own scripts */
    size_t replayed;           /* samples of this context that the tool cannot select: CUDA graphs replay them */
    size_t tied;               /* samples of this context whose order is known only from start times */
    bool only_missing;         /* the plan was reduced to launches without a trace; its file has all */
    uint64_t offset;           /* launches that the tool counts before the first launch of the profile */
    unsigned passes_max;       /* limit on `passes`, for tools that trace one range per pass */
    size_t passes;             /* runs of the program with tracing; set by tracer_script() */
    uint64_t surplus;          /* launches traced beyond the plan, to save passes; set by tracer_script() */
};
#define TRACER_PASSES_MAX 16
#define TRACER_OFFSET_MAX 1000000000

/* Checks that the plan belongs to this profile: same counts and total, and the name, shape and value of every
 * sample. The hash is not compared, because plans made with data beyond the profile file have another hash. */
int tracer_check_plan(const struct plan *plan, const struct profile *profile, struct err *e) MUST_CHECK;
/* Finds the tool's number for each of the plan's samples in one context. `tool` NULL: every launch of the profile
 * counts. `offset`: number of launches in the tool's list before the first launch of the profile. Fails if the
 * tool cannot distinguish launches, or if no sample of the context can be traced. */
int tracer_job_init(struct tracer_job *job, const struct tracer_tool *tool, const struct plan *plan,
                    const struct profile *profile, size_t context, uint64_t offset, struct err *e) MUST_CHECK;
void tracer_job_release(struct tracer_job *job);

/* A POSIX shell script. The paths are defaults, which environment variables override. */
struct tracer_paths {
    const char *plan, *profile, *out; /* plan.json; the profile as imported; the folder to create */
};
int tracer_script(struct tracer_job *job, const struct tracer_paths *paths, struct strbuf *out,
                  struct err *e) MUST_CHECK;
/* Appends sentences about this job for users to read before tracing. Each ends with '
 * '. */
void tracer_notes(const struct tracer_job *job, struct strbuf *out);

/* Appends the script and the facts about it as one JSON object. */
int tracer_job_json(const struct tracer_job *job, const char *script, struct strbuf *out, struct err *e) MUST_CHECK;

/* Appends the plan's samples as a table, by context and launch order. context -1: all contexts. `offset` is added
 * to the launch orders, as in tracer_job_init(). */
enum tracer_list_format { TRACER_LIST_TEXT, TRACER_LIST_CSV, TRACER_LIST_JSON };
int tracer_list(const struct plan *plan, const struct profile *profile, int64_t context, uint64_t offset,
                enum tracer_list_format format, struct strbuf *out, struct err *e) MUST_CHECK;
/* Writes the member "contexts": [...] of an object: the samples to trace in each context. */
void tracer_contexts_json(struct jw *w, const struct plan *plan, const struct profile *profile);

#endif
