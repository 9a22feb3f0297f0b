#!/bin/sh
# The two images of deploy/container, built and used:  tests/check/containers.sh BUILD
# The demo runs with its server and its workers in containers, as the images' own user, and must end as it does without them.
# Needs buildah; the base image comes from a registry, or where none answers from debootstrap. Root: no container engine and no
# user namespaces are needed then, `buildah run` changes the root folder only, so that cgroups and networks are not tested.
# Settings: BASE another base image, MIRROR where debootstrap gets Debian from, CA certificates that npm believes.
set -eu
build=$(realpath "$1")
skip() { echo "skipped containers: $*"; exit 0; }
command -v buildah >/dev/null || skip "no buildah"
[ "$(id -u)" = 0 ] || skip "not root"

work=$(mktemp -d "${TMPDIR:-/tmp}/vivace-containers.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
engine() { buildah --root "$work/images" --runroot "$work/run" "$@"; }

base=${BASE:-docker.io/library/debian:12-slim}
if ! engine pull -q "$base" >/dev/null 2>&1; then
    command -v debootstrap >/dev/null || skip "no registry has $base, and there is no debootstrap"
    echo "No registry has $base; making it with debootstrap."
    debootstrap --variant=minbase --include=ca-certificates bookworm "$work/root" ${MIRROR:+"$MIRROR"} >"$work/log" 2>&1 || {
        tail -n 5 "$work/log" >&2
        exit 1
    }
    container=$(engine from scratch)
    engine add -q "$container" "$work/root" / >/dev/null
    base=localhost/debian:12-slim
    engine commit -q "$container" "$base" >/dev/null
    engine rm "$container" >/dev/null
    rm -rf --one-file-system "$work/root"
fi
for target in server worker; do
    engine build -q --pull-never --layers ${CA:+--secret "id=ca,src=$CA"} --build-arg BASE="$base" \
        -f deploy/container/Containerfile --target "$target" -t "vivace-$target" . >/dev/null
    echo "ok      image of the $target"
done

# Programs of the demo: the command line's own, and in place of the two others their images. A wrapper gives the state folder
# to the image's user.
mkdir "$work/bin"
cp "$build/vivace" "$work/bin/"
ln -s "$build"/lib*.so* "$work/bin/"
for target in server worker; do
    engine from -q --pull-never --name "$target" "vivace-$target" >/dev/null
    cat >"$work/bin/vivace-$target" <<EOF
#!/bin/sh
state=
for word; do
    shift
    [ "\$state" = next ] && state=\$word
    [ "\$word" = --state ] && state=next
    set -- "\$@" "\$word"
done
install -d -o 10001 -g 10001 -m 0700 "\$state"
exec buildah --root "$work/images" --runroot "$work/run" run --user 10001:10001 -v "\${state%/*}:\${state%/*}" "$target" -- \
    /usr/local/bin/vivace-$target "\$@"
EOF
    chmod 755 "$work/bin/vivace-$target"
done
sh deploy/run-demo.sh "$work/bin" once ''
echo "ok      the demo in containers"
