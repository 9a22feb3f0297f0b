/* Scripts for tracers that are preloaded into the program and read their settings from environment variables:
 * Accel-Sim's, before and after May 2025, and MacSim's. Sources: accel-sim-framework
 * util/tracer_nvbit/tracer_tool/tracer_tool.cu (dev, 2024-10 and 2025-05; 2.0, 2026-08) and others/spinlock_tool;
 * MacSim's NVBit tracer, main.cu. */
#include "wire/tracer_script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

static const char need_tracer[] = "[ -e \"${TRACER-}\" ] || stop \"TRACER names the tracer, %s\"\n"
                                  "TRACER=$(cd \"$(dirname \"$TRACER\")\" && pwd)/$(basename \"$TRACER\")\n"
                                  "\n";

/* Moves the traces of a pass to one folder. Their names lose the context's handle, which differs between runs. */
static const char collect[] =
    "# FOLDER PART PASS COUNT WANTED: keeps the kernels of the part that matched, and lists them.\n"
    "collect() {\n"
    "    from=$1 mark=${2#stats}\n"
    "    mark=${mark%.csv}\n"
    "    [ -e \"$from/kernelslist$mark\" ] || from=$from/traces\n"
    "    found=0\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "            kernel-[0-9]*)\n"
    "                id=${line#kernel-}\n"
    "                id=${id%%[!0-9]*}\n"
    "                case $5 in\n"
    "                    '' | *\" $id \"*) ;;\n"
    "                    *)\n"
    "                        rm -f \"$from/$line\"\n"
    "                        continue\n"
    "                        ;;\n"
    "                esac\n"
    "                name=kernel-$((id - offset)).trace${line##*.trace}\n"
    "                mv \"$from/$line\" \"$OUT/traces/$name\"\n"
    "                printf '%s\\n' \"$name\" >>\"$OUT/traces/kernelslist\"\n"
    "                found=$((found + 1))\n"
    "                ;;\n"
    "            Memcpy*) [ \"$3\" != 1 ] || printf '%s\\n' \"$line\" >>\"$OUT/traces/kernelslist\" ;;\n"
    "        esac\n"
    "    done <\"$from/kernelslist$mark\"\n"
    "    [ \"$found\" -eq \"$4\" ] || stop \"pass $3 traced $found kernels instead of $4\"\n"
    "}\n";

static void add_end(const struct tracer_job *job, struct strbuf *out)
{
    ASSERT(job->pick_count > 0);
    strbuf_addf(out,
                "\n"
                "check \"$OUT/traces\" 0 0 >/dev/null # traces have the profile's numbers and state what they are\n"
                "echo \"$0: %zu traces are in $OUT/traces\" >&2\n",
                job->pick_count);
}

/* True if the process has other contexts. Ending the program after the last kernel would stop these too. */
static bool shares_process(const struct tracer_job *job)
{
    const struct profile *p = job->profile;

    ASSERT(job->context < p->context_count);
    for (size_t c = 0; c < p->context_count; c++)
        if (c != job->context && p->contexts[c].process == p->contexts[job->context].process)
            return true;
    return false;
}

/* --- Accel-Sim from May 2025: DYNAMIC_KERNEL_RANGE="2 5-8", numbered from 1 --- */

static void add_range(struct strbuf *out, const struct tracer_run *r, uint64_t offset)
{
    ASSERT(r->first <= r->last);
    if (out->length)
        strbuf_addc(out, ' ');
    strbuf_addf(out, "%" PRIu64, r->first + offset + 1);
    if (r->last > r->first)
        strbuf_addf(out, "-%" PRIu64, r->last + offset + 1);
}

/* Adds a line PASS LAST COUNT RANGE with as many runs as fit in one variable. Returns how many were added. */
static size_t add_pass(struct tracer_job *job, const struct tracer_run *runs, size_t count, struct strbuf *out)
{
    struct strbuf range = STRBUF_INIT;
    size_t n = 0, picks = 0;

    while (n < count && range.length + 50 < TRACER_TEXT_MAX) {
        picks += runs[n].picks;
        add_range(&range, &runs[n++], job->offset);
    }
    ASSERT(n > 0); /* the caller continues after these */
    job->passes++;
    strbuf_addf(out, "pass %zu %" PRIu64 " %zu '%s' \"$@\"\n", job->passes, runs[n - 1].last + 1, picks,
                range.text);
    out->failed |= range.failed;
    strbuf_release(&range);
    return n;
}

/* Settings of Accel-Sim 2.0. Earlier versions ignore them. If the tracer handles polling loops, it reads the list
 * that its spinlock tool has made, and crashes without it. */
static const char second_version[] =
    "# Polling loops are recorded in full (0), or once, between markers (2). For the latter SPINLOCK_TOOL names\n"
    "# Accel-Sim's spinlock_tool.so, which finds the loops in two more runs of the program.\n"
    "loops=${SPINLOCK_HANDLING_MODE-}\n"
    "if [ -z \"$loops\" ]; then\n"
    "    loops=0\n"
    "    [ -z \"${SPINLOCK_TOOL-}\" ] || loops=2\n"
    "fi\n"
    "[ \"$loops\" = 0 ] || [ -e \"${SPINLOCK_TOOL-}\" ] ||\n"
    "    stop \"SPINLOCK_HANDLING_MODE=$loops needs SPINLOCK_TOOL, the path of spinlock_tool.so\"\n"
    "find_loops() {\n"
    "    for phase in 0 1; do\n"
    "        watched \"$OUT\" env CUDA_INJECTION64_PATH=\"$SPINLOCK_TOOL\" SPINLOCK_PHASE=$phase \\\n"
    "            TRACES_FOLDER=\"$OUT\" \"$@\" || stop \"the program failed under spinlock_tool.so\"\n"
    "    done\n"
    "    [ -e \"$OUT/spinlock_detection/spinlock_instructions.txt\" ] ||\n"
    "        stop \"spinlock_tool.so made no list of loops in $OUT/spinlock_detection\"\n"
    "}\n"
    "\n"
    "# FOLDER PROGRAM...: ends the program if nothing in the folder has changed for STALL_S seconds.\n"
    "watched() {\n"
    "    place=$1\n"
    "    shift\n"
    "    if [ -z \"${STALL_S-}\" ]; then\n"
    "        \"$@\"\n"
    "        return\n"
    "    fi\n"
    "    \"$@\" <&0 &\n"
    "    child=$! still=0 before=''\n"
    "    while kill -0 \"$child\" 2>/dev/null; do\n"
    "        sleep 1\n"
    "        now=$(ls -lR \"$place\")\n"
    "        still=$((still + 1))\n"
    "        [ \"$now\" = \"$before\" ] || still=0\n"
    "        before=$now\n"
    "        [ \"$still\" -ge \"$STALL_S\" ] || continue\n"
    "        kill \"$child\"\n"
    "        last=$(ls -t \"$place/traces\" 2>/dev/null | head -n 1)\n"
    "        stop \"the tracer has written nothing for $STALL_S s${last:+, last $last}; trace without that "
    "kernel,\" \\\n"
    "            \"with SPINLOCK_TOOL, or with a longer STALL_S\"\n"
    "    done\n"
    "    wait \"$child\"\n"
    "}\n"
    "\n";

int tracer_write_accel_sim(struct tracer_job *job, struct strbuf *out, struct err *e)
{
    struct tracer_run *runs;
    size_t count;

    if (tracer_runs(job, 0, &runs, &count, e) < 0)
        return -1;
    strbuf_addf(out, need_tracer, "tracer_tool.so");
    strbuf_adds(out, second_version);
    strbuf_addf(
        out,
        "# FOLDER RANGE END PROGRAM...: the program under the tracer. An unset range means all kernels in some\n"
        "# versions and none in others.\n"
        "run() {\n"
        "    folder=$1 range=$2 end=$3\n"
        "    shift 3\n"
        "    mkdir -p \"$folder\"\n"
        "    mode=0\n"
        "    if [ -e \"$OUT/spinlock_detection\" ]; then\n"
        "        mode=$loops\n"
        "        cp -r \"$OUT/spinlock_detection\" \"$folder\"\n"
        "    fi\n"
        "    watched \"$folder\" env CUDA_INJECTION64_PATH=\"$TRACER\" USER_DEFINED_FOLDERS=1 \\\n"
        "        TRACES_FOLDER=\"$folder\" ACTIVE_FROM_START=1 NVBIT_INSTRUMENTATION_ENABLED=1 \\\n"
        "        ALLOW_REG_VAL_TRACING=\"${ALLOW_REG_VAL_TRACING-1}\" SPINLOCK_HANDLING_MODE=\"$mode\" \\\n"
        "        DYNAMIC_KERNEL_RANGE=\"$range\" TERMINATE_UPON_LIMIT=\"$end\" \"$@\" ||\n"
        "        stop \"the program failed under the tracer\"\n"
        "}\n"
        "%s"
        "# PASS LAST COUNT RANGE PROGRAM...\n"
        "pass() {\n"
        "    number=$1 last=$2 count=$3 range=$4\n"
        "    shift 4\n"
        "    run \"$OUT/pass-$number\" \"$range\" %d \"$@\"\n"
        "    part=$(check \"$OUT/pass-$number\" \"$last\")\n"
        "    collect \"$OUT/pass-$number\" \"$part\" \"$number\" \"$count\" ''\n"
        "}\n"
        "\n"
        "# The dry run: counts every launch, traces none.\n"
        "[ -n \"$dry_run\" ] || run \"$OUT/dry-run\" " TRACER_NO_LAUNCH " 0 \"$@\"\n"
        "find_offset \"$OUT/dry-run\" \"$@\"\n"
        "[ \"$loops\" = 0 ] || find_loops \"$@\"\n"
        "mkdir \"$OUT/traces\"\n"
        "\n",
        collect, shares_process(job) ? 0 : 1);
    for (size_t i = 0; i < count;)
        i += add_pass(job, runs + i, count - i, out);
    add_end(job, out);
    free(runs);
    return 0;
}

/* --- Accel-Sim before May 2025: one range per run of the program --- */

/* Adds " 3 5 9 ", the launches to keep, if others between them are traced too. Adds nothing if all are kept. */
static void add_wanted(const struct tracer_job *job, const struct tracer_run *r, struct strbuf *out)
{
    ASSERT(r->pick + r->picks <= job->pick_count);
    strbuf_addc(out, '\'');
    for (size_t i = r->pick; r->last - r->first + 1 > r->picks && i < r->pick + r->picks; i++)
        strbuf_addf(out, "%s%" PRIu64 " ", i == r->pick ? " " : "", job->picks[i].order + job->offset + 1);
    strbuf_addc(out, '\'');
}

int tracer_write_accel_sim_old(struct tracer_job *job, struct strbuf *out, struct err *e)
{
    struct tracer_run *runs;

    if (tracer_runs(job, job->passes_max, &runs, &job->passes, e) < 0)
        return -1;
    ASSERT(job->passes > 0 && job->passes <= job->pick_count);
    strbuf_addf(out, need_tracer, "tracer_tool.so");
    strbuf_addf(out,
                "# FOLDER START END STOP PROGRAM...: the program under the tracer; end 0: no limit.\n"
                "run() {\n"
                "    folder=$1 start=$2 limit=$3 end=$4\n"
                "    shift 4\n"
                "    mkdir -p \"$folder\"\n"
                "    LD_PRELOAD=$TRACER USER_DEFINED_FOLDERS=1 TRACES_FOLDER=$folder ACTIVE_FROM_START=1 \\\n"
                "        DYNAMIC_KERNEL_LIMIT_START=$start DYNAMIC_KERNEL_LIMIT_END=$limit \\\n"
                "        TERMINATE_UPON_LIMIT=$end \"$@\" || stop \"the program failed under the tracer\"\n"
                "}\n"
                "%s"
                "# PASS START END LAST COUNT WANTED PROGRAM...: END as the tool counts, LAST of the profile\n"
                "pass() {\n"
                "    number=$1 start=$2 limit=$3 last=$4 count=$5 wanted=$6\n"
                "    shift 6\n"
                "    run \"$OUT/pass-$number\" \"$start\" \"$limit\" 1 \"$@\"\n"
                "    part=$(check \"$OUT/pass-$number\" \"$last\")\n"
                "    collect \"$OUT/pass-$number\" \"$part\" \"$number\" \"$count\" \"$wanted\"\n"
                "}\n"
                "\n"
                "# The dry run: counts every launch, traces none.\n"
                "[ -n \"$dry_run\" ] || run \"$OUT/dry-run\" " TRACER_NO_LAUNCH " 0 0 \"$@\"\n"
                "find_offset \"$OUT/dry-run\" \"$@\"\n"
                "mkdir \"$OUT/traces\"\n"
                "\n",
                collect);
    for (size_t i = 0; i < job->passes; i++) {
        const struct tracer_run *r = &runs[i];

        ASSERT(r->picks <= r->last - r->first + 1);
        job->surplus += r->last - r->first + 1 - r->picks;
        strbuf_addf(out, "pass %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %zu ", i + 1, r->first + job->offset + 1,
                    r->last + job->offset + 1, r->last + 1, r->picks);
        add_wanted(job, r, out);
        strbuf_adds(out, " \"$@\"\n");
    }
    add_end(job, out);
    free(runs);
    return 0;
}

/* --- MacSim: a file with one line per stratum, numbered from 0 --- */

static int by_stratum(const void *a, const void *b, void *plan)
{
    const struct plan *p = plan;
    const struct tracer_pick *x = a, *y = b;
    uint32_t h = p->samples[x->sample].stratum, k = p->samples[y->sample].stratum;

    if (h != k)
        return h < k ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* "<number> <count> <id> <id> ...". The tracer reads <number> as an int. It is only for users: here the population
 * of the stratum. */
static void add_strata(const struct tracer_job *job, const struct tracer_pick *picks, struct strbuf *out)
{
    for (size_t i = 0, j; i < job->pick_count; i = j) {
        uint32_t h = job->plan->samples[picks[i].sample].stratum;
        uint64_t population = job->plan->strata[h].population;

        for (j = i; j < job->pick_count && job->plan->samples[picks[j].sample].stratum == h; j++)
            continue;
        ASSERT(j > i && j <= job->pick_count);
        strbuf_addf(out, "%" PRIu64 " %zu", population < INT32_MAX ? population : INT32_MAX, j - i);
        for (size_t k = i; k < j; k++)
            strbuf_addf(out, " %" PRIu64, picks[k].order);
        strbuf_addc(out, '\n');
    }
}

int tracer_write_macsim(struct tracer_job *job, struct strbuf *out, struct err *e)
{
    struct tracer_pick *picks = malloc(job->pick_count * sizeof *picks);

    ASSERT(job->offset == 0 && job->pick_count > 0);
    if (!picks)
        return err_no_memory(e);
    memcpy(picks, job->picks, job->pick_count * sizeof *picks);
    qsort_r(picks, job->pick_count, sizeof *picks, by_stratum, (void *)job->plan);
    job->passes = 1;
    strbuf_addf(out, need_tracer, "MacSim's main.so");
    strbuf_adds(out,
                "# The tracer passes these paths to a shell unchanged.\n"
                "case $OUT in *[!A-Za-z0-9_./-]*) stop \"OUT may hold letters, digits and _ . / - only\" ;; esac\n"
                "COMPRESSOR_PATH=${COMPRESSOR_PATH:-$(dirname \"$TRACER\")/compress}\n"
                "export COMPRESSOR_PATH\n"
                "cat >\"$OUT/sampled_kernels_info.txt\" <<'END'\n"
                "a sampling plan, written by vivace\n"
                "launches of the stratum, samples, and their numbers from 0\n");
    add_strata(job, picks, out);
    strbuf_adds(
        out,
        "END\n"
        "\n"
        "# The dry run: lists every launch; the interval from 0 to 0 holds none.\n"
        "CUDA_INJECTION64_PATH=$TRACER TRACE_PATH=$OUT/dry-run OVERWRITE=1 KERNEL_BEGIN=0 KERNEL_END=0 \"$@\" ||\n"
        "    stop \"the program failed under the tracer\"\n"
        "find_offset \"$OUT/dry-run/kernel_names.txt\" \"$@\"\n"
        "\n"
        "CUDA_INJECTION64_PATH=$TRACER TRACE_PATH=$OUT/traces OVERWRITE=1 \\\n"
        "    SAMPLED_KERNEL_INFO=$OUT/sampled_kernels_info.txt \"$@\" ||\n"
        "    stop \"the program failed under the tracer\"\n"
        "check \"$OUT/traces/kernel_names.txt\" >/dev/null\n");
    strbuf_addf(out, "echo \"$0: %zu traces are in $OUT/traces\" >&2\n", job->pick_count);
    free(picks);
    return 0;
}
