#!/usr/bin/env bash
# mpi - waiting ranks: the share of a core that each uses (limit 3 %), and the time from a send to
# such a rank until its handler runs (limit of the median 1 ms), for each installed MPI.
set -u
cd "$(dirname "$0")/.." || exit 1
. bench/measure.sh
RANKS=${RANKS:-$(size 8 4)}
mpis=$(mpis)
[ -n "$mpis" ] || skip "Wick was built without MPI"
for mpi in $mpis; do
    tests/mpi/run $mpi build/bench-mpi "$RANKS" || exit 1
done
