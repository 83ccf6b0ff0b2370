#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts CASP Studio's benchmarks beside the oracle's, on one machine, in one go.

    python3 tests/bench/compare.py --bench build/release/tests/bench/casp_bench --python oracle-venv/bin/python

For each line of the table ours and the rival's program run in turn (ours, rival, ours, rival, ...), --rounds times. Each
gives its own median; the ratio is taken pair by pair. The Markdown table on standard output holds medians over the rounds,
and of the ratio also the least and the largest. Progress goes to standard error. Keep the machine quiet meanwhile.

Needs the Python standard library; --python names an interpreter with the oracle's requirements (tests/oracle/README.md).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

STEPS = 3  # steps per program and round; the median counts
SPLIT = 32  # windows of the small test split


class Failed(Exception):
    pass


def run(command, limit=600):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(command)}: more than {limit} s")
    except OSError as problem:
        raise Failed(f"{command[0]}: {problem.strerror}")
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


class Ours:
    """Times of casp_bench, in seconds."""

    def __init__(self, program, csv):
        self.program = program
        self.csv = csv
        # build/…/tests/bench/casp_bench and build/…/app/caspstudio
        self.caspstudio = os.path.join(os.path.dirname(program), "..", "..", "app", "caspstudio")

    def process(self, *arguments, repetitions=STEPS):
        """Of a whole process, with its start."""
        times = []
        for _ in range(repetitions):
            start = time.perf_counter()
            run([self.caspstudio, *arguments])
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    def time(self, name, repetitions=STEPS):
        output = json.loads(run([
            self.program, "--csv", self.csv, f"--benchmark_filter=^{name}/", "--benchmark_format=json",
            f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.2"]))
        times = []
        for entry in output["benchmarks"]:
            if entry.get("error_occurred"):
                raise Failed(f"{name}: {entry.get('error_message')}")
            if entry.get("run_type") == "iteration":
                assert entry["time_unit"] == "ms", entry
                times.append(entry["real_time"] / 1e3)
        if not times:
            raise Failed(f"casp_bench has no benchmark {name}")
        return statistics.median(times)

    def model(self, settings, what, windows):
        """Of casp_bench --model, as a dictionary."""
        return json.loads(run([self.program, "--model", settings, what, str(windows), str(STEPS)]))

    def beside_products(self, settings, what, windows):
        """Of a step or an evaluation; products() are those measured in turn with it."""
        self.floor = json.loads(run([self.program, "--floor", settings, what, str(windows), str(STEPS)]))
        return self.floor["seconds"]

    def products(self):
        return self.floor["products"]

    def peak(self):
        return json.loads(run([self.program, "--peak-memory", "step"]))["peak_rss_bytes"]


class Oracle:
    """Times of tests/oracle/reference_speed.py, in seconds."""

    def __init__(self, python, script, csv):
        self.command = [python, script]
        self.csv = csv

    def start(self):
        times = []
        for _ in range(11):
            start = time.perf_counter()
            run([self.command[0], "-c", "pass"])
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    def result(self, what, **options):
        command = self.command + ["--what", what]
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        return json.loads(run(command).splitlines()[-1])

    def time(self, what, **options):
        return self.result(what, **options)["seconds"]

    def read(self, what, threads=0):
        return self.time(what, csv=self.csv, threads=threads, repeats=STEPS)


def comparisons(ours, oracle):
    """(key, what, rival's name, ours(), rival(), unit, aim); a ratio is rival / ours, of memory ours / rival."""
    return [
        ("decomposition", "Decomposition, 448 rows of 512", "pandas, row by row",
         lambda: ours.time("decompose/rows:448"), lambda: oracle.time("decomposition", rows=448), "s", "≥ 150"),
        ("patching", "Decomposition and patching, 448 rows", "pandas, row by row, without patching",
         lambda: ours.time("decompose_and_patch/rows:448"), lambda: oracle.time("decomposition", rows=448), "s", "≥ 150"),
        ("step", "Training step, 8 windows (56 rows)", "eager fp32",
         lambda: ours.time("training_step/windows:8"), lambda: oracle.time("step", windows=8, repeats=STEPS),
         "s", "≥ 1.3"),
        ("step-bf16", "The same in bf16", "eager fp32",
         lambda: ours.model("casp-llm run.precision=bf16", "step", 8)["seconds"],
         lambda: oracle.time("step", windows=8, repeats=STEPS), "s", "≥ 3.5"),
    ] + [
        (f"products-{name}-{what}", f"{title}, {what}", "its matrix products alone",
         lambda settings=settings, what=what, windows=windows: ours.beside_products(settings, what, windows),
         lambda: ours.products(), "s", "≥ 0.9")
        for name, title, settings, sizes in [
            ("etth1", "ETTh1-96", "etth1-96", (8, 8)),
            ("weather", "Weather-96", "weather-96", (64, 24)),
            ("m4", "M4-Yearly", "m4-yearly", (32, 512)),
            ("try-it", "*Try it*", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources",
                                                "experiments", "try-it.toml"), (16, 16))]
        for what, windows in zip(("step", "evaluation"), sizes)
    ] + [
        ("split-one", f"Test split, {SPLIT} windows", "one window at a time, anchors each time",
         lambda: ours.time(f"test_split/windows:{SPLIT}/batch:{SPLIT}", 2),
         lambda: oracle.time("eval-one", windows=SPLIT, repeats=1), "s", "≥ 2"),
        ("split-equal", f"Test split, {SPLIT} windows, batches of 8", "the same batches, anchors each time",
         lambda: ours.time(f"test_split/windows:{SPLIT}/batch:8", 2),
         lambda: oracle.time("eval-equal", windows=SPLIT, batch=8, repeats=2), "s", "≥ 1.1"),
        ("memory", "Peak memory of a training step, 8 windows", "eager fp32",
         lambda: ours.peak(), lambda: oracle.result("peak-memory", windows=8)["peak_rss_bytes"], "B", "≤ 0.6"),
        ("memory-bf16", "The same in bf16", "eager fp32",
         lambda: ours.model("casp-llm run.precision=bf16", "step", 8)["peak_rss_bytes"],
         lambda: oracle.result("peak-memory", windows=8)["peak_rss_bytes"], "B", "≤ 0.3"),
        ("csv-pandas", "CSV, 67 MB, 321 columns, with SHA-256", "pandas, C engine, no digests",
         lambda: ours.time("csv_import/threads:2/digest:1"), lambda: oracle.read("csv-pandas"), "s", "–"),
        ("csv-pandas-plain", "CSV, 67 MB, 321 columns, no digests", "pandas, C engine, no digests",
         lambda: ours.time("csv_import/threads:2/digest:0"), lambda: oracle.read("csv-pandas"), "s", "≥ 1.5"),
        ("csv-pyarrow-digest", "CSV, with SHA-256", "pyarrow, all threads, no digests",
         lambda: ours.time("csv_import/threads:2/digest:1"), lambda: oracle.read("csv-pyarrow"), "s", "level"),
        ("csv-pyarrow", "CSV, 2 threads, no digests", "pyarrow, all threads, no digests",
         lambda: ours.time("csv_import/threads:2/digest:0"), lambda: oracle.read("csv-pyarrow"), "s", "level"),
        ("csv-pyarrow-1", "CSV, 1 thread, no digests", "pyarrow, 1 thread, no digests",
         lambda: ours.time("csv_import/threads:1/digest:0"), lambda: oracle.read("csv-pyarrow", 1), "s", "–"),
        ("describe-pandas", "`--describe` of this CSV, the whole process", "pandas' `read_csv`, without its start",
         lambda: ours.process("--describe", ours.csv), lambda: oracle.read("csv-pandas"), "s", "≥ 1.5"),
        ("describe-pyarrow", "`--describe` of this CSV, the whole process", "pyarrow's `read_csv`, without its start",
         lambda: ours.process("--describe", ours.csv), lambda: oracle.read("csv-pyarrow"), "s", "≥ 1"),
        ("start", "`--version`, the whole process", "`python3 -c pass`",
         lambda: ours.process("--version", repetitions=11), lambda: oracle.start(), "s", "≤ 0.15 s"),
    ]


def shown(value, unit):
    if unit == "B":
        return f"{value / 1e9:.2f} GB"
    if value < 1:
        return f"{value * 1e3:.3g} ms"
    return f"{value:.3g} s"


def measure(row, rounds):
    key, _, _, ours, rival, unit, _ = row
    pairs = []
    for number in range(rounds):
        start = time.monotonic()
        pairs.append((ours(), rival()))
        print(f"{key}, round {number + 1} of {rounds}: ours {shown(pairs[-1][0], unit)}, "
              f"rival {shown(pairs[-1][1], unit)} ({time.monotonic() - start:.0f} s)", file=sys.stderr, flush=True)
    return pairs


def table_line(row, pairs):
    _, what, rival, _, _, unit, aim = row
    ratios = [a / b if unit == "B" else b / a for a, b in pairs]
    ours = shown(statistics.median(a for a, _ in pairs), unit)
    theirs = shown(statistics.median(b for _, b in pairs), unit)
    ratio = f"**{statistics.median(ratios):.3g}** ({min(ratios):.3g}–{max(ratios):.3g})"
    return f"| {what} | {ours} | {theirs} | {rival} | {ratio} | {aim} |"


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True, metavar="PATH", help="casp_bench")
    parser.add_argument("--python", default=sys.executable, metavar="PATH", help="Python with the oracle's requirements")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", metavar="KEYS", help="comma-separated: " + ", ".join(
        row[0] for row in comparisons(None, None)))
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")

    with tempfile.TemporaryDirectory() as folder:
        csv = os.path.join(folder, "wide.csv")
        rows = comparisons(Ours(arguments.bench, csv),
                           Oracle(arguments.python, os.path.join(here, "..", "oracle", "reference_speed.py"), csv))
        if arguments.only:
            wanted = arguments.only.split(",")
            unknown = set(wanted) - {row[0] for row in rows}
            if unknown:
                parser.error("--only: there is no " + ", ".join(sorted(unknown)))
            rows = [row for row in rows if row[0] in wanted]
        try:
            run([arguments.bench, "--make-csv", csv])
            print("| what | ours | rival | rival's way | ratio: median (least–largest) | aim |")
            print("|---|---|---|---|---|---|")
            for row in rows:
                print(table_line(row, measure(row, arguments.rounds)), flush=True)
        except Failed as problem:
            sys.exit(f"compare.py: {problem}")


if __name__ == "__main__":
    main()
