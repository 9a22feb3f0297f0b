#!/bin/sh
# Replaces Nsight Compute: a dry run writes the CSV that `ncu --csv` writes, with rows of two metrics a launch;
# otherwise FAKE_LOG gets a line with what was asked for. FAKE_LAUNCHES and FAKE_WRONG as in fake_tracer.sh.
set -eu
log='' id='' skip='' count=''
while [ $# -gt 0 ]; do
    case $1 in
        --log-file) log=$2 ;;
        --kernel-id) id=$2 ;;
        --launch-skip) skip=$2 ;;
        --launch-count) count=$2 ;;
        --csv | --force-overwrite)
            shift
            continue
            ;;
        --*) ;;
        *) break ;;
    esac
    shift 2
done
if [ -z "$log" ]; then
    echo "$id $skip $count program $*" >>"$FAKE_LOG"
    exit
fi
awk -v wrong="${FAKE_WRONG-0}" '
BEGIN {
    print "==PROF== Connected to process 4711"
    print "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\""
}
{
    if (NR == wrong) $2 += 1
    for (m = 0; m < 2; m++)
        printf "\"%d\",\"4711\",\"python\",\"127.0.0.1\",\"%s\",\"9\",\"7\",\"(%d, %d, %d)\",\"(%d, %d, %d)\",\"0\",\"9.0\",\"x\",\"m%d\",\"thread\",\"1,024\"\n", \
            NR - 1, $1, $5, $6, $7, $2, $3, $4, m
}' "$FAKE_LAUNCHES" >"$log"
