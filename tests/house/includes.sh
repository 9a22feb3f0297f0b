#!/bin/sh
# The direction of includes (ARCHITECTURE.md, "Who may include whom"): a folder may include only what its row says.
# Prints each include that points the wrong way; exit 1 when there is one.
set -eu
cd "$(dirname "$0")/../.."
# folder            may include (folders)                                   libraries (header prefixes)
rules='
base                base                                                    openssl zlib.h lzma.h zstd libiberty
sampling/math       base sampling/math
sampling/profile    base sampling/math sampling/profile
sampling/plan       base sampling/math sampling/profile sampling/plan
sampling/allocate   base sampling/math sampling/allocate
sampling/estimate   base sampling/math sampling/profile sampling/plan sampling/allocate sampling/estimate
sampling/checks     base sampling/math sampling/estimate sampling/checks
sampling/cluster    base sampling/math sampling/profile sampling/plan sampling/cluster
sampling/strata     base sampling/math sampling/profile sampling/plan sampling/allocate sampling/estimate sampling/strata
sampling/methods    base sampling/math sampling/profile sampling/plan sampling/estimate sampling/cluster sampling/strata sampling/methods
sampling/parts      base sampling/math sampling/profile sampling/plan sampling/estimate sampling/checks sampling/parts
sampling/sequential  base sampling/math sampling/plan sampling/allocate sampling/estimate sampling/strata sampling/methods sampling/parts sampling/sequential
sampling/time       base sampling/math sampling/profile sampling/plan sampling/estimate sampling/time
simcore/trace       base simcore/trace                                      zstd
simcore/record      base simcore/record                                     zstd zlib.h
simcore/engine      base simcore
simcore/sm          base simcore/sm simcore/engine simcore/observe simcore/trace simcore/counters.h simcore/design.h simcore/mem/mem_port.h simcore/mem/address_map.h simcore/mem/replacement/replacement.h
simcore/sm/scheduler  simcore/sm
simcore/sm/cta      simcore/sm
simcore/mem         base simcore
simcore/mem/path_analytic  base simcore/mem simcore/engine
simcore/mem/path_event  base simcore/mem simcore/engine simcore/design.h
simcore/mem/mshr    base simcore/mem simcore/design.h
simcore/mem/dram    base simcore/mem simcore/engine simcore/design.h
simcore/mem/noc     base simcore/mem simcore/engine simcore/design.h
simcore/mem/hash    base simcore/mem
simcore/mem/replacement  simcore/mem
simcore/observe     base simcore
simcore/footprint   base simcore
simcore/params      simcore/params
simcore/system      base simcore/system simcore/simcore.h simcore/design_read.h   jansson.h
simcore/validation  base simcore
simcore/app         base simcore ptx                                        jansson.h
simcore             base simcore                                            jansson.h zstd
sass                base sass                                               zstd
sass/exec           base sass ptx/forms ptx/memory ptx/list sass/exec
ptx/parse           base ptx/parse
ptx/forms           base ptx/parse ptx/forms
ptx/code            base ptx/parse ptx/forms ptx/code
ptx/memory          base ptx/memory
ptx/decode          base ptx/parse ptx/forms ptx/code ptx/memory ptx/decode
ptx/program         base ptx/parse ptx/code ptx/memory ptx/program
ptx/warp            base ptx/forms ptx/code ptx/memory ptx/program ptx/warp
ptx/ops             base ptx/forms ptx/code ptx/memory ptx/program ptx/warp ptx/ops simcore/trace
ptx/exec            base ptx/code ptx/program ptx/warp ptx/ops ptx/exec
ptx/lower           base ptx/parse ptx/forms ptx/code ptx/lower simcore/trace
ptx/checkpoint      base ptx/memory ptx/program ptx/warp ptx/exec ptx/checkpoint                        zstd
ptx/trace           base ptx/forms ptx/program ptx/warp ptx/exec ptx/lower ptx/checkpoint ptx/trace simcore/trace
ptx/list            base ptx/forms ptx/memory ptx/program ptx/warp ptx/exec ptx/checkpoint ptx/trace ptx/list  jansson.h
ptx/capture         base ptx/parse ptx/program ptx/list ptx/capture      jansson.h
ptx/tools           base ptx/forms ptx/code ptx/warp ptx/exec ptx/list ptx/tools      jansson.h
ptx/runtime         base ptx/parse ptx/memory ptx/program ptx/warp ptx/exec ptx/lower ptx/checkpoint ptx/trace ptx/list ptx/capture ptx/tools ptx/runtime sass simcore/trace simcore/footprint/footprint.h   zstd
ptx/driver          ptx/driver ptx/runtime/api.h
ingest              base ingest sampling/profile sampling/math/hash_index.h sampling/time/timeline.h simcore/trace            sqlite3.h jansson.h yajl zlib.h zstd lzma.h
wire                base sampling wire                                      jansson.h curl
server/platform     base wire server/platform  libpq-fe.h uv.h jansson.h
server/platform/net base wire server/platform  microhttpd.h uv.h jansson.h sodium openssl zstd
server/store        base server/store
server/store/db     base wire server/platform server/store  libpq-fe.h zstd jansson.h
server/store/event  base wire server/store/event  jansson.h
server/store/repo   base ingest sampling wire server/platform server/store  libpq-fe.h zstd jansson.h
server/store/threads  base server/platform server/store  libpq-fe.h uv.h
server/store/cluster  base server/platform server/store  libpq-fe.h
server/store/blob   base wire server/platform server/store  curl openssl sodium zstd
server/domain       base server/store server/domain
server/domain/access  base wire server/platform server/store server/domain  jansson.h sodium
server/domain/share base wire server/platform server/store server/domain  jansson.h sodium
server/domain/import  base ingest sampling simcore/trace wire server/platform server/store server/domain        jansson.h zstd
server/domain/queue base sampling wire server/platform server/store server/domain  jansson.h
server/domain/plan  base ingest sampling simcore/trace wire server/platform server/store server/domain  jansson.h
server/domain/tasks base ingest sampling simcore/trace wire server/platform server/store server/domain  jansson.h
server/domain/project  base ingest sampling simcore/trace wire server/platform server/store server/domain       jansson.h
server/domain/run   base ingest sampling simcore/trace wire server/platform server/store server/domain  jansson.h
server/domain/operate  base wire server/platform server/store server/domain  jansson.h libpq-fe.h
server/api          server/domain server/api
server/api/http     base wire server/platform server/store server/domain server/api  microhttpd.h jansson.h uv.h sodium openssl zstd
server/api/handlers  api base ingest sampling simcore/record simcore/trace wire server/platform server/store server/domain server/api  jansson.h
server/main         base ingest sampling simcore/trace wire server  libpq-fe.h uv.h
worker              base wire worker                                        uv.h curl jansson.h zstd
cli/output          base sampling wire cli/cli.h cli/output  jansson.h
cli/input           base ingest sampling wire simcore/trace cli/cli.h cli/output cli/input
cli/client          base wire cli/cli.h cli/output cli/client  curl jansson.h
cli/run             base sampling cli/nouns.h cli/output cli/input cli/client cli/run
cli/push            base ingest simcore/trace ptx simcore/footprint cli/input cli/client cli/push
cli/farm            base cli/nouns.h cli/input cli/client cli/farm
cli/simulate        base sampling simcore/record simcore/trace simcore/footprint simcore/simcore.h simcore/history.h wire cli/cli.h cli/nouns.h cli/output cli/input cli/simulate  jansson.h
cli/validate        base ingest sampling simcore/validation wire cli/cli.h cli/output cli/input cli/simulate cli/validate
cli/plan            base ingest sampling simcore/system/system.h simcore/system/collective.h wire cli/cli.h cli/nouns.h cli/output cli/input cli/client cli/simulate cli/plan  jansson.h
cli/trace           base ingest simcore/trace wire simcore/footprint simcore/simcore.h cli/cli.h cli/nouns.h cli/output cli/trace  jansson.h
cli/code            base sampling simcore/simcore.h simcore/trace ptx sass wire simcore/footprint cli/cli.h cli/nouns.h cli/output cli/code  jansson.h
cli/design          base simcore/simcore.h simcore/system/system.h simcore/system/collective.h wire cli/nouns.h cli/output cli/client cli/design
cli                 base cli  jansson.h
'
bad=0
folders=$(printf '%s\n' "$rules" | awk 'NF { print $1 }')
for folder in $folders; do
    allowed=$(printf '%s\n' "$rules" | awk -v f="$folder" '$1 == f { $1 = ""; print }')
    for file in "$folder"/*.c "$folder"/*.h; do
        [ -f "$file" ] || continue
        for inc in $(sed -n 's/^ *# *include *["<]\([^">]*\)[">].*/\1/p' "$file"); do
            case $inc in
                # The C library and the system: everything that is none of the libraries we link.
                *jansson*|*microhttpd*|*libpq*|uv.h|sodium*|curl/*|zstd*|lzma.h|zlib.h|openssl/*|sqlite3.h|yajl/*|libiberty/*|*/*.h) ;;
                *) continue ;;
            esac
            case $inc in
                sys/*|netinet/*|arpa/*|linux/*|net/*|asm/*) continue ;;
            esac
            ok=
            for a in $allowed; do
                case $inc in
                    "$a"|"$a"/*|"$a"*.h) ok=1; break ;;
                esac
            done
            if [ -z "$ok" ]; then
                echo "$file includes $inc, which $folder may not" >&2
                bad=1
            fi
        done
    done
done
# Each folder of the programs has a row. In sampling, ptx and cli the rows are layers: a row names only rows before it.
for folder in $(git ls-files 'base/*.[ch]' 'sampling/*.[ch]' 'simcore/*.[ch]' 'sass/*.[ch]' 'ptx/*.[ch]' 'ingest/*.[ch]' \
    'wire/*.[ch]' 'server/*.[ch]' 'worker/*.[ch]' 'cli/*.[ch]' | sed 's|/[^/]*$||' | sort -u); do
    printf '%s\n' "$folders" | grep -qx "$folder" || { echo "$folder has no row in tests/house/includes.sh" >&2; bad=1; }
done
before=
for folder in $folders; do
    before="$before $folder "
    top=${folder%%/*}
    case $top in sampling|ptx|cli) ;; *) continue ;; esac
    for a in $(printf '%s\n' "$rules" | awk -v f="$folder" '$1 == f { $1 = ""; print }'); do
        case $a in "$top"/*.h) continue ;; "$top"/*|"$top") ;; *) continue ;; esac
        case $before in
            *" $a "*) ;;
            *) echo "the row of $folder names $a, which is not before it" >&2; bad=1 ;;
        esac
    done
done
# In the simulator, jansson stays in the design reader and the program (simcore/app has its own row).
for file in $(grep -l 'jansson.h' simcore/*.c simcore/*.h 2>/dev/null || true); do
    case $file in
        simcore/design*) ;;
        *) echo "$file includes jansson.h; only simcore/design* and simcore/app may" >&2; bad=1 ;;
    esac
done
[ "$bad" = 0 ] && echo "ok      includes point the right way" || echo "FAILED  includes that point the wrong way"
exit "$bad"
