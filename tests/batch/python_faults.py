#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets the worker of a model in Python, or the program, fail at random moments, and checks that nothing is lost.

    python_faults.py --program build/release/app/caspstudio --data datasets/sample.csv --faults 20 [--seed 1]

A small run of a numpy model with a checkpoint after every step is trained once undisturbed. Then again and again while, at a
random step, the model raises an error, exits, kills itself, kills the process that watches over it, hangs (and the run is
cancelled), prints without end, or leaves processes behind; or while the program is killed. Each restart is a --resume and may
fail as well. After every fault: the program has ended in time, with the right exit status; no process that it started is left;
the files of the run are complete. What the run ends with is compared with the undisturbed one, bit by bit.
Exit status 1 when anything differs. The Python that runs this needs numpy, for the model.
"""

import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import run_checks

MODEL = '''
import os, signal, sys, time
import numpy
KIND, AT = os.environ.get("CASP_FAULT", "none:0").split(":")
class Linear:
    def __init__(self, task):
        self.weight = numpy.full((task.horizon, task.lookback), 1 / task.lookback, "f4")
        self.speed = numpy.zeros_like(self.weight)
        self.calls = 0
    def fail(self):
        self.calls += 1
        if self.calls != int(AT):
            return
        if KIND == "error":
            raise RuntimeError("a fault of the test")
        if KIND == "exit":
            os._exit(7)
        if KIND == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if KIND == "watcher":
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(1000)
        if KIND == "hang":
            print("hangs", flush=True)
            time.sleep(1000)
        if KIND == "flood":
            for i in range(300000):
                print("a line of a flood", i)
        if KIND == "children":
            for i in range(3):
                if os.fork() == 0:
                    os.setsid()
                    time.sleep(1000)
    def predict(self, x):
        return (x.transpose(0, 2, 1) @ self.weight.T).transpose(0, 2, 1)
    def fit_batch(self, x, y):
        self.fail()
        rows = x.transpose(0, 2, 1).reshape(-1, x.shape[1])
        error = rows @ self.weight.T - y.transpose(0, 2, 1).reshape(-1, y.shape[1])
        self.speed = (0.9 * self.speed - 0.05 * (1 + 0.01 * numpy.random.normal()) * error.T @ rows / error.size).astype("f4")
        self.weight = self.weight + self.speed
        return (error ** 2).mean()
    def state(self):
        return {"weight": self.weight, "speed": self.speed}
    def load(self, state):
        self.weight, self.speed = state["weight"], state["speed"]
def make(task):
    return Linear(task)
'''
EXPERIMENT = """
name = "small"
[data]
path = "{data}"
split = [400, 160, 160]
lookback = 64
horizon = 16
[model]
name = "python"
[python]
file = "model.py"
interpreter = "{python}"
[train]
epochs = 2
batch_size = 16
[run]
device = "cpu"
threads = 1
checkpoint_seconds = 0
"""
# Exit status of the program: 1 a run failed, 130 cancelled, 0 all went well.
STATUS = {"error": {1}, "exit": {1}, "kill": {1}, "watcher": {1}, "hang": {130}, "flood": {0}, "children": {0}, "program": {-9, 0}}
SECONDS = 120
LATEST_STEP = 30  # of the about 40 that the run has


def left_of(home):
    """Processes whose environment has this home."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if str(home).encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            pass
    return found


def wait_until_none_is_left(home):
    end = time.monotonic() + 10
    while left_of(home) and time.monotonic() < end:
        time.sleep(0.02)
    return left_of(home)


class Bench:
    def __init__(self, options, scratch):
        self.program = str(pathlib.Path(options.program).resolve())
        self.scratch = scratch
        self.home = scratch / "home"
        (scratch / "model.py").write_text(MODEL)
        (scratch / "small.toml").write_text(EXPERIMENT.format(data=pathlib.Path(options.data).resolve(), python=sys.executable))

    def start(self, out, fault="none:0"):
        return subprocess.Popen([self.program, "--batch", str(self.scratch / "small.toml"), "--out", str(out), "--resume"],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                env=run_checks.environment(HOME=str(self.home), XDG_CACHE_HOME=str(self.home / "cache"),
                                                           CASP_FAULT=fault))

    @staticmethod
    def run_of(out):
        return out / "small" / "single"

    def fault(self, out, kind, chance):
        """One faulty start. What is wrong, or None."""
        fault = f"{kind}:{chance.randint(1, LATEST_STEP)}"
        process = self.start(out, fault)
        if kind == "program":
            time.sleep(chance.uniform(0.1, 1.2))
            process.kill()
        elif kind == "hang":
            for line in process.stderr:
                if b"hangs" in line:
                    break
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return f"{fault}: did not end"
        if kind == "hang" and process.returncode == 130 and time.monotonic() - began > 5:
            return f"{fault}: ended after {time.monotonic() - began:.1f} s"
        # A run that resumes near its end may be over before the fault.
        if process.returncode not in STATUS[kind] | {0}:
            return f"{fault}: exit status {process.returncode}\n{errors.decode(errors='replace')[-2000:]}"
        if left := wait_until_none_is_left(self.home):
            return f"{fault}: processes {left} are left"
        run_checks.check_intact(self.run_of(out))
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: this Python has no numpy")
        return 77
    chance = random.Random(options.seed)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder).resolve())
        process = bench.start(bench.scratch / "undisturbed")
        _, errors = process.communicate(timeout=SECONDS)
        if process.returncode != 0:
            sys.exit(f"the undisturbed run failed:\n{errors.decode(errors='replace')}")
        expected = run_checks.result(bench.run_of(bench.scratch / "undisturbed"))
        out, number = bench.scratch / "faulty 0", 0
        while sum(counts.values()) < options.faults:
            kind = chance.choice(sorted(STATUS))
            counts[kind] += 1
            if problem := bench.fault(out, kind, chance):
                sys.exit(problem)
            if chance.random() < 0.3:  # let it end
                process = bench.start(out)
                _, errors = process.communicate(timeout=SECONDS)
                if process.returncode != 0:
                    sys.exit(f"after {kind}: the resumed run failed:\n{errors.decode(errors='replace')}")
                if differs := run_checks.differences(expected, run_checks.result(bench.run_of(out))):
                    sys.exit(f"after {kind}: {', '.join(differs)} of the undisturbed run differ")
                number += 1
                out = bench.scratch / f"faulty {number}"
    print(f"{sum(counts.values())} faults ({', '.join(f'{count} {kind}' for kind, count in sorted(counts.items()))}), "
          f"{number} runs ended with the same bits")
    return 0


if __name__ == "__main__":
    sys.exit(main())
