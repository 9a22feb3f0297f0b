#!/bin/sh
# How well differences of designs are known: bench/paired.sh BUILD [REPEATS]. Simulates all launches of the examples on
# several designs (a minute), planned on an RTX 2080, each launch with empty caches: a V100 against one whose memory, or
# L2 and network, are a third faster, one of half the SMs, and an H100. Then tiny-gpt with caches kept between launches: a
# V100 whose L2 has 3 MB, which overflow, against one of 6 MB, and that with faster memory, too.
set -eu
build=$1 repeats=${2:-10000}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/vivace-paired.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
variant() { "$build/vivace" design scale v100 --set "$2" --out "$scratch/$1.json" >/dev/null; }
hold() { echo "$1:" && "$build/bench/paired" "$2" "$repeats"; }

variant memory dram.gbs=1196
variant fast clock.l2_mhz=2040
variant half gpu.sms=40
variant small l2.kb=3072
designs=rtx2080,v100,$scratch/memory.json,$scratch/fast.json,$scratch/half.json,h100
for example in tiny-gpt cnn bfs reduction vector-add; do
    "$build/vivace" ptx run "examples/$example/launches.json" --trace "$scratch/$example.vtrace" >/dev/null
    "$build/vivace" simulate "$scratch/$example.vtrace" --gpu "$designs" -q --csv >"$scratch/$example.csv"
    hold "$example" "$scratch/$example.csv"
    # one workload of all of them: launches numbered through
    awk -F, -v OFS=, -v from="$(($(cut -d, -f2 "$scratch/all.csv" 2>/dev/null | tail -n 1) + 1))" \
        'FNR == 1 { if (from == 1) print; next } { $2 += from - (from == 1); print }' "$scratch/$example.csv" >>"$scratch/all.csv"
done
hold "all examples" "$scratch/all.csv"

# `--streams` tells no shapes: those of the launches alone
"$build/vivace" simulate "$scratch/tiny-gpt.vtrace" --streams serial --caches kept \
    --gpu "rtx2080,$scratch/small.json,v100,$scratch/memory.json" -q --csv >"$scratch/kept.csv"
awk -F, -v OFS=, '
    NR == FNR { if (FNR > 1) cycles[$1, $4] = $8; if (FNR > 1 && FNR < 6) design[FNR - 1] = $4; next }
    FNR == 1 { print; next }
    $3 == design[1] { for (d = 1; d <= 4; d++) { $3 = design[d]; $12 = cycles[$1, design[d]]; print } $3 = design[1] }
' "$scratch/kept.csv" "$scratch/tiny-gpt.csv" >"$scratch/warm.csv"
hold "tiny-gpt, caches kept" "$scratch/warm.csv"
