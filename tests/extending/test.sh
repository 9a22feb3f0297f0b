#!/bin/sh
# The examples of docs/extending.md: are the patches there right?   tests/extending/test.sh BUILD
# What a patch touches is compiled anew in front of the built library; the rest of the library does not depend on it.
set -eu
cd "$(dirname "$0")/../.."
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED  example of docs/extending.md: $*"; exit 1; }

# Patch number $1 of the text, applied to a copy of what the patches touch: $work/$2/tree.
patched() {
    mkdir -p "$work/$2/tree/simcore/mem"
    cp -R simcore/components.h simcore/params "$work/$2/tree/simcore/"
    cp -R simcore/mem/replacement "$work/$2/tree/simcore/mem/"
    awk -v want="$1" '/^```/ { inside = 0 } inside && n == want; /^```diff$/ { inside = 1; n++ }' docs/extending.md >"$work/$2/patch"
    (cd "$work/$2/tree" && GIT_CEILING_DIRECTORIES=$work git apply "$work/$2/patch") || fail "patch $1 does not apply"
}

# The program tests/extending/$1.c with sources $2... compiled anew, as $work/$1/program.
program() {
    name=$1
    shift
    flags="-std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Wshadow -Werror -I$work/$name/tree -I. -I$build/gen"
    for c in "tests/extending/$name.c" "$@"; do
        # shellcheck disable=SC2086
        ${CC:-gcc} $flags -c -o "$work/$name/$(basename "$c" .c).o" "$c" || fail "$c does not compile"
    done
    # shellcheck disable=SC2046
    ${CC:-gcc} -o "$work/$name/program" "$work/$name"/*.o "$build/libsimcore.a" "$build/librecord.a" "$build/libtrace.a" \
        "$build/libbase.a" $(pkg-config --libs jansson libcrypto libzstd liblzma zlib) -lbz2 -liberty -lm -lpthread || fail "it does not link"
}

patched 1 replacement
[ "$(wc -l <"$work/replacement/patch")" -le 45 ] || fail "the first example is longer than 45 lines"
program replacement simcore/design_params.c simcore/mem/l2.c simcore/mem/tag_set.c simcore/sm/l1.c
"$work/replacement/program" || fail "the policy does not do what it should"

patched 2 parameter
# shellcheck disable=SC2046
program parameter $(ls simcore/design*.c | grep -v builtin)
hash=$(sed -n 's/.*{"v100", "\([0-9a-f]*\)"}.*/\1/p' tests/unit/simcore/test_design_defaults.c)
"$work/parameter/program" "$hash" || fail "the parameter does not do what it should"
echo "ok      examples of docs/extending.md"
