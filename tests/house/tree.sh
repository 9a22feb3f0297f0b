#!/bin/sh
# The house rules that a script can see: a short README in each folder, links to files that exist, sources without marks
# of unfinished work, no number of a migration twice, no foreign text as markup in the browser.
set -eu
cd "$(dirname "$0")/../.."
bad=0
say() { echo "$*" >&2; bad=1; }
# Folders without a README: every file in them is data, or the README one level up says all.
without='.ci
deploy/kubernetes/components/*
deploy/kubernetes/overlays/*
tests/fuzz/corpus/*'
# A README has at most 15 lines of at most 180 characters. Exception: documentation proper.
longer='tests/check'
listed() { # listed LIST FOLDER: does a pattern of the list match the folder?
    printf '%s\n' "$1" | while read -r pattern; do
        # shellcheck disable=SC2254
        case $2 in $pattern) echo yes ;; esac
    done | grep -q yes
}
for d in $(git ls-files | awk -F/ '{ at = ""; for (i = 1; i < NF; i++) { at = at (i > 1 ? "/" : "") $i; print at } }' | sort -u); do
    [ -d "$d" ] || continue
    if [ ! -f "$d/README.md" ]; then
        listed "$without" "$d" || say "$d has no README.md"
    elif ! listed "$longer" "$d"; then
        [ "$(wc -l <"$d/README.md")" -le 15 ] || say "$d/README.md has more than 15 lines"
        [ "$(LC_ALL=C.UTF-8 wc -L <"$d/README.md")" -le 180 ] || say "$d/README.md has a line of more than 180 characters"
    fi
done
# A link in a document leads to a file that is there.
for doc in $(git ls-files '*.md'); do
    for to in $(grep -oE '\]\([^)# ]+' "$doc" | sed 's/^](//' | grep -v '^https*:' | sort -u); do
        [ -e "$(dirname "$doc")/$to" ] || say "$doc: there is no $to"
    done
done
if git grep -nE '\b(TO[D]O|FI[X]ME|X[X]X|HA[C]K)\b' -- '*.c' '*.h' '*.js' '*.mjs' '*.sql' '*.sh' Makefile >&2; then
    say "marks of unfinished work, see above"
fi
twice=$(ls schema/*.sql 2>/dev/null | sed 's|schema/\([0-9]*\)_.*|\1|' | sort | uniq -d)
[ -z "$twice" ] || say "schema: number used twice: $twice"
# The browser must never be handed foreign text as markup.
if git grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write' -- 'web/*.js' 'web/ui' 'web/views' 'web/charts' >&2; then
    say "web: foreign text could become markup, see above"
fi
[ "$bad" = 0 ] && echo "ok      house rules" || echo "FAILED  house rules"
exit "$bad"
