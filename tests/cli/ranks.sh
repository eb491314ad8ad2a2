#!/usr/bin/env bash
# Trials of several ranks: what each rank finds, their results, and that none is left behind.
# KILLS=400 tests/cli/ranks.sh kills a rank a hundred times.
. "$(dirname "$0")/lib.sh"
python=$(command -v /usr/bin/python3 || command -v python3) || skip 'python3 is not installed'
RANDOM=${SEED:-$$}
echo "# SEED=${SEED:-$$}"
ROUNDS=$(((KILLS + 3) / 4))

# Processes that these trials leave behind have this name.
no_sleeper() { ! pgrep -f "^$MARK|^bash victim.sh $MARK" >/dev/null; }
reason() { sed -n "s/^{\"end\":$2,.*\"reason\":\"\([^\"]*\)\".*/\1/p" "$1/journal" | tail -n 1; }
ended() { [ -f "$1/journal" ] && grep -q "^{\"end\":$2," "$1/journal"; }
study() { cat >study.yaml; }

# ---- the environment ----

cat >model.sh <<'END'
echo "$RANK $WORLD_SIZE $LOCAL_RANK $LOCAL_WORLD_SIZE $MASTER_ADDR $HOROVOD_RANK/$HOROVOD_SIZE" \
    >>env.$WICK_TRIAL
echo "$MASTER_PORT" >>ports.$WICK_TRIAL
echo "$WICK_PARAMS" >>params.$WICK_TRIAL
for _ in {1..1200}; do # a minute, until the first two trials run at the same time
    [ -e ports.1 ] && [ -e ports.2 ] && break
    sleep 0.05
done
[ "$RANK" != 0 ] || echo "score: 1"
END
study <<'END'
model: {command: bash model.sh, ranks: 2, pass: none}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: 4}
END
check 'trials of two ranks' timeout 180 "$WICK" run study.yaml -n 4 --dir env --no-report
equals 'each rank knows its place' "$(sort env.1)" "0 2 0 2 127.0.0.1 0/2
1 2 1 2 127.0.0.1 1/2"
equals 'all ranks have the same parameters' "$(sort -u params.3 | wc -l)" 1
equals 'and the same port' "$(for i in 1 2 3 4; do sort -u ports.$i; done | wc -l)" 4
equals 'trials at a time have different ports' "$(cat ports.1 ports.2 | sort -u | wc -l)" 2
contains 'the journal names the workers' "$(grep '^{"group":1,' env/journal)" '"members":['
equals 'all of them are done' "$(grep -c '"state":"done"' env/journal)" 4
equals 'nothing is left in the folder' "$(ls env/tmp)" ''

# ---- without Horovod ----

cat >variables.sh <<'END'
env | grep -c HOROVOD >>"count.$RANK"
[ "$RANK" != 0 ] || echo "score: 1"
END
for horovod in true false; do
    study <<END
model: {command: bash variables.sh, ranks: 2, pass: none, horovod: $horovod}
space: {x: {float: [0, 1]}}
search: {trials: 1}
END
    check "horovod: $horovod" timeout 180 "$WICK" run study.yaml -n 2 --dir "horovod-$horovod" --no-report
done
equals 'horovod: false leaves its variables out' "$(cat count.0 count.1 | paste -sd ' ')" '12 0 12 0'

# ---- as a hyperparameter ----

study <<'END'
model: {command: [bash, -c, 'echo "score: $WORLD_SIZE"'], pass: none}
space: {ranks: {choice: [1, 2, 3]}}
search: {algorithm: grid}
END
check 'a sweep over ranks' timeout 180 "$WICK" run study.yaml -n 3 --dir sweep --no-report
equals 'each trial has its number of ranks' \
    "$(for i in 1 2 3; do "$WICK" show sweep $i | sed -n 's/^  ranks  *//p'; done | paste -sd ' ')" \
    "$(for i in 1 2 3; do grep "^{\"end\":$i," sweep/journal | sed 's/.*"score":\([0-9]*\).*/\1/'; done | paste -sd ' ')"

# ---- what is refused ----

study <<'END'
model: {command: bash model.sh, ranks: 3, pass: none}
space: {x: {float: [0, 1]}}
search: {trials: 1}
END
refuse 2 'more ranks than workers' "a trial of 3 ranks needs that many workers, but 'workers' is 2" \
    timeout 180 "$WICK" run study.yaml -n 2 --dir few
equals 'nothing has begun' "$(ls -d few 2>/dev/null)" ''
check 'wick check knows it' "$WICK" check study.yaml
contains 'it tells how many' "$OUT" '3 per trial'
contains 'and does not take workers for trials' "$OUT" ', one per rank of a trial'

refuse 2 'the options are the keys' "a trial of 3 ranks needs that many workers" \
    timeout 180 "$WICK" run --set x=0..1.0 --ranks 3 -n 2 --dir few -- bash model.sh
refuse 2 'a launcher without MPI' "'launcher' needs 'launch: mpi'" \
    "$WICK" run --set x=0..1.0 --ranks 2 --launcher mpirun -n 2 --dir few -- bash model.sh

# ---- one rank fails ----

study <<'END'
model:
  command:
  - bash
  - -c
  - 'echo I am $RANK; touch said.$RANK; [ $RANK = 1 ] || exec -a MARK sleep 1000; until [ -e said.0 ]; do sleep 0.02; done; echo no data >&2; exit 7'
  ranks: 3
  pass: none
space: {x: {float: [0, 1]}}
search: {trials: 1}
END
sed -i "s/MARK/$MARK/" study.yaml
refuse 1 'a rank that fails' "rank 1 on node $(hostname): exit code 7: no data" \
    timeout 180 "$WICK" run study.yaml -n 3 --dir failed --no-report
check 'ends the others' wait_until no_sleeper
"$WICK" show failed 1 >shown
contains 'its output is there' "$(cat shown)" "[rank 1]
I am 1
no data"
contains 'and that of rank 0' "$(cat shown)" "[rank 0]
I am 0"
sed -i 's/exit 7/exit 1/' study.yaml
refuse 1 'a rank that fails with code 1' "rank 1 on node $(hostname): exit code 1: no data" \
    timeout 180 "$WICK" run study.yaml -n 3 --dir failed1 --no-report
contains 'the list names the rank as well' "$("$WICK" list failed1)" "rank 1 on node $(hostname): exit code 1: no data"

for limit in 1 10 100; do # until the machine is fast enough for the others
    study <<END
model:
  command: [bash, -c, 'echo "score: 1"; [ \$RANK != 1 ] || exec -a $MARK sleep 1000; touch over.$limit.\$RANK']
  ranks: 3
  timeout: $limit
  pass: none
space: {x: {float: [0, 1]}}
search: {trials: 1}
END
    code=0
    capture timeout 180 "$WICK" run study.yaml -n 3 --dir "hangs$limit" --no-report || code=$?
    [ -e over.$limit.0 ] && [ -e over.$limit.2 ] && break
done
equals 'a rank that hangs ends its trial' $code 1
contains 'a rank that hangs is named' "$OUT$ERR" "rank 1 on node $(hostname): over its time limit of $limit"
check 'leaves nothing behind' wait_until no_sleeper

# ---- one rank is killed, at any moment ----

cat >victim.sh <<'END'
[ "$RANK" != 1 ] || trap '' TERM # one that wants to be killed hard
echo $$ >"pid.$WICK_TRIAL.$RANK"
[ "$RANK" = 2 ] || while :; do (exec -a "$1" sleep 0.05); done
exec -a "$1" sleep 1000
END
study <<END
model: {command: bash victim.sh $MARK, ranks: 3, pass: none, grace: 0.3}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: $ROUNDS, halt: off}
END
timeout 600 "$WICK" run study.yaml -n 3 --dir killed --no-report >out 2>err &
run=$!
named=0
for ((round = 1; round <= ROUNDS; round++)); do
    victim=$((RANDOM % 3))
    await [ -s "pid.$round.$victim" ]
    sleep "0.$(printf %03d $((RANDOM % 100)))"
    kill -KILL "$(cat "pid.$round.$victim")"
    await ended killed $round
    [ "$(reason killed $round)" = "rank $victim on node $(hostname): signal 9 (Killed)" ] &&
        named=$((named + 1))
done
wait $run
equals "the trial failed, by the rank that was killed, $ROUNDS times" $named $ROUNDS
check 'no process is left' wait_until no_sleeper
equals 'the ends came' "$(grep -c '^{"end"' killed/journal)" "$ROUNDS"

# ---- stopped early: all ranks stop after the same question ----

cat >asks.py <<'END'
import json, os, random, socket, sys, time
rank, trial = int(os.environ["RANK"]), os.environ["WICK_TRIAL"]
line = socket.socket(socket.AF_UNIX)
line.connect(os.environ["WICK_LINE"])
replies = line.makefile()
def say(message):
    line.sendall((json.dumps(message) + "\n").encode())
say({"hello": int(trial), "try": int(os.environ["WICK_TRY"]), "secret": int(os.environ["WICK_SECRET"])})
for call in range(1, 2000):
    time.sleep(random.random() * 0.005 * (rank + 1))
    say({"step": call, "metrics": {"score": 1 + call if rank == 0 else -1}})
    if rank == 2 and sys.argv[1] == "some":
        time.sleep(1000)
    say({"stop": call})
    if json.loads(replies.readline())["stop"]:
        break
open("%s.%s.%d" % (sys.argv[1], trial, rank), "w").write(str(call))
END
# Ranks that ask never exceed the grace; one that does not ask does, once the grace is long enough
# for the others.
for who in all some; do
    for grace in 1 10 100; do
        [ $who != all ] || grace=100
        study <<END
model: {command: $python asks.py $who, ranks: 3, pass: none, grace: $grace}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: 4, stop: {patience: {steps: 5}}}
END
        rm -rf "asks-$who" $who.*
        code=0
        capture timeout 600 "$WICK" run study.yaml -n 6 --dir "asks-$who" --no-report || code=$?
        [ $who = some ] && [ "$(ls some.?.[01] 2>/dev/null | wc -l)" != 8 ] || break
    done
    equals "ranks that ask whether to stop: $who" $code 0
    equals "$who: they are stopped" "$(grep -c '"state":"stopped"' "asks-$who/journal")" 4
    lacks "$who: only rank 0 reports" "$(cat "asks-$who/journal")" '"value":-1'
done
same=0
for i in 1 2 3 4; do
    [ "$(cat all.$i.0)" = "$(cat all.$i.1)" ] && [ "$(cat all.$i.0)" = "$(cat all.$i.2)" ] &&
        [ "$(cat some.$i.0)" = "$(cat some.$i.1)" ] && same=$((same + 1))
done
equals 'after the same question' $same 4
equals 'who never asks is ended' "$(ls some.?.2 2>/dev/null)" ''

# ---- interrupted ----

rm -f pid.*
cat >slow.sh <<END
echo \$\$ >"pid.\$WICK_TRIAL.\$RANK"
[ -e go ] || exec -a $MARK sleep 1000
echo score: 1
END
study <<'END'
model: {command: bash slow.sh, ranks: 2, pass: none}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: 3}
END
timeout 180 "$WICK" run study.yaml -n 4 --dir cut --no-report >out 2>err &
run=$!
await eval '[ -s pid.1.1 ] && [ -s pid.2.0 ]'
kill -TERM "$(pgrep -P $run)"
wait $run
equals 'SIGTERM ends it' $? 143
check 'and all ranks' wait_until no_sleeper
equals 'both trials were interrupted' "$(grep -c '"state":"interrupted"' cut/journal)" 2
touch go
check 'it goes on' timeout 180 "$WICK" resume cut --no-report
equals 'to its end' "$(grep -c '"state":"done"' cut/journal)" 3

# ---- user variables with the same names ----

cat >port.py <<'END'
import os
print("score:", os.environ["MASTER_PORT"])
END
for warm in false true; do
    study <<END
model: {command: $python port.py, ranks: 2, pass: none, warm: $warm, env: {MASTER_PORT: 5}}
space: {x: {float: [0, 1]}}
search: {trials: 1}
END
    check "a port of the user's own, warm: $warm" timeout 180 "$WICK" run study.yaml -n 2 --dir "port-$warm" --no-report
    lacks "does not hide the one where the ranks meet, warm: $warm" "$(cat "port-$warm/journal")" '"score":5,'
done

# ---- mpiexec ----

refuse 1 'no mpiexec' 'cannot start mpiexec: No such file' timeout 180 "$WICK" run --launch mpi \
    --ranks 2 --env PATH="$T/none" --set x=0..1.0 --trials 1 -n 2 --dir absent -- /bin/echo score: 3
[ -n "$(mpis_here)" ] || skip_part 'no MPI: ranks that mpiexec starts are not tested'
for mpi in $(mpis_here); do
    study <<END
model:
  command: [bash, -c, 'echo "rank \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} \$WICK_PARAMS" >>$mpi.\$WICK_TRIAL; wick trial report 1 score=1; echo "score: 1"']
  ranks: 3
  launch: mpi
  launcher: mpiexec.$mpi
  pass: none
space: {x: {choice: [5]}}
search: {trials: 1}
END
    check "mpiexec of $mpi" timeout 180 "$WICK" run study.yaml -n 3 --dir "mpi-$mpi" --no-report
    equals "starts all ranks ($mpi)" "$(sort "$mpi.1")" 'rank 0 {"x":5}
rank 1 {"x":5}
rank 2 {"x":5}'
    equals "only rank 0 reports ($mpi)" "$(grep -c '^{"step"' "mpi-$mpi/journal")" 1
done
for rank in RANK OMPI_COMM_WORLD_RANK PMI_RANK; do
    equals "Python knows its rank by $rank" \
        "$(env $rank=2 PYTHONPATH="$SOURCE/languages/python" "$python" -c 'import wick; print(wick.rank())')" 2
done
# ---- in a Slurm job ----

mkdir -p bin
printf '#!/bin/bash\necho "$@" >>%q\necho score: 1\n' "$T/srun.words" >bin/srun
chmod +x bin/srun
cat >srun.yaml <<END
model: {command: ./program, ranks: 2, launch: mpi, launcher: $T/bin/srun --mpi=pmix, pass: none}
space: {x: {float: [0, 1]}}
search: {trials: 1}
END
printf '#!/bin/bash\n' >program
chmod +x program
check 'srun starts the ranks' env SLURM_JOB_ID=7 "$WICK" run srun.yaml -n 2 --dir by-srun --no-report -q
node=$(uname -n | cut -d. -f1)
contains 'in words of its own' "$(cat srun.words)" \
    "--overlap --overcommit --cpu-bind=none --distribution=arbitrary --nodelist=$node,$node --mpi=pmix -n 2 env "
check 'outside a job' env -u SLURM_JOB_ID "$WICK" run srun.yaml -n 2 --dir no-job --no-report -q
contains 'it chooses the places itself' "$(tail -n 1 srun.words)" '--mpi=pmix -n 2 env '
check 'a trial of one rank' env SLURM_JOB_ID=7 SLURMD_NODENAME=n2 SLURM_JOB_NODELIST='n[1-3]' SLURM_NNODES=3 \
    "$WICK" run -n 1 --trials 1 --set x=0..1 --pass none --keep all --dir own-node --no-report -q -- \
    bash -c 'echo "$SLURM_JOB_ID $SLURM_NODELIST $SLURM_JOB_NODELIST $SLURM_NNODES $HYDRA_LAUNCHER"; echo score: 1'
contains 'sees a job of its node' "$(cat own-node/logs/1.log)" '7 n2 n2 1 fork'
finish
