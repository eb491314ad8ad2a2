#!/usr/bin/env bash
# wick submit: the job script for each scheduler, its submission, and that nothing in a study can
# become a command or a directive. No scheduler is needed: its programs are scripts of this test.
#
# The expected scripts are in tests/cli/jobs. After an intended change:
#     UPDATE=yes WICK=build/wick bash tests/cli/submit.sh
. "$(dirname "$0")/lib.sh"
need python3
golden=$SOURCE/tests/cli/jobs
unset WICK_SITE SLURM_JOB_ID
export HOME=$T XDG_CONFIG_HOME='' WICK_SITES=$T/sites

# A program that records its arguments, its input and where it runs, and answers.
mkdir bin sites
fake() { # NAME ANSWER [CODE]
    cat >"bin/$1" <<SH
#!/bin/bash
printf '%s\n' "\$@" >'$T/said'
cat >'$T/input'
pwd >'$T/where'
cp job.sh '$T/script' 2>/dev/null
$2
exit ${3-0}
SH
    chmod +x "bin/$1"
}
PATH=$T/bin:$PATH
fake sbatch 'echo 4711'
fake squeue 'echo "PENDING|(Priority)"'
fake scancel ''

cat >full.yaml <<'YAML'
name: nt3
model: {command: echo 1}
space: {lr: {log: [1e-5, 1e-1]}}
search: {trials: 100}
job:
  nodes: 4
  workers_per_node: 2
  cores: 4
  memory: 8G
  gpus_per_node: 2
  time: 26h
  notice: 5m
  queue: gpu
  account: bio
  constraint: a100
  modules: [gcc/12, cuda]
  environment: {OMP_NUM_THREADS: 4, GREETING: "it's a day"}
  prologue:
  - source venv/bin/activate
  launcher: srun --mpi=pmix
  chain: 3
YAML
cat >minimal.yaml <<'YAML'
model: {command: echo 1}
space: {lr: {log: [1e-5, 1e-1]}}
search: {trials: 100}
job: {time: 90m}
YAML

# ---- the scripts ----

# expect NAME: checks that the script in $OUT is the expected one.
expect() {
    local got=${OUT//$(realpath "$WICK")/WICK}
    got=${got//"$(realpath "$T")"/FOLDER}
    [ -z "${UPDATE-}" ] || printf '%s\n' "$got" >"$golden/$1.golden"
    equals "the script of $1" "$got" "$(cat "$golden/$1.golden")"
    bash -n <<<"$got"
    verdict $? "bash reads the script of $1"
}
declare -A directive=([slurm]=--comment=x [pbs]='-W umask=22' [torque]='-W umask=22' [lsf]='-Jd x' [sge]='-p -5'
    [cobalt]='--env A=1' [flux]=--setattr=a=b)
for scheduler in slurm pbs torque lsf sge cobalt flux; do
    more=("--directive=${directive[$scheduler]}" --mail=me@example.org)
    [ $scheduler != flux ] || more=("${more[0]}") # it sends no mail
    check "a whole job for $scheduler" "$WICK" submit full.yaml --scheduler $scheduler "${more[@]}" --dry-run --secrets
    expect $scheduler
    check "a small job for $scheduler" "$WICK" submit minimal.yaml --scheduler $scheduler --dry-run
    expect $scheduler-minimal
    [ $scheduler != slurm ] || continue
    contains 'it has one worker, and that is said' "$ERR" 'each node has one worker'
done
check 'a job of this machine' "$WICK" submit minimal.yaml --scheduler local --workers-per-node 2 --dry-run
expect local
mkdir nothing
ln -s "$(type -P echo)" nothing/echo
check 'no scheduler is found' env PATH="$T/nothing" "$WICK" submit minimal.yaml --dry-run
contains 'and that the job is a process here is said' "$ERR" 'found no scheduler on PATH'
check 'who names it knows' env PATH="$T/nothing" "$WICK" submit minimal.yaml --scheduler local --dry-run
lacks 'then nothing is said' "$ERR" 'no program of a scheduler'
equals 'a dry run leaves nothing behind' "$(ls -d ./*.wick 2>/dev/null)" ''
for scheduler in slurm torque lsf; do
    check "$scheduler has a quality of service" "$WICK" submit full.yaml --scheduler $scheduler --qos high --dry-run
    contains 'which is asked for' "$OUT" high
done
for scheduler in pbs sge cobalt flux; do
    refuse 2 "$scheduler has none" "has no equivalent of 'job.qos'" \
        "$WICK" submit full.yaml --scheduler $scheduler --qos high --dry-run
done
refuse 2 'a local job has one node' 'a local job runs on this machine only' \
    "$WICK" submit minimal.yaml --scheduler local --nodes 2
check 'a directive of the user takes the place of ours' \
    "$WICK" submit full.yaml --scheduler sge --directive='-pe orte 16' --dry-run
equals 'and is there once' "$(grep -e '-pe' <<<"$OUT")" '#$ -pe orte 16'
check 'Slurm is found by its program' "$WICK" submit minimal.yaml --dry-run -q
contains 'so its directives are written' "$OUT" '#SBATCH --time=01:30:00'
equals 'of whole nodes, and nothing has to be said' "$(grep -c -e --exclusive <<<"$OUT") $ERR" '1 '
check 'workers that are said leave the rest to others' \
    "$WICK" submit minimal.yaml --workers-per-node 3 --dry-run
lacks 'no node is asked for as a whole' "$OUT" '--exclusive'
check 'workers follow from the GPUs' "$WICK" submit minimal.yaml --gpus-per-node 4 --gpus 2 --dry-run
contains 'that a trial needs' "$OUT" '--ntasks-per-node=2'
lacks 'not from the cores' "$OUT" '--exclusive'

for runtime in apptainer singularity podman; do
    check "an image that $runtime is to fetch" "$WICK" submit minimal.yaml --container docker://python:3.12 \
        --runtime $runtime --dry-run
    contains 'may be out of reach of the nodes, and how to fetch it is said' "$ERR" "$runtime pull "
    contains 'with its name' "$ERR" docker://python:3.12
done
check 'a job of this machine' "$WICK" submit minimal.yaml --container docker://python:3.12 --scheduler local --dry-run
lacks 'has its network' "$ERR" 'pull'

# ---- submitting ----

check 'a study is submitted' "$WICK" submit full.yaml
equals 'it says what, and what comes next' "$OUT" \
    'submitted Slurm job 4711 (4 nodes, 8 workers, 26 h 0 min, at most 3 jobs); the study is in nt3.wick
  wick watch nt3.wick   follows it
  wick stop nt3.wick    stops it and keeps its results'
equals 'by sbatch alone' "$(tr '\n' ' ' <said)" '--parsable job.sh '
equals 'from the folder of the study' "$(cat where)" "$(realpath nt3.wick)"
equals 'the script is a program, for its owner: it has variables' "$(stat -c %a nt3.wick/job.sh)" 700
equals 'the job is recorded' "$(sed 's/"submitted":[0-9.]*/"submitted":T/' nt3.wick/jobs)" \
    '{"submitted":T,"id":"4711","scheduler":"slurm","link":1,"links":3}'
contains 'the study is there, and has not begun' "$("$WICK" status nt3.wick)" 'waiting for its job'
refuse 2 'a job that waits is not joined by another' \
    "Slurm job 4711 waits; it continues by itself, and \`wick stop nt3.wick\` stops it" "$WICK" submit nt3.wick
check 'the same file once more' "$WICK" submit full.yaml
contains 'is another study, and the first is named' "$ERR" \
    'nt3.wick has Slurm job 4711 waiting, but this is a new study'
contains 'with how to go on with it' "$ERR" 'wick submit nt3.wick'
contains 'it has its own folder' "$OUT" 'the study is in nt3-2.wick'
rm -r nt3-2.wick
sed "s/trials: 100/trials: 2/; s/nt3/short/; s/echo 1/'echo score: 1'/" full.yaml >short.yaml
check 'a short study waits' "$WICK" submit short.yaml -q
check 'and is run here' "$WICK" resume short.wick --no-report
contains 'which is said of its job' "$ERR" 'Slurm job 4711 is waiting to continue this study, which now runs here'
check 'quietly it is not' "$WICK" resume short.wick --trials 3 -q
lacks 'as with all notes' "$ERR" 'waits to go on'
check 'nor in a job' env WICK_SCHEDULER=slurm SLURM_JOB_ID=1 "$WICK" resume short.wick --trials 4 --no-report
lacks 'which is one of a chain' "$ERR" 'waits to go on'
refuse 2 'a folder that has a study' 'continue it with `wick submit nt3.wick`' "$WICK" submit full.yaml --dir nt3.wick
(umask 077; "$WICK" submit full.yaml --dir private -q) >private.out
equals 'and one that others may not read stays so' "$(stat -c %a private/job.sh)" 700
fake squeue 'echo "slurm_load_jobs error: Invalid job id specified" >&2' 1
check 'when it is gone, the study is submitted again' "$WICK" submit nt3.wick --queue long --job-time 1h -q
equals 'quietly: the number alone' "$OUT$ERR" 4711
check 'a partition is a queue' "$WICK" submit minimal.yaml --partition=debug --dry-run
contains 'in the words of Slurm' "$OUT" '#SBATCH --partition=debug'
refuse 2 'but there is one' "'--queue' was given twice" "$WICK" submit minimal.yaml --partition a --queue b --dry-run
contains 'with other options of the job' "$(cat nt3.wick/job.sh)" '#SBATCH --partition=long'
contains 'over those of the study' "$(cat nt3.wick/job.sh)" '#SBATCH --account=bio'
contains 'and another time' "$(cat nt3.wick/job.sh)" '#SBATCH --time=01:00:00'
refuse 2 'the study itself stays' "'--seed' is only for a new study" "$WICK" submit nt3.wick --seed 3
refuse 2 'and its command' "omit what follows '--'" "$WICK" submit nt3.wick -- echo 2
refuse 2 'wrong options are told as ever' 'nodes' "$WICK" submit nt3.wick --nodes many
fake squeue 'echo "slurm_load_jobs error: Unable to contact slurm controller" >&2' 1
check 'a scheduler that is silent' "$WICK" submit nt3.wick
contains 'is no obstacle' "$ERR" 'the state of Slurm job 4711 is unknown'
fake squeue ''

fake sbatch 'echo "sbatch: error: invalid partition specified: gpu" >&2' 1
refuse 2 'what sbatch refuses' 'sbatch: error: invalid partition specified: gpu' "$WICK" submit full.yaml
contains 'is told with what to do' "$ERR" "try again with \`wick submit nt3-2.wick\`, with other job options"
contains 'how to try again' "$ERR" 'the study is in nt3-2.wick: try again with `wick submit nt3-2.wick`'
fake sbatch 'echo "sbatch: something else"'
refuse 1 'an answer without a number' 'sbatch did not print a job ID; it said: sbatch: something else' \
    "$WICK" submit nt3-2.wick
contains 'leaves open whether there is a job, and says how to see it' "$ERR" \
    'it is not known whether the job was submitted: see whether `squeue -u $USER` lists the job nt3.'
lacks 'it does not deny it' "$ERR" 'nothing runs'
fake sbatch 'echo 4712'
check 'and it can be tried again' "$WICK" submit nt3-2.wick --queue cpu
equals 'then there is one job' "$(wc -l <nt3-2.wick/jobs)" 1
refuse 2 'a scheduler that is not here' 'cannot start bsub' env PATH="$T/nothing" "$WICK" submit full.yaml --scheduler lsf
refuse 2 'no study' 'nothing to run' "$WICK" submit
mkdir empty
refuse 2 'a folder that is none' 'is not a study folder' "$WICK" submit empty
check 'a study that ran' "$WICK" run --function branin --trials 2 --dir ran -q --no-report
check 'is complete' "$WICK" submit ran
contains 'which is all that is said' "$OUT" 'is complete with 2 trials'
contains 'with how to have more' "$OUT" 'To run more:  wick resume ran --trials N'
check 'more of them in a job' "$WICK" submit ran --trials 3 --time 1h --queue cpu -q
contains 'whose script says so' "$(tail -n 1 ran/job.sh)" ' --trials 3 --time 3600'
refuse 2 'a number that is none' "'--trials few'" "$WICK" submit ran --trials few
check 'the job' env WICK_SCHEDULER=slurm SLURM_JOB_ID=4712 bash -c 'cd ran && ./job.sh'
contains 'runs them' "$("$WICK" status ran)" '3 of 3'
check 'then the study' "$WICK" submit ran
contains 'belongs to the cluster' "$OUT" 'is complete with 3 trials. To run more:  wick submit ran --trials N'

# ---- what the partitions of Slurm can run ----

fake sinfo 'echo "main*|3|1-00:00:00|(null)"; echo "gpu|2|4:00:00|gpu:a100:4(S:0-1,3)"; echo "gpu|1|4:00:00|gpu:8,shard:9"'
# submitted OPTION...: submits a job of minimal.yaml, which asks for 90 minutes, into a new folder.
submitted() {
    rm -rf new
    "$WICK" submit minimal.yaml --dir new "$@"
}
check 'a job that fits' submitted --nodes 3
refuse 2 'more nodes than there are' \
    "the job asks for 40 nodes, but the partition main has 3: lower 'nodes', or choose another 'queue'" \
    submitted --nodes 40
check 'makes no study' test ! -e new
check 'GPUs' submitted --queue gpu --nodes 3 --gpus-per-node 4
check 'many GPUs' submitted --queue gpu --gpus-per-node 8
refuse 2 'more nodes with GPUs than there are' \
    'the job asks for 2 nodes with 8 GPUs, but the partition gpu has only 1' \
    submitted --queue gpu --nodes 2 --gpus-per-node 8
check 'one of two partitions is enough' submitted --queue main,gpu --gpus-per-node 2
refuse 2 'of two, neither' 'no node of the partition gpu has more than 8' \
    submitted --queue main,gpu --gpus-per-node 9
refuse 2 'time' 'the job asks for 30 h 0 min, but the partition main allows only 24 h 0 min' submitted --job-time 30h
check 'a quality of service may allow more' submitted --job-time 30h --qos long
check 'also that of a directive' submitted --job-time 30h --directive=--qos=long
check 'in its short form' submitted --job-time 30h --directive='-q long'
rm -r new
check 'or of a variable' env SBATCH_QOS=long "$WICK" submit minimal.yaml --dir new --job-time 30h
refuse 2 'not any directive' 'the partition main allows only' submitted --job-time 30h --directive=--nice
check 'a directive may say something else' submitted --nodes 40 --directive=--partition=other
check 'a dry run asks nobody' "$WICK" submit minimal.yaml --nodes 40 --dry-run
refuse 2 'the partition of a variable counts' 'there is no partition debug' \
    env SBATCH_PARTITION=debug "$WICK" submit minimal.yaml --dir new
refuse 2 'a study that is there is checked as well' 'the job asks for 5 nodes' "$WICK" submit nt3-2.wick --queue main --nodes 5
for answer in 'echo "what|is this"' 'echo "main*|many|soon|?"' 'echo "sinfo: error" >&2; exit 1' 'exec sleep 1000'; do
    fake sinfo "$answer"
    check "what is not understood is no reason to refuse: $answer" submitted --nodes 2 --gpus-per-node 1
done
rm bin/sinfo

# ---- sites ----

cat >sites/lab.yaml <<'YAML'
description: The cluster of the lab
hosts: ['no-such-host*']
scheduler: slurm
queue: short
gpus: '--gres=gpu:{gpus}'
modules: [gcc]
environment: {LAB: here}
runtime: podman
YAML
check 'a site has defaults' "$WICK" submit minimal.yaml --site lab --gpus-per-node 2 --dry-run --secrets
contains 'its queue' "$OUT" '#SBATCH --partition=short'
contains 'its directive for GPUs' "$OUT" '#SBATCH --gres=gpu:2'
lacks 'in place of the usual' "$OUT" '--gpus-per-node'
contains 'its variables' "$OUT" 'export LAB=here'
contains 'what it prefers for containers' "$OUT" 'export WICK_RUNTIME=podman'
check 'a site by a variable' env WICK_SITE=lab "$WICK" submit minimal.yaml --queue mine --dry-run
contains 'the study says more' "$OUT" '#SBATCH --partition=mine'
check 'no site' "$WICK" submit minimal.yaml --dry-run
lacks 'elsewhere it is not meant' "$OUT" partition
sed -i "s/no-such-host/$(uname -n | cut -c 1-3)/" sites/lab.yaml
check 'a site by the name of the machine' "$WICK" submit minimal.yaml --dry-run
contains 'is found' "$OUT" '#SBATCH --partition=short'
check 'but for those who want none' "$WICK" submit minimal.yaml --site none --dry-run
lacks 'then it is not' "$OUT" partition
refuse 2 'a site that is not there' "unknown site 'lba': did you mean 'lab'?" "$WICK" submit minimal.yaml --site lba
mkdir -p .config/wick/sites
printf 'queue: user\nscheduler: slurm\n' >.config/wick/sites/lab.yaml
printf 'scheduler: slurm\nqueues: x\n' >.config/wick/sites/wrong.yaml
check 'the first folder wins' "$WICK" submit minimal.yaml --site lab --dry-run
contains 'as WICK_SITES says' "$OUT" '#SBATCH --partition=short'
refuse 2 'mistakes in the file of a site' 'wrong.yaml:2' "$WICK" submit minimal.yaml --site wrong
rm -r sites .config

# ---- nothing becomes a command, or a directive ----

# Anything that is executed makes a file 0wned. A job's program is replaced by one that records its
# arguments.
cat >recorder <<SH
#!/bin/bash
printf '%s\n' "\$@" >'$T/words'
printenv EVIL >'$T/evil'
SH
chmod +x recorder
newline='
'
long=$(printf '%04096d' 7)
evils=("a'b" 'a"b' '$(touch 0wned)' '`touch 0wned`' ';touch 0wned;' '|touch 0wned' '%j%s%n' '${IFS}touch${IFS}0wned'
    "x$newline#SBATCH --uid=0$newline#\$ -N evil$newline# flux: --queue=evil${newline}touch 0wned" 'a\' "'; touch 0wned; '"
    "\$'\\n'touch 0wned" '--wrap=touch 0wned' $'\u2028# flux: -N9' 'ünï→côdé' '{id}{after}{name}<x>' '!!' '~' "$long")

# try_script WHAT: checks that the submitted script does no harm, and has no directives but ours.
try_script() {
    local ours
    sed "s|^exec .* job \.|exec $T/recorder job .|" script >tame
    rm -f words
    (mkdir -p place && cd place && bash ../tame) >/dev/null 2>&1
    equals "$1: the job's program gets our words" "$(head -n 2 words | tr '\n' ' ')" 'job . '
    ours=$(grep -cE '^#(SBATCH (--(job-name|nodes|ntasks-per-node|cpus-per-task|mem|time|signal|open-mode|output)=[][A-Za-z0-9_.:@%-]+|--requeue|--exclusive)$|!/bin/bash$)' script)
    equals "$1: all directives are ours" "$(grep -c '^[[:space:]]*#' script)" "$ours"
    equals "$1: nothing was executed" "$(find "$T" -name 0wned)" ''
}
number=0
for evil in "${evils[@]}"; do
    number=$((number + 1))
    shown=$(head -n 1 <<<"${evil:0:20}")
    folder=$evil
    [ ${#evil} -lt 200 ] || folder=${evil:0:200}
    rm -f script words said
    EVIL=$evil python3 - <<'PY'
import json, os
evil = os.environ["EVIL"]
json.dump({"name": evil.replace("/", "_"), "model": {"command": ["echo", evil], "env": {"V": evil}},
           "space": {"lr": {"float": [0, 1]}, "c": {"choice": [evil, "other"]}},
           "search": {"trials": 2},
           "job": {"time": "1h", "environment": {"EVIL": evil}, "prologue": ["touch prepared"]}},
          open("evil.yaml", "w"))
PY
    home=evil$number/$folder.d
    mkdir -p "$home"
    cp evil.yaml "$home/$folder.yaml"
    if capture "$WICK" submit "$home/$folder.yaml" --dir "evil$number/$folder"; then
        equals "$shown: sbatch gets our words" "$(tr '\n' ' ' <said)" '--parsable job.sh '
        try_script "$shown"
        [ "$(cat evil)" = "$evil" ]
        verdict $? "$shown: the variable arrives as it is"
        [ -e "$home/prepared" ]
        verdict $? "$shown: the prologue ran where the study file is"
    else
        lacks "$shown: it is refused, not run" "$OUT" submitted
        equals "$shown: nothing was executed" "$(find "$T" -name 0wned)" ''
    fi
done

# Options one by one: what one of them forbids must not hide the others.
for evil in "${evils[@]}"; do
    shown=$(head -n 1 <<<"${evil:0:20}")
    wrong=
    for option in name queue account qos node-constraint modules scheduler site nodes job-time directive \
        mail reservation gpu-type; do
        if capture "$WICK" submit minimal.yaml --dry-run -q "--$option=$evil"; then
            grep -E '^[[:space:]]*#' <<<"$OUT" | grep -qvE '^#(SBATCH -|!/bin/bash$)' && wrong+=" $option"
            grep -q '^touch' <<<"$OUT" && wrong+=" $option"
            bash -n <<<"$OUT" || wrong+=" $option"
        fi
    done
    equals "options $shown: each directive is a line, and no line a command" "$wrong" ''
done
equals 'nothing was executed' "$(find "$T" -name 0wned)" ''

# The path of the program itself.
place="it's \$(touch 0wned)$newline#SBATCH --uid=0"
mkdir "$place" && cp "$WICK" "$place/wick"
rm -rf script
check 'a program in a folder of any name' "$place/wick" submit minimal.yaml --dir three.wick
equals 'has a script of one line for it' "$(grep -c '^[[:space:]]*#SBATCH --uid' script)" 0
printf '#!/bin/bash\nprintf "%%s\\n" "$@" >%q\n' "$T/words" >"$place/wick"
rm -f words
check 'and the job finds it' bash script
equals 'by its name' "$(head -n 2 words | tr '\n' ' ')" 'job . '

# Shell lines are the user's own commands, but never directives.
cat >prologue.yaml <<'YAML'
model: {command: echo 1}
space: {lr: {log: [1e-5, 1e-1]}}
search: {trials: 100}
job:
  time: 1h
  prologue: |
    # a comment
      #$x
    echo begun
    cd /
YAML
check 'a prologue with comments' "$WICK" submit prologue.yaml --scheduler sge --dry-run
equals 'has none in the script' "$(sed -n '/^cd -- .*tmp/,$p' <<<"$OUT" | sed 1d)" 'echo begun
cd /
trap - ERR EXIT
cd -- "$wick_folder" || exit 1
wick_job'
mkdir below
sed 's/echo 1/echo 1, folder: below/' prologue.yaml >elsewhere.yaml
check 'trials in another folder' "$WICK" submit elsewhere.yaml --scheduler slurm --dir elsewhere -q
check 'the study continues' "$WICK" submit elsewhere --dry-run -q
contains 'with a prologue in the folder of its file' "$OUT" "cd -- $(realpath .)
echo begun"
refuse 2 'directives in it are refused' 'is for the scheduler' \
    "$WICK" submit <(sed 's/# a comment/#SBATCH --uid=0/' prologue.yaml) --dry-run

# ---- GPUs that are not assigned to trials, and a time without a unit ----

cat >gpus.yaml <<'YAML'
model: {command: echo 1}
space: {lr: {log: [1e-5, 1e-1]}}
search: {trials: 100}
job: {scheduler: slurm, gpus_per_node: 2, time: 30}
YAML
sed 's/echo 1/echo 1, gpus: 1/; s/time: 30/time: 30s/' gpus.yaml >both.yaml
for command in check 'submit --dry-run'; do
    check "$command of a job with GPUs" "$WICK" $command gpus.yaml
    contains 'each trial sees all of them, and that is said' "$ERR" 'add `gpus: 1` to '
    contains 'a time without a unit is told' "$ERR" "'job.time' is 30 seconds: write 30m if you mean minutes"
    check "$command of a job that says both" "$WICK" $command both.yaml
    lacks 'no note of the GPUs' "$ERR" 'sees all'
    lacks 'no note of the time' "$ERR" 'job.time'
done
sed 's/echo 1/echo 1, gpus: 1/; s/gpus_per_node: 2/&, workers_per_node: 4/' gpus.yaml >many.yaml
refuse 2 'too few GPUs, with the place' 'many.yaml:4:40: 4 workers with 1 GPU each need 4 GPUs' \
    "$WICK" check many.yaml
refuse 2 'also when the workers are those of the search' "need 4 GPUs per node, but 'job.gpus_per_node' is 2" \
    "$WICK" submit minimal.yaml --gpus 1 --workers 4 --gpus-per-node 2 --scheduler slurm --dry-run

finish
