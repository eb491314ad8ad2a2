"""Stands in for a program that starts ranks: srun, jsrun, flux or mpiexec, by the name of its link.

Checks its command line as the real program does, and writes to $LAUNCHED what it would start: "13 ranks
on 3 nodes: wick resume ...", or what is wrong with the options, and then exits with code 1. The rules are
from the manuals of these programs.
"""

import os
import re
import sys

NUMBER = r"[1-9]\d*"
NODES = 3


class Wrong(Exception):
    pass


def split(arguments, forms, short):
    """The options of a command line, checked against the forms of their values, and its program."""
    options = {}
    words = list(arguments)
    while words and words[0].startswith("-"):
        word, value = words.pop(0), None
        if word.startswith("--"):
            name, equals, rest = word.partition("=")
            value = rest if equals else None
        else:
            name, value = word[:2], word[2:] or None
            name = short.get(name, name)
        if name not in forms:
            raise Wrong(f"unknown option {word}")
        if forms[name] is not None and value is None:
            value = words.pop(0) if words else ""
        if not re.fullmatch(forms[name] or "", value or ""):
            raise Wrong(f"wrong value of {name}: {value}")
        if name in options and name != "--setopt":
            raise Wrong(f"{name} twice")
        options.setdefault(name, []).append(value)
    if not words:
        raise Wrong("no program")
    return {name: values[-1] for name, values in options.items()}, words


def srun(arguments):
    forms = {
        "--mpi": "pmix|pmix_v[2-5]|pmi2|cray_shasta|none", "--overcommit": None, "--ntasks": NUMBER,
        "--nodes": NUMBER, "--cpu-bind": "none|cores|threads", "--distribution": "block|cyclic|arbitrary",
        "--ntasks-per-node": NUMBER, "--exact": None, "--overlap": None, "--kill-on-bad-exit": "[01]",
        "--no-kill": None, "--export": ".+", "--mem": r"\d+[KMGT]?",
    }
    short = {"-n": "--ntasks", "-N": "--nodes", "-O": "--overcommit", "-m": "--distribution"}
    options, program = split(arguments, forms, short)
    return int(options.get("--ntasks", NODES)), int(options.get("--nodes", NODES)), program


def jsrun(arguments):
    forms = {
        "--nrs": f"{NUMBER}|ALL_HOSTS", "--rs_per_host": NUMBER, "--tasks_per_rs": NUMBER,
        "--cpu_per_rs": f"{NUMBER}|ALL_CPUS", "--gpu_per_rs": r"\d+|ALL_GPUS", "--np": NUMBER,
        "--bind": r"none|rs|packed(:\w+)?|proportional-packed:\d+", "--launch_distribution": r"packed|cyclic|plane:\d+",
    }
    short = {"-n": "--nrs", "-r": "--rs_per_host", "-a": "--tasks_per_rs", "-c": "--cpu_per_rs",
             "-g": "--gpu_per_rs", "-p": "--np", "-b": "--bind", "-d": "--launch_distribution"}
    options, program = split(arguments, forms, short)
    if "--nrs" not in options or "--tasks_per_rs" not in options or "--np" in options:
        raise Wrong("resource sets need -n and -a, and not -p")
    sets = NODES if options["--nrs"] == "ALL_HOSTS" else int(options["--nrs"])
    per_host = int(options.get("--rs_per_host", 1))
    if options.get("--cpu_per_rs") == "ALL_CPUS" and per_host != 1:
        raise Wrong("a host has one resource set with all of its cores")
    if sets > NODES * per_host:
        raise Wrong("insufficient resources")
    return sets * int(options["--tasks_per_rs"]), -(-sets // per_host), program


def flux(arguments):
    if arguments[:2] == ["getattr", "jobid"]:
        print("f12")
        sys.exit(0)
    if arguments[:2] == ["getattr", "hostlist"]:
        print(f"node[1-{NODES}]")
        sys.exit(0)
    if arguments[:1] == ["batch"]:
        print("f12")
        sys.exit(0)
    if arguments[:1] != ["run"]:
        raise Wrong(f"unknown subcommand {arguments[:1]}")
    forms = {
        "--nodes": NUMBER, "--ntasks": NUMBER, "--cores-per-task": NUMBER, "--gpus-per-task": NUMBER,
        "--tasks-per-node": NUMBER, "--tasks-per-core": NUMBER, "--cores": NUMBER, "--gpus-per-node": NUMBER,
        "--exclusive": None, "--setopt": r"(cpu-affinity|gpu-affinity)=(on|off|per-task)|pmi=\w+|mpi=\w+",
    }
    short = {"-N": "--nodes", "-n": "--ntasks", "-c": "--cores-per-task", "-g": "--gpus-per-task",
             "-x": "--exclusive", "-o": "--setopt"}
    options, program = split(arguments[1:], forms, short)
    by_task = {"--ntasks", "--cores-per-task", "--gpus-per-task"} & set(options)
    by_resource = {"--tasks-per-node", "--tasks-per-core", "--cores", "--gpus-per-node"} & set(options)
    if by_task and by_resource:
        raise Wrong("options per task and per resource exclude each other")
    nodes = int(options.get("--nodes", 1))
    cores = int(os.environ["LAUNCHER_CORES"])
    ranks = nodes * int(options["--tasks-per-node"]) if by_resource else int(options.get("--ntasks", 1))
    if by_task and ranks * int(options.get("--cores-per-task", 1)) > nodes * cores:
        raise Wrong("unsatisfiable: not so many cores")
    return ranks, nodes, program


def mpiexec(arguments):
    if "--version" in arguments:
        print("mpiexec (OpenRTE) 4.1.4")
        sys.exit(0)
    forms = {"--oversubscribe": None, "--bind-to": "none", "--enable-recovery": None, "--map-by": "node",
             "--hostfile": "/.+", "-n": NUMBER}
    options, program = split(arguments, forms, {})
    return int(options["-n"]), NODES if options.get("--map-by") == "node" else 1, program


def main():
    name = os.path.basename(sys.argv[0])
    try:
        ranks, nodes, program = globals()[name](sys.argv[1:])
        text = f"{ranks} ranks on {nodes} nodes: {os.path.basename(program[0])} {program[1]}"
    except Wrong as wrong:
        text = f"{name}: {wrong}"
    with open(os.environ["LAUNCHED"], "w") as file:
        print(text, file=file)
        print(name, *sys.argv[1:], file=file)
    sys.exit(0 if " ranks on " in text else 1)


main()
