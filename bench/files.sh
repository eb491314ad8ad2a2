#!/usr/bin/env bash
# files - how often a run changes and opens names in its study folder, counted by strace. On a
# cluster, each of these is a request to the one metadata server of a shared file system.
#
#   1. trials that run for long and print all the time, on 1, 4 and 16 workers: at most 2 creations,
#      renames and removals a second, and at most 4 openings, whatever the number of workers
#   2. short trials, for each of them: of a command, of a command that uses {params} and {result},
#      and of a Python function. No limit
#
# The journal, kept logs and checkpoints do not count: they have to be written. SECONDS_EACH is how
# long 1. counts.
set -u
cd "$(dirname "$0")/.." || exit 1
. bench/measure.sh
WICK=$(realpath "${WICK:-build/wick}")
each=${SECONDS_EACH:-$(size 20 2)}
trials=$(size 200 20)
count=$PWD/tests/cli/count-files
command -v strace >/dev/null || skip "strace is not installed"
strace -f -o /dev/null --seccomp-bpf -e trace=openat true 2>/dev/null || skip "nothing can be traced here"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
mkfifo silence
cat >prints <<'PROGRAM'
exec 3<>silence
echo >>started
while [ ! -e end ]; do echo "an epoch"; read -t 0.1 -u 3; done
echo "score: 1"
PROGRAM
echo 'def f(x): return x' >model.py

# per LABEL DIVISOR UNIT LIMITS CHANGES OPENS LOOKUPS: prints a line.
per() {
    awk -v label="$1" -v by="$2" -v unit="$3" -v limits="$4" -v changes="$5" -v opens="$6" -v lookups="$7" 'BEGIN {
        printf "%-40s %5.2f changes, %5.2f opens, %5.2f lookups %s%s\n", label, changes / by, opens / by,
            lookups / by, unit, limits
        exit limits != "" && (changes > 2 * by || opens > 4 * by)
    }'
}

code=0
for workers in 1 4 16; do
    rm -rf end started long.wick
    "$count" trace trace "$WICK" run --quiet --no-report --dir long.wick --trials $workers -n $workers \
        --set x=1..999 --pass none --cores 1 -- bash prints 2>errors &
    while [ "$(cat started 2>/dev/null | wc -l)" -lt $workers ]; do
        kill -0 $! 2>/dev/null || { cat errors >&2; exit 1; }
        sleep 0.05
    done
    from=$(date +%s.%N)
    sleep "$each"
    to=$(date +%s.%N)
    touch end
    wait $! || exit 1
    per "$workers printing trials" "$(awk "BEGIN {print $to - $from}")" 'a second' '   (limits 2 and 4)' \
        $("$count" count trace long.wick "$from" "$to") || code=1
done

# short LABEL OPTION...: the same study of one trial is taken off.
short() {
    local label=$1 n before
    shift
    for n in 1 $((trials + 1)); do
        rm -rf short.wick
        "$count" trace trace "$WICK" run --quiet --no-report --dir short.wick --trials $n -n 1 --keep none \
            --algorithm random --set x=0.0..1.0 "$@" 2>errors || { cat errors >&2; exit 1; }
        [ $n = 1 ] && before=$("$count" count trace short.wick)
    done
    per "$label" $trials 'a trial' '' $(echo $before $("$count" count trace short.wick) |
        awk '{print $4 - $1, $5 - $2, $6 - $3}')
}
short 'a short command' --pass none -- echo score: 1
short '  that uses {params} and {result}' --pass none --score x -- cp '{params}' '{result}'
short 'a Python function' --python model.py:f
exit $code
