#!/bin/sh
# Do gcc and clang, -O0 and -O2, with and without the thread that reads ahead, give the same bytes? Slow (it builds the
# simulator four times), so not part of `make check`.
#   sh tests/determinism.sh [TRACE ...]     kernel files; without any, a few of those beside the project, if there are
# Always compared: the cycles of all hand-made kernels on all designs (tests/unit/simcore/golden_cycles.csv).
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=../shared/data/traces
if [ $# -eq 0 ] && [ -d $data ]; then
    mkdir "$work/traces"
    for tar in vectoradd-sm80-v5 matmul-pascal-v4 rodinia-bfs-sm80 raw-tracer-output-v100; do
        tar -C "$work/traces" --zstd -xf $data/$tar.tar.zst
    done
    set -- $(find "$work/traces" -name 'kernel-*' -type f | sort | awk 'NR % 3 == 1' | head -8)
fi
[ $# -gt 0 ] || echo "skipped: no recorded traces; hand-made kernels only"

results() { # of the simulator $1, read-ahead option $2
    for trace in "$@"; do
        case $trace in "$1" | "$2") continue ;; esac
        for gpu in v100 v100:detailed a100 rtx3080 gtx1050; do
            "$1" "$trace" --gpu $gpu --json ${2:+$2} 2>&1 | sed 's/"host_seconds": *[-+.e0-9]*//'
        done
    done
}

first=
for cc in gcc clang; do
    for opt in -O0 -O2; do
        build=$work/$cc$opt
        make -s -j2 BUILD="$build" CC="${CACHE-}$cc" OPT=$opt "$build/vivace-sim" "$build/tests/unit/simcore/test_golden" \
            >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
        "$build/tests/unit/simcore/test_golden" >"$work/log" 2>&1 || { echo "$cc $opt: other cycles"; exit 1; }
        for how in "" --no-read-ahead; do
            [ $# -eq 0 ] && continue
            sum=$(results "$build/vivace-sim" "$how" "$@" | sha256sum | cut -c1-16)
            echo "$cc $opt ${how:-with read-ahead}: $sum"
            first=${first:-$sum}
            [ "$sum" = "$first" ] || { echo "differs from the first"; exit 1; }
        done
        rm -rf "$build"
    done
done
echo "same bytes everywhere: $# traces on five designs each, and all golden cycles"
