#include "ingest/ncu_metrics.h"

#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/text.h"
#include "ingest/decimal.h"

#define WHOLE_MAX (INT64_C(1) << 53) /* above it a double cannot represent every integer */

/* All spellings of each metric: its name, its name in older or newer versions and nvprof's equivalent (PKA's
 * published scripts collect sass__...), and its label on the details page. If a file has several, the first in
 * this table is used. Source: NVIDIA, "Nsight Compute CLI", nvprof metric comparison and sections. */
const struct ncu_spelling ncu_spellings[NCU_SPELLINGS] = {
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", FEATURE_GLOBAL_LOAD_SECTORS, NCU_KIND_COUNT},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", FEATURE_GLOBAL_STORE_SECTORS, NCU_KIND_COUNT},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", FEATURE_LOCAL_LOAD_SECTORS, NCU_KIND_COUNT},
    {"smsp__inst_executed_op_global_ld.sum", FEATURE_GLOBAL_LOADS, NCU_KIND_COUNT},
    {"smsp__sass_inst_executed_op_global_ld.sum", FEATURE_GLOBAL_LOADS, NCU_KIND_COUNT},
    {"sass__inst_executed_global_loads", FEATURE_GLOBAL_LOADS, NCU_KIND_COUNT},
    {"smsp__inst_executed_op_global_st.sum", FEATURE_GLOBAL_STORES, NCU_KIND_COUNT},
    {"smsp__sass_inst_executed_op_global_st.sum", FEATURE_GLOBAL_STORES, NCU_KIND_COUNT},
    {"sass__inst_executed_global_stores", FEATURE_GLOBAL_STORES, NCU_KIND_COUNT},
    {"smsp__inst_executed_op_local_ld.sum", FEATURE_LOCAL_LOADS, NCU_KIND_COUNT},
    {"smsp__sass_inst_executed_op_local_ld.sum", FEATURE_LOCAL_LOADS, NCU_KIND_COUNT},
    {"sass__inst_executed_local_loads", FEATURE_LOCAL_LOADS, NCU_KIND_COUNT},
    {"smsp__inst_executed_op_shared_ld.sum", FEATURE_SHARED_LOADS, NCU_KIND_COUNT},
    {"smsp__sass_inst_executed_op_shared_ld.sum", FEATURE_SHARED_LOADS, NCU_KIND_COUNT},
    {"sass__inst_executed_shared_loads", FEATURE_SHARED_LOADS, NCU_KIND_COUNT},
    {"smsp__inst_executed_op_shared_st.sum", FEATURE_SHARED_STORES, NCU_KIND_COUNT},
    {"smsp__sass_inst_executed_op_shared_st.sum", FEATURE_SHARED_STORES, NCU_KIND_COUNT},
    {"sass__inst_executed_shared_stores", FEATURE_SHARED_STORES, NCU_KIND_COUNT},
    {"smsp__sass_inst_executed_op_global_atom.sum", FEATURE_GLOBAL_ATOMICS, NCU_KIND_COUNT},
    {"smsp__inst_executed_op_global_atom.sum", FEATURE_GLOBAL_ATOMICS, NCU_KIND_COUNT},
    {"smsp__inst_executed.sum", FEATURE_INSTRUCTIONS, NCU_KIND_COUNT},
    {"sm__inst_executed.sum", FEATURE_INSTRUCTIONS, NCU_KIND_COUNT},
    {"Executed Instructions", FEATURE_INSTRUCTIONS, NCU_KIND_COUNT},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", FEATURE_THREADS_PER_INSTRUCTION, NCU_KIND_RATIO},
    {"Avg. Active Threads Per Warp", FEATURE_THREADS_PER_INSTRUCTION, NCU_KIND_RATIO},
    {"launch__grid_size", FEATURE_CTAS, NCU_KIND_COUNT},
    {"gpu__time_duration.sum", NCU_DURATION, NCU_KIND_TIME},
    {"gpu__time_duration.avg", NCU_DURATION, NCU_KIND_TIME},
    {"gpu__time_duration_measured_user.sum", NCU_DURATION, NCU_KIND_TIME},
    {"Duration", NCU_DURATION, NCU_KIND_TIME},
    {"gpc__cycles_elapsed.max", NCU_CYCLES, NCU_KIND_COUNT},
    {"sm__cycles_elapsed.max", NCU_CYCLES, NCU_KIND_COUNT},
    {"smsp__cycles_elapsed.max", NCU_CYCLES, NCU_KIND_COUNT},
    {"Elapsed Cycles", NCU_CYCLES, NCU_KIND_COUNT},
    {"gpc__cycles_elapsed.avg.per_second", NCU_CLOCK, NCU_KIND_CLOCK},
    {"sm__cycles_elapsed.avg.per_second", NCU_CLOCK, NCU_KIND_CLOCK},
    {"smsp__cycles_elapsed.avg.per_second", NCU_CLOCK, NCU_KIND_CLOCK},
    {"SM Frequency", NCU_CLOCK, NCU_KIND_CLOCK},
    {"launch__registers_per_thread", NCU_REGISTERS, NCU_KIND_COUNT},
    {"Registers Per Thread", NCU_REGISTERS, NCU_KIND_COUNT},
    {"launch__shared_mem_per_block_static", NCU_SHARED_STATIC, NCU_KIND_COUNT},
    {"Static Shared Memory Per Block", NCU_SHARED_STATIC, NCU_KIND_COUNT},
    {"launch__shared_mem_per_block_dynamic", NCU_SHARED_DYNAMIC, NCU_KIND_COUNT},
    {"Dynamic Shared Memory Per Block", NCU_SHARED_DYNAMIC, NCU_KIND_COUNT},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", NCU_LOAD_HIT_SECTORS, NCU_KIND_COUNT},
    {"lts__t_sectors_srcunit_tex_op_read.sum", NCU_L2_READ_SECTORS, NCU_KIND_COUNT},
    {"lts__t_sectors_op_read.sum", NCU_L2_READ_SECTORS, NCU_KIND_COUNT},
    {"lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", NCU_L2_READ_HIT_SECTORS, NCU_KIND_COUNT},
    {"lts__t_sectors_op_read_lookup_hit.sum", NCU_L2_READ_HIT_SECTORS, NCU_KIND_COUNT},
    {"dram__sectors_read.sum", NCU_DRAM_READ_SECTORS, NCU_KIND_COUNT},
    {"dram__bytes_read.sum", NCU_DRAM_READ_SECTORS, NCU_KIND_SECTORS},
    {"dram__sectors_write.sum", NCU_DRAM_WRITE_SECTORS, NCU_KIND_COUNT},
    {"dram__bytes_write.sum", NCU_DRAM_WRITE_SECTORS, NCU_KIND_SECTORS},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", NCU_SHARED_PASSES, NCU_KIND_COUNT},
    {"smsp__l1tex_data_pipe_lsu_wavefronts_mem_shared.sum", NCU_SHARED_PASSES, NCU_KIND_COUNT},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", NCU_SHARED_CONFLICTS, NCU_KIND_COUNT},
    {"l1tex__data_bank_conflicts_pipe_lsu.sum", NCU_SHARED_CONFLICTS, NCU_KIND_COUNT},
};

const char *const ncu_counter_names[NCU_COUNT - NCU_COUNTERS] = {
    "l1_load_hit_sectors", "l2_read_sectors", "l2_read_hit_sectors", "dram_read_sectors",
    "dram_write_sectors",  "shared_passes",   "shared_conflicts"};

bool ncu_is_spelling(const char *text, const struct ncu_spelling *s)
{
    size_t n = strlen(text);

    return strncmp(text, s->name, n) == 0 && (!s->name[n] || (n > 0 && strcmp(s->name + n, ".sum") == 0));
}

int ncu_plain_number(const char *text, char out[NCU_NUMBER])
{
    size_t n = strlen(text), k = 0, point = strcspn(text, ".");

    if (n >= NCU_NUMBER)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (text[i] != ',') {
            out[k++] = text[i];
            continue;
        }
        if (i == 0 || i > point || (point - i) % 4 != 0)
            return -1;
    }
    out[k] = '\0';
    ASSERT(k <= n && n < NCU_NUMBER);
    return 0;
}

bool ncu_is_missing(const char *text)
{
    return !*text || strcasecmp(text, "n/a") == 0 || strcasecmp(text, "nan") == 0 || strcasecmp(text, "(nan)") == 0;
}

/* Power of ten from the unit to ns. -1: unknown unit. */
static int time_shift(const char *unit)
{
    static const struct {
        const char *name;
        int shift;
    } units[] = {{"nsecond", 0}, {"ns", 0}, {"usecond", 3}, {"us", 3},   {"msecond", 6}, {"ms", 6},
                 {"second", 9},  {"s", 9},  {"sec", 9},     {"nsec", 0}, {"usec", 3},    {"msec", 6}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].shift;
    return -1;
}

/* Power of ten of the prefix in "Ksector", "Minst", "Kbyte/block". */
static int count_shift(const char *unit)
{
    static const char letters[] = "KMGT";
    const char *at = *unit ? strchr(letters, *unit) : NULL;

    return at ? 3 * (int)(at - letters + 1) : 0;
}

/* Cycles per ns of a clock of 1 in this unit. 0: unknown unit. */
static double clock_factor(const char *unit)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"cycle/nsecond", 1},    {"cycle/ns", 1},    {"Ghz", 1},    {"GHz", 1},
                 {"cycle/usecond", 1e-3}, {"cycle/us", 1e-3}, {"Mhz", 1e-3}, {"MHz", 1e-3},
                 {"cycle/second", 1e-9},  {"cycle/s", 1e-9},  {"hz", 1e-9},  {"Hz", 1e-9}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].factor;
    return 0;
}

int ncu_value(enum ncu_kind kind, const char *text, const char *unit, double *out, bool *rounded)
{
    char plain[NCU_NUMBER];
    struct err ignored;
    int64_t whole;
    bool counted = kind == NCU_KIND_COUNT || kind == NCU_KIND_SECTORS;
    int shift = kind == NCU_KIND_TIME ? time_shift(unit) : counted ? count_shift(unit) : 0;

    if (ncu_plain_number(text, plain) < 0 || shift < 0)
        return -1;
    if (kind == NCU_KIND_TIME || counted) {
        if (decimal_scaled(plain, strlen(plain), shift, &whole) < 0 || whole < 0 || whole > WHOLE_MAX)
            return -1;
        ASSERT(shift >= 0 && shift <= 12);
        *rounded = counted && shift > 0;
        *out = kind == NCU_KIND_SECTORS ? (double)whole / 32 : (double)whole;
        return 0;
    }
    if (parse_double(plain, "value", out, &ignored) < 0 || *out < 0)
        return -1;
    if (kind == NCU_KIND_CLOCK)
        *out *= clock_factor(unit);
    return kind == NCU_KIND_CLOCK && *out <= 0 ? -1 : 0;
}
