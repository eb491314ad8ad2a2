#!/usr/bin/env bash
# mpi - ranks that wait: the share of a core that each uses (limit 3 %), and the time from a send to
# such a rank to its handler (limit of the median 1 ms), for each MPI that is installed.
set -u
cd "$(dirname "$0")/.." || exit 1
RANKS=${RANKS:-8}
cmake --build build --target bench-mpi >/dev/null || exit 1
for mpi in openmpi mpich; do
    [ -e build/lib/wick/wick-$mpi.so ] || { echo "$mpi: not built"; continue; }
    tests/mpi/run $mpi build/bench-mpi "$RANKS" || exit 1
done
