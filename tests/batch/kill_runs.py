#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills a small run at random moments and checks that it always resumes to the same bits.

    kill_runs.py --program build/release/app/caspstudio --data datasets/sample.csv --kills 20 [--seed 1]

Trains once undisturbed, then again and again while SIGKILL hits: at a random moment, while a checkpoint is written, or
while run.h5 is written; every restart is a --resume and may be killed as well. After every kill all files under their
final names must be complete (the seal of run.h5, the digests of the checkpoint; h5py opens the files where it can be
imported). The runs are trained in three ways in turn: with a checkpoint after every step; with one a second, and everything
kept that can be (embeddings, similarities, the first weights and the last); and as a fork of a run that was interrupted.
What they end with is compared bit by bit with an undisturbed run of that way: all weights, every number in arrays.h5 and
in run.h5 (with h5py), and run.json, but for times. Then: Ctrl+C once and twice, SIGTERM, and a second process on a folder
that is being written.
Python's standard library only. Exit status 1 when anything differs.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import run_checks

KINDS = ("random moment", "checkpoint", "run.h5")
# A restart may be over before a kill of a special kind finds its moment: then this is a kill that never was.
SECONDS = 120
PLAIN, KEEPING, FORK = "a checkpoint a step", "a checkpoint a second, all kept", "a fork"


class Bench:
    def __init__(self, options, scratch):
        self.program = str(pathlib.Path(options.program).resolve())
        self.experiment = scratch / "small.toml"
        self.scratch = scratch
        self.chance = random.Random(options.seed)
        run_checks.write_experiment(self.experiment, options.data, layers=2, epochs=options.epochs)
        parent = scratch / "parent"
        self.ways = {
            PLAIN: [],
            KEEPING: ["run.checkpoint_seconds=1", "run.keep_last=true", "run.save_initial=true",
                      "run.store_embeddings=true", "run.store_similarity=true"],
            FORK: [f"train.continue_from={self.run_of(parent)}", "loss.lambda_cov=0.3"],
        }
        # One that has a place in the middle of its training.
        process = self.start(parent, PLAIN, "--log-format", "json")
        wait_for_steps(process, 5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)
        if process.returncode != 130:
            sys.exit(f"the parent of the forks: exit status {process.returncode}")

    def start(self, out, way, *more, resume=True):
        settings = [word for setting in self.ways[way] for word in ("--set", setting)]
        return subprocess.Popen([self.program, "--batch", str(self.experiment), "--out", str(out), *settings,
                                 *(["--resume"] if resume else []), *more],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                env=run_checks.environment())

    def undisturbed(self, way):
        """What a run of this way ends with, and how long it takes."""
        out = self.scratch / f"undisturbed {way}"
        began = time.monotonic()
        process = self.start(out, way)
        _, errors = process.communicate(timeout=SECONDS)
        if process.returncode != 0:
            sys.exit(f"the undisturbed run ({way}) failed:\n{errors.decode(errors='replace')}")
        return run_checks.result(self.run_of(out)), time.monotonic() - began

    @staticmethod
    def run_of(out):
        return out / "small" / "single"


def check_same(expected, run, what):
    differ = run_checks.differences(expected, run_checks.result(run))
    if differ:
        sys.exit(f"{what}: these differ from an undisturbed run: {', '.join(differ)}")


def is_being_written(run, kind):
    """A temporary of a checkpoint, or of run.h5, is there at this moment."""
    folder, start = (run / "last", ".gen-") if kind == "checkpoint" else (run, ".run.h5.")
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.startswith(start) for entry in entries)
    except OSError:
        return False


def wait_for_moment(bench, process, run, kind, duration):
    """True at the moment to kill; False: the run was over before."""
    # Mostly early moments, so that several kills fall on one run and some on its start and its resume.
    end = time.monotonic() + bench.chance.random() ** 2 * duration
    while time.monotonic() < end:
        if process.poll() is not None:
            return False
        time.sleep(0.0005)
    while kind != KINDS[0] and not is_being_written(run, kind):
        if process.poll() is not None:
            return False
    return process.poll() is None


def kills(bench, wanted):
    """Kills so often, and returns what an undisturbed run of the plain way ends with."""
    began = time.monotonic()
    expected = {way: bench.undisturbed(way) for way in bench.ways}
    done = collections.Counter()
    ways = collections.Counter()
    runs = most = looked = 0
    while sum(done.values()) < wanted:
        way = list(bench.ways)[runs % len(bench.ways)]
        result, duration = expected[way]
        out = bench.scratch / f"killed{runs}"
        run = bench.run_of(out)
        here = 0
        while True:
            process = bench.start(out, way)
            kind = bench.chance.choice(KINDS)
            if sum(done.values()) < wanted and wait_for_moment(bench, process, run, kind, duration):
                process.send_signal(signal.SIGKILL)
                _, errors = process.communicate()
                if process.returncode == -signal.SIGKILL:
                    done[kind] += 1
                    ways[way] += 1
                    here += 1
                    looked += bool(run_checks.check_intact(run))
                    continue
            else:
                _, errors = process.communicate(timeout=SECONDS)
            if process.returncode != 0:
                sys.exit(f"exit status {process.returncode} after {here} kills of run {runs} ({way}):\n"
                         f"{errors.decode(errors='replace')}")
            break
        check_same(result, run, f"run {runs} ({way}) after {here} kills")
        left = [path.name for path in run.rglob("*.tmp")]
        if left:
            sys.exit(f"run {runs} left behind: {left}")
        runs += 1
        most = max(most, here)

    def counts(counter):
        return ", ".join(f"{name}: {count}" for name, count in counter.items())
    print(f"{sum(done.values())} kills ({counts(done)}; {counts(ways)}) over {runs} runs, up to {most} of one run: all "
          f"ended with the same bits; h5py opened the files after {looked} of them (an undisturbed run takes "
          f"{expected[PLAIN][1]:.1f} s, the whole {time.monotonic() - began:.0f} s)")
    return expected[PLAIN][0]


def wait_for_steps(process, count):
    for line in process.stderr:
        if b'"event":"step"' in line:
            count -= 1
            if count == 0:
                return
    sys.exit("the run was over before it could be interrupted")


def signals(bench, expected):
    for name, sent in (("Ctrl+C", [signal.SIGINT]), ("Ctrl+C twice", [signal.SIGINT, signal.SIGINT]),
                       ("SIGTERM", [signal.SIGTERM])):
        out = bench.scratch / name.replace(" ", "-")
        process = bench.start(out, PLAIN, "--log-format", "json")
        wait_for_steps(process, 5)
        began = time.monotonic()
        for number in sent:
            process.send_signal(number)
        process.communicate(timeout=SECONDS)
        seconds = time.monotonic() - began
        if process.returncode != 130:
            sys.exit(f"{name}: exit status {process.returncode}")
        run = bench.run_of(out)
        run_checks.check_intact(run)
        state = json.loads((run / "run.json").read_text())["state"]
        if len(sent) == 1 and state != "interrupted":
            sys.exit(f"{name}: the run is {state}")
        process = bench.start(out, PLAIN)
        process.communicate(timeout=SECONDS)
        if process.returncode != 0:
            sys.exit(f"{name}: the run cannot be continued: exit status {process.returncode}")
        check_same(expected, run, f"{name}, continued")
        print(f"{name}: exit 130 after {seconds:.2f} s, continued to the same bits")


def two_processes(bench, expected):
    out = bench.scratch / "two"
    first = bench.start(out, PLAIN, "--log-format", "json")
    wait_for_steps(first, 3)
    first.send_signal(signal.SIGSTOP)  # it holds the folder for as long as this takes
    answers = []
    for resume in (True, False):  # with --resume, and simply the same command again
        second = bench.start(out, PLAIN, resume=resume)
        _, errors = second.communicate(timeout=SECONDS)
        answers.append((second.returncode, errors.decode(errors="replace")))
    first.send_signal(signal.SIGCONT)
    first.communicate(timeout=SECONDS)
    for status, said in answers:
        if status != 2 or f"being written by process {first.pid}" not in said:
            sys.exit(f"a second process on the folder: exit status {status}\n{said}")
    if first.returncode != 0:
        sys.exit(f"the first process was disturbed by the second: exit status {first.returncode}")
    check_same(expected, bench.run_of(out), "the first of two processes")
    print("a second process on the same folder: refused, it names the first; the first is undisturbed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--require-h5py", action="store_true", help="fail where h5py cannot open the files")
    options = parser.parse_args()
    if options.require_h5py:
        import h5py  # noqa: F401  run_checks goes without it where it is missing
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options, pathlib.Path(scratch))
        expected = kills(bench, options.kills)
        signals(bench, expected)
        two_processes(bench, expected)


if __name__ == "__main__":
    main()
