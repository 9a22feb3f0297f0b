/* Names, memory and hash of launch features. */
#include "sampling/profile/features.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const struct feature_info feature_infos[FEATURE_COUNT] = {
    [FEATURE_GLOBAL_LOAD_SECTORS] = {"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                     "32-byte sectors that loads from global memory ask for"},
    [FEATURE_GLOBAL_STORE_SECTORS] = {"global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                      "32-byte sectors that stores to global memory write"},
    [FEATURE_LOCAL_LOAD_SECTORS] = {"local_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                                    "32-byte sectors that loads from local memory ask for"},
    [FEATURE_GLOBAL_LOADS] = {"global_loads", "smsp__inst_executed_op_global_ld.sum",
                              "warp instructions that load from global memory"},
    [FEATURE_GLOBAL_STORES] = {"global_stores", "smsp__inst_executed_op_global_st.sum",
                               "warp instructions that store to global memory"},
    [FEATURE_LOCAL_LOADS] = {"local_loads", "smsp__inst_executed_op_local_ld.sum",
                             "warp instructions that load from local memory"},
    [FEATURE_SHARED_LOADS] = {"shared_loads", "smsp__inst_executed_op_shared_ld.sum",
                              "warp instructions that load from shared memory"},
    [FEATURE_SHARED_STORES] = {"shared_stores", "smsp__inst_executed_op_shared_st.sum",
                               "warp instructions that store to shared memory"},
    [FEATURE_GLOBAL_ATOMICS] = {"global_atomics", "smsp__sass_inst_executed_op_global_atom.sum",
                                "warp instructions that are atomics on global memory"},
    [FEATURE_INSTRUCTIONS] = {"instructions", "smsp__inst_executed.sum", "warp instructions"},
    [FEATURE_THREADS_PER_INSTRUCTION] = {"threads_per_instruction",
                                         "smsp__thread_inst_executed_per_inst_executed.ratio",
                                         "mean active threads of a warp instruction"},
    [FEATURE_CTAS] = {"ctas", "launch__grid_size", "thread blocks"},
};

struct features *features_new(struct err *e)
{
    return mem_zalloc(1, sizeof(struct features), e);
}

void features_free(struct features *f)
{
    if (!f)
        return;
    free(f->instructions);
    for (int m = 0; m < FEATURE_COUNT; m++)
        free(f->metrics[m]);
    free(f->cta_cov);
    free(f->bbvs.bbvs);
    free(f->bbvs.types);
    free(f->bbvs.entries);
    free(f->bbv_of);
    free(f->waves);
    free(f->wave_begin);
    for (size_t r = 0; r < f->response_count; r++)
        free(f->responses[r].values);
    free(f->responses);
    free(f);
}

bool features_repeat(const struct features *f, const uint64_t *values, uint64_t count)
{
    for (int m = 0; m < FEATURE_COUNT; m++)
        if (f->metrics[m])
            return false;
    return f->known == count && f->instructions && !f->cta_cov && !f->bbv_of && !f->wave_begin &&
           !f->response_count && memcmp(f->instructions, values, count * sizeof *values) == 0;
}

/* --- the canonical form behind the hash: little-endian, each array is preceded by a flag that says whether it is
 * present --- */

static void add_number(struct sha256 *hash, uint64_t x)
{
    uint8_t bytes[8];

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(x >> (8 * i));
    sha256_update(hash, bytes, sizeof bytes);
}

static void add_numbers(struct sha256 *hash, const uint64_t *x, uint64_t count)
{
    add_number(hash, x ? count : UINT64_MAX);
    for (uint64_t i = 0; x && i < count; i++)
        add_number(hash, x[i]);
}

static void add_double(struct sha256 *hash, double x)
{
    double value = x == 0 ? 0 : x; /* hash -0 as 0 */
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    add_number(hash, bits);
}

static void add_doubles(struct sha256 *hash, const double *x, uint64_t count)
{
    add_number(hash, x ? count : UINT64_MAX);
    for (uint64_t i = 0; x && i < count; i++)
        add_double(hash, x[i]);
}

static void add_bbvs(struct sha256 *hash, const struct bbv_store *s)
{
    add_number(hash, s->bbv_count);
    for (size_t b = 0; b < s->bbv_count; b++) {
        add_number(hash, s->bbvs[b].end - s->bbvs[b].begin);
        for (size_t t = s->bbvs[b].begin; t < s->bbvs[b].end; t++) {
            add_number(hash, s->types[t].warps);
            add_number(hash, s->types[t].end - s->types[t].begin);
            for (size_t i = s->types[t].begin; i < s->types[t].end; i++) {
                add_number(hash, s->entries[i].block);
                add_number(hash, s->entries[i].count);
            }
        }
    }
}

void features_hash(const struct features *f, uint64_t count, struct sha256 *hash)
{
    static const char head[] = "vivace-features-1";

    sha256_update(hash, head, sizeof head);
    add_number(hash, f->known);
    add_numbers(hash, f->instructions, f->known);
    for (int m = 0; m < FEATURE_COUNT; m++)
        add_doubles(hash, f->metrics[m], f->known);
    add_doubles(hash, f->cta_cov, f->known);
    add_bbvs(hash, &f->bbvs);
    add_number(hash, f->bbv_of ? f->known : UINT64_MAX);
    for (uint64_t i = 0; f->bbv_of && i < f->known; i++)
        add_number(hash, f->bbv_of[i]);
    add_numbers(hash, f->wave_begin, f->known + 1);
    add_number(hash, f->wave_count);
    for (size_t i = 0; i < f->wave_count; i++) {
        add_number(hash, f->waves[i].ctas);
        add_number(hash, f->waves[i].instructions);
        add_number(hash, f->waves[i].memory_requests);
        add_double(hash, f->waves[i].variation);
    }
    add_number(hash, f->response_count);
    for (size_t r = 0; r < f->response_count; r++) {
        sha256_update(hash, f->responses[r].name, strlen(f->responses[r].name) + 1);
        add_doubles(hash, f->responses[r].values, count);
    }
}
