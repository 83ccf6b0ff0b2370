# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/calf: small CALF models with forecasts, losses, every gradient and one AdamW step, and the names
and shapes of the full model's tensors.

    python make_calf.py [--out DIR]

The model is written from the description in docs/decisions/0018-calf.md and the facts it cites, with PyTorch's encoder
layer and attention, Hugging Face's GPT-2 and LoRA layers named as peft names them. A seed is taken only when a float64
evaluation of the same model agrees with the stored values, and no difference that an l1 loss takes the sign of is small.
"""

import argparse
import dataclasses
import json
import pathlib

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from transformers import GPT2Config, GPT2Model

from make_ofa import replacement

LIMIT_FORWARD = 4e-6
LIMIT_GRADIENT = 2e-5
SMALLEST_DIFFERENCE = 2e-5
SMALLEST_GRADIENT = 1e-6
PROJECTION_RATE = 1e-4
GAMMA = 0.8


@dataclasses.dataclass
class Config:
    lookback: int = 50
    horizon: int = 12
    channels: int = 3
    batch: int = 2
    width: int = 24
    heads: int = 2
    layers: int = 2
    vocabulary: int = 97
    positions: int = 9
    feed_forward: int = 40
    word_components: int = 500
    r: int = 4
    lora_alpha: float = 12.0
    task_w: float = 1.0
    feature_w: float = 0.01
    output_w: float = 1.0
    task_loss: str = "l1"
    feature_loss: str = "l1"
    output_loss: str = "l1"
    learning_rate: float = 1e-3
    weight_decay: float = 1e-5
    kind: str = "gpt2"

    @property
    def aligned(self):
        return self.feature_w != 0 or self.output_w != 0


@dataclasses.dataclass
class M4Config(Config):
    """Series in raw units, with a mask; the losses of M4."""

    horizon: int = 8
    lookback: int = 16
    channels: int = 1
    batch: int = 4
    season: int = 1
    level: float = 500.0
    spread: float = 60.0
    task_loss: str = "smape"
    feature_loss: str = "smooth_l1"
    output_loss: str = "mase"


CASES = {
    "base": Config(),
    # Fewer words than coordinates; an odd look-back.
    "one_channel": Config(
        lookback=33, horizon=5, channels=1, batch=3, width=30, heads=3, vocabulary=20, r=2, lora_alpha=5.0, layers=1,
        task_loss="smooth_l1", feature_loss="smooth_l1", output_loss="smooth_l1", feature_w=0.3,
    ),
    # Fewer components than there are; every weight and distance different.
    "mixed": Config(
        lookback=64, horizon=7, channels=5, batch=1, word_components=11, task_loss="mse", feature_loss="smooth_l1",
        output_loss="mse", task_w=0.7, feature_w=0.2, output_w=0.5, layers=3, width=20, weight_decay=0.01,
    ),
    # The few-shot settings: no text branch.
    "few_shot": Config(channels=4, horizon=9, feature_w=0.0, output_w=0.0, r=1, lora_alpha=1.0),
    "m4": M4Config(season=4),
    # Odd sizes, several channels, the two losses exchanged; the longest season of the look-back.
    "m4_exchanged": M4Config(
        lookback=13, horizon=7, channels=3, batch=3, season=12, task_loss="mase", output_loss="smape", width=20, layers=1),
    # The other distances with a mask.
    "masked": M4Config(
        lookback=21, horizon=5, channels=2, batch=2, level=0.0, spread=1.0, task_loss="smooth_l1", output_loss="l1",
        feature_loss="l1"),
    # A layer in the place of each GPT-2: more variates than positions, and no text branch.
    "attention": Config(kind="attention", horizon=7, width=18, vocabulary=60, feature_w=0.4),
    "block": Config(
        kind="block", lookback=31, horizon=6, channels=4, width=18, heads=3, vocabulary=40, positions=2, task_loss="mse",
        feature_loss="smooth_l1", output_loss="mse", feature_w=0.3, output_w=0.6,
    ),
    "none": Config(kind="none", lookback=40, horizon=5, width=18, vocabulary=50, feature_w=0.5, weight_decay=0.01),
    "block_few_shot": Config(kind="block", lookback=32, horizon=8, width=18, feature_w=0.0, output_w=0.0, task_loss="smooth_l1"),
}


class Fragile(Exception):
    """This seed's fixture stands on an edge; the next seed is tried."""


class LoraLayer(nn.Module):
    def __init__(self, base, r, alpha, dropout):
        super().__init__()
        inner, outer = base.weight.shape
        self.base_layer = base
        self.lora_A = nn.ModuleDict({"default": nn.Linear(inner, r, bias=False)})
        self.lora_B = nn.ModuleDict({"default": nn.Linear(r, outer, bias=False)})
        self.scale = alpha / r
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.base_layer(x) + self.scale * self.lora_B["default"](self.lora_A["default"](self.drop(x)))


class Holder(nn.Module):
    """Gives a module another step in its tensors' names."""

    def __init__(self, **parts):
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)


class InputLayer(nn.Module):
    def __init__(self, c, dropout):
        super().__init__()
        self.linear = nn.Linear(c.lookback, c.width)
        layer = nn.TransformerEncoderLayer(c.width, c.heads, c.feed_forward, dropout=dropout, activation="relu")
        self.transformer_encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.cross_attention = nn.MultiheadAttention(c.width, c.heads)

    def forward(self, x, words):
        tokens = self.transformer_encoder(self.linear(x).transpose(0, 1))
        memory = words.unsqueeze(1).expand(-1, x.shape[0], -1)
        text, _ = self.cross_attention(tokens, memory, memory)
        return tokens.transpose(0, 1), text.transpose(0, 1)


def smape(a, b):
    """Each element's part; without gradient through the denominator."""
    return 200 * (a - b).abs() / (a.detach().abs() + b.detach().abs())


def seasonal_error(lookback, season):
    """[B, 1, M]: mean distance of values one season apart."""
    parts = [(lookback[:, t] - lookback[:, t - season]).abs() for t in range(season, lookback.shape[1])]
    return (sum(parts) / len(parts)).unsqueeze(1)


def mase(a, b, scale):
    """Each element's part; 0 where the look-back is periodic."""
    return torch.where(scale == 0, torch.zeros_like(a), (a - b).abs() / torch.where(scale == 0, 1.0, scale))


def distance(kind, a, b):
    return {"l1": nn.functional.l1_loss, "smooth_l1": nn.functional.smooth_l1_loss, "mse": nn.functional.mse_loss}[kind](a, b)


class Calf(nn.Module):
    def __init__(self, c, dropout=0.0):
        super().__init__()
        self.c, self.dropout = c, dropout
        if c.kind == "gpt2":
            self.gpt2 = Holder(base_model=Holder(model=self.make_gpt2()))
            for block in self.gpt2.base_model.model.h:
                block.attn.c_attn = LoraLayer(block.attn.c_attn, c.r, c.lora_alpha, dropout)
            self.gpt2_text = self.make_gpt2()
        else:
            if c.aligned:
                self.gpt2 = Holder(base_model=Holder(model=Holder(wte=nn.Embedding(c.vocabulary, c.width))))
            self.backbone, self.backbone_text = (replacement(c.kind, c.width, c.heads) for _ in range(2))
        self.states = {"gpt2": c.layers + 1, "none": 1}.get(c.kind, 2)
        self.time_proj = nn.ModuleList(nn.Linear(c.width, c.width, bias=False) for _ in range(self.states))
        self.text_proj = nn.ModuleList(nn.Linear(c.width, c.width, bias=False) for _ in range(self.states))
        self.in_layer = InputLayer(c, dropout)
        self.out_layer = nn.Linear(c.width, c.horizon)
        for name, p in self.named_parameters():
            if name.startswith("gpt2."):
                p.requires_grad = "ln_" in name or "wpe" in name or "lora_" in name
            elif name.startswith("gpt2_text."):
                p.requires_grad = "wpe" in name

    def make_gpt2(self):
        c = self.c
        return GPT2Model(GPT2Config(
            vocab_size=c.vocabulary, n_positions=c.positions, n_embd=c.width, n_layer=c.layers, n_head=c.heads,
            resid_pdrop=self.dropout, embd_pdrop=self.dropout, attn_pdrop=self.dropout, attn_implementation="eager"))

    def branch(self, tokens, text):
        """Last and all hidden states of a branch."""
        if self.c.kind == "gpt2":
            backbone = self.gpt2_text if text else self.gpt2.base_model.model
            out = backbone(inputs_embeds=tokens, output_hidden_states=True)
            return out.last_hidden_state, out.hidden_states
        layer = self.backbone_text if text else self.backbone
        states = [tokens] if layer is None else [tokens, layer(tokens)]
        return states[-1], states

    def words(self):
        """By singular values, where the program takes eigenvalues."""
        if not hasattr(self, "gpt2"):
            return torch.zeros(1, self.c.width).to(self.out_layer.weight)  # no loss reads the text branch
        table = self.gpt2.base_model.model.wte.weight.detach().double().cpu().numpy()
        samples = table.T - table.T.mean(0)
        u, s, _ = np.linalg.svd(samples, full_matrices=False)
        count = min(self.c.word_components, self.c.vocabulary, self.c.width - 1)
        rows = (u[:, :count] * s[:count]).T
        sign = np.sign(rows[np.arange(count), np.abs(rows).argmax(1)])
        return torch.from_numpy(rows * sign[:, None]).to(self.out_layer.weight)

    def forward(self, lookback):
        mean = lookback.mean(1, keepdim=True)
        deviation = (lookback.var(1, keepdim=True, unbiased=False) + 1e-5).sqrt()
        series = ((lookback - mean) / deviation).transpose(1, 2)
        forecasts, features = [], []
        for text, tokens in enumerate(self.in_layer(series, self.words())):
            last, states = self.branch(tokens, text)
            assert len(states) == self.states
            features.append([p(h) for p, h in zip(self.text_proj if text else self.time_proj, states)])
            rows = self.out_layer(last + tokens)
            forecasts.append(rows.transpose(1, 2) * deviation + mean)
        return forecasts, features

    def check_edges(self, edges):
        """A difference of 0 is that of masked elements, which have no gradient."""
        for kind, weight, a, b in edges:
            if kind in ("l1", "smape", "mase") and weight > 0:
                differences = (a - b).abs()
                if differences[differences > 0].min().item() < SMALLEST_DIFFERENCE * max(1.0, b.abs().max().item()):
                    raise Fragile("a difference near zero")

    def forecast_distance(self, kind, a, b, lookback, mask):
        """The mask sets elements to 0 and does not reduce their number."""
        if kind == "smape":
            parts = smape(a, b)
        elif kind == "mase":
            parts = mase(a, b, seasonal_error(lookback, self.c.season))
        elif mask is None:
            return distance(kind, a, b)
        else:
            one = {"l1": lambda d: d.abs(), "mse": torch.square,
                   "smooth_l1": lambda d: torch.where(d.abs() < 1, 0.5 * d * d, d.abs() - 0.5)}[kind]
            parts = one(a - b)
        return (parts if mask is None else parts * mask).mean()

    def losses(self, lookback, target, mask=None):
        c = self.c
        (time, text), (time_features, text_features) = self(lookback)
        pairs = list(zip(time_features[::-1], text_features[::-1]))
        seen = 1.0 if mask is None else mask
        edges = [(c.task_loss, c.task_w, time * seen, target * seen), (c.output_loss, c.output_w, time * seen, text * seen)]
        self.check_edges(edges + [(c.feature_loss, c.feature_w, a, b) for a, b in pairs])
        task = self.forecast_distance(c.task_loss, time, target, lookback, mask)
        output = self.forecast_distance(c.output_loss, time, text, lookback, mask)
        feature = sum(GAMMA**i * distance(c.feature_loss, a, b) for i, (a, b) in enumerate(pairs))
        total = c.task_w * task
        if c.output_w:
            total = total + c.output_w * output
        if c.feature_w:
            total = total + c.feature_w * feature
        return time, {"task": task, "output": output, "feature": feature, "total": total}


def randomise(model, generator):
    """Values that let no error hide; the frozen tensors of both branches are those of one checkpoint."""
    def normal(shape, scale, centre=0.0):
        return torch.from_numpy(generator.normal(centre, scale, tuple(shape))).float()

    with torch.no_grad():
        for name, p in model.named_parameters():
            if ".ln_" in name or ".norm" in name:
                value = normal(p.shape, 0.2, 1.0 if name.endswith("weight") else 0.0)
            elif "wte" in name:
                value = normal(p.shape, 0.15)
            elif p.dim() == 1:
                value = normal(p.shape, 0.2)
            else:
                value = normal(p.shape, 1.2 * p.shape[-1] ** -0.5 if "lora" not in name else 0.2)
            p.copy_(value)
        if model.c.kind != "gpt2":
            return
        plain = {n.replace("base_layer.", ""): p for n, p in model.gpt2.base_model.model.named_parameters() if "lora" not in n}
        for name, p in model.gpt2_text.named_parameters():
            if not p.requires_grad and ".ln_" not in name and not name.startswith("ln_f"):
                p.copy_(plain[name])


def run(model, lookback, target, mask=None):
    """Everything a fixture holds beside its inputs, from `model`, which is trained for one step."""
    dtype = model.out_layer.weight.dtype
    lookback, target = lookback.to(dtype), target.to(dtype)
    prediction, losses = model.losses(lookback, target, mask)
    losses["total"].backward()
    result = {"prediction": prediction.detach().clone()}
    if hasattr(model, "gpt2"):
        result["words"] = model.words()
    result |= {"loss." + k: v.detach().clone() for k, v in losses.items()}
    trainable = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    for name, p in trainable:
        if p.grad is not None:
            result["grad." + name] = p.grad.clone()
    c = model.c
    slow = {n for n, _ in trainable if "_proj" in n and not n.startswith("backbone")}
    optimizer = torch.optim.AdamW([
        {"params": [p for n, p in trainable if n in slow], "lr": PROJECTION_RATE},
        {"params": [p for n, p in trainable if n not in slow], "lr": c.learning_rate},
    ], weight_decay=c.weight_decay)
    optimizer.step()
    for name, p in trainable:
        result["after1." + name] = p.detach().clone()
    return result


def compare(stored, other):
    """Parameters after the step only where the gradient is more than rounding errors (not: biases of keys, queries and keys
    of a single token), of which AdamW's first step would make a whole step."""
    worst = 0.0
    for name, a in stored.items():
        a, b = a.double(), other[name].double()
        if name.startswith("after1."):
            gradient = stored.get("grad." + name.removeprefix("after1."))
            keep = torch.ones_like(a) if gradient is None else (gradient.abs() > SMALLEST_GRADIENT).double()
            a, b = a * keep, b * keep
        scale, difference = a.abs().max().item(), (a - b).abs().max().item()
        if difference == 0:
            continue
        limit = LIMIT_GRADIENT if name.startswith(("grad.", "after1.")) else LIMIT_FORWARD
        if difference > limit * scale:
            raise Fragile(f"{name} differs by {difference / scale:.1e}")
        worst = max(worst, difference / scale)
    return worst


def make_case(name, c, seed):
    generator = np.random.default_rng([seed, *name.encode()])
    torch.manual_seed(seed)
    time = np.arange(c.lookback + c.horizon)[:, None]
    period = generator.uniform(6, 30, (c.batch, 1, c.channels))
    block = np.sin(2 * np.pi * (time / period + generator.random(period.shape)))
    block = block * generator.uniform(0.5, 1.5, period.shape) + generator.normal(0, 0.5, period.shape)
    block = torch.from_numpy(block + generator.normal(0, 0.2, block.shape)).float()
    lookback, target, mask = block[:, : c.lookback].contiguous(), block[:, c.lookback :].contiguous(), None
    if isinstance(c, M4Config):
        lookback, target, mask = as_series(c, lookback, target)
    model = Calf(c).train()
    randomise(model, generator)
    initial = {k: v.clone() for k, v in model.state_dict().items()}
    tensors = run(model, lookback, target, mask)
    exact = Calf(c).train()
    exact.load_state_dict(initial)
    worst = compare(tensors, run(exact.double(), lookback, target, mask))
    tensors |= {"lookback": lookback, "target": target} | {"param." + k: v for k, v in initial.items()}
    if mask is not None:
        tensors["mask"] = mask
    return tensors, worst


def as_series(c, lookback, target):
    """Windows of M4: raw units, zeros before the first value of a series, a mask after its last. The look-back of the last
    window is periodic, so that it has no seasonal error."""
    lookback, target = c.level + c.spread * lookback, c.level + c.spread * target
    lookback[0, : c.lookback // 3] = 0
    periodic = lookback[-1, : c.season]
    lookback[-1] = torch.cat([periodic] * (c.lookback // c.season + 1))[: c.lookback]
    mask = torch.ones_like(target)
    mask[-1, -1] = 0
    mask[1, -(c.horizon // 2) :, 0] = 0
    return lookback, target * mask, mask


def write_names(path):
    """The tensors of CALF on GPT-2 small at ETTh1-96, look-back 512."""
    with torch.device("meta"):
        model = Calf(Config(
            lookback=512, horizon=96, width=768, heads=12, layers=6, vocabulary=50257, positions=1024,
            feed_forward=2048, r=8))
    trainable = {n for n, p in model.named_parameters() if p.requires_grad}
    count = sum(p.numel() for p in model.parameters() if p.requires_grad)
    assert count == 18_341_984, count
    lines = [f"{n} {'x'.join(map(str, t.shape))} {'trainable' if n in trainable else 'frozen'}"
             for n, t in sorted(model.state_dict().items())]
    path.write_text("\n".join(lines) + "\n")
    print(f"{path.name}: {len(lines)} tensors")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    golden = pathlib.Path(__file__).resolve().parent.parent / "golden" / "calf"
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
        values = dataclasses.asdict(c)
        if c.kind == "gpt2":
            del values["kind"]
        save_file({k: v.float().contiguous() for k, v in sorted(tensors.items())}, str(path), {"config": json.dumps(values)})
        print(f"{name}: seed {seed}, float64 differs by {worst:.1e}; {path.stat().st_size / 1000:.0f} kB", flush=True)
    write_names(out / "tensors.txt")


if __name__ == "__main__":
    main()
