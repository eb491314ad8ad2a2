#!/usr/bin/env bash
# steer - the cost of a suggestion from a steering program: limit 1 ms in addition to its own time.
#
# The program measures the time from OUT_put() to the answer of IN_get(), or from one question to the next,
# and does nothing else; trials are the function noop, on 2 workers. So this is all the time that Wick
# needs: reading and checking the suggestion, handing out the trial, the journal, and the answer.
set -u
. "$(dirname "$0")/measure.sh"
WICK=${WICK:-build/wick}
WICK=$(realpath "$WICK")
COUNT=${COUNT:-$(size 5000 200)}
PYTHON=/usr/bin/python3
[ -x $PYTHON ] || PYTHON=python3
command -v $PYTHON >/dev/null || skip "python3 is not installed"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1

# study NAME SEARCH
study() {
    cat >"$1.yaml" <<YAML
model: {function: noop}
space: {a: {float: [0, 1]}, b: {int: [1, 100]}, c: {choice: [x, y, z]}, d: {log: [1e-5, 1]}}
search: {$2, workers: 2}
YAML
}
report() { # NAME LABEL: the file has microseconds of each suggestion
    "$WICK" run "$1.yaml" --dir "$1.wick" --no-report -q || exit 1
    sort -g times | awk -v label="$2" '{v[NR] = $1} END {
        printf "%-34s %7.3f ms median, %7.3f ms at 99%%   (limit 1 ms)\n", label, v[int((NR + 1) / 2)] / 1000, v[int(NR * 0.99)] / 1000}'
}

cat >queue.py <<'PY'
import eqpy, time
def run():
    eqpy.OUT_put("Params")
    count, size = eval(eqpy.IN_get())
    round = ";".join(['{"a": 0.123456789, "b": 17, "c": "y", "d": 0.0012345}'] * size)
    with open("times", "w") as out:
        for i in range(count // size):
            begun = time.perf_counter()
            eqpy.OUT_put(round)
            eqpy.IN_get()
            out.write("%.3f\n" % ((time.perf_counter() - begun) * 1e6 / size))
    eqpy.OUT_put("DONE")
PY
cat >queue.R <<'R'
OUT_put("Params")
l <- eval(parse(text = paste0("list(", IN_get(), ")")))
round <- paste(rep('{"a": 0.123456789, "b": 17, "c": "y", "d": 0.0012345}', l$size), collapse = ";")
times <- numeric(l$count / l$size)
for (i in seq_along(times)) {
  begun <- as.numeric(Sys.time())
  OUT_put(round)
  IN_get()
  times[i] <- (as.numeric(Sys.time()) - begun) * 1e6 / l$size
}
write(times, "times", ncolumns = 1)
OUT_put("DONE")
R
cat >line.py <<'PY'
import sys, time
count, times, begun = int(sys.argv[1]), [], time.perf_counter()
for line in sys.stdin:
    if not line.startswith('{"ask"'):
        continue
    n = int(line[7:-2])
    times.append((time.perf_counter() - begun) * 1e6)
    if len(times) > count:
        open("times", "w").write("".join("%.3f\n" % t for t in times[1:]))
        print('{"end": true}', flush=True)
        break
    begun = time.perf_counter()
    print('{"suggest": [%s]}' % ",".join(['{"a": 0.123456789, "b": 17, "c": "y", "d": 0.0012345}'] * n), flush=True)
PY

for size in 1 10 100; do
    study "py$size" "python: queue.py, interpreter: $PYTHON, settings: [$COUNT, $size]"
    report "py$size" "EQ/Py, rounds of $size"
done
if command -v Rscript >/dev/null; then
    for size in 1 100; do
        study "r$size" "r: queue.R, settings: {count: $COUNT, size: $size}"
        report "r$size" "EQ/R, rounds of $size"
    done
else
    echo '# skipped: Rscript is not installed: EQ/R'
fi
study line "command: $PYTHON line.py $COUNT"
report line 'lines of JSON, as they are asked for'
