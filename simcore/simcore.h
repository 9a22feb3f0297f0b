/* simcore/simcore.h: the public interface of the simulator: simulates kernel launches on a GPU design and returns
 * counters.
 *
 * Deterministic: the same trace, design and version give the same counters on every machine. Simulated time is in
 * whole picoseconds. A simulation uses one thread and no global state. */
#ifndef VIVACE_SIMCORE_SIMCORE_H
#define VIVACE_SIMCORE_SIMCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "simcore/trace/inst_source.h"
#include "base/version.h"

/* --- GPU designs: JSON files in which every number has a unit and a source. Values that a file omits are the
 * defaults of the GPU's generation (docs/formats/design.md) --- */
struct gpu_design; /* opaque here; simcore/design.h */
/* `name` is a built-in design ("v100"), or a path if it contains a '/' or ends in .json. A suffix ":fast",
 * ":default" or ":detailed" sets the level of detail (the group "model" of the file). */
int design_load(const char *name, struct gpu_design **out, struct err *e);
int design_parse(const char *json, size_t n, const char *label, struct gpu_design **out, struct err *e);
/* Loads a file, whatever its name, and reports all its faults: `fault` is called for each (*e and its text are
 * valid only during the call). 0 with *out if there is none; else -1 with *e, the last fault. If the file cannot be
 * read, returns -1 without a call. */
typedef void design_fault_fn(void *ctx, const struct err *e);
int design_check_file(const char *path, design_fault_fn *fault, void *ctx, struct gpu_design **out, struct err *e);
void design_free(struct gpu_design *d);

/* A parameter of a design. Parameters are listed in the order of the file. */
struct design_fact {
    char name[48];              /* "sm.warps", "units.fp32.rate" */
    const char *unit, *meaning; /* static text */
    char *value;                /* JSON: 80, 0.23, [0, 8, 16], "cggty" */
    /* source: key; source_text: its text; reason: why this value (or NULL) */
    const char *source, *source_text, *reason;
};
struct design_facts {
    size_t count;
    struct design_fact *items;
    const char *title;
    void *document; /* owns the texts */
};
int design_facts_make(const struct gpu_design *d, struct design_facts *out, struct err *e);
const struct design_fact *design_facts_find(const struct design_facts *facts, const char *name); /* or NULL */
void design_facts_release(struct design_facts *facts);

/* Derives a design: returns the text of its file, which the caller frees. The title and each changed number state
 * the change. The list of GPU names is empty. ERR_INVALID, with the parameter's name, if the result is not a valid
 * design. */
struct design_change {
    const char *name, *value; /* value: JSON, a bare word, or "x0.5" for half of the old value */
};
int design_derive(const struct gpu_design *base, const char *name, const struct design_change *changes, size_t n,
                  char **text, struct err *e);

/* The text of a file that states every parameter, so that later changes of defaults do not change the design. The
 * caller frees it; NULL on error. */
char *design_file_text(const struct gpu_design *d, struct err *e);
const char *design_name(const struct gpu_design *d);
const char *design_sha256(const struct gpu_design *d); /* SHA-256 of its canonical JSON text */
double design_clock_hz(const struct gpu_design *d);    /* clock of the SMs */
double design_seconds(const struct gpu_design *d, uint64_t cycles);
const char *
design_gpu_names(const struct gpu_design *d);  /* the names of this GPU in profiles, separated by a '|' sign */
const char *const *design_builtin_names(void); /* the last entry is NULL */
const char *design_builtin_json(const char *name, size_t *n); /* NULL: no such design */

/* Code for one GPU runs on GPUs with the same major compute capability and the same or a higher minor one (CUDA
 * programming guide, "binary compatibility"). 1 with a message if the launch's code does not run on the design's
 * GPU; 0 if it does, or if the trace does not state it. */
struct kernel_info;
#define FOREIGN_TEXT_BYTES 256
int design_is_foreign(const struct gpu_design *d, const struct kernel_info *k, char text[FOREIGN_TEXT_BYTES]);

/* --- One simulation --- */
enum sim_end {
    SIM_DONE,
    SIM_STALLED, /* no event is left; `report` lists the waiting warps */
    SIM_CYCLE_LIMIT,
    SIM_TIME_LIMIT /* of the host's clock: the cycle at the stop differs from run to run */
};
/* The L2 content at the start of a launch. L1 is always empty then. */
enum sim_caches {
    SIM_CACHES_WARM,    /* from its warm image (trace/warm_image.h); empty if it has none */
    SIM_CACHES_FLUSHED, /* empty */
    SIM_CACHES_KEPT,    /* left by the launches before it, including modified lines and open DRAM rows */
    SIM_CACHES_REPLAYED /* left by earlier launches, which are replayed without timing (simcore/replay.h) */
};
extern const char *const sim_caches_names[]; /* "warm", "flushed", "kept", "replayed", NULL */
/* Parses one of these names or "replayed:3". 0, with the number of launches to replay (0: all before it); else -1.
 */
int sim_caches_parse(const char *text, enum sim_caches *out, uint64_t *launches);
/* The work on the GPU before a launch. */
struct sim_work;
struct sim_before {
    const struct sim_work *work; /* kernels and copies, oldest first */
    size_t count;
    /* opens a kernel; the callee releases it */
    int (*open)(void *ctx, size_t index, struct inst_source **out, struct err *e);
    void *ctx;
};
struct sim_warp {
    uint64_t cta;
    uint32_t warp;
};
/* Stopping within a kernel when it runs steadily, and projecting the rest (simcore/observe/projection.h). */
enum sim_projection {
    PROJECT_NONE,
    PROJECT_PKP,      /* as published */
    PROJECT_PKP_CODE, /* as in its authors' code */
    PROJECT_STABLE    /* our own (observe/stable.h): with an interval */
};
struct sim_projected {
    enum sim_projection
        method; /* PROJECT_NONE: a whole simulation; if a projection was requested, why_not has the reason */
    const char *why_not;      /* static text */
    uint64_t at_cycle;        /* the cycle of the stop */
    uint64_t ctas_done, ctas; /* CTAs of the launch that had ended, and all its CTAs */
    uint64_t steady_cycles;   /* if CTAs had continued to end at the window's rate to the last one; 0: no rate */
    /* stable: contains the true cycles of 95 % of kernels (docs/design/stopping-in-kernels.md) */
    uint64_t low_cycles, high_cycles;
    double spread; /* of the IPC in the window: standard deviation over mean */
};
extern const char *const sim_projection_names[]; /* "none", "pkp", "pkp-code", "stable", NULL */
int sim_projection_parse(const char *text, enum sim_projection *out); /* -1: no such method */
/* Parses one of these names, or "stable:5%": *limit is then the maximum half-width of its interval, as a share;
 * else 0. */
int sim_projection_read(const char *text, enum sim_projection *out, double *limit);
#define SIM_PROJECTION_LIMIT_MIN 0.01 /* range of this half-width */
#define SIM_PROJECTION_LIMIT_MAX 0.08
/* Standard error of the cycles: the larger distance to an end of the interval, divided by 1.96. 0: not projected by
 * `stable`. */
double sim_projected_error(const struct sim_projected *p, uint64_t cycles);
/* The whole state of one launch in a file, from which another run continues to the same result, bit for bit
 * (docs/simulator.md). Only for a single launch with flushed caches, not in event mode, and not with recording,
 * explanation or projection. */
struct sim_checkpoint {
    /* written atomically at at_cycle (or when the first CTA can start, if that is later); NULL: none */
    const char *path;
    uint64_t at_cycle, every; /* every: then overwritten each time after this number of cycles; 0: written once */
    const char *resume;       /* continues from this file; NULL: from the start */
    const char *trace_sha256; /* a checkpoint of another trace, design or version is refused */
};
struct sim_options {
    bool native_only;       /* ERR_INVALID if the design's GPU does not have an instruction */
    uint64_t limit_cycles;  /* 0: no limit */
    uint64_t limit_host_us; /* limit of the host's time; 0: no limit */
    enum sim_caches caches;
    /* SIM_CACHES_REPLAYED: the number of kernels before the launch to replay, with the copies among them; 0: all.
     * In a list of items, those before it in the list, of any stream, each time that the GPU was idle. For a single
     * launch, those of `before`. */
    uint64_t replay_launches;
    const struct sim_before *before;
    /* Opens the launch again; NULL: it can be opened only once. A single launch whose warm image is requested but
     * missing is then simulated a second time, for the bound (result.cycles_warm_bound); limits apply to each of
     * the two simulations. Not with explanation, projection or checkpoints. PROJECT_STABLE opens a launch without
     * inst_source.survey to count the work of its CTAs. */
    int (*reopen)(void *ctx, struct inst_source **out, struct err *e);
    void *reopen_ctx;
    bool partial; /* only some CTAs of the launch are simulated: others can write what these poll */
    /* Called every few million simulated instructions; may be NULL. A value other than 0 stops the simulation
     * (ERR_SIMULATION). */
    int (*progress)(void *ctx, uint64_t cycles, uint64_t warp_instructions);
    void *progress_ctx;
    /* A warp to explain: index of the CTA in the trace, and index of the warp in the CTA; NULL: none. */
    const struct sim_warp *explain;
    enum sim_projection projection;
    double projection_limit; /* stable: maximum half-width of the interval, as a share of the cycles; 0: 0.08 */
    /* A launch without a warm image is simulated whole and gets its bound, because an interval for one state of the
     * caches is not valid for the other. */
    bool projection_warm_only;
    const struct sim_checkpoint *checkpoint; /* NULL: no checkpoint is written or read */
    /* 0: no recording; else result.recording has rows of this number of cycles. SIM_RECORD_AUTO: an interval that
     * gives at most some thousand rows. */
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
    uint64_t cycles;        /* SM clock, including launch overhead */
    uint64_t launch_cycles; /* cycles before the first CTA could start */
    uint64_t warp_instructions;
    size_t counter_count;
    struct sim_counter *counters;
    struct recording *recording;     /* recording over time; NULL unless requested */
    struct sim_projected projected;  /* if its method is set, cycles and counters are a projection */
    struct explanation *explanation; /* for options.explain, or NULL: explanation_text() */
    uint64_t checkpoints;            /* number of checkpoints written */
    bool warm;                       /* the launch began with its warm image */
    /* for a launch that began with empty caches: cycles directly after the same launch, with the content that it
     * leaves in L2, TLBs and DRAM rows; 0: unknown */
    uint64_t cycles_warm_bound;
    uint64_t replayed; /* number of launches replayed before it */
    char *report;      /* text of one or more lines if end != SIM_DONE, else NULL */
};
/* Consumes the source (the caller still releases it). Returns 0 also if the simulation stalled: check out->end. */
int simulate(const struct gpu_design *d, struct inst_source *source, const struct sim_options *o,
             struct sim_result *out, struct err *e);
void sim_result_release(struct sim_result *r);

/* Simulates many launches on one design, without creating the GPU again for each. The design must outlive the
 * simulator. */
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
    SIM_COPY_DEVICE, /* within the GPU's memory */
    /* from another GPU, over NVLink if there is one; the other GPU's memory is assumed to be fast enough */
    SIM_COPY_FROM_PEER,
    SIM_MEMSET,
    SIM_GAP /* the stream waits for the host */
};
enum { SIM_WORK_KINDS = SIM_GAP + 1 };
extern const char *const sim_work_names[SIM_WORK_KINDS];
struct sim_work {
    enum sim_work_kind kind;
    uint64_t stream;  /* items of a stream run one after the other; streams run concurrently */
    uint64_t bytes;   /* of a copy or memset */
    uint64_t address; /* address in GPU memory; a device copy writes here and reads directly after this range */
    uint64_t gap_ps;
};
/* A completed item. */
struct sim_span {
    size_t index;                   /* index in the list */
    uint64_t begin_ps, end_ps;      /* begin: its stream was ready and the host had submitted the item */
    const struct kernel_info *info; /* kernels: valid during the call */
    /* for kernels: cycles from begin to end, and counters of its own activity; each issue slot is counted in one
     * launch. Released after the call, unless the callee takes it and clears this one. */
    struct sim_result *result;
};
struct sim_stream_options {
    struct sim_options base; /* limits apply to the whole list */
    bool serial;             /* one item after the other, as in a single stream */
    bool graph;              /* submitted as a whole: no host time for each item */
    bool keep_sources;       /* the caller releases what it opened */
    /* Opens kernel `index` shortly before its first CTA is placed; it is released at its end. */
    int (*open)(void *ctx, size_t index, struct inst_source **out, struct err *e);
    int (*done)(void *ctx, const struct sim_span *span, struct err *e); /* called in the order of completion */
    void *ctx;
};
struct sim_timeline {
    enum sim_end end;
    char *report; /* as in sim_result */
    uint64_t kernels, cycles, warp_instructions;
    uint64_t ps;                      /* from the start to the last completion: the makespan */
    uint64_t item_ps[SIM_WORK_KINDS]; /* sum of the durations of the items */
    uint64_t items[SIM_WORK_KINDS], bytes[SIM_WORK_KINDS];
    uint64_t checkpoints; /* number of checkpoints written */
    /* all issue slots; slots without a launch. The difference is the sum over launches */
    uint64_t slots_total, slots_no_launch;
};
/* Simulates the list on an idle GPU. Returns 0 also if it stalled or reached a limit: check out->end; then `done`
 * was not called for all items. */
int simulator_run_streams(struct simulator *s, const struct sim_work *work, size_t n,
                          const struct sim_stream_options *o, struct sim_timeline *out, struct err *e);
void sim_timeline_release(struct sim_timeline *t);

/* Whether a CTA of this launch fits on an SM. ERR_INVALID with the name of the limit if not. */
int design_fits(const struct gpu_design *d, const struct kernel_info *k, struct err *e);
/* The number of its CTAs that the whole GPU can hold: one wave. 0 if not even one fits. */
uint64_t design_wave_ctas(const struct gpu_design *d, const struct kernel_info *k);
/* The number of 128-byte lines in its L2. */
uint64_t design_l2_lines(const struct gpu_design *d);

/* The result as a JSON document ("vivace-result"). Its digest covers kernel, cycles and all counters, but not
 * host_seconds. The caller frees it; NULL on error. */
char *sim_result_json(const struct gpu_design *d, const struct kernel_info *k, const char *trace_sha256,
                      const struct sim_result *r, double host_seconds, struct err *e);
/* An explanation as text or as JSON. The caller frees it; NULL on error. */
char *explanation_text(const struct explanation *x, bool json, struct err *e);
/* Every counter with unit and description; values are 0. The caller frees it. */
struct sim_counter *sim_counters_describe(size_t *n, struct err *e);

#endif
