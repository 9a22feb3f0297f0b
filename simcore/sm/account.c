/* simcore/sm/account.c: attributes memory counters, which count for the whole GPU, to launches.
 *
 *
 * When a request belongs to another launch than the previous request, the counts since the last switch go to the
 * previous launch. A single launch never switches. A request is charged for everything that it causes, including
 * the write-back of a line that another launch modified. */
#include "simcore/sm/sm.h"

/* clang-format off */
/* counter of a launch, counter of the memory */
#define MEM_COUNTS(X) \
    X(l2_read_requests, mem.read_requests) \
    X(l2_read_sectors, mem.read_sectors) \
    X(l2_read_hit_sectors, mem.read_hit_sectors) \
    X(l2_read_miss_sectors, mem.read_miss_sectors) \
    X(l2_write_requests, mem.write_requests) \
    X(l2_write_sectors, mem.write_sectors) \
    X(l2_atomic_requests, mem.atomic_requests) \
    X(l2_atomic_sectors, mem.atomic_sectors) \
    X(l2_far_requests, mem.far_requests) \
    X(l2_far_sectors, mem.far_sectors) \
    X(l2_writebacks, mem.writebacks) \
    X(noc_request_bytes, mem.request_bytes) \
    X(noc_reply_bytes, mem.reply_bytes) \
    X(tlb_sm_hits, mem.tlb.sm_hits) \
    X(tlb_gpc_hits, mem.tlb.gpc_hits) \
    X(tlb_gpu_hits, mem.tlb.gpu_hits) \
    X(tlb_walks, mem.tlb.walks) \
    X(tlb_directory_misses, mem.tlb.directory_misses) \
    X(dram_read_sectors, dram.read_sectors) \
    X(dram_write_sectors, dram.write_sectors) \
    X(dram_row_hits, dram.row_hits) \
    X(dram_row_misses, dram.row_misses)
/* clang-format on */

void account_memory(struct sm_env *env, struct launch *to)
{
    struct memory_seen now = {*memory_counters(env->port->memory), *memory_dram_counters(env->port->memory)};
    struct counters *c = env->charged ? &env->charged->count : NULL;

#define X(counter, source)                                                                                         \
    if (c)                                                                                                         \
        c->counter += now.source - env->seen.source;
    MEM_COUNTS(X)
#undef X
    env->seen = now;
    env->charged = to;
}
