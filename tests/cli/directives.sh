#!/usr/bin/env bash
# The directives of job scripts: what the keys of `job` become, that a directive of the user takes
# the place of ours, and that no script has a directive twice or two that exclude each other. The
# reader of scripts is tests/cli/jobs/reader.py.
. "$(dirname "$0")/lib.sh"
need python3
unset WICK_SITE SLURM_JOB_ID
export HOME=$T XDG_CONFIG_HOME='' WICK_SITES=$T/sites
reader=$SOURCE/tests/cli/jobs/reader.py

cat >study.yaml <<'YAML'
name: nt3
model: {command: echo 1}
space: {lr: {log: [1e-5, 1e-1]}}
search: {trials: 100}
YAML

# directives SCHEDULER OPTION...: the directives of the job with these options, without prefix.
directives() {
    local scheduler=$1
    shift
    "$WICK" submit study.yaml --scheduler "$scheduler" --dry-run -q "$@" 2>&1 |
        sed -nE '2,$s/^(#SBATCH|#PBS|#BSUB|#\$|#COBALT|# flux:) //p; /^wick:/p'
}

# ---- the keys ----

# asks SCHEDULER EXPECTED OPTION...: the lines that these options add to a job.
asks() {
    local scheduler=$1 expected=$2
    shift 2
    directives "$scheduler" --workers-per-node 1 >before
    directives "$scheduler" --workers-per-node 1 "$@" >after
    equals "$scheduler: $*" "$(grep -vxFf before after)" "$expected"
}
mail='--mail me@example.org'
asks slurm '--reservation=night
--mail-user=me@example.org
--mail-type=END,FAIL' $mail --reservation night
asks slurm --exclusive --exclusive
asks slurm --gpus-per-node=a100:2 --gpus-per-node 2 --gpu-type a100
asks pbs '-q R12
-M me@example.org
-m ea' $mail --reservation R12 --queue prod
asks pbs '-l place=scatter:excl' --exclusive
asks torque '-l naccesspolicy=singlejob
-l advres=night
-M me@example.org
-m ea' $mail --reservation night --exclusive
asks lsf '-x
-U night
-u me@example.org
-N' $mail --reservation night --exclusive
asks lsf '-gpu "num=2:gmodel=A100"' --gpus-per-node 2 --gpu-type A100
asks sge '-l exclusive=true
-ar 7
-M me@example.org
-m ea' $mail --reservation 7 --exclusive
asks cobalt '-q R.night
-M me@example.org' $mail --reservation R.night --exclusive
asks flux --exclusive --exclusive
for refused in 'flux mail --mail=me' 'flux reservation --reservation=night' 'local mail --mail=me' \
    'local exclusive --exclusive' 'local reservation --reservation=night' \
    'pbs gpu_type --gpu-type=a100' 'sge gpu_type --gpu-type=a100' 'flux gpu_type --gpu-type=a100'; do
    read -r scheduler key option <<<"$refused"
    refuse 2 "$scheduler has no $key" "has no equivalent of 'job.$key'" \
        "$WICK" submit study.yaml --scheduler $scheduler --gpus-per-node 1 $option --dry-run
done
cat >mail.yaml <<'YAML'
model: {command: echo 1}
space: {lr: {log: [1e-5, 1e-1]}}
search: {trials: 100}
job: {time: 1h, exclusive: false, mail: {to: me@example.org, on: [begin, end, fail]}}
YAML
mv study.yaml usual.yaml
cp mail.yaml study.yaml
contains 'mail on all events' "$(directives slurm)" '--mail-type=BEGIN,END,FAIL'
lacks 'a job that is not exclusive has no whole nodes' "$(directives slurm)" --exclusive
contains 'in the letters of PBS' "$(directives pbs)" '-m bea'
equals 'LSF has an option for each' "$(directives lsf | grep -xE -e '-(B|N)' | tr '\n' ' ')" '-B -N '
mv usual.yaml study.yaml

# ---- a directive of the user takes the place of ours ----

# replaces SCHEDULER DIRECTIVE OURS: nothing is left that starts with OURS, and nothing else is gone.
job=(--nodes 2 --workers-per-node 2 --cores-per-worker 4 --memory-per-worker 1G --gpus-per-node 2
    --job-time 1h --queue q --account a --exclusive)
replaces() {
    directives "$1" "${job[@]}" | grep -vE -e "^$3" >expected
    printf '%s\n' "$2" >>expected
    equals "$1: $2" "$(directives "$1" "${job[@]}" "--directive=$2")" "$(cat expected)"
}
for gpus in --gres=gpu:a100:2 '--gres gpu:2' --gres=nvme:1,gpu:2 --gpus=4 -G4 '-G a100:4' --gpus-per-task=1 \
    --gpus-per-node=h100:2; do
    replaces slurm "$gpus" --gpus-per-node
done
replaces slurm --gres=nvme:1 nothing
for one in '-p other|--partition' '-pother|--partition' '-p=other|--partition' '-N 4|--nodes' -N4'|--nodes' \
    '-t 10|--time' '-t10|--time' '-A b|--account' '-n 8|--ntasks' '--ntasks=8|--ntasks' '-c 2|--cpus' \
    '-J name|--job-name' '-o out|--output' '--mem-per-cpu=1G|--mem' '--mem-per-gpu=1G|--mem' '--mem 1G|--mem' \
    '--exclusive=user|--exclusive' '-w node1|nothing' '--no-requeue|--requeue' '--comment="--time=1"|nothing' \
    '-N 4 -p other --comment=x|--(nodes|partition)'; do
    replaces slurm "${one%%|*}" "${one#*|}"
done
for one in '-lwalltime=02:00:00|-l walltime' '-l walltime=02:00:00,place=pack|-l (walltime|place)' '-qother|-q' \
    '-l select=1:ncpus=2|-l select' '-l filesystems=home|nothing' '-A b|-A' '-r n|-r' '-M you|nothing'; do
    replaces pbs "${one%%|*}" "${one#*|}"
done
for one in '-l nodes=1:ppn=2|-l nodes' '-l mem=4gb|-l pmem' '-l walltime=02:00:00|-l walltime' '-q x|-q'; do
    replaces torque "${one%%|*}" "${one#*|}"
done
for one in '-nnodes 4|-(n |R|gpu|x)' '-R "span[hosts=1] rusage[mem=1GB]"|-R "(span|rusage)' '-oo x|-o' '-rn|-r$' \
    '-W 2:00|-W' '-gpu "num=4:gmodel=A100"|-gpu' "-R 'select[a && b]'|nothing" '-n 3|-n'; do
    replaces lsf "${one%%|*}" "${one#*|}"
done
for one in '-pe orte 32|-pe' '-l h_rt=02:00:00,gpu=1|-l (h_rt|s_rt|gpu)' '-l h_vmem=4G|nothing' '-q x.q|-q' \
    '-l excl=true|-l exclusive' '-j n|-j'; do
    replaces sge "${one%%|*}" "${one#*|}"
done
replaces cobalt '--queue=x -t 10' '-(q|t)'
replaces cobalt '-n8' '-n'
replaces flux '-N4 --bank=b' '--(nodes|bank)'
replaces flux '-x -t 10m' '--(exclusive|time-limit)'
check 'numbers of the job in a directive' "$WICK" submit study.yaml --scheduler lsf --nodes 3 \
    '--directive=-nnodes {nodes}' --dry-run
contains 'are filled in' "$OUT" '#BSUB -nnodes 3'
mkdir sites
cat >sites/lab.yaml <<'YAML'
gpus: '--gres=gpu<:{type}>:{gpus}'
directives: [--exclusive --comment=lab, --nice=10, -q low]
YAML
job=(--nodes 2 --workers-per-node 2 --job-time 1h --site lab --gpus-per-node 2)
replaces slurm --gres=gpu:a100:2 --gres
replaces slurm --qos=high '-q'
equals 'other generic resources are asked for together with GPUs' \
    "$(directives slurm "${job[@]}" --directive=--gres=nvme:1 | grep gres)" --gres=gpu:2,nvme:1
replaces slurm --exclusive=user nothing
check 'a type of GPUs' "$WICK" submit study.yaml --scheduler slurm --site lab --gpus-per-node 2 --gpu-type a100 --dry-run
contains 'in the words of the site' "$OUT" '#SBATCH --gres=gpu:a100:2'
sed -i "s/<:{type}>/:{type}/" sites/lab.yaml
refuse 2 'a site where GPUs have a type' "set 'gpu_type' in 'job'" \
    "$WICK" submit study.yaml --scheduler slurm --site lab --gpus-per-node 2 --dry-run
sed -i "s/:{type}//" sites/lab.yaml
refuse 2 'a site where they have none' 'has no {type}' \
    "$WICK" submit study.yaml --scheduler slurm --site lab --gpus-per-node 2 --gpu-type a100 --dry-run

# ---- PBS refuses resources of nodes next to select ----

echo "gpus: '-l ngpus={gpus}:gpu_type=<{type}>'" >sites/chunks.yaml
check 'the GPUs of a site' "$WICK" submit study.yaml --scheduler pbs --site chunks --gpus-per-node 2 --gpu-type a100 --dry-run
contains 'are a part of select' "$OUT" '#PBS -l select=1:ncpus=2:mpiprocs=2:ngpus=2:gpu_type=a100'
for one in 'ncpus=4|cores' 'mem=4gb|memory' 'nodes=2:ppn=4|nodes' 'ngpus=1|gpus_per_node' \
    'walltime=1:00:00,mpiprocs=2|workers_per_node'; do
    refuse 2 "-l ${one%|*} is refused" "use '${one#*|}' in 'job', or give a complete '-l select=...'" \
        "$WICK" submit study.yaml --scheduler pbs "--directive=-l ${one%|*}" --dry-run
done
refuse 2 'one without a key' "PBS does not accept '-l vmem' together with '-l select', which Wick writes: give" \
    "$WICK" submit study.yaml --scheduler pbs --directive=-lvmem=4gb --dry-run

# ---- a time limit that the job cannot know ----

for one in 'pbs -l walltime=1:00:00' 'sge -l h_rt=1:00:00' 'lsf -W 60' 'flux -t 60m'; do
    check "the time limit as a directive of ${one%% *}" "$WICK" submit study.yaml --scheduler "${one%% *}" \
        "--directive=${one#* }" --dry-run
    contains 'is noted' "$ERR" "does not know the time limit in '${one#* }'"
done
check 'Slurm tells a job when it ends' "$WICK" submit study.yaml --scheduler slurm --directive='-t 60' --dry-run
lacks 'so nothing is noted' "$ERR" 'time limit'

# ---- no script has a fault ----

# The reader itself.
faulty() { # SCHEDULER FAULT DIRECTIVE...
    local scheduler=$1 fault=$2 prefix
    shift 2
    prefix=$(python3 -c "import sys; sys.path.insert(0, '$SOURCE/tests/cli/jobs'); import reader
print(reader.SCHEDULERS['$scheduler'][0])")
    equals "the reader: $fault" "$({ echo '#!/bin/bash' && printf "$prefix %s\n" "$@"; } | python3 "$reader" $scheduler)" "$fault"
}
faulty slurm 'twice: --nodes' --nodes=1 '-N 2'
faulty slurm 'exclude each other: --gpus-per-node, --gres gpu' --gpus-per-node=1 --gres=gpu:a100:1
faulty slurm 'malformed: --time soon' '-t soon'
faulty pbs 'exclude each other: -l ncpus, -l select' '-l select=1:ncpus=1' '-l ncpus=1'
faulty lsf 'unknown: --nodes' --nodes=1
faulty sge 'twice: -l h_rt' '-l h_rt=1' '-l a=1,h_rt=2'

# Random sets of options for each scheduler, always the same ones.
cat >matrix.py <<'PY'
import random, subprocess, sys
sys.path.insert(0, sys.argv[2])
import reader
random.seed(7)
wick = sys.argv[1]
options = [["--nodes=4"], ["--workers-per-node=2"], ["--cores-per-worker=4"], ["--memory-per-worker=2G"],
           ["--gpus-per-node=2"], ["--job-time=26h"], ["--notice=5m"], ["--queue=gpu"], ["--account=bio"],
           ["--node-constraint=a100"], ["--exclusive"], ["--site=none"]]
more = {
    "slurm": ["--qos=high", "--mail=me@x.org", "--reservation=r", "--gpu-type=a100", "--directive=-p x", "--directive=-N2",
              "--directive=--gres=gpu:a100:2", "--directive=--gpus=4", "--directive=--mem-per-cpu=1G", "--directive=-t 10",
              "--directive=--exclusive=user", "--directive=-J x -o y", "--directive=-q x", "--directive=-A=x"],
    "pbs": ["--mail=me@x.org", "--reservation=R1", "--directive=-l select=2:ncpus=4", "--directive=-lwalltime=01:00:00",
            "--directive=-q x", "--directive=-l place=pack,filesystems=home", "--directive=-W umask=22"],
    "torque": ["--qos=high", "--mail=me@x.org", "--reservation=r", "--directive=-l nodes=2:ppn=4",
               "--directive=-l mem=4gb,walltime=01:00:00", "--directive=-W umask=22"],
    "lsf": ["--qos=high", "--mail=me@x.org", "--reservation=r", "--gpu-type=A100",
            '--directive=-R "span[hosts=1] rusage[mem=1GB]"', "--directive=-oo x -rn", '--directive=-gpu "num=1"',
            "--directive=-nnodes 4"],
    "sge": ["--mail=me@x.org", "--reservation=7", "--directive=-pe orte 8", "--directive=-l h_rt=01:00:00,gpu=1",
            "--directive=-l h_vmem=4G", "--directive=-M you"],
    "cobalt": ["--mail=me@x.org", "--reservation=R.x", "--directive=--queue=x", "--directive=-n 4 -t 10"],
    "flux": ["--directive=-N2 -x", "--directive=--setattr=a=b", "--directive=-t 10m", "--directive=-B x", "--directive=-qx"],
}
scripts = 0
for scheduler, words in more.items():
    for _ in range(60):
        chosen = [o for (o,) in options if random.random() < 0.5] + [w for w in words if random.random() < 0.3]
        done = subprocess.run([wick, "submit", "study.yaml", "--dry-run", "-q", f"--scheduler={scheduler}", *chosen],
                              capture_output=True, text=True)
        found = reader.faults(scheduler, done.stdout) if done.returncode == 0 else [done.stderr]
        if found:
            print(scheduler, *chosen, found)
        scripts += not found
print(scripts, "scripts")
PY
equals 'no script has a fault' "$(python3 matrix.py "$WICK" "$SOURCE/tests/cli/jobs")" '420 scripts'
for golden in "$SOURCE"/tests/cli/jobs/*.golden; do
    scheduler=$(basename "$golden" .golden)
    scheduler=${scheduler%-minimal}
    case $scheduler in local | site-*) continue ;; esac # tests/cli/sites.sh reads those of sites
    check "the expected script $(basename "$golden")" bash -c "python3 $reader $scheduler <'$golden'"
done

finish
