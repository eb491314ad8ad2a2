# measure.sh - what the scripts of this folder share; bench/run tells what BENCH_SMALL means.
#
#   size FULL SMALL   prints how much to do: the second number if BENCH_SMALL is set
#   skip REASON       ends the benchmark because something is missing on this machine
#   mpis              prints the MPIs that Wick was built for; reports the others on stderr
size() { [ -n "${BENCH_SMALL-}" ] && echo "$2" || echo "$1"; }

skip() {
    echo "1..0 # skipped: $*"
    exit 77
}

mpis() {
    local mpi found=
    for mpi in openmpi mpich; do
        if [ -e build/lib/wick/wick-$mpi.so ]; then
            found="$found $mpi"
        else
            echo "# skipped: Wick was built without $mpi" >&2
        fi
    done
    echo $found
}
