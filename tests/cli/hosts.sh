# Trials in a Python language host: own output, own failures, and a host that may die.
. "$(dirname "$0")/lib.sh"
PYTHON=$(command -v /usr/bin/python3 || command -v python3) || skip 'python3 is not installed'

# reasons DIR: prints the state and reason of each trial, in order.
reasons() { "$WICK" export "$1" --format json | $PYTHON -c '
import json, sys
for trial in json.load(sys.stdin)["trials"]:
    print(trial["state"], trial.get("reason") or "")'; }
output() { "$WICK" show "$1" "$2" | sed '1,/^output/d'; }

# ---- a function ----
mkdir model && cd model || exit 1
cat >beside.py <<'END'
FACTOR = 2
END
cat >model.py <<'END'
import os
import sys
from beside import FACTOR

def run(params):
    print("to stdout", params["x"], os.environ.get("WICK_TRIAL"))
    print("to stderr", file=sys.stderr)
    return params["x"] * FACTOR

def named(x, name):
    return {"score": x, "length": len(name), "text": "not a number"}

def nothing(params):
    print("score: 7")

def text(params):
    return "seven"

class History:
    history = {"score": [3, 2, 1], "loss": [5, 4]}

def keras(hparams):
    return History()
END
cd "$T" || exit 1
study() { # NAME MODEL [SPACE]
    printf 'model: {%s}\nspace: %s\nsearch: {trials: 4, algorithm: random}\nkeep: all\n' \
        "$2" "${3:-{x: {float: [0, 1]\}\}}" >"$1.yaml"
}
call() { # NAME FUNCTION
    study "$1" "python: model.py:$2, interpreter: $PYTHON, folder: model" \
        "{x: {float: [0, 1]}, name: {choice: [abc]}}"
    check "$2() is called" "$WICK" run "$1.yaml" --dir "$1"
}
call run run
contains 'the best is a command that calls it' "$OUT" 'wick_host.py once model.py run'
contains 'show has it, too' "$("$WICK" show run 1)" 'wick_host.py once model.py run'
best=$("$WICK" best run --json | sed 's/.*"score":\([^,]*\),.*/\1/')
contains 'it can be run again' "$("$WICK" best run --run)" "score: $best"
contains 'or as a command of a shell' "$(cd / && sh -c "$("$WICK" best "$T/run" --command)")" "score: $best"
contains 'its output is its own' "$(output run 2)" 'to stdout'
contains 'so is its standard error' "$(output run 2)" 'to stderr'
contains 'it knows its trial' "$(output run 2)" ' 2'
equals 'all gave a score' "$(reasons run | sort -u)" 'done '
call named named
contains 'a dict gives metrics' "$("$WICK" show named 1)" 'length'
call nothing nothing
equals 'a function may print its score' "$(reasons nothing | sort -u)" 'done '
call keras keras
contains 'a history counts by its last epoch' "$("$WICK" show keras 1)" 'loss'
study text "python: model.py:text, interpreter: $PYTHON, folder: model"
refuse 1 'a text is no score' 'it must be a number' "$WICK" run text.yaml --dir text
study gone "python: model.py:gone, interpreter: $PYTHON, folder: model"
refuse 2 'a function that the file does not name' "there is no function 'gone' in model.py" \
    "$WICK" run gone.yaml --dir gone
study gone "python: model.py:sys, interpreter: $PYTHON, folder: model"
refuse 1 'what is no function' "no function 'sys'" "$WICK" run gone.yaml --dir gone
check 'a function from the command line' "$WICK" run --python model/model.py --interpreter $PYTHON \
    --set x=0..1 --trials 3 --dir words
study checked "python: model.py:run, interpreter: $PYTHON, folder: model"
check 'check tells what is called' "$WICK" check checked.yaml
contains 'check names function and file' "$OUT" 'function run of model.py'

# ---- a script ----
cat >train.py <<'END'
import argparse, atexit, ctypes, os, random, sys, threading, time

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--how")
    how = parser.parse_args().how
    atexit.register(print, "at exit")
    print("drawn", random.random(), sys.argv[0], __name__, os.getsid(0) == os.getpid())
    sys.stdout.write("no end of line")
    if how == "raises":
        raise ValueError("wrong value")
    if how == "exits":
        sys.exit(3)
    if how == "says":
        sys.exit("cannot go on")
    if how == "leaves":
        os._exit(5)
    if how == "crashes":
        ctypes.string_at(0)
    if how == "hangs":
        time.sleep(1000)
    if how == "floods":
        for i in range(30000):
            print("flood" * 20)
    if how == "daemon":
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
    if how == "thread":
        threading.Thread(target=lambda: (time.sleep(0.2), print("late"))).start()
    if how == "big":
        data = bytearray(300 << 20)
        for i in range(0, len(data), 4096):
            data[i] = 1
        time.sleep(1000)
    print("\nscore: 1")

if __name__ == "__main__":
    main()
END
cat >how.yaml <<END
model: {command: $PYTHON -u train.py, warm: true, timeout: 150, grace: 1, memory: 200M}
space: {how: {choice: [works, raises, exits, says, leaves, crashes, floods, daemon, thread, big]}}
search: {algorithm: grid}
keep: all
END
check 'a script runs as it is' timeout 600 "$WICK" run how.yaml --dir how
reasons how >got
cat >expected <<'END'
done
failed exit code 1
failed exit code 3
failed exit code 1
failed exit code 5
failed signal 11 (Segmentation fault)
done
done
done
END
equals 'each ends as a process of its own' "$(sed 's/ *$//' got | head -n 9)" "$(cat expected)"
contains 'memory counts' "$(sed -n 10p got)" 'over its memory limit'
contains 'a traceback is the user’s alone' "$(output how 2)" 'ValueError: wrong value'
lacks 'nothing of the host is in it' "$(output how 2)" wick_host
contains 'exit handlers run' "$(output how 2)" 'at exit'
lacks 'but not after os._exit' "$(output how 5)" 'at exit'
contains 'a text of sys.exit is told' "$(output how 4)" 'cannot go on'
contains 'threads are waited for' "$(output how 9)" 'late'
contains 'it is __main__ and leads a session' "$(output how 1)" 'train.py __main__ True'
equals 'no two draw the same numbers' \
    "$(for i in 1 2 3 4; do output how $i | grep drawn; done | sort -u | wc -l)" 4

sed 's/timeout: 150/timeout: 1/; s/choice: \[.*\]/choice: [hangs]/' how.yaml >hangs.yaml
refuse 1 'one that hangs is ended' 'no trial reported a score' timeout 180 "$WICK" run hangs.yaml --dir hangs
equals 'by its time limit' "$(reasons hangs)" 'timeout over its time limit of 1.00 s'

# ---- what goes wrong with the host ----
study missing "command: $PYTHON train.py, warm: true, preload: [json, no_such_module]"
refuse 1 'a module that is not there' "No module named 'no_such_module' (this is /" "$WICK" run missing.yaml --dir missing
contains 'its traceback is in the log' "$(output missing 1)" Traceback
cat >broken.py <<'END'
import sys
raise RuntimeError("broken at import")
END
study broken "command: $PYTHON train.py, warm: true, preload: [broken]"
refuse 1 'a module that cannot be imported' 'broken at import' "$WICK" run broken.yaml --dir broken
cat >slow.py <<'END'
import time
time.sleep(1000)
END
study slow "command: $PYTHON train.py, warm: true, preload: [slow], timeout: 1, grace: 1"
refuse 1 'an import that hangs is over the time limit' 'over its time limit' timeout 180 "$WICK" run slow.yaml --dir slow
cat >threads.py <<'END'
import threading, time
threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
END
study threads "command: $PYTHON train.py --how works, pass: none, warm: true, preload: [threads]"
check 'an import that starts threads' "$WICK" run threads.yaml --dir threads
contains 'is warned of' "$(output threads 1; output threads 2)" 'has started 1 thread'

# Code in the host can send anything on the host's own socket, even that another process is a trial.
setsid sleep 1000 &
bystander=$!
cat >liar.py <<END
import array, os, socket
line = socket.socket(fileno=os.dup(0))
mine, other = socket.socketpair()
line.sendmsg([b"ready $bystander"],
             [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [other.fileno()]))])
END
for limit in 2 20 100; do # until the machine is fast enough for a real trial
    study liar "command: $PYTHON train.py --how works, pass: none, warm: true, preload: [liar], timeout: $limit, grace: 1"
    rm -rf liar
    capture timeout 600 "$WICK" run liar.yaml --dir liar
    [[ "$(reasons liar)" == *done* ]] && break
done
check 'no process but a child of the helper is taken for a trial' kill -0 "$bystander"
contains 'and trials run all the same' "$(reasons liar)" done
kill "$bystander" 2>/dev/null

# The host is killed again and again while the study runs; or a trial is, which looks the same from
# here, and is tried again.
cat >quick.py <<'END'
import os, sys, time
time.sleep(0.02)
while int(os.environ["WICK_TRIAL"]) > int(open("allowed").read()):  # each round has trials of its own
    time.sleep(0.01)
print("score: 1")
END
allow() { echo "$1" >allowed.new && mv allowed.new allowed; }
allow 0
rounds=$((KILLS / 4 + 1))
printf 'model: {command: %s '"$T"'/quick.py, warm: true, retries: 9}\nspace: {x: {float: [0, 1]}}\nsearch: {trials: %d, algorithm: random}\n' \
    "$PYTHON" $((20 * rounds + 20)) >quick.yaml
"$WICK" run quick.yaml --dir quick -n 2 >quick.out 2>&1 </dev/null &
run=$!
ends() { cat quick/journal 2>/dev/null | grep -c '^{"end"'; }
# More trials have ended than those that were running or ready to run when the last host was killed.
host_works() { [ "$(ends)" -gt $((ended + 6)) ] || ! kill -0 $run 2>/dev/null; }
kill_host() { # what pgrep found may end by itself before it is killed
    kill -9 "$(pgrep -o -f "wick_host.py script $T/quick.py")" 2>/dev/null && killed=$((killed + 1))
}
killed=0 ended=0
for ((i = 1; i <= rounds; i++)); do # one that never came to a trial would be taken for broken
    allow $((20 * i))
    await host_works
    await kill_host
    ended=$(ends)
done
allow 1000000
wait $run
equals 'a host that is killed is started again' $? 0
check "$rounds times" test $killed -eq $rounds
done_count=$(reasons quick | grep -c '^done')
equals 'and no trial is lost' "$done_count" $((20 * rounds + 20))

# ---- nothing is left behind ----
printf 'model: {command: %s '"$T"'/train.py --how hangs, pass: none, warm: true}\nspace: {x: {float: [0, 1]}}\n' $PYTHON >hang.yaml
"$WICK" run hang.yaml --dir hang >/dev/null 2>&1 </dev/null &
run=$!
trial_runs() { [ "$(pgrep -c -f "wick_host.py script $T/train.py")" -ge 2 ]; } # beside the host
await trial_runs
kill -9 $run
wait $run 2>/dev/null
gone() { ! pgrep -f "wick_host.py script $T/train.py" >/dev/null; }
check 'a killed Wick leaves no host and no trial' wait_until gone

# ---- other interpreters ----
if $PYTHON -m venv --without-pip venv >/dev/null 2>&1; then
    cat >where.py <<'END'
import sys
print("prefix", sys.prefix)
print("score: 1")
END
    study venv 'command: python3 where.py, warm: true, env: {PATH: "'"$T/venv/bin:$PATH"'"}'
    check 'an environment is found by its PATH' "$WICK" run venv.yaml --dir venv.out
    contains 'and it is that one' "$(output venv.out 1)" "prefix $T/venv"
else
    skip_part 'python3 has no module venv'
fi

# ---- torch, where it is installed ----
if $PYTHON -c 'import torch' 2>/dev/null; then
    cat >net.py <<'END'
import multiprocessing
import torch

class Squares(torch.utils.data.Dataset):
    def __len__(self):
        return 64
    def __getitem__(self, i):
        return torch.tensor([i / 64.0]), torch.tensor([(i / 64.0) ** 2])

def run(params):
    torch.set_num_threads(2)
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Linear(1, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=params["lr"])
    loader = torch.utils.data.DataLoader(Squares(), batch_size=32, num_workers=2)
    for epoch in range(2):
        for x, y in loader:
            loss = ((net(x) - y) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    big = torch.rand(300, 300)
    (big @ big).sum().item()
    with multiprocessing.Pool(2) as pool:
        assert pool.map(abs, [-1, -2]) == [1, 2]
    return loss
END
    study net "python: net.py, interpreter: $PYTHON, timeout: 500" '{lr: {float: [0.001, 0.01]}}'
    check 'torch trains with threads and loaders in a warm trial' timeout 600 "$WICK" run net.yaml --dir net --trials 2
    equals 'all of them' "$(reasons net | sort -u)" 'done '
else
    skip_part 'PyTorch is not installed'
fi

# ---- several nodes ----
mpis_here | grep -q openmpi || skip_part 'no Open MPI: hosts under mpirun are not tested'
for mpi in $(mpis_here); do
    [ "$mpi" = openmpi ] || continue
    check "hosts under $mpi" $(mpirun_of "$mpi" 3) "$WICK" run checked.yaml --dir "mpi-$mpi"
    equals "all trials are done" "$(reasons "mpi-$mpi" | sort -u)" 'done '
done
finish
