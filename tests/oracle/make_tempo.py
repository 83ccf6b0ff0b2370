# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/tempo: small TEMPOs with forecast, losses, every gradient and one Adam step, and the names and
shapes of the full model's tensors.

    python make_tempo.py [--out DIR]

Written from docs/decisions/0020-tempo.md, row by row, with Hugging Face's GPT-2 and LoRA layers named as peft names them. A
seed is taken when float64 gives the same values within a tenth of the tests' limits, and when neither a retrieval nor a
coverage gate is near a tie.
"""

import argparse
import dataclasses
import json
import math
import pathlib

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from transformers import GPT2Config, GPT2Model

from casp_oracle import active_pairs, gated
from make_ofa import replacement
from write_json import write_json

COMPONENTS = ("trend", "season", "noise")
# The tokens of "Predict the future time step given the trend" (season, residual) by GPT-2's tokenizer.
SENTENCES = {last: [47, 17407, 262, 2003, 640, 2239, 1813, 262, token]
             for last, token in zip(COMPONENTS, (5182, 1622, 29598))}
LEARNING_RATE = 1e-3
BETA = 0.9


@dataclasses.dataclass
class Config:
    lookback: int = 512
    horizon: int = 96
    channels: int = 7
    batch: int = 2
    patch_size: int = 16
    stride: int = 8
    moving_avg: int = 25
    r: int = 16
    lora_alpha: float = 16.0
    prompt: bool = True
    pool: bool = False
    pool_size: int = 30
    top_k: int = 3
    prompt_len: int = 3
    use_token: bool = False
    lambda_sim: float = 0.0
    lambda_cov: float = 0.0
    width: int = 768
    heads: int = 12
    layers: int = 6
    vocabulary: int = 50257
    positions: int = 1024
    learning_rate: float = LEARNING_RATE
    decay: float = BETA
    kind: str = "gpt2"
    gate: str = "min"
    stop_gradient: bool = True

    @property
    def patches(self):
        return (self.lookback + self.stride - self.patch_size) // self.stride + 1

    @property
    def prompt_tokens(self):
        if not self.prompt:
            return 0
        return self.top_k * self.prompt_len if self.pool else len(SENTENCES["trend"])


SMALL = dict(width=24, heads=2, layers=2, vocabulary=97, positions=80, r=3, lora_alpha=6.0)
CASES = {
    "sentences": Config(lookback=45, horizon=7, channels=2, patch_size=9, stride=5, moving_avg=5, **SMALL),
    "no_prompt": Config(lookback=30, horizon=5, channels=1, batch=3, prompt=False, moving_avg=41, **SMALL),
    "pool": Config(
        lookback=40, horizon=6, channels=3, patch_size=8, stride=8, pool=True, pool_size=9, top_k=3, prompt_len=2,
        lambda_sim=0.3, lambda_cov=0.4, **SMALL,
    ),
    "pool_one": Config(
        lookback=33, horizon=4, channels=1, batch=3, patch_size=12, stride=7, pool=True, pool_size=5, top_k=1, prompt_len=3,
        use_token=True, lambda_sim=0.1, lambda_cov=0.2, **SMALL,
    ),
    "attention": Config(
        kind="attention", lookback=31, horizon=6, channels=2, patch_size=9, stride=5, moving_avg=5, **SMALL,
    ),
    # More tokens than positions.
    "block": Config(
        kind="block", lookback=30, horizon=5, channels=2, patch_size=8, stride=4, pool=True, pool_size=8, top_k=2, prompt_len=2,
        lambda_sim=0.3, lambda_cov=0.4, **SMALL | {"positions": 10},
    ),
    "pool_product": Config(
        kind="none", lookback=24, horizon=5, channels=2, patch_size=8, stride=4, pool=True, pool_size=7, top_k=2, prompt_len=1,
        lambda_sim=0.1, lambda_cov=0.4, decay=0.4, gate="product", stop_gradient=False, **SMALL,
    ),
    # The prompts reach the forecast through the head only.
    "none": Config(kind="none", lookback=28, horizon=4, channels=1, batch=3, patch_size=7, stride=6, use_token=True, **SMALL),
}


class Fragile(Exception):
    pass


class Holder(nn.Module):
    def __init__(self, **parts):
        super().__init__()
        for name, part in parts.items():
            self.add_module(name, part)


class LoraLayer(nn.Module):
    """peft's layer around a Conv1D."""

    def __init__(self, base, r, alpha, dropout):
        super().__init__()
        inputs, outputs = base.weight.shape
        self.base_layer = base
        self.lora_A = nn.ModuleDict({"default": nn.Linear(inputs, r, bias=False)})
        self.lora_B = nn.ModuleDict({"default": nn.Linear(r, outputs, bias=False)})
        self.scale = alpha / r
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.base_layer(x) + self.lora_B["default"](self.lora_A["default"](self.drop(x))) * self.scale


class RevIn(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine_weight = nn.Parameter(torch.ones(1))
        self.affine_bias = nn.Parameter(torch.zeros(1))


class Tempo(nn.Module):
    def __init__(self, c, dropout=0.0, lora_dropout=0.0):
        super().__init__()
        self.c = c
        if c.kind == "gpt2":
            gpt2 = GPT2Model(GPT2Config(
                vocab_size=c.vocabulary, n_positions=c.positions, n_embd=c.width, n_layer=c.layers, n_head=c.heads,
                resid_pdrop=dropout, embd_pdrop=dropout, attn_pdrop=dropout, attn_implementation="eager"))
            gpt2.requires_grad_(False)
            for block in gpt2.h:
                block.attn.c_attn = LoraLayer(block.attn.c_attn, c.r, c.lora_alpha, lora_dropout)
        else:
            gpt2 = Holder(wte=nn.Embedding(c.vocabulary, c.width)).requires_grad_(False)
            self.backbone = replacement(c.kind, c.width, c.heads)
        if c.kind == "gpt2" or (c.prompt and not c.pool):
            self.gpt2_trend = Holder(base_model=Holder(model=gpt2))
        self.rev_in_trend = RevIn()
        self.map_trend = nn.Linear(c.lookback, c.lookback)
        self.map_season = nn.Sequential(
            nn.Linear(c.lookback, 4 * c.lookback), nn.ReLU(), nn.Linear(4 * c.lookback, c.lookback))
        read = c.patches + (c.prompt_tokens if c.use_token else 0)
        for name in COMPONENTS:
            self.add_module("in_layer_" + name, nn.Linear(c.patch_size, c.width))
            if c.prompt and not c.pool:
                self.add_module("prompt_layer_" + name, nn.Linear(c.width, c.width))
            self.add_module("out_layer_" + name, nn.Linear(c.width * read, c.horizon))
        if c.prompt and c.pool:
            self.prompt_key_dict = nn.ParameterDict(
                {f"prompt_key_{i}": nn.Parameter(torch.zeros(c.width)) for i in range(c.pool_size)})
            self.prompt_value_dict = nn.ParameterDict(
                {f"prompt_value_{i}": nn.Parameter(torch.zeros(c.prompt_len, c.width)) for i in range(c.pool_size)})
            self.summary_map = nn.Linear(c.patches, 1)

    def word_vectors(self, name):
        """Of a component's sentence, [9, d]."""
        tokens = torch.tensor(SENTENCES[name]) % self.c.vocabulary
        return self.gpt2_trend.base_model.model.wte.weight[tokens]

    def hidden(self, tokens):
        """[N, T, d] -> the same shape."""
        if self.c.kind == "gpt2":
            return self.gpt2_trend.base_model.model(inputs_embeds=tokens, use_cache=False).last_hidden_state
        return tokens if self.backbone is None else self.backbone(tokens)

    def retrieve(self, embedded):
        """Of one component of one row: patches [N_p, d] -> prompt [top_k·length, d]; remembers the similarities."""
        c = self.c
        numbers = embedded.reshape(-1)
        query = torch.stack([
            (numbers[i * c.patches:(i + 1) * c.patches] * self.summary_map.weight[0]).sum() + self.summary_map.bias[0]
            for i in range(c.width)])
        cosines = torch.stack([
            query @ key / (query.norm() * key.norm())
            for key in (self.prompt_key_dict[f"prompt_key_{i}"] for i in range(c.pool_size))])
        ranked = torch.sort(cosines.detach(), descending=True).values
        self.smallest_lead = min(self.smallest_lead, (ranked[:-1] - ranked[1:])[: c.top_k].min().item())
        chosen = torch.argsort(cosines.detach(), descending=True)[: c.top_k]
        self.cosines.append(cosines)
        self.chosen.append(chosen)
        return torch.cat([self.prompt_value_dict[f"prompt_value_{i}"] for i in chosen.tolist()])

    def row(self, x):
        """Normalised values [L] -> [H]."""
        c = self.c
        side = (c.moving_avg - 1) // 2
        padded = torch.cat([x[:1].expand(side), x, x[-1:].expand(side)])
        average = torch.stack([padded[i:i + c.moving_avg].mean() for i in range(c.lookback)])
        trend = self.map_trend(average)
        season = self.map_season(x - trend)
        blocks = []
        for name, part in zip(COMPONENTS, (trend, season, x - trend - season)):
            patches = torch.cat([part, part[-1:].expand(c.stride)]).unfold(0, c.patch_size, c.stride)
            block = getattr(self, "in_layer_" + name)(patches)
            if c.prompt and c.pool:
                block = torch.cat([self.retrieve(block), block])
            elif c.prompt:
                block = torch.cat([getattr(self, "prompt_layer_" + name)(self.word_vectors(name)), block])
            blocks.append(block)
        hidden = self.hidden(torch.cat(blocks)[None])[0]
        forecast = 0
        for name, part in zip(COMPONENTS, hidden.chunk(3)):
            if not c.use_token:
                part = part[c.prompt_tokens:]
            forecast = forecast + getattr(self, "out_layer_" + name)(part.reshape(-1))
        return forecast

    def forward(self, lookback):
        self.cosines, self.chosen, self.smallest_lead = [], [], math.inf
        mean = lookback.mean(1, keepdim=True)
        std = torch.sqrt(((lookback - mean) ** 2).mean(1, keepdim=True) + 1e-5)
        weight, bias = self.rev_in_trend.affine_weight, self.rev_in_trend.affine_bias
        normal = (lookback - mean) / std * weight + bias
        windows = [torch.stack([self.row(window[:, m]) for m in range(window.shape[1])], 1) for window in normal]
        return (torch.stack(windows) - bias) / (weight + 1e-10) * std + mean


def randomise(model, generator):
    """Values that let no error hide: norms away from 1, biases away from 0, attention that is not uniform."""
    with torch.no_grad():
        for name, p in model.named_parameters():
            if ".ln_" in name or ".norm" in name or name.endswith("affine_weight"):
                value = generator.normal(1.0 if name.endswith("weight") else 0.0, 0.2, tuple(p.shape))
            elif p.dim() == 2 and "lora" not in name and "gpt2" not in name:
                value = generator.normal(0, p.shape[-1] ** -0.5, tuple(p.shape))
            else:
                value = generator.normal(0, 0.25, tuple(p.shape))
            if name.startswith("prompt_"):
                value = value * 4
            p.copy_(torch.from_numpy(np.asarray(value)).float())


def run(model, lookback, target, statistic):
    c = model.c
    dtype = model.map_trend.weight.dtype
    prediction = model(lookback.to(dtype))
    forecast = ((prediction - target.to(dtype)) ** 2).mean()
    result, total = {"prediction": prediction, "loss.forecast": forecast}, forecast
    if model.smallest_lead < 1e-4:
        raise Fragile("two keys are as near")
    if c.prompt and c.pool:
        s = torch.stack(model.cosines)  # [3N, V']
        positive = s.clamp_min(0)
        after = c.decay * statistic.to(dtype) + (1 - c.decay) * positive.mean(0)
        if c.stop_gradient:
            after = after.detach()
        if s.abs().min() < 1e-5 or (s - after).abs().min() < 1e-5:
            raise Fragile("a similarity is near a gate")
        index = torch.stack(model.chosen)
        similarity = (1 - s.gather(1, index)).sum(1).mean()
        coverage = gated(positive, after, c.gate).sum(1).mean()
        total = total + c.lambda_sim * similarity + c.lambda_cov * coverage
        result |= {"loss.similarity": similarity, "loss.coverage": coverage, "after1.coverage_statistic": after,
                   "similarity": s.reshape(-1, 3, c.pool_size).mean(1)}
        result["active_pairs"] = active_pairs(s, after, c.gate).sum().to(dtype) / 3
        model.retrieved = index.reshape(-1, 3 * c.top_k)
        keys = torch.stack([k / k.norm() for k in model.prompt_key_dict.values()])
        pairs = torch.triu_indices(c.top_k, c.top_k, 1)
        if c.top_k > 1:
            cosines = (keys @ keys.T)[index[:, pairs[0]], index[:, pairs[1]]].mean(1)
            result["key_cosine"] = cosines.reshape(-1, 3).mean(1)
    result["loss"] = total
    total.backward()
    trainable = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    for name, p in trainable:
        result["grad." + name] = torch.zeros_like(p) if p.grad is None else p.grad.clone()  # None: a prompt nobody retrieves
    torch.optim.Adam([p for _, p in trainable], lr=c.learning_rate).step()
    for name, p in trainable:
        result["after1." + name] = p
    return {k: v.detach().clone() for k, v in result.items()}


def make_case(name, c, seed):
    generator = np.random.default_rng([seed, *name.encode()])
    time = np.arange(c.lookback + c.horizon)[None, :, None]
    shape = (c.batch, 1, c.channels)
    block = np.sin(2 * np.pi * (time / generator.uniform(5, 20, shape) + generator.random(shape)))
    block = block + generator.normal(0, 1, shape) + generator.normal(0, 1, shape) * time / time.shape[1]
    block = torch.from_numpy(block + generator.normal(0, 0.4, (c.batch, time.shape[1], c.channels))).float()
    lookback, target = block[:, : c.lookback].contiguous(), block[:, c.lookback:].contiguous()
    statistic = torch.from_numpy(generator.uniform(0, 0.3, c.pool_size)).float()
    model = Tempo(c)
    randomise(model, generator)
    initial = {k: v.clone() for k, v in model.state_dict().items()}
    tensors = run(model, lookback, target, statistic)
    exact = Tempo(c)
    exact.load_state_dict(initial)
    other = run(exact.double(), lookback, target, statistic)
    worst = 0.0
    for key, value in tensors.items():
        scale, difference = other[key].abs().max().item(), (value.double() - other[key]).abs().max().item()
        limit = 1e-5 if key.startswith(("grad.", "after1.")) else 2e-6
        if difference > limit * scale:
            raise Fragile(f"{key} differs by {difference / scale:.1e}")
        worst = max(worst, difference / scale if scale else 0)
    tensors |= {"lookback": lookback, "target": target} | {"param." + k: v for k, v in initial.items()}
    if c.prompt and c.pool:
        tensors |= {"selected": model.retrieved, "statistic": statistic}
    return tensors, worst


def facts_of(c):
    """Names and shapes of the trained and frozen tensors on GPT-2 small at ETTh1-96."""
    with torch.device("meta"):
        model = Tempo(c)
    return {"tensors": {k: list(v.shape) for k, v in model.state_dict().items()},
            "trainable": sum(math.prod(p.shape) for p in model.parameters() if p.requires_grad)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    golden = pathlib.Path(__file__).resolve().parent.parent / "golden" / "tempo"
    parser.add_argument("--out", type=pathlib.Path, default=golden)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for name, c in CASES.items():
        for seed in range(500):
            try:
                tensors, worst = make_case(name, c, seed)
                break
            except Fragile as reason:
                print(f"    {name}: seed {seed}: {reason}", flush=True)
        else:
            raise SystemExit(f"{name}: no robust seed")
        path = out / f"{name}.safetensors"
        later = {"kind", "gate", "stop_gradient"}  # recorded where they are not at their defaults
        values = {k: v for k, v in dataclasses.asdict(c).items() if k not in later or v != getattr(Config, k)}
        save_file({k: v.contiguous() for k, v in sorted(tensors.items())}, str(path), {"config": json.dumps(values)})
        path.chmod(0o644)
        print(f"{name}: seed {seed}, float64 differs by {worst:.1e}; {path.stat().st_size / 1000:.0f} kB", flush=True)
    facts = {"sentences": facts_of(Config()), "pool": facts_of(Config(pool=True))}
    write_json(out / "state_dict.json", facts)
    print({name: entry["trainable"] for name, entry in facts.items()}, "trainable at ETTh1-96")


if __name__ == "__main__":
    main()
