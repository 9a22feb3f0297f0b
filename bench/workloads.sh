# Sourced by scripts that set $build, $scratch and hold():  . bench/workloads.sh; examples tiny-gpt bfs; training
# Each calls `hold NAME TRACES`.
examples() {
    for example; do
        "$build/vivace" ptx run "examples/$example/launches.json" --trace "$scratch/$example.vtrace" >/dev/null
        hold "$example" "$scratch/$example.vtrace"
    done
}
# A training loop that was traced on a V100, where that is here.
training() {
    traces=../shared/data/traces/pytorch-sgd-v100.tar.zst
    if [ -r "$traces" ]; then hold training "$traces"; else echo "skipped: $traces is not here"; fi
}
