#!/usr/bin/env bash
# reports - steps that programs report over the trial socket: how many are lost, and what they cost.
#
#   1. 8 trials each report 625 steps per second for SECONDS (60): none may be lost, and the wick
#      process uses at most half of a core
#   2. the time from a report until it is in the journal, and until the program is told to stop
#      because of it
set -u
. "$(dirname "$0")/measure.sh"
WICK=$(realpath "${WICK:-build/wick}")
SECONDS_EACH=${1:-${SECONDS_EACH:-$(size 60 2)}}
HERE=$(cd "$(dirname "$0")/reports" && pwd)
[ -x /usr/bin/python3 ] || skip "/usr/bin/python3 is not installed"
T=$(mktemp -d)
trap 'cd /; rm -rf "$T"' EXIT
cd "$T" || exit 1
ticks=$(getconf CLK_TCK)

cat >load.yaml <<END
model: {command: /usr/bin/python3 $HERE/send.py 625 $SECONDS_EACH, score: loss, pass: none}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: 8, workers: 8, stop: {median: {after: 100}}}
END
cat >ask.yaml <<END
model: {command: /usr/bin/python3 $HERE/ask.py, score: loss, pass: none}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: $(size 40 4), workers: 2, stop: {patience: {steps: 1}}}
keep: all
END

start=$(date +%s.%N)
"$WICK" run load.yaml --dir load --quiet --no-report &
pid=$!
/usr/bin/python3 "$HERE/count.py" load/journal $pid >counted &
counter=$!
while read -r -a stat 2>/dev/null </proc/$pid/stat && [ "${stat[2]}" != Z ]; do
    used=$((stat[13] + stat[14]))
    sleep 0.2
done
wait $pid || exit 1
took=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN {print b - a}')
wait $counter
read -r got journal_ms journal_99 <counted
wanted=$((8 * 625 * SECONDS_EACH))
printf '8 trials x 625 reports a second for %d s: %d of %d lost   (limit 0)\n' \
    "$SECONDS_EACH" $((wanted - got)) $wanted
awk -v u="$used" -v h="$ticks" -v t="$took" \
    'BEGIN {printf "processor time of wick: %.3f of a core   (limit 0.5)\n", u / h / t}'
printf 'report to journal: median %.1f ms, 99 %%: %.1f ms\n' "$journal_ms" "$journal_99"

"$WICK" run ask.yaml --dir ask --quiet --no-report || exit 1
cat ask/logs/*.log | awk '/^latency:/ {print 1000 * $2}' | sort -g |
    awk '{v[NR] = $1} END {printf "report to stopper and back, of %d: median %.1f ms, largest %.1f ms   (limit 10 ms)\n", NR, v[int((NR + 1) / 2)], v[NR]}'
