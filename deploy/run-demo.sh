#!/bin/sh
# The demo, step by step with the same programs that a user has: run-demo.sh BUILD ONCE INPUT (see deploy/demo).
# Everything is in one folder of its own, which is removed at the end.
set -eu
build=$1 once=$2 input=$3
state=$(mktemp -d "${TMPDIR:-/tmp}/vivace-demo.XXXXXX")
chmod 755 "$state" # the server drops root and must still reach its own folder below
pids=
stop() {
    trap - EXIT INT TERM
    [ -z "$pids" ] || kill $pids 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$state"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

vivace=$build/vivace
export XDG_CONFIG_HOME="$state/config" # the demo logs in without touching your own credentials
started=$(date +%s)
step() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
run() { # says what it runs, so that the reader can repeat it
    printf '$ vivace %s\n' "$*" >&2 # stdout may be a file
    "$vivace" "$@"
}
# The first value of a member in a JSON document on stdin; ids hold neither quotes nor commas.
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\)\"\{0,1\}.*/\1/p" | head -n 1; }

step "A farm: one server with a PostgreSQL of its own, two workers"
start_server() { # on the address $1; sets $server and, once it listens, $url
    "$vivace" server --state "$state/server" --listen "$1" >"$state/server.log" 2>&1 &
    server=$!
    for _ in $(seq 600); do
        url=$(sed -n 's/^Vivace listens on \(.*\)$/\1/p' "$state/server.log")
        [ -z "$url" ] || return 0
        kill -0 "$server" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}
if ! start_server "127.0.0.1:${PORT:-8080}"; then
    if [ -n "${PORT:-}" ] || ! grep -q 'in use' "$state/server.log"; then
        cat "$state/server.log" >&2
        exit 1
    fi
    echo "Port 8080 is taken; taking a free one (PORT=… chooses)."
    start_server 127.0.0.1:0 || { cat "$state/server.log" >&2; exit 1; }
fi
pids="$pids $server"
"$vivace" login "$url" --token-file "$state/server/admin-token"
for n in 1 2; do
    "$vivace" worker --server "$url" --token-file "$state/server/worker-token" --state "$state/worker$n" --name "demo-$n" \
        --slots 1 >"$state/worker$n.log" 2>&1 &
    pids="$pids $!"
done

list= # a launch list: kernels that run here, so that profile and traces come from the same program
designs=v100,h100
if [ -z "$input" ]; then
    list=examples/tiny-gpt/launches.json
    step "The example: a small transformer answers three requests; its CUDA kernels run on this CPU"
elif head -c 4096 "$input" 2>/dev/null | grep -q vivace-launch-list; then
    list=$input
    step "Your launch list: $list"
else
    step "Your profile: $input"
fi
if [ -n "$list" ]; then
    traces=$state/all.vtrace
    run ptx run "$list" --trace "$traces" >"$state/run.txt"
    tail -n 1 "$state/run.txt"
    run inspect "$traces"
    step "A pilot: one launch of each shape is simulated, so that the plan knows cycles, not instructions alone"
    input=$state/$(basename "$(dirname "$(realpath "$list")")").json # the workload is called so
    run plan draw "$traces" --pilot "${designs%%,*}" --pilot-out "$input" --error 5% --seed 1 -j 2 --out "$state/local-plan.json"
fi
run inspect "$input"
format=$("$vivace" inspect "$input" --json | field format)

step "Upload and plan for at most 5 % error, 95 times of 100"
run push "$input" --json >"$state/push.json"
profile=$(field profile <"$state/push.json")
[ -z "$list" ] || run push "$traces" --profile "$profile"
run plan create "$profile" --method vivace --error 5% --confidence 95% --seed 1 --json >"$state/plan.json"
plan=$(field id <"$state/plan.json")
run plan show "$plan"

if [ -n "$list" ] || [ "$format" = accel-sim ]; then
    step "Simulate on two designs until the promise is kept: 5 % on each"
    run run create "$plan" --gpu "$designs" --json >"$state/run.json"
    [ -n "$list" ] || run push "$input" --plan "$plan"
else
    step "Replay until the promise is kept: a profile without traces has its measured times"
    run run create "$plan" --engine replay --json >"$state/run.json"
fi
id=$(field id <"$state/run.json")
run run watch "$id" --progress
if [ -n "$list" ] || [ "$format" = accel-sim ]; then
    run run compare "$id"
fi

if [ "$list" = examples/tiny-gpt/launches.json ]; then
    step "Is it true? Every launch of the example, simulated in order with the caches that the one before left"
    run simulate "$traces" --gpu "$designs" --streams serial --caches kept --json >"$state/full.json"
    run run projection "$id" --against "$state/full.json"
fi

printf '\nThe demo took %s s.\n' "$(($(date +%s) - started))"
printf '\nDashboard: %s/runs/%s\nToken:     %s\n' "$url" "$id" "$(cat "$state/server/admin-token")"
[ -z "$once" ] || exit 0
echo "Serving until Ctrl-C."
wait
