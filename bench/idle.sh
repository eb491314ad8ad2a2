#!/usr/bin/env bash
# idle - servers and workers that wait: the share of a core that each uses (limit 3 %), and the time
# from a put to the begin of the task (limit of the median 1 ms), for each MPI that is installed.
set -u
cd "$(dirname "$0")/.." || exit 1
cmake --build build --target bench-idle >/dev/null || exit 1
for mpi in openmpi mpich; do
    [ -e build/lib/wick/wick-$mpi.so ] || { echo "$mpi: not built"; continue; }
    tests/mpi/run $mpi build/bench-idle 4 || exit 1
done
