# SPDX-License-Identifier: GPL-3.0-or-later
"""An independent CASP-LLM in PyTorch, pandas and transformers: the oracle of the C++ model's tests.

Written from the paper (sections Semantic Alignment, Coverage-Aware Retrieval, Prompt-Augmented Forecasting and the
algorithm of its appendix) and from the facts about the public S2IP-LLM model. It is deliberately plain: one operation
after the other, no efficient form, the decomposition row by row in pandas. Parameter names are those of the public
S2IP-LLM PyTorch model, plus `coverage_statistic` and, with the affine option, `instance_norm.{weight,bias}`.

Shapes: B windows, M channels, N = B*M rows (row = b*M + m), L lookback, H horizon, P patch length, N_p patches,
d width, V vocabulary, V' pool, K = top_k, T = K + N_p tokens (N_p without the prompt).
"""

import dataclasses
import math

import numpy as np
import pandas as pd
import torch
from torch import nn
from transformers import GPT2Config, GPT2Model

NORM_EPS = 1e-5  # inside the root of the instance norm
COSINE_EPS = 1e-12  # lower limit of a squared length in the cosine


@dataclasses.dataclass
class Config:
    """All sizes and options of one model and its training; the names of the golden files' metadata."""

    lookback: int = 512
    horizon: int = 96
    channels: int = 7
    batch: int = 64
    patch_length: int = 16
    patch_stride: int = 8
    trend_length: int = 96
    seasonal_length: int = 96
    pool_size: int = 1000
    top_k: int = 8
    head_ways: int = 3
    decomposition: bool = True
    prompt: bool = True
    instance_norm_affine: bool = False
    coverage_enabled: bool = True
    decay: float = 0.99
    warmup: int = 0
    lambda_sim: float = 0.05
    lambda_cov: float = 0.1
    learning_rate: float = 1e-4
    weight_decay: float = 1e-5
    width: int = 768
    heads: int = 12
    layers: int = 6
    vocabulary: int = 50257
    positions: int = 1024
    dropout: float = 0.0
    rule: str = "top-k"
    alpha: float = 0.7
    anchors: str = "semantic"
    term: str = "coverage"
    gate: str = "min"
    stop_gradient: bool = True
    seed: int = 2021  # of shuffled and random anchors
    targets: tuple = ()  # channels that the forecast loss is over (MS of the public loaders); none: all

    @property
    def patches(self):
        """The series is padded on the right by one stride, hence one patch more than would fit."""
        return (self.lookback + self.patch_stride - self.patch_length) // self.patch_stride + 1

    @property
    def tokens(self):
        return self.patches + (self.top_k if self.prompt else 0)


def decompose_row(values, trend_length, seasonal_length):
    """One float64 row [L] -> trend, seasonal, residual [L], by pandas.

    Trend: centred rolling mean over full windows, its ends continued with the nearest value. Seasonal: mean of the
    detrended values of equal phase, the phase counted from the row's first value.
    """
    series = pd.Series(np.asarray(values, dtype=np.float64))
    trend = series.rolling(window=trend_length, center=True).mean().bfill().ffill()
    detrended = series - trend
    seasonal = detrended.groupby(np.arange(len(series)) % seasonal_length).transform("mean")
    residual = detrended - seasonal
    return trend.to_numpy(), seasonal.to_numpy(), residual.to_numpy()


def decompose_rows(rows, trend_length, seasonal_length):
    """float64 array [N, L] -> [N, 3, L] in the order trend, seasonal, residual."""
    return np.stack([np.stack(decompose_row(row, trend_length, seasonal_length)) for row in rows])


class PandasDecomposition(torch.autograd.Function):
    """decompose_rows on tensors, with the exact gradient: the map is linear, so its matrix gives the adjoint.

    The gradient matters only for the affine parameters of the instance norm (everything before it is data).
    """

    @staticmethod
    def forward(ctx, rows, trend_length, seasonal_length):
        ctx.lengths = (trend_length, seasonal_length, rows.shape[1])
        parts = decompose_rows(rows.detach().cpu().double().numpy(), trend_length, seasonal_length)
        return torch.from_numpy(parts).to(rows.device)  # float64, whatever the rows are

    @staticmethod
    def backward(ctx, gradient):
        trend_length, seasonal_length, length = ctx.lengths
        basis = torch.from_numpy(decompose_rows(np.eye(length), trend_length, seasonal_length)).to(gradient.device)
        # basis[j, c, i] = value i of component c for the unit row j
        return torch.einsum("nci,jci->nj", gradient, basis), None, None


def unit_length(v):
    return v * torch.rsqrt(torch.clamp((v * v).sum(-1, keepdim=True), min=COSINE_EPS))


MASK64 = 2**64 - 1
GOLDEN64 = 0x9E3779B97F4A7C15


def mix64(x):
    """SplitMix64's finaliser of a Python integer below 2**64."""
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & MASK64
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & MASK64
    return x ^ (x >> 31)


def derived_seed(seed, purpose, counter=0):
    """A seed for a purpose: FNV-1a of the word, then mixed with seed and counter."""
    value = 0xCBF29CE484222325
    for byte in purpose.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK64
    value = mix64((value + GOLDEN64 * (seed + 1)) & MASK64)
    return mix64((value + GOLDEN64 * (counter + 1)) & MASK64)


def hashed_order(key, count):
    """0 .. count-1 in descending order of their hashes as signed 64-bit integers."""
    hashes = [mix64((key + GOLDEN64 * (i + 1)) & MASK64) for i in range(count)]
    return sorted(range(count), key=lambda i: hashes[i] - 2**64 if hashes[i] >= 2**63 else hashes[i], reverse=True)


def random_anchors(row, count, pool_size, key):
    """Anchors for one row of float32 values, by its bits."""
    total = 0
    for j, bits in enumerate(np.asarray(row, dtype=np.float32).view(np.uint32)):
        total += mix64((int(bits) + GOLDEN64 * (j + 1)) & MASK64)
    return hashed_order(mix64((total & MASK64) ^ key), pool_size)[:count]


def greedy_mmr(similarity, keys, count, alpha):
    """One row: the anchors in order of choice, and the smallest lead of a choice over the runner-up."""
    chosen, lead = [], math.inf
    while len(chosen) < count:
        scores = []
        for i in range(len(similarity)):
            if i in chosen:
                scores.append(-math.inf)
            elif not chosen:
                scores.append(float(similarity[i]))
            else:
                redundancy = max(float(keys[i] @ keys[j]) for j in chosen)
                scores.append(alpha * float(similarity[i]) - (1 - alpha) * redundancy)
        best = max(range(len(scores)), key=lambda i: scores[i])
        lead = min(lead, scores[best] - max(s for i, s in enumerate(scores) if i != best))
        chosen.append(best)
    return chosen, lead


class InstanceNormAffine(nn.Module):
    """gamma and beta, one per channel; the arithmetic stands in CaspOracle, where the statistics are."""

    def __init__(self, channels):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))


class PromptPool(nn.Module):
    """f of the paper: E' = W E + b, a linear map from V word vectors to V' anchors."""

    def __init__(self, vocabulary, pool_size):
        super().__init__()
        self.text_prototype_linear = nn.Linear(vocabulary, pool_size)

    def forward(self, word_table):
        return self.text_prototype_linear(word_table.T).T


class FreeAnchors(nn.Module):
    """Anchors that are trained as they are."""

    def __init__(self, pool_size, width):
        super().__init__()
        self.anchors = nn.Parameter(torch.zeros(pool_size, width))

    def forward(self, _word_table):
        return self.anchors


def gated(positive, statistic, gate):
    """g(s+, c) of each pair [N, V']."""
    if gate == "min":
        return torch.minimum(positive, statistic)
    if gate == "product":
        return positive * statistic
    if gate == "threshold":
        return torch.where(statistic > statistic.mean(), positive, torch.zeros_like(positive))
    assert gate == "none"
    return positive


def active_pairs(similarity, statistic, gate):
    """Pairs [N, V'] whose similarity has a gradient where the statistic is a constant."""
    with torch.enable_grad():
        s = similarity.detach().requires_grad_()
        (slope,) = torch.autograd.grad(gated(torch.clamp(s, min=0), statistic.detach(), gate).sum(), s)
    return slope != 0


class CaspOracle(nn.Module):
    """CASP-LLM. forward() gives the forecast [B, H, M] and fills `trace` with every intermediate tensor.

    collect_all asks GPT-2 for all hidden states and attentions, as the public code does; it changes time and memory,
    not values.
    """

    def __init__(self, config, collect_all=False, attention="eager"):
        super().__init__()
        self.config = config
        self.collect_all = collect_all
        settings = GPT2Config(
            vocab_size=config.vocabulary,
            n_positions=config.positions,
            n_embd=config.width,
            n_layer=config.layers,
            n_head=config.heads,
            activation_function="gelu_new",
            layer_norm_epsilon=1e-5,
            resid_pdrop=config.dropout,
            embd_pdrop=config.dropout,
            attn_pdrop=config.dropout,
            attn_implementation=attention,
        )
        self.gpt2 = GPT2Model(settings)
        self.in_layer = nn.Linear(3 * config.patch_length, config.width)
        if config.prompt:
            if config.anchors == "free":
                self.prompt_pool = FreeAnchors(config.pool_size, config.width)
            else:
                self.prompt_pool = PromptPool(config.vocabulary, config.pool_size)
            self.register_buffer("coverage_statistic", torch.zeros(config.pool_size))
        if config.tokens * config.width % config.head_ways != 0:
            raise ValueError("tokens * width must be divisible by head_ways")
        self.out_layer = nn.Linear(config.tokens * config.width // config.head_ways, config.horizon)
        if config.instance_norm_affine:
            self.instance_norm = InstanceNormAffine(config.channels)
        for name, parameter in self.gpt2.named_parameters():
            parameter.requires_grad_("ln" in name or "wpe" in name)
        self.trace = {}
        self.step = 0  # of training, counted from 0; whoever trains counts it

    def trainable(self):
        return [(name, p) for name, p in self.named_parameters() if p.requires_grad]

    def forward(self, lookback):
        c = self.config
        trace = self.trace = {}
        batch, length, channels = lookback.shape

        # Reversible instance normalisation, per window and channel.
        mean = lookback.mean(dim=1, keepdim=True)
        centred = lookback - mean
        std = torch.sqrt((centred * centred).mean(dim=1, keepdim=True) + NORM_EPS)
        normalised = centred / std
        if c.instance_norm_affine:
            normalised = normalised * self.instance_norm.weight + self.instance_norm.bias
        trace["norm.mean"], trace["norm.std"] = mean[:, 0], std[:, 0]

        rows = normalised.permute(0, 2, 1).reshape(batch * channels, length)

        # Decomposition of the whole window in float64, then patches of all three components side by side.
        if c.decomposition:
            parts = self.decompose(rows)
        else:
            parts = torch.stack([rows.double(), torch.zeros_like(rows).double(), torch.zeros_like(rows).double()], 1)
        trace["decomposition.input"] = rows.double()
        for i, name in enumerate(("trend", "seasonal", "residual")):
            trace["decomposition." + name] = parts[:, i]
        last = parts[:, :, -1:].expand(-1, -1, c.patch_stride)
        padded = torch.cat([parts, last], dim=2)
        patches = padded.unfold(2, c.patch_length, c.patch_stride)  # [N, 3, N_p, P]
        patches = patches.permute(0, 2, 1, 3).flatten(2).to(rows.dtype)
        trace["patches"] = patches
        embedding = self.in_layer(patches)
        query = embedding.mean(dim=1)
        trace["embedding"], trace["query"] = embedding, query

        tokens = embedding
        if c.prompt:
            tokens = torch.cat([self._retrieve(query, lookback), embedding], dim=1)
        trace["tokens"] = tokens

        if self.collect_all:
            out = self.gpt2(inputs_embeds=tokens, output_hidden_states=True, output_attentions=True)
        else:
            out = self.gpt2(inputs_embeds=tokens, use_cache=False)
        hidden = out.last_hidden_state
        trace["hidden"] = hidden

        # The flattened hidden states in head_ways contiguous parts, one shared linear map, summed outputs.
        flat = hidden.reshape(batch * channels, c.head_ways, -1)
        rows_out = self.out_layer(flat).sum(dim=1)
        prediction = rows_out.reshape(batch, channels, c.horizon).permute(0, 2, 1)
        if c.instance_norm_affine:
            norm = self.instance_norm
            prediction = (prediction - norm.bias) / (norm.weight + NORM_EPS * NORM_EPS)
        prediction = prediction * std + mean
        trace["prediction"] = prediction
        return prediction

    def decompose(self, rows):
        """[N, L] -> trend, seasonal and residual [N, 3, L] in float64."""
        return PandasDecomposition.apply(rows, self.config.trend_length, self.config.seasonal_length)

    def _retrieve(self, query, lookback):
        """The appendix's algorithm. Returns the prefix [N, K, d]: anchors as they are, in the rule's order."""
        c, trace = self.config, self.trace
        anchors = self.prompt_pool(self.gpt2.wte.weight)
        keys = unit_length(anchors)
        similarity = unit_length(query) @ keys.T
        positive = torch.clamp(similarity, min=0)
        index = self._chosen(similarity.detach(), keys.detach())
        coverage_loss = torch.zeros((), dtype=query.dtype, device=query.device)
        share = 0.0
        if c.coverage_enabled:
            statistic = self.coverage_statistic.detach().clone()
            if self.training:
                decay = c.decay * min(1.0, self.step / c.warmup) if c.warmup > 0 else c.decay
                statistic = decay * statistic + (1 - decay) * positive.mean(dim=0)
                self.coverage_statistic.copy_(statistic.detach())
            if c.stop_gradient:
                statistic = statistic.detach()
            if c.term == "coverage":
                coverage_loss = gated(positive, statistic, c.gate).sum() / query.shape[0]
                share = active_pairs(similarity, statistic, c.gate).double().mean()
            else:
                coverage_loss = self._balance(positive, index).to(query.dtype)
        chosen = similarity.gather(1, index)
        prefix = self._replaced(index, lookback)
        trace["anchors"], trace["similarity"], trace["selected"] = anchors, similarity, prefix
        trace["loss.similarity"] = (1 - chosen).sum() / query.shape[0]
        trace["loss.coverage"] = coverage_loss
        trace["gate_share"] = share
        return anchors[prefix]

    def _chosen(self, similarity, keys):
        """The rule's anchors [N, K]."""
        c = self.config
        if c.rule == "top-k":
            return torch.topk(similarity, c.top_k, dim=1, sorted=True).indices
        picks = [greedy_mmr(row, keys, c.top_k, c.alpha) for row in similarity]
        self.trace["lead"] = min(lead for _, lead in picks)
        return torch.tensor([chosen for chosen, _ in picks])

    def _replaced(self, index, lookback):
        """The anchors that the prefix holds [N, K]."""
        c = self.config
        if c.anchors == "shuffled":
            return torch.tensor(hashed_order(derived_seed(c.seed, "shuffled anchors"), c.pool_size))[index]
        if c.anchors == "random":
            key = derived_seed(c.seed, "random anchors", self.step + 1 if self.training else 0)
            rows = lookback.detach().permute(0, 2, 1).flatten(0, 1).float().numpy()
            return torch.tensor([random_anchors(row, c.top_k, c.pool_size, key) for row in rows])
        return index

    def _balance(self, positive, index):
        """The usage-balancing objective in the coverage term's place, in float64."""
        c = self.config
        usage = positive.double().mean(dim=0)
        usage = usage / usage.sum()
        if c.term == "entropy":
            return sum(p * torch.log(p) for p in usage if p > 0)
        if c.term == "kl-uniform":
            return sum(p * torch.log(p * c.pool_size) for p in usage if p > 0)
        assert c.term == "switch"
        share = torch.bincount(index.flatten(), minlength=c.pool_size).double() / index.numel()
        return c.pool_size * (share * usage).sum()

    def losses(self, lookback, target):
        """forecast, similarity and coverage term (or what is in its place; unweighted) and the weighted total, as tensors of shape []."""
        c = self.config
        channels = list(c.targets) or list(range(c.channels))
        forecast = ((self(lookback)[:, :, channels] - target[:, :, channels]) ** 2).mean()
        zero = torch.zeros_like(forecast)
        similarity = self.trace.get("loss.similarity", zero)
        coverage = self.trace.get("loss.coverage", zero)
        total = forecast + c.lambda_sim * similarity + c.lambda_cov * coverage
        return forecast, similarity, coverage, total


def optimizer_of(model):
    """AdamW over everything trainable; the decay is the same for all of it."""
    c = model.config
    return torch.optim.AdamW(
        [p for _, p in model.trainable()], lr=c.learning_rate, betas=(0.9, 0.999), eps=1e-8,
        weight_decay=c.weight_decay,
    )
