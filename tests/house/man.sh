#!/bin/sh
# The manual pages: made of every program's and command's --help, with every line of it, and understood by man where there
# is one:  tests/house/man.sh BUILD
set -eu
build=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
sh docs/man/pages.sh "$build" "$out"
fail() { echo "FAILED  manual pages: $*"; exit 1; }

# Text of a page without its macros and escapes, and of a help without what becomes headings.
plain() {
    sed -e '/^\.SH NAME/{N;d;}' -e '/^\.[TSn]/d' -e 's/^\\&//' -e "s/\\\\(aq/'/g" -e 's/\\(ga/`/g' -e 's/\\(ha/^/g' \
        -e 's/\\(ti/~/g' -e 's/\\-/-/g' -e 's/\\e/\\/g' "$1"
}
words() { grep -v '^[A-Z][^.:]*:$' | sed -e '1s/^usage: //' -e 's/^ *//' | grep -v '^$' || true; }
same() {
    plain "$1" | words >"$out/page"
    page=$1
    shift
    "$@" --help | words >"$out/help"
    diff "$out/help" "$out/page" >&2 || fail "$page and --help differ"
}
same "$out/man8/vivace-server.8" "$build/vivace-server"
same "$out/man1/vivace-sim.1" "$build/vivace-sim"
count=0
for page in "$out"/man1/vivace-*.1; do
    command=$(basename "$page" .1)
    command=${command#vivace-}
    [ "$command" = sim ] && continue
    noun=${command%%-*}
    verb=${command#"$noun"}
    same "$page" "$build/vivace" "$noun" ${verb:+"${verb#-}"}
    count=$((count + 1))
done
[ "$count" -ge 80 ] || fail "only $count commands have a page"
for page in "$out"/man?/*; do
    awk 'NR == 1 && !/^\.TH /  || /^[.\047]/ && !/^\.(TH|SH|nf)( |$)/ { bad = 1; print FILENAME ": " $0 } END { exit bad }' "$page" || fail "$page"
    if command -v groff >/dev/null; then
        said=$(groff -man -Tutf8 -K utf8 -ww "$page" 2>&1 >/dev/null | grep -v 'cannot adjust line\|cannot break line' || true)
        [ -z "$said" ] || fail "$page: $said"
    fi
done
echo "ok      manual pages: $((count + 4))"
