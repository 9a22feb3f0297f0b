#!/bin/sh
# Words of tests/house/words.txt may only become rarer. Prints each word that more lines have than the list says; exit 1
# when there is one. A smaller count is printed too, so that the list follows.
set -eu
cd "$(dirname "$0")/../.."
lines() {
    git grep -iwE -e "$1" -- '*.c' '*.h' '*.js' '*.mjs' '*.ts' '*.sh' '*.md' 'api/*.json' Makefile ':!tests/house/words.*' \
        ':!CHANGELOG.md' | wc -l
}
limits() { git grep -hoE '\b[A-Z][A-Z0-9]*_(MOST|LEAST)\b' -- '*.c' '*.h' | sort -u; }
bad=0
while IFS='|' read -r most word instead; do
    case $most in '#'*) continue ;; esac
    n=$(lines "$word")
    if [ "$n" -gt "$most" ]; then
        echo "\"$word\" is in $n lines, $((n - most)) more than before; write instead: $instead" >&2
        bad=1
    elif [ "$n" -lt "$most" ]; then
        echo "\"$word\" is in $n lines only: write $n for $most in tests/house/words.txt"
    fi
done <tests/house/words.txt
if [ -n "$(limits)" ]; then
    echo "limits are named _MAX and _MIN, not: $(limits | tr '\n' ' ')" >&2
    bad=1
fi
[ "$bad" = 0 ] && echo "ok      words" || echo "FAILED  words that are not the field's"
exit "$bad"
