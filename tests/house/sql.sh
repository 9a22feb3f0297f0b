#!/bin/sh
# SQL is in server/store/repo/sql/*.sql. C of the server has none in its strings, except where a connection has no
# prepared statements or a command is meant. Prints each other line; exit 1 when there is one.
set -eu
cd "$(dirname "$0")/../.."
# folder or file                     why
exceptions='
server/store/db/                     transactions, limits of connections, migrations
server/store/cluster/                makes the database of the private cluster
server/domain/operate/backup.c       one snapshot of a foreign connection
server/domain/operate/restore.c      before there is a schema
server/domain/operate/check.c        hints show what an operator may run
server/domain/queue/peer_notify.c    LISTEN and NOTIFY
server/store/repo/repo_leader.c      VACUUM'
words='SELECT|INSERT INTO|UPDATE [a-z_]+ |DELETE FROM|WITH [a-z_]+ AS|JOIN|WHERE|ORDER BY|GROUP BY|LISTEN [a-z]|NOTIFY [a-z]|VACUUM|SAVEPOINT|CREATE (TABLE|ROLE|DATABASE)|ALTER (TABLE|ROLE|SYSTEM)|json_build_object|json_agg'
bad=$(git grep -nE "\"[^\"]*\\b($words)" -- 'server/*.c' 'server/*.h' | while IFS= read -r line; do
    for place in $(printf '%s\n' "$exceptions" | awk 'NF { print $1 }'); do
        case $line in "$place"*) continue 2 ;; esac
    done
    printf '%s\n' "$line"
done)
if [ -n "$bad" ]; then
    printf '%s\n' "$bad" >&2
    echo "FAILED  SQL outside of server/store/repo/sql" >&2
    exit 1
fi
# JSON is made in C (server/store/repo/db_json.h). The database makes one document, which it also stores: the counts of
# a run that is archived.
made=$(git grep -nE 'json_build_object|json_agg|row_to_json|json_object_agg|to_jsonb? *\(' -- 'server/store/repo/sql/*.sql' |
    grep -v '^server/store/repo/sql/tally.sql:') || true
if [ -n "$made" ]; then
    printf '%s\n' "$made" >&2
    echo "FAILED  JSON made in SQL: select ROW(...), see server/store/repo/sql/README.md" >&2
    exit 1
fi
echo "ok      SQL is in .sql files"
