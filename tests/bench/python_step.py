#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step costs through the worker of models in Python, against the same loop in plain Python.

    python_step.py --program build/release/app/caspstudio --data datasets/sample.csv --python python3 [--times 5]

DLinear and a small transformer in PyTorch, batches of 64 windows (look-back 512, horizon 96): the program trains them as
model.name = "python", and a script with the same interpreter trains them on the same windows in the same order of operations
(gather, forward, MSE, backward, AdamW, loss to the host). In turn, with as many threads; medians of the medians of 100 steps, and
of the differences and ratios of the pairs. The Python that starts this needs h5py.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

import h5py

MODELS = '''
import torch
class DLinear(torch.nn.Module):
    def __init__(self, lookback, horizon):
        super().__init__()
        self.season, self.trend = torch.nn.Linear(lookback, horizon), torch.nn.Linear(lookback, horizon)
    def forward(self, x):
        rows = x.transpose(1, 2)
        trend = torch.nn.functional.avg_pool1d(torch.nn.functional.pad(rows, (12, 12), mode="replicate"), 25, 1)
        return (self.season(rows - trend) + self.trend(trend)).transpose(1, 2)
class Transformer(torch.nn.Module):
    def __init__(self, lookback, horizon):
        super().__init__()
        self.embed = torch.nn.Linear(lookback, 128)
        layer = torch.nn.TransformerEncoderLayer(128, 4, 256, 0.0, batch_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, 2)
        self.head = torch.nn.Linear(128, horizon)
    def forward(self, x):
        return self.head(self.encoder(self.embed(x.transpose(1, 2)))).transpose(1, 2)
def made(name, lookback, horizon):
    return (DLinear if name == "dlinear" else Transformer)(lookback, horizon)
'''
MODEL = "from models_of_bench import made\ndef make(task):\n    return made(task.options.model, task.lookback, task.horizon)\n"
LOOP = '''
import sys, time, statistics
import numpy, torch
from models_of_bench import made
name, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(threads)
rows = numpy.genfromtxt(path, delimiter=",", skip_header=1, usecols=range(1, 8), dtype="f4")
rows = torch.from_numpy((rows - rows.mean(0)) / rows.std(0))
model = made(name, 512, 96)
try:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
except Exception:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
windows = torch.randperm(10000)
offsets = torch.arange(608)
seconds = []
for step in range(100):
    begin = time.perf_counter()
    batch = rows[windows[64 * step:64 * step + 64, None] + offsets]
    optimizer.zero_grad(set_to_none=True)
    loss = torch.nn.functional.mse_loss(model(batch[:, :512]), batch[:, 512:])
    loss.backward()
    optimizer.step()
    loss.item()
    seconds.append(time.perf_counter() - begin)
print(statistics.median(seconds))
'''
EXPERIMENT = """
[data]
path = "{data}"
lookback = 512
horizon = 96
[model]
name = "python"
[python]
file = "model.py"
interpreter = "{python}"
[python.options]
model = "{model}"
[train]
max_steps = 100
batch_size = 64
[run]
device = "cpu"
threads = {threads}
checkpoint_seconds = 3600
store_forecasts = []
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    data = pathlib.Path(options.data).resolve()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        (scratch / "models_of_bench.py").write_text(MODELS)
        (scratch / "model.py").write_text(MODEL)
        (scratch / "loop.py").write_text(LOOP)
        for name in ("dlinear", "transformer"):
            (scratch / f"{name}.toml").write_text(EXPERIMENT.format(data=data, python=options.python, model=name, threads=options.threads))
            plain, ours = [], []
            for time in range(options.times):
                loop = subprocess.run([options.python, "loop.py", name, str(data), str(options.threads)], cwd=scratch, check=True,
                                      capture_output=True, text=True)
                plain.append(float(loop.stdout))
                subprocess.run([str(pathlib.Path(options.program).resolve()), "--batch", f"{name}.toml", "--out", str(time)], cwd=scratch, check=True,
                               capture_output=True)
                with h5py.File(scratch / str(time) / name / "single" / "run.h5") as file:
                    ours.append(statistics.median(file["history/step/seconds"][...]))
            a, b = statistics.median(plain), statistics.median(ours)
            more = statistics.median(y - x for x, y in zip(plain, ours))
            ratio = statistics.median(y / x for x, y in zip(plain, ours))
            print(f"{name}: plain Python {1e3 * a:.2f} ms, through the worker {1e3 * b:.2f} ms; of the pairs: {1e3 * more:+.2f} ms, {ratio:.3f}", flush=True)


if __name__ == "__main__":
    main()
