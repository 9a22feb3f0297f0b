#!/bin/sh
# The house rules that a script can see: a README in each folder, programs without marks of unfinished work,
# migrations numbered without gaps in meaning (no number twice), every environment variable and flag documented.
set -eu
cd "$(dirname "$0")/../.."
bad=0
say() { echo "$*" >&2; bad=1; }
for d in api base ingest sampling simcore simcore/trace simcore/app ptx ptx/*/ wire server worker cli schema web deploy tests bench docs examples; do
    [ -f "${d%/}/README.md" ] || say "$d has no README.md"
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
