/* ptx/warp/exec_internal.h: shared by the files that execute a launch: the state of a CTA and its warps, and the
 * functions for each action of op.h.
 *
 * All state is per CTA, so that CTAs may run on separate threads. A warp is a set of fragments. A fragment is a
 * set of lanes at the same op. The first fields of struct ptx_warp belong to the current fragment. */
#ifndef VIVACE_PTX_WARP_EXEC_INTERNAL_H
#define VIVACE_PTX_WARP_EXEC_INTERNAL_H

#include "ptx/code/actions.h"
#include "ptx/memory/device_memory.h"
#include "ptx/warp/options.h"

enum { PTX_BARRIERS = PTX_CLUSTER_BARRIER + 1, PTX_WARPS_MAX = 32 };

struct ptx_run;
struct ptx_cta;

struct ptx_warp {
    struct ptx_lanes lanes; /* rows of the current activation */
    const struct ptx_code *code;
    uint32_t pc;    /* the op that is being executed */
    uint32_t frame; /* of the activation: offset in each lane's local memory, bytes */
    uint32_t id;    /* in the CTA */
    uint32_t live;  /* lanes that have not ended */
    struct ptx_cta *cta;
    /* Local memory of all lanes, interleaved by words: byte b of lane l is at (b / 4 * 32 + l) * 4 + b % 4. It
     * grows with the call depth. Current size: local_bytes per lane. */
    uint8_t *local;
    uint32_t local_bytes;
    struct ptx_warp_state *state; /* fragments and activations: warp.h */
};

/* A cache of recently accessed allocations, indexed by op. It is invalid if `generation` differs from that of
 * the memory. */
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
    uint64_t number, linear; /* number: in the order in which CTAs begin, cluster by cluster; linear: by position
                              * in the grid */
    uint32_t cluster_ctas;   /* CTAs in its cluster; 1: no cluster */
    uint8_t *shared;         /* static, then dynamic; zero at the begin, aligned to 128 */
    uint32_t shared_bytes;
    struct device_memory *memory; /* of the program; includes global and constant variables */
    const uint8_t *params;        /* of the kernel */
    uint32_t param_bytes;
    const struct ptx_exec_options *options;
    const struct ptx_observer *observer; /* NULL: no observer */
    struct ptx_exec_stats *stats;
    struct err *e;        /* receives a fault of this CTA */
    void *async;          /* late_copies.h: pending asynchronous copies; freed by ptx_async_end() */
    uint64_t stores;      /* Number of stores to global and shared memory, and of atomics that changed a value. It
                           * serves to detect a wait that can never end. */
    uint64_t clock;       /* executed warp instructions */
    uint64_t row_bytes;   /* size of the registers of all activations; grows with the call depth */
    struct ptx_memo memo; /* see exec_memory.c; zero at the begin */
    struct ptx_cta_state *state; /* warps, barriers: cta.h */
    struct ptx_strict *strict;   /* strict.h; NULL: not in strict mode */
};

/* Sets the CTA's error to "kernel k, file:line: CTA (x,y,z), warp w, lane l (thread (x,y,z)): MESSAGE", for the
 * op at w->pc and the first lane of `lanes` (0: no lane). Returns -1. */
int ptx_fault(struct ptx_warp *w, uint32_t lanes, const char *format, ...) PRINTF_LIKE(3, 4);
/* Writes the source position of an op: "k.ptx:12:5 (k.cu:3)". */
void ptx_place_text(const struct ptx_warp *w, const struct ptx_code *code, uint32_t op, char *out, size_t room);
/* Counts an operation that the manual leaves undefined. In strict mode it is a fault: returns -1. */
int ptx_undefined(struct ptx_warp *w, uint32_t lanes, const char *format, ...) PRINTF_LIKE(3, 4);

/* exec_local.c: accesses bytes of one lane's local memory. The caller has checked the range against local_bytes. */
void ptx_local_read(const struct ptx_warp *w, uint32_t lane, uint32_t at, void *out, uint32_t n);
void ptx_local_write(struct ptx_warp *w, uint32_t lane, uint32_t at, const void *from, uint32_t n);
/* Reads bytes at a lane's generic address, in any space. -1: a byte is not readable. */
int ptx_generic_read(const struct ptx_warp *w, uint32_t lane, uint64_t address, void *out, uint32_t n);
/* Writes bytes at a lane's generic address. -1: a byte is not writable. */
int ptx_generic_write(struct ptx_warp *w, uint32_t lane, uint64_t address, const void *from, uint32_t n);

/* Actions: execute op for the lanes of `mask` (never 0). Return -1 for a fault, set by ptx_fault(). Memory
 * actions report their addresses to the observer. */
typedef int ptx_action_fn(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
/* exec_memory.c, exec_atomic.c, exec_async.c */
ptx_action_fn ptx_do_load, ptx_do_store, ptx_do_atomic, ptx_do_async;
ptx_action_fn ptx_do_texture; /* exec_texture.c */
/* late_copies.c */
void ptx_async_end(struct ptx_cta *c);
/* Strict mode: returns -1 with a fault if a pending copy writes to these bytes of shared memory. */
int ptx_async_pending(struct ptx_warp *w, uint32_t lane, uint32_t at, uint32_t bytes);
/* exec_mbarrier.c */
ptx_action_fn ptx_do_mbarrier;
/* Counts `bytes` of a lane's copy at the barrier of the access. cta: the barrier at the same address in this CTA
 * of the cluster is used instead; PTX_NONE: not. */
int ptx_mbarrier_complete(struct ptx_warp *w, const struct ptx_access *a, uint32_t lane, uint32_t cta,
                          uint32_t bytes);
/* exec_bulk.c, exec_tensor.c; st.async and red.async */
ptx_action_fn ptx_do_bulk, ptx_do_tensor, ptx_do_counted;
/* exec_atomic.c: combines `count` values with those at `to`, one after the other. ptx_atomic_known() must have
 * returned true for the operation. */
void ptx_atomic_reduce(uint8_t what, uint8_t type, bool global, uint8_t *to, const uint8_t *from, uint32_t count);
/* exec_rank.c */
ptx_action_fn ptx_do_cluster;
/* cluster.c */
/* Addresses of shared memory in a cluster: a CTA's own memory begins at 0. The memory of rank r begins at (r +
 * 1) * PTX_CLUSTER_STRIDE. */
enum { PTX_CLUSTER_STRIDE = 512 << 10 };
/* The same address (shared, or generic in the shared window) in the CTA with rank `rank` of c's cluster. */
uint64_t ptx_cluster_address(const struct ptx_cta *c, uint64_t address, uint32_t rank);
/* The CTA with that rank in c's cluster. NULL: there is none, or it has ended. */
struct ptx_cta *ptx_cluster_peer(const struct ptx_cta *c, uint32_t rank);
/* exec_cluster.c */
ptx_action_fn ptx_do_cluster_barrier;
/* Lanes have ended. Completes the cluster's barrier if it needs no other lanes. No warp may have a current
 * fragment. */
void ptx_cluster_retry(struct ptx_cta *c);
/* Returns true if a warp of the CTA waits at the cluster's barrier. */
bool ptx_cluster_waits(const struct ptx_cta *c);

#endif
