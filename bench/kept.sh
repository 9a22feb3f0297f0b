#!/bin/sh
# The cost of each sampling method at which it keeps its promise: bench/kept.sh BUILD [REPEATS]. All recorded profiles of times, then
# launches of tiny-gpt, bfs, and of a training loop traced on a V100 where that is here: planned on simulated cycles of a V100, with
# features from the traces, held against the V100 itself and an H100. bench/kept.c explains the rows.
set -eu
build=$1 repeats=${2:-1000}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/vivace-kept.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
hold() {
    "$build/vivace" trace features "$2" -q --out "$scratch/$1.json" >/dev/null
    "$build/vivace" simulate "$2" --gpu v100,h100 -q --csv >"$scratch/$1.csv"
    "$build/bench/kept" "$repeats" "$scratch/$1.csv" "$scratch/$1.json"
}

. bench/workloads.sh
examples tiny-gpt bfs
training
"$build/bench/kept" "$repeats" all
