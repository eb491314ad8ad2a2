#!/usr/bin/env bash
# mpi - ranks that wait: the share of a core that each uses (limit 3 %), and the time from a send to
# such a rank to its handler (limit of the median 1 ms), for each MPI that is installed.
set -u
cd "$(dirname "$0")/.." || exit 1
. bench/measure.sh
RANKS=${RANKS:-$(size 8 4)}
mpis=$(mpis)
[ -n "$mpis" ] || skip "Wick was built without MPI"
for mpi in $mpis; do
    tests/mpi/run $mpi build/bench-mpi "$RANKS" || exit 1
done
