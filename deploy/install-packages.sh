#!/bin/sh
# Installs the Debian packages named as arguments that are not there yet; `make deps` calls it. A name with "|"
# is satisfied by a command of the first word: "node|nodejs" installs nodejs only where `node` is missing.
set -eu
. deploy/bootstrap.sh
missing=
for p; do
    case $p in
        *'|'*) command -v "${p%%|*}" >/dev/null 2>&1 || missing="$missing ${p#*|}" ;;
        *) [ "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null)" = "install ok installed" ] || missing="$missing $p" ;;
    esac
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    echo "make deps: this is not Debian. Please install what corresponds to:$missing" >&2
    exit 69
fi
echo "Installing$missing"
as_root apt-get update -qq
# shellcheck disable=SC2086
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
