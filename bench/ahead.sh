#!/usr/bin/env bash
# How long workers wait for a search that learns: 64 workers, trials of one second, ten parameters.
# The wait is the gap between the end of a trial and the next start on the same worker, as a share
# of the time from the first start to the last. Target: under 2 %. "all at once" means trials that
# all take exactly one second, so that all workers become idle at the same moment.
set -u
. "$(dirname "$0")/measure.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
space=(--set a=0..1.0 --set b=log:1e-5..1e-1 --set c=0..1.0 --set d=1..8 --set e=16..512:step=16
    --set f=relu,tanh,gelu --set g=sgd,adam,rmsprop --set h=ordered:small,medium,large --set i=0..0.5)

# idle JOURNAL: prints the percentage of the workers' time in which they waited for a suggestion.
idle() {
    sed -n 's/^{"\(start\|end\)":[0-9]*,"time":\([0-9.e+-]*\),.*"worker":\([0-9]*\).*/\1 \2 \3/p' "$1" |
        awk '$1 == "start" { if ($3 in since) gap += $2 - since[$3]; begun[$3] = $2 }
             $1 == "end" { work += $2 - begun[$3]; since[$3] = $2 }
             END { printf "%.2f", 100 * gap / (gap + work) }'
}

workers=$(size 64 8) trials=$(size 1280 16)
spread=$(size 0.8..1.2 0.08..0.12) same=$(size 1.0 0.1)
printf '%-12s %14s %14s\n' algorithm 'spread, %' 'all at once, %'
for algorithm in random tpe forest gp auto; do
    row=
    for seconds in $spread $same; do
        "$WICK" run --quiet --no-report --dir "$folder/study" --algorithm $algorithm --trials $trials -n $workers \
            --function sleep --set seconds=$seconds "${space[@]}" || exit 1
        row+=$(printf ' %14s' "$(idle "$folder/study/journal")")
        rm -rf "$folder/study"
    done
    printf '%-12s%s\n' $algorithm "$row"
done
