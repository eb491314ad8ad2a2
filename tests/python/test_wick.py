"""The trial library for Python: each test is a script, run as a model is, beside a stand-in Wick."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.join(HERE, "..", "..", "languages", "python")
sys.path.insert(0, HERE)

from fake_wick import FakeWick  # noqa: E402


def has(module):
    return subprocess.call([sys.executable, "-c", "import " + module],
                           stderr=subprocess.DEVNULL) == 0


class Scripts(unittest.TestCase):
    """Runs scripts in a folder of their own, which has `import wick`."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def run_script(self, text, *arguments, environment=None, code=0):
        script = os.path.join(self.folder, "model.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write("import wick\n" + textwrap.dedent(text))
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith("WICK_") and name not in ("RANK", "WORLD_SIZE")}
        clean.update(environment or {}, PYTHONPATH=LIBRARY, PYTHONDONTWRITEBYTECODE="1",
                     PYTHONIOENCODING="utf-8")
        done = subprocess.run([sys.executable, script] + list(arguments), cwd=self.folder,
                              env=clean, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=600)
        self.errors = done.stderr.decode()
        self.assertEqual(done.returncode, code, self.errors)
        return done.stdout.decode()


class WithoutWick(Scripts):
    def test_parameters_are_the_defaults_and_the_command_line(self):
        text = """
            p = wick.params({"name": "adam"}, lr=0.1, layers=2, deep=False, extra=None)
            print(p.lr, p["layers"], p.deep, p.name, repr(p.extra))
        """
        self.assertEqual(self.run_script(text), "0.1 2 False adam None\n")
        self.assertEqual(self.run_script(text, "--lr", "1e-3", "--layers=4", "--deep", "--name",
                                         "sgd", "--extra", "-3"), "0.001 4 True sgd -3\n")
        self.assertEqual(self.run_script(text, "--deep", "no", "--extra", "0.5", "--lr", "2"),
                         "2.0 2 False adam 0.5\n")

    def test_dashes_in_names_are_underscores(self):
        self.assertEqual(self.run_script("print(wick.params(batch_size=1).batch_size)",
                                         "--batch-size", "32"), "32\n")

    def test_a_wrong_value_is_told(self):
        for default, word, message in (("0.1", "x", "--lr x: it is a number, such as 0.1"),
                                       ("2", "1.5", "--lr 1.5: it is a whole number, such as 2"),
                                       ("True", "maybe", "it is true or false, such as True")):
            self.run_script("wick.params(lr=%s)" % default, "--lr", word, code=2)
            self.assertIn(message, self.errors)

    def test_an_unknown_parameter_is_told(self):
        self.run_script("wick.params(learning_rate=1).learning_rat", code=1)
        self.assertIn("no parameter 'learning_rat': did you mean 'learning_rate'?", self.errors)

    def test_reports_are_printed(self):
        self.assertEqual(self.run_script("""
            for epoch in wick.steps(2):
                wick.report(epoch, val_loss=0.41, accuracy=1)
            wick.report(3, {"val/loss": float("nan")})
            wick.result(val_loss=0.1 + 0.2)
            wick.result(0.5)
            wick.result({"f1": 1})
            print(wick.should_stop(), wick.trial(), wick.try_number(), wick.seed(3), wick.rank(),
                  wick.world_size(), wick.is_running_under_wick())
        """), "step 1  val_loss 0.41  accuracy 1\nstep 2  val_loss 0.41  accuracy 1\n"
              "step 3  val/loss nan\nval_loss: 0.30000000000000004\nscore: 0.5\nf1: 1.0\n"
              "False 0 1 3 0 1 False\n")

    def test_what_is_no_number_is_told(self):
        self.run_script("wick.report(1, loss='low')", code=1)
        self.assertIn("loss is 'low': a metric is a number", self.errors)
        for step in ("-1", "0.5", "'epoch 3'", "None", "float('nan')", "float('inf')"):
            self.run_script("wick.report(%s, loss=1)" % step, code=1)
            self.assertIn("the first is the step, a whole number; steps are counted from 1",
                          self.errors)
        self.run_script("wick.report(3)", code=1)
        self.assertIn("report(3): what was measured is missing", self.errors)
        self.assertEqual(self.run_script("wick.report(3.0, loss=1)"), "step 3  loss 1\n")

    def test_values_are_kept_in_the_process(self):
        self.assertEqual(self.run_script("""
            import threading
            wick.put("a", "x")
            wick.put_object("b", [1, 2])
            print(wick.get("a"), wick.get("a").version, wick.get_object("b"), wick.get("c", 5))
            print(wick.keys(), wick.keys("b"), wick.delete("a"), wick.delete("a"), wick.get("a"))
            print(wick.wait("d", timeout=0.01))
            threading.Timer(0.01, wick.put, ("d", b"later")).start()
            print(wick.wait("d"))
        """), "b'x' 1 [1, 2] 5\n['a', 'b'] ['b'] True False None\nNone\nb'later'\n")

    def test_checkpoints(self):
        text = """
            state, done = wick.load_checkpoint()
            print(state, done, list(wick.steps(3, done)))
            wick.save_checkpoint({"weights": [1, 2]}, 2)
        """
        self.assertEqual(self.run_script(text), "None 0 [1, 2, 3]\n")
        self.assertEqual(self.run_script(text), "{'weights': [1, 2]} 2 [3]\n")
        self.assertEqual(os.listdir(os.path.join(self.folder, "checkpoints")), ["checkpoint"])

    def test_a_checkpoint_that_fails_leaves_the_old_one(self):
        self.run_script("""
            wick.save_checkpoint(1, 1)
            try:
                wick.save_checkpoint(lambda: 0, 2)
            except Exception:
                pass
            assert wick.load_checkpoint() == (1, 1)
        """)
        self.assertEqual(os.listdir(os.path.join(self.folder, "checkpoints")), ["checkpoint"])


class Trials(Scripts):
    """Scripts that find a Wick to talk to."""

    def setUp(self):
        super().setUp()
        self.wick = FakeWick()
        self.addCleanup(self.wick.close)

    def run_trial(self, text, code=0, **environment):
        return self.run_script(text, environment=self.wick.environment(**environment), code=code)


class WithWick(Trials):
    def test_parameters_of_the_trial_win(self):
        environment = self.wick.environment(WICK_PARAMS='{"lr": 0.5, "name": "\\u00e4", "off": null}')
        self.assertEqual(self.run_script("print(*wick.params(lr=0.1, size=1, off=3).values())",
                                         "--lr", "0.2", "--size", "9", environment=environment),
                         "0.5 9 3 ä\n")

    def test_reports_and_results_are_told(self):
        out = self.run_trial("""
            wick.report(1, val_loss=0.25, ok=True)
            wick.report(2, {"a b": float("nan")}, c=float("inf"), d=-float("inf"))
            wick.result(0.5, size=3)
        """, WICK_SCORE="val_loss")
        self.assertEqual(out, "")
        self.assertEqual(self.wick.heard("step", 2), [
            {"step": 1, "metrics": {"val_loss": 0.25, "ok": 1}},
            {"step": 2, "metrics": {"a b": "nan", "c": "inf", "d": "-inf"}}])
        self.assertEqual(self.wick.heard("result"), [{"result": {"val_loss": 0.5, "size": 3}}])
        self.assertEqual(self.wick.hellos, [{"hello": 7, "try": 2, "secret": 9007199254740991}])

    def test_steps_end_when_the_trial_is_to_stop(self):
        self.wick.stop_from = 3
        self.assertEqual(self.run_trial("print(list(wick.steps(10)))"), "[1, 2, 3]\n")
        self.assertEqual(self.wick.heard("stop", 3), [{"stop": 1}, {"stop": 2}, {"stop": 3}])

    def test_ten_thousand_reports(self):
        self.run_trial("for i in range(10000): wick.report(i + 1, loss=i / 3)")
        heard = self.wick.heard("step", 10000)
        self.assertEqual([message["step"] for message in heard], list(range(1, 10001)))
        self.assertEqual(heard[7]["metrics"]["loss"], 7 / 3)

    def test_threads(self):
        self.run_trial("""
            import threading
            def work(number):
                for i in range(200):
                    wick.report(number, i=i)
                    assert wick.should_stop() is False
                    wick.put(str(number), b"x" * i)
                    assert len(wick.get(str(number))) == i
            threads = [threading.Thread(target=work, args=(n,)) for n in range(5)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
        """)
        self.assertEqual(len(self.wick.heard("step", 1000)), 1000)
        self.assertEqual(sorted(m["stop"] for m in self.wick.heard("stop")), list(range(1, 1001)))
        self.assertEqual(len(self.wick.hellos), 1)

    def test_a_forked_child_has_its_own_connection(self):
        self.run_trial("""
            import os
            wick.report(1, a=1)
            wick.should_stop()
            for child in range(3):
                if os.fork() == 0:
                    wick.should_stop()
                    for i in range(100): wick.report(child, b=i)
                    os._exit(0)
            for i in range(100): wick.report(9, c=i)
            wick.should_stop()
            for child in range(3): assert os.wait()[1] == 0
        """)
        self.assertEqual(len(self.wick.heard("step", 401)), 401)
        self.assertEqual(len(self.wick.hellos), 4)
        self.assertEqual(sorted(m["stop"] for m in self.wick.heard("stop", 5)), [1, 1, 1, 1, 2])

    def test_a_warm_host_sets_the_trial_after_the_import(self):
        self.run_script("""
            import os, sys
            assert wick.params(x=1).x == 1 and wick.should_stop() is False
            if os.fork() == 0:
                os.environ.update(WICK_LINE=sys.argv[1], WICK_TRIAL="5", WICK_SECRET="3", WICK_PARAMS='{"x": 2}')
                wick.report(1, x=wick.params().x)
                os._exit(0)
            os.wait()
        """, self.wick.path)
        self.assertEqual(self.wick.heard("step"), [{"step": 1, "metrics": {"x": 2}}])
        self.assertEqual(self.wick.hellos, [{"hello": 5, "try": 1, "secret": 3}])

    def test_only_rank_0_reports_and_all_ask(self):
        out = self.run_trial("""
            wick.report(1, a=1)
            wick.result(1)
            print(wick.should_stop(), wick.rank(), wick.world_size())
            wick.save_checkpoint(1, 1)
            print(wick.load_checkpoint())
        """, RANK="1", WORLD_SIZE="2", WICK_CHECKPOINT=os.path.join(self.folder, "keep"))
        self.assertEqual(out, "False 1 2\n(None, 0)\n")
        self.assertEqual(self.wick.messages, [{"stop": 1}])

    def test_values_are_shared(self):
        out = self.run_trial("""
            import threading
            key = "Größe/\\u2603 \\"1\\""
            wick.put(key, "Wert")
            wick.put(key, bytes(range(256)) * 5000)
            value = wick.get(key)
            print(len(value), value.version, value == bytes(range(256)) * 5000)
            print(wick.keys("Gr") == [key], wick.get("none"), wick.get("none", 1))
            print(wick.delete(key), wick.delete(key))
            waiting = threading.Thread(target=lambda: print(wick.wait_object("o")))
            waiting.start()
            wick.report(1, a=1)
            wick.put_object("o", {"a": 1})
            waiting.join()
            print(wick.wait("o", 1, timeout=0.05), wick.get("o").version)
        """)
        self.assertEqual(out, "1280000 2 True\nTrue None 1\nTrue False\n{'a': 1}\nNone 1\n")

    def test_what_cannot_be_put_is_told(self):
        self.wick.error = "the value is too large"
        self.run_trial("wick.put('a', b'')", code=1)
        self.assertIn("Wick says: the value is too large", self.errors)
        self.run_trial("wick.put('a', 3)", code=1)
        self.assertIn("put() takes bytes or a str, not int: put_object() takes anything", self.errors)

    def test_a_line_that_is_not_there_is_told_once(self):
        out = self.run_script("""
            for epoch in wick.steps(3): wick.report(epoch, loss=1)
            wick.result(0.5)
            try:
                wick.put("a", "b")
            except ConnectionError as error:
                print(error)
        """, environment=self.wick.environment(WICK_LINE="/nowhere"))
        self.assertEqual(out, "score: 0.5\nthe connection to Wick is lost\n")
        self.assertEqual(self.errors.count("\n"), 1)
        self.assertIn("this program continues without it", self.errors)

    def test_a_wick_that_goes_away_ends_nothing(self):
        def leave():
            self.wick.heard("result")
            self.wick.close()
        threading.Thread(target=leave, daemon=True).start()
        out = self.run_trial("""
            import os, time
            wick.result(loss=1)
            while os.path.exists(os.environ["WICK_LINE"]): time.sleep(0.01)
            for i in range(100): wick.report(i, loss=1)
            print(wick.should_stop())
            wick.result(loss=0.5)
        """)
        self.assertEqual(out, "False\nloss: 0.5\n")
        self.assertEqual(self.errors.count("\n"), 1, self.errors)

    def test_a_connection_that_is_refused_is_told_why(self):
        self.wick.refusal = "too many connections of one trial are open"
        self.run_trial("""
            import time
            while not wick._connection().broken:
                wick.report(1, loss=1)
                time.sleep(0.01)
        """)
        self.assertIn("(Wick says: too many connections of one trial are open)", self.errors)

    def test_an_answer_that_is_an_error_is_told_once(self):
        self.wick._answer = lambda message: ({"error": "no such thing"}, b"")
        out = self.run_trial("print(wick.should_stop(), wick.should_stop())")
        self.assertEqual(out, "False False\n")
        self.assertEqual(self.errors, "wick: Wick says: no such thing\n")

    def test_metrics_that_wick_does_not_take(self):
        self.run_trial("""
            wick.report(1, {"x" * 48: 1, "é" * 24: 1, "y" * 47: 2})
            wick.report(2, {"m%d" % i: i for i in range(1010)})
        """)
        first, second = self.wick.heard("step", 2)
        self.assertEqual(first["metrics"], {"y" * 47: 2})
        self.assertEqual(len(second["metrics"]), 1000)
        self.assertIn("its name is longer than 47 bytes", self.errors)
        self.assertIn("only the first 1000 metrics are taken", self.errors)

    @unittest.skipUnless(has("numpy"), "no NumPy")
    def test_scalars_of_numpy(self):
        self.run_trial("""
            import numpy as np
            wick.report(np.int64(3), a=np.float32(0.5), b=np.array(2), c=np.bool_(True))
        """)
        self.assertEqual(self.wick.heard("step"),
                         [{"step": 3, "metrics": {"a": 0.5, "b": 2, "c": 1}}])


FAKE_KERAS = """
    import sys, types
    class Callback:
        def set_model(self, model): self.model = model
    for name in ("keras", "keras.callbacks"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["keras.callbacks"].Callback = Callback
    class Model:
        stop_training = False
        def fit(self, epochs, callbacks):
            for callback in callbacks: callback.set_model(self)
            for epoch in range(epochs):
                if self.stop_training: break
                for callback in callbacks:
                    callback.on_epoch_end(epoch, {"loss": 1 / (epoch + 1), "note": "text"})
    Model().fit(5, [wick.KerasCallback()])
"""

FAKE_LIGHTNING = """
    import sys, types
    class Callback: pass
    for name in ("pytorch_lightning", "pytorch_lightning.callbacks"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["pytorch_lightning.callbacks"].Callback = Callback
    class Trainer:
        should_stop = False
        def fit(self, callback):
            for self.current_epoch in range(5):
                if self.should_stop: break
                self.callback_metrics = {"loss": 1 / (self.current_epoch + 1), "note": None}
                callback.on_train_epoch_end(self, None)
    Trainer().fit(wick.LightningCallback())
"""

FAKE_ESTIMATORS = """
    class Partial:
        seen = 0
        def partial_fit(self, x, y, classes=None):
            assert classes == [0, 1]
            self.seen += len(x)
    class Warm:
        settings = {"n_estimators": 10, "warm_start": False}
        def get_params(self): return dict(self.settings)
        def set_params(self, **settings): self.settings = settings
        def fit(self, x, y): assert self.settings["warm_start"]
    x, y = [1, 2, 3], [0, 1, 0]
    wick.fit_steps(Partial(), x, y, 3, lambda model: {"seen": model.seen})
    wick.fit_steps(Warm(), x, y, 3, lambda model: {"trees": model.settings["n_estimators"]})
    try:
        wick.fit_steps(type("Ridge", (), {"get_params": lambda self: {}})(), x, y, 3, None)
    except TypeError as error:
        print(error)
"""


class Frameworks(Trials):
    def check_callback(self, text):
        self.wick.stop_from = 3
        self.run_trial(text)
        self.assertEqual([m["metrics"] for m in self.wick.heard("step", 3)],
                         [{"loss": 1}, {"loss": 0.5}, {"loss": 1 / 3}])

    def test_keras(self):
        self.check_callback(FAKE_KERAS)

    def test_lightning(self):
        self.check_callback(FAKE_LIGHTNING)

    def test_a_framework_that_is_not_there(self):
        self.run_script("""
            import sys
            for name in ("keras", "tensorflow", "tf_keras"): sys.modules[name] = None
            wick.KerasCallback()
        """, code=1)
        self.assertIn("Keras is not installed: none of keras.callbacks,", self.errors)

    def test_estimators(self):
        out = self.run_trial(FAKE_ESTIMATORS)
        self.assertIn("Ridge has neither partial_fit nor warm_start", out)
        self.assertEqual([m["metrics"] for m in self.wick.heard("step", 6)],
                         [{"seen": 3}, {"seen": 6}, {"seen": 9},
                          {"trees": 10}, {"trees": 20}, {"trees": 30}])

    def test_importing_wick_imports_no_framework(self):
        self.assertEqual(self.run_script("""
            import sys
            print([n for n in ("torch", "numpy", "keras", "tensorflow") if n in sys.modules])
        """), "[]\n")


@unittest.skipUnless(has("torch"), "no PyTorch")
class Torch(Trials):
    def test_a_loop_goes_on_from_its_checkpoint(self):
        text = """
            import torch
            torch.set_num_threads(1)
            torch.manual_seed(wick.seed(1))
            model = torch.nn.Linear(2, 1)
            optimizer = torch.optim.SGD(model.parameters(), lr=wick.params(lr=0.1).lr)
            x = torch.randn(64, 2)
            y = x.sum(1, keepdim=True)
            state, done = wick.load_checkpoint()
            if state:
                model.load_state_dict(state["model"])
                optimizer.load_state_dict(state["optimizer"])
            for epoch in wick.steps(6, done):
                loss = torch.nn.functional.mse_loss(model(x), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                wick.report(epoch, loss=loss)
                wick.save_checkpoint({"model": model.state_dict(),
                                      "optimizer": optimizer.state_dict()}, epoch)
            wick.result(loss=loss)
        """
        folder = os.path.join(self.folder, "keep")
        self.wick.stop_from = 3
        self.run_trial(text, WICK_CHECKPOINT=folder)
        self.wick.stop_from = None
        self.run_trial(text, WICK_CHECKPOINT=folder)
        heard = self.wick.heard("step", 6)
        self.assertEqual([m["step"] for m in heard], [1, 2, 3, 4, 5, 6])
        losses = [m["metrics"]["loss"] for m in heard]
        self.assertEqual(losses, sorted(losses, reverse=True))

    def test_ranks_of_torch_distributed(self):
        self.wick.stop_from = 3
        self.run_trial("""
            import os, sys
            import torch
            import torch.distributed as group
            torch.set_num_threads(1)
            os.environ.update(WORLD_SIZE="2", GLOO_SOCKET_IFNAME="lo")
            child = os.fork()
            os.environ["RANK"] = "0" if child else "1"
            group.init_process_group("gloo", init_method="file://" + os.path.abspath("meet"),
                                     rank=wick.rank(), world_size=2)
            for step in wick.steps(10):
                value = torch.tensor([float(wick.rank() + 1)])
                group.all_reduce(value)
                wick.report(step, sum=value)
            group.destroy_process_group()
            if child == 0: os._exit(0 if step == 3 else 1)
            sys.exit(0 if step == 3 and os.wait()[1] == 0 else 1)
        """)
        self.assertEqual([m["metrics"]["sum"] for m in self.wick.heard("step", 3)], [3, 3, 3])
        self.assertEqual(len(self.wick.heard("stop", 6)), 6)


if __name__ == "__main__":
    unittest.main()
