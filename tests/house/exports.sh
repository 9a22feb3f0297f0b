#!/bin/sh
# Names that built files offer to shared libraries: a program none, or a library that it loads would call its function of the
# same name; the CUDA libraries those of their interface:  tests/house/exports.sh BUILD
set -eu
build=$1
bad=0
# Names with a version of another library are copies of its variables (stdout@GLIBC_2.2.5). So are the sanitizers' names, which
# have no version.
offered() { nm -D --defined-only "$1" | awk '{ print $NF }'; }
none_but() {
    file=$1 pattern=$2
    [ -f "$build/$file" ] || return 0
    names=$(offered "$build/$file" | grep -Ev "$pattern" | tr '\n' ' ') || true
    [ -z "$names" ] || { echo "$build/$file exports: $names" >&2; bad=1; }
}
command -v nm >/dev/null || { echo "skipped exported names: no nm"; exit 0; }
for program in vivace vivace-server vivace-worker vivace-sim; do none_but "$program" '@GLIBC|^__(asan|lsan|tsan|ubsan)_'; done
none_but libcudart.so.13 \
    '^(__)?cuda[A-Za-z0-9_]*(@@libcudart\.so\.13|@libcudart\.so\.(12|11\.0))$|^(libcudart\.so\.(13|12|11\.0)@?@?){1,2}$'
none_but libcuda.so.1 '^cu[A-Z]'
[ "$bad" = 0 ] && echo "ok      exported names" || echo "FAILED  exported names"
exit "$bad"
