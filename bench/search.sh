#!/usr/bin/env bash
# Runs bench/search.c with its peers; options are passed on. Each race is kept in build/search-races.csv,
# and the races of the peers, which take most of the time, are not run again.
set -u
if [ -n "${BENCH_SMALL-}" ]; then # two problems, no peers, and nothing is kept
    exec build/bench-search --seeds 1 --peers none --parallel 8 --problems branin,svm \
        --algorithms random,tpe,forest "$@"
fi
[ -z "${BENCH_ALL-}" ] || set -- --quick "$@"
tools/packages bench || echo "The peers are left out."
exec build/bench-search --csv build/search-races.csv "$@"
