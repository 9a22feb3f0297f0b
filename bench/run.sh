#!/bin/sh
# Prints what docs/BENCHMARKS.md quotes: bench/run.sh BUILD. Takes a minute or two and some 2 GB of scratch space.
set -eu
build=$1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/vivace-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
measure() { "$build/bench/measure" "$@"; }
row() { printf '%-58s %10s %10s  %s\n' "$1" "$2" "$3" "$4"; }
per() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.2f", n / s / 1e6 }'; }

row "what" "ours" "limit" "unit"

"$build/bench/make_profile" sqlite 1000000 "$scratch/p.sqlite"
set -- $(measure "$build/vivace" inspect "$scratch/p.sqlite" --json)
row "import 10^6 launches, nsys SQLite" "$(per 1000000 "$1")" "1.00" "M launches/s of CPU (more is better)"
row "  memory" "$3" "400" "MiB"

"$build/bench/make_profile" csv 10000000 "$scratch/p.csv"
set -- $(measure "$build/vivace" plan "$scratch/p.csv" --method vivace --error 1% --json)
row "plan 10^7 launches, CSV in, plan out" "$1" "3.0" "s of CPU"
row "  memory" "$3" "400" "MiB"
rm -f "$scratch"/p.*

traces=../shared/data/traces/pytorch-sgd-v100.tar.zst
if [ -r "$traces" ]; then
    # 8.6 thousand warp instructions a second: Accel-Sim (dev, 2024-10, SM7_QV100) on one epoch of this trace, one core.
    for gpu in v100 h100; do
        seconds=$("$build/vivace" simulate "$traces" --gpu "$gpu" -j 1 --json |
            sed -n 's/.*"host_seconds": *\([0-9.]*\).*/\1/p' | head -n 1)
        row "simulate pytorch-sgd-v100 (6.3 M warp instructions) on $gpu" "$(per 6306141 "$seconds")" "0.0086" \
            "M warp instructions/s, one core; limit: Accel-Sim on V100"
    done
    # Out of the tar first: its zstd window alone takes 128 MiB. The text is 238 MB.
    mkdir "$scratch/text"
    tar --use-compress-program='zstd -d --long=31' -xf "$traces" -C "$scratch/text"
    set -- $(measure "$build/vivace" trace convert "$scratch/text" "$scratch/t.vtrace")
    row "convert it to .vtrace" "$(per 238000000 "$1")" "100" "MB of text/s of CPU"
    row "  memory" "$3" "100" "MiB"
    row "  size" "$(awk -v n="$(stat -c %s "$scratch/t.vtrace")" 'BEGIN { printf "%.4f", n / 6306141 }')" "0.5" \
        "bytes a warp instruction (less is better)"
    set -- $(measure "$build/vivace" trace verify "$scratch/t.vtrace")
    row "  read it all back and check it" "$(per 6306141 "$1")" "10" "M warp instructions/s of CPU"
    rm -rf "$scratch/t.vtrace" "$scratch/text"
else
    echo "skipped: $traces is not here"
fi
"$build/vivace" ptx run examples/tiny-gpt/launches.json --trace "$scratch/t.vtrace" >/dev/null
work=$("$build/vivace" trace info "$scratch/t.vtrace" --json | sed -n 's/^  "warp_instructions": *\([0-9]*\).*/\1/p')
set -- $(measure "$build/vivace" simulate "$scratch/t.vtrace" --gpu a100 -j 1 --json)
row "simulate examples/tiny-gpt ($work warp instructions) on a100" "$(per "$work" "$1")" "0.0086" "M warp instructions/s, reading included"
row "  memory" "$3" "100" "MiB"
