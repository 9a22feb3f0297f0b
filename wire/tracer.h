/* wire/tracer.h: a plan as what each tracer really accepts.
 *
 * Tracers know launches by number, and each numbers differently; a wrong number traces the wrong kernel without a
 * word. So a script begins with the tool's own dry run, has `vivace plan check` compare the tool's list with the
 * profile launch by launch, and only then traces. What each tool takes was read in its own sources and documents:
 * docs/tracing.md says it in a user's words. */
#ifndef VIVACE_WIRE_TRACER_H
#define VIVACE_WIRE_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "sampling/plan.h"
#include "wire/json_writer.h"

struct tracer_job;
struct tracer_tool {
    const char *name;     /* on the command line and in the API */
    const char *title;    /* for people */
    const char *sentence; /* what can go wrong */
    const char *list;     /* which file of the dry run holds its list of launches */
    bool per_process;     /* counts over all contexts of a process; false: in each context */
    bool graphs;          /* sees each kernel that a CUDA graph replays */
    int (*write)(struct tracer_job *job, struct strbuf *out, struct err *e); /* the script behind its common head */
};
extern const struct tracer_tool tracer_tools[]; /* NULL name at the end */
/* NULL: unknown; the hint names all. */
const struct tracer_tool *tracer_find(const char *name, struct err *e);

struct tracer_pick {
    uint64_t order; /* among the launches of its context that the tool counts, from 0 */
    size_t sample;  /* index into the plan's samples */
};
/* What one script is for: one context of the profile. */
struct tracer_job {
    const struct tracer_tool *tool;
    const struct plan *plan;       /* the caller's */
    const struct profile *profile; /* the caller's */
    size_t context;
    uint64_t calls; /* launches of the context that the tool counts */
    size_t pick_count;
    struct tracer_pick *picks; /* by order */
    size_t elsewhere;          /* samples of other contexts: scripts of their own */
    size_t replayed;           /* samples of this context that the tool cannot name: CUDA graphs replay them */
    size_t tied;               /* samples of this context whose place is known by start time only */
    uint64_t offset;           /* launches that the tool counts before the profile's first one */
    unsigned passes_most;      /* for tools that take one range a pass */
    size_t passes;             /* runs of the program that trace; set by tracer_script() */
    uint64_t surplus;          /* launches traced beyond the plan, to save passes; set by tracer_script() */
};
#define TRACER_PASSES_MAX 16
#define TRACER_OFFSET_MAX 1000000000

/* The plan is of this profile: same counts and total, and every sample's name, shape and value. Plans made with
 * more than the profile file knows have another hash, so the hash is not asked. */
int tracer_check_plan(const struct plan *plan, const struct profile *profile, struct err *e) MUST_CHECK;
/* Numbers the plan's samples of one context as the tool does. `tool` NULL: every launch of the profile counts.
 * `offset`: the profile is of a part of the run, which begins after this many launches of the tool's list.
 * Refused: what the tool cannot tell apart, and a context from which nothing can be traced. */
int tracer_job_init(struct tracer_job *job, const struct tracer_tool *tool, const struct plan *plan,
                    const struct profile *profile, size_t context, uint64_t offset, struct err *e) MUST_CHECK;
void tracer_job_release(struct tracer_job *job);

/* A POSIX shell script. The paths stand in it as defaults that the environment overrides. */
struct tracer_paths {
    const char *plan, *profile, *out; /* plan.json, the profile as it was imported, a folder to make */
};
int tracer_script(struct tracer_job *job, const struct tracer_paths *paths, struct strbuf *out,
                  struct err *e) MUST_CHECK;
/* Sentences about this job that a person should read before tracing, one after the other; each ends with '\n'. */
void tracer_notes(const struct tracer_job *job, struct strbuf *out);

/* The script with what is to be known of it, as one JSON object. */
int tracer_job_json(const struct tracer_job *job, const char *script, struct strbuf *out, struct err *e) MUST_CHECK;

/* The plan's samples as a table, by context and launch order; of all contexts where `context` is -1. `offset` is
 * added to the launch orders, as in tracer_job_init(). */
enum tracer_list_format { TRACER_LIST_TEXT, TRACER_LIST_CSV, TRACER_LIST_JSON };
int tracer_list(const struct plan *plan, const struct profile *profile, int64_t context, uint64_t offset,
                enum tracer_list_format format, struct strbuf *out, struct err *e) MUST_CHECK;
/* "contexts": [...] as a member of an object: what there is to trace in each. */
void tracer_contexts_json(struct jw *w, const struct plan *plan, const struct profile *profile);

#endif
