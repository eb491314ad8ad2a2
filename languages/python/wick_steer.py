"""Runs an algorithm that was written for EQ/Py: wick_steer.py FILE.

The channel to Wick is the standard input and output that it was started with. The algorithm gets others:
what it prints, and what its libraries print, is its log.
"""
import importlib.util
import os
import sys
import traceback
import types


def take_channel():
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return reader, writer


def load(path, eqpy):
    """The module of a file, which can import others from its folder."""
    folder, name = os.path.split(os.path.abspath(path))
    name = os.path.splitext(name)[0]
    sys.path.insert(0, folder)
    lend_emews(eqpy)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise ImportError("%s is not a Python file: its name must end in .py" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Pool:
    """emews' Pool maps a function over a list; the algorithm has one process, so it is mapped here."""

    def __init__(self, *_, **__):
        pass

    def map(self, function, arguments):
        return [function(argument) for argument in arguments]


def lend_emews(eqpy):
    """Later versions of EQ/Py have the queues in a package: `from emews import eqpy, Pool`."""
    sys.modules["emews.eqpy"] = eqpy
    if importlib.util.find_spec("emews") is None:
        package = types.ModuleType("emews")
        package.__path__ = []
        package.eqpy, package.Pool = eqpy, Pool
        sys.modules["emews"] = package


def own_traceback():
    """The traceback without the lines of this file, which mean nothing to the user."""
    kind, value, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename in (__file__, load.__code__.co_filename,
                                                                      "<frozen importlib._bootstrap>",
                                                                      "<frozen importlib._bootstrap_external>"):
        trace = trace.tb_next
    return "".join(traceback.format_exception(kind, value, trace))


def abort(eqpy, text):
    sys.stdout.flush()
    sys.stderr.flush()
    eqpy.OUT_put(eqpy.EQPY_ABORT)
    eqpy.OUT_put(text)
    os._exit(1)


def main():
    path = sys.argv[1]
    channel = take_channel()
    import eqpy
    eqpy._open(*channel)
    sys.argv = [path]
    try:
        module = load(path, eqpy)
        if not callable(getattr(module, "run", None)):
            abort(eqpy, "%s has no function run(): an algorithm for EQ/Py defines it, and calls "
                        "eqpy.OUT_put() and eqpy.IN_get() in it" % path)
        module.run()
    except SystemExit as end:
        sys.stdout.flush()
        if end.code not in (None, 0) and not isinstance(end.code, int):
            sys.stderr.write("%s\n" % (end.code,))
        sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else 0 if end.code is None else 1)
    except BaseException:  # KeyboardInterrupt, too: the user sees where it was
        abort(eqpy, own_traceback())


if __name__ == "__main__":
    main()
else:  # in a process that the algorithm started by multiprocessing, which may import the algorithm
    import eqpy
    lend_emews(eqpy)
