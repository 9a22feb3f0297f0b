/* simcore/system/collective.h: the time of a collective operation of NCCL on a system design, by algorithm,
 * protocol and number of channels, and which of them is the fastest. Formulas and constants with their sources:
 * collective.c; limits of the model: docs/systems.md.
 *
 * Times are in microseconds, rates in GB/s (10^9 bytes). */
#ifndef VIVACE_SIMCORE_SYSTEM_COLLECTIVE_H
#define VIVACE_SIMCORE_SYSTEM_COLLECTIVE_H

#include "simcore/system/system.h"

/* clang-format off */
#define COLLECTIVE_OPS(X)                                                                                            \
    X(ALL_REDUCE,     "allreduce")                                                                                   \
    X(ALL_GATHER,     "allgather")                                                                                   \
    X(REDUCE_SCATTER, "reducescatter")                                                                               \
    X(BROADCAST,      "broadcast")                                                                                   \
    X(SEND_RECV,      "sendrecv")
#define COLLECTIVE_ALGORITHMS(X) X(RING, "ring") X(TREE, "tree") X(NVLS, "nvls") X(DIRECT, "direct")
#define COLLECTIVE_PROTOCOLS(X) X(LL, "LL") X(LL128, "LL128") X(SIMPLE, "Simple")
/* clang-format on */
#define X(name, text) COLLECTIVE_##name,
enum collective_op { COLLECTIVE_OPS(X) COLLECTIVE_OP_COUNT };
enum collective_algorithm { COLLECTIVE_ALGORITHMS(X) COLLECTIVE_ALGORITHM_COUNT };
enum collective_protocol { COLLECTIVE_PROTOCOLS(X) COLLECTIVE_PROTOCOL_COUNT };
#undef X
extern const char *const collective_op_names[COLLECTIVE_OP_COUNT + 1]; /* each ends with NULL */
extern const char *const collective_algorithm_names[COLLECTIVE_ALGORITHM_COUNT + 1];
extern const char *const collective_protocol_names[COLLECTIVE_PROTOCOL_COUNT + 1];
/* The position of a word in one of these lists, without regard to case; -1: it is not in the list. */
int collective_find(const char *const *names, const char *word);

enum { COLLECTIVE_CHANNELS_MAX = 64 };

/* How the first `ranks` GPUs of a system are connected. */
struct collective_fabric {
    uint32_t ranks, channels; /* channels: those that NCCL would use */
    int generation;           /* of the oldest GPU: a row of the table of constants */
    bool nvlink;              /* every hop of the ring uses links named nvlink... only */
    uint32_t rings;           /* rings on links of their own, both directions counted; 0: one ring over routes */
    double ring_gbs;          /* bandwidth of all rings together, per direction */
    double hop_us;            /* mean latency of a hop of the ring */
    double nvls_gbs;          /* of a GPU's links to the switch, for reductions in it; 0: the switch has none */
    double pair_gbs, pair_us; /* from the first rank to the second */
    char limit[2 * SYSTEM_NAME + 24]; /* the channel that limits the ring, such as "gpu0 to nvswitch0" */
};
/* ERR_INVALID where the system has fewer GPUs, or less than 2 are asked for. */
int collective_fabric_make(const struct system_design *s, uint32_t ranks, struct collective_fabric *out,
                           struct err *e);

/* The time of one algorithm and protocol. */
struct collective_way {
    enum collective_algorithm algorithm;
    enum collective_protocol protocol;
    double us, latency_us; /* latency_us: the part that does not depend on the bytes */
    double bus_gbs;        /* as nccl-tests define the bus bandwidth */
};
/* bytes: as the column `size` of nccl-tests: the whole array, of all-gather and reduce-scatter too. channels: 0 for
 * those of the fabric. Returns false where NCCL does not have this combination, or the system cannot do it. */
bool collective_time(const struct collective_fabric *f, enum collective_op op, enum collective_algorithm algorithm,
                     enum collective_protocol protocol, uint32_t channels, uint64_t bytes,
                     struct collective_way *out);

/* The allowed algorithm, protocol and channels; -1: any. */
struct collective_limits {
    int algorithm, protocol;
    uint32_t channels; /* 0: those of the fabric */
};
enum { COLLECTIVE_WAYS_MAX = COLLECTIVE_ALGORITHM_COUNT * COLLECTIVE_PROTOCOL_COUNT };
/* All possible combinations, the fastest first; equal ones in the order of the enumerations. Returns their count.
 */
size_t collective_ways(const struct collective_fabric *f, enum collective_op op, struct collective_limits limits,
                       uint64_t bytes, struct collective_way out[COLLECTIVE_WAYS_MAX]);

#endif
