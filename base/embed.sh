#!/bin/sh
# Writes a C table of files: base/embed.sh TABLE FILE... >out.c (see base/embed.h).
set -eu
table=$1
shift
echo '#include "base/embed.h"'
n=0
for f; do
    echo "static const unsigned char file_$n[] = {"
    od -An -v -tu1 "$f" | sed 's/[0-9][0-9]*/&,/g'
    echo "0};"
    n=$((n + 1))
done
echo "const struct embedded_file $table[] = {"
n=0
for f; do
    echo "    {\"$(basename "$f")\", file_$n, sizeof file_$n - 1},"
    n=$((n + 1))
done
echo "    {NULL, NULL, 0},"
echo "};"
