/* ptx/warp/exec_internal.h: what the files that run a launch share: the state of a CTA and of its warps, and the
 * functions behind each action of op.h.
 *
 * All state is kept per CTA, so that CTAs may run on threads of their own. A warp is a set of fragments, lanes that
 * stand at one place; the fields at the head of struct ptx_warp belong to the fragment that runs just now. */
#ifndef VIVACE_PTX_WARP_EXEC_INTERNAL_H
#define VIVACE_PTX_WARP_EXEC_INTERNAL_H

#include "ptx/code/actions.h"
#include "ptx/memory/device_memory.h"
#include "ptx/warp/options.h"

enum { PTX_BARRIERS = PTX_CLUSTER_BARRIER + 1, PTX_WARPS_MAX = 32 };

struct ptx_run;
struct ptx_cta;

struct ptx_warp {
    struct ptx_lanes lanes; /* rows of the activation */
    const struct ptx_code *code;
    uint32_t pc;    /* the op that is being executed */
    uint32_t frame; /* of the activation: offset in local memory of each lane, bytes */
    uint32_t id;    /* in the CTA */
    uint32_t live;  /* lanes that have not ended */
    struct ptx_cta *cta;
    /* Local memory of all lanes, interleaved by words: byte b of lane l is at (b / 4 * 32 + l) * 4 + b % 4. Grows
     * with the call depth: local_bytes (a lane) are there. */
    uint8_t *local;
    uint32_t local_bytes;
    struct ptx_warp_state *state; /* fragments and activations: warp.h */
};

/* Allocations that were hit lately, by the op that hit them; empty where generation is not that of the memory. */
enum { PTX_MEMO = 64 };
struct ptx_memo {
    uint32_t generation;
    struct {
        uint64_t address, bytes;
    } range[PTX_MEMO];
};

struct ptx_cta {
    struct ptx_run *run; /* the launch: launch.h */
    uint32_t id[3];
    uint64_t number, linear; /* in the order in which CTAs begin: cluster by cluster; by its place in the grid */
    uint32_t cluster_ctas;   /* of its cluster; 1: it is alone */
    uint8_t *shared;         /* static, then dynamic; zero at the begin, aligned to 128 */
    uint32_t shared_bytes;
    struct device_memory *memory; /* of the program: global and constant variables too */
    const uint8_t *params;        /* of the kernel */
    uint32_t param_bytes;
    const struct ptx_exec_options *options;
    const struct ptx_observer *observer; /* NULL: nobody watches */
    struct ptx_exec_stats *stats;
    struct err *e;      /* where a fault of this CTA is reported */
    void *async;        /* of late_copies.h: asynchronous copies under way; freed by ptx_async_end() */
    uint64_t stores;    /* counted up by stores to global and shared memory, and by atomics that changed a value: a
                         * wait that nobody can end is seen by that */
    uint64_t clock;     /* executed warp instructions */
    uint64_t row_bytes; /* of registers of all activations: deep calls take more and more */
    struct ptx_memo memo;        /* of exec_memory.c; zeros at the begin */
    struct ptx_cta_state *state; /* warps, barriers: cta.h */
    struct ptx_strict *strict;   /* strict.h; NULL: not in strict mode */
};

/* Fills the CTA's error: "kernel k, file:line: CTA (x,y,z), warp w, lane l (thread (x,y,z)): what", for the op at
 * w->pc and the first lane of `lanes` (0: no lane). Answers -1. */
int ptx_fault(struct ptx_warp *w, uint32_t lanes, const char *format, ...) PRINTF_LIKE(3, 4);
/* "k.ptx:12:5 (k.cu:3)": the source position of an op. */
void ptx_place_text(const struct ptx_warp *w, const struct ptx_code *code, uint32_t op, char *out, size_t room);
/* Counts something that the manual leaves undefined; in strict mode it is a fault: -1. */
int ptx_undefined(struct ptx_warp *w, uint32_t lanes, const char *format, ...) PRINTF_LIKE(3, 4);

/* exec_local.c. Bytes of one lane's local memory; the range has been checked by the caller against local_bytes. */
void ptx_local_read(const struct ptx_warp *w, uint32_t lane, uint32_t at, void *out, uint32_t n);
void ptx_local_write(struct ptx_warp *w, uint32_t lane, uint32_t at, const void *from, uint32_t n);
/* What a lane sees at a generic address, in whatever space that is. -1: not all of it is there. */
int ptx_generic_read(const struct ptx_warp *w, uint32_t lane, uint64_t address, void *out, uint32_t n);

/* Actions: execute op for the lanes of `mask` (never 0). -1: a fault, reported by ptx_fault(). Memory actions
 * report the observer their addresses. */
typedef int ptx_action_fn(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
/* exec_memory.c, exec_atomic.c, exec_async.c */
ptx_action_fn ptx_do_load, ptx_do_store, ptx_do_atomic, ptx_do_async;
ptx_action_fn ptx_do_texture; /* exec_texture.c */
/* late_copies.c */
void ptx_async_end(struct ptx_cta *c);
/* Strict mode: -1, reported, where a copy that nobody has waited for goes to these bytes of shared memory. */
int ptx_async_pending(struct ptx_warp *w, uint32_t lane, uint32_t at, uint32_t bytes);
/* exec_mbarrier.c */
ptx_action_fn ptx_do_mbarrier;
/* `bytes` that a lane's copy has brought are counted at the barrier of the access, or at the one at the same
 * address in CTA `cta` of the cluster; PTX_NONE. */
int ptx_mbarrier_complete(struct ptx_warp *w, const struct ptx_access *a, uint32_t lane, uint32_t cta,
                          uint32_t bytes);
/* exec_bulk.c, exec_tensor.c; st.async and red.async */
ptx_action_fn ptx_do_bulk, ptx_do_tensor, ptx_do_counted;
/* exec_atomic.c: `count` values are put to those at `to`, one after the other; ptx_atomic_known() has said that it
 * can be done. */
void ptx_atomic_reduce(uint8_t what, uint8_t type, bool global, uint8_t *to, const uint8_t *from, uint32_t count);
/* exec_rank.c */
ptx_action_fn ptx_do_cluster;
/* cluster.c */
/* Shared memory of a cluster as its CTAs see it: their own from 0 on, that of each by its rank from here on. */
enum { PTX_CLUSTER_STRIDE = 512 << 10 };
/* The same address (shared, or generic in the shared window) in the CTA of that rank of c's cluster. */
uint64_t ptx_cluster_address(const struct ptx_cta *c, uint64_t address, uint32_t rank);
/* The CTA of that rank in c's cluster; NULL: there is none, or it has ended. */
struct ptx_cta *ptx_cluster_peer(const struct ptx_cta *c, uint32_t rank);
/* exec_cluster.c */
ptx_action_fn ptx_do_cluster_barrier;
/* Lanes have ended: the cluster's barrier may be complete without them. Not with a current fragment. */
void ptx_cluster_retry(struct ptx_cta *c);
/* Does a warp of it wait there? */
bool ptx_cluster_waits(const struct ptx_cta *c);

#endif
