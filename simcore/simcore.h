/* simcore/simcore.h: the public face of the simulator: one kernel launch on one GPU design -> counters.
 *
 * Deterministic: the same trace, design and version give the same counters on every machine. Time inside is in
 * whole picoseconds. One simulation is one thread and touches no global state. */
#ifndef VIVACE_SIMCORE_SIMCORE_H
#define VIVACE_SIMCORE_SIMCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "simcore/trace/inst_source.h"
#include "base/version.h"

/* --- GPU designs: JSON files, every number with unit and source; what a file leaves out is the default of the
 * GPU's generation (docs/formats/design.md) --- */
struct gpu_design; /* opaque here; simcore/design.h */
/* `name` is a built-in design ("v100"), or a path when it holds a '/' or ends in .json. Behind it ":fast",
 * ":default" or ":detailed" sets how finely it is simulated (the group "model" of the file). */
int design_load(const char *name, struct gpu_design **out, struct err *e);
int design_parse(const char *json, size_t n, const char *label, struct gpu_design **out, struct err *e);
/* The same for a file, whatever its name, but all its faults: `fault` is called for each (*e and its text last only
 * as long as the call). 0 with *out when there is none; else -1 with *e, the last one. A file that cannot be read
 * has no faults: -1 alone. */
typedef void design_fault_fn(void *ctx, const struct err *e);
int design_check_file(const char *path, design_fault_fn *fault, void *ctx, struct gpu_design **out, struct err *e);
void design_free(struct gpu_design *d);

/* Every parameter of a design, in the order of the file, with its neighbours there. */
struct design_fact {
    char name[48];                             /* "sm.warps", "units.fp32.rate" */
    const char *unit, *meaning;                /* static text */
    char *value;                               /* JSON: 80, 0.23, [0, 8, 16], "cggty" */
    const char *source, *source_text, *reason; /* key, what it is, why this value (or NULL) */
};
struct design_facts {
    size_t count;
    struct design_fact *items;
    const char *title;
    void *document; /* holds the texts */
};
int design_facts_make(const struct gpu_design *d, struct design_facts *out, struct err *e);
const struct design_fact *design_facts_find(const struct design_facts *facts, const char *name); /* or NULL */
void design_facts_release(struct design_facts *facts);

/* A design made of another: the text of its file, which the caller frees. It says in its title and beside each
 * number what was changed; profiles know no such GPU. ERR_INVALID, with the parameter's name, where the result is
 * no right design. */
struct design_change {
    const char *name, *value; /* value: JSON, a bare word, or "x0.5" for half of what it was */
};
int design_derive(const struct gpu_design *base, const char *name, const struct design_change *changes, size_t n,
                  char **text, struct err *e);

/* The text of a file that states every parameter: the same design, whatever defaults become. The caller frees; NULL
 * on error. */
char *design_file_text(const struct gpu_design *d, struct err *e);
const char *design_name(const struct gpu_design *d);
const char *design_sha256(const struct gpu_design *d); /* of its canonical JSON text */
double design_clock_hz(const struct gpu_design *d);    /* of the SMs */
double design_seconds(const struct gpu_design *d, uint64_t cycles);
const char *
design_gpu_names(const struct gpu_design *d);  /* names under which profiles know this GPU, '|' between */
const char *const *design_builtin_names(void); /* NULL at the end */
const char *design_builtin_json(const char *name, size_t *n); /* NULL: no such */

/* Code of one GPU runs on those of the same major compute capability and of no lower minor one (CUDA programming
 * guide, "binary compatibility"). 1 with one sentence where the design has another one than the launch's code; 0
 * where it fits, or the trace does not state any. */
struct kernel_info;
#define FOREIGN_TEXT_BYTES 256
int design_is_foreign(const struct gpu_design *d, const struct kernel_info *k, char text[FOREIGN_TEXT_BYTES]);

/* --- One simulation --- */
enum sim_end {
    SIM_DONE,
    SIM_STALLED, /* nothing can ever happen again; `report` says who waits for what */
    SIM_CYCLE_LIMIT,
    SIM_TIME_LIMIT /* of the host's clock: where it stopped differs from run to run */
};
/* What a launch finds in L2. L1 is always empty when a launch begins. */
enum sim_caches {
    SIM_CACHES_WARM,    /* what its warm image says (trace/warm_image.h); nothing where it has none */
    SIM_CACHES_FLUSHED, /* nothing */
    SIM_CACHES_KEPT,    /* what the launches before it left, changed lines and open DRAM rows included */
    SIM_CACHES_REPLAYED /* what launches before it leave that are replayed without time (simcore/replay.h) */
};
extern const char *const sim_caches_names[]; /* "warm", "flushed", "kept", "replayed", NULL */
/* One of these or "replayed:3": 0 with how many launches are replayed (0: all before it); else -1. */
int sim_caches_parse(const char *text, enum sim_caches *out, uint64_t *launches);
/* What ran on the GPU before a launch. */
struct sim_work;
struct sim_before {
    const struct sim_work *work; /* kernels and copies, oldest first */
    size_t count;
    int (*open)(void *ctx, size_t index, struct inst_source **out, struct err *e); /* a kernel; it is released */
    void *ctx;
};
struct sim_warp {
    uint64_t cta;
    uint32_t warp;
};
/* Stopping inside a kernel once it runs steadily, and projecting the rest (simcore/observe/projection.h). */
enum sim_projection {
    PROJECT_NONE,
    PROJECT_PKP,      /* as published */
    PROJECT_PKP_CODE, /* as its authors' code has it */
    PROJECT_STABLE    /* ours (observe/stable.h): only where the rest is known; with an interval */
};
struct sim_projected {
    enum sim_projection
        method;               /* PROJECT_NONE: this is a whole simulation; why_not says why, where one was asked */
    const char *why_not;      /* static text */
    uint64_t at_cycle;        /* stopped here */
    uint64_t ctas_done, ctas; /* of the launch: over by then, and in all */
    uint64_t steady_cycles;   /* had CTAs gone on ending at the window's rate to the last; 0: no rate */
    uint64_t low_cycles, high_cycles; /* stable: holds in 95 % of kernels (docs/design/stopping-in-kernels.md) */
    double spread;                    /* of the instructions a cycle in the window: standard deviation over mean */
};
extern const char *const sim_projection_names[]; /* "none", "pkp", "pkp-code", "stable", NULL */
int sim_projection_parse(const char *text, enum sim_projection *out); /* -1: no such */
/* One of these, or "stable:5%": *limit is then the largest half-width of its interval, as a share; else 0. */
int sim_projection_read(const char *text, enum sim_projection *out, double *limit);
#define SIM_PROJECTION_LIMIT_MIN 0.01 /* of such a half-width */
#define SIM_PROJECTION_LIMIT_MAX 0.08
/* Standard error of the cycles: what of the interval is farther away, over 1.96. 0: not projected by `stable`. */
double sim_projected_error(const struct sim_projected *p, uint64_t cycles);
/* The whole state of one launch in a file, from which another run goes on to the same end, bit for bit
 * (docs/simulator.md). Launches alone only, with flushed caches, not in event mode, and not while they are
 * recorded, explained or projected. */
struct sim_checkpoint {
    const char *path;         /* written at at_cycle (when the first CTA can start, if that is later), whole or not
                                 at all; NULL: none */
    uint64_t at_cycle, every; /* every: and at this distance in cycles from then on, over the one before; 0: once */
    const char *resume;       /* goes on from here; NULL: from the start */
    const char *trace_sha256; /* a checkpoint of another trace, design or version is refused */
};
struct sim_options {
    bool native_only;       /* ERR_INVALID for instructions that the design's GPU does not have */
    uint64_t limit_cycles;  /* 0: none */
    uint64_t limit_host_us; /* of the host's time; 0: none */
    enum sim_caches caches;
    /* Replayed: the number of kernels before it, and the copies among them; 0: all that there are. In a list
     * of items those before it in the list, whatever their stream, each time that the GPU had nothing to do; of a
     * launch alone those of `before`. */
    uint64_t replay_launches;
    const struct sim_before *before;
    /* Opens the launch once more; NULL: it cannot be opened twice. A launch alone whose warm image is asked for and
     * missing is then simulated a second time, for the bound (result.cycles_warm_bound): limits hold for each of
     * the two. Not while it is explained, projected or has checkpoints. PROJECT_STABLE opens a launch that has no
     * inst_source.survey, to count what its CTAs do. */
    int (*reopen)(void *ctx, struct inst_source **out, struct err *e);
    void *reopen_ctx;
    /* Called every few million simulated instructions; may be NULL. Non-zero stops (ERR_SIMULATION). */
    int (*progress)(void *ctx, uint64_t cycles, uint64_t warp_instructions);
    void *progress_ctx;
    /* One warp to explain, by the CTA's place in the trace and its own in the CTA; NULL: none. */
    const struct sim_warp *explain;
    enum sim_projection projection;
    double projection_limit; /* stable: largest half-width of the interval, a share of the cycles; 0: 0.08 */
    /* A launch whose warm image is missing is simulated whole and has its bound: an interval for one state of the
     * caches says nothing of the other. */
    bool projection_warm_only;
    const struct sim_checkpoint *checkpoint; /* NULL: none is written or read */
    /* 0: no recording; else result.recording, with rows of this number of cycles. SIM_RECORD_AUTO: the number that
     * gives some thousand rows at most, whatever the length. */
    uint32_t record_interval_cycles;
};
#define SIM_RECORD_AUTO UINT32_MAX
struct explanation; /* simcore/observe/explanation.h */
struct recording;   /* simcore/record/recording.h */
struct sim_counter {
    const char *name, *unit, *sentence; /* static text */
    uint64_t value;
};
struct sim_result {
    enum sim_end end;
    uint64_t cycles;        /* SM clock, launch costs included */
    uint64_t launch_cycles; /* of those, before the first CTA could start */
    uint64_t warp_instructions;
    size_t counter_count;
    struct sim_counter *counters;
    struct recording *recording;     /* what happened when; NULL unless asked for */
    struct sim_projected projected;  /* cycles and counters are a projection where its method says so */
    struct explanation *explanation; /* of options.explain, or NULL: explanation_text() */
    uint64_t checkpoints;            /* written */
    bool warm;                       /* it found what its image says */
    uint64_t cycles_warm_bound; /* of a launch that began with empty caches: cycles right after the same launch,
                                   with all that it leaves in L2, the TLBs and the rows of DRAM; 0: not known */
    uint64_t replayed;          /* launches before it */
    char *report;               /* one or more lines for people when end != SIM_DONE, else NULL */
};
/* Consumes the source (the caller still releases it). 0 also when the simulation stalled: look at out->end. */
int simulate(const struct gpu_design *d, struct inst_source *source, const struct sim_options *o,
             struct sim_result *out, struct err *e);
void sim_result_release(struct sim_result *r);

/* Many launches on one design, without setting the GPU up anew for each. The design must outlive the simulator. */
struct simulator; /* opaque */
struct simulator *simulator_new(const struct gpu_design *d, struct err *e);
void simulator_free(struct simulator *s);
int simulator_run(struct simulator *s, struct inst_source *source, const struct sim_options *o,
                  struct sim_result *out, struct err *e);
/* --- Several launches, copies and streams on one GPU --- */
enum sim_work_kind {
    SIM_KERNEL,
    SIM_COPY_TO_DEVICE, /* from host memory over PCIe */
    SIM_COPY_TO_HOST,
    SIM_COPY_DEVICE,    /* inside the GPU's own memory */
    SIM_COPY_FROM_PEER, /* from another GPU, over NVLink where there is one; its memory is taken to keep up */
    SIM_MEMSET,
    SIM_GAP /* the stream waits for the host */
};
enum { SIM_WORK_KINDS = SIM_GAP + 1 };
extern const char *const sim_work_names[SIM_WORK_KINDS];
struct sim_work {
    enum sim_work_kind kind;
    uint64_t stream;  /* items of a stream follow one another; streams run side by side */
    uint64_t bytes;   /* of a copy or memset */
    uint64_t address; /* where in the GPU's memory; a device copy writes here and reads right behind */
    uint64_t gap_ps;
};
/* One item that is over. */
struct sim_span {
    size_t index;                   /* in the list */
    uint64_t begin_ps, end_ps;      /* begin: its stream was ready and the host had submitted it */
    const struct kernel_info *info; /* kernels: valid during the call */
    struct sim_result *result; /* kernels: cycles are its own, from begin to end. Counters of what it did itself;
                                  issue slots are each in one launch's account. Released after the call unless
                                  the callee takes it and clears this one. */
};
struct sim_stream_options {
    struct sim_options base; /* limits hold for the whole list */
    bool serial;             /* one after the other, as if all were of one stream */
    bool graph;              /* submitted as a whole: the host's time for each item does not count */
    bool keep_sources;       /* the caller releases what it opened */
    /* Opens kernel `index` when it is about to place its first CTA; released when it is over. */
    int (*open)(void *ctx, size_t index, struct inst_source **out, struct err *e);
    int (*done)(void *ctx, const struct sim_span *span, struct err *e); /* in the order of their ends */
    void *ctx;
};
struct sim_timeline {
    enum sim_end end;
    char *report; /* as in sim_result */
    uint64_t kernels, cycles, warp_instructions;
    uint64_t ps;                      /* from the start to the last end: the makespan */
    uint64_t item_ps[SIM_WORK_KINDS]; /* the sum of the items' own times */
    uint64_t items[SIM_WORK_KINDS], bytes[SIM_WORK_KINDS];
    uint64_t checkpoints;                  /* written */
    uint64_t slots_total, slots_no_launch; /* issue slots of the whole; of those, while no launch was there: the
                                              rest is the sum over launches */
};
/* Runs the list on an idle GPU. 0 also when it stalled or reached a limit: look at out->end; then `done` has not
 * been called for all. */
int simulator_run_streams(struct simulator *s, const struct sim_work *work, size_t n,
                          const struct sim_stream_options *o, struct sim_timeline *out, struct err *e);
void sim_timeline_release(struct sim_timeline *t);

/* Does a CTA of this launch fit into an SM at all? ERR_INVALID with the limit's name where not. */
int design_fits(const struct gpu_design *d, const struct kernel_info *k, struct err *e);
/* How many of its CTAs the whole GPU holds at once: one wave. 0 where not even one fits. */
uint64_t design_wave_ctas(const struct gpu_design *d, const struct kernel_info *k);
/* Lines of 128 bytes that its L2 holds. */
uint64_t design_l2_lines(const struct gpu_design *d);

/* The result as a JSON document ("vivace-result"), whose digest covers kernel, cycles and all counters, but not
 * host_seconds. The caller frees; NULL on error. */
char *sim_result_json(const struct gpu_design *d, const struct kernel_info *k, const char *trace_sha256,
                      const struct sim_result *r, double host_seconds, struct err *e);
/* What a warp waited for, in lines for people or as JSON. The caller frees; NULL on error. */
char *explanation_text(const struct explanation *x, bool json, struct err *e);
/* Every counter with unit and sentence, values 0. The caller frees. */
struct sim_counter *sim_counters_describe(size_t *n, struct err *e);

#endif
