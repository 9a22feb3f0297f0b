#!/bin/sh
# How planning grows with the profile: bench/growth.sh BUILD. A row a size: CPU seconds, nanoseconds a launch and peak
# memory of `vivace plan` on an nsys CSV, and of decode and plan from columnar chunks. Takes some minutes and 2 GB of
# scratch space.
set -eu
build=$1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/vivace-growth.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# cells ROWS COMMAND...: "seconds | ns a launch | MiB" of the quickest of three runs
cells() {
    rows=$1
    shift
    for run in 1 2 3; do "$build/bench/measure" "$@"; done | sort -n | head -n 1 |
        awk -v n="$rows" '{ printf "%.2f | %.0f | %.0f", $1, $1 / n * 1e9, $3 }'
}

echo "| launches | CSV: CPU s | ns a launch | MiB | columns: CPU s | ns a launch | MiB |"
echo "|---|---|---|---|---|---|---|"
for rows in 10000 100000 1000000 10000000 50000000; do
    csv="| |"
    if [ "$rows" -le 10000000 ]; then
        "$build/bench/make_profile" csv "$rows" "$scratch/p.csv"
        csv=$(cells "$rows" "$build/vivace" plan "$scratch/p.csv" --method vivace --error 1% --json)
        rm "$scratch/p.csv"
    fi
    "$build/bench/make_profile" columns "$rows" "$scratch/p.columns"
    columns=$(cells "$rows" "$build/bench/plan_columns" "$scratch/p.columns")
    rm "$scratch/p.columns"
    echo "| $rows | $csv | $columns |"
done
