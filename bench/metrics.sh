#!/bin/sh
# How well totals and rates of the simulator's counters are known: bench/metrics.sh BUILD [REPEATS]. Simulates all launches
# of tiny-gpt and bfs, and of a training loop traced on a V100 where that is here, on three designs; then plans them for
# 5 % on the times or on the warp instructions of an RTX 2080, draws each plan REPEATS times (1000), and counts.
set -eu
build=$1 repeats=${2:-1000}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/vivace-metrics.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
hold() {
    "$build/vivace" simulate "$2" --gpu rtx2080,v100,h100 --metrics -q --csv >"$scratch/$1.csv"
    for by in cycles instructions; do
        echo "$1, planned on $by:" && "$build/bench/metrics" "$scratch/$1.csv" "$repeats" 0.05 "$by"
    done
}

. bench/workloads.sh
examples tiny-gpt bfs
training
