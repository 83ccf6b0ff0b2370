#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Submits a small sweep to a real Slurm of one node, disturbs it, and checks that its table is that of one process.

    slurm.py --program build/release/app/caspstudio --data datasets/sample.csv

Cases: two workers; `scontrol requeue` in the middle of a run; the signal before a time limit, at which the job saves a checkpoint and
requeues itself; `scancel`, then --submit again; and what sbatch rejects. After each, results.csv and all numbers of the runs' files
must be equal, bit by bit, to those of `--batch` in one process, but for times and memory. The cluster is slurm_cluster.py's.
Python's standard library only. Exit status 1 if anything differs; 77 (skipped) where Slurm cannot run."""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import run_checks
import slurm_cluster

SECONDS = 120
SKIPPED = 77
SWEEP = """
[sweep]
"loss.lambda_cov" = [0, 0.1]
"train.seed" = [1, 2]
[scheduler]
memory = "1G"
cpus = 1
"""


class Bench:
    def __init__(self, options, scratch, environment):
        self.program = str(pathlib.Path(options.program).resolve())
        self.scratch = scratch
        self.environment = {**run_checks.environment(), "SLURM_CONF": environment["SLURM_CONF"]}
        self.experiment = scratch / "small.toml"
        run_checks.write_experiment(self.experiment, options.data, layers=1, epochs=3)
        self.experiment.write_text(self.experiment.read_text() + SWEEP)
        out = scratch / "one process"
        self.call(self.program, "--batch", self.experiment, "--out", out)
        self.expected = self.results(out)

    def call(self, *command, status=0):
        done = subprocess.run([str(word) for word in command], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=SECONDS)
        if done.returncode != status:
            sys.exit(f"{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def submit(self, out, *settings, status=0):
        """The number of the job; with another status, what was printed."""
        words = [word for setting in settings for word in ("--set", f"scheduler.{setting}")]
        text = self.call(self.program, "--submit", self.experiment, "--scheduler", "slurm", "--out", out, *words,
                         status=status)
        return re.match(r"Slurm job (\d+):", text)[1] if status == 0 else text

    def states(self, job):
        return self.call("squeue", "--noheader", "--array", "--states=all", f"--jobs={job}", "--format=%T").split()

    def wait_for(self, what, condition, seconds=SECONDS):
        end = time.monotonic() + seconds
        while not (found := condition()):
            if time.monotonic() > end:
                logs = "\n".join(log.read_text() for log in self.scratch.glob("*/small/slurm/*.out"))
                sys.exit(f"after {seconds} s: {what}\n{logs[-4000:]}")
            time.sleep(0.1)
        return found

    def wait_for_end(self, job):
        """Requeued jobs are pending for some time; their end is counted from there."""
        self.wait_for(f"job {job} has not ended",
                      lambda: set(self.states(job)).isdisjoint({"PENDING", "RUNNING", "COMPLETING", "REQUEUED"}))
        return self.states(job)

    def wait_for_checkpoint(self, out):
        return self.wait_for("no run has a checkpoint", lambda: next(out.glob("small/*/last/current"), None)).parents[1]

    @staticmethod
    def results(out):
        """Rows of results.csv without times and memory, in their order, and everything comparable of each run."""
        with (out / "small" / "results.csv").open(newline="") as file:
            rows = [{name: value for name, value in row.items() if name not in run_checks.TIMES}
                    for row in csv.DictReader(file)]
        return {"results.csv": rows} | {f"{row['run']}/{name}": value for row in rows
                                        for name, value in run_checks.result(out / "small" / row["run"]).items()}

    def check(self, case, job, out, workers):
        states = self.wait_for_end(job)
        if states != ["COMPLETED"] * workers:
            logs = "\n".join(log.read_text() for log in (out / "small" / "slurm").glob(f"{job}_*.out"))
            sys.exit(f"{case}: the tasks ended as {states}\n{logs[-4000:]}")
        differ = run_checks.differences(self.expected, self.results(out))
        if differ:
            sys.exit(f"{case}: these differ from a batch of one process: {', '.join(differ)}")
        print(f"{case}: {len(self.expected['results.csv'])} runs, equal to those of one process", flush=True)

    @staticmethod
    def log(out, job, task=1):
        return (out / "small" / "slurm" / f"{job}_{task}.out").read_text()


def two_workers(bench):
    out = bench.scratch / "a folder, 100%A"  # a space, and what sbatch takes for a pattern
    job = bench.submit(out, "workers=2")
    bench.check("two workers", job, out, workers=2)
    if "Nothing to submit" not in bench.call(bench.program, "--submit", bench.experiment, "--scheduler", "slurm", "--out", out):
        sys.exit("a finished batch was submitted again")


def requeue(bench):
    out = bench.scratch / "requeue"
    job = bench.submit(out, "workers=1")
    bench.wait_for_checkpoint(out)
    bench.call("scontrol", "requeue", f"{job}_1")
    bench.check("scontrol requeue", job, out, workers=1)
    if "continuing after step" not in bench.log(out, job):
        sys.exit(f"scontrol requeue: no run was continued\n{bench.log(out, job)}")


def time_limit(bench):
    """The signal that Slurm sends before the limit, at once: it looks at limits every 30 s only."""
    out = bench.scratch / "limit"
    job = bench.submit(out, "workers=1", "time=2", "signal_seconds=55")
    bench.wait_for_checkpoint(out)
    bench.call("scancel", "--signal=USR1", "--batch", f"{job}_1")
    bench.check("the signal before the time limit", job, out, workers=1)
    log = bench.log(out, job)
    if "Requeued at" not in log or "continuing after step" not in log:
        sys.exit(f"time limit: the job did not requeue itself and continue\n{log}")


def cancel(bench):
    out = bench.scratch / "cancel"
    job = bench.submit(out, "workers=1")
    run = bench.wait_for_checkpoint(out)
    bench.call("scancel", job)
    if bench.wait_for_end(job) != ["CANCELLED"]:
        sys.exit(f"scancel: the tasks ended as {bench.states(job)}")
    state = json.loads((run / "run.json").read_text())["state"]
    if state != "interrupted" or "Requeued" in bench.log(out, job):
        sys.exit(f"scancel: the run is {state}\n{bench.log(out, job)}")
    bench.check("scancel, submitted again", bench.submit(out, "workers=2"), out, workers=2)


def held(bench):
    """Other settings are not given to workers that wait."""
    out = bench.scratch / "held"
    job = bench.submit(out, "workers=1", 'extra=["--hold"]')
    again = [bench.program, "--submit", bench.experiment, "--scheduler", "slurm", "--out", out]
    text = bench.call(*again, "--set", "train.epochs=2", status=2)
    if "pending" not in text or f"scancel {job}" not in text:
        sys.exit(f"other settings beside a waiting job: {text}")
    bench.submit(out, "partition=nowhere", status=2)
    other = bench.submit(out, "workers=1")
    bench.call("scontrol", "release", job)
    bench.wait_for_end(other)
    bench.check("held, with other submissions meanwhile", job, out, workers=1)


def rejected(bench):
    text = bench.submit(bench.scratch / "rejected", "partition=nowhere", status=2)
    if "nvalid partition" not in text:
        sys.exit(f"an unknown partition: {text}")
    print("unknown partition: exit status 2 with sbatch's reason")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    began = time.monotonic()
    try:
        with slurm_cluster.running() as environment, tempfile.TemporaryDirectory() as scratch:
            bench = Bench(options, pathlib.Path(scratch), environment)
            for case in (rejected, two_workers, held, requeue, cancel, time_limit):
                case(bench)
    except slurm_cluster.Unavailable as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
