# SPDX-License-Identifier: GPL-3.0-or-later
"""Every trained model of the program in PyTorch, made from a run's settings.

make(settings, channels) gives a Rival: a module with the tensor names of the public code, its forecast and its training
loss. The modules are those that the golden files come from (make_*.py), which compute step by step. With eager=True the
slow steps (a loop over windows, patches or lags) are replaced by what ordinary eager PyTorch code does, on whole batches:
that is what the benchmarks compare with. check_models.py verifies that both give the same forecasts.

settings: the tables of a config.toml as a dictionary ({"data": {...}, "model": {...}, ...}) with every key that the model
reads. `time`: time features of look-back and horizon, [B, L + H, 4], or None.
"""

import copy
import dataclasses

import numpy as np
import torch
from torch import nn

import encoder_models
import make_autoformer_fedformer as decomposition_models
import make_calf
import make_tempo
import make_timellm
from casp_oracle import CaspOracle, Config, decompose_rows
from make_ofa import Ofa
from make_ofa_points import OfaPoints

# config.toml's section and key -> casp_oracle.Config's name, where it is not the key itself
TOML_NAMES = {
    ("coverage", "enabled"): "coverage_enabled", ("train", "batch_size"): "batch", ("backbone", "seed"): "backbone_seed",
}
SIM_COEF = -0.05  # S2IP-LLM's loss, as in make_s2ip_llm.py
SEASONS = {"Yearly": 1, "Quarterly": 4, "Monthly": 12, "Weekly": 1, "Daily": 1, "Hourly": 24}  # of data.frequency, in M4


def casp_config(settings):
    """casp_oracle.Config from the tables of a config.toml."""
    names = {field.name for field in dataclasses.fields(Config)}
    values = {}
    for section, keys in settings.items():
        if isinstance(keys, dict) and section != "sweep":
            for key, value in keys.items():
                name = TOML_NAMES.get((section, key), key)
                if name in names:
                    values[name] = value
    return Config(**values)


class Rival:
    """A module, its forecasts and its loss."""

    aliases = {}  # names that a public state_dict has in addition: the tensor that they repeat

    def __init__(self, module):
        self.module = module

    def constants(self):
        """Further entries of a public state_dict, which hold nothing of the model: name -> tensor."""
        return {}

    def randomise(self, seed):
        """Values that let no error hide: biases and statistics away from 0, norms away from 1."""
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for name, value in self.module.state_dict().items():
                if not value.is_floating_point():
                    continue
                noise = torch.randn(value.shape, generator=generator)
                if name.endswith("running_var"):
                    value.copy_(0.5 + noise.abs())
                elif "inner_correlation.weights" in name:
                    value.copy_(noise / value.shape[1] ** 0.5 * (10 if "cross" in name else 1))
                elif value.dim() == 1:
                    value.add_(0.2 * noise)

    def forecast(self, lookback, time=None):
        """[B, H, M]"""
        return self.module(lookback)

    def loss(self, lookback, time, target):
        return nn.functional.mse_loss(self.forecast(lookback, time), target)

    def trainable(self):
        return [p for p in self.module.parameters() if p.requires_grad]


def replace_classes(module, classes):
    """Gives submodules another forward()."""
    for part in module.modules():
        part.__class__ = classes.get(type(part), type(part))


# DLinear and ridge regression


def smooth(x, length):
    """x [B, T, D]: moving average over time, both ends repeated."""
    side = (length - 1) // 2
    padded = torch.cat([x[:, :1].expand(-1, side, -1), x, x[:, -1:].expand(-1, side, -1)], 1)
    return nn.functional.avg_pool1d(padded.transpose(1, 2), length, 1).transpose(1, 2)


class DLinear(nn.Module):
    def __init__(self, lookback, horizon, channels, moving_avg, individual):
        super().__init__()
        self.moving_avg = moving_avg
        for name in ("Linear_Seasonal", "Linear_Trend"):
            layers = [nn.Linear(lookback, horizon) for _ in range(channels if individual else 1)]
            setattr(self, name, nn.ModuleList(layers) if individual else layers[0])

    def forward(self, x):
        trend = smooth(x, self.moving_avg)
        parts = ((self.Linear_Seasonal, x - trend), (self.Linear_Trend, trend))
        forecasts = []
        for layer, part in parts:
            rows = part.transpose(1, 2)
            if isinstance(layer, nn.ModuleList):
                forecasts.append(torch.stack([one(rows[:, m]) for m, one in enumerate(layer)], 1))
            else:
                forecasts.append(layer(rows))
        return sum(forecasts).transpose(1, 2)


def make_dlinear(settings, channels, _eager):
    own = settings["dlinear"]
    return Rival(DLinear(*sizes(settings), channels, own["moving_avg"], own["individual"]))


class Ridge(nn.Linear):
    """Not a public model: a linear layer on the centred look-back."""

    def forward(self, x):
        mean = x.mean(1, keepdim=True)
        return super().forward((x - mean).transpose(1, 2)).transpose(1, 2) + mean


def make_ridge(settings, _channels, _eager):
    return Rival(Ridge(*sizes(settings)))


def sizes(settings):
    return settings["data"]["lookback"], settings["data"]["horizon"]


def backbone_of(settings):
    """Its sizes and kind; random weights make no other module."""
    backbone = settings["backbone"]
    kind = "gpt2" if backbone["kind"] == "random" else backbone["kind"]
    return {key: backbone[key] for key in ("width", "heads", "layers", "vocabulary", "positions")} | {"kind": kind}


# PatchTST and iTransformer


class Encoded(Rival):
    def forecast(self, lookback, time=None):
        return self.module(lookback, time)


def position_table(width):
    return torch.zeros(1, 5000, width)


class PatchTstRival(Encoded):
    def constants(self):
        return {"patch_embedding.position_embedding.pe": position_table(self.module.encoder.norm[1].num_features)}


class WholePatchEmbedding(encoder_models.PatchEmbedding):
    def forward(self, rows):
        padded = nn.functional.pad(rows, (0, self.stride), mode="replicate")
        tokens = self.value_embedding(padded.unfold(1, self.length, self.stride))
        return self.drop(tokens + encoder_models.positions(*tokens.shape[1:]).to(rows.dtype))


def make_patchtst(settings, channels, eager):
    shape = settings["patchtst"] | settings["data"] | {"channels": channels}
    model = encoder_models.PatchTst(shape)
    if eager:
        replace_classes(model, {encoder_models.PatchEmbedding: WholePatchEmbedding})
    return PatchTstRival(model)


def make_itransformer(settings, channels, _eager):
    return Encoded(encoder_models.ITransformer(settings["itransformer"] | settings["data"] | {"channels": channels}))


# Autoformer and FEDformer


class DecompositionRival(Encoded):
    def constants(self):
        width = self.module.shape.d_model
        return {f"{name}_embedding.position_embedding.pe": position_table(width) for name in ("enc", "dec")}


def eager_decompose(x, length):
    trend = smooth(x, length)
    return x - trend, trend


class EagerLayer(decomposition_models.Layer):
    decompose = staticmethod(eager_decompose)


class EagerModel(decomposition_models.Model):
    decompose = staticmethod(eager_decompose)


class GatheredLagMixing(decomposition_models.LagMixing):
    """One roll per lag of a training batch; one gather per lag in evaluation, where windows have lags of their own."""

    def forward(self, q, k, v):
        steps = q.shape[1]
        missing = steps - k.shape[1]
        if missing > 0:
            k, v = (nn.functional.pad(z, (0, 0, 0, 0, 0, missing)) for z in (k, v))
        k, v = k[:, :steps], v[:, :steps]
        correlation = torch.fft.irfft(torch.fft.rfft(q, dim=1) * torch.fft.rfft(k, dim=1).conj(), dim=1)
        score = correlation.mean((2, 3))
        kept = int(self.factor * np.log(steps))
        mixed = torch.zeros_like(v)
        if self.training:
            lags = score.mean(0).topk(kept).indices
            weights = torch.softmax(score[:, lags], 1)
            for i, lag in enumerate(lags.tolist()):
                mixed = mixed + torch.roll(v, -lag, 1) * weights[:, i, None, None, None]
            return mixed
        values, lags = score.topk(kept, 1)
        weights = torch.softmax(values, 1)
        twice = torch.cat([v, v], 1)
        step = torch.arange(steps)[None]
        for i in range(kept):
            place = (step + lags[:, i, None])[:, :, None, None].expand_as(v)
            mixed = mixed + twice.gather(1, place) * weights[:, i, None, None, None]
        return mixed


class WholeFourierMixing(decomposition_models.FourierMixing):
    """All frequencies in one product; the public code multiplies them one by one."""

    def forward(self, q, _k, _v):
        spectrum = torch.fft.rfft(q, dim=1)
        there = (self.index < spectrum.shape[1]) & (torch.arange(len(self.index)) < spectrum.shape[1])
        found = torch.zeros_like(spectrum)
        found[:, there.nonzero()[:, 0]] = torch.einsum(
            "bmhi,hiom->bmho", spectrum[:, self.index[there]], self.weights()[..., there])
        return torch.fft.irfft(found, n=q.shape[1], dim=1).permute(0, 2, 3, 1).reshape(q.shape)


class WholeFourierCrossMixing(decomposition_models.FourierCrossMixing):
    @staticmethod
    def chosen(x, index):
        spectrum = torch.fft.rfft(x, dim=1)
        there = index < spectrum.shape[1]
        found = spectrum.new_zeros(x.shape[0], len(index), *x.shape[2:])
        found[:, there] = spectrum[:, index[there]]
        return found.permute(0, 2, 3, 1)

    def forward(self, q, k, _v):
        steps = q.shape[1]
        query, key = self.chosen(q, self.index_q), self.chosen(k, self.index_kv)
        map_ = query.transpose(2, 3) @ key
        map_ = torch.complex(map_.real.tanh(), map_.imag.tanh())
        weighted = torch.einsum("bhex,heox->bhox", key @ map_.transpose(2, 3), self.weights())
        there = self.index_q < steps // 2 + 1
        found = weighted.new_zeros(*weighted.shape[:3], steps // 2 + 1)
        found[..., self.index_q[there]] = weighted[..., there] / self.scale
        return torch.fft.irfft(found, n=steps).reshape(q.shape)


def make_decomposition(settings, channels, eager):
    name = settings["model"]["name"]
    own = dict(settings[name])
    dropout = own.pop("dropout")
    lookback, horizon = sizes(settings)
    shape = decomposition_models.Shape(model=name, lookback=lookback, horizon=horizon, channels=channels, **own)
    model = decomposition_models.Model(shape, settings["train"]["seed"], dropout)
    if eager:
        m = decomposition_models
        replace_classes(model, {
            m.Layer: EagerLayer, m.Model: EagerModel, m.LagMixing: GatheredLagMixing, m.FourierMixing: WholeFourierMixing,
            m.FourierCrossMixing: WholeFourierCrossMixing,
        })
    return DecompositionRival(model)


# OFA, CALF, Time-LLM


class OfaRival(Rival):
    def constants(self):
        """Masks of attention, as older versions of transformers save them."""
        if not hasattr(self.module, "gpt2"):
            return {}
        size = self.module.gpt2.config.n_positions
        return {f"gpt2.h.{i}.attn.bias": torch.ones(1, 1, size, size).tril() for i in range(len(self.module.gpt2.h))}


class OfaPointsRival(OfaRival):
    def constants(self):
        """With layers of the public network that no forecast reads."""
        c = self.module
        width = c.enc_embedding.value_embedding.tokenConv.out_channels
        return super().constants() | {
            "enc_embedding.position_embedding.pe": position_table(width),
            "enc_embedding.temporal_embedding.embed.weight": torch.ones(width, 4),
            "predict_linear.weight": torch.ones(1, 1), "predict_linear.bias": torch.ones(1),
            "ln.weight": torch.ones(c.d_ff), "ln.bias": torch.ones(c.d_ff),
        }


class EagerOfaPoints(OfaPoints):
    def along_time(self, points):
        return self.predict_linear_pre(points.transpose(1, 2)).transpose(1, 2)


def make_ofa(settings, _channels, eager):
    lookback, horizon = sizes(settings)
    own, backbone = settings["ofa"], settings["backbone"] | backbone_of(settings)
    if own.get("network", "patches") == "points":
        kind = EagerOfaPoints if eager else OfaPoints
        return OfaPointsRival(kind(lookback, horizon, own["d_model"], own["d_ff"], **backbone))
    return OfaRival(Ofa(lookback, horizon, own["patch_size"], own["stride"], **backbone))


class CalfRival(Rival):
    def randomise(self, seed):
        make_calf.randomise(self.module, np.random.default_rng(seed))

    def forecast(self, lookback, time=None):
        return self.module(lookback)[0][0]

    def loss(self, lookback, time, target):
        return self.module.losses(lookback, target)[1]["total"]


class EagerCalf(make_calf.Calf):
    def words(self):
        if not hasattr(self, "kept_words"):
            self.kept_words = super().words()
        return self.kept_words

    def check_edges(self, edges):
        pass


def make_calf_rival(settings, channels, eager):
    lookback, horizon = sizes(settings)
    own = {key: value for key, value in settings["calf"].items() if key != "lora_dropout"}
    shape = dict(lookback=lookback, horizon=horizon, channels=channels, feed_forward=2048, **own, **backbone_of(settings))
    frequency = settings["data"].get("frequency", "")
    config = make_calf.M4Config(season=SEASONS[frequency], **shape) if frequency else make_calf.Config(**shape)
    kind = EagerCalf if eager else make_calf.Calf
    return CalfRival(kind(config, settings["calf"]["lora_dropout"]))


class TimeLlmRival(Rival):
    """The prompts show every digit of float32 values. The last bit of a mean depends on the order of its sum, so the moments
    are rounded once, from float64, as in the program."""

    aliases = {"word_embeddings": "llm_model.wte.weight"}

    def forecast(self, lookback, time=None):
        c = self.module.config
        variance, mean = (m.float() for m in torch.var_mean(lookback.double(), 1, correction=0, keepdim=True))
        deviation = torch.sqrt((variance + 1e-5).double()).float()
        rows = ((lookback - mean) / deviation).permute(0, 2, 1).flatten(0, 1)
        self.module.tokens = [make_timellm.tokens_of(make_timellm.prompt_of(row, c), c) for row in rows.cpu().numpy()]
        return self.module(lookback)


class EagerTimeLlm(make_timellm.TimeLLM):
    """All rows at once, prompts padded on the left and masked."""

    def forward(self, lookback):
        c, layer = self.config, self.reprogramming_layer
        drop = lambda x: nn.functional.dropout(x, self.dropout, self.training)  # noqa: E731
        mean = lookback.mean(1, keepdim=True)
        std = torch.sqrt(lookback.var(1, keepdim=True, correction=0) + 1e-5)
        rows = ((lookback - mean) / std).permute(0, 2, 1).flatten(0, 1)
        padded = nn.functional.pad(rows, (0, c.stride), mode="replicate")
        patches = padded.unfold(1, c.patch_len, c.stride).transpose(1, 2)
        embedded = drop(self.patch_embedding.value_embedding.tokenConv(patches).transpose(1, 2))
        table = self.llm_model.wte.weight
        prototypes = self.mapping_layer(table.T).T
        split = lambda x: x.unflatten(-1, (c.n_heads, -1))  # noqa: E731
        q, k, v = split(layer.query_projection(embedded)), split(layer.key_projection(prototypes)), split(
            layer.value_projection(prototypes))
        weights = drop(torch.softmax(torch.einsum("nphe,she->nhps", q, k) / c.d_ff**0.5, -1))
        mixed = layer.out_projection(torch.einsum("nhps,she->nphe", weights, v).flatten(2))
        longest = max(len(tokens) for tokens in self.tokens)
        ids = torch.tensor([[0] * (longest - len(tokens)) + tokens for tokens in self.tokens])
        mask = torch.tensor([[0] * (longest - len(tokens)) + [1] * (len(tokens) + c.patches) for tokens in self.tokens])
        hidden = torch.cat([table[ids], mixed], 1)
        if c.kind == "gpt2":
            hidden = self.llm_model(inputs_embeds=hidden, attention_mask=mask,
                                    position_ids=(mask.cumsum(1) - 1).clamp(min=0), use_cache=False).last_hidden_state
        elif self.backbone is not None:
            hidden = self.backbone(hidden, mask == 0)
        read = hidden[:, -c.patches:, : c.channels_read].transpose(1, 2).flatten(1)
        out = drop(self.output_projection.linear(read)).unflatten(0, (lookback.shape[0], -1)).permute(0, 2, 1)
        return out * std + mean


def make_time_llm(settings, channels, eager):
    lookback, horizon = sizes(settings)
    own = dict(settings["time-llm"])
    dropout = own.pop("dropout")
    own["description"] = own["description"] or "A time series measured at regular intervals."
    config = make_timellm.Config(lookback=lookback, horizon=horizon, channels=channels, **own, **backbone_of(settings))
    model = (EagerTimeLlm if eager else make_timellm.TimeLLM)(config, dropout)
    model.dropout = dropout
    return TimeLlmRival(model)


# TEMPO


class TempoRival(Rival):
    """The loss has the terms of the pool, with coverage.warmup = 0."""

    def __init__(self, module, coverage):
        super().__init__(module)
        c = module.c
        self.pool = c.prompt and c.pool
        self.coverage = self.pool and coverage
        if self.coverage:
            module.register_buffer("coverage_statistic", torch.zeros(c.pool_size))

    def constants(self):
        """Tensors of the public state_dict that no forecast reads."""
        c = self.module.c
        unused = {"mul_season.a": torch.ones(2, 1), "mul_season.b": torch.ones(2, 1),
                  "map_resid.weight": torch.ones(c.lookback, c.lookback), "map_resid.bias": torch.ones(c.lookback)}
        for name in ("rev_in_season", "rev_in_noise"):
            unused |= {name + ".affine_weight": torch.ones(1), name + ".affine_bias": torch.zeros(1)}
        for name in make_tempo.COMPONENTS if self.pool else ():
            layer = "prompt_layer_" + name
            unused |= {layer + ".weight": torch.ones(c.width, c.width), layer + ".bias": torch.ones(c.width)}
        return unused

    def randomise(self, seed):
        make_tempo.randomise(self.module, np.random.default_rng(seed))

    def loss(self, lookback, time, target):
        total, c = super().loss(lookback, time, target), self.module.c
        if not self.pool:
            return total
        cosines = torch.cat([part.reshape(-1, c.pool_size) for part in self.module.cosines])
        chosen = torch.cat([part.reshape(-1, c.top_k) for part in self.module.chosen])
        total = total + c.lambda_sim * (1 - cosines.gather(1, chosen)).sum(1).mean()
        if self.coverage:
            positive, statistic = cosines.clamp_min(0), self.module.coverage_statistic
            statistic.mul_(c.decay).add_((1 - c.decay) * positive.detach().mean(0))
            total = total + c.lambda_cov * torch.minimum(positive, statistic).sum(1).mean()
        return total


class EagerTempo(make_tempo.Tempo):
    """All rows at once."""

    def prompts(self, name, patches):
        """[N, tokens, d] of a component with embedded patches [N, N_p, d]."""
        c, rows = self.c, patches.shape[0]
        if not c.pool:
            return getattr(self, "prompt_layer_" + name)(self.word_vectors(name)).expand(rows, -1, -1)
        query = self.summary_map(patches.reshape(rows, c.width, c.patches)).squeeze(2)
        keys = torch.stack([*self.prompt_key_dict.values()])
        cosines = nn.functional.normalize(query, dim=1) @ nn.functional.normalize(keys, dim=1).T
        chosen = cosines.topk(c.top_k, 1).indices
        self.cosines.append(cosines)
        self.chosen.append(chosen)
        return torch.stack([*self.prompt_value_dict.values()])[chosen].flatten(1, 2)

    def forward(self, lookback):
        c = self.c
        self.cosines, self.chosen = [], []
        mean = lookback.mean(1, keepdim=True)
        std = torch.sqrt(lookback.var(1, keepdim=True, correction=0) + 1e-5)
        weight, bias = self.rev_in_trend.affine_weight, self.rev_in_trend.affine_bias
        rows = ((lookback - mean) / std * weight + bias).transpose(1, 2).flatten(0, 1)
        trend = self.map_trend(smooth(rows.unsqueeze(2), c.moving_avg).squeeze(2))
        season = self.map_season(rows - trend)
        blocks = []
        for name, part in zip(make_tempo.COMPONENTS, (trend, season, rows - trend - season)):
            padded = nn.functional.pad(part, (0, c.stride), mode="replicate")
            patches = getattr(self, "in_layer_" + name)(padded.unfold(1, c.patch_size, c.stride))
            blocks.append(torch.cat([self.prompts(name, patches), patches], 1) if c.prompt else patches)
        hidden = self.hidden(torch.cat(blocks, 1))
        first = 0 if c.use_token else c.prompt_tokens
        out = sum(getattr(self, "out_layer_" + name)(part[:, first:].flatten(1))
                  for name, part in zip(make_tempo.COMPONENTS, hidden.chunk(3, 1)))
        out = out.unflatten(0, (lookback.shape[0], -1)).transpose(1, 2)
        return (out - bias) / (weight + 1e-10) * std + mean


def make_tempo_rival(settings, channels, eager):
    lookback, horizon = sizes(settings)
    own = dict(settings["tempo"])
    lora_dropout = own.pop("lora_dropout")
    weights = {key: settings["loss"][key] for key in ("lambda_sim", "lambda_cov")}
    config = make_tempo.Config(
        lookback=lookback, horizon=horizon, channels=channels, decay=settings["coverage"]["decay"], **weights, **own,
        **backbone_of(settings))
    module = (EagerTempo if eager else make_tempo.Tempo)(config, settings["backbone"]["dropout"], lora_dropout)
    return TempoRival(module, settings["coverage"]["enabled"])


# CASP-LLM and S2IP-LLM


class CaspRival(Rival):
    aliases = {"prompt_pool.wte": "gpt2.wte.weight"}

    def __init__(self, config, eager):
        super().__init__(CaspOracle(config, collect_all=eager))
        self.coverage = config.coverage_enabled
        if not self.coverage:
            del self.module.coverage_statistic

    def loss(self, lookback, time, target):
        if self.coverage:
            return self.module.losses(lookback, target)[3]
        forecast = super().loss(lookback, time, target)
        trace = self.module.trace
        retrieved = trace["similarity"].gather(1, trace["selected"]).sum() / trace["similarity"].shape[0]
        return forecast + SIM_COEF * retrieved


def make_casp_llm(settings, channels, eager):
    config = dataclasses.replace(casp_config(settings), channels=channels)
    if settings["model"]["name"] == "s2ip-llm":
        config = dataclasses.replace(config, coverage_enabled=False, lambda_cov=0.0)
    return CaspRival(config, eager)


class WholeDecompositionCasp(CaspOracle):
    """The decomposition as the one matrix that it is, instead of pandas row by row."""

    def decompose(self, rows):
        return torch.einsum("nj,jci->nci", rows.double(), self.basis)


def fuse(rival):
    """For torch.compile: fused attention, no hidden states of all layers, and nothing on the host."""
    for part in rival.module.modules():
        if hasattr(part, "set_attn_implementation"):
            part.set_attn_implementation("sdpa")
        if isinstance(part, CaspOracle):
            c = part.config
            part.__class__ = WholeDecompositionCasp
            part.collect_all = False
            part.basis = torch.from_numpy(decompose_rows(np.eye(c.lookback), c.trend_length, c.seasonal_length))  # [L, 3, L]


MAKERS = {
    "casp-llm": make_casp_llm, "s2ip-llm": make_casp_llm, "ofa": make_ofa, "time-llm": make_time_llm,
    "calf": make_calf_rival, "tempo": make_tempo_rival, "patchtst": make_patchtst, "itransformer": make_itransformer,
    "autoformer": make_decomposition, "fedformer": make_decomposition, "dlinear": make_dlinear, "ridge": make_ridge,
}


def make(settings, channels, eager=False):
    """The model of settings["model"]["name"] with random weights, in evaluation mode."""
    rival = MAKERS[settings["model"]["name"]](copy.deepcopy(settings), channels, eager)
    rival.module.eval()
    return rival
