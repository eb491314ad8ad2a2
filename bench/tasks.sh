#!/usr/bin/env bash
# tasks - tasks that do nothing over MPI, compared with a bare loop of requests and replies on the
# same ranks, in turn. The medians of several rounds count; the best rounds show the ratio when
# nobody else uses the machine. Targets:
#
#   one server, at 2, 4 and 8 ranks: at least 0.6 of the bare loop, with batches and one by one
#   two servers at 8 ranks: at least as fast as one
set -u
cd "$(dirname "$0")/.." || exit 1
. bench/measure.sh
ROUNDS=${ROUNDS:-$(size 5 1)}
SECONDS_EACH=${SECONDS_EACH:-$(size 0.5 0.05)}
RANKS=${RANKS:-$(size '2 4 8' 8)}
mpis=$(mpis)
[ -n "$mpis" ] || skip "Wick was built without MPI"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT

# once NAME PROGRAM [ARGUMENT...]: COUNT stands for a number that takes about SECONDS_EACH.
once() {
    local name=$1 program=$2 count rate
    shift 2
    count=$(cat "$T/$name.count" 2>/dev/null || echo 2000)
    rate=$(tests/mpi/run "$mpi" "build/$program" "$ranks" "$count" "$@") || exit 1
    awk -v r="$rate" -v s="$SECONDS_EACH" 'BEGIN {n = int(r * s); print n < 500 ? 500 : n}' \
        >"$T/$name.count"
    echo "$rate"
}

# compare NAME FILE PEER FILE WANTED: compares two files of rates.
compare() {
    paste <(sort -g "$T/$2.rates") <(sort -g "$T/$4.rates") |
        awk -v where="$mpi, $ranks ranks" -v name="$1" -v peer="$3" -v wanted="$5" '
            {own[NR] = $1; other[NR] = $2}
            END {
                m = int((NR + 1) / 2)
                printf "%s, %s: %d/s, %s %d/s, ratio %.2f (best %.2f), wanted %.2f\n", where, name,
                    own[m], peer, other[m], own[m] / other[m], own[NR] / other[NR], wanted
            }'
}

for mpi in $mpis; do
    for ranks in $RANKS; do
        rm -f "$T"/*
        for round in $(seq "$(size 0 1)" "$ROUNDS"); do # 0 only finds out how many
            [ "$round" -ne 1 ] || rm -f "$T"/*.rates
            once bare bench-bare-$mpi >>"$T/bare.rates" || exit 1
            once many bench-tasks 0 1 >>"$T/many.rates" || exit 1
            once single bench-tasks 1 1 >>"$T/single.rates" || exit 1
            [ $ranks -eq 8 ] || continue
            once many2 bench-tasks 0 2 >>"$T/many2.rates" || exit 1
            once single2 bench-tasks 1 2 >>"$T/single2.rates" || exit 1
        done
        compare 'in batches' many 'bare' bare 0.60
        compare 'one by one' single 'bare' bare 0.60
        [ $ranks -eq 8 ] || continue
        compare 'two servers, in batches' many2 'one server' many 1.00
        compare 'two servers, one by one' single2 'one server' single 1.00
    done
done
