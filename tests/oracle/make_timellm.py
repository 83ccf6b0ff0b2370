# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/timellm: small Time-LLMs with prompts, tokens, forecast, loss, gradients and one Adam step.

    python make_timellm.py [--out DIR]

Written from the description of the model, plainly: one row after the other goes through GPT-2 without any padding, so that
rows of a batch cannot see each other. A seed is taken when float64 gives the same values within a tenth of the tests'
limits. state_dict.json: names and shapes at ETTh1-96 with GPT-2 small, and in the small cases.
"""

import argparse
import dataclasses
import json
import math
import pathlib

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import ByteLevelBPETokenizer
from torch import nn
from transformers import GPT2Config, GPT2Model

from make_calf import Holder
from make_ofa import replacement
from write_json import write_json

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"


@dataclasses.dataclass
class Config:
    lookback: int = 512
    horizon: int = 96
    channels: int = 7
    batch: int = 2
    d_model: int = 32
    n_heads: int = 8
    d_ff: int = 128
    patch_len: int = 16
    stride: int = 8
    prototypes: int = 1000
    width: int = 768
    heads: int = 12
    layers: int = 6
    vocabulary: int = 50257
    positions: int = 1024
    tokenizer: str = "bytes"
    description: str = "Some sentence."
    kind: str = "gpt2"

    @property
    def patches(self):
        return (self.lookback + self.stride - self.patch_len) // self.stride + 1

    @property
    def channels_read(self):
        return min(self.d_ff, self.width)


CASES = {
    "one_channel": Config(
        lookback=45, horizon=7, channels=1, batch=3, d_model=6, n_heads=2, d_ff=5, prototypes=20, width=24, heads=2, layers=2,
        vocabulary=97, positions=500,
    ),
    "words": Config(
        lookback=64, horizon=5, channels=2, batch=2, d_model=5, n_heads=3, d_ff=30, patch_len=9, stride=5, prototypes=12,
        width=20, heads=4, layers=1, vocabulary=430, positions=300, tokenizer="small", description="Öl und Strom, it's hourly.",
    ),
    "cut_prompt": Config(
        lookback=50, horizon=4, channels=3, batch=1, d_model=4, n_heads=1, d_ff=6, patch_len=12, stride=12, prototypes=9,
        width=16, heads=2, layers=1, vocabulary=300, positions=60,
    ),
    # A trained layer reads prompts of different lengths.
    "attention": Config(
        kind="attention", lookback=41, horizon=6, channels=1, batch=3, d_model=5, n_heads=2, d_ff=7, prototypes=11, width=16,
        heads=2, vocabulary=61, positions=500,
    ),
    "block": Config(
        kind="block", lookback=48, horizon=5, channels=2, batch=2, d_model=4, n_heads=2, d_ff=30, patch_len=10, stride=6,
        prototypes=9, width=18, heads=3, vocabulary=430, positions=300, tokenizer="small",
    ),
    "none": Config(
        kind="none", lookback=40, horizon=4, channels=2, batch=1, d_model=4, n_heads=1, d_ff=6, prototypes=8, width=14, heads=2,
        vocabulary=70, positions=90,
    ),
}


def autocorrelation_lags(row, count=5):
    """Lags in descending order of the circular autocorrelation; of k and L - k, which are equal, the smaller first."""
    row = row.astype(np.float64)
    length = len(row)
    value = [float(row @ np.roll(row, -lag)) for lag in range(length // 2 + 1)]
    ranked = sorted(range(len(value)), key=lambda lag: (-value[lag], lag))
    gaps = np.diff([value[lag] for lag in ranked[: count + 1]])
    assert np.all(np.abs(gaps) > 1e-7), "two lags are too near each other"
    lags = []
    for lag in ranked:
        for other in (lag, length - lag):
            if other < length and other not in lags:
                lags.append(other)
    return lags[:count]


def prompt_of(row, config):
    """row: float32 [L], normalised."""
    low, high = row.min().item(), row.max().item()
    median = np.sort(row)[(len(row) - 1) // 2].item()
    trend = "upward" if row[-1] > row[0] else "downward"
    return (
        f"<|start_prompt|>Dataset description: {config.description}"
        f"Task description: forecast the next {config.horizon} steps given the previous {config.lookback} steps information; "
        f"Input statistics: min value {low!r}, max value {high!r}, median value {median!r}, "
        f"the trend of input is {trend}, top 5 lags are : {autocorrelation_lags(row)}<|<end_prompt>|>"
    )


def tokens_of(prompt, config):
    if config.tokenizer == "small":
        folder = GOLDEN / "tokenizer"
        ids = ByteLevelBPETokenizer(str(folder / "vocab.json"), str(folder / "merges.txt")).encode(prompt).ids
    else:
        ids = [byte % config.vocabulary for byte in prompt.encode()]
    return ids[-(config.positions - config.patches):]


class TokenConvolution(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.tokenConv = nn.Conv1d(config.patch_len, config.d_model, 3, padding=1, padding_mode="circular", bias=False)


class PatchEmbedding(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.value_embedding = TokenConvolution(config)


class Reprogramming(nn.Module):
    def __init__(self, config):
        super().__init__()
        inner = config.n_heads * config.d_ff
        self.query_projection = nn.Linear(config.d_model, inner)
        self.key_projection = nn.Linear(config.width, inner)
        self.value_projection = nn.Linear(config.width, inner)
        self.out_projection = nn.Linear(inner, config.width)


class Head(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.linear = nn.Linear(config.channels_read * config.patches, config.horizon)


class TimeLLM(nn.Module):
    def __init__(self, config, dropout=0.0):
        super().__init__()
        self.config = config
        if config.kind == "gpt2":
            self.llm_model = GPT2Model(GPT2Config(
                vocab_size=config.vocabulary, n_positions=config.positions, n_embd=config.width, n_layer=config.layers,
                n_head=config.heads, resid_pdrop=dropout, embd_pdrop=dropout, attn_pdrop=dropout,
                attn_implementation="eager"))
        else:
            self.llm_model = Holder(wte=nn.Embedding(config.vocabulary, config.width))
            self.backbone = replacement(config.kind, config.width, config.heads)
        self.llm_model.requires_grad_(False)
        self.patch_embedding = PatchEmbedding(config)
        self.mapping_layer = nn.Linear(config.vocabulary, config.prototypes)
        self.reprogramming_layer = Reprogramming(config)
        self.output_projection = Head(config)

    def reprogram(self, patches, prototypes):
        """One row's patches [N_p, d_model] -> [N_p, width], head by head."""
        c, layer = self.config, self.reprogramming_layer
        q, k, v = layer.query_projection(patches), layer.key_projection(prototypes), layer.value_projection(prototypes)
        heads = []
        for h in range(c.n_heads):
            part = slice(h * c.d_ff, (h + 1) * c.d_ff)
            weights = torch.softmax(q[:, part] @ k[:, part].T / math.sqrt(c.d_ff), dim=-1)
            heads.append(weights @ v[:, part])
        return layer.out_projection(torch.cat(heads, dim=1))

    def hidden(self, sequence):
        """One row's tokens [T, width] -> the same shape."""
        if self.config.kind == "gpt2":
            return self.llm_model(inputs_embeds=sequence[None], use_cache=False).last_hidden_state[0]
        return sequence if self.backbone is None else self.backbone(sequence[None])[0]

    def forward(self, lookback):
        c = self.config
        mean = lookback.mean(dim=1, keepdim=True)
        std = torch.sqrt(((lookback - mean) ** 2).mean(dim=1, keepdim=True) + 1e-5)
        normal = (lookback - mean) / std
        table = self.llm_model.wte.weight
        prototypes = self.mapping_layer(table.T).T
        self.rows, forecasts = [], []
        for b in range(lookback.shape[0]):
            for m in range(lookback.shape[2]):
                row = normal[b, :, m]
                tokens = self.tokens[len(self.rows)]
                padded = torch.cat([row, row[-1:].expand(c.stride)])
                patches = padded.unfold(0, c.patch_len, c.stride)
                embedded = self.patch_embedding.value_embedding.tokenConv(patches.T[None])[0].T
                sequence = torch.cat([table[torch.tensor(tokens)], self.reprogram(embedded, prototypes)])
                read = self.hidden(sequence)[-c.patches:, : c.channels_read]
                forecasts.append(self.output_projection.linear(read.T.reshape(-1)))
                self.rows.append(row)
        out = torch.stack(forecasts).reshape(lookback.shape[0], lookback.shape[2], c.horizon).permute(0, 2, 1)
        return out * std + mean


def randomise(model, generator):
    """Values that let no error hide: attention that is not uniform, norms away from 1, biases away from 0."""
    with torch.no_grad():
        for name, p in model.named_parameters():
            scale = 0.3 if p.dim() > 1 else 0.15
            if name.startswith("mapping_layer"):
                scale = 0.2
            if "output_projection" in name and p.dim() > 1:
                scale = p.shape[1] ** -0.5
            centre = 1.0 if (".ln_" in name or ".norm" in name) and name.endswith("weight") else 0.0
            p.copy_(torch.from_numpy(generator.normal(centre, scale, tuple(p.shape))).float())


def series(config, generator):
    time = np.arange(config.lookback + config.horizon)[None, :, None]
    shape = (config.batch, 1, config.channels)
    wave = np.sin(2 * np.pi * (time / generator.uniform(5, 20, shape) + generator.random(shape)))
    noise = generator.normal(0, 0.4, (config.batch, time.shape[1], config.channels))
    block = wave + generator.normal(0, 1, shape) + generator.normal(0, 1, shape) * time / time.shape[1] + noise
    block[:, : config.lookback] = with_exact_mean(block[:, : config.lookback])
    return torch.from_numpy(block).float()


def with_exact_mean(x):
    """Multiples of 1/16 whose mean over a window is one, too: sums are exact in float32, so that every processor, whatever
    the order in which it adds, finds the same moments and writes the same digits into the prompt."""
    whole = np.round(16 * x).astype(np.int64)
    excess = whole.sum(axis=1, keepdims=True) % x.shape[1]
    return (whole - (np.arange(x.shape[1])[None, :, None] < excess)) / 16


def run(model, block):
    c = model.config
    lookback, target = block[:, : c.lookback], block[:, c.lookback:]
    result = {"prediction": model(lookback)}
    result["loss"] = ((result["prediction"] - target) ** 2).mean()
    result["loss"].backward()
    for name, p in model.named_parameters():
        if p.requires_grad:
            result["grad." + name] = p.grad.clone()
    torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-3).step()
    for name, p in model.named_parameters():
        if p.requires_grad:
            result["after1." + name] = p.clone()
    # A bias of all keys changes no attention: its gradient is rounding only.
    key = "reprogramming_layer.key_projection."
    assert result["grad." + key + "bias"].abs().max() < 1e-5 * result["grad." + key + "weight"].abs().max()
    del result["grad." + key + "bias"], result["after1." + key + "bias"]
    return {name: value.detach().clone() for name, value in result.items()}


def make_case(name, config):
    for seed in range(200):
        generator = np.random.default_rng([seed, *name.encode()])
        block = series(config, generator)
        model = TimeLLM(config)
        randomise(model, generator)
        initial = {k: v.clone() for k, v in model.state_dict().items()}
        x = block[:, : config.lookback]
        # The prompt shows every digit of the float32 values, so their last bits count: moments rounded once, from float64.
        mean, variance = x.double().mean(1, keepdim=True).float(), x.double().var(1, correction=0, keepdim=True).float()
        std = torch.sqrt((variance + 1e-5).double()).float()  # float32's root differs between processors
        rows = ((x - mean) / std).permute(0, 2, 1).flatten(0, 1)
        try:
            prompts = [prompt_of(row.numpy(), config) for row in rows]
        except AssertionError:
            continue
        model.tokens = [tokens_of(prompt, config) for prompt in prompts]
        if config.kind in ("attention", "block") and len({len(tokens) for tokens in model.tokens}) < 2:
            continue
        stored = run(model, block)
        exact = TimeLLM(config)
        exact.load_state_dict(initial)
        exact.tokens = model.tokens
        other = run(exact.double(), block.double())
        worst = {}
        for key, value in stored.items():
            error = ((value.double() - other[key]).abs().max() / other[key].abs().max()).item()
            kind = key.split(".")[0]
            worst[kind] = max(worst.get(kind, 0), error)
        if worst["prediction"] > 2e-6 or worst["loss"] > 1e-6 or worst["grad"] > 1e-5 or worst["after1"] > 1e-5:
            continue
        lengths = torch.tensor([len(t) for t in model.tokens])
        tensors = {"lookback": x, "target": block[:, config.lookback:], "rows": rows, "tokens.lengths": lengths,
                   "tokens": torch.tensor([t for row in model.tokens for t in row]), **stored}
        tensors.update({"param." + k: v for k, v in initial.items() if not k.endswith((".attn.bias", ".attn.masked_bias"))})
        values = dataclasses.asdict(config)
        if config.kind == "gpt2":
            del values["kind"]
        metadata = {"config": json.dumps(values), "prompts": json.dumps(prompts)}
        print(f"{name}: seed {seed}, {lengths.tolist()} tokens, {worst}")
        return {k: v.contiguous() for k, v in tensors.items()}, metadata
    raise SystemExit(name + ": no robust seed")


def shapes_of(config):
    with torch.device("meta"):
        model = TimeLLM(config)
    return {name: list(value.shape) for name, value in model.state_dict().items() if not name.endswith(".attn.bias")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=GOLDEN / "timellm")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, config in CASES.items():
        tensors, metadata = make_case(name, config)
        file = arguments.out / f"{name}.safetensors"
        save_file(tensors, file, metadata)
        file.chmod(0o644)
    etth1 = shapes_of(Config())
    trainable = sum(math.prod(shape) for name, shape in etth1.items() if not name.startswith("llm_model."))
    print(trainable, "trainable at ETTh1-96")
    write_json(arguments.out / "state_dict.json", {"etth1_96": etth1})


if __name__ == "__main__":
    main()
