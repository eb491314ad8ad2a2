"""Reads job scripts as the schedulers do, and says what they would not accept.

    python3 reader.py SCHEDULER < SCRIPT

Prints one line per fault: a directive that the scheduler does not know, with a value that it cannot
read, that is there twice, or that excludes another one. The tables are written from the manuals of
the schedulers, independently of those in src/launch/schedulers.c.
"""

import re
import shlex
import sys

# Forms of values.
NUMBER = r"[1-9]\d*"
WORD = r"[^\s'\"\\$`;#<>]+"
HMS = r"\d{2,}:[0-5]\d:[0-5]\d"
MAIL = r"[^\s,]+"
NOTHING = None

SLURM = {
    "--job-name": WORD,
    "--nodes": NUMBER,
    "--ntasks-per-node": NUMBER,
    "--ntasks": NUMBER,
    "--cpus-per-task": NUMBER,
    "--exclusive": r"(user|mcs|topo)?",
    "--mem": r"\d+[KMGT]?",
    "--mem-per-cpu": r"\d+[KMGT]?",
    "--mem-per-gpu": r"\d+[KMGT]?",
    "--gpus-per-node": rf"([A-Za-z]\w*:)?{NUMBER}",
    "--gpus": rf"([A-Za-z]\w*:)?{NUMBER}",
    "--gpus-per-task": rf"([A-Za-z]\w*:)?{NUMBER}",
    "--gres": rf"\w+(:\w+)?(:{NUMBER})?(,\w+(:\w+)?(:{NUMBER})?)*",
    "--time": rf"{HMS}|{NUMBER}",
    "--signal": r"B:USR1@\d+",
    "--partition": WORD,
    "--account": WORD,
    "--qos": WORD,
    "--constraint": WORD,
    "--reservation": WORD,
    "--mail-user": MAIL,
    "--mail-type": r"(BEGIN|END|FAIL)(,(BEGIN|END|FAIL))*",
    "--nodelist": WORD,
    "--requeue": NOTHING,
    "--no-requeue": NOTHING,
    "--open-mode": "append|truncate",
    "--output": WORD,
    "--comment": r".+",
    "--nice": r"\d+",
}
SLURM_SHORT = {
    "-J": "--job-name", "-N": "--nodes", "-n": "--ntasks", "-c": "--cpus-per-task",
    "-G": "--gpus", "-t": "--time", "-p": "--partition", "-A": "--account", "-q": "--qos",
    "-C": "--constraint", "-o": "--output", "-w": "--nodelist",
}
PBS = {
    "-N": r"[A-Za-z]\S{0,229}",
    "-l select": rf"{NUMBER}(:\w+(=[^:\s,]+)?)+",
    "-l place": r"(free|pack|scatter|vscatter)(:(excl|exclhost|shared))?",
    "-l walltime": HMS,
    "-l filesystems": WORD,
    "-l ncpus": NUMBER,
    "-l mem": r"\d+[kmgt]?b",
    "-l ngpus": NUMBER,
    "-q": WORD,
    "-A": WORD,
    "-M": MAIL,
    "-m": "n|[abe]+",
    "-r": "y|n",
    "-j": "oe|eo|n",
    "-W": r"\w+=\S+",
}
TORQUE = {
    **{option: PBS[option] for option in ("-N", "-l walltime", "-q", "-A", "-M", "-m", "-r", "-j", "-W")},
    "-N": r"[A-Za-z]\S{0,14}",
    "-l nodes": rf"{NUMBER}:ppn={NUMBER}(:gpus={NUMBER})?(:[\w&|]+)*",
    "-l pmem": r"\d+mb",
    "-l mem": r"\d+[kmgt]?b",
    "-l qos": WORD,
    "-l advres": WORD,
    "-l naccesspolicy": "singlejob|singleuser|singletask|shared",
}
LSF = {
    "-J": WORD,
    "-n": NUMBER,
    "-nnodes": NUMBER,
    "-R span": r"\[(ptile=\d+|hosts=\d+)\]",
    "-R rusage": r"\[mem=\d+(MB|GB)?\]",
    "-R select": r"\[[^\]]+\]",
    "-gpu": rf"num={NUMBER}(:\w+=\w+)*",
    "-x": NOTHING,
    "-W": rf"{NUMBER}(:\d\d)?",
    "-wa": "USR1|TERM",
    "-wt": NUMBER,
    "-q": WORD,
    "-P": WORD,
    "-sla": WORD,
    "-U": WORD,
    "-u": MAIL,
    "-B": NOTHING,
    "-N": NOTHING,
    "-r": NOTHING,
    "-rn": NOTHING,
    "-o": WORD,
    "-oo": WORD,
    "-Jd": r".+",
}
SGE = {
    "-S": "/.+",
    "-cwd": NOTHING,
    "-N": r"[A-Za-z]\S*",
    "-pe": rf"\S+ {NUMBER}",
    "-l": r"\w+(=[^,\s]+)?(,\w+(=[^,\s]+)?)*",  # sites define resources of their own
    "-notify": NOTHING,
    "-q": WORD,
    "-P": WORD,
    "-ar": NUMBER,
    "-M": MAIL,
    "-m": "n|[beas]+",
    "-r": "y|n",
    "-j": "y|n",
    "-o": r"\S+",
    "-p": r"-?\d+",
}
COBALT = {
    "-n": NUMBER,
    "-t": NUMBER,
    "-q": WORD,
    "-A": WORD,
    "-M": MAIL,
    "--attrs": WORD,
    "--jobname": WORD,
    "-O": WORD,
    "--env": r"\w+=\S*",
}
COBALT_LONG = {"--nodecount": "-n", "--time": "-t", "--queue": "-q", "--project": "-A", "--notify": "-M"}
FLUX = {
    "--job-name": WORD,
    "--nodes": NUMBER,
    "--nslots": NUMBER,
    "--cores-per-slot": NUMBER,
    "--gpus-per-slot": NUMBER,
    "--exclusive": NOTHING,
    "--time-limit": r"\d+(\.\d+)?[smhd]?",
    "--signal": r"SIG\w+@\d+s",
    "--queue": WORD,
    "--bank": WORD,
    "--requires": WORD,
    "--output": r"\S+",
    "--setattr": WORD,
}
FLUX_SHORT = {
    "-N": "--nodes", "-n": "--nslots", "-c": "--cores-per-slot", "-g": "--gpus-per-slot",
    "-x": "--exclusive", "-t": "--time-limit", "-q": "--queue", "-B": "--bank",
}

# Of each set of options, a job may have one.
GPUS = ("--gpus", "--gpus-per-node", "--gpus-per-task", "--gres gpu")
SCHEDULERS = {
    "slurm": ("#SBATCH", SLURM, SLURM_SHORT,
              [GPUS, ("--mem", "--mem-per-cpu", "--mem-per-gpu"), ("--requeue", "--no-requeue")]),
    "pbs": ("#PBS", PBS, {},
            [("-l select", "-l ncpus"), ("-l select", "-l mem"), ("-l select", "-l ngpus")]),
    "torque": ("#PBS", TORQUE, {}, [("-l pmem", "-l mem")]),
    "lsf": ("#BSUB", LSF, {},
            [("-n", "-nnodes"), ("-R span", "-nnodes"), ("-R rusage", "-nnodes"), ("-gpu", "-nnodes"),
             ("-r", "-rn"), ("-o", "-oo")]),
    "sge": ("#$", SGE, {}, []),
    "cobalt": ("#COBALT", COBALT, COBALT_LONG, []),
    "flux": ("# flux:", FLUX, FLUX_SHORT, []),
}
REPEATABLE = {"-W": "pbs torque", "--setattr": "flux"}


def resources(option, value):
    """The items of a list of resources: ("-l walltime", "1:00:00"), ..."""
    if option == "-R":
        return [(f"-R {name}", rest) for name, rest in re.findall(r"(\w+)(\[[^\]]*\])", value)]
    items = [re.match(r"(\w+)[=:]?(.*)", item).groups() for item in value.split(",")]
    return [(f"{option} {name}", rest) for name, rest in items]


class Reader:
    def __init__(self, scheduler):
        self.name = scheduler
        self.prefix, self.options, self.other_names, self.excludes = SCHEDULERS[scheduler]
        self.seen = []
        self.faults = []

    def words(self, text):
        """(option, value) of a directive; the value is "" if there is none."""
        words = shlex.split(text)
        while words:
            word = words.pop(0)
            value = None
            if word.startswith("--") and "=" in word:
                word, value = word.split("=", 1)
            elif self.name not in ("lsf", "sge") and re.match(r"-[A-Za-z].", word):
                word, value = word[:2], word[2:].removeprefix("=")
            word = self.other_names.get(word, word)
            form = self.options.get(word, "")
            optional = form == SLURM["--exclusive"]
            if value is None and form is not NOTHING and not optional:
                count = 2 if word == "-pe" else 1
                value, words = " ".join(words[:count]), words[count:]
            yield word, value or ""

    def read(self, text):
        for option, value in self.words(text):
            items = [(option, value)]
            if option == "-R" or (option == "-l" and self.name != "sge"):
                items = resources(option, value)
            for name, rest in items:
                self.check(name, rest)
            if option == "--gres" or (option == "-l" and self.name == "sge"):
                self.seen += [name for name, _ in resources(option, value)]

    def check(self, option, value):
        if option not in self.options:
            self.faults.append(f"unknown: {option}")
            return
        form = self.options[option]
        if (value != "") if form is NOTHING else not re.fullmatch(form, value):
            self.faults.append(f"malformed: {option} {value}")
        if not (option == "-l" and self.name == "sge"):
            self.seen.append(option)

    def conclude(self):
        for option in sorted(set(self.seen)):
            if self.seen.count(option) > 1 and self.name not in REPEATABLE.get(option, ""):
                self.faults.append(f"twice: {option}")
        for group in self.excludes:
            both = sorted(set(group) & set(self.seen))
            if len(both) > 1:
                self.faults.append("exclude each other: " + ", ".join(both))
        return self.faults


def faults(scheduler, script):
    reader = Reader(scheduler)
    for line in script.splitlines()[1:]:
        if line.startswith(reader.prefix):
            reader.read(line[len(reader.prefix):])
        elif line.lstrip().startswith("#"):
            reader.faults.append(f"comment: {line}")
    return reader.conclude()


if __name__ == "__main__":
    found = faults(sys.argv[1], sys.stdin.read())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
