#!/usr/bin/env bash
# idle - waiting servers and workers: the share of a core that each uses (limit 3 %), and the time
# from a put to the start of the task (limit of the median 1 ms), for each installed MPI.
set -u
cd "$(dirname "$0")/.." || exit 1
. bench/measure.sh
mpis=$(mpis)
[ -n "$mpis" ] || skip "Wick was built without MPI"
for mpi in $mpis; do
    tests/mpi/run $mpi build/bench-idle 4 || exit 1
done
