#!/usr/bin/env python3
"""Eight runs in one process (run.together = 8) beside the same eight one after another: wall time of the whole batch, and
peak memory beside that of eight processes.

    python3 tests/bench/together.py --program build/release/app/caspstudio [--rounds 3] [--only small|full]

full:  ETTh1-96 with the paper's model and an untrained GPT-2 of full size, 8 windows a step, three steps.
small: the quick start's model; the runs together have one thread each, as many at a time as there are processors.
Needs about 10 GB of memory and disk for "full".
"""

import argparse
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SEEDS = 8
COMMON = {"sweep.train.seed": list(range(1, SEEDS + 1))}
SHAPES = {
    "full": {"data.split": [1000, 103, 103], "data.lookback": 512, "data.horizon": 96, "train.batch_size": 8,
             "train.max_steps": 3, "train.epochs": 1, "backbone.path": '"untrained"', "run.frozen_weights": '"omit"'},
    "small": {"data.split": [2400, 480, 480], "data.lookback": 192, "data.horizon": 48, "train.batch_size": 16,
              "train.max_steps": 90, "train.epochs": 1, "train.learning_rate": 1e-3, "backbone.path": '"untrained"',
              "backbone.layers": 2, "backbone.width": 96, "backbone.heads": 6, "backbone.vocabulary": 1000,
              "backbone.positions": 128, "model.trend_length": 25, "model.seasonal_length": 24,
              "model.pool_size": 100, "model.top_k": 4},
}


def write_csv(path, rows=3400, channels=7):
    with open(path, "w") as file:
        print("date," + ",".join(f"c{c}" for c in range(channels)), file=file)
        for row in range(rows):
            values = (math.sin(row * math.tau / 24 + c) + 0.3 * math.cos(row * 1.7 * (c + 1)) for c in range(channels))
            print(1577836800 + 3600 * row, *(f"{value:.5f}" for value in values), sep=",", file=file)


def batch(program, folder, settings):
    """Seconds and peak memory in bytes of the whole batch."""
    out = folder / "out"
    command = [program, "--batch", folder / "experiment.toml", "--out", out]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit(errors)
    shutil.rmtree(out)
    return seconds, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=SHAPES)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_csv(folder / "series.csv")
        (folder / "experiment.toml").write_text('name = "bench"\n[data]\npath = "series.csv"\n')
        for shape in [arguments.only] if arguments.only else SHAPES:
            settings = COMMON | SHAPES[shape] | {"run.device": '"cpu"'}
            joined = {"run.together": SEEDS, "run.threads": 1 if shape == "small" else 0}
            rounds = [(batch(arguments.program, folder, settings), batch(arguments.program, folder, settings | joined))
                      for _ in range(arguments.rounds)]
            ratios = [alone[0] / together[0] for alone, together in rounds]
            memory = [together[1] / (SEEDS * alone[1]) for alone, together in rounds]
            median = lambda values: statistics.median(values)
            print(f"{shape}: one after another {median([a[0] for a, _ in rounds]):.1f} s, together "
                  f"{median([t[0] for _, t in rounds]):.1f} s, {median(ratios):.2f} times as fast "
                  f"({min(ratios):.2f}-{max(ratios):.2f}); memory {median([t[1] for _, t in rounds]) / 1e9:.2f} GB, of one "
                  f"process {median([a[1] for a, _ in rounds]) / 1e9:.2f} GB, {median(memory):.2f} of {SEEDS} processes",
                  flush=True)


if __name__ == "__main__":
    main()
