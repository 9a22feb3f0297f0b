#!/bin/sh
# Cycles and all counters of recorded traces, of the examples and of hand-made kernels, on all built-in designs, default
# and detailed: a line each, with the SHA-256 of the result. Two builds give the same file where a change kept the model:
#   sh tests/results.sh BUILD >before.txt     # then change and build
#   sh tests/results.sh BUILD >after.txt && cmp before.txt after.txt
# Five minutes of CPU. QUICK="v100 a100": only hand-made kernels on these designs, with each scheduler, hash and DRAM model.
set -eu
cd "$(dirname "$0")/.."
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=../shared/data/traces

if [ -n "${QUICK-}" ]; then
    exec "$build/bench/sim_results" $QUICK
fi
"$build/bench/sim_results"
"$build/bench/sim_results" v100 a100

result() { # of trace $1, launch $2 (or nothing) on design $3
    sum=$("$build/vivace-sim" "$1" ${2:+--launch "$2"} --gpu "$3" --json 2>&1 |
        sed 's/"host_seconds": *[-+.e0-9]*//' | sha256sum | cut -c1-32)
    echo "$(basename "$(dirname "$1")")/$(basename "$1") ${2:-0} $3 $sum"
}
designs=$("$build/vivace-sim" --list-gpus)
for e in bfs:0 bfs:4 cnn:0 cnn:3 reduction:0 vector-add:0 tiny-gpt:1 tiny-gpt:5 tiny-gpt:9; do
    name=${e%:*} trace=$work/examples/${e%:*}.vtrace
    mkdir -p "$work/examples"
    [ -f "$trace" ] || "$build/vivace" ptx run "examples/$name/launches.json" --profile "$work/p.csv" --trace "$trace" >/dev/null
    for d in $designs; do
        result "$trace" "${e#*:}" "$d"
        result "$trace" "${e#*:}" "$d:detailed"
    done
done
[ -d $data ] || { echo "skipped: no recorded traces" >&2; exit 0; }
for tar in vectoradd-sm80-v5 matmul-pascal-v4 rodinia-bfs-sm80 raw-tracer-output-v100 pytorch-sgd-v100; do
    mkdir "$work/$tar"
    tar -C "$work/$tar" --zstd -xf $data/$tar.tar.zst
done
for trace in "$work"/vectoradd*/*/kernel-1.traceg "$work"/matmul*/*/kernel-1.traceg "$work"/rodinia*/*/kernel-5.traceg \
    "$work"/rodinia*/*/kernel-9.traceg "$work"/raw*/*/kernel-2.traceg "$work"/pytorch*/*/kernel-44?.traceg; do
    for d in $designs; do
        result "$trace" "" "$d"
        result "$trace" "" "$d:detailed"
    done
done
