# Sourced by deploy/demo and deploy/check: on a machine that has not even make, gets make; then what `make deps`
# lists. With sudo where not root; without either, only installed packages can be used, and make reports what is
# missing. Expects to be in the project's root.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "deploy: '$*' needs root and there is no sudo" >&2
        return 77
    fi
}
if ! command -v make >/dev/null 2>&1; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "deploy: please install make and the packages that 'make deps' names, then run this again" >&2
        exit 69
    fi
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends make >/dev/null
fi
