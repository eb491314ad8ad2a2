#!/usr/bin/python3
"""The searches of Optuna, for bench/search: JSON on stdin, a line each, answers on stdout.

{"begin": NAME, "seed": 1, "parallel": 8, "conditional": true, "space": [...]}   a new search
{"ask": 3}                                -> [0.1, 2, null]   the point, null: not active
{"tell": 3, "score": 0.5}                 score null: the trial failed

Each is set up as its documentation advises: the constant liar where trials run side by side, groups
where parameters are conditional. Values with an order are integers to it, which is more than most
of its users tell it.
"""

import json
import sys
import warnings

try:
    import optuna
except ImportError:
    sys.exit(1)  # the bench says what is missing

warnings.simplefilter("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)


def make_sampler(name, seed, parallel, conditional):
    if name == "tpe":
        return optuna.samplers.TPESampler(seed=seed, constant_liar=parallel)
    if name == "mtpe":
        return optuna.samplers.TPESampler(
            seed=seed, multivariate=True, group=conditional, constant_liar=parallel
        )
    if name == "cmaes":
        return optuna.samplers.CmaEsSampler(seed=seed, warn_independent_sampling=False)
    return optuna.samplers.RandomSampler(seed=seed)


def is_active(parameter, point):
    return all(point[index] in values for index, values in parameter["when"])


def suggest(trial, parameter):
    name, kind = parameter["name"], parameter["kind"]
    low, high, step = parameter["low"], parameter["high"], parameter["step"] or None
    if kind == "choice":
        return trial.suggest_categorical(name, list(range(parameter["values"])))
    if kind == "ordered":
        return trial.suggest_int(name, 0, parameter["values"] - 1)
    if kind == "int":
        return trial.suggest_int(name, int(low), int(high), int(step or 1), log=parameter["log"])
    if kind == "float":
        return trial.suggest_float(name, low, high, step=step, log=parameter["log"])
    return 0


class Search:
    def __init__(self, order):
        sampler = make_sampler(
            order["begin"], order["seed"], order["parallel"] > 1, order["conditional"]
        )
        self.study = optuna.create_study(sampler=sampler)
        self.space = order["space"]
        self.trials = {}

    def ask(self, number):
        trial = self.study.ask()
        point = [None] * len(self.space)
        for parameter in self.space:
            if is_active(parameter, point):
                point[parameter["index"]] = suggest(trial, parameter)
        self.trials[number] = trial
        return point

    def tell(self, number, score):
        trial = self.trials.pop(number)
        if score is None:
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            self.study.tell(trial, score)


def main():
    search = None
    print("{}", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        if "begin" in order:
            search = Search(order)
        elif "ask" in order:
            print(json.dumps(search.ask(order["ask"])), flush=True)
        else:
            search.tell(order["tell"], order["score"])


main()
