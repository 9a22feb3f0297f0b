#!/bin/sh
# tests/api/initdb.sh: initdb for tests. The first call with some options makes a cluster and keeps it; further ones copy it.
# The harness fills in where the real program is and where clusters are kept. In all unusual cases the real one runs.
real='@REAL@'
kept='@KEPT@'

data='' key=$("$real/initdb" --version)
want_data=
for arg; do
  if [ "$want_data" ]; then
    data=$arg want_data=
  elif [ "$arg" = -D ]; then
    want_data=yes
  elif [ "${arg#--pwfile=}" != "$arg" ]; then
    key="$key $(cksum <"${arg#--pwfile=}")" # whatever its path
  else
    key="$key $arg"
  fi
done
cluster=$kept/$(id -u)-$(printf '%s' "$key" | cksum | tr ' ' -)
[ "$data" ] || exec "$real/initdb" "$@"

if [ ! -d "$cluster" ]; then
  "$real/initdb" "$@" || exit
  mine=$cluster.$$
  # Several processes may create a cluster at once: the first rename wins, and the others use their own.
  { cp -a --reflink=auto -- "$data" "$mine" && mv -T -n -- "$mine" "$cluster"; } 2>/dev/null
  rm -rf -- "$mine"
  exit 0
fi
[ -O "$cluster" ] && cp -a --reflink=auto -- "$cluster" "$data" && exit 0
rm -rf -- "$data"
exec "$real/initdb" "$@"
