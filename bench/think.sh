#!/usr/bin/env bash
# How long `auto` takes for 20,000 trials of a function of microseconds, compared with `random`,
# which does not think at all. Both run in turn, so that other load on the machine meets both.
# Prints the median of the ratios. Limit: 1.10.
set -u
. "$(dirname "$0")/measure.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trials=$(size 20000 500) rounds=$(size 15 3)

# seconds ALGORITHM SEED: prints how long a whole run takes, with its report.
seconds() {
    local TIMEFORMAT=%R
    rm -rf "$folder/study"
    { time "$WICK" run --dir "$folder/study" --function branin --trials "$trials" --workers 2 \
        --algorithm "$1" --seed "$2" >"$folder/out" 2>&1; } 2>&1
}

for round in $(seq "$rounds"); do
    echo "$(seconds random "$round") $(seconds auto "$round")"
done >"$folder/times"
awk '{ print $2 / $1 }' "$folder/times" | sort -n | awk -v trials="$trials" '
    { ratio[NR] = $1 }
    END { printf "%d trials of branin with 2 workers, auto / random: %.3f (%.2f of the limit 1.10)\n",
          trials, ratio[int((NR + 1) / 2)], ratio[int((NR + 1) / 2)] / 1.1 }'
