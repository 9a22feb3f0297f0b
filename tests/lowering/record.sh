#!/bin/sh
# tests/lowering/record.sh BUILD: makes ptxas.csv anew. It needs ptxas on the path. A kernel that ptxas does not compile
# for an architecture has no row there.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compare=$1/lowering/compare
"$compare" --head >"$work/rows"
for ptx in examples/*/*.ptx tests/lowering/kernels/*.ptx tests/unit/ptx/conformance/*.ptx; do
    for arch in 75 86 90; do
        sed "s/^\.target.*/.target sm_$arch/; s/^\.version.*/.version 9.0/" "$ptx" >"$work/k.ptx"
        ptxas -arch=sm_$arch -o "$work/k.cubin" "$work/k.ptx" 2>/dev/null || continue
        "$compare" --record $arch "$ptx" "$work/k.cubin" >>"$work/rows"
    done
done
cp "$work/rows" tests/lowering/ptxas.csv
