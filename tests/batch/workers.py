#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills workers of one batch at random moments and checks that every run is finished once, with the numbers of one process.

    workers.py --program build/release/app/caspstudio --data datasets/sample.csv [--runs 24] [--workers 4] [--kills 40]
               [--ways plain,no-flock,jumps,full-disk] [--shim FILE] [--seed 1]

Starts workers (--batch … --worker) on one folder, kills one after the other with SIGKILL and starts another in its place
until so many kills are done or nothing is left, then lets them end. Every way of it holds runs differently:

    plain       by flock
    no-flock    flock fails everywhere (worker_shim.c): leases, whose killed owners are found dead by their process ids
    jumps       no flock, every process believes to be on a machine of its own, and its clocks jump by hours: only the
                signs of life of a lease are left, which are taken over after run.lease_seconds (6 here)
    full-disk   the output folder is a disk that is full now and then

After each way: results.csv lists every run once, finished; it, and all weights and forecasts, are those of an undisturbed
batch, bit by bit but for times; with --kills 0 each run was finished by exactly one process. Python's standard library only.
Exit status 1 when anything differs.
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

WAYS = ("plain", "no-flock", "jumps", "full-disk")
TIMES = {"seconds", "peak_memory"}


class Bench:
    def __init__(self, options, scratch):
        self.program = str(pathlib.Path(options.program).resolve())
        self.options = options
        self.scratch = scratch
        self.chance = random.Random(options.seed)
        self.experiment = scratch / "small.toml"
        run_checks.write_experiment(self.experiment, options.data, max_steps=options.steps)
        with self.experiment.open("a") as file:
            seeds = ", ".join(str(seed) for seed in range(1, options.runs + 1))
            file.write(f"lease_seconds = 6\n[sweep]\n\"train.seed\" = [{seeds}]\n")
        self.shim = options.shim
        if not self.shim:
            self.shim = str(scratch / "worker_shim.so")
            source = pathlib.Path(__file__).with_name("worker_shim.c")
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, source, "-ldl"], check=True)

    def start(self, out, *more, errors=subprocess.PIPE, **environment):
        return subprocess.Popen([self.program, "--batch", str(self.experiment), "--out", str(out), *more],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                                env=run_checks.environment(**environment))

    def worker(self, out, way, number):
        more, environment = ["--worker"], {}
        if way in ("no-flock", "jumps"):
            environment = {"LD_PRELOAD": self.shim, "CASP_SHIM_NO_FLOCK": "1"}
        if way == "jumps":
            environment.update(CASP_SHIM_BOOT=f"machine-{number}", CASP_SHIM_CLOCK="1")
        return self.start(out, *more, errors=open(self.scratch / f"{way}-{number}.err", "wb"), **environment)

    def undisturbed(self):
        out = self.scratch / "undisturbed"
        process = self.start(out)
        _, errors = process.communicate(timeout=self.options.limit)
        if process.returncode != 0:
            sys.exit(f"the undisturbed batch failed:\n{errors.decode(errors='replace')}")
        return out / "small"


def table(batch):
    """results.csv without what differs between repetitions."""
    lines = [line.split(",") for line in (batch / "results.csv").read_text().splitlines()]
    kept = [i for i, name in enumerate(lines[0]) if name not in TIMES]
    return [[line[i] for i in kept] for line in lines]


def ends_in(run):
    """How often a run was evaluated to its end, by its log, which every process appends to."""
    return (run / "log.txt").read_text(errors="replace").count(": test MSE ")


def fill(folder, most):
    """Until nothing fits any more; only a disk of our own."""
    try:
        with open(folder / "ballast", "ab", buffering=0) as file:
            for _ in range(most // 65536):
                if not folder.is_mount():
                    break
                file.write(b"\0" * 65536)
    except OSError:
        pass


def check(way, expected, batch, kills):
    if table(batch) != table(expected):
        sys.exit(f"{way}: results.csv differs from that of one process:\n{(batch / 'results.csv').read_text()}")
    for run in sorted(path for path in expected.iterdir() if path.is_dir()):
        run_checks.check_intact(batch / run.name)
        differ = run_checks.differences(run_checks.result(run), run_checks.result(batch / run.name))
        if differ:
            sys.exit(f"{way}, {run.name}: these differ from one process's: {', '.join(differ)}")
        # A kill between this line and the run's state "finished" makes the next process evaluate it again.
        if kills == 0 and ends_in(batch / run.name) != 1:
            sys.exit(f"{way}, {run.name}: it was finished {ends_in(batch / run.name)} times")


def run_way(bench, way, expected):
    began = time.monotonic()
    out = bench.scratch / f"out-{way}"
    out.mkdir()
    mounted = False
    if way == "full-disk":
        size = (16 + 4 * bench.options.runs) << 20
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(out)],
                                 stderr=subprocess.DEVNULL).returncode == 0
        if not mounted:
            print(f"{way}: skipped, a disk cannot be mounted here")
            return
    try:
        count, kills, fills = 0, 0, 0
        workers = []
        ended = []
        while True:
            finished = bool(ended) and ended[-1] == 0
            while len(workers) < bench.options.workers and not finished:
                count += 1
                workers.append(bench.worker(out, way, count))
            if not workers:
                break
            time.sleep(bench.chance.random() * bench.options.pause)
            if mounted and bench.chance.random() < 0.1:
                fill(out, size)
                fills += 1
                time.sleep(bench.chance.random())
                (out / "ballast").unlink(missing_ok=True)
            for process in [p for p in workers if p.poll() is not None]:
                workers.remove(process)
                ended.append(process.returncode)
                if process.returncode not in ((0, 1) if mounted else (0,)):
                    sys.exit(f"{way}: a worker ended with {process.returncode}; its messages are in {bench.scratch}")
            if kills < bench.options.kills and workers:
                process = bench.chance.choice(workers)
                process.send_signal(signal.SIGKILL)
                process.wait()
                workers.remove(process)
                kills += process.returncode == -signal.SIGKILL
            if time.monotonic() - began > bench.options.limit:
                sys.exit(f"{way}: not finished after {bench.options.limit} s")
        # After the disk was full, or where nobody was left: the last word.
        last = bench.worker(out, way, count + 1)
        if last.wait(timeout=bench.options.limit) != 0:
            sys.exit(f"{way}: the last worker ended with {last.returncode}")
        check(way, expected, out / "small", kills)
        seconds = time.monotonic() - began
        print(f"{way}: {bench.options.runs} runs by {bench.options.workers} workers, {kills} kills"
              + (f", full {fills} times" if mounted else "")
              + f", {count} workers started; all equal to one process, {seconds:.0f} s", flush=True)
    finally:
        for process in workers:
            process.kill()
            process.wait()
        if mounted:
            subprocess.run(["umount", "-l", str(out)], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--runs", type=int, default=24)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--pause", type=float, default=1.0, help="longest time between two kills, in seconds")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each way")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--shim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder to work in, which stays")
    options = parser.parse_args()
    ways = options.ways.split(",")
    if unknown := [way for way in ways if way not in WAYS]:
        parser.error(f"no such way: {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(options.keep or folder)
        scratch.mkdir(exist_ok=True)
        bench = Bench(options, scratch)
        expected = bench.undisturbed()
        for way in ways:
            run_way(bench, way, expected)


if __name__ == "__main__":
    main()
