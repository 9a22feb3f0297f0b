#!/bin/sh
# The example of docs/extending.md: is the patch there right?   tests/extending/test.sh BUILD
# What the patch touches is compiled anew in front of the built library; the rest of the library does not depend on it.
set -eu
cd "$(dirname "$0")/../.."
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED  example of docs/extending.md: $*"; exit 1; }

mkdir -p "$work/tree/simcore/mem"
cp simcore/components.h "$work/tree/simcore/"
cp -R simcore/mem/replacement "$work/tree/simcore/mem/"
sed -n '/^```diff$/,/^```$/p' docs/extending.md | sed '1d;$d' >"$work/patch"
(cd "$work/tree" && GIT_CEILING_DIRECTORIES=$work git apply "$work/patch") || fail "the patch does not apply"
[ "$(wc -l <"$work/patch")" -le 45 ] || fail "the example is longer than 45 lines"
flags="-std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Wshadow -Werror -I$work/tree -I. -I$build/gen"
for c in tests/extending/replacement.c simcore/design_params.c simcore/mem/l2.c simcore/mem/tag_set.c simcore/sm/l1.c; do
    # shellcheck disable=SC2086
    ${CC:-gcc} $flags -c -o "$work/$(basename "$c" .c).o" "$c" || fail "$c does not compile"
done
# shellcheck disable=SC2046
${CC:-gcc} -o "$work/replacement" "$work"/*.o "$build/libsimcore.a" "$build/librecord.a" "$build/libtrace.a" "$build/libbase.a" \
    $(pkg-config --libs jansson libcrypto libzstd liblzma zlib) -liberty -lm -lpthread || fail "it does not link"
"$work/replacement" || fail "it does not do what it should"
echo "ok      example of docs/extending.md"
