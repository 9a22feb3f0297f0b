#!/bin/sh
# Tests of this folder: what is counted in recorded output, how a step is recorded, what the table shows.
set -u
cd "$(dirname "$0")"
unset QUICK # of the check that runs this
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
# The text on standard input is what the command prints.
same() {
    name=$1
    shift
    cat >"$dir/want"
    "$@" >"$dir/got" 2>&1
    diff "$dir/want" "$dir/got" || { echo "differs: $name"; bad=1; }
}
count() { awk -v code="$1" -v expect=1 -f count.awk "$2"; }

# TAP: nested tests, a skipped one, a failing one that is marked as to be done, a file that was killed, one that passes, one that died without a word.
for version in 18 20; do
    same "node $version" count 2 "fixtures/node$version.log" <<END
count 6 6 3
failing tests/api/nested.test.mjs: outer > inner fails # with a hash
failing tests/api/nested.test.mjs: outer > inner group > deep fails
failing tests/api/nested.test.mjs: suite > fails in suite
failing tests/api/nested.test.mjs: fails itself
failing tests/api/crash.test.mjs: the file failed as a whole
failing tests/api/silent.test.mjs: ended before its tests did (signal SIGKILL)
END
done
same cmocka count 2 fixtures/cmocka.log <<END
count 2 2 1
failing tests/unit/base/test_conf.c: reads_units
failing tests/unit/base/test_dies.c: signal SIGABRT
END
# tests/run, with the summary lines of cmocka since 1.1.6.
mkdir -p "$dir/tests/unit/base"
printf '#!/bin/sh\nsed -n "2,/1 FAILED/p" "%s/fixtures/cmocka.log"\nexit 1\n' "$PWD" >"$dir/tests/unit/base/test_conf"
chmod +x "$dir/tests/unit/base/test_conf"
sh ../run "$dir/tests/unit/base/test_conf" >"$dir/run.log"
same "tests/run" count 1 "$dir/run.log" <<END
count 1 1 1
failing tests/unit/base/test_conf.c: reads_units
END
same scenarios count 2 fixtures/scenarios.log <<END
count 38 2 0
failing scenario --seed 12
failing scenario --seed 30
END

# Steps: one that passes, one that dies without output, one that is killed, tests of which none ran, make's last line.
step() {
    ./step "$dir/run" "$@"
    echo "$?: $(cut -d ' ' -f 1-3 "$dir/run/$1.row") $(cat "$dir/run/$1.failing")"
}
printf 'includes\n0: 1 0 0 \n' | same "a step that passes" step cppcheck echo includes
printf '1: 0 1 0 exit 3\n' | same "a step without output" step clang-tidy sh -c 'exit 3'
same "a step that is killed" sh -c './step "$1" valgrind sh -c "kill -9 \$\$" >/dev/null 2>&1; cat "$1/valgrind.failing"' - "$dir/run" <<END
signal SIGKILL
END
printf '1: 0 1 0 no test ran\n' | same "no test at all" step scenarios true
same "a failed build" step build sh -c 'echo "make[1]: *** [Makefile:9: a.o] Error 1"; exit 2' <<END
make[1]: *** [Makefile:9: a.o] Error 1
1: 0 1 0 exit 2 (make[1]: *** [Makefile:9: a.o] Error 1)
END
same "single checks" step house sh -c 'echo "ok      one"; echo "FAILED  two"; exit 1' <<END
ok      one
FAILED  two
1: 1 1 0 two
END
grep -qx includes "$dir/run/cppcheck.log" || { echo "differs: the log of a step"; bad=1; }

# The table, of given records.
mkdir "$dir/table"
echo "1 0 0 12" >"$dir/table/build.row"
echo "3 1 2 100" >"$dir/table/unit.row"
echo "tests/unit/base/test_conf.c: reads_units" >"$dir/table/unit.failing"
same "the table" sh -c './table "$1" build unit browser | sed "s|$1|DIR|g"; exit' - "$dir/table" <<END

step                     tests  failed  skipped  seconds
build                        1       0        0       12
unit tests                   6       1        2      100
browser tests          not run
all                          7       1        2         

failed:
  unit tests: tests/unit/base/test_conf.c: reads_units

output of the failed steps: DIR/unit.log

not run: 1 steps

4 passed, 1 failed, 2 skipped
END
ends() { # STATUS STEP...: how the table ends
    want=$1
    shift
    ./table "$dir/table" "$@" >/dev/null
    [ $? -eq "$want" ] || { echo "differs: the table of '$*' does not end with $want"; bad=1; }
}
ends 0 build
ends 1 build unit
ends 1 build browser
ends 1

# All steps, with a make that fails where $FAILING says so, and finds nothing built where the build fails.
mkdir "$dir/bin"
for tool in valgrind clang-format cppcheck clang-tidy chromium-headless-shell; do
    printf '#!/bin/sh\n' >"$dir/bin/$tool"
done
cat >"$dir/bin/make" <<'END'
#!/bin/sh
for target; do :; done
case "$*" in
    *' -q '*) exit "${UNBUILT:-0}" ;;
    *' -n '*) exit 0 ;;
esac
case " $FAILING " in *" $target "*) exit 2 ;; esac
case $target in
    check-build | lint-* | WITH=*) ;;
    *) printf 'ok      one\nok      two\n' ;;
esac
END
chmod +x "$dir/bin/"*
all() { # how the check ends, and each step with its tests and failures
    PATH="$dir/bin:$PATH" MAKE=make sh ./all "$dir/all" >"$dir/all.log" 2>&1
    echo "exit $?"
    awk '/^step / { on = 1; next } on && NF == 0 { exit } on' "$dir/all.log" | sed 's/  */ /g; s/ [0-9]* [0-9]*$//; s/ $//; s/^all .*/&/'
    tail -n 1 "$dir/all.log"
}
printf '%s\n' "exit 0" "build 1 0" "house rules 2 0" "unit tests 2 0" "scenarios 2 0" "API tests 2 0" "web types 2 0" \
    "web unit tests 2 0" "browser tests 2 0" "sanitized unit tests 2 0" "valgrind 2 0" "clang-format 1 0" "cppcheck 1 0" \
    "clang-tidy 1 0" "all 22 0" "22 passed, 0 failed, 0 skipped" |
    FAILING= same "a check that passes" all
printf '%s\n' "exit 0" "build 1 0" "house rules 2 0" "unit tests 2 0" "API tests 2 0" "web types 2 0" "web unit tests 2 0" \
    "browser tests 2 0" "clang-format 1 0" "all 14 0" "14 passed, 0 failed, 0 skipped" |
    QUICK=1 FAILING= same "a quick check" all
printf '%s\n' "exit 1" "build 1 0" "house rules 1 1" "unit tests 2 0" "scenarios 2 0" "API tests 2 0" "web types 2 0" \
    "web unit tests 2 0" "browser tests 1 1" "sanitized unit tests 2 0" "valgrind 2 0" "clang-format 1 1" "cppcheck 1 0" \
    "clang-tidy 1 0" "all 20 3" "17 passed, 3 failed, 0 skipped" |
    FAILING="check-house check-web-browser lint-format" same "a check with failing steps" all
printf '%s\n' "exit 1" "build 1 1" "house rules 2 0" "unit tests not run" "scenarios not run" "API tests not run" \
    "web types not run" "web unit tests not run" "browser tests not run" "sanitized unit tests not run" "valgrind not run" \
    "clang-format 1 0" "cppcheck 1 0" "clang-tidy 1 0" "all 6 1" "5 passed, 1 failed, 0 skipped" |
    UNBUILT=1 FAILING=check-build same "a check whose build fails" all
# The step packages is deploy/check's.
mkdir "$dir/packages"
echo "0 1 0 5" >"$dir/packages/packages.row"
echo "exit 77" >"$dir/packages/packages.failing"
PATH="$dir/bin:$PATH" MAKE=make FAILING= CHECK_DIR="$dir/packages" sh ./all unused >"$dir/all.log" 2>&1 &&
    { echo "differs: failed packages do not fail the check"; bad=1; }
grep -q '^packages  *1  *1  *0  *5$' "$dir/all.log" && grep -q '^22 passed, 1 failed, 0 skipped$' "$dir/all.log" ||
    { echo "differs: the row of the packages"; bad=1; }

# The step tools runs beside the build. If it fails, the other steps still run.
for failing in "" WITH=check; do
    echo "1 0 0 5" >"$dir/packages/packages.row"
    : >"$dir/packages/packages.failing"
    PATH="$dir/bin:$PATH" MAKE=make FAILING=$failing CHECK_DIR="$dir/packages" sh ./all unused >"$dir/all.log" 2>&1
    code=$?
    [ "$code" = "${failing:+1}" ] || [ "$code$failing" = 0 ] || { echo "differs: the end of a check, tools: $failing"; bad=1; }
    passed=24 failed=0
    [ -z "$failing" ] || passed=23 failed=1
    grep -q "^test tools  *1  *$failed  *0 " "$dir/all.log" && grep -q "^$passed passed, $failed failed, 0 skipped\$" "$dir/all.log" ||
        { echo "differs: the row of the tools, tools: $failing"; bad=1; }
done

# The table of repeated runs.
if command -v "${NODE:-node}" >/dev/null 2>&1; then
    "${NODE:-node}" --test --test-reporter=tap repeat_table.test.mjs >"$dir/table.log" || { cat "$dir/table.log"; bad=1; }
else
    echo "skipped: repeat_table.test.mjs: node is missing"
fi

[ "$bad" = 0 ] && echo "ok      tests/check" || echo "FAILED  tests/check"
exit "$bad"
