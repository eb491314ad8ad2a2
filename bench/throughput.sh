#!/usr/bin/env bash
# throughput - how fast Wick gets trials done, and what this costs.
#
#   1. a million noop trials (NOOPS; random search, 4 parameters, 2 workers), with the journal synced
#      and the report written: limits 15 s and 500 MB; then `wick status` on it: limit 3 s
#   2. trials that are a process (`true`), compared with `xargs -P2 -n1 true` in the same run, in
#      turn: at least 0.8 of its rate. The median of several rounds counts.
set -u
. "$(dirname "$0")/measure.sh"
WICK=${WICK:-build/wick}
ROUNDS=${ROUNDS:-$(size 5 1)}
COUNT=${COUNT:-$(size 2000 100)}
NOOPS=${NOOPS:-$(size 1000000 20000)}
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN {printf "%.3f", b - a}'; }
median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

for round in $(seq "$(size 3 1)"); do
    rm -rf "$T/noop"
    start=$(now)
    "$WICK" run --function noop --algorithm random --trials "$NOOPS" -n 2 --dir "$T/noop" >/dev/null 2>&1 &
    pid=$!
    peak=0
    while kill -0 $pid 2>/dev/null; do
        kb=$(awk '/VmHWM/ {print $2}' /proc/$pid/status 2>/dev/null)
        [ "${kb:-0}" -gt $peak ] && peak=$kb
        sleep 0.05
    done
    wait $pid || exit 1
    since "$start" >>"$T/run"
    echo >>"$T/run"
    echo $((peak / 1024)) >>"$T/memory"
    start=$(now)
    "$WICK" status "$T/noop" >/dev/null || exit 1
    since "$start" >>"$T/status"
    echo >>"$T/status"
done
printf '%-9d noop trials   %6.2f s    (limit 15 s for a million)\n' "$NOOPS" "$(median <"$T/run")"
printf '  its peak memory       %6d MB   (limit 500 MB)\n' "$(median <"$T/memory")"
printf '  its journal           %6d MB\n' $(($(stat -c %s "$T/noop/journal") / 1000000))
printf '  wick status on it     %6.2f s    (limit 3 s)\n' "$(median <"$T/status")"
rm -rf "$T/noop"

# `true` prints no score, so its trials end as "no score": the work around them is the same.
for round in $(seq "$ROUNDS"); do
    start=$(now)
    seq "$COUNT" | xargs -P2 -n1 true
    peer=$(since "$start")
    rm -rf "$T/true"
    start=$(now)
    "$WICK" run --quiet --dir "$T/true" --trials "$COUNT" -n 2 --no-report --halt off --keep none \
        --set x=1..1000000 -- true \
        2>/dev/null
    own=$(since "$start")
    awk -v p="$peer" -v o="$own" 'BEGIN {print p / o}' >>"$T/ratio"
    awk -v n="$COUNT" -v p="$peer" -v o="$own" \
        'BEGIN {printf "%d trials of `true`: xargs %.0f/s, wick %.0f/s\n", n, n / p, n / o}'
done
printf 'process trials, ratio to xargs (median of %d): %.2f   (at least 0.80)\n' "$ROUNDS" \
    "$(median <"$T/ratio")"
