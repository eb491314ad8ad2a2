#!/usr/bin/env bash
# Jobs of a real Grid Engine, on one node: submit, run, a chain, stop. Its daemons run in separate
# namespaces, which belong to this test and end with it.
[ -n "${INSIDE-}" ] || {
    command -v sge_qmaster >/dev/null && command -v sge_execd >/dev/null || {
        echo '1..0 # skipped: there is no Grid Engine (see tools/packages)'
        exit 77
    }
    unshare --mount --uts --ipc --pid --fork --net true 2>/dev/null || {
        echo '1..0 # skipped: only root can start a Grid Engine, where namespaces can be made'
        exit 77
    }
    exec env INSIDE=yes unshare --mount --uts --ipc --pid --fork --net --mount-proc --kill-child \
        bash "$0" "$@"
}
. "$(dirname "$0")/../cli/lib.sh"
[ -z "$SANITIZE" ] || skip 'Grid Engine limits the memory that sanitizers need'

# ---- a cluster of one node ----

export SGE_ROOT=/var/lib/gridengine SGE_CELL=default SGE_QMASTER_PORT=6444 SGE_EXECD_PORT=6445
chmod 755 "$T"

start_network() {
    hostname node1
    ip link set lo up
    ip address add 10.88.0.1/24 dev lo
    printf '127.0.0.1 localhost\n10.88.0.1 node1\n' >hosts
    mount --bind hosts /etc/hosts
}

answers() { qconf -sconf >/dev/null 2>&1; }

# The files of the package are copied: no change that is made here remains.
start_daemons() {
    cp -a /var/lib/gridengine lib && cp -a /var/spool/gridengine spool || return
    mount --bind lib /var/lib/gridengine && mount --bind spool /var/spool/gridengine || return
    mkdir -p lib/default/common && echo node1 >lib/default/common/act_qmaster
    setpriv --reuid=sgeadmin --regid=sgeadmin --init-groups sge_qmaster || return
    wait_until answers || return
    qconf -as node1 && sge_execd
}

# qconf accepts only whole descriptions: that of the queue is the default one, changed by an "editor".
make_queue() {
    printf '%s\n' 'pe_name smp' 'slots 99' 'user_lists NONE' 'xuser_lists NONE' 'start_proc_args NONE' \
        'stop_proc_args NONE' 'allocation_rule $pe_slots' 'control_slaves TRUE' 'job_is_first_task TRUE' \
        'urgency_slots min' 'accounting_summary FALSE' 'qsort_args NONE' >smp
    cat >editor <<'END'
#!/bin/sh
sleep 1 # else the file looks as if it had not changed
sed -i -e 's/^hostlist .*/hostlist node1/' -e 's/^slots .*/slots 4/' -e 's/^pe_list .*/pe_list smp/' \
    -e 's/^load_thresholds .*/load_thresholds NONE/' -e 's/^notify .*/notify 00:00:05/' "$1"
END
    chmod +x editor
    qconf -ssconf | sed -e 's/^schedule_interval .*/schedule_interval 0:0:1/' \
        -e 's/^flush_\(submit\|finish\)_sec .*/flush_\1_sec 1/' >scheduler
    qconf -sconf | sed -e '/^#/d' -e 's/^load_report_time .*/load_report_time 00:00:01/' >global
    qconf -Ap smp && EDITOR=$T/editor qconf -aq all.q && qconf -Msconf scheduler && qconf -Mconf global
}

queue_is_there() { qstat -f -q all.q 2>/dev/null | grep -q 'all.q@node1.*lx-amd64 *$'; }

check 'a node has its name' start_network
check 'the daemons start' start_daemons
check 'there is a queue' make_queue
check 'that takes jobs' wait_until queue_is_there
[ "$failed" = 0 ] || finish

# ---- a user ----

# The program and its parts are put where everyone may read them.
mkdir program work && cp "$WICK" program && cp -rL "$BUILD/lib" program/ && chmod -R a+rX program && chown nobody work
as_user() { (cd work && setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$T/work" "$@"); }
wick=$T/program/wick
ended() { grep -c '^{"end".*"state":"done"' "work/$1/journal"; }
has_ended() { [ "$(ended "$1")" -ge "$2" ]; }
is_closed() { tail -n 1 "work/$1/journal" | grep -q "\"why\":\"$2\""; }
job_is_gone() { ! qstat -u nobody | grep -q .; }

cat >work/study.yaml <<'END'
name: grid
model: {command: [sh, -c, 'sleep 0.2; echo score: {x}']}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: 10}
job: {scheduler: sge, workers_per_node: 2, time: 5m, queue: all.q}
END
as_user "$wick" submit study.yaml --dry-run -q --memory-per-worker 1G --mail me@example.org --directive='-pe smp 3 -R y' \
    --directive='-l h_rt=00:10:00,h_vmem=2G' --directive=-N\ other >work/script
check 'its directives are understood' as_user qsub -verify script
equals 'those of the user replace ours' \
    "$(grep -E '^(hard resource_list|job_name|parallel environment|mail_list|reserve):' <<<"$OUT" | tr -s ' ')" \
    'reserve: y
hard resource_list: mem_free=1024M,h_rt=00:10:00,h_vmem=2G
mail_list: me@example.org
job_name: other
parallel environment: smp range: 3'
check 'a study is submitted' as_user "$wick" submit study.yaml
contains 'its job has a number' "$OUT" 'submitted Grid Engine job 1'
check 'it runs to its end' wait_until is_closed grid.wick done
equals 'with all trials' "$(ended grid.wick)" 10
contains 'on two workers' "$(cat work/grid.wick/job-1.out)" '2 workers on this machine'
check 'the job is gone' wait_until job_is_gone
lacks 'status knows that nothing runs' "$(as_user "$wick" status grid.wick)" 'waiting'

sed 's/trials: 10/trials: 400/; s/name: grid/name: chain/; s/sleep 0.2/sleep 1/' work/study.yaml >work/chain.yaml
check 'a chain is submitted' as_user "$wick" submit chain.yaml --chain 3
check 'its first job works' wait_until has_ended chain.wick 3
contains 'status shows it' "$(as_user "$wick" status chain.wick)" 'Grid Engine job 2, running'
first=$(qstat -u nobody | awk '$5 == "r" {print $1}')
check 'and the next one waits' wait_until sh -c "qstat -u nobody | grep -q ' hqw '"
check 'the first is killed' qdel -f "$first"
# The first job lives on for a moment, until its node hears of it.
check 'the next begins by itself' wait_until grep -q '^{"began".*"id":"3"' work/chain.wick/jobs
check 'with a next of its own' wait_until grep -q '^{"submitted".*"id":"4"' work/chain.wick/jobs
check 'and goes on' wait_until has_ended chain.wick $(($(ended chain.wick) + 6))
check 'it is stopped from outside' as_user "$wick" stop chain.wick
check 'no job is left' wait_until job_is_gone
equals 'no trial has ended twice' \
    "$(grep '^{"end".*"state":"done"' work/chain.wick/journal | cut -d, -f1 | sort | uniq -d)" ''
[ "$failed" = 0 ] || tail -n 20 work/*/job-*.out work/*/jobs spool/qmaster/messages spool/execd/*/messages 2>/dev/null | sed 's/^/# /'
finish
