#!/bin/sh
# tests/house/cycles finds a call to a floor above, a folder on no floor, a cycle of folders, and a cycle of seven files.
#   CC=gcc tests/house/cycles_test.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/tests/house"
cp "$here/cycles" "$dir/tests/house/"
bad=0
# file NAME CALLS...: a source whose function has the name of the file and calls these.
file() {
    path=$1
    name=$(basename "$path")
    shift
    mkdir -p "$dir/$(dirname "$path")" "$dir/build/obj/$(dirname "$path")"
    {
        for f in "$@"; do echo "void $f(void);"; done
        echo "void $name(void);"
        echo "void $name(void)"
        echo "{"
        for f in "$@"; do echo "    $f();"; done
        echo "}"
    } >"$dir/$path.c"
    ${CC:-cc} -c -o "$dir/build/obj/$path.o" "$dir/$path.c"
}
# expect PASS|FAIL TEXT: how cycles ends, and a line that it prints.
expect() {
    if sh "$dir/tests/house/cycles" build >"$dir/out" 2>&1; then got=PASS; else got=FAIL; fi
    if [ $got != "$1" ] || ! grep -qxF -e "$2" "$dir/out"; then
        echo "expected $1 with the line: $2" >&2
        cat "$dir/out" >&2
        bad=1
    fi
    rm -rf "$dir/build" "$dir/cli" "$dir/gen" "$dir/sampling" "$dir/server" "$dir/simcore"
}
clean='ok      no cycles between folders, no calls to a floor above'

file server/platform/child
file server/store/db/rows child
file server/domain/run/planner rows child
expect PASS "$clean"

file server/store/db/rows planner
file server/domain/run/planner
expect FAIL 'upward  server/store/db/rows -> server/domain/run/planner: planner'

file sampling/strata/cut
file sampling/methods/method cut
file server/domain/plan/planner method
expect PASS "$clean"

file sampling/strata/cut method
file sampling/methods/method
expect FAIL 'upward  sampling/strata/cut -> sampling/methods/method: method'

file cli/commands inspect
file cli/plan/inspect number
file cli/output/number
expect PASS "$clean"

file server/api/handlers/farm_get
file gen/api/routes farm_get
file cli/client/farm_get
file cli/run/show farm_get
expect PASS "$clean"

file cli/commands
file cli/plan/inspect commands
expect FAIL 'upward  cli/plan/inspect -> cli/commands: commands'

file sampling/math/quantile
file sampling/other/draw quantile
expect FAIL 'floor   sampling/other/draw is on none: add its folder to the list'

file server/domain/run/planner projector
file server/domain/project/projector planner
expect FAIL 'cycle   folders: server/domain/project server/domain/run'

file simcore/sm/issue breadth_first
file simcore/sm/cta/breadth_first issue
expect FAIL 'cycle   folders: simcore/sm simcore/sm/cta'

for n in 1 2 3 4 5; do file server/store/db/f$n f$((n + 1)); done
file server/store/db/f6 f1
expect PASS "$clean"

for n in 1 2 3 4 5 6; do file server/store/db/f$n f$((n + 1)); done
file server/store/db/f7 f1
expect FAIL 'cycle   7 files: server/store/db/f1 server/store/db/f2 server/store/db/f3 server/store/db/f4 server/store/db/f5 server/store/db/f6 server/store/db/f7'

[ "$bad" = 0 ] && echo "ok      the check of cycles" || echo "FAILED  the check of cycles"
exit "$bad"
