#!/usr/bin/env bash
# containers - the cost of an image: trials that import a module and exit, with 2 workers.
#
# The files of an image run natively and inside it, one way after the other, in a different order in
# each round, so that other load on the machine affects all ways alike. Ratios are taken within a
# round; the median of the rounds counts. "native again" repeats the native way: its loss shows the
# effect of chance. Limit: with the image started once (a language host), at most 1 % fewer trials
# than natively. By default, it takes about three minutes, and chance makes a difference of a
# percent or two. To be sure:
#   ROUNDS=9 WARM=3000 FRESH=100 bench/run containers
# proot is what udocker runs in its modes P1, and P2 (without the help of seccomp).
set -u
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/../tests/cli/runtimes.sh"
WICK=${WICK:-build/wick}
ROUNDS=${ROUNDS:-$(size 5 1)}
WARM=${WARM:-$(size 1000 20)} # trials that fork in a host
FRESH=${FRESH:-$(size 40 4)}  # trials that start python3
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
now() { date +%s.%N; }
median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

[ -x /usr/bin/python3 ] || skip "python3 is not installed"
"$(dirname "$0")/../tests/cli/make-image" "$T/image" 2>/dev/null ||
    skip "no image can be made of this machine's files"
printf 'import email.message, decimal\nprint("score: 1")\n' >"$T/model.py"

ways="native native-again"
found=
for program in ch-run:charliecloud bwrap:bubblewrap proot:proot; do
    runtime=${program#*:}
    if ! command -v "${program%:*}" >/dev/null; then
        echo "# skipped: $runtime is not installed"
    elif ! runtime_works "$runtime" >"$T/works" 2>&1; then
        echo "# skipped: $runtime does not work here: $(tail -n 1 "$T/works")"
    else
        found="$found $runtime"
    fi
done
[ -n "$found" ] || skip "no container runtime works here: charliecloud, bubblewrap or proot"
ways="$ways$found"
case $ways in *proot*) ways="$ways proot-P2" ;; esac

# study KIND WAY TRIALS: writes the study file. Natively, too, the interpreter and its library are
# those of the image; no further packages are searched for (-S).
study() {
    local model="command: /usr/bin/python3 -S model.py" runtime=${2%-P2}
    case $2 in
    native*)
        model="command: $T/image/usr/bin/python3 -S model.py, env: {PYTHONHOME: $T/image/usr}"
        runtime=none
        ;;
    esac
    [ "$1" = fresh ] || model="$model, warm: true"
    printf 'model: {%s}\nspace: {x: {float: [0, 1]}}\nsearch: {algorithm: random, trials: %d}\n' \
        "$model" "$3"
    printf 'container: {image: %s/image, runtime: %s}\n' "$T" "$runtime"
}

# measure KIND WAY TRIALS: prints trials per second, and milliseconds of processor time per trial.
measure() {
    local start processor TIMEFORMAT='%U %S'
    study "$1" "$2" "$3" >"$T/study.yaml"
    rm -rf "$T/run"
    [ "$2" = proot-P2 ] && export PROOT_NO_SECCOMP=1 || unset PROOT_NO_SECCOMP
    start=$(now)
    processor=$({ time "$WICK" run "$T/study.yaml" --dir "$T/run" -n 2 --quiet --no-report --keep none \
        >/dev/null 2>"$T/err"; } 2>&1)
    if ! grep -q '"close":.*"done"' "$T/run/journal" 2>/dev/null; then
        cat "$T/err" >&2
        return 1
    fi
    awk -v a="$start" -v b="$(now)" -v n="$3" -v p="$processor" \
        'BEGIN {split(p, part, " "); print n / (b - a), (part[1] + part[2]) * 1000 / n}'
}

# of KIND WAY: prints the rate and the cost of the last round.
of() { tail -n 1 "$T/$1-$2.$3"; }
quotient() { awk -v a="$1" -v b="$2" 'BEGIN {print a / b}'; }

for round in $(seq "$ROUNDS"); do
    for kind in warm:$WARM fresh:$FRESH; do
        name=${kind%:*}
        for way in $(shuf -e $ways); do
            read -r rate cost < <(measure "$name" "$way" "${kind#*:}") ||
                { echo "$way: the study did not run to its end" >&2; exit 1; }
            echo "$rate" >>"$T/$name-$way.rate"
            echo "$cost" >>"$T/$name-$way.cost"
        done
        for way in $ways; do
            quotient "$(of "$name" "$way" rate)" "$(of "$name" native rate)" >>"$T/$name-$way.ratio"
            quotient "$(of "$name" "$way" cost)" "$(of "$name" native cost)" >>"$T/$name-$way.more"
        done
    done
done

# The loss is by the clock. On a machine with other users, the cost in processor time is more reliable.
for kind in warm fresh; do
    [ $kind = warm ] && echo 'the image once per worker (a language host)' ||
        echo 'the image for each trial'
    printf '  %-14s %10s %8s %18s %8s\n' runtime trials/s loss 'processor, ms' more
    for way in $ways; do
        awk -v w="$way" -v r="$(median <"$T/$kind-$way.rate")" \
            -v q="$(median <"$T/$kind-$way.ratio")" -v c="$(median <"$T/$kind-$way.cost")" \
            -v m="$(median <"$T/$kind-$way.more")" \
            'BEGIN {printf "  %-14s %10.0f %7.1f%% %18.2f %7.1f%%\n", w, r, (1 - q) * 100, c, (m - 1) * 100}'
    done
done
echo "(median of $ROUNDS rounds; limit: a loss of 1 % with the image once per worker)"
