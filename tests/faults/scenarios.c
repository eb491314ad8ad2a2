/* scenarios.c - the commands that are tried, with what they start from. */
#include "harness.h"

/*
 * Each fixture is made by a shell script in an empty folder, where $WICK is the program. The trials
 * compute their score from their parameters alone, so that it is known what must come out.
 */
#define NEW                                                                                        \
    "cat >study.yaml <<'END'\n"                                                                    \
    "model: {command: sh train.sh, score: loss}\n"                                                 \
    "space: {x: {float: [0, 1]}, k: {choice: [a, b]}}\n"                                           \
    "search: {algorithm: random, trials: 3, seed: 7}\n"                                            \
    "job: {scheduler: local, time: 1h, workers_per_node: 1}\n"                                     \
    "END\n"                                                                                        \
    "echo 'echo some output; echo \"loss: $2\"' >train.sh\n"                                       \
    "printf '%s\\n' '{\"id\": \"a\", \"x\": 0.25, \"k\": \"a\"}' "                                 \
    "'{\"id\": \"b\", \"x\": 0.5, \"k\": \"b\"}' >points.txt\n"
#define DONE NEW "$WICK run study.yaml -n 1 --quiet --no-report --dir s\n"
#define HALF                                                                                       \
    NEW "$WICK run study.yaml -n 1 --quiet --no-report --dir s --trials 2\n"                       \
        "$WICK resume s -n 1 --quiet --no-report --trials 3\n"                                     \
        "head -n -2 s/journal >j && mv j s/journal && rm s/logs/3.log\n"
/* Whoever looks at the study finds the trial in its journal. */
#define READY       "until grep -q start s/journal; do sleep 0.01; done\ntouch ready\n"
#define LIVE(TRIAL) NEW "cat >train.sh <<'END'\necho some output\n" TRIAL "\nEND\n"

const struct fixture fixtures[] = {
    {"new", NEW},
    {"half", HALF},
    {"done", DONE},
    {"damaged", DONE "sed -i '/\"end\":2/s/score/sc0re/' s/journal\n"},
    {"headless", DONE "sed -i '1s/study/stUdy/' s/journal\n"},
    {"queued", HALF "$WICK enqueue s x=0.125 k=a >/dev/null 2>&1\n"},
    {"talks", NEW "cat >train.sh <<'END'\nw=${WICK_PROGRAM:-wick}\n"
                  "$w trial report 1 loss=0.5\n$w trial should-stop\n"
                  "$w trial put key </dev/null\n$w trial result loss=$2\nEND\n"},
    {"calls",
     NEW "cat >train.sh <<'END'\n"
         "export WICK_FAULTS=\"${FAULTS_INSIDE-}\"\n"
         "t=\"$WICK_PROGRAM trial\"\n"
         "$t report 1 loss=0.5 a=1 &&\n"
         "if $t should-stop; then exit 9; elif [ $? != 1 ]; then exit 8; fi &&\n"
         "echo value | $t put key && [ \"$($t get key)\" = value ] && $t wait key >copy &&\n"
         "[ \"$($t list)\" = key ] && $t delete key && [ \"$($t params x)\" = \"$2\" ] &&\n"
         "mkdir -p \"$($t checkpoint-dir)\" && $t result loss=$2\n"
         "END\n"},
    {"stops", NEW "cat >train.sh <<'END'\n"
                  "for i in 1 2 3; do $WICK_PROGRAM trial report $i loss=$2 || exit 3\n"
                  "$WICK_PROGRAM trial should-stop && exit 0; done\nexit 0\nEND\n"
                  "sed -i 's/seed: 7/seed: 7, stop: median/' study.yaml\n"},
    {"breeds", NEW "sed -i 's/random, trials: 3/pbt, population: 2, trials: 6/' study.yaml\n"
                   "cat >train.sh <<'END'\nmkdir -p $WICK_CHECKPOINT/more\n"
                   "echo $WICK_TRIAL >>$WICK_CHECKPOINT/more/state\necho \"loss: $2\"\nEND\n"},
    {"ranks", NEW "sed -i 's/score: loss}/score: loss, ranks: 2}/' study.yaml\n"},
    {"steers", NEW "cat >study.yaml <<'END'\n"
                   "model: {command: sh train.sh, score: loss}\n"
                   "space: {x: {float: [0, 1]}, k: {choice: [a, b]}}\n"
                   "search: {command: sh steer.sh, trials: 3}\nEND\n"
                   "cat >steer.sh <<'END'\nn=1\nwhile read -r line; do\n"
                   "case $line in *'\"ask\":'*) n=$((n + 1))\n"
                   "echo \"{\\\"suggest\\\": [{\\\"x\\\": 0.$n, \\\"k\\\": \\\"a\\\"}]}\";; "
                   "esac; done\nEND\n"},
    {"learns", DONE "mv s earlier.wick\n"},
    {"fails", NEW "cat >train.sh <<'END'\n[ -e tried.$2 ] || { touch tried.$2; exit 3; }\n"
                  "echo \"loss: $2\"\nEND\n"},
    {"files", NEW "sed -i 's/sh train.sh/\"sh train.sh {params} {result}\"/' study.yaml\n"
                  "cat >train.sh <<'END'\n"
                  "sed 's/.*\"x\": *\\([0-9.e-]*\\).*/{\"loss\": \\1}/' \"$1\" >\"$2\"\nEND\n"},
    {"limits", NEW "sed -i 's/score: loss}/score: loss, memory: 1G, timeout: 100s}/' study.yaml\n"},
    {"python",
     "printf 'def run(x, k):\\n    print(\"some output\")\\n    return x\\n' >model.py\n"},
    {"asked", NEW "printf '%s\\n' '{\"ask\": 2}' '{\"tell\": {\"id\": 1, \"score\": 0.5}}' |"
                  "$WICK asktell --set x=0..1.0 --set k=a,b --seed 7 --dir s >/dev/null\n"},
    {"many", "$WICK run --function ackley --set x=0..1.0 --set k=0..5 --seed 7 --trials 12 -n 1 "
             "--quiet --no-report --dir s\n"},
    {"cluster", NEW "mkdir bin\ncat >bin/sbatch <<'END'\n#!/bin/sh\n"
                    "echo job.sh >>../submitted\necho 4711\nEND\nchmod +x bin/sbatch\n"
                    "printf '#!/bin/sh\\nexit 1\\n' | tee bin/squeue >bin/sinfo\n"
                    "chmod +x bin/squeue bin/sinfo\n"},
    {"seconds", LIVE(READY "sleep 0.05; echo more; echo \"loss: $2\"")},
    {"endless", LIVE(READY "exec sleep 1000")},
};
const size_t fixture_count = sizeof fixtures / sizeof *fixtures;

#define FINISH                                                                                     \
    {                                                                                              \
        "resume", "s", "--no-report", "--quiet"                                                    \
    }
#define PYTHON "/usr/bin/python3"
#define BESIDE "exec $WICK run study.yaml -n 1 --quiet --no-report --dir s --trials 1"

const struct scenario scenarios[] = {
    {.name = "run",
     .fixture = "new",
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "run-2",
     .fixture = "new",
     .command = {"run", "study.yaml", "-n", "2", "--dir", "s"},
     .finish = FINISH},
    {.name = "talk",
     .fixture = "talks",
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "trial",
     .fixture = "calls",
     .inside = true,
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "stopper",
     .fixture = "stops",
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "pbt",
     .fixture = "breeds",
     .varies = true,
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "ranks",
     .fixture = "ranks",
     .command = {"run", "study.yaml", "-n", "2", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "steer",
     .fixture = "steers",
     .varies = true,
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "learn",
     .fixture = "learns",
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s", "--learn",
                 "earlier.wick", "--start-from", "earlier.wick:1"},
     .finish = FINISH},
    {.name = "retry",
     .fixture = "fails",
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s", "--retries",
                 "1"},
     .finish = FINISH},
    {.name = "host",
     .fixture = "python",
     .needs = PYTHON,
     .command = {"run",      "--python",    "model.py:run", "--warm", "--interpreter", PYTHON,
                 "--set",    "x=0..1.0",    "--set",        "k=a,b",  "--seed",        "7",
                 "--trials", "3",           "-n",           "1",      "--algorithm",   "random",
                 "--json",   "--no-report", "--dir",        "s"},
     .finish = FINISH},
    {.name = "live",
     .fixture = "new",
     .terminal = true,
     .command = {"run", "study.yaml", "-n", "2", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "resume",
     .fixture = "half",
     .command = {"resume", "s", "--json", "--no-report"},
     .finish = FINISH},
    {.name = "resume-queue",
     .fixture = "queued",
     .command = {"resume", "s", "--json", "--no-report"},
     .finish = FINISH},
    {.name = "resume-damaged",
     .fixture = "damaged",
     .command = {"resume", "s", "--json", "--no-report"},
     .finish = FINISH},
    {.name = "resume-headless",
     .fixture = "headless",
     .command = {"resume", "s", "--json", "--no-report", "--trials", "4"},
     .finish = {"resume", "s", "--no-report", "--quiet", "--trials", "4"}},
    {.name = "resume-private",
     .fixture = "half",
     .command = {"resume", "s", "--json", "--no-report", "--env", "TOKEN=secret"},
     .finish = FINISH},
    {.name = "job", .fixture = "half", .command = {"job", "s", "-n", "1"}, .finish = FINISH},
    {.name = "files",
     .fixture = "files",
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "limits",
     .fixture = "limits",
     .command = {"run", "study.yaml", "-n", "1", "--json", "--no-report", "--dir", "s"},
     .finish = FINISH},
    {.name = "upf",
     .fixture = "new",
     .command = {"upf", "points.txt", "-n", "1", "--json", "--no-report", "--dir", "s", "--score",
                 "loss", "--", "sh", "train.sh"},
     .finish = FINISH},
    {.name = "function",
     .fixture = "new",
     .command = {"run", "--function", "ackley", "--set", "x=0..1.0", "--set", "k=0..5", "--seed",
                 "7", "--trials", "9", "--algorithm", "tpe", "-n", "1", "--json", "--no-report",
                 "--dir", "s"},
     .finish = FINISH},
    {.name = "asktell",
     .fixture = "new",
     .command = {"asktell", "--set", "x=0..1.0", "--set", "k=a,b", "--seed", "7", "--dir", "s"},
     .input = "{\"ask\": 1}\n{\"tell\": {\"id\": 1, \"score\": 0.5}}\n{\"ask\": 1}\n"
              "{\"tell\": {\"id\": 2, \"failed\": true}}\n{\"best\": true}\n",
     .exact = true,
     .finish = {"asktell", "s"}},
    {.name = "asktell-resume",
     .fixture = "asked",
     .command = {"asktell", "s"},
     .input = "{\"tell\": {\"id\": 2, \"score\": 0.25}}\n{\"best\": true}\n",
     .exact = true,
     .finish = {"asktell", "s"}},
    {.name = "enqueue",
     .fixture = "half",
     .command = {"enqueue", "s", "x=0.5", "k=b"},
     .file = "s/queue"},
    {.name = "submit",
     .fixture = "new",
     .command = {"submit", "study.yaml", "--dir", "s", "--dry-run"},
     .exact = true},
    {.name = "submit-slurm",
     .fixture = "cluster",
     .command = {"submit", "study.yaml", "--dir", "s", "--scheduler", "slurm"},
     .file = "submitted",
     .denial = "nothing runs",
     .finish = FINISH},
    {.name = "status", .fixture = "done", .command = {"status", "s"}},
    {.name = "status-half", .fixture = "half", .command = {"status", "s"}},
    {.name = "list", .fixture = "done", .command = {"list", "s", "--long"}, .exact = true},
    {.name = "best", .fixture = "done", .command = {"best", "s"}, .exact = true},
    {.name = "show", .fixture = "done", .command = {"show", "s", "2"}, .exact = true},
    {.name = "log", .fixture = "done", .command = {"show", "s", "2", "--log"}, .exact = true},
    {.name = "follow-done",
     .fixture = "done",
     .command = {"show", "s", "2", "--follow"},
     .exact = true},
    {.name = "status-damaged", .fixture = "damaged", .command = {"status", "s"}},
    {.name = "check-damaged", .fixture = "damaged", .command = {"check", "s"}, .code = 1},
    {.name = "check-headless", .fixture = "headless", .command = {"check", "s"}, .code = 1},
    {.name = "check-journal",
     .fixture = "done",
     .command = {"check", "s"},
     .exact = true,
     .verdict = "`wick repair s` mends it"},
    {.name = "repair", .fixture = "damaged", .command = {"repair", "s"}, .finish = {"repair", "s"}},
    {.name = "repair-headless",
     .fixture = "headless",
     .command = {"repair", "s"},
     .finish = {"repair", "s"}},
    {.name = "importance", .fixture = "many", .command = {"importance", "s"}, .exact = true},
    {.name = "sql",
     .fixture = "done",
     .command = {"sql", "s", "select trial, state, score from trials"},
     .exact = true},
    {.name = "csv", .fixture = "done", .command = {"export", "s"}, .exact = true},
    {.name = "json",
     .fixture = "done",
     .command = {"export", "s", "-o", "out.json"},
     .file = "out.json"},
    {.name = "sqlite",
     .fixture = "done",
     .command = {"export", "s", "-o", "out.db"},
     .file = "out.db"},
    {.name = "report",
     .fixture = "done",
     .command = {"report", "s", "-o", "out.html"},
     .file = "out.html"},
    {.name = "compare",
     .fixture = "done",
     .command = {"report", "s", "s", "-o", "out.html"},
     .file = "out.html"},
    {.name = "check", .fixture = "new", .command = {"check", "study.yaml"}},
    {.name = "doctor", .fixture = "new", .command = {"doctor", "study.yaml"}, .code = -1},
    {.name = "top", .fixture = "half", .command = {"top", "s"}},
    {.name = "watch", .fixture = "done", .command = {"watch", "s"}},
    {.name = "watch-run",
     .fixture = "seconds",
     .beside = BESIDE,
     .command = {"watch", "s", "--interval", "0.1s"}},
    {.name = "top-run", .fixture = "seconds", .beside = BESIDE, .command = {"top", "s", "--once"}},
    {.name = "watch-live",
     .fixture = "seconds",
     .beside = BESIDE,
     .terminal = true,
     .command = {"watch", "s", "--interval", "0.1s"}},
    {.name = "follow",
     .fixture = "seconds",
     .beside = BESIDE,
     .exact = true,
     .command = {"show", "s", "1", "--follow"}},
    {.name = "stop", .fixture = "endless", .beside = BESIDE, .command = {"stop", "s", "--now"}},
    {.name = "stop-done", .fixture = "done", .command = {"stop", "s"}, .code = -1},
    {.name = "help", .fixture = "new", .command = {"help"}, .exact = true},
    {.name = "help-run", .fixture = "new", .command = {"help", "run"}, .exact = true},
    {.name = "version", .fixture = "new", .command = {"version"}, .exact = true},
    {.name = "library", .fixture = "new", .command = {"trial", "library"}},
};
const size_t scenario_count = sizeof scenarios / sizeof *scenarios;
