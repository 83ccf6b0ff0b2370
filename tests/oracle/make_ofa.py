# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/ofa: OFA in PyTorch and transformers, with each backbone.kind.

    python make_ofa.py [--out DIR]

Written from the facts about the public long-term GPT4TS: instance norm without affine, the right end padded by one
stride with its last value, patches, Linear, the first blocks of GPT-2 with ln_f, one Linear over all hidden states,
inverse of the norm. The replacements of GPT-2 are those of docs/decisions/0015: PyTorch's own MultiheadAttention and
TransformerEncoderLayer. Parameter names are those of the public state_dict; `backbone.*` where GPT-2 is replaced.

A file holds one batch, every parameter, the forecast, its MSE, every gradient, and the parameters after one step of
Adam. A seed is taken only if float64 gives the stored values again within a tenth of what the C++ test allows.
"""

import argparse
import copy
import json
import pathlib

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from transformers import GPT2Config, GPT2Model

from write_json import write_json

LEARNING_RATE = 1e-3

# One channel, even and odd look-backs, strides that do and do not divide the look-back, patches side by side.
CASES = {
    "gpt2": dict(lookback=61, horizon=7, channels=3, batch=2, patch_size=16, stride=8),
    "one_channel": dict(lookback=48, horizon=5, channels=1, batch=3, patch_size=7, stride=5, layers=1, heads=3),
    "side_by_side": dict(lookback=64, horizon=12, channels=2, batch=2, patch_size=16, stride=16),
    "attention": dict(kind="attention", lookback=45, horizon=6, channels=2, batch=2, patch_size=12, stride=8),
    "block": dict(kind="block", lookback=50, horizon=9, channels=2, batch=2, patch_size=8, stride=6, heads=3),
    "none": dict(kind="none", lookback=41, horizon=4, channels=2, batch=3, patch_size=10, stride=9),
}
DEFAULTS = dict(kind="gpt2", layers=2, width=24, heads=2, vocabulary=31, positions=16)


class Attention(nn.Module):
    """Self-attention, its residual and norm; also the first half of TransformerEncoderLayer. `padding`: tokens [N, T]
    that nobody attends to."""

    def __init__(self, width, heads):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(width, heads, bias=False, batch_first=True)
        self.norm1 = nn.LayerNorm(width)

    def forward(self, x, padding=None):
        return self.norm1(x + self.self_attn(x, x, x, need_weights=False, key_padding_mask=padding)[0])


class Block(nn.Module):
    """PyTorch's encoder layer, with bias-free attention."""

    def __init__(self, width, heads):
        super().__init__()
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=0.0, batch_first=True)
        self.self_attn = nn.MultiheadAttention(width, heads, bias=False, batch_first=True)
        for name in ("norm1", "norm2", "linear1", "linear2"):
            self.add_module(name, getattr(layer, name))

    def forward(self, x, padding=None):
        y = self.norm1(x + self.self_attn(x, x, x, need_weights=False, key_padding_mask=padding)[0])
        return self.norm2(y + self.linear2(torch.relu(self.linear1(y))))


def replacement(kind, width, heads):
    """What takes GPT-2's place; None: nothing."""
    return {"attention": Attention, "block": Block, "none": lambda *_: None}[kind](width, heads)


class Ofa(nn.Module):
    def __init__(self, lookback, horizon, patch_size, stride, kind, layers, width, heads, vocabulary, positions, dropout=0.0,
                 **_):
        super().__init__()
        self.patch_size, self.stride = patch_size, stride
        patches = (lookback - patch_size) // stride + 2
        if kind == "gpt2":
            settings = GPT2Config(
                vocab_size=vocabulary, n_positions=positions, n_embd=width, n_layer=layers, n_head=heads,
                resid_pdrop=dropout, embd_pdrop=dropout, attn_pdrop=dropout, attn_implementation="eager",
            )
            self.gpt2 = GPT2Model(settings)
            for name, parameter in self.gpt2.named_parameters():
                parameter.requires_grad_("ln" in name or "wpe" in name)
        elif kind != "none":
            self.backbone = replacement(kind, width, heads)
        self.in_layer = nn.Linear(patch_size, width)
        self.out_layer = nn.Linear(width * patches, horizon)

    def hidden(self, tokens):
        if hasattr(self, "gpt2"):
            return self.gpt2(inputs_embeds=tokens, use_cache=False).last_hidden_state
        return self.backbone(tokens) if hasattr(self, "backbone") else tokens

    def forward(self, x):
        batch, _, channels = x.shape
        mean = x.mean(1, keepdim=True)
        std = torch.sqrt(x.var(1, keepdim=True, unbiased=False) + 1e-5)
        series = ((x - mean) / std).transpose(1, 2)
        series = nn.functional.pad(series, (0, self.stride), mode="replicate")
        patches = series.unfold(2, self.patch_size, self.stride).flatten(0, 1)
        hidden = self.hidden(self.in_layer(patches))
        out = self.out_layer(hidden.flatten(1)).reshape(batch, channels, -1).transpose(1, 2)
        return out * std + mean


def randomise(model, generator):
    """Values that hide no error: biases away from 0, norms away from 1, attention that is not uniform."""
    for name, parameter in model.named_parameters():
        scale, centre = 0.15, 0.0
        if "ln_" in name or "norm" in name:
            scale, centre = 0.2, 1.0 if name.endswith("weight") else 0.0
        elif "c_attn" in name or "in_proj" in name:
            scale = 0.3
        elif name == "out_layer.weight":
            scale = parameter.shape[1] ** -0.5
        value = generator.normal(centre, scale, tuple(parameter.shape))
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(value).float())


def windows(generator, batch, length, channels):
    time = np.arange(length)[None, :, None]
    shape = (batch, 1, channels)
    wave = generator.uniform(0.5, 1.5, shape) * np.sin(time / generator.uniform(2, 7, shape))
    noise = 0.3 * generator.normal(size=(batch, length, channels))
    return torch.from_numpy(wave + noise + generator.normal(0, 1, shape)).float()


def evaluate(model, lookback, target):
    dtype = model.in_layer.weight.dtype
    trainable = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    optimizer = torch.optim.Adam([p for _, p in trainable], lr=LEARNING_RATE)
    prediction = model(lookback.to(dtype))
    loss = nn.functional.mse_loss(prediction, target.to(dtype))
    loss.backward()
    result = {"prediction": prediction.detach(), "loss": loss.detach()}
    result.update({"grad." + name: p.grad.clone() for name, p in trainable})
    optimizer.step()
    result.update({"after1." + name: p.detach().clone() for name, p in trainable})
    return result


def difference(a, b):
    return ((a.double() - b.double()).abs().max() / b.double().abs().max().clamp(min=1e-30)).item()


def make_case(config, seed):
    generator = np.random.default_rng(seed)
    model = Ofa(**config)
    randomise(model, generator)
    values = windows(generator, config["batch"], config["lookback"] + config["horizon"], config["channels"])
    lookback, target = values.split([config["lookback"], config["horizon"]], dim=1)
    tensors = {"param." + name: p.detach().clone() for name, p in model.named_parameters()}
    exact = evaluate(copy.deepcopy(model).double(), lookback, target)
    result = evaluate(model, lookback, target)
    worst = max(difference(result[name], exact[name]) * (10 if name == "prediction" else 1) for name in exact)
    tensors.update(result, lookback=lookback, target=target)
    return tensors, worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "golden" / "ofa")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    for name, changes in CASES.items():
        config = {**DEFAULTS, **changes}
        for seed in range(100):
            tensors, worst = make_case(config, seed)
            if worst < 1e-5:
                break
        else:
            raise SystemExit(f"{name}: no robust seed")
        path = arguments.out / f"{name}.safetensors"
        metadata = {"model": "ofa", "config": json.dumps({**config, "learning_rate": LEARNING_RATE})}
        save_file({k: v.contiguous() for k, v in sorted(tensors.items())}, str(path), metadata)
        print(f"{path.name}: seed {seed}, differs from float64 by {worst:.1e}, {path.stat().st_size / 1000:.0f} kB")

    with torch.device("meta"):
        public = Ofa(512, 96, 16, 8, "gpt2", 6, 768, 12, 50257, 1024)
    shapes = {name: list(value.shape) for name, value in public.state_dict().items()}
    trainable = sum(p.numel() for p in public.parameters() if p.requires_grad)
    path = arguments.out / "state_dict.json"
    write_json(path, {"trainable": trainable, "tensors": shapes})
    print(f"{path.name}: {len(shapes)} tensors, {trainable:,} trainable parameters")


if __name__ == "__main__":
    main()
