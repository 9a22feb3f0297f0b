#!/bin/sh
# The manual pages, from what the programs say of themselves:  docs/man/pages.sh BUILD OUT
# OUT/man1: vivace, each of its commands, each verb of a command (vivace-plan-create), vivace-sim. OUT/man8: vivace-server, vivace-worker.
set -eu
build=$1 out=$2
here=$(dirname "$0")
version=$("$build/vivace" --version | awk '{ print $2 }')
mkdir -p "$out/man1" "$out/man8"

# page NAME SECTION SUMMARY COMMAND...
page() {
    name=$1 section=$2 summary=$3
    shift 3
    "$@" --help >"$out/help.txt"
    awk -v name="$name" -v section="$section" -v version="$version" -v summary="$summary" -f "$here/page.awk" \
        "$out/help.txt" >"$out/man$section/$name.$section"
}

page vivace 1 "sampled simulation of GPU workloads, here and on a farm" "$build/vivace"
page vivace-sim 1 "simulate one kernel launch" "$build/vivace-sim"
page vivace-server 8 "dashboard, API and queue of a GPU simulation farm" "$build/vivace-server"
page vivace-worker 8 "takes jobs from a farm and simulates" "$build/vivace-worker"
"$build/vivace" --help | awk '/^Without a server:/ { list = 1 } list && /^  [a-z]/ { print }' >"$out/commands.txt"
while read -r command summary; do
    case $command in server | worker) continue ;; esac # their pages are the programs'
    page "vivace-$command" 1 "$summary" "$build/vivace" "$command"
    "$build/vivace" "$command" --help </dev/null | awk '/^Verbs:/ { list = 1 } /^`/ { list = 0 } list && /^  [a-z]/' >"$out/verbs.txt"
    while read -r verb what; do
        page "vivace-$command-$verb" 1 "$what" "$build/vivace" "$command" "$verb"
    done <"$out/verbs.txt"
done <"$out/commands.txt"
rm -f "$out/help.txt" "$out/commands.txt" "$out/verbs.txt"
