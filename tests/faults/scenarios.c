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
#define LIVE(TRIAL) NEW "cat >train.sh <<'END'\necho some output\n" TRIAL "\nEND\n"

const struct fixture fixtures[] = {
    {"new", NEW},
    {"half", HALF},
    {"done", DONE},
    {"queued", HALF "$WICK enqueue s x=0.125 k=a >/dev/null 2>&1\n"},
    {"talks", NEW "cat >train.sh <<'END'\nw=${WICK_PROGRAM:-wick}\n"
                  "$w trial report 1 loss=0.5\n$w trial should-stop\n"
                  "$w trial put key </dev/null\n$w trial result loss=$2\nEND\n"},
    {"asked", NEW "printf '%s\\n' '{\"ask\": 2}' '{\"tell\": {\"id\": 1, \"score\": 0.5}}' |"
                  "$WICK asktell --set x=0..1.0 --set k=a,b --seed 7 --dir s >/dev/null\n"},
    {"many", "$WICK run --function ackley --set x=0..1.0 --set k=0..5 --seed 7 --trials 12 -n 1 "
             "--quiet --no-report --dir s\n"},
    {"seconds", LIVE("touch ready; sleep 0.05; echo more; echo \"loss: $2\"")},
    {"endless", LIVE("touch ready; exec sleep 1000")},
};
const size_t fixture_count = sizeof fixtures / sizeof *fixtures;

#define FINISH                                                                                     \
    {                                                                                              \
        "resume", "s", "--no-report", "--quiet"                                                    \
    }
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
    {.name = "resume",
     .fixture = "half",
     .command = {"resume", "s", "--json", "--no-report"},
     .finish = FINISH},
    {.name = "resume-queue",
     .fixture = "queued",
     .command = {"resume", "s", "--json", "--no-report"},
     .finish = FINISH},
    {.name = "job", .fixture = "half", .command = {"job", "s", "-n", "1"}, .finish = FINISH},
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
