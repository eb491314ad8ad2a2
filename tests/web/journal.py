#!/usr/bin/env python3
"""Writes a study's folder with a made-up journal, for tests of what reads journals.

    journal.py DIR [--trials N] [--workers W] [--parameters P] [--seed S] [--wild W] [--steps N]

The lines are those of src/journal/journal.h. Eight trials in a hundred fail in the various ways,
some are tried again; names, reasons and logs hold what would break a careless page. One score in W
is a million times too large. With --steps trials tell of so many steps, and two of three are
stopped before the last.
"""
import argparse
import heapq
import json
import math
import os
import random

FAILURES = [
    ("failed", "exit code 1", "Traceback (most recent call last):\n  File \"train.py\", line 12\n"
     "    loss = train(model)\nRuntimeError: CUDA out of memory\n"),
    ("timeout", "over its time limit of 30 s",
     "epoch 1\repoch 2\repoch 3\nepoch 4 \u001b[31mslow\u001b[0m\n"),
    ("out of memory", "over its memory limit of 2 GB", ""),
    ("no score", "exit code 0, but no score: the output has no line 'loss: NUMBER'",
     "all done </script><script>document.body.dataset.broken = 1</script> & <b>bold</b>\n"),
    ("nan", "the score is not a number", "loss: nan\n"),
]

DEFINITION = """\
# A study that was never run <!-- & </script> -->
name: made up
model:
  command: python3 train.py --data 'my data'
  score: loss
  timeout: 30s
  retries: 1
space:
  learning_rate: {log: [1e-5, 1e-1]}
  layers: {int: [1, 5]}
  dropout: {float: [0, 0.5]}
  optimizer: {choice: [sgd, adam, "</script><b>rms</b>"]}
  momentum: {float: [0.5, 0.99], when: {optimizer: sgd}}
  batch_size: {ordered: [16, 32, 64, 128]}
  epochs: 10
"""


def definition(extra):
    return DEFINITION + "".join(f"  weight_{k}: {{float: [-1, 1]}}\n" for k in range(extra))


def suggest(rng, extra):
    point = {
        "learning_rate": 10 ** rng.uniform(-5, -1),
        "layers": rng.randint(1, 5),
        "dropout": rng.uniform(0, 0.5),
        "optimizer": rng.choice(["sgd", "adam", "</script><b>rms</b>"]),
    }
    if point["optimizer"] == "sgd":
        point["momentum"] = rng.uniform(0.5, 0.99)
    point["batch_size"] = rng.choice([16, 32, 64, 128])
    point["epochs"] = 10
    for k in range(extra):
        point[f"weight_{k}"] = rng.uniform(-1, 1)
    return point


def score(rng, point):
    far = (math.log10(point["learning_rate"]) + 2.7) ** 2 + 0.3 * (point["layers"] - 3) ** 2
    far += 4 * (point["dropout"] - 0.2) ** 2 + (0.4 if point["optimizer"] == "sgd" else 0)
    return 0.08 + 0.2 * far + abs(rng.gauss(0, 0.03))


class Writer:
    encode = json.JSONEncoder(separators=(",", ":")).encode  # json.dumps makes a new one each time

    def __init__(self, file):
        self.file = file

    def line(self, **fields):
        self.file.write(self.encode(fields) + "\n")


def run(writer, rng, options):
    """Each worker takes the next trial when it is free; lines come out in the order of time."""
    free = [(rng.uniform(0, 0.05), worker) for worker in range(options.workers)]
    heapq.heapify(free)
    lines = []
    for trial in range(1, options.trials + 1):
        start, worker = heapq.heappop(free)
        took = rng.lognormvariate(0, 0.4)
        point = suggest(rng, options.parameters - 7)
        lines.append((start, dict(start=trial, time=round(start, 6), worker=worker + 1,
                                  params=point)))
        end = start + took
        if rng.random() < 0.08:
            state, reason, log = rng.choice(FAILURES)
            failure = dict(end=trial, took=round(took, 6), worker=worker + 1, state=state,
                           cpu=round(took * 0.9, 6), exit=1, reason=reason, log=log)
            if rng.random() < 0.4:
                lines.append((end, dict(failure, time=round(end, 6), again=True)))
                start, took = end + 0.01, rng.lognormvariate(0, 0.4)
                lines.append((start, {"start": trial, "time": round(start, 6), "worker": worker + 1,
                                      "try": 2}))
                end = start + took
            lines.append((end, dict(failure, time=round(end, 6), took=round(took, 6))))
        else:
            value = score(rng, point)
            steps = options.steps if trial % 3 == 0 else options.steps // 9
            for n in range(1, steps + 1):
                time = start + took * n / steps
                lines.append((time, dict(step=trial, time=round(time, 6), n=n,
                                         value=value * (1 + 3 / n - 3 / options.steps))))
            state = "done"
            if steps < options.steps:
                state, value = "stopped", value * (1 + 3 / steps - 3 / options.steps)
            if options.wild and trial % options.wild == 0:
                value *= 1e6
            lines.append((end, dict(end=trial, time=round(end, 6), took=round(took, 6),
                                    worker=worker + 1, state=state, score=value,
                                    cpu=round(took * 0.95, 6), memory=rng.randint(10, 900) << 20,
                                    metrics={"loss": value, "accuracy": 1 - value / 3})))
        heapq.heappush(free, (end + 0.005, worker))
    lines.sort(key=lambda pair: pair[0])
    for _, fields in lines:
        writer.line(**fields)
    return max(free)[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--parameters", type=int, default=8)
    parser.add_argument("--wild", type=int, default=0)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    os.makedirs(options.dir, exist_ok=True)
    with open(os.path.join(options.dir, "journal"), "w") as file:
        writer = Writer(file)
        writer.line(wick=1, study="made up </title><b>", created=1794700800.0, folder="/tmp",
                    definition=definition(options.parameters - 7))
        writer.line(open=0.0, host="n1", pid=1, workers=options.workers, trials=options.trials,
                    limit=0)
        last = run(writer, rng, options)
        writer.line(close=round(last, 6), why="done")


main()
