#!/usr/bin/env bash
# Population-based training of real programs: it finds more than constant rates do, and after a kill
# it continues from the right checkpoints.
. "$(dirname "$0")/lib.sh"
python=$(command -v /usr/bin/python3 || command -v python3) || skip 'python3 is not installed'

# A level is trained; the best rate falls as it rises. The checkpoint holds the level and its history.
cat >train.py <<'END'
import json, math, os, sys

params = json.loads(os.environ["WICK_PARAMS"])
folder = os.environ["WICK_CHECKPOINT"]
path = os.path.join(folder, "state.json")
state = {"level": 0.0, "trials": []}
if os.path.exists(path):
    with open(path) as f:
        state = json.load(f)
if int(os.environ["WICK_TRIAL"]) not in state["trials"]: # else this try only has to say it again
    for _ in range(10):
        off = math.log(params["rate"]) - math.log(0.1 * math.exp(-0.5 * state["level"]))
        state["level"] += 0.2 * math.exp(-off * off)
    state["trials"].append(int(os.environ["WICK_TRIAL"]))
    os.makedirs(folder, exist_ok=True)
    with open(path + ".new", "w") as f:
        json.dump(state, f)
    os.rename(path + ".new", path)
print("level:", state["level"])
print("length:", len(state["trials"]))
END
cat >pbt.yaml <<END
model: {command: $python -S train.py, score: level, direction: maximize, metrics: [length]}
space: {rate: {log: [1e-6, 1]}}
search: {algorithm: pbt, population: 5, perturb: 0.5, trials: 80, seed: 1}
END
sed 's/population: 5/population: 5, exploit: 0/' pbt.yaml >kept.yaml
score() { "$WICK" best "$1" --json | sed 's/.*"score":\([0-9.e-]*\).*/\1/'; }
# The history of a checkpoint is the trial itself and its ancestors, according to the journal.
stories() {
    "$python" - "$1" <<'END'
import json, os, sys
origin, wrong, seen = {}, 0, 0
with open(sys.argv[1] + "/journal") as lines:
    for line in map(json.loads, lines):
        if "params" in line and "start" in line:
            origin[line["start"]] = line.get("from")
for name in os.listdir(sys.argv[1] + "/checkpoints"):
    story, trial = [], int(name)
    while trial:
        story.insert(0, trial)
        trial = origin[trial]
    with open("%s/checkpoints/%s/state.json" % (sys.argv[1], name)) as f:
        wrong += json.load(f)["trials"] != story
    seen += 1
print("%d wrong, %s" % (wrong, "some" if 5 <= seen <= 6 else "%d" % seen))
END
}

check 'a study with pbt' "$WICK" run pbt.yaml --dir pbt -n 3 --quiet --no-report
check 'the same with rates that are kept' "$WICK" run kept.yaml --dir kept -n 3 --quiet --no-report
equals 'pbt finds more' "$(awk "BEGIN { print ($(score pbt) > $(score kept)) }")" 1
equals 'checkpoints come from where the journal says, one a member is left' "$(stories pbt)" \
    '0 wrong, some'
check 'a trial says where it began' "$WICK" show pbt 80
contains 'from a checkpoint' "$OUT" 'checkpoint of trial'
contains 'so does its JSON' "$("$WICK" show pbt 80 --json)" '"from":'
contains 'and the table' "$("$WICK" export pbt --format csv -o - | head -n 1)" 'origin'

"$WICK" run pbt.yaml --dir killed -n 3 --quiet --no-report >/dev/null 2>&1 &
PID=$!
some_started() { [ -f killed/journal ] && [ "$(grep -c '^{"start"' killed/journal)" -ge 40 ]; }
await some_started
kill -KILL $PID
wait $PID 2>/dev/null
check 'a killed study goes on' "$WICK" resume killed --quiet -n 3
equals 'to its end' "$("$WICK" list killed --json | grep -o '"state":"done"' | wc -l)" 80
equals 'from the right checkpoints' "$(stories killed)" '0 wrong, some'

refuse 2 'stop does not go with it' "does not go with pbt" "$WICK" run pbt.yaml --dir x --stop asha
refuse 2 'reproducible needs enough members' 'more members than' \
    "$WICK" run pbt.yaml --dir x --search reproducible=true

check 'programs that keep no checkpoint run' "$WICK" run --dir empty --set x=0..1.0 --trials 4 -n 1 \
    --pass none --algorithm pbt --no-report -- echo score: 1
contains 'it is noted' "$ERR" 'trial 1 left no checkpoint'
finish
