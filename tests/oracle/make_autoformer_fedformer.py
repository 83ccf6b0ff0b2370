# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/{autoformer,fedformer}: small models with forecasts, gradients and one AdamW step.

    python make_autoformer_fedformer.py [--out DIR]

Independent of the program: full FFTs, rolled copies and loops over lags and frequencies, nn.Conv1d and
nn.Linear. Written from the models' descriptions; module names are those of the public state_dict.

CASE.safetensors, metadata entry `config` (JSON, names of Shape), dropout 0:
  param.NAME              every tensor of the state_dict, and the frequencies (int64)
  lookback, target, time  [B, L, M], [B, H, M], [B, L + H, 4] (not in every case)
  prediction, loss        of a training step: MSE
  grad.NAME               of the loss; parameters that nothing reads have none
  after.NAME              parameters after one step of AdamW
  evaluation              [B, H, M]: forecast in evaluation mode
state_dict.json: names and shapes at ETTh1-96 (look-back 512), and the number of parameters.

A seed is taken only if float64 gives the same values within a third of the tests' bounds: then no choice of lags
depends on rounding. Dropout is 0 here; the benchmarks set it.
"""

import argparse
import dataclasses
import functools
import json
import math
import pathlib

import torch
from safetensors.torch import save_file
from torch import nn

from write_json import write_json

LEARNING_RATE = 1e-3
WEIGHT_DECAY = 1e-2


@dataclasses.dataclass
class Shape:
    model: str = "autoformer"
    lookback: int = 512
    horizon: int = 96
    channels: int = 7
    batch: int = 3
    time: bool = True
    d_model: int = 512
    n_heads: int = 8
    e_layers: int = 2
    d_layers: int = 1
    d_ff: int = 2048
    moving_avg: int = 25
    label_len: int = 48
    factor: int = 3
    modes: int = 32
    mode_select: str = "random"


def decompose(x, length):
    """x [B, T, D]: moving average with repeated ends, by a cumulative sum of slices; and the rest."""
    side = (length - 1) // 2
    padded = torch.cat([x[:, :1].repeat(1, side, 1), x, x[:, -1:].repeat(1, side, 1)], 1)
    trend = torch.stack([padded[:, t:t + length].mean(1) for t in range(x.shape[1])], 1)
    return x - trend, trend


def ring(channels_in, channels_out):
    return nn.Conv1d(channels_in, channels_out, 3, padding=1, padding_mode="circular", bias=False)


@functools.cache
def sines(steps, width):
    """Positions [T, D] in float64."""
    return torch.tensor([[math.cos(t / 10000 ** ((i - 1) / width)) if i % 2 else math.sin(t / 10000 ** (i / width))
                          for i in range(width)] for t in range(steps)], dtype=torch.float64)


class Embedding(nn.Module):
    def __init__(self, shape, positions, dropout):
        super().__init__()
        self.value_embedding = nn.Module()
        self.value_embedding.tokenConv = ring(shape.channels, shape.d_model)
        self.temporal_embedding = nn.Module()
        self.temporal_embedding.embed = nn.Linear(4, shape.d_model, bias=False)
        self.positions = positions
        self.drop = nn.Dropout(dropout)

    def forward(self, x, time):
        y = self.value_embedding.tokenConv(x.mT).mT
        if time is not None:
            y = y + self.temporal_embedding.embed(time)
        if self.positions:
            y = y + sines(y.shape[1], y.shape[2]).to(y.dtype)
        return self.drop(y)


class LagMixing(nn.Module):
    """Auto-correlation; q, k, v [B, T, heads, E]."""

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, q, k, v):
        steps = q.shape[1]

        def fit(z):
            missing = steps - z.shape[1]
            return torch.cat([z, z.new_zeros(z.shape[0], missing, *z.shape[2:])], 1) if missing > 0 else z[:, :steps]

        k, v = fit(k), fit(v)
        correlation = torch.fft.irfft(torch.fft.rfft(q, dim=1) * torch.fft.rfft(k, dim=1).conj(), dim=1)
        score = correlation.mean((2, 3))  # [B, lags]
        kept = int(self.factor * math.log(steps))
        common = score.mean(0).topk(kept).indices
        rows = []
        for b in range(q.shape[0]):
            lags = common if self.training else score[b].topk(kept).indices
            weights = torch.softmax(score[b][lags], 0)
            rows.append(sum(w * torch.roll(v[b], -int(lag), 0) for w, lag in zip(weights, lags)))
        return torch.stack(rows)


class FourierWeights(nn.Module):
    def __init__(self, shape, modes):
        super().__init__()
        width = shape.d_model // shape.n_heads
        for name in ("weights1", "weights2"):
            setattr(self, name, nn.Parameter(torch.rand(shape.n_heads, width, width, modes) / shape.d_model ** 2))

    def weights(self):
        return torch.complex(self.weights1, self.weights2)


def frequencies(length, shape, generator):
    kept = min(shape.modes, length // 2)
    if shape.mode_select == "low":
        return torch.arange(kept)
    return torch.randperm(length // 2, generator=generator)[:kept].sort().values


class FourierMixing(FourierWeights):
    def __init__(self, shape, length, generator):
        index = frequencies(length, shape, generator)
        super().__init__(shape, len(index))
        self.register_buffer("index", index)

    def forward(self, q, _k, _v):
        batch, steps, heads, width = q.shape
        spectrum = torch.fft.rfft(q, dim=1)  # [B, F, heads, E]
        found = [torch.zeros_like(spectrum[:, 0]) for _ in range(spectrum.shape[1])]
        for place, frequency in enumerate(self.index.tolist()):
            if frequency < spectrum.shape[1] and place < spectrum.shape[1]:
                found[place] = torch.einsum("bhi,hio->bho", spectrum[:, frequency], self.weights()[..., place])
        series = torch.fft.irfft(torch.stack(found, -1), n=steps)  # [B, heads, E, T]
        return series.reshape(batch, steps, heads, width)


class FourierCrossMixing(FourierWeights):
    def __init__(self, shape, length_q, length_k, generator):
        index_q = frequencies(length_q, shape, generator)
        super().__init__(shape, len(index_q))
        self.register_buffer("index_q", index_q)
        self.register_buffer("index_kv", frequencies(length_k, shape, generator))
        self.scale = shape.d_model ** 2

    @staticmethod
    def chosen(x, index):
        spectrum = torch.fft.rfft(x, dim=1)
        nothing = torch.zeros_like(spectrum[:, 0])
        return torch.stack([spectrum[:, i] if i < spectrum.shape[1] else nothing for i in index.tolist()], -1)

    def forward(self, q, k, _v):
        batch, steps, heads, width = q.shape
        query, key = self.chosen(q, self.index_q), self.chosen(k, self.index_kv)  # [B, heads, E, modes]
        map_ = torch.einsum("bhex,bhey->bhxy", query, key)
        map_ = torch.complex(map_.real.tanh(), map_.imag.tanh())
        values = torch.einsum("bhxy,bhey->bhex", map_, key)  # keys as values
        weighted = torch.einsum("bhex,heox->bhox", values, self.weights())
        found = [torch.zeros_like(weighted[..., 0]) for _ in range(steps // 2 + 1)]
        for place, frequency in enumerate(self.index_q.tolist()):
            if frequency < len(found):
                found[frequency] = weighted[..., place] / self.scale
        return torch.fft.irfft(torch.stack(found, -1), n=steps).reshape(batch, steps, heads, width)


class Attention(nn.Module):
    def __init__(self, shape, mixing):
        super().__init__()
        for part in ("query", "key", "value", "out"):
            setattr(self, part + "_projection", nn.Linear(shape.d_model, shape.d_model))
        self.inner_correlation = mixing
        self.heads = shape.n_heads

    def forward(self, x, memory):
        def split(z):
            return z.unflatten(2, (self.heads, -1))

        mixed = self.inner_correlation(split(self.query_projection(x)), split(self.key_projection(memory)),
                                       split(self.value_projection(memory)))
        return self.out_projection(mixed.flatten(2))


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layernorm = nn.LayerNorm(width)

    def forward(self, x):
        y = self.layernorm(x)
        return y - y.mean(1, keepdim=True)


class Layer(nn.Module):
    """A layer of the encoder (attention) or the decoder (self_attention, cross_attention, projection)."""

    decompose = staticmethod(decompose)

    def __init__(self, shape, mixings, dropout):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.mixes = list(mixings)
        for name, mixing in mixings.items():
            setattr(self, name, Attention(shape, mixing))
        self.conv1 = nn.Conv1d(shape.d_model, shape.d_ff, 1, bias=False)
        self.conv2 = nn.Conv1d(shape.d_ff, shape.d_model, 1, bias=False)
        if len(mixings) > 1:
            self.projection = ring(shape.d_model, shape.channels)
        self.length = shape.moving_avg

    def forward(self, x, memory=None):
        trends = 0
        for name in self.mixes:
            x = x + self.drop(getattr(self, name)(x, memory if name == "cross_attention" else x))
            x, trend = self.decompose(x, self.length)
            trends = trends + trend
        x = x + self.drop(self.conv2(self.drop(nn.functional.gelu(self.conv1(x.mT)))).mT)
        x, trend = self.decompose(x, self.length)
        return x, self.projection((trends + trend).mT).mT if memory is not None else None


class Model(nn.Module):
    decompose = staticmethod(decompose)

    def __init__(self, shape, seed, dropout=0.0):
        super().__init__()
        self.shape = shape
        generator = torch.Generator().manual_seed(seed)
        if shape.model == "autoformer":
            own = decoder = cross = LagMixing(shape.factor)
        else:
            length = shape.lookback // 2 + shape.horizon
            own = FourierMixing(shape, shape.lookback, generator)
            decoder = FourierMixing(shape, length, generator)
            cross = FourierCrossMixing(shape, length, shape.lookback, generator)
        positions = shape.model == "fedformer"
        self.enc_embedding = Embedding(shape, positions, dropout)
        self.dec_embedding = Embedding(shape, positions, dropout)
        self.encoder = nn.Module()
        self.encoder.attn_layers = nn.ModuleList(
            Layer(shape, {"attention": own}, dropout) for _ in range(shape.e_layers))
        self.encoder.norm = Norm(shape.d_model)
        self.decoder = nn.Module()
        self.decoder.layers = nn.ModuleList(
            Layer(shape, {"self_attention": decoder, "cross_attention": cross}, dropout) for _ in range(shape.d_layers))
        self.decoder.norm = Norm(shape.d_model)
        self.decoder.projection = nn.Linear(shape.d_model, shape.channels)

    def forward(self, x, time):
        s = self.shape
        season, trend = self.decompose(x, s.moving_avg)
        mean = x.mean(1, keepdim=True).repeat(1, s.horizon, 1)
        trend = torch.cat([trend[:, -s.label_len:], mean], 1)
        season = torch.cat([season[:, -s.label_len:], torch.zeros_like(mean)], 1)
        memory = self.enc_embedding(x, None if time is None else time[:, :s.lookback])
        for layer in self.encoder.attn_layers:
            memory, _ = layer(memory)
        memory = self.encoder.norm(memory)
        y = self.dec_embedding(season, None if time is None else time[:, s.lookback - s.label_len:])
        for layer in self.decoder.layers:
            y, more = layer(y, memory)
            trend = trend + more
        return (trend + self.decoder.projection(self.decoder.norm(y)))[:, -s.horizon:]


SMALL = {"d_model": 16, "n_heads": 4, "d_ff": 20, "moving_avg": 5}
CASES = {
    "autoformer": {
        "base": Shape(lookback=24, horizon=8, channels=3, label_len=10, **SMALL),
        # Odd numbers of steps, one channel, no dates, a moving average longer than the look-back.
        "odd": Shape(lookback=19, horizon=6, channels=1, time=False, label_len=9, factor=1, e_layers=1, d_layers=2,
                     **SMALL | {"moving_avg": 25, "n_heads": 1}),
        # The decoder has more steps than the encoder.
        "long_horizon": Shape(lookback=16, horizon=21, channels=2, label_len=16, factor=2, **SMALL),
    },
    "fedformer": {
        # Frequencies 10 and 11 of the decoder's blocks are above the spectrum of 18 steps.
        "base": Shape(lookback=32, horizon=8, channels=3, label_len=10, modes=7, **SMALL),
        # More modes than frequencies, the lowest ones; odd numbers of steps; shared blocks in the decoder.
        "odd": Shape(lookback=25, horizon=6, channels=1, time=False, label_len=9, e_layers=1, d_layers=2,
                     mode_select="low", **SMALL | {"moving_avg": 25, "n_heads": 1}),
        "long_horizon": Shape(lookback=16, horizon=21, channels=2, label_len=16, modes=5, **SMALL),
    },
}


class Fragile(Exception):
    pass


def run(model, lookback, target, time):
    """Everything of one training step and an evaluation."""
    model.train()
    prediction = model(lookback, time)
    loss = ((prediction - target) ** 2).mean()
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    loss.backward()
    found = {"prediction": prediction.detach(), "loss": loss.detach()}
    with torch.no_grad():
        found["evaluation"] = model.eval()(lookback, time)
    for name, p in model.named_parameters():
        if p.grad is not None:
            found["grad." + name] = p.grad.clone()
    optimizer.step()
    for name, p in model.named_parameters():
        found["after." + name] = p.detach().clone()
    return found


def make_case(shape, seed):
    torch.manual_seed(seed)
    model = Model(shape, seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if "weights" in name:
                p.copy_(torch.randn(p.shape) / math.sqrt(p.shape[1]) * (40 if "cross" in name else 1))
            elif p.dim() == 1:
                p.add_(0.3 * torch.randn(p.shape))
    rows = torch.arange(shape.lookback + shape.horizon)
    wave = torch.stack([torch.sin(2 * math.pi * rows / (5 + c)) + 0.03 * rows for c in range(shape.channels)], 1)
    data = wave + 0.5 * torch.randn(shape.batch, len(rows), shape.channels)
    lookback, target = data[:, :shape.lookback].contiguous(), data[:, shape.lookback:].contiguous()
    time = torch.rand(shape.batch, len(rows), 4) - 0.5 if shape.time else None
    # state_dict() lists shared blocks under every layer's name.
    tensors = {"param." + k: v.clone() for k, v in model.state_dict().items()}
    tensors |= {"lookback": lookback, "target": target}
    if shape.time:
        tensors["time"] = time

    exact = Model(shape, seed).double()
    exact.load_state_dict(model.state_dict())
    expected = run(exact, lookback.double(), target.double(), None if time is None else time.double())
    found = run(model, lookback, target, time)
    largest = max(v.abs().max().item() for k, v in expected.items() if k.startswith("grad."))
    for name, value in found.items():
        if name.startswith("after."):
            continue  # where a gradient is rounding only, AdamW's first step is its sign: see the C++ test
        gradient = name.startswith("grad.")
        scale = max(expected[name].abs().max().item(), 0.01 * largest if gradient else 0)
        error = (value - expected[name]).abs().max().item() / scale
        if error > (2e-5 if gradient else 3e-6):
            raise Fragile(f"{name}: {error:.1e}")
    if shape.model == "autoformer" and shape.batch > 1 and torch.equal(found["prediction"], found["evaluation"]):
        raise Fragile("training and evaluation choose the same lags")
    return tensors | found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "golden")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for name, cases in CASES.items():
        folder = arguments.out / name
        folder.mkdir(parents=True, exist_ok=True)
        for case, shape in cases.items():
            shape.model = name
            for seed in range(200):
                try:
                    tensors = make_case(shape, seed)
                    break
                except Fragile as reason:
                    print(f"    {name}/{case}: seed {seed}: {reason}")
            else:
                raise SystemExit(f"{name}/{case}: no robust seed")
            config = dataclasses.asdict(shape) | {"learning_rate": LEARNING_RATE, "weight_decay": WEIGHT_DECAY}
            path = folder / f"{case}.safetensors"
            save_file({k: v.contiguous().clone() for k, v in sorted(tensors.items())}, str(path),
                      {"config": json.dumps(config)})
            print(f"{name}/{case}: seed {seed}, loss {tensors['loss'].item():.4f}, {path.stat().st_size / 1000:.0f} kB")
        model = Model(Shape(model=name), 0)
        text = {"parameters": sum(p.numel() for p in model.parameters()),
                "tensors": {k: list(v.shape) for k, v in sorted(model.state_dict().items())}}
        write_json(folder / "state_dict.json", text)
        print(f"{name}: {text['parameters']} parameters")


if __name__ == "__main__":
    main()
