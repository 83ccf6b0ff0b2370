# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/ofa_points: OFA's network for M4 in PyTorch and transformers (ofa.network = "points").

    python make_ofa_points.py [--out DIR]

Written from the facts about the public short-term GPT4TS: instance norm without affine, every time step embedded by a
circular convolution of length 3 plus sine and cosine of its position, a Linear along time from look-back to look-back and
horizon, zero channels up to the backbone's width, the first blocks of GPT-2 with ln_f, a Linear from the first d_ff channels
to one value, the last horizon steps, inverse of the norm. Each channel of a window is a row of its own. Parameter names are
those of the public state_dict; `backbone.*` where GPT-2 is replaced.

A file holds one batch with a mask, every parameter, the forecast, its sMAPE loss, every gradient, and the parameters after
one step of Adam. A seed is taken only if float64 gives the stored values again within a tenth of what the C++ test allows.
"""

import argparse
import copy
import json
import pathlib

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

from make_ofa import LEARNING_RATE, Ofa, difference, randomise
from write_json import write_json

SMALLEST_DIFFERENCE = 1e-3  # of forecast and target, whose sign the loss takes; relative to the target

# M4's shapes, in which look-back is twice the horizon, and others; widths below and equal to the backbone's. With the
# latter a constant on all channels is invisible behind GPT-2's norms, so that its gradient would be rounding errors.
CASES = {
    "yearly": dict(lookback=12, horizon=6, channels=1, batch=5, d_model=10, d_ff=7),
    "odd": dict(lookback=13, horizon=5, channels=3, batch=2, d_model=11, d_ff=24, layers=1, heads=3),
    "longer_horizon": dict(lookback=7, horizon=10, channels=2, batch=3, d_model=6, d_ff=1),
    "block": dict(kind="block", lookback=9, horizon=4, channels=2, batch=2, d_model=24, d_ff=13),
    "none": dict(kind="none", lookback=16, horizon=8, channels=1, batch=4, d_model=24, d_ff=16),
}
DEFAULTS = dict(kind="gpt2", layers=2, width=24, heads=2, vocabulary=31, positions=20)


def positions(length, width):
    """[length, width]: sine in even columns, cosine in odd ones."""
    table = np.zeros((length, width))
    for column in range(width):
        angle = np.arange(length) / 10000 ** ((column - column % 2) / width)
        table[:, column] = np.cos(angle) if column % 2 else np.sin(angle)
    return torch.from_numpy(table)


class Embedding(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.value_embedding = nn.Module()
        self.value_embedding.tokenConv = nn.Conv1d(1, width, 3, padding=1, padding_mode="circular", bias=False)

    def forward(self, rows):
        """rows [N, L] -> [N, L, width]"""
        values = self.value_embedding.tokenConv(rows.unsqueeze(1)).transpose(1, 2)
        return values + positions(*values.shape[1:]).to(values.dtype)


class OfaPoints(Ofa):
    """Shares the backbone with the other network, not its layers."""

    def __init__(self, lookback, horizon, d_model, d_ff, width, dropout=0.0, **backbone):
        super().__init__(lookback, horizon, 1, 1, width=width, dropout=dropout, **backbone)
        self.horizon, self.d_ff, self.width = horizon, d_ff, width
        del self.in_layer
        self.drop = nn.Dropout(dropout)
        self.enc_embedding = Embedding(d_model)
        self.predict_linear_pre = nn.Linear(lookback, lookback + horizon)
        self.out_layer = nn.Linear(d_ff, 1)

    def along_time(self, points):
        return torch.stack([self.predict_linear_pre(points[:, :, i]) for i in range(points.shape[2])], 2)

    def forward(self, x):
        batch, _, channels = x.shape
        mean = x.mean(1, keepdim=True)
        std = torch.sqrt(x.var(1, keepdim=True, unbiased=False) + 1e-5)
        rows = ((x - mean) / std).transpose(1, 2).flatten(0, 1)
        points = self.drop(self.enc_embedding(rows))
        tokens = self.along_time(points)
        tokens = torch.cat([tokens, tokens.new_zeros(*tokens.shape[:2], self.width - tokens.shape[2])], 2)
        values = self.out_layer(self.hidden(tokens)[:, :, : self.d_ff])[:, :, 0]
        out = values[:, -self.horizon :].unflatten(0, (batch, channels)).transpose(1, 2)
        return out * std + mean


def smape(prediction, target, mask):
    """Mean over all elements, masked ones included; without gradient through the denominator."""
    return 200 * ((prediction - target).abs() / (prediction.detach().abs() + target.abs()) * mask).mean()


def windows(generator, batch, length, channels):
    """In the raw units of M4: levels of some hundreds, a trend, a wave and noise."""
    time = np.arange(length)[None, :, None]
    shape = (batch, 1, channels)
    values = generator.uniform(100, 900, shape) + generator.normal(0, 4, shape) * time
    values = values + generator.uniform(10, 40, shape) * np.sin(time / generator.uniform(1, 4, shape))
    return torch.from_numpy(values + generator.normal(0, 6, (batch, length, channels))).float()


def evaluate(model, lookback, target, mask):
    dtype = model.out_layer.weight.dtype
    lookback, target, mask = (tensor.to(dtype) for tensor in (lookback, target, mask))
    trainable = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    optimizer = torch.optim.Adam([p for _, p in trainable], lr=LEARNING_RATE)
    prediction = model(lookback)
    loss = smape(prediction, target, mask)
    loss.backward()
    result = {"prediction": prediction.detach(), "loss": loss.detach()}
    result.update({"grad." + name: p.grad.clone() for name, p in trainable})
    optimizer.step()
    result.update({"after1." + name: p.detach().clone() for name, p in trainable})
    return result


def make_case(config, seed):
    generator = np.random.default_rng(seed)
    model = OfaPoints(**{key: value for key, value in config.items() if key not in ("channels", "batch")})
    randomise(model, generator)
    values = windows(generator, config["batch"], config["lookback"] + config["horizon"], config["channels"])
    lookback, target = values.split([config["lookback"], config["horizon"]], dim=1)
    lookback = lookback.clone()
    lookback[0, : config["lookback"] // 3] = 0  # as before the beginning of a series
    mask = torch.ones_like(target)
    mask[-1, -(config["horizon"] // 2) :] = 0  # after its end
    mask[0, 1, -1] = 0
    target = target * mask
    tensors = {"param." + name: p.detach().clone() for name, p in model.named_parameters()}
    exact = evaluate(copy.deepcopy(model).double(), lookback, target, mask)
    result = evaluate(model, lookback, target, mask)
    edge = ((result["prediction"] - target).abs()[mask == 1] / target[mask == 1].abs()).min().item()
    worst = max(difference(result[name], exact[name]) * (10 if name == "prediction" else 1) for name in exact)
    tensors.update(result, lookback=lookback, target=target, mask=mask)
    return tensors, worst, edge


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    golden = pathlib.Path(__file__).resolve().parent.parent / "golden" / "ofa_points"
    parser.add_argument("--out", type=pathlib.Path, default=golden)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    for name, changes in CASES.items():
        config = {**DEFAULTS, **changes}
        for seed in range(200):
            tensors, worst, edge = make_case(config, seed)
            if worst < 1e-5 and edge > SMALLEST_DIFFERENCE:
                break
        else:
            raise SystemExit(f"{name}: no robust seed")
        path = arguments.out / f"{name}.safetensors"
        metadata = {"config": json.dumps({**config, "learning_rate": LEARNING_RATE})}
        save_file({k: v.contiguous() for k, v in sorted(tensors.items())}, str(path), metadata)
        print(f"{path.name}: seed {seed}, differs from float64 by {worst:.1e}, {path.stat().st_size / 1000:.0f} kB")

    backbone = dict(kind="gpt2", layers=6, heads=12, vocabulary=50257, positions=1024)
    counts = {}
    for name, horizon, d_model, d_ff in (("yearly", 6, 768, 32), ("monthly", 18, 128, 128), ("hourly", 48, 768, 128)):
        with torch.device("meta"):
            public = OfaPoints(2 * horizon, horizon, d_model, d_ff, 768, **backbone)
        shapes = {key: list(value.shape) for key, value in public.state_dict().items()}
        counts[name] = {"trainable": sum(p.numel() for p in public.parameters() if p.requires_grad), "tensors": shapes}
        print(f"{name}: {len(shapes)} tensors, {counts[name]['trainable']:,} trainable parameters")
    write_json(arguments.out / "state_dict.json", counts)


if __name__ == "__main__":
    main()
