#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains models as the user's Python files and as the program's own, from the same weights, and compares them.

    python_parity.py --program build/release/app/caspstudio --data datasets/sample.csv [--python python3] [--models dlinear patchtst s2ip-llm]

Each model is trained by the program for 100 steps without dropout, which writes the weights before the first step; then the same
model as PyTorch has it (the oracle's, tests/oracle, and a DLinear here) starts from these as model.name = "python". The forecast
losses of all steps, the errors of every validation and those of the test must agree to a relative 1e-5. (PatchTST learns at 1e-5:
the bias before its batch norm has a gradient of 0, of which Adam takes the sign of the rounding.) The Python needs torch and
h5py; s2ip-llm also pandas and transformers, and is left out without them. Exit status 77 without torch.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import run_checks

MODEL = '''
import json, struct, sys, types
import torch
sys.path.insert(0, {oracle!r})
try:
    import safetensors
except ImportError:  # the oracle writes files with it, which is not needed here
    sys.modules["safetensors"] = sys.modules["safetensors.torch"] = types.ModuleType("safetensors")
    sys.modules["safetensors"].save_file = None

def read_safetensors(path):
    data = open(path, "rb").read()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    return {name: torch.frombuffer(bytearray(data[8 + size:][slice(*entry["data_offsets"])]), dtype=torch.float32).reshape(entry["shape"])
            for name, entry in header.items()}

class DLinear(torch.nn.Module):
    def __init__(self, lookback, horizon, width):
        super().__init__()
        self.side = (width - 1) // 2
        self.Linear_Seasonal, self.Linear_Trend = torch.nn.Linear(lookback, horizon), torch.nn.Linear(lookback, horizon)
    def forward(self, x):
        rows = x.transpose(1, 2)
        padded = torch.nn.functional.pad(rows, (self.side, self.side), mode="replicate")
        trend = padded.unfold(2, 2 * self.side + 1, 1).mean(3)
        return (self.Linear_Seasonal(rows - trend) + self.Linear_Trend(trend)).transpose(1, 2)

class S2ip(torch.nn.Module):
    """With the similarity loss, which it returns beside the forecast."""
    def __init__(self, model):
        super().__init__()
        self.model = model
    def forward(self, x):
        prediction = self.model(x)
        return prediction, self.model.config.lambda_sim * self.model.trace["loss.similarity"]

def made(task):
    o = task.options
    if o.model == "dlinear":
        return DLinear(task.lookback, task.horizon, 25)
    if o.model == "patchtst":
        from encoder_models import PatchTst
        return PatchTst(dict(lookback=task.lookback, horizon=task.horizon, patch_len=16, stride=8, d_model=o.d_model,
                             n_heads=o.n_heads, e_layers=o.e_layers, d_ff=o.d_ff, dropout=0.0))
    from casp_oracle import CaspOracle, Config
    return S2ip(CaspOracle(Config(lookback=task.lookback, horizon=task.horizon, channels=task.channels, trend_length=25,
                                  seasonal_length=24, pool_size=40, top_k=4, width=48, heads=4, layers=2, vocabulary=200,
                                  positions=64, coverage_enabled=False, lambda_cov=0.0)))

def make(task):
    model = made(task)
    given = read_safetensors(task.options.initial)
    inner = model.model if task.options.model == "s2ip-llm" else model
    lacking = inner.load_state_dict(given, strict=False).missing_keys
    lacking = [name for name in lacking if not name.endswith(("num_batches_tracked", "coverage_statistic"))]
    assert not lacking, lacking
    return model
'''
TASK = """
[data]
path = "{data}"
split = [700, 200, 200]
lookback = 96
horizon = 24
[train]
epochs = 4
max_steps = 100
batch_size = 16
learning_rate = {rate}
[run]
device = "cpu"
save_initial = true
"""
NATIVE = {
    "dlinear": '[model]\nname = "dlinear"\n',
    "patchtst": '[model]\nname = "patchtst"\n[patchtst]\nd_model = 32\nn_heads = 4\ne_layers = 2\nd_ff = 64\ndropout = 0.0\n',
    "s2ip-llm": '[model]\nname = "s2ip-llm"\ntrend_length = 25\nseasonal_length = 24\npool_size = 40\ntop_k = 4\n'
                '[backbone]\npath = "untrained"\nlayers = 2\nwidth = 48\nheads = 4\nvocabulary = 200\npositions = 64\ndropout = 0.0\n',
}
TOLERANCE = 1e-5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--models", nargs="+", choices=sorted(NATIVE), default=list(NATIVE))
    options = parser.parse_args()

    def has(*modules):
        return subprocess.run([options.python, "-c", "import " + ", ".join(modules)], capture_output=True).returncode == 0

    if not has("torch"):
        print("skipped: this Python has no torch (python3-torch)")
        return 77
    try:
        import h5py
    except ImportError:
        print("skipped: this Python has no h5py (python3-h5py)")
        return 77
    if not has("pandas", "transformers"):
        options.models = [name for name in options.models if name != "s2ip-llm"]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        oracle = pathlib.Path(__file__).resolve().parent.parent / "oracle"
        (scratch / "model.py").write_text(MODEL.replace("{oracle!r}", repr(str(oracle))))
        for name in options.models:
            task = TASK.format(data=pathlib.Path(options.data).resolve(), rate="1e-5" if name == "patchtst" else "1e-3")
            (scratch / "native.toml").write_text(task + NATIVE[name])
            own = f'[model]\nname = "python"\n[python]\nfile = "model.py"\ninterpreter = "{options.python}"\n[python.options]\n' \
                  f'model = "{name}"\ninitial = "{scratch}/{name}/native/single/initial.safetensors"\n' \
                  'd_model = 32\nn_heads = 4\ne_layers = 2\nd_ff = 64\n'
            (scratch / "python.toml").write_text(task + own)
            values = {}
            for kind in ("native", "python"):
                run = subprocess.run([options.program, "--batch", str(scratch / f"{kind}.toml"), "--out", str(scratch / name)],
                                     capture_output=True, text=True,
                                     env=run_checks.environment(XDG_CACHE_HOME=str(scratch / "cache")))
                if run.returncode != 0:
                    sys.exit(f"{name}, {kind}: exit status {run.returncode}\n{run.stderr[-3000:]}")
                with h5py.File(scratch / name / kind / "single" / "run.h5") as file:
                    values[kind] = {"losses": file["history/step/forecast"][...], "validation": file["history/epoch/val_mse"][...],
                                    "test": file["metrics/test/mse"][...].reshape(1)}
            for what, native in values["native"].items():
                found = values["python"][what]
                worst = abs(found / native - 1).max() if found.shape == native.shape else float("inf")
                print(f"{name}: {len(native)} {what}, relative difference at most {worst:.1e}")
                bad += not worst <= TOLERANCE
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
