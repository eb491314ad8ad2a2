"""
wick - the trial library for Python: how a model talks to Wick.

    import wick

    p = wick.params(lr=0.01, layers=2)
    for epoch in wick.steps(20):
        loss = train(p.lr, p.layers)
        wick.report(epoch, val_loss=loss)
    wick.result(val_loss=loss)

Run by Wick, the parameters are those of the trial, each report reaches the search while the model
still trains, and steps() ends early when more training is not worthwhile. Run by itself, the same
script takes its parameters from the command line (--lr 0.1) and prints what it reports.

One file, no dependencies, Python 3.6 or newer: it may be copied next to a model. The protocol is
docs/trial-socket.md of Wick. Everything here may be used by several threads; a process that was forked
opens its own connection. Of the ranks of a trial only rank 0 reports, sends results and saves
checkpoints.
"""

import difflib
import inspect
import json
import os
import pickle
import socket
import sys
import threading
import time

__all__ = [
    "params", "report", "should_stop", "steps", "result",
    "checkpoint_dir", "save_checkpoint", "load_checkpoint",
    "put", "get", "wait", "delete", "keys", "put_object", "get_object", "wait_object",
    "is_running_under_wick", "trial", "try_number", "seed", "rank", "local_rank", "world_size",
    "KerasCallback", "LightningCallback", "fit_steps",
]

MOST_METRICS = 1000  # of one message, and the bytes of a name: Wick takes no more
LONGEST_NAME = 47


# ---- where this process is ----

def is_running_under_wick():
    """True if Wick started this program."""
    return "WICK_TRIAL" in os.environ


def _number(variable, otherwise):
    text = os.environ.get(variable, "")
    return int(text) if text else otherwise


def trial():
    """The number of the trial; 0 without Wick."""
    return _number("WICK_TRIAL", 0)


def try_number():
    """The try of the trial, counted from 1."""
    return _number("WICK_TRY", 1)


def seed(otherwise=0):
    """A seed for random numbers, the same for all tries of a trial."""
    return _number("WICK_SEED", otherwise)


def _place(ours, open_mpi, mpich, otherwise):
    """Ranks started by mpiexec have the variables of their MPI: Open MPI, or MPICH and its relatives."""
    return _number(ours, _number(open_mpi, _number(mpich, otherwise)))


def rank():
    """The rank of this process in the trial, counted from 0."""
    return _place("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", 0)


def local_rank():
    """The same among the processes on this node."""
    return _place("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", 0)


def world_size():
    """The number of processes of the trial."""
    return _place("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1)


# ---- parameters ----

class Params(dict):
    """Parameters by name: p["lr"] and p.lr are the same."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            pass
        near = difflib.get_close_matches(name, self, 1)
        hint = "did you mean '%s'?" % near[0] if near else "there are: " + ", ".join(self)
        raise AttributeError("no parameter '%s': %s" % (name, hint))

    def __setattr__(self, name, value):
        self[name] = value


def params(defaults=None, **more):
    """
    The parameters: the defaults, then what the command line says (--name value, --name=value),
    then what Wick sets for this trial. A value from the command line gets the type of its default.
    """
    chosen = Params(defaults or {}, **more)
    chosen.update(_arguments(sys.argv[1:], dict(chosen)))
    for name, value in json.loads(os.environ.get("WICK_PARAMS") or "{}").items():
        if value is not None:  # null: this trial does not have it
            chosen[name] = value
    return chosen


def _arguments(words, defaults):
    found = {}
    for i, word in enumerate(words):
        if not word.startswith("--") or word == "--":
            continue
        name, equals, text = word[2:].partition("=")
        if name not in defaults and name.replace("-", "_") in defaults:
            name = name.replace("-", "_")
        if not equals:
            following = words[i + 1:i + 2]
            text = following[0] if following and not following[0].startswith("--") else "true"
        found[name] = _value(name, text, defaults.get(name))
    return found


def _value(name, text, default):
    """A word of the command line as a value of the same type as the default."""
    truth = {"true": True, "yes": True, "false": False, "no": False}
    try:
        if isinstance(default, bool):
            return bool(int(text)) if text in ("0", "1") else truth[text.lower()]
        if isinstance(default, (int, float)):
            return type(default)(text)
    except (KeyError, ValueError):
        kind = "a whole number" if isinstance(default, int) else "a number"
        if isinstance(default, bool):
            kind = "true or false"
        sys.stderr.write("wick: --%s %s: it is %s, such as %s\n" % (name, text, kind, default))
        sys.exit(2)
    if default is not None:
        return text
    for read in (int, float, lambda word: truth[word.lower()]):
        try:
            return read(text)
        except (KeyError, ValueError):
            pass
    return text


# ---- the connection to Wick ----

class _Connection:
    """The connection of this process to Wick. Made by _connection(), which knows about forks."""

    def __init__(self):
        self.process = os.getpid()
        self.path = os.environ.get("WICK_LINE", "")
        self.lock = threading.Lock()
        self.socket = None
        self.answers = None  # the same as a file to read from
        self.asked = 0       # how often should_stop() was called
        self.broken = False  # there was a connection, and it is lost
        self.warned = set()

    def warn(self, text):
        """Says each thing once: a thousand reports make one line."""
        if text not in self.warned:
            self.warned.add(text)
            sys.stderr.write("wick: %s\n" % text)

    def connect(self):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(self.path)
        except Exception:
            connection.close()
            raise
        return connection

    def last_words(self):
        """What Wick said when it refused this connection; None when it said nothing."""
        try:
            self.socket.settimeout(0)
            return "Wick says: " + json.loads(self.answers.readline().decode())["error"]
        except Exception:
            return None

    def lost(self, why):
        why = self.last_words() or why
        self.path, self.broken = "", True
        if self.socket:
            self.answers.close()
            self.socket.close()
        self.socket = self.answers = None
        self.warn("the connection to Wick is lost (%s); this program continues without it" % why)

    def send(self, message):
        """Sends bytes; the lock is held. OSError when Wick is gone."""
        if not self.socket:
            self.socket = self.connect()
            self.answers = self.socket.makefile("rb")
            message = _hello() + message
        self.socket.sendall(message)

    def tell(self, message):
        """Sends bytes that need no answer; False when nobody listens."""
        with self.lock:
            if not self.path:
                return False
            try:
                self.send(message)
                return True
            except OSError as error:
                self.lost(error)
                return False

    def ask(self, message):
        """Sends bytes, and returns the answer and the bytes behind it."""
        with self.lock:
            try:
                self.send(message)
                return _read_answer(self.answers)
            except OSError as error:
                self.lost(error)
                raise

    def wait(self, message, seconds):
        """The same on a connection of its own, so that other threads can go on reporting."""
        with self.connect() as connection:
            connection.settimeout(seconds)
            connection.sendall(_hello() + message)
            with connection.makefile("rb") as answers:
                return _read_answer(answers)


_current = None
_making = threading.Lock()


def _connection():
    """The connection of this process: a forked child does not use that of its parent."""
    global _current
    if _current is None or _current.process != os.getpid():
        with _making:
            if _current is None or _current.process != os.getpid():
                _current = _Connection()
    return _current


def _forget():
    """A lock that another thread held when this process was forked would never be free."""
    global _current, _making
    _current, _making = None, threading.Lock()


if hasattr(os, "register_at_fork"):  # Python 3.7
    os.register_at_fork(after_in_child=_forget)


def _encode(message):
    return (json.dumps(message) + "\n").encode()


def _hello():
    return _encode({"hello": trial(), "try": try_number(), "secret": _number("WICK_SECRET", 0)})


def _read_answer(answers):
    line = answers.readline()
    if not line.endswith(b"\n"):
        raise ConnectionError("Wick closed it")
    answer = json.loads(line.decode())
    if "error" in answer:
        raise ValueError("Wick says: " + answer["error"])
    length = answer.get("bytes", 0)
    value = answers.read(length) if length else b""
    if len(value) < length:
        raise ConnectionError("Wick closed it")
    return answer, value


# ---- metrics ----

_not_finite = {"nan": '"nan"', "inf": '"inf"', "-inf": '"-inf"'}
_quoted = {}  # names of metrics as JSON: the same few come again and again


def _quote(name):
    if name not in _quoted:
        _quoted[name] = json.dumps(name)
    return _quoted[name]


def _number_text(number):
    text = repr(number)
    return _not_finite.get(text, text)


def _numbers(metrics):
    """The metrics as floats; what Wick cannot take is left out, with a warning."""
    numbers = {}
    for name, value in metrics.items():
        if len(name.encode()) > LONGEST_NAME:
            _connection().warn("the metric '%s' is left out: its name is longer than %d bytes"
                         % (name, LONGEST_NAME))
        elif len(numbers) == MOST_METRICS:
            _connection().warn("only the first %d metrics are taken" % MOST_METRICS)
        else:
            try:
                numbers[name] = float(value)
            except (TypeError, ValueError):
                raise TypeError("%s is %.60r: a metric is a number" % (name, value)) from None
    return numbers


def _object(numbers):
    return "{%s}" % ", ".join([_quote(name) + ": " + _number_text(value)
                               for name, value in numbers.items()])


def _say(text):
    """Prints a line at once, whatever the standard output is."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _whole_step(step):
    try:
        whole = int(step)
    except (TypeError, ValueError, OverflowError):
        whole = -1
    if whole < 0 or whole != step:
        raise ValueError("report(%.60r): the first is the step, a whole number; steps are counted "
                         "from 1, as in report(3, val_loss=0.41)" % (step,))
    return whole


def report(step, metrics=None, **more):
    """
    Reports a step, counted from 1: report(3, val_loss=0.41), report(3, {"val/loss": 0.41}).
    Values are numbers, or anything that float() accepts: scalars of NumPy, PyTorch and so on.
    """
    step = _whole_step(step)
    if metrics is None and not more:
        raise TypeError("report(%d): what was measured is missing, as in report(%d, val_loss=0.41)"
                        % (step, step))
    if rank() != 0:
        return
    numbers = _numbers(dict(metrics, **more) if metrics else more)
    connection = _connection()
    if connection.path:
        connection.tell(('{"step": %d, "metrics": %s}\n' % (step, _object(numbers))).encode())
    elif not connection.broken:
        _say("step %d" % step + "".join("  %s %.6g" % item for item in numbers.items()))


def result(score=None, **metrics):
    """
    Metrics of the whole trial: result(0.4), result(val_loss=0.4, size=1000), result({...}).
    The one with the name of the score is the score; a later call replaces those that it names.
    """
    if isinstance(score, dict):
        metrics = dict(score, **metrics)
    elif score is not None:
        metrics = dict({os.environ.get("WICK_SCORE") or "score": score}, **metrics)
    if rank() != 0:
        return
    numbers = _numbers(metrics)
    connection = _connection()
    if connection.path and connection.tell(('{"result": %s}\n' % _object(numbers)).encode()):
        return
    for name, value in numbers.items():  # Wick reads it there, too
        _say("%s: %r" % (name, value))


def should_stop():
    """
    True if the trial should end now, for example after saving a checkpoint. Ask once per step, and on
    every rank: all ranks get the same answer to the same question.
    """
    connection = _connection()
    with connection.lock:
        connection.asked += 1
        call = connection.asked
    if not connection.path:
        return False
    try:
        return connection.ask(b'{"stop": %d}\n' % call)[0].get("stop", False)
    except (OSError, ValueError) as error:
        connection.warn(str(error))
        return False


def steps(count, done=0):
    """
    The numbers of the steps, done+1 to count; ends early if the trial should stop.

        state, done = wick.load_checkpoint()
        for epoch in wick.steps(20, done):
            ...
    """
    for step in range(done + 1, count + 1):
        yield step
        if step < count and should_stop():
            return


# ---- checkpoints ----

def checkpoint_dir(otherwise="checkpoints"):
    """
    A folder for this trial, which survives retries and interruption. Without Wick it is the
    folder `otherwise`. It is created when this is called.
    """
    folder = os.environ.get("WICK_CHECKPOINT") or otherwise
    os.makedirs(folder, exist_ok=True)
    return folder


def save_checkpoint(state, step):
    """
    Saves anything that can be pickled (with torch.save if PyTorch is in use), and the step after
    which it was made. A crash at any moment leaves the old checkpoint or the new one. Only rank 0
    saves. Returns the path.
    """
    path = os.path.join(checkpoint_dir(), "checkpoint")
    if rank() != 0:
        return path
    torch = sys.modules.get("torch")
    temporary = "%s.%s.new" % (path, os.urandom(8).hex())
    try:
        with open(temporary, "xb") as file:
            (torch.save if torch else pickle.dump)({"step": int(step), "state": state}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise
    return path


def load_checkpoint(**options):
    """
    The state that was saved last and its step: (None, 0) if there is none. Options go to
    torch.load, as in load_checkpoint(map_location="cpu").
    """
    path = os.path.join(os.environ.get("WICK_CHECKPOINT") or "checkpoints", "checkpoint")
    if not os.path.exists(path):
        return None, 0
    with open(path, "rb") as file:
        by_torch = file.read(2) == b"PK"  # torch.save writes a zip file
        file.seek(0)
        saved = _torch_load(file, options) if by_torch else pickle.load(file)
    return saved["state"], saved["step"]


def _torch_load(file, options):
    import torch
    try:  # it is our own file: it may hold any object
        return torch.load(file, **dict({"weights_only": False}, **options))
    except TypeError:  # before PyTorch 1.13
        file.seek(0)
        return torch.load(file, **options)


# ---- the key-value space ----

class Value(bytes):
    """The bytes of a value; `version` counts how often its key was put."""
    version = 0


class _Here:
    """The key-value space without Wick: for this process alone."""

    def __init__(self):
        self.changed = threading.Condition()
        self.values = {}
        self.versions = 0

    def put(self, key, value):
        with self.changed:
            self.versions += 1
            self.values[key] = _new_value(value, self.versions)
            self.changed.notify_all()

    def get(self, key):
        return self.values.get(key)

    def wait(self, key, known, seconds):
        with self.changed:
            end = None if seconds is None else time.monotonic() + seconds
            while key not in self.values or self.values[key].version <= known:
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    return None
                self.changed.wait(left)
            return self.values[key]


_here = _Here()


def _new_value(content, version):
    value = Value(content)
    value.version = version
    return value


def _bytes(value):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise TypeError("put() takes bytes or a str, not %s: put_object() takes anything"
                    % type(value).__name__)


def _online():
    """Whether there is a space to share; an error when there was one and Wick is gone."""
    connection = _connection()
    if connection.broken:
        raise ConnectionError("the connection to Wick is lost")
    return bool(connection.path)


def put(key, value):
    """Stores bytes or a str under a key, for all trials to get."""
    value = _bytes(value)
    if _online():
        _connection().ask(_encode({"put": key, "bytes": len(value)}) + value)
    else:
        _here.put(key, value)


def get(key, default=None):
    """The value of a key, as bytes that have a .version; `default` if there is none."""
    if _online():
        answer, content = _connection().ask(_encode({"get": key}))
        value = _new_value(content, answer["version"]) if answer["version"] else None
    else:
        value = _here.get(key)
    return default if value is None else value


def wait(key, known=0, timeout=None):
    """
    Waits until there is a version above `known` (0: any), and returns the value as get() does; None
    if that takes longer than `timeout` seconds.
    """
    if not _online():
        return _here.wait(key, known, timeout)
    try:
        answer, content = _connection().wait(_encode({"wait": key, "known": known}), timeout)
    except socket.timeout:
        return None
    return _new_value(content, answer["version"])


def delete(key):
    """Removes a key; False if it was not there."""
    if _online():
        return _connection().ask(_encode({"delete": key}))[0]["version"] > 0
    return _here.values.pop(key, None) is not None


def keys(prefix=""):
    """The keys that start with this prefix."""
    if _online():
        return _connection().ask(_encode({"list": prefix}))[0]["keys"]
    return sorted(key for key in _here.values if key.startswith(prefix))


def put_object(key, value):
    """put() of anything that can be pickled."""
    put(key, pickle.dumps(value))


def get_object(key, default=None):
    """get() of what put_object() has stored."""
    value = get(key)
    return default if value is None else pickle.loads(value)


def wait_object(key, known=0, timeout=None):
    """wait() for what put_object() has stored."""
    value = wait(key, known, timeout)
    return None if value is None else pickle.loads(value)


# ---- frameworks: none is imported before it is asked for ----

def _callback_class(framework, modules):
    """The class Callback of the first of these modules that is in use, or else can be imported."""
    import importlib
    for name in sorted(modules, key=lambda name: name.split(".")[0] not in sys.modules):
        try:
            return importlib.import_module(name).Callback
        except (ImportError, AttributeError):
            pass
    raise ImportError("%s is not installed: none of %s can be imported"
                      % (framework, ", ".join(modules)))


def _scalars(metrics):
    """What of a framework's log is a number."""
    numbers = {}
    for name, value in (metrics or {}).items():
        try:
            numbers[name] = float(value)
        except (TypeError, ValueError):
            pass
    return numbers


def KerasCallback():
    """model.fit(..., callbacks=[wick.KerasCallback()]) reports each epoch, and stops when told."""
    base = _callback_class("Keras", ["keras.callbacks", "tensorflow.keras.callbacks",
                                     "tf_keras.callbacks"])

    class WickCallback(base):
        def on_epoch_end(self, epoch, logs=None):
            report(epoch + 1, _scalars(logs))
            if should_stop():
                self.model.stop_training = True

    return WickCallback()


def LightningCallback():
    """Trainer(callbacks=[wick.LightningCallback()]) reports each epoch, and stops when told."""
    base = _callback_class("Lightning", ["lightning.pytorch.callbacks",
                                         "pytorch_lightning.callbacks"])

    class WickCallback(base):
        def on_train_epoch_end(self, trainer, module):
            report(trainer.current_epoch + 1, _scalars(trainer.callback_metrics))
            if should_stop():
                trainer.should_stop = True

    return WickCallback()


def fit_steps(estimator, x, y, count, measure, grow=None, done=0, **options):
    """
    Fits a scikit-learn estimator step by step, reports each, and ends early when the trial is to
    stop. `measure(estimator)` returns the metrics of a step, as a dict. One with partial_fit sees all
    data once per step; any other is fitted with warm_start, and its parameter `grow` (n_estimators or
    max_iter, whichever it has) grows by its initial value with each step. Options go to
    partial_fit or fit.

        wick.fit_steps(SGDClassifier(), x, y, 20, lambda model: {"accuracy": model.score(xv, yv)})
    """
    partial = hasattr(estimator, "partial_fit") and grow is None
    if partial and "classes" in inspect.signature(estimator.partial_fit).parameters:
        options.setdefault("classes", sorted(set(y)))
    if not partial:
        settings = estimator.get_params()
        grow = grow or next((name for name in ("n_estimators", "max_iter") if name in settings), "")
        if grow not in settings or "warm_start" not in settings:
            raise TypeError("%s has neither partial_fit nor warm_start: it cannot be fitted in steps"
                            % type(estimator).__name__)
        size = settings[grow]
    for step in steps(count, done):
        if partial:
            estimator.partial_fit(x, y, **options)
        else:
            estimator.set_params(warm_start=True, **{grow: size * step})
            estimator.fit(x, y, **options)
        report(step, measure(estimator))
    return estimator
