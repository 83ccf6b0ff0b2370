# SPDX-License-Identifier: GPL-3.0-or-later
"""PatchTST and iTransformer in PyTorch, written from their descriptions, and the fixtures that both need.

Module names give the tensor names of the public code (thuml/Time-Series-Library). Everything is computed step by step
(explicit softmax, convolutions of length 1, a batch norm over features), unlike the program's fused forms. Golden files
are made without dropout (no key `dropout` in the settings); the benchmarks set it.
"""

import functools
import json
import math

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

from write_json import write_json

# Largest difference to the float64 evaluation, relative to the tensor's maximum; the C++ tests allow 1e-5 and 1e-4.
LIMIT_FORWARD = 4e-6
LIMIT_GRADIENT = 2e-5
# Tensors whose gradient is below this fraction of the largest gradient have no "after1".
SMALL = 1e-4
# Gradients are compared relative to their maximum, or to this fraction of the largest gradient if that is more.
FLOOR = 1e-2
RATE = 1e-3
DECAY = 1e-2


class Attention(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads = heads
        self.drop = nn.Dropout(dropout)
        self.query_projection = nn.Linear(width, width)
        self.key_projection = nn.Linear(width, width)
        self.value_projection = nn.Linear(width, width)
        self.out_projection = nn.Linear(width, width)

    def forward(self, x):
        rows, tokens, width = x.shape
        q, k, v = (
            layer(x).view(rows, tokens, self.heads, width // self.heads)
            for layer in (self.query_projection, self.key_projection, self.value_projection)
        )
        scores = torch.einsum("nqhe,nkhe->nhqk", q, k) / math.sqrt(width // self.heads)
        mixed = torch.einsum("nhqk,nkhe->nqhe", self.drop(torch.softmax(scores, -1)), v)
        return self.out_projection(mixed.reshape(rows, tokens, width))


class EncoderLayer(nn.Module):
    def __init__(self, width, heads, inner, dropout):
        super().__init__()
        self.attention = Attention(width, heads, dropout)
        self.conv1 = nn.Conv1d(width, inner, 1)
        self.conv2 = nn.Conv1d(inner, width, 1)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        x = self.norm1(x + self.drop(self.attention(x)))
        y = self.conv2(self.drop(nn.functional.gelu(self.conv1(x.transpose(1, 2))))).transpose(1, 2)
        return self.norm2(x + self.drop(y))


class Encoder(nn.Module):
    def __init__(self, s, norm):
        super().__init__()
        self.attn_layers = nn.ModuleList(
            EncoderLayer(s["d_model"], s["n_heads"], s["d_ff"], s.get("dropout", 0.0)) for _ in range(s["e_layers"])
        )
        self.norm = norm

    def forward(self, x):
        for layer in self.attn_layers:
            x = layer(x)
        return self.norm(x)


class Swap(nn.Module):
    def forward(self, x):
        return x.transpose(1, 2)


@functools.cache
def positions(count, width):
    """Sines and cosines [count, width] in float64."""
    table = torch.zeros(count, width, dtype=torch.float64)
    for t in range(count):
        for i in range(width):
            angle = t / 10000 ** ((i - i % 2) / width)
            table[t, i] = math.cos(angle) if i % 2 else math.sin(angle)
    return table


class PatchEmbedding(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.length, self.stride = s["patch_len"], s["stride"]
        self.value_embedding = nn.Linear(s["patch_len"], s["d_model"], bias=False)
        self.drop = nn.Dropout(s.get("dropout", 0.0))

    def forward(self, rows):
        padded = torch.cat([rows, rows[:, -1:].repeat(1, self.stride)], 1)
        starts = range(0, padded.shape[1] - self.length + 1, self.stride)
        tokens = torch.stack([self.value_embedding(padded[:, i : i + self.length]) for i in starts], 1)
        return self.drop(tokens + positions(len(starts), tokens.shape[2]).to(rows.dtype))


class Head(nn.Module):
    def __init__(self, inputs, horizon, dropout):
        super().__init__()
        self.linear = nn.Linear(inputs, horizon)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.drop(self.linear(x.transpose(1, 2).flatten(1)))


def normalise(x):
    mean = x.mean(1, keepdim=True)
    deviation = ((x - mean).square().mean(1, keepdim=True) + 1e-5).sqrt()
    return (x - mean) / deviation, mean, deviation


class PatchTst(nn.Module):
    def __init__(self, s):
        super().__init__()
        patches = (s["lookback"] - s["patch_len"] + s["stride"]) // s["stride"] + 1
        self.patch_embedding = PatchEmbedding(s)
        self.encoder = Encoder(s, nn.Sequential(Swap(), nn.BatchNorm1d(s["d_model"]), Swap()))
        self.head = Head(s["d_model"] * patches, s["horizon"], s.get("dropout", 0.0))

    def forward(self, lookback, _time=None):
        x, mean, deviation = normalise(lookback)
        batch, length, channels = x.shape
        rows = x.permute(0, 2, 1).reshape(batch * channels, length)
        forecast = self.head(self.encoder(self.patch_embedding(rows)))
        return forecast.view(batch, channels, -1).permute(0, 2, 1) * deviation + mean


class Embedding(nn.Module):
    def __init__(self, lookback, width, dropout):
        super().__init__()
        self.value_embedding = nn.Linear(lookback, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, series):
        return self.drop(self.value_embedding(series))


class ITransformer(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.enc_embedding = Embedding(s["lookback"], s["d_model"], s.get("dropout", 0.0))
        self.encoder = Encoder(s, nn.LayerNorm(s["d_model"]))
        self.projection = nn.Linear(s["d_model"], s["horizon"])

    def forward(self, lookback, time=None):
        x, mean, deviation = normalise(lookback)
        series = x.transpose(1, 2)
        if time is not None:
            series = torch.cat([series, time[:, : lookback.shape[1]].transpose(1, 2)], 1)
        tokens = self.encoder(self.enc_embedding(series))
        return self.projection(tokens).transpose(1, 2)[:, :, : lookback.shape[2]] * deviation + mean


class Fragile(Exception):
    """Rounding would show in this seed's fixture; the next seed is tried."""


def randomise(model, generator):
    """Values that let no error hide: biases away from 0, norms away from 1, attention that is not uniform."""
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if name.endswith("num_batches_tracked"):
                continue
            if "norm" in name:
                centre, scale = (0.0 if name.endswith(("bias", "mean")) else 1.0), 0.2
            else:
                fan_in = value.shape[1] if value.dim() > 1 else 25
                centre, scale = 0.0, (1.6 if "query" in name or "key" in name else 1.0) * fan_in**-0.5
            drawn = generator.normal(centre, scale, tuple(value.shape))
            value.copy_(torch.from_numpy(np.abs(drawn) if name.endswith("running_var") else drawn))


def make_inputs(s, generator):
    length = s["lookback"] + s["horizon"]
    shape = (s["batch"], 1, s["channels"])
    time = np.arange(length)[None, :, None]
    period = generator.uniform(5, 30, shape)
    x = generator.uniform(0.3, 1.5, shape) * np.sin(2 * np.pi * (time / period + generator.random(shape)))
    x = x + generator.normal(0, 1, shape) + 0.3 * generator.normal(size=(s["batch"], length, s["channels"]))
    inputs = {"lookback": x[:, : s["lookback"]], "target": x[:, s["lookback"] :]}
    if s["time"]:
        inputs["time"] = generator.uniform(-0.5, 0.5, (s["batch"], length, 4))
    return {name: torch.from_numpy(value).float() for name, value in inputs.items()}


def run(model, inputs):
    """Evaluation, then one training step, all in the model's type."""
    dtype = next(model.parameters()).dtype
    inputs = {name: value.to(dtype) for name, value in inputs.items()}
    result = {}
    model.eval()
    with torch.no_grad():
        result["eval.prediction"] = model(inputs["lookback"], inputs.get("time"))
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    prediction = model(inputs["lookback"], inputs.get("time"))
    loss = nn.functional.mse_loss(prediction, inputs["target"])
    loss.backward()
    result["prediction"], result["loss"] = prediction.detach(), loss.detach()
    for name, parameter in model.named_parameters():
        result["grad." + name] = parameter.grad.clone()
    optimizer.step()
    for name, value in model.state_dict().items():
        if not name.endswith("num_batches_tracked"):
            result["after1." + name] = value.clone()
    return result


def largest_gradient(tensors):
    return max(v.abs().max().item() for k, v in tensors.items() if k.startswith("grad."))


def drop_arbitrary_steps(exact, stored):
    """Where a gradient is almost zero (the layer after it removes what the tensor adds), Adam's step amplifies rounding."""
    largest = largest_gradient(exact)
    for name in [k for k in exact if k.startswith("grad.")]:
        if exact[name].abs().max().item() < SMALL * largest:
            for values in (exact, stored):
                del values["after1." + name[len("grad.") :]]


def make_case(kind, s, seed):
    generator = np.random.default_rng(seed)
    inputs = make_inputs(s, generator)
    model = kind(s)
    randomise(model, generator)
    initial = {k: v.clone() for k, v in model.state_dict().items()}
    stored = run(model, inputs)
    twin = kind(s).double()
    twin.load_state_dict(initial)
    exact = run(twin, inputs)
    drop_arbitrary_steps(exact, stored)
    floor = FLOOR * largest_gradient(exact)
    for name, value in exact.items():
        limit = LIMIT_GRADIENT if name.startswith(("grad.", "after1.")) else LIMIT_FORWARD
        scale = max(value.abs().max().item(), floor if name.startswith("grad.") else 1e-30)
        error = (stored[name].double() - value).abs().max().item() / scale
        if error > limit:
            raise Fragile(f"{name} differs by {error:.1e}")
    stored.update(inputs)
    stored.update({"param." + k: v for k, v in initial.items() if not k.endswith("num_batches_tracked")})
    return stored


def write_cases(kind, prefix, cases, folder):
    for name, s in cases.items():
        for seed in range(100):
            try:
                tensors = make_case(kind, s, [seed, *name.encode()])
                break
            except Fragile as reason:
                print(f"    {name}: seed {seed}: {reason}", flush=True)
        else:
            raise SystemExit(f"{name}: no robust seed")
        settings = dict(s, learning_rate=RATE, weight_decay=DECAY)
        path = folder / f"{prefix}_{name}.safetensors"
        tensors = {k: v.contiguous() for k, v in sorted(tensors.items())}
        save_file(tensors, str(path), {"settings": json.dumps(settings)})
        print(f"{path.name}: seed {seed}, {path.stat().st_size / 1000:.0f} kB", flush=True)


def write_names(kind, prefix, etth1, parameters, folder):
    """Names and shapes of the state dict at ETTh1-96, look-back 512, without constants."""
    model = kind(etth1)
    assert sum(p.numel() for p in model.parameters()) == parameters
    trainable = {name for name, _ in model.named_parameters()}
    lists = {"trainable": {}, "state": {}}
    for name, value in model.state_dict().items():
        if not name.endswith("num_batches_tracked"):
            lists["trainable" if name in trainable else "state"][name] = list(value.shape)
    write_json(folder / f"{prefix}_tensors.json", lists)
