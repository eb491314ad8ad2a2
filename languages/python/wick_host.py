"""The Python language host: imports once, and forks for each trial.

Wick's helper starts it and talks to it over the socket that is its standard input:

    helper                                  host
      ── "fork" ─────────────────────────────▶   make one more process for a trial
      ◀── "ready PID" and a socket to it ─────   it waits there for what to run
      ◀── "failed TEXT" ──────────────────────   it cannot fork

    helper                                  the new process
      ── what to run, stdout, stderr ────────▶   from here on it is the trial

The new process is made by two forks, so that it becomes a child of the helper, which waits for it as
for any other program. The host itself only imports: once a process has run an OpenMP region or
touched a GPU, the libraries are broken in its children.

    wick_host.py call FILE FUNCTION auto|list [MODULE...]    FUNCTION of FILE is called
    wick_host.py script FILE - auto|list [MODULE...]         FILE is run as it is
    wick_host.py evaluate - - list [MODULE...]               code is evaluated here, piece by piece
    wick_host.py once FILE FUNCTION                          FUNCTION of FILE is called here, as in
                                                             one trial, and what it returns printed

auto: the modules that FILE imports at its top level are imported; list: those that are named.
"""
import array
import ast
import atexit
import ctypes
import gc
import importlib
import inspect
import json
import logging
import os
import random
import socket
import struct
import sys
import threading
import traceback
import types
import weakref

REQUEST_LIMIT = 256 << 10
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, SIGKILL = 1, 36, 9
# Importing these starts MPI, which does not survive a fork.
NEVER_AHEAD = {"mpi4py", "horovod", "wick", "__main__", "__future__"}

libc = ctypes.CDLL(None)


# ---- what is imported once ----

def local_file(folder, name):
    """The file of a module next to the model, or None."""
    path = os.path.join(folder, *name.split("."))
    for candidate in (path + ".py", os.path.join(path, "__init__.py")):
        if os.path.exists(candidate):
            return candidate
    return None


def statements(tree, function):
    """The statements of the file, and of the function that is called, that are certain to run."""
    for node in tree.body:
        yield node
        inside = []
        if isinstance(node, ast.Try):
            inside = node.body
        elif isinstance(node, ast.FunctionDef) and node.name == function:
            inside = node.body
        for statement in inside:
            yield statement


def imported_modules(path, function, folder, seen):
    """The modules that a file imports, directly or through files next to it."""
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return []  # the trial will report it
    names = []
    for node in statements(tree, function):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.append(node.module)
    modules = []
    for name in names:
        beside = local_file(folder, name)
        if name in seen or name.split(".")[0] in NEVER_AHEAD:
            continue
        seen.add(name)
        if beside:  # its top level may do anything, so the trial itself imports it
            modules += imported_modules(beside, None, folder, seen)
        elif not local_file(folder, name.split(".")[0]):
            modules.append(name)
    return modules


def import_ahead(path, function, folder, modules):
    if modules is not None:
        for name in modules:
            importlib.import_module(name)
        return
    for name in imported_modules(path, function, folder, set()):
        try:
            importlib.import_module(name)
        except Exception:
            pass  # the file may work without it; if not, the trial reports it


def thread_names():
    """The threads of this process other than the main one."""
    names = []
    for task in os.listdir("/proc/self/task"):
        if int(task) != os.getpid():
            with open("/proc/self/task/%s/comm" % task) as file:
                names.append(file.read().strip())
    return names


def threads_warning():
    """A warning for the user when the imports have started threads; None when they have not."""
    child = os.fork()  # a library that expects forks ends its threads now
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    try:
        names = thread_names()
    except OSError:
        return None
    if not names:
        return None
    return ("wick: warning: what was imported ahead has started %d thread%s (%s), which trials do not "
            "have and may wait for. Should trials hang: leave the module that starts them out of "
            "`preload`, or say warm: false\n" % (len(names), "s" if len(names) > 1 else "",
                                                 ", ".join(sorted(set(names)))))


# ---- a process for a trial ----

class Request:
    """What the helper wants to run: strings, each ended by a zero byte."""

    def __init__(self, message):
        fields = message.split(b"\0")[:-1]
        count = int(fields[0])
        self.cores = [int(core) for core in fields[1].split(b",") if core]
        self.folder = fields[2]
        self.arguments = [os.fsdecode(word) for word in fields[3:3 + count]]
        self.variables = [field.split(b"=", 1) for field in fields[3 + count:]]


def fork_one(control):
    """Makes a process for a trial; returns its socket in the new process, None in the host."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    read_end, write_end = os.pipe()
    first = os.fork()
    if first == 0:
        try:
            second = os.fork()
        except OSError:
            second = 1
        if second:
            os._exit(0)
        os.setsid()
        os.write(write_end, b"%d" % os.getpid())
        for used in (read_end, write_end):
            os.close(used)
        ours.close()
        control.close()
        return theirs
    os.close(write_end)
    theirs.close()
    pid = os.read(read_end, 32)
    os.close(read_end)
    os.waitpid(first, 0)  # now the second one is the helper's child
    if pid:
        control.sendmsg([b"ready " + pid],
                        [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [ours.fileno()]))])
    else:
        control.send(b"failed it cannot fork a second time")
    ours.close()
    return None


def wait_for_request(connection):
    descriptors = array.array("i")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # in place of the host's socket
    os.close(nothing)
    message, ancillary, _, _ = connection.recvmsg(REQUEST_LIMIT, socket.CMSG_SPACE(8))
    if not message:
        os._exit(0)  # it is not needed
    for _, _, data in ancillary:
        descriptors.frombytes(data)
    connection.close()
    os.dup2(descriptors[0], 1)
    os.dup2(descriptors[1], 2)
    for used in descriptors:
        os.close(used)
    return Request(message)


def set_threads(before):
    """OpenMP read its number of threads when it was loaded: correct it when the trial's differs."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    if wanted == before or not wanted.isdigit():
        return
    try:
        ctypes.CDLL("libgomp.so.1", mode=os.RTLD_NOLOAD | os.RTLD_NOW).omp_set_num_threads(int(wanted))
    except (OSError, AttributeError):
        pass


def become(request):
    """Makes the process look like a program that was started for this trial alone."""
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)  # its daemons stay its own children: src/helper/family.h
    threads = os.environ.get("OMP_NUM_THREADS", "")
    if request.cores:
        try:
            os.sched_setaffinity(0, request.cores)
        except OSError:
            pass
    os.chdir(request.folder)
    for name, value in request.variables:
        if os.environb.get(name) != value:
            os.environb[name] = value
    set_threads(threads)


def forget_exit_handlers():
    """Clean-up of what the imports made belongs to the host: a trial only cleans up its own."""
    atexit._clear()
    for finalizer in list(weakref.finalize._registry):
        finalizer.atexit = False
    weakref.finalize._registered_with_atexit = False
    atexit.register(logging.shutdown)
    for module, name in (("multiprocessing.util", "_exit_function"),
                         ("concurrent.futures.thread", "_python_exit")):
        handler = getattr(sys.modules.get(module), name, None)
        if handler:
            atexit.register(handler)


def draw_new_numbers():
    """Seeds each process anew: forked processes would all draw the same random numbers."""
    random.seed()
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random:
        numpy_random.seed()
    generator = getattr(sys.modules.get("torch"), "default_generator", None)
    if generator is not None:
        generator.seed()


# ---- the user's code ----

def run_file(path, name):
    """Runs a file as a module of this name."""
    module = types.ModuleType(name)
    module.__file__ = path
    module.__builtins__ = __builtins__
    sys.modules[name] = module
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, module.__dict__)
    return module


def find_function(path, name):
    module_name = os.path.splitext(os.path.basename(path))[0]
    module = sys.modules.get(module_name)
    if not module or os.path.realpath(getattr(module, "__file__", None) or "") != os.path.realpath(path):
        module = run_file(path, module_name)
    function = getattr(module, name, None)
    if not callable(function):
        others = [key for key, value in sorted(vars(module).items())
                  if inspect.isfunction(value) and value.__module__ == module_name]
        sys.exit("wick: %s has no function '%s'%s" %
                 (path, name, "; it has " + ", ".join(others[:10]) if others else ""))
    return function


def call(function, params):
    """run(params) or run(lr, layers), depending on its signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return function(params)
    single = [p for p in signature.parameters.values()
              if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in single if p.default is p.empty]
    first = (required or single)[0] if len(required) == 1 or (not required and len(single) == 1) else None
    if first and first.name not in params:
        return function(params)
    return function(**params)


def as_metrics(value):
    """What a function returned, as a dict of numbers; None when it returned None."""
    if value is None:
        return None
    history = getattr(value, "history", None)
    if isinstance(history, dict):  # of Keras: the last epoch counts
        value = {key: values[-1] for key, values in history.items() if len(values)}
    single = not isinstance(value, dict)
    if single:
        value = {os.environ.get("WICK_SCORE", "score"): value}
    metrics = {}
    for key, item in value.items():
        if isinstance(item, (str, bytes)) or not hasattr(item, "__float__"):
            if single:
                raise TypeError("the function returned a value of type %s: it must be a number (the "
                                "score), a dict of metrics, or None" % type(item).__name__)
            continue  # not a number: nothing to keep
        metrics[str(key)] = float(item)
    return metrics


def call_model(path, name):
    params = json.loads(os.environ.get("WICK_PARAMS", "{}"))
    metrics = as_metrics(call(find_function(path, name), params))
    if metrics is not None and "WICK_RESULT" in os.environ:
        with open(os.environ["WICK_RESULT"], "w") as file:
            json.dump(metrics, file)
    elif metrics is not None:
        for key, value in metrics.items():
            print("%s: %r" % (key, value))


def exit_code(stop):
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code & 0xff
    print(stop.code, file=sys.stderr)
    return 1


def name_interpreter(error):
    """A missing module is usually installed for another interpreter: names the one in use."""
    if isinstance(error, ModuleNotFoundError) and isinstance(error.msg, str):
        error.msg += " (this is %s)" % sys.executable


def show_error():
    """The traceback, without what is above the user's code."""
    kind, value, trace = sys.exc_info()
    name_interpreter(value)
    while trace and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    sys.excepthook(kind, value.with_traceback(trace), trace)


def leave(code):
    """Ends the process as the interpreter does, except that memory is not freed piece by piece."""
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException:
        pass  # it was already printed, and does not change the exit code
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            code = code or 120
    os._exit(code)


def run_trial(arguments, kind, path, function):
    sys.argv = arguments or [path]
    code = 0
    try:
        if kind == "script":
            run_file(path, "__main__")
        else:
            call_model(path, function)
    except SystemExit as stop:
        code = exit_code(stop)
    except BaseException:
        show_error()
        code = 1
    leave(code)


# ---- the host ----

def serve(kind, path, function):
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=os.dup(0))
    warning = threads_warning()
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()  # collections in the trials then do not touch, and copy, what is already there
    while control.recv(16):
        try:
            connection = fork_one(control)
        except OSError as error:
            control.send(b"failed " + str(error).encode())
            continue
        if connection:
            request = wait_for_request(connection)
            if warning:
                os.write(2, warning.encode())
            become(request)
            forget_exit_handlers()
            draw_new_numbers()
            gc.enable()
            return request
        warning = None
    os._exit(0)


# ---- evaluation that keeps its state ----

def evaluate_one(namespace, compiled, code, expression):
    def prepared(text, mode):
        if (text, mode) not in compiled:
            if len(compiled) > 1000:
                compiled.clear()
            compiled[text, mode] = compile(text, "<code>" if mode == "exec" else "<expression>", mode)
        return compiled[text, mode]
    if code.strip():
        exec(prepared(code, "exec"), namespace)
    return str(eval(prepared(expression.strip(), "eval"), namespace)) if expression.strip() else ""


def evaluate():
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    main = types.ModuleType("__main__")
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    compiled = {}
    requests = connection.makefile("rb", 65536)
    while True:
        header = requests.read(8)
        if len(header) < 8:
            os._exit(0)
        lengths = struct.unpack("=II", header)
        texts = [requests.read(length).decode("utf-8", "replace") for length in lengths]
        good = 1
        try:
            answer = evaluate_one(main.__dict__, compiled, *texts)
        except BaseException:
            kind, value, trace = sys.exc_info()
            while trace and trace.tb_frame.f_code.co_filename == __file__:
                trace = trace.tb_next
            answer = "".join(traceback.format_exception(kind, value, trace))
            good = 0
        sys.stdout.flush()
        answer = answer.encode("utf-8", "replace")
        connection.sendall(struct.pack("=II", good, len(answer)) + answer)


def main():
    kind, path, function = sys.argv[1:4]
    modules = sys.argv[5:] if sys.argv[4:5] != ["auto"] else None
    own = os.path.dirname(os.path.realpath(__file__))
    folder = os.getcwd() if kind == "evaluate" else os.path.dirname(os.path.realpath(path))
    if sys.path and sys.path[0] == own:
        sys.path[0] = folder
    sys.path.append(own)  # `import wick` works everywhere
    sys.argv = [path]
    if kind != "once":
        gc.disable()
    try:
        import_ahead(path, function, folder, modules)
    except Exception:
        show_error()
        sys.exit(1)
    sys.stdout.flush()
    sys.stderr.flush()
    if kind == "evaluate":
        gc.enable()
        evaluate()
    arguments = [] if kind == "once" else serve(kind, path, function).arguments
    run_trial(arguments, kind, path, function)


if __name__ == "__main__":
    HOST = sys.modules["__main__"]  # its names must survive when the trial's file replaces it
    main()
