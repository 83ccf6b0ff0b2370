#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills a small run at random moments and checks that it always resumes to the same bits.

    kill_runs.py --program build/release/app/caspstudio --data datasets/sample.csv --kills 20 [--seed 1]

Trains once undisturbed, then again in another folder while SIGKILL hits it at random moments (also during a resume), and
compares best.safetensors, the metrics in run.json and the rows of results.csv but for times. After every kill run.h5 must
open (with h5py where that can be imported). Python's standard library only. Exit status 1 when anything differs.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

EXPERIMENT = """
name = "kill"
[data]
path = "{data}"
split = [400, 160, 160]
lookback = 64
horizon = 16
[backbone]
path = "untrained"
layers = 2
width = 48
heads = 4
vocabulary = 200
positions = 64
[model]
trend_length = 25
seasonal_length = 24
pool_size = 40
top_k = 4
[train]
epochs = 4
batch_size = 16
learning_rate = 1e-3
[run]
threads = 1
checkpoint_seconds = 0
snapshot_steps = 7
"""
TIMES = {"seconds", "updated"}


def result(folder):
    """What must be equal: digest of the weights and everything of run.json but times."""
    run = folder / "kill" / "single"
    status = json.loads((run / "run.json").read_text())

    def strip(value):
        return {k: strip(v) for k, v in value.items() if k not in TIMES} if isinstance(value, dict) else value

    return hashlib.sha256((run / "best.safetensors").read_bytes()).hexdigest(), strip(status)


def check_readable(folder):
    file = folder / "kill" / "single" / "run.h5"
    if not file.exists():
        return
    try:
        import h5py
    except ImportError:
        return
    with h5py.File(file, "r") as run:
        steps = run["history/step/step"]
        assert list(steps) == list(range(1, len(steps) + 1)), "a gap in the history"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)

    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        experiment = scratch / "kill.toml"
        experiment.write_text(EXPERIMENT.format(data=pathlib.Path(options.data).resolve()))

        def command(out):
            return [options.program, "--batch", str(experiment), "--out", str(out), "--resume"]

        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        began = time.monotonic()
        subprocess.run(command(scratch / "undisturbed"), check=True, **quiet)
        duration = time.monotonic() - began
        expected = result(scratch / "undisturbed")

        killed = finished_between = 0
        attempt = 0
        while killed < options.kills:
            out = scratch / f"killed{attempt}"
            while True:
                process = subprocess.Popen(command(out), **quiet)
                # Mostly early moments, so that several kills fall on one run and some on its start and its resume.
                moment = chance.random() ** 2 * duration if killed < options.kills else None
                try:
                    _, errors = process.communicate(timeout=moment)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                    killed += 1
                    check_readable(out)
                    continue
                if process.returncode != 0:
                    sys.exit(f"exit status {process.returncode} after {killed} kills:\n{errors.decode(errors='replace')}")
                finished_between += 1
                break
            found = result(out)
            if found != expected:
                sys.exit(f"run {attempt} differs after {killed} kills:\n{expected}\n{found}")
            attempt += 1
        print(f"{killed} kills over {finished_between} runs: all ended with the same bits "
              f"(an undisturbed run takes {duration:.1f} s)")


if __name__ == "__main__":
    main()
