# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/s2ip_llm: S2IP-LLM, from the oracle of CASP-LLM without coverage and with its own loss.

    python make_s2ip_llm.py [--out DIR]

The loss is that of the public code: MSE + sim_coef · R, with sim_coef < 0 and R the sum over the K retrieved anchors of
their cosine, averaged over the rows; one step of Adam without weight decay. A seed is taken only if ranks lie apart
(make_golden.py) and float64 gives the stored values again.
"""

import argparse
import copy
import dataclasses
import json
import pathlib

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

from casp_oracle import CaspOracle, Config
from make_golden import Fragile, check_edges, make_batches, randomise

SIM_COEF = -0.05
LEARNING_RATE = 1e-3
SMALL = Config(
    lookback=61, horizon=7, channels=3, batch=2, trend_length=9, seasonal_length=8, pool_size=20, top_k=4, width=24,
    heads=2, layers=1, vocabulary=97, positions=22, coverage_enabled=False,
)
CASES = {
    "k4": SMALL,
    "k1_one_channel": dataclasses.replace(
        SMALL, lookback=64, horizon=5, channels=1, batch=4, trend_length=12, seasonal_length=7, top_k=1, width=30,
        heads=3, layers=2,
    ),
}


def evaluate(model, lookback, target):
    dtype = model.in_layer.weight.dtype
    optimizer = torch.optim.Adam([p for _, p in model.trainable()], lr=LEARNING_RATE)
    prediction = model(lookback.to(dtype))
    similarity = model.trace["similarity"]
    index = model.trace["selected"]
    retrieved = similarity.gather(1, index).sum() / similarity.shape[0]
    forecast = nn.functional.mse_loss(prediction, target.to(dtype))
    (forecast + SIM_COEF * retrieved).backward()
    result = {"prediction": prediction.detach(), "similarity": similarity.detach(), "retrieved": retrieved.detach()}
    result["loss.forecast"] = forecast.detach()
    result.update({"grad." + name: p.grad.clone() for name, p in model.trainable()})
    optimizer.step()
    result.update({"after1." + name: p.detach().clone() for name, p in model.trainable()})
    return {**result, "selected": index}


def difference(a, b):
    return ((a.double() - b.double()).abs().max() / b.double().abs().max().clamp(min=1e-30)).item()


def make_case(config, seed):
    generator = np.random.default_rng(seed)
    model = CaspOracle(config)
    randomise(model, generator)
    lookback, target = make_batches(config, generator, {})[0]
    parameters = {"param." + name: p.detach().clone() for name, p in model.named_parameters()}
    exact = evaluate(copy.deepcopy(model).double(), lookback, target)
    result = evaluate(model, lookback, target)
    check_edges(model)
    worst = max(difference(result[name], exact[name]) for name in exact)
    if worst > 1e-5:
        raise Fragile(f"differs from float64 by {worst:.1e}")
    return {**parameters, **result, "lookback": lookback, "target": target}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    folder = pathlib.Path(__file__).resolve().parent.parent / "golden" / "s2ip_llm"
    parser.add_argument("--out", type=pathlib.Path, default=folder)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    for name, config in CASES.items():
        for seed in range(300):
            try:
                tensors = make_case(config, seed)
                break
            except Fragile as reason:
                print(f"    {name}: seed {seed}: {reason}", flush=True)
        else:
            raise SystemExit(f"{name}: no robust seed")
        path = arguments.out / f"{name}.safetensors"
        values = {**dataclasses.asdict(config), "sim_coef": SIM_COEF, "learning_rate": LEARNING_RATE}
        save_file({k: v.contiguous() for k, v in sorted(tensors.items())}, str(path),
                  {"model": "s2ip-llm", "config": json.dumps(values)})
        print(f"{path.name}: seed {seed}, {path.stat().st_size / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    main()
