#!/bin/sh
# Replaces a program with a GPU tracer preloaded: it launches what FAKE_LAUNCHES lists (name, grid, block), and does
# with it what its environment tells Accel-Sim's tracer (new or old) or MacSim's. FAKE_WRONG: that launch, from 1, has
# another grid. Every start adds a line of its environment to FAKE_LOG.
set -eu
if [ -n "${SPINLOCK_PHASE-}" ]; then # Accel-Sim's spinlock tool
    mkdir -p "$TRACES_FOLDER/spinlock_detection"
    [ "$SPINLOCK_PHASE" = 0 ] || : >"$TRACES_FOLDER/spinlock_detection/spinlock_instructions.txt"
    echo "loops $SPINLOCK_PHASE" >>"$FAKE_LOG"
    exit
fi
if [ -n "${DYNAMIC_KERNEL_RANGE-}" ]; then
    kind=new
    if [ "${SPINLOCK_HANDLING_MODE-0}" != 0 ]; then
        [ -e "$TRACES_FOLDER/spinlock_detection/spinlock_instructions.txt" ] # the tracer crashes without it
        echo "mode $SPINLOCK_HANDLING_MODE" >>"$FAKE_LOG"
    fi
    [ -z "${FAKE_HANG-}" ] || exec sleep 60
    folder=$TRACES_FOLDER/traces
    mark=_ctx_0x$$
    file=$mark
    end=''
    mkdir "$folder"
    # Another context of the process, with launches of its own.
    printf 'kernel-1-ctx_0x1.trace.xz, _Z8elsewherev, 1, 1, 1, 1, 32, 1, 1, 32, 0,0\n' >"$folder/stats_ctx_0x1"
elif [ -n "${DYNAMIC_KERNEL_LIMIT_START-}" ]; then
    kind=old
    folder=$TRACES_FOLDER
    mark='' file='' end=.csv
    echo "kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, block_dimX, block_dimY, block_dimZ, #threads, total_insts, total_reported_insts" >"$folder/stats.csv"
else
    kind=macsim
    folder=$TRACE_PATH
    mark='' file='' end=''
    mkdir -p "$folder"
fi
echo "$kind ${DYNAMIC_KERNEL_RANGE-}${DYNAMIC_KERNEL_LIMIT_START-} ${DYNAMIC_KERNEL_LIMIT_END-} ${TERMINATE_UPON_LIMIT-} ${USER_DEFINED_FOLDERS-} ${ACTIVE_FROM_START-} program $*" >>"$FAKE_LOG"
awk -v kind=$kind -v folder="$folder" -v mark="$mark" -v file="$file" -v end="$end" -v wrong="${FAKE_WRONG-0}" \
    -v range="${DYNAMIC_KERNEL_RANGE-}" -v start="${DYNAMIC_KERNEL_LIMIT_START-0}" \
    -v limit="${DYNAMIC_KERNEL_LIMIT_END-0}" -v stop="${TERMINATE_UPON_LIMIT-0}" \
    -v none="$([ "${KERNEL_END-1}" = 0 ] && echo 1 || echo 0)" -v info="${SAMPLED_KERNEL_INFO-}" '
BEGIN {
    parts = split(range, part, " ")
    for (i = 1; i <= parts; i++) {
        n = split(part[i], ends, "-")
        low[i] = ends[1] + 0
        high[i] = (n > 1 ? ends[2] : ends[1]) + 0
        most = high[i] > most ? high[i] : most
    }
    for (row = 0; info != "" && (getline line < info) > 0; row++) {
        n = split(line, word, " ")
        if (row >= 2 && n != word[2] + 2) { print "the count is wrong" > "/dev/stderr"; exit 1 }
        for (i = 3; row >= 2 && i <= n; i++) sampled[word[i]] = 1
    }
}
function wanted(id) {
    if (kind == "old") return id >= start && (limit == 0 || id <= limit)
    if (kind == "macsim") return !none && (id - 1) in sampled
    for (i = 1; i <= parts; i++) if (id >= low[i] && id <= high[i]) return 1
    return 0
}
{
    id = NR
    if (stop && ((kind == "new" && id > most) || (kind == "old" && limit && id > limit))) exit
    if (id == wrong) $2 += 1
    name = "kernel-" id (mark == "" ? "" : "-ctx" substr(mark, 5)) ".trace"
    if (kind == "macsim")
        printf "Kernel%d name: %s\n  Grid size: (%d, %d, %d), Block size: (%d, %d, %d), maxBlockPerCore: 8, # of regs: 16\n", \
            id - 1, $1, $2, $3, $4, $5, $6, $7 > (folder "/kernel_names.txt")
    else
        printf "%s, %s, %d, %d, %d, %d, %d, %d, %d, %d, 0,0\n", name, $1, $2, $3, $4, $2 * $3 * $4, $5, $6, $7, \
            $5 * $6 * $7 >> (folder "/stats" file end)
    if (!wanted(id)) next
    if (kind == "macsim") { print id - 1 > (folder "/traced"); next }
    print name >> (folder "/kernelslist" file)
    printf "-kernel name = %s\n-kernel id = %d\n-grid dim = (%d,%d,%d)\n-block dim = (%d,%d,%d)\n-shmem = 0\n-nregs = 16\n" \
        "-binary version = 70\n-cuda stream id = 0\n-accelsim tracer version = 5\n\n#traces format = x\n\n" \
        "0 0 0 0 0000 ffffffff 0 EXIT 0 0 0\n", $1, id, $2, $3, $4, $5, $6, $7 > (folder "/" name)
    close(folder "/" name)
}' "$FAKE_LAUNCHES"
