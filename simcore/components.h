/* simcore/components.h: the exchangeable parts of the timing model, each with a list of its implementations. A new
 * implementation needs one file and one line here (docs/extending.md). Design files select them by name.
 *
 *
 * X(ENUMERATOR, name, description): the name is used in design files, as the file name and as the prefix of the
 * functions. The first of a list has the value 0. */
#ifndef VIVACE_SIMCORE_COMPONENTS_H
#define VIVACE_SIMCORE_COMPONENTS_H

/* clang-format off */
/* sm.scheduler: which ready warp issues (sm/scheduler/NAME.h) */
#define WARP_SCHEDULERS(X) \
    X(CGGTY, cggty, "the last one, else the youngest") \
    X(GTO, gto, "the last one, else the oldest") \
    X(LRR, lrr, "in turn")
/* model.dram: device memory (mem/dram/NAME.c) */
#define DRAM_MODELS(X) \
    X(FIXED, fixed, "a latency and the rate of the bus") \
    X(BUCKET, bucket, "buses and activates, open rows") \
    X(BANK, bank, "command by command")
/* launch.cta_scheduler: the SM that gets the next CTA (sm/cta/NAME.c) */
#define CTA_SCHEDULERS(X) \
    X(BREADTH_FIRST, breadth_first, "one CTA to each SM before any SM gets a second one")
/* model.noc: the network between SMs and L2 (mem/noc/NAME.c) */
#define NOC_MODELS(X) \
    X(DELAY, delay, "one latency per direction") \
    X(FLIT, flit, "crossbars with flits")
/* model.hash: the distribution of addresses over memory channels (mem/hash/NAME.c) */
#define ADDRESS_HASHES(X) \
    X(MIX, mix, "a mixing function") \
    X(IPOLY, ipoly, "a polynomial over GF(2), for powers of two") \
    X(NONE, none, "in turn")
/* model.memory: the path behind L1; each implements the port (mem/mem_port.h) */
#define MEMORY_PATHS(X) \
    X(RESERVE, reserve, "all stages of a request at once") \
    X(EVENT, event, "stage by stage")
/* l2.mshr: how L2 tracks its misses on the path with events (mem/mshr/NAME.c) */
#define MSHR_KINDS(X) \
    X(PER_REQUEST, per_request, "an entry for each request, so no request is refused")
/* l1.replacement, l2.replacement: the line of a full set that is evicted (mem/replacement/NAME.h) */
#define REPLACEMENT_POLICIES(X) \
    X(LRU, lru, "least recently used")
/* clang-format on */

/* For lists of names, and for the descriptions of parameters that select one. */
#define COMPONENT_NAME(enumerator, name, what) #name,
#define COMPONENT_TEXT(enumerator, name, what) "; " #name ": " what

#endif
