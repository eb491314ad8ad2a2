#!/usr/bin/env bash
# search: {python: FILE}: unmodified modules for the queues of EMEWS.
. "$(dirname "$0")/lib.sh"
PYTHON=/usr/bin/python3
[ -x $PYTHON ] || PYTHON=$(command -v python3) || skip 'python3 is not installed'

# study NAME MODULE SEARCH-KEYS [MODEL]: writes a study file whose search is the module.
study() {
    cat >"$1.yaml" <<YAML
name: $1
model: ${4:-{function: ackley\}}
space: {x: {float: [0, 1]}, y: {float: [0, 1]}}
search: {python: $2, interpreter: $PYTHON, workers: 2${3:+, $3}}
YAML
}
# module NAME: writes a module; the body of run() comes from standard input.
module() { { echo 'import eqpy, json, math, os, random, sys, time'; echo 'def run():'; sed 's/^/    /'; } >"$1"; }
run() { rm -rf "$1" && timeout 180 "$WICK" run "$1.yaml" --dir "$1" --no-report -q; }
trials() { "$WICK" status "$1" --json | grep -o '"ended":[0-9]*' | head -n 1 | cut -d: -f2; }
params() { "$WICK" list "$1" --json | grep -o '"params":{[^}]*}' | cut -d: -f2- | head -n "${2:-1000}"; }

# ---- the protocol ----
module rounds.py <<'PY'
eqpy.OUT_put("Params")
log = open("seen.txt", "w")
print(eqpy.IN_get(), file=log)
for text in ('{"x": 0, "y": 0}', '{"x": 0.5, "y": 1};{"x": 0, "y": 0};{"x": 1, "y": 0.5}', '', ' {"x": 1,\n "y": 1} ;\n',
             '[{"x": 0, "y": 0}, {"x": 1, "y": 1}]', '{"x": "0.5", "y": 1.0};{"y": true, "x": 0}'[:22]):
    eqpy.OUT_put(text)
    print(eqpy.IN_get(), file=log, flush=True)
print("a line of the log")
eqpy.OUT_put("DONE")
eqpy.OUT_put("the first final text")
eqpy.OUT_put("and another")
eqpy.IN_get()
PY
study rounds rounds.py 'settings: [3, 0.5, ab, true, null, [1, 2]]'
check 'a module runs' run rounds
equals 'a list becomes a tuple' "$(sed -n 1p seen.txt)" "(3, 0.5, 'ab', True, None, [1, 2])"
equals 'one suggestion has one result' "$(sed -n 2p seen.txt)" 0
equals 'results have the order of the round' "$(sed -n 3p seen.txt | cut -d';' -f2)" 0
equals 'and all are there' "$(sed -n 3p seen.txt | tr -cd ';')" ';;'
equals 'no suggestion has no result' "$(sed -n 4p seen.txt)" ''
equals 'lines may be broken' "$(sed -n 5p seen.txt | grep -c '^[0-9.]*$')" 1
contains 'a JSON list is taken, too' "$(sed -n 6p seen.txt)" "0;"
contains 'what is printed is the log' "$(cat rounds/logs/algorithm.log)" 'a line of the log'
equals 'what follows DONE is kept' "$(cat rounds/final.txt)" 'the first final text
and another'
contains 'the journal knows why it ended' "$(tail -n 1 rounds/journal)" exhausted

# ---- settings ----
module settings.py <<'PY'
eqpy.OUT_put("Params")
open("settings.txt", "w").write(eqpy.IN_get())
eqpy.OUT_put("DONE")
PY
study settings settings.py "settings: {seed: 3, file: p.json, list: [1, a]}"
run settings
equals 'a mapping becomes a dict' "$(cat settings.txt)" "{'seed': 3, 'file': 'p.json', 'list': [1, 'a']}"
study settings settings.py "settings: '(7, \"x\")'"
run settings
equals 'a text stays as it is' "$(cat settings.txt)" '(7, "x")'
study settings settings.py "settings: [5]"
run settings
equals 'a tuple of one' "$(cat settings.txt)" '(5,)'
study settings settings.py
run settings
equals 'none are an empty text' "$(cat settings.txt)" ''

module variable.py <<'PY'
open("variable.txt", "w").write(os.environ["EMEWS_PROJECT_ROOT"])
eqpy.OUT_put("DONE")
PY
study variable variable.py '' '{function: ackley, env: {EMEWS_PROJECT_ROOT: /mine}}'
check 'a module with variables of the study' run variable
equals 'has those, and not others of the same name' "$(cat variable.txt)" /mine

# ---- values as programs write them ----
cat >values.yaml <<YAML
name: values
model: {command: 'bash -c ''echo score: 1'''}
space:
  lr: {float: [0.001, 1]}
  units: {int: [1, 64]}
  batch: {choice: [16, 32]}
  text: {choice: ["a;b", 'c"d']}
  flag: {choice: [true, false]}
  width: {choice: ["10", "20"]}
  optimizer: {choice: [sgd, adam]}
  momentum: {float: [0, 1], when: {optimizer: sgd}}
  epochs: 3
search: {python: values.py, interpreter: $PYTHON, workers: 2}
YAML
module values.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
eqpy.OUT_put(json.dumps({"lr": 1, "units": 32.0, "batch": "16", "text": "a;b", "flag": True, "width": 10, "optimizer": "adam", "momentum": 0.5})
             + ";" + json.dumps({"lr": "0.5", "units": 1e1, "batch": 32.0, "text": 'c"d', "flag": "False", "width": "20", "optimizer": "sgd", "momentum": 0, "epochs": 3}))
eqpy.IN_get()
eqpy.OUT_put("DONE")
PY
check 'values as programs write them' run values
equals 'are those of the space' "$(params values)" '{"lr":1,"units":32,"batch":16,"text":"a;b","flag":true,"width":"10","optimizer":"adam","epochs":3}
{"lr":0.5,"units":10,"batch":32,"text":"c\"d","flag":false,"width":"20","optimizer":"sgd","momentum":0,"epochs":3}'

# ---- trials that fail ----
module nan.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
eqpy.OUT_put('{"x": 0.25, "y": 0};{"x": 0.75, "y": 0};{"x": 0.125, "y": 0}')
open("nan.txt", "w").write(eqpy.IN_get())
eqpy.OUT_put("DONE")
PY
study nan nan.py '' "{command: 'bash -c ''[ {x} = 0.75 ] && exit 3; echo score: {x}'''}"
check 'a trial that fails' run nan
equals 'is NaN to the module' "$(cat nan.txt)" '0.25;NaN;0.125'
study objectives nan.py '' "{command: 'bash -c ''echo a: {x}; echo b: 2''', score: [a, b]}"
check 'several objectives' run objectives
equals 'have commas between them' "$(cat nan.txt)" '0.25,2;0.75,2;0.125,2'

# ---- what goes wrong ----
broken() { # NAME TEXT: the module on the standard input must end the study with this text
    module broken.py
    study broken broken.py
    refuse 1 "$1" "$2" run broken
    contains "$1: and how to go on" "$ERR" 'Fix it, then continue with `wick resume broken`'
}
broken 'an exception' 'ZeroDivisionError: division by zero' <<<'1 / 0'
contains 'with its traceback' "$ERR" 'line 3, in run'
lacks 'of the module alone' "$ERR" wick_steer
lacks 'which has nothing to do with settings' "$ERR" 'no settings'
broken 'settings that are not there' 'add `settings:` to `search`' <<<'eqpy.OUT_put("Params"); eval(eqpy.IN_get())'
contains 'with the error itself' "$ERR" 'SyntaxError'
broken 'a death after a suggestion' 'ZeroDivisionError' <<<'eqpy.OUT_put("Params"); eqpy.IN_get(); eqpy.OUT_put("0, 0"); eqpy.IN_get(); 1 / 0'
lacks 'has nothing to do with them either' "$ERR" 'no settings'
broken 'no text' "OUT_put() takes a text, not int" <<<'eqpy.OUT_put(3)'
broken 'the end without DONE' 'ended before it said that it was done: it must say DONE' <<<'pass'
broken 'sys.exit' 'exit code 3' <<<'sys.exit(3)'
broken 'sys.exit with a text' 'I give up' <<<'sys.exit("I give up")'
broken 'os._exit' 'exit code 4' <<<'os._exit(4)'
broken 'a signal' 'killed by signal 11' <<<'os.kill(os.getpid(), 11)'
broken 'no JSON' 'it has 1 value, but the space has 2 parameters (x, y). Write the values in that order, or a JSON object' <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
eqpy.OUT_put("x=3")
eqpy.IN_get()
PY
broken 'half an object' 'neither JSON objects separated by ;, as in {"x": 1};{"x": 2}, nor rows of values' <<<'eqpy.OUT_put("""{"x": 3, "y" """); eqpy.IN_get()'
broken 'a list out of range' "parameter 'y' cannot be 2" <<<'eqpy.OUT_put("[1, 2]"); eqpy.IN_get()'
broken 'a list without a comma' 'neither JSON objects' <<<'eqpy.OUT_put("""[{"x": 0, "y": 0} {"x": 1, "y": 0}]"""); eqpy.IN_get(); eqpy.OUT_put("DONE")'
broken 'a list without its end' 'neither JSON objects' <<<'eqpy.OUT_put("""[{"x": 0, "y": 0}"""); eqpy.IN_get(); eqpy.OUT_put("DONE")'
broken 'an unknown parameter' "unknown parameter 'z': add it to the space of the study" <<<'eqpy.OUT_put("""{"x": 0, "y": 0, "z": 1}"""); eqpy.IN_get()'
contains 'and which suggestion it is' "$ERR" 'It is number 1: {"x": 0, "y": 0, "z": 1}'
broken 'a parameter that is missing' "parameter 'y' is missing: it is a number from 0 to 1" <<<'eqpy.OUT_put("""{"x": 0}"""); eqpy.IN_get()'
broken 'out of range' "parameter 'x' cannot be 1.5: it is a number from 0 to 1" <<<'eqpy.OUT_put("""{"x": 0, "y": 0};{"x": 1.5, "y": 0}"""); eqpy.IN_get()'
contains 'the second one' "$ERR" 'It is number 2'
equals 'none of that round was tried' "$(trials broken)" 0
broken 'NaN' "parameter 'x' cannot be NaN" <<<'eqpy.OUT_put("""{"x": NaN, "y": 0}"""); eqpy.IN_get()'
broken 'an abort of its own' 'died: my reason' <<'PY'
eqpy.OUT_put("EQPY_ABORT")
eqpy.OUT_put("some lines\nmy reason")
PY
broken 'a death after DONE' 'KeyError' <<'PY'
eqpy.OUT_put("DONE")
{}["x"]
PY
broken 'a flood of output' 'RuntimeError: over' <<'PY'
for i in range(20000):
    print("x" * 1000)
raise RuntimeError("over")
PY
verdict "$([ "$(stat -c %s broken/logs/algorithm.log)" -lt 100000 ]; echo $?)" 'is kept in part'
printf 'def run(:\n' >broken.py
refuse 1 'a mistake in the file' 'SyntaxError' run broken
contains 'with its place' "$ERR" 'line 1'
echo 'x = 1' >broken.py
refuse 1 'no run()' 'has no function run()' run broken
echo 'import nowhere' >broken.py
refuse 1 'a module that is missing' "No module named 'nowhere'" run broken
study broken missing.py
refuse 2 'a file that is missing' "there is no file 'missing.py'" run broken
study broken broken.py 'algorithm: random'
refuse 2 'an algorithm beside it' "has both 'python' and 'algorithm': leave one of them out" run broken
study broken broken.py 'r: x.R'
refuse 2 'two programs' "has both 'python' and 'r'" run broken
study broken broken.py 'reproducible: true'
refuse 2 'reproducible' "has both 'python' and 'reproducible'" run broken
sed "s/python: broken.py, interpreter: .*/algorithm: random, settings: [1], workers: 1}/" broken.yaml >alone.yaml
refuse 2 'settings for nobody' 'name one, as in python: algorithm.py' "$WICK" check alone.yaml
study broken broken.py
sed -i "s|interpreter: $PYTHON|interpreter: python9|" broken.yaml
refuse 2 'an interpreter that is not there' "the program 'python9' is not on PATH" run broken

broken 'a row that is too long' 'it has 3 values' <<<'eqpy.OUT_put("0,1;0,1,1"); eqpy.IN_get()'
contains 'and its number' "$ERR" 'It is number 2'
broken 'a row out of range' "parameter 'x' cannot be \"7\"" <<<'eqpy.OUT_put("7,0"); eqpy.IN_get()'

# ---- how modules write suggestions ----
cat >habits.yaml <<YAML
name: habits
model: {command: "bash -c 'echo score: {x}'"}
space:
  x: {float: [0, 9]}
  n: {int: [1, 9]}
  epochs: 3
  optimizer: {choice: [sgd, adam]}
  momentum: {float: [0, 1], when: {optimizer: sgd}}
search: {python: habits.py, interpreter: $PYTHON, workers: 2, settings: 'the settings'}
YAML
# habit NAME EXPRESSION COUNT: what the module puts; each suggestion is x: 1, 2, ... n: 3, adam
habit() {
    printf 'import eqpy, json\ndef run():\n    eqpy.OUT_put("Params"); eqpy.IN_get()\n    eqpy.OUT_put(%s)\n' "$2" >habits.py
    printf '    open("habit.txt", "w").write(eqpy.IN_get())\n    eqpy.OUT_put("DONE")\n' >>habits.py
    check "$1" run habits
    equals "$1: the trials" "$(params habits)" "$(for ((i = 1; i <= $3; i++)); do echo "{\"x\":$i,\"n\":3,\"epochs\":3,\"optimizer\":\"adam\"}"; done)"
    equals "$1: the results" "$(cat habit.txt)" "$(seq -s ';' "$3")"
}
habit 'rows of values' '"1,3,adam,0;2.0,3,adam,0"' 2
habit 'rows with constants' '"1,3,3,adam,;2,3,3,adam,NA"' 2
habit 'rows with spaces' '"1 3 adam 0 ;2 3 adam 0 "' 2
habit 'lists' '"[1, 3, \"adam\", null];[2, 3, \"adam\", null]"' 2
habit 'a list of lists' 'json.dumps([[1, 3, "adam", 0], [2, 3, "adam", 0], [3, 3, "adam", 0]])' 3
habit 'what str() makes of lists' 'str([[1., 3, "adam", None], [2., 3, "adam", None]])' 2
habit 'what str() makes of dicts' '";".join(str({"x": float(i), "n": 3, "optimizer": "adam", "momentum": None}) for i in (1, 2))' 2
habit 'quotes replaced by hand' "str({'x': 1, 'n': 3, 'optimizer': 'adam'}).replace(\"'\", '\"')" 1
habit 'values in lists' '";".join(str({"x": [float(i)], "n": [3], "optimizer": ["adam"], "momentum": []}) for i in (1, 2))' 2
habit 'tuples' 'str(((1, 3, "adam", 0), (2, 3, "adam", 0)))' 2
habit 'numbers of numpy' '"[[np.float64(1.0), np.int64(3), np.str_('"'adam'"'), None]]"' 1
cat >one.yaml <<YAML
name: one
model: {command: "bash -c 'echo score: {x}'"}
space: {x: {int: [0, 99]}, k: 1}
search: {python: one.py, interpreter: $PYTHON, workers: 2}
YAML
module one.py <<'PY'
log = open("one.txt", "w")
for text in "1", "33", "1;2;3", "[4, 5, 6]", "[[7], [8]]", "9,1":
    eqpy.OUT_put(text)
    print(eqpy.IN_get(), file=log)
eqpy.OUT_put("FINAL")
eqpy.OUT_put({"last": "words"})
PY
check 'one parameter, and no handshake' run one
equals 'one parameter: the results' "$(tr '\n' ' ' <one.txt)" '1 33 1;2;3 4;5;6 7;8 9 '
equals 'the last words may be any object' "$(cat one/final.txt)" "{'last': 'words'}"

# ---- how modules start ----
begin() { # NAME, what is on the standard input must leave the settings in `settings`
    { cat; echo 'open("begin.txt", "w").write(settings)'; echo 'eqpy.OUT_put("0.5,0.5")'; echo 'float(eqpy.IN_get())'; echo 'eqpy.OUT_put("DONE")'; } | module begin.py
    study begin begin.py 'settings: some settings'
    check "$1" run begin
    equals "$1: the settings" "$(cat begin.txt)" 'some settings'
}
begin 'a word of its own' <<<'eqpy.OUT_put("Settings"); settings = eqpy.IN_get()'
begin 'a sentence' <<<'eqpy.OUT_put("Hello, from the algorithm"); settings = eqpy.IN_get()'
begin 'an empty text' <<<'eqpy.OUT_put(""); settings = eqpy.IN_get()'
begin 'two words' <<<'eqpy.OUT_put("Init File"); eqpy.IN_get(); eqpy.OUT_put("Params"); settings = eqpy.IN_get()'
begin 'Params, then another' <<<'eqpy.OUT_put("Params"); eqpy.IN_get(); eqpy.OUT_put("Settings"); settings = eqpy.IN_get()'
begin 'no word at all' <<<'settings = eqpy.IN_get()'
begin 'the queues themselves' <<<'eqpy.output_q.put("Params"); settings = eqpy.input_q.get(block=True, timeout=None)'

# ---- what modules do with results ----
module results.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
eqpy.OUT_put("0.25,0;0.75,0;0.125,0")
result = eqpy.IN_get()
by_semicolon = [float(x) if not math.isnan(float(x)) else 9 for x in result.split(";")]
by_comma = [float(x) if not math.isnan(float(x)) else 9 for x in result.split(",")]
eqpy.OUT_put("DONE")
eqpy.OUT_put(repr((by_semicolon, by_comma == by_semicolon)))
PY
study results results.py '' "{command: 'bash -c ''[ {x} = 0.75 ] && exit 3; echo score: {x}'''}"
check 'results are split' run results
equals 'at semicolons and at commas' "$(cat results/final.txt)" '([0.25, 9, 0.125], True)'

# ---- threads, processes, packages, long texts ----
mkdir -p project/python project/data
echo 'low = 0.25' >project/data/values.txt
echo 'def value(): return 0.5' >project/python/helper.py
cat >project/python/crowd.py <<'PY'
import multiprocessing
import os
import queue
import threading

import helper
from emews import eqpy, Pool

answers = queue.Queue()


def init():
    eqpy.OUT_put("Settings")
    return eqpy.IN_get()


def square(x):
    return x * x


def listen():
    for i in range(3):
        answers.put(eqpy.IN_get())


def run():
    init()
    assert open(os.path.join(os.environ["EMEWS_PROJECT_ROOT"], "data", "values.txt")).read() == "low = 0.25\n"
    open(os.path.join(os.environ["TURBINE_OUTPUT"], "left.txt"), "w").write("left")
    assert Pool("/tmp", rank_type="leaders").map(square, [2]) == [4]
    listener = threading.Thread(target=listen)
    listener.start()
    for i in range(3):
        eqpy.OUT_put("%r,%r" % (helper.value(), i / 4))
        answers.get()
    listener.join()
    for method in "fork", "spawn":
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(square, [1, 2, 3]) == [1, 4, 9]
    # a round of about a megabyte
    eqpy.OUT_put(";".join("%.17f,%.17f" % (0.5, i / 20000) for i in range(20000)) + ";" + " " * 200000)
    assert len(eqpy.IN_get().split(";")) == 20000
    eqpy.OUT_put("DONE")
    eqpy.OUT_put("line 1\n\"quotes\" \u00e9\u4e2d")
PY
study crowd project/python/crowd.py
check 'threads, processes, packages, long texts' run crowd
equals 'all trials are there' "$(trials crowd)" 20003
equals 'the last words as they were' "$(cat crowd/final.txt)" $'line 1\n"quotes" \u00e9\u4e2d'
equals 'files go to the study' "$(cat crowd/left.txt)" left

# ---- the budget ----
module endless.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
random.seed(1)
while True:
    eqpy.OUT_put(";".join(json.dumps({"x": random.random(), "y": 0.5}) for i in range(4)))
    eqpy.IN_get()
PY
study endless endless.py 'trials: 10'
check 'a module that never ends is ended with the budget' run endless
equals 'to the trial' "$(trials endless)" 10
check 'it goes on with a larger one' timeout 180 "$WICK" resume endless --trials 15 -q --no-report
equals 'and has only new trials' "$(trials endless) $(params endless | sort -u | wc -l)" '15 15'
module exact.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
eqpy.OUT_put('{"x": 0, "y": 0};{"x": 1, "y": 0}')
eqpy.IN_get()
time.sleep(0.2)
eqpy.OUT_put("DONE")
eqpy.OUT_put("found")
PY
study exact exact.py 'trials: 2'
check 'a budget that fits exactly' run exact
equals 'leaves it the last word' "$(cat exact/final.txt)" found

# ---- a resume ----
module steady.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
random.seed(5)
best, mean = [0.5, 0.5], 0
for generation in range(6):
    points = [[min(1, max(0, v + random.gauss(0, 0.2))) for v in best] for i in range(5)]
    eqpy.OUT_put(";".join(json.dumps(dict(zip("xy", p))) for p in points))
    scores = [float(v) for v in eqpy.IN_get().split(";")]
    best = min(zip(scores, points))[1]
    if os.path.exists("die") and generation == 3:
        os.remove("die")
        raise ValueError("in generation 3")
eqpy.OUT_put("DONE")
eqpy.OUT_put(repr(best))
PY
study steady steady.py
check 'a module that is deterministic' run steady
params steady | sort >whole.txt && cp steady/final.txt whole.final
touch die
refuse 1 'dies in the middle' 'in generation 3' run steady
equals 'what had ended stays' "$(trials steady)" 20
check 'it goes on' timeout 180 "$WICK" resume steady -q --no-report
equals 'with no trial twice' "$(params steady | sort)" "$(cat whole.txt)"
equals 'and the same result' "$(cat steady/final.txt)" "$(cat whole.final)"
check 'then it is complete' "$WICK" resume steady
contains 'as any other' "$OUT" 'nothing left to try'

# Wick is killed while trials run: those after the seventh last until slow.go exists.
cp steady.py "$MARK.py" # so that its process is known
study slow "$MARK.py" '' \
    "{command: 'bash -c ''[ \$WICK_TRIAL -le 7 ] || until [ -e slow.go ]; do sleep 0.05; done; echo score: {x}'''}"
rm -rf slow
"$WICK" run slow.yaml --dir slow --no-report -q &
wick=$!
await bash -c '[ "$(cat slow/journal 2>/dev/null | grep -c "\"end\"")" -ge 7 ]'
steers() { pgrep -f "wick_steer.py $MARK.py" >/dev/null; }
no_steer() { ! steers; }
check 'the algorithm is a process' steers
kill -9 $wick
wait $wick 2>/dev/null
check 'which ends with Wick' wait_until no_steer
touch slow.go
check 'after kill -9 it goes on' timeout 180 "$WICK" resume slow -q --no-report
equals 'with no trial twice after kill -9' "$(params slow | sort -u | wc -l) $(trials slow)" '30 30'

# Trials that were cut off run again before the module reaches the point of suggesting them.
module late.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
while os.path.exists("resumed") and open("late/journal").read().count('"state":"done"') < 2:
    time.sleep(0.05)
eqpy.OUT_put('{"x": 0.25, "y": 0};{"x": 0.75, "y": 0}')
open("late.txt", "w").write(eqpy.IN_get())
eqpy.OUT_put("DONE")
PY
study late late.py '' "{command: 'bash -c ''until [ -e resumed ]; do sleep 0.05; done; echo score: {x}'''}"
"$WICK" run late.yaml --dir late --no-report -q &
wick=$!
await bash -c '[ "$(cat late/journal 2>/dev/null | grep -c "\"start\"")" = 2 ]'
kill -9 $wick
wait $wick 2>/dev/null
touch resumed
check 'a module that is late after a resume' timeout 180 "$WICK" resume late -q --no-report
equals 'is told what came of the trials that ran before' "$(cat late.txt)" '0.25;0.75'

# ---- trials that are stopped early: one result per suggestion, that of the last step ----
module early.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
random.seed(9)
heard = []
for generation in range(4):
    eqpy.OUT_put(";".join("%r,0.001,64,%s" % (10 ** random.uniform(-4, -1), random.choice(["sgd", "adam"])) for i in range(8)))
    scores = eqpy.IN_get().split(";")
    assert len(scores) == 8
    heard += [float(score) for score in scores]
    if os.path.exists("die") and generation == 2:
        os.remove("die")
        raise ValueError("in generation 2")
eqpy.OUT_put("DONE")
eqpy.OUT_put("\n".join(repr(score) for score in sorted(heard)))
PY
scores() { "$WICK" list "$1" --json | grep -o '"score":[^,}]*' | cut -d: -f2 | $PYTHON -c 'import sys; print("\n".join(repr(x) for x in sorted(map(float, sys.stdin))))'; }
for stop in 'asha: {reduction: 2}' hyperband median; do
    study early early.py "stop: {$stop}" '{function: curves}'
    sed -i "s/stop: {\([a-z]*\)}/stop: \1/; /^space:/d; s/workers: 2/workers: 8/" early.yaml
    check "${stop%%:*}: a study that stops trials early" run early
    contains "${stop%%:*}: some were stopped" "$("$WICK" list early --json)" '"state":"stopped"'
    lacks "${stop%%:*}: none waits to go on" "$(cat early/journal)" '"paused"'
    equals "${stop%%:*}: each result was told once" "$(cat early/final.txt)" "$(scores early)"
    equals "${stop%%:*}: it has all its trials" "$(trials early)" 32
done
touch die
refuse 1 'a death in between' 'in generation 2' run early
check 'it goes on with the stopper' timeout 180 "$WICK" resume early -q --no-report
equals 'and hears the same results' "$(cat early/final.txt)" "$(scores early)"
equals 'of as many trials' "$(trials early)" 32

# ---- an algorithm that never answers ----
module mute.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
print("thinking", flush=True)
time.sleep(1000)
PY
cp mute.py "$MARK.py"
study mute "$MARK.py" '' '{function: ackley, grace: 0.5s}'
rm -rf mute
"$WICK" run mute.yaml --dir mute --no-report -q &
wick=$!
await grep -qs thinking mute/logs/algorithm.log
check 'an algorithm that thinks' steers
kill -INT $wick
wait $wick
equals 'Ctrl-C ends an algorithm that never answers' $? 130
check 'and it is gone' wait_until no_steer

# ---- points of the user's ----
"$WICK" enqueue endless x=0.125 y=0.125 >/dev/null
check 'a point of the user' timeout 180 "$WICK" resume endless --trials 16 -q --no-report
contains 'is tried as ever' "$(params endless)" '{"x":0.125,"y":0.125}'

# ---- a genetic algorithm with DEAP, as modules for EMEWS are written ----
if $PYTHON -c 'import deap' 2>/dev/null; then
    mkdir -p ga
    cat >ga/utils.py <<'PY'
import json, random


class Parameter:
    def __init__(self, item):
        self.name, self.type = item["name"], item["type"]
        self.item = item

    def draw(self):
        if self.type == "int":
            return random.randint(self.item["lower"], self.item["upper"])
        if self.type == "float":
            return random.uniform(self.item["lower"], self.item["upper"])
        return random.choice(self.item["values"])


def read(path):
    with open(path) as file:
        return [Parameter(item) for item in json.load(file)]
PY
    cat >ga/deap_ga.py <<'PY'
import json, math, random, time
from deap import algorithms, base, creator, tools
import eqpy
import utils

parameters = None


def obj_func(x):
    return 0


def queue_map(function, population):
    # the function is not used: the workflow evaluates
    if not population:
        return []
    eqpy.OUT_put(";".join(json.dumps({p.name: v for p, v in zip(parameters, i)}) for i in population))
    scores = [float(s) for s in eqpy.IN_get().split(";")]
    good = [s for s in scores if not math.isnan(s)]
    return [(s if not math.isnan(s) else sum(good) / len(good),) for s in scores]


def mutate(individual, indpb):
    for i, parameter in enumerate(parameters):
        if random.random() < indpb:
            individual[i] = parameter.draw()
    return (individual,)


def run():
    global parameters
    eqpy.OUT_put("Params")
    iterations, size, seed, strategy, mut_prob, path = eval("{}".format(eqpy.IN_get()))
    random.seed(seed)
    parameters = utils.read(path)
    creator.create("FitnessMin", base.Fitness, weights=(-1.0,))
    creator.create("Individual", list, fitness=creator.FitnessMin)
    toolbox = base.Toolbox()
    toolbox.register("individual", tools.initIterate, creator.Individual, lambda: [p.draw() for p in parameters])
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", obj_func)
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", mutate, indpb=0.5)
    toolbox.register("select", tools.selTournament, tournsize=3)
    toolbox.register("map", queue_map)
    population = toolbox.population(n=size)
    stats = tools.Statistics(lambda i: i.fitness.values)
    stats.register("min", min)
    if strategy == "simple":
        population, log = algorithms.eaSimple(population, toolbox, cxpb=0.5, mutpb=mut_prob, ngen=iterations, stats=stats)
    else:
        population, log = algorithms.eaMuPlusLambda(population, toolbox, mu=size, lambda_=size, cxpb=0.2,
                                                    mutpb=mut_prob, ngen=iterations, stats=stats)
    eqpy.OUT_put("DONE")
    eqpy.OUT_put("{}\n{}".format(min(i.fitness.values[0] for i in population), log))
PY
    cat >ga/params.json <<'JSON'
[{"name": "x", "type": "float", "lower": 0, "upper": 1},
 {"name": "units", "type": "int", "lower": 1, "upper": 9},
 {"name": "optimizer", "type": "categorical", "values": ["sgd", "adam"], "element_type": "string"},
 {"name": "bias", "type": "logical", "values": [true, false]}]
JSON
    cat >deap.yaml <<YAML
name: deap
model: {command: "bash -c '[ {units} != 5 ] && echo score: {x}{units}'"}
space:
  x: {float: [0, 1]}
  units: {int: [1, 9]}
  optimizer: {choice: [sgd, adam]}
  bias: {choice: [true, false]}
search: {python: ga/deap_ga.py, interpreter: $PYTHON, workers: 2, settings: [4, 8, 11, simple, 0.8, ga/params.json]}
YAML
    check 'a genetic algorithm by DEAP' run deap
    contains 'ends as it should' "$(cat deap/final.txt)" 'gen'
    first=$(trials deap)
    verdict "$([ "$first" -gt 16 ]; echo $?)" 'after some generations'
    sed -i 's/simple/mu_plus_lambda/' deap.yaml
    check 'and with another strategy' run deap
else
    skip_part 'DEAP is not installed'
fi

# ---- MPI ----
[ -n "$(mpis_here)" ] || skip_part 'no MPI: modules under mpirun are not tested'
for mpi in $(mpis_here); do
    rm -rf "$mpi.wick"
    check "$mpi: rank 0 runs the module" $(mpirun_of "$mpi" 3) "$WICK" run steady.yaml --dir "$mpi.wick" --no-report -q
    equals "$mpi: the same trials" "$(params "$mpi.wick" | sort)" "$(cat whole.txt)"
done
finish
