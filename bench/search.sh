#!/usr/bin/env bash
# bench/search.c with its peers; options are passed on. Each race is kept in build/search-races.csv,
# and those of the peers, which take most of the time, are not run again.
set -u
[ -z "${BENCH_ALL-}" ] || set -- --quick "$@"
tools/packages bench || echo "The peers are left out."
cmake --build build --target bench-search >/dev/null || exit 1
exec build/bench-search --csv build/search-races.csv "$@"
