#!/usr/bin/env bash
# The trial libraries in real trials, and by themselves: R and the shell (Python has its tests in
# tests/python, C in libraries-c.sh), all together, and what programs find in their environment.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cli/one-trial.sh"
python=/usr/bin/python3

score() { wick sql "$1.wick" --format csv 'select score from trials' | tail -n 1 | tr -d '\r'; }

# ---- the shell ----

check 'shell: report prints without Wick' wick trial report 3 loss=0.5 rate=1e-3
equals 'what was measured' "$OUT" 'step 3  loss 0.5  rate 0.001'
check 'shell: result prints' wick trial result loss=0.1
equals 'in a form that Wick reads' "$OUT" 'loss: 0.1'
refuse 1 'shell: nothing is to stop' '' wick trial should-stop
check 'shell: a default' wick trial params rate 0.1
equals 'shell: the default' "$OUT" 0.1
check 'shell: a negative one' wick trial params rate -- -0.1
equals 'shell: the negative one' "$OUT" -0.1
check 'shell: a folder' wick trial checkpoint-dir
verdict "$([ -d checkpoints ]; echo $?)" 'shell: it is there'
echo text >value
check 'shell: put' wick trial put key value
contains 'shell: it says that nothing is kept' "$ERR" 'not running in a trial: the value is not kept'
refuse 1 'shell: get' "there is no value for 'key'" wick trial get key
refuse 1 'shell: wait does not hang' 'nobody will store this key' wick trial wait key
check 'shell: list' wick trial list
check 'shell: all parameters' env 'WICK_PARAMS={"a":1}' wick trial params
equals 'shell: as JSON' "$OUT" '{"a":1}'
check 'shell: a trial socket that does not exist' env WICK_LINE=/nowhere wick trial report 1 a=1
contains 'shell: it is told' "$ERR" 'the connection to Wick is lost'
refuse 1 'shell: a value without a connection' 'the connection to Wick is lost' env WICK_LINE=/nowhere wick trial get a
long=$(printf 'x%.0s' $(seq 48))
while IFS='|' read -r words text; do
    refuse 2 "wick trial $words" "$text" wick trial $words
done <<END
reprot|\`wick trial reprot\`: did you mean \`wick trial report\`?
dance|unknown command \`wick trial dance\`: see \`wick trial --help\`
report|missing argument: wick trial report STEP NAME=NUMBER ...
report 1|missing argument
report one a=1|'one': a step is a whole number, counted from 1
report 1.5 a=1|a step is a whole number
report 1 a|'a': a metric is NAME=NUMBER, as in val_loss=0.41
report 1 a=b|'a=b': a metric is NAME=NUMBER
report 1 =1|a metric is NAME=NUMBER
report 1 $long=1|the name of a metric has at most 47 bytes
result $(printf 'a=1 %.0s' $(seq 65))|65 metrics given; the limit is 64
should-stop now|unexpected argument 'now'
params x|give a default for 'x', as in \`wick trial params x 0.1\`
wait key soon|'soon': a version is a whole number; 0 waits for any
library perl|there is no library for 'perl': use python, r or c
END
refuse 1 'shell: a file that is not there' 'cannot read no-such-file' wick trial put key no-such-file
refuse 2 'a parameter that the trial lacks' "this trial has no parameter 'y'; it has: x, z" \
    env 'WICK_PARAMS={"x":1,"z":2}' wick trial params y
for language in python:wick.py r:wick.R c:wick_trial.h; do
    verdict "$([ -f "$(wick trial library "${language%:*}")/${language#*:}" ]; echo $?)" \
        "the library for ${language%:*} is found"
done

cat >stop.sh <<'END'
for step in $(seq 1000); do
    wick trial report "$step" loss="$step"
    wick trial should-stop && break
done
echo "ended at $step" # after it was told
wick trial result loss="$step"
END
study stop --score loss --stop patience:steps=3 -- bash stop.sh
contains 'shell: a trial that gets worse is told to stop' "$OUT" 'ended at'
equals 'shell: it is stopped' "$(wick sql stop.wick --format csv 'select state from trials' | tail -n 1 | tr -d '\r')" stopped

# ---- what programs find ----

study found --pass none --env PYTHONPATH=/mine -- bash -c 'echo "$PYTHONPATH"; ls "$WICK_LIBRARY"; command -v wick; echo score: 1'
contains 'the PYTHONPATH of the study comes first' "$OUT" "/mine:$(wick trial library python)"
contains 'WICK_LIBRARY has the libraries' "$OUT" $'python\nr\n'
export PYTHONPATH=/users
study inherited --pass none -- bash -c 'echo "$PYTHONPATH"; echo score: 1'
contains 'the PYTHONPATH of the user comes first' "$OUT" "/users:$(wick trial library python)"
unset PYTHONPATH
(
    PATH=${PATH#"$T/bin:"}
    "$WICK" run --quiet --no-report --trials 1 -n 1 --dir path.wick --set x=0..1 -- bash -c 'wick trial result score=3'
)
equals 'a trial finds wick also when PATH does not' "$(score path)" 3

# ---- R ----

if command -v Rscript >/dev/null; then
    cat >model.R <<'END'
source(file.path(Sys.getenv("WICK_LIBRARY"), "r", "wick.R"))
p <- wick_params(x = 1, layers = 2L, name = "adam", deep = FALSE, extra = NULL)
cat(p$x, p$layers, p$name, p$deep, "\n")
for (step in 1:5) {
    wick_report(step, loss = p$x / step, nothing = NaN, lacking = NA, far = -Inf)
    if (wick_should_stop()) break
}
wick_put("größe", "Wert ü")
wick_put("object", list(1, "x"))
wick_put("bytes", as.raw(c(0:255)))
cat(wick_get("größe"), "|", wick_get("object")[[2]], "|", length(wick_get("bytes", as = "raw")), "|",
    is.null(wick_get("none")), "|", wick_keys(), "|", length(wick_wait("bytes")), "\n")
wick_delete("object")
cat(wick_keys("o"), length(wick_keys()), "\n")
stopifnot(wick_load_checkpoint()$step == 0)
wick_save_checkpoint(list(weights = 1:3), 5)
stopifnot(wick_load_checkpoint()$step == 5, identical(wick_load_checkpoint()$state$weights, 1:3))
wick_result(loss = p$x / 3)
END
    expected='Wert ü | x | 256 | TRUE | bytes größe object | 256 
 2 '
    export LC_ALL=C.UTF-8
    check 'R without Wick' env WICK_LIBRARY="$(wick trial library)" Rscript --vanilla model.R --x 0.5 --layers=3 --deep yes
    contains 'R: the command line' "$OUT" '0.5 3 adam TRUE'
    contains 'R: steps are printed' "$OUT" 'step 2  loss 0.25  nothing NaN  lacking NaN  far -Inf'
    contains 'R: values are kept' "$OUT" "$expected"
    contains 'R: the result is printed' "$OUT" 'loss: 0.166666666666667'
    refuse 2 'R: what is no number' '--x much: it is a number, such as 1' \
        env WICK_LIBRARY="$(wick trial library)" Rscript --vanilla model.R --x much
    rm -rf checkpoints
    study r --pass none --score loss -- Rscript --vanilla model.R
    equals 'R in a trial: its steps' "$(steps r)" 5
    contains 'R in a trial: values' "$OUT" "$expected"
    mkdir alone
    ln -s "$(wick trial library r)" alone/r
    sed 's|Sys.getenv("WICK_LIBRARY")|"alone"|; 1i Sys.setenv(WICK_LIBRARY = "alone")' model.R >by-program.R
    study by-program --pass none --score loss -- Rscript --vanilla by-program.R
    equals 'R by the program wick: its steps' "$(steps by-program)" 5
    contains 'R by the program wick: values' "$OUT" "$expected"
    cat >json.R <<'END'
source(file.path(Sys.getenv("WICK_LIBRARY"), "r", "wick.R"))
got <- .wick_parse('{"a": [1, 2.5e3], "b": "x\\n\\u00e4\\"", "c": null, "d": {}, "e": [], "f": true, "g": -1e-5, "h": {"z": ["p", "q"]}}')
stopifnot(identical(got$a, c(1, 2500)), identical(got$b, "x\nä\""), is.null(got$c), "c" %in% names(got),
          length(got$d) == 0, length(got$e) == 0, got$f, got$g == -1e-5, identical(got$h$z, c("p", "q")))
for (wrong in c('{"a" 1}', '{"a": x}', '{"a": 1', '["a"', ''))
    stopifnot(grepl("this is no JSON", try(.wick_parse(wrong), silent = TRUE)))
for (wrong in list(list(1, 2), list(a = "x"), list(a = 1:2)))
    stopifnot(grepl("metrics are named numbers", try(do.call(wick_report, c(1, wrong)), silent = TRUE)))
for (wrong in list("one", 0.5, -1, NA, Inf, 1:2))
    stopifnot(grepl("steps are counted from 1", try(wick_report(wrong, loss = 1), silent = TRUE)))
END
    check 'R reads JSON by itself, and refuses what is none' env WICK_LIBRARY="$(wick trial library)" Rscript --vanilla json.R
else
    skip_part 'Rscript is not installed: trials in R are not tested'
fi

# ---- all of them in one trial ----

if command -v Rscript >/dev/null && [ -x $python ]; then
    cat >all.sh <<'END'
set -e
/usr/bin/python3 -c '
import wick
wick.put("from/python", bytes(range(256)))
wick.report(1, loss=wick.params().x)
'
wick trial get from/python | cksum
printf 'bytes of the shell' | wick trial put from/shell
Rscript --vanilla -e 'source(file.path(Sys.getenv("WICK_LIBRARY"), "r", "wick.R"))' \
    -e 'stopifnot(identical(wick_get("from/python", as = "raw"), as.raw(0:255)))' \
    -e 'cat(wick_get("from/shell"), "\n")' -e 'wick_put("from/r", "bytes of R")' -e 'wick_report(2, loss = 1)'
/usr/bin/python3 -c '
import wick
print(wick.keys("from/"), wick.get("from/r"), wick.get("from/shell").version)
wick.delete("from/r")
'
wick trial list from/
wick trial report 3 loss=0.5
wick trial result loss=0.125
END
    study all --score loss --pass none -- bash all.sh
    contains 'all: bytes of Python in the shell' "$OUT" \
        "$($python -c 'import sys; sys.stdout.buffer.write(bytes(range(256)))' | cksum)"
    contains 'all: bytes of the shell in R' "$OUT" 'bytes of the shell'
    contains 'all: bytes of R in Python' "$OUT" "['from/python', 'from/r', 'from/shell'] b'bytes of R' 1"
    contains 'all: what is left' "$OUT" $'from/python\nfrom/shell'
    equals 'all: their steps' "$(steps all)" 3
    equals 'all: the score' "$(score all)" 0.125
else
    skip_part 'Rscript or /usr/bin/python3 is not installed: all languages in one trial are not tested'
fi
finish
