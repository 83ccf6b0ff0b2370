#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts every model's training step, evaluation and memory beside eager PyTorch doing the same, in one go.

    python3 tests/bench/compare_models.py --bench build/release/tests/bench/casp_bench --python oracle-venv/bin/python

Models have their default settings (ETTh1-96, look-back 512, 7 channels) and an untrained backbone; PyTorch's modules are
those of tests/oracle/public_models.py, made from the settings that casp_bench prints. In each of --rounds rounds ours and
PyTorch run in turn, each in its own process, which gives the median of at least --repeats repetitions; ratios are taken pair
by pair. Three Markdown tables on standard output: training step, evaluation (twice as many windows as a step has, in two
batches), and peak resident memory of the training step's process. Progress goes to standard error. Keep the machine quiet
meanwhile. On a GPU: tests/gpu/run.sh.

Needs the Python standard library; --python names an interpreter with the oracle's requirements (tests/oracle/README.md).
"""

import argparse
import json
import os
import statistics
import sys
import tempfile

from compare import Failed, run, shown

# Model: windows of 7 channels in a batch, so that a step takes seconds at most. tempo-pool: TEMPO with tempo.pool.
WINDOWS = {
    "casp-llm": 8, "s2ip-llm": 8, "ofa": 8, "time-llm": 1, "calf": 64, "tempo": 2, "tempo-pool": 2, "patchtst": 32,
    "itransformer": 32, "autoformer": 8, "fedformer": 8, "dlinear": 32,
}
FASTER = {"dlinear": 1.5, "patchtst": 1.5}  # goals of the training step; 1 for the others
SMALLER = 0.8


def measure(arguments, model, what, folder):
    """Results of one pair of processes: (ours, PyTorch's)."""
    bench, python, repeats = arguments.bench, arguments.python, arguments.repeats
    windows = WINDOWS[model]
    ours = json.loads(run([bench, "--model", model, what, str(windows), str(repeats)], limit=1800))
    settings = os.path.join(folder, model + ".toml")
    with open(settings, "w") as file:
        file.write(run([bench, "--settings", model]))
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle", "reference_speed.py")
    theirs = json.loads(run([python, script, "--what", "model-" + what, "--settings", settings, "--windows", str(windows),
                             "--repeats", str(repeats)], limit=1800).splitlines()[-1])
    if ours["parameters"] != theirs["parameters"] or ours["threads"] != theirs["threads"]:
        raise Failed(f"{model}: {ours['parameters']} trainable parameters and {ours['threads']} threads, in PyTorch "
                     f"{theirs['parameters']} and {theirs['threads']}")
    print(f"{model}, {what}: ours {shown(ours['seconds'], 's')}, PyTorch {shown(theirs['seconds'], 's')}",
          file=sys.stderr, flush=True)
    return ours, theirs


def spread(ratios):
    return f"**{statistics.median(ratios):.3g}** ({min(ratios):.3g}–{max(ratios):.3g})"


def middle(pairs, side, value, unit):
    return shown(statistics.median(value(pair[side]) for pair in pairs), unit)


def time_line(model, pairs, windows, goal):
    seconds = lambda result: result["seconds"]  # noqa: E731
    ratios = [theirs["seconds"] / ours["seconds"] for ours, theirs in pairs]
    return f"| {model} | {windows} | {middle(pairs, 0, seconds, 's')} | {middle(pairs, 1, seconds, 's')} | {spread(ratios)} | ≥ {goal} |"


def memory_line(model, pairs):
    def peak(result):
        return result["peak_rss_bytes"]

    def grown(result):
        return result["peak_rss_bytes"] - result["base_rss_bytes"]

    cells = []
    for value in (peak, grown):
        cells += [middle(pairs, 0, value, "B"), middle(pairs, 1, value, "B"),
                  spread([value(ours) / value(theirs) for ours, theirs in pairs])]
    return f"| {model} | " + " | ".join(cells) + f" | ≤ {SMALLER} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True, metavar="PATH", help="casp_bench")
    parser.add_argument("--python", default=sys.executable, metavar="PATH", help="Python with the oracle's requirements")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", metavar="MODELS", help="comma-separated: " + ", ".join(WINDOWS))
    arguments = parser.parse_args()
    if min(arguments.rounds, arguments.repeats) < 1:
        parser.error("--rounds and --repeats must be at least 1")
    models = arguments.only.split(",") if arguments.only else list(WINDOWS)
    if unknown := set(models) - set(WINDOWS):
        parser.error("--only: there is no " + ", ".join(sorted(unknown)))
    steps, evaluations, failed = {}, {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            try:
                found = [[measure(arguments, model, what, folder)
                          for _ in range(arguments.rounds)] for what in ("step", "evaluation")]
                steps[model], evaluations[model] = found
            except Failed as problem:
                failed += 1
                print(f"compare_models.py: {problem}", file=sys.stderr)
    models = list(steps)
    print("| training step | windows | ours | eager PyTorch | ratio: median (min–max) | goal |\n|---|---|---|---|---|---|")
    print("\n".join(time_line(m, steps[m], WINDOWS[m], FASTER.get(m, 1)) for m in models))
    print("\n| evaluation | windows | ours | eager PyTorch | ratio: median (min–max) | goal |\n|---|---|---|---|---|---|")
    print("\n".join(time_line(m, evaluations[m], 2 * WINDOWS[m], 1) for m in models))
    print("\n| memory of a step | ours | eager PyTorch | ratio | ours, without libraries | eager PyTorch | ratio | goal |\n"
          "|---|---|---|---|---|---|---|---|")
    print("\n".join(memory_line(m, steps[m]) for m in models))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
