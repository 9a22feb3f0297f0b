#!/bin/sh
# How well differences of designs are known: bench/paired.sh BUILD [REPEATS]. Simulates all launches of examples/tiny-gpt
# on three designs (a minute), planned on an RTX 2080: L2 twice as large, L2 and network a third faster, an H100.
set -eu
build=$1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/vivace-paired.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
"$build/vivace" ptx run examples/tiny-gpt/launches.json --trace "$scratch/t.vtrace" >/dev/null
"$build/vivace" design scale v100 --set l2.kb=12288 --out "$scratch/large.json" >/dev/null
"$build/vivace" design scale v100 --set clock.l2_mhz=2040 --out "$scratch/fast.json" >/dev/null
"$build/vivace" simulate "$scratch/t.vtrace" --gpu "rtx2080,v100,$scratch/large.json,$scratch/fast.json,h100" -q --csv \
    >"$scratch/all.csv"
"$build/bench/paired" "$scratch/all.csv" "${2:-10000}"
