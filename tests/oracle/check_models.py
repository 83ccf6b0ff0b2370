# SPDX-License-Identifier: GPL-3.0-or-later
"""Exchanges checkpoints of every model between CASP Studio and PyTorch, both ways, and compares all test forecasts.

    python check_models.py build/release/app/caspstudio [--only ofa,calf] [--keep DIR]

For each case, on a generated CSV of 420 hours and three channels:
to PyTorch    the program trains a small model for two steps; its best.safetensors is loaded into the module of
              public_models.py with load_state_dict(strict=True), and the module forecasts the test windows of arrays.h5.
              "eager" is the same with the modules that the benchmarks measure.
from PyTorch  a state_dict() with random values, and with the constants and repeated tensors of the public code, is opened
              with --evaluate; its forecasts are compared with the module's. The program must not warn.

A Markdown table on standard output; largest differences, relative to the largest value. Exit 1 if a tensor is missing or
unexpected, a difference exceeds the tolerance, or the program fails or warns.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
import torch
from safetensors.torch import load_file, save_file

from check_checkpoint import of_run
from public_models import make

TOLERANCE = 1e-5
ROWS, CHANNELS = 420, 3
BACKBONE = {"path": "untrained", "layers": 2, "width": 24, "heads": 2, "vocabulary": 97, "positions": 64}
CASP = {"model": {"trend_length": 13, "seasonal_length": 12, "pool_size": 30, "top_k": 4}, "backbone": BACKBONE}
SMALL = {"d_model": 16, "n_heads": 4, "d_ff": 20, "e_layers": 2}
DECOMPOSITION = SMALL | {"d_layers": 2, "moving_avg": 7, "label_len": 24}

# Case: (model, its sections). Odd look-backs, several layers and all variants of tensors' names.
CASES = {
    "casp-llm": ("casp-llm", CASP),
    "casp-llm, free anchors": ("casp-llm", CASP | {"model": CASP["model"] | {"anchors": "free"}}),
    "s2ip-llm": ("s2ip-llm", CASP),
    "ofa": ("ofa", {"backbone": BACKBONE, "data": {"lookback": 61}}),
    "ofa, attention": ("ofa", {"backbone": BACKBONE | {"kind": "attention"}}),
    "ofa, block": ("ofa", {"backbone": BACKBONE | {"kind": "block"}}),
    "ofa, none": ("ofa", {"backbone": BACKBONE | {"kind": "none"}}),
    "ofa, points": ("ofa", {"backbone": BACKBONE, "ofa": {"network": "points", "d_model": 14, "d_ff": 9}, "data": {"lookback": 41}}),
    "time-llm": ("time-llm", {"backbone": BACKBONE | {"positions": 600}, "time-llm": {"d_model": 6, "n_heads": 2, "d_ff": 5}}),
    "calf": ("calf", {"backbone": BACKBONE}),
    "tempo": ("tempo", {"backbone": BACKBONE, "tempo": {"moving_avg": 7, "r": 3, "lora_alpha": 6.0}, "data": {"lookback": 61}}),
    "tempo, pool": ("tempo", {"backbone": BACKBONE, "tempo": {"pool": True, "pool_size": 11, "top_k": 2, "use_token": True}}),
    "tempo, no prompt": ("tempo", {"backbone": BACKBONE, "tempo": {"prompt": False}}),
    "patchtst": ("patchtst", {"patchtst": SMALL, "data": {"lookback": 61}}),
    "itransformer": ("itransformer", {"itransformer": SMALL}),
    "autoformer": ("autoformer", {"autoformer": DECOMPOSITION}),
    "fedformer": ("fedformer", {"fedformer": DECOMPOSITION | {"modes": 9}}),
    "fedformer, low": ("fedformer", {"fedformer": DECOMPOSITION | {"mode_select": "low"}}),
    "dlinear": ("dlinear", {"dlinear": {"moving_avg": 7}}),
    "dlinear, individual": ("dlinear", {"dlinear": {"individual": True}}),
    "ridge": ("ridge", {"ridge": {"alpha": 1.0}}),
}
# The same with each replacement of GPT-2.
for _name in ("calf", "time-llm", "tempo"):
    _model, _sections = CASES[_name]
    for _kind in ("attention", "block", "none"):
        CASES[f"{_name}, {_kind}"] = (_model, _sections | {"backbone": _sections["backbone"] | {"kind": _kind}})
CASES["calf, few-shot block"] = (
    "calf", {"backbone": BACKBONE | {"kind": "block"}, "calf": {"feature_w": 0.0, "output_w": 0.0}})


def write_csv(path):
    generator = np.random.default_rng(3)
    time = np.arange(ROWS)[:, None]
    values = np.sin(2 * np.pi * time / np.array([24, 12, 37])) * [1, 8, 0.3] + time * [0.01, 0, 0.002] + [3, 40, -1]
    values = values + generator.normal(0, [0.2, 1.5, 0.1], values.shape)
    table = pd.DataFrame(values.round(4), columns=["load", "temperature", "price"])
    table.insert(0, "date", pd.date_range("2024-01-25", periods=ROWS, freq="h").strftime("%Y-%m-%d %H:%M:%S"))
    table.to_csv(path, index=False)


def time_features(csv):
    """[rows, 4]: hour, weekday, day of month and day of year, each from -0.5 to 0.5."""
    date = pd.to_datetime(pd.read_csv(csv)["date"]).dt
    parts = [date.hour / 23, date.day_of_week / 6, (date.day - 1) / 30, (date.day_of_year - 1) / 365]
    return torch.from_numpy(np.stack(parts, 1) - 0.5).float()


def settings_of(model, sections, csv):
    """Tables of the experiment; the data come first."""
    base = {
        "data": {"path": str(csv), "split": "ratio", "lookback": 48, "horizon": 12},
        "model": {"name": model},
        "train": {"max_steps": 2, "epochs": 1, "batch_size": 16},
        "run": {"device": "cpu", "threads": 1},
    }
    return {name: base.get(name, {}) | sections.get(name, {}) for name in [*base, *(s for s in sections if s not in base)]}


def as_toml(tables):
    return "".join(f"[{name}]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in keys.items()) for name, keys in tables.items())


def as_sets(tables):
    """--set options of everything that shapes the model."""
    options = []
    for name, keys in tables.items():
        if name != "run":
            options += [f"--set={name}.{k}={json.dumps(v)}" for k, v in keys.items() if (name, k) != ("data", "path")]
    return options


class Failed(Exception):
    pass


def run(command):
    """Standard error of the program, which must end with 0."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise Failed(f"exit status {done.returncode}: {done.stderr.strip()[-1500:]}")
    return done.stderr


def difference(found, expected):
    return ((found - expected).abs().max() / expected.abs().max()).item()


def forecasts(rival, data, time, horizon):
    length = data["lookback"].shape[1] + horizon
    found = []
    with torch.no_grad():
        for start, lookback in zip(data["start"].split(16), data["lookback"].split(16)):
            found.append(rival.forecast(lookback, torch.stack([time[s : s + length] for s in start.tolist()])))
    return torch.cat(found)


def read_settings(folder):
    import tomllib

    return tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))


def check(program, case, folder, csv):
    """Cells of the case's line, and whether all is well."""
    tables = settings_of(*CASES[case], csv)
    experiment = folder / "case.toml"
    experiment.write_text('name = "case"\n' + as_toml(tables), encoding="utf-8")
    run([program, "--batch", experiment, "--out", folder])
    place = folder / "case" / "single"
    settings, time = read_settings(place), time_features(csv)
    horizon = settings["data"]["horizon"]

    data = of_run(place, csv)
    tensors = load_file(place / "best.safetensors")
    errors = []
    for eager in (False, True):
        rival = make(settings, CHANNELS, eager)
        rival.module.load_state_dict(tensors, strict=True)
        errors.append(difference(forecasts(rival, data, time, horizon), data["prediction"]))

    rival = make(settings, CHANNELS)
    rival.randomise(7)
    state = {name: value.clone().contiguous() for name, value in rival.module.state_dict().items()}
    state |= {name: state[of].clone() for name, of in rival.aliases.items() if of in state} | rival.constants()
    public = folder / "public.safetensors"
    save_file(state, public, {"format": "pt"})
    messages = run([program, "--evaluate", public, "--data", csv, "--out", folder / "there", *as_sets(tables)])
    (evaluation,) = (folder / "there" / "evaluations").iterdir()
    data = of_run(evaluation, csv)
    errors.append(difference(forecasts(rival, data, time, horizon), data["prediction"]))
    # A state dict has no names of channels, which the program warns of.
    messages = [line for line in messages.splitlines() if "names of the channels" not in line]
    warned = any("warning" in line.lower() for line in messages)
    if warned:
        print("\n".join(messages), file=sys.stderr)
    notes = ["ignores " + name for name in [*rival.aliases, *rival.constants()]] + (["WARNS"] if warned else [])
    good = not warned and all(error <= TOLERANCE for error in errors)  # a NaN is not good
    cells = [case, str(len(tensors)), *(f"{error:.1e}" for error in errors), "; ".join(notes)]
    return cells, good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="caspstudio")
    parser.add_argument("--only", metavar="CASES", help="comma-separated models: " + ", ".join(dict.fromkeys(m for m, _ in CASES.values())))
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep the files")
    arguments = parser.parse_args()
    wanted = arguments.only.split(",") if arguments.only else [model for model, _ in CASES.values()]
    unknown = set(wanted) - {model for model, _ in CASES.values()}
    if unknown:
        parser.error("--only: there is no " + ", ".join(sorted(unknown)))
    torch.set_num_threads(1)
    torch.manual_seed(1)
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        root = (arguments.keep or pathlib.Path(temporary)).resolve()
        root.mkdir(parents=True, exist_ok=True)
        csv = root / "series.csv"
        write_csv(csv)
        print("| model | tensors | to PyTorch | to PyTorch, eager | from PyTorch | notes |\n|---|---:|---|---|---|---|", flush=True)
        for case in (case for case, (model, _) in CASES.items() if model in wanted):
            folder = root / case.replace(", ", "-")
            folder.mkdir()
            try:
                cells, good = check(arguments.program.resolve(), case, folder, csv)
            except (Failed, RuntimeError, KeyError) as problem:  # RuntimeError: of load_state_dict
                cells, good = [case, "", "", "", "", "FAILS: " + " ".join(str(problem).split())], False
            bad += not good
            print("| " + " | ".join(cells) + " |" + ("" if good else " <- DOES NOT AGREE"), flush=True)
    print(f"{bad} of the cases do not agree" if bad else "all cases agree")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
