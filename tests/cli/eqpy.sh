#!/usr/bin/env bash
# search: {python: FILE}: modules for the queues of EMEWS, as they are.
. "$(dirname "$0")/lib.sh"
PYTHON=/usr/bin/python3
[ -x $PYTHON ] || PYTHON=$(command -v python3) || skip 'there is no python3'

# study NAME MODULE SEARCH-KEYS [MODEL]: a study file whose search is the module.
study() {
    cat >"$1.yaml" <<YAML
name: $1
model: ${4:-{function: ackley\}}
space: {x: {float: [0, 1]}, y: {float: [0, 1]}}
search: {python: $2, interpreter: $PYTHON, workers: 2${3:+, $3}}
YAML
}
# module NAME: the body of run() comes from the standard input.
module() { { echo 'import eqpy, json, math, os, random, sys, time'; echo 'def run():'; sed 's/^/    /'; } >"$1"; }
run() { rm -rf "$1" && timeout 60 "$WICK" run "$1.yaml" --dir "$1" --no-report -q; }
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
    contains "$1: and how to go on" "$ERR" 'wick resume broken'
}
broken 'an exception' 'ZeroDivisionError: division by zero' <<<'1 / 0'
contains 'with its traceback' "$ERR" 'line 3, in run'
lacks 'of the module alone' "$ERR" wick_steer
broken 'no text' "OUT_put() takes a text, not int" <<<'eqpy.OUT_put(3)'
broken 'the end without DONE' 'ended before it said that it is done: it must say DONE' <<<'pass'
broken 'sys.exit' 'exit code 3' <<<'sys.exit(3)'
broken 'sys.exit with a text' 'I give up' <<<'sys.exit("I give up")'
broken 'os._exit' 'exit code 4' <<<'os._exit(4)'
broken 'a signal' 'killed by signal 11' <<<'os.kill(os.getpid(), 11)'
broken 'no JSON' 'no list of JSON objects with ; between them: x=3' <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
eqpy.OUT_put("x=3")
eqpy.IN_get()
PY
broken 'half an object' 'no list of JSON objects' <<<'eqpy.OUT_put("""{"x": 3, "y" """); eqpy.IN_get()'
broken 'a list of numbers' 'no list of JSON objects' <<<'eqpy.OUT_put("[1, 2]"); eqpy.IN_get()'
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
refuse 2 'settings for nobody' 'name it, as in python: algorithm.py' "$WICK" check alone.yaml
study broken broken.py
sed -i "s|interpreter: $PYTHON|interpreter: python9|" broken.yaml
refuse 2 'an interpreter that is not there' "the program 'python9' is not on PATH" run broken

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
check 'it goes on with a larger one' timeout 60 "$WICK" resume endless --trials 15 -q --no-report
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
check 'it goes on' timeout 60 "$WICK" resume steady -q --no-report
equals 'with no trial twice' "$(params steady | sort)" "$(cat whole.txt)"
equals 'and the same result' "$(cat steady/final.txt)" "$(cat whole.final)"
check 'then it is complete' "$WICK" resume steady
contains 'as any other' "$OUT" 'nothing left to try'

# Trials that take a moment, and Wick is killed.
study slow steady.py '' "{command: 'bash -c ''sleep 0.05; echo \$\$ >>pids; echo score: {x}'''}"
rm -rf slow
"$WICK" run slow.yaml --dir slow --no-report -q &
wick=$!
wait_until 30 bash -c '[ "$(cat slow/journal 2>/dev/null | grep -c "\"end\"")" -ge 7 ]'
steer=$(pgrep -f "wick_steer.py steady.py" | head -n 1)
kill -9 $wick
wait $wick 2>/dev/null
verdict "$(wait_until 20 bash -c "! kill -0 $steer 2>/dev/null"; echo $?)" 'the algorithm ends with Wick'
check 'after kill -9 it goes on' timeout 100 "$WICK" resume slow -q --no-report
equals 'with no trial twice after kill -9' "$(params slow | sort -u | wc -l) $(trials slow)" '30 30'

# Trials that were cut off run again before the module has come to suggest them.
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
wait_until 30 bash -c '[ "$(cat late/journal 2>/dev/null | grep -c "\"start\"")" = 2 ]'
kill -9 $wick
wait $wick 2>/dev/null
touch resumed
check 'a module that is late after a resume' timeout 60 "$WICK" resume late -q --no-report
equals 'is told what came of the trials that ran before' "$(cat late.txt)" '0.25;0.75'

# ---- an algorithm that never answers ----
module mute.py <<'PY'
eqpy.OUT_put("Params"), eqpy.IN_get()
print("thinking", flush=True)
time.sleep(1000)
PY
study mute mute.py
rm -rf mute
"$WICK" run mute.yaml --dir mute --no-report -q &
wick=$!
wait_until 30 grep -qs thinking mute/logs/algorithm.log
steer=$(pgrep -f "wick_steer.py mute.py" | head -n 1)
kill -INT $wick
wait $wick
equals 'Ctrl-C ends an algorithm that never answers' $? 130
verdict "$(! kill -0 "$steer" 2>/dev/null; echo $?)" 'and it is gone'

# ---- points of the user's own ----
"$WICK" enqueue endless x=0.125 y=0.125 >/dev/null
check 'a point of the user' timeout 60 "$WICK" resume endless --trials 16 -q --no-report
contains 'is tried as ever' "$(params endless)" '{"x":0.125,"y":0.125}'

# ---- a genetic algorithm by DEAP, as modules for EMEWS are written ----
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
    echo '# no DEAP here: its test is left out'
fi

# ---- MPI ----
for mpi in $(mpis_here); do
    rm -rf "$mpi.wick"
    check "$mpi: rank 0 runs the module" $(mpirun_of "$mpi" 3) "$WICK" run steady.yaml --dir "$mpi.wick" --no-report -q
    equals "$mpi: the same trials" "$(params "$mpi.wick" | sort)" "$(cat whole.txt)"
done
finish
