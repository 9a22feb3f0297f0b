#!/bin/sh
# The effect of a pilot on plans of instruction counts: bench/pilot.sh BUILD [REPEATS]. Simulates all launches of tiny-gpt, and
# of a training loop traced on a V100 where that is here, on a V100 and an H100, each alone and in order with caches kept;
# then plans them with and without a pilot, draws each plan REPEATS times (1000), and counts.
set -eu
build=$1 repeats=${2:-1000}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/vivace-pilot.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
hold() {
    "$build/vivace" simulate "$2" --gpu v100,h100 -q --csv >"$scratch/each.csv"
    "$build/vivace" simulate "$2" --gpu v100,h100 --streams serial --caches kept -q --csv >"$scratch/serial.csv"
    echo "$1:" && "$build/bench/pilot" "$scratch/each.csv" "$scratch/serial.csv" "$repeats"
}

. bench/workloads.sh
examples tiny-gpt
training
