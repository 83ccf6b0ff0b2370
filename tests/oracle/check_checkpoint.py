# SPDX-License-Identifier: GPL-3.0-or-later
"""Exchanges checkpoints with CASP Studio, both ways, as a user of the public PyTorch model would.

    python check_checkpoint.py load RUN [--data FILE.csv]
    python check_checkpoint.py load FILE.safetensors --config VALUES [--input FILE] [--tolerance 1e-5]
    python check_checkpoint.py make OUT.safetensors  --config VALUES [--input FILE] [--seed 1]
    python check_checkpoint.py golden FOLDER

CASP-LLM only; check_models.py does both ways for every model.

--config is a JSON file or text with the names of casp_oracle.Config, or a run's config.toml.
load  load_state_dict(strict=False), then strict, with the names of the public S2IP-LLM model; reports missing and
      unexpected tensors (exit 1 if there are any beside `prompt_pool.wte`, or a shape differs). With --input,
      forecasts its `lookback` [B, L, M] (scaled values) and compares with its `prediction` [B, H, M] (exit 1 beyond
      the tolerance, relative to the largest value). RUN, a finished run's folder, has all of this: best.safetensors,
      config.toml, and the test windows in arrays.h5.
make  writes a model with random weights; with --input FILE also FILE with random `lookback` and the `prediction`.
golden  writes tests/golden/exchange: a checkpoint as the public model would save it, a CSV, the forecasts of its test
      windows, and the names, shapes and types of state_dict(), here and at the size of ETTh1-96.
"""

import argparse
import dataclasses
import json
import pathlib
import sys

import numpy as np
import pandas as pd
import torch
from safetensors.torch import load_file, save_file

from casp_oracle import CaspOracle, Config
from public_models import casp_config

ALIAS = "prompt_pool.wte"  # there, the word vectors a second time
OURS = "coverage_statistic"  # not there


class PublicModel(CaspOracle):
    """With the names that the public S2IP-LLM model registers: no statistic, and the word vectors in two places."""

    def __init__(self, config):
        super().__init__(dataclasses.replace(config, coverage_enabled=False, lambda_cov=0.0))
        del self.coverage_statistic
        self.prompt_pool.wte = self.gpt2.wte.weight


def read_config(text):
    """Config from JSON text, a JSON file or a run's config.toml. Unknown names of JSON are errors."""
    path = pathlib.Path(text)
    if not text.lstrip().startswith("{"):
        text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        import tomllib

        return casp_config(tomllib.loads(text))
    values = json.loads(text)
    unknown = set(values) - {field.name for field in dataclasses.fields(Config)}
    if unknown:
        raise SystemExit("unknown names in the configuration: " + ", ".join(sorted(unknown)))
    return Config(**values)


def with_channels(config, tensors):
    """The number of channels, which no configuration file holds, from the tensors where they tell it."""
    if "instance_norm.weight" in tensors:
        return dataclasses.replace(config, channels=tensors["instance_norm.weight"].numel())
    return config


def of_run(folder, csv):
    """lookback, prediction and first rows of a finished run's test windows, with the scaler that it recorded."""
    import tomllib

    import h5py

    if csv is None:
        csv = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))["data"]["path"]
    with h5py.File(folder / "run.h5") as file:
        names = [name.decode() for name in file["data/channel_names"][...]]
        mean, std = file["data/mean"][...], file["data/std"][...]
    values = (pd.read_csv(csv)[names].to_numpy(np.float64) - mean) / std
    with h5py.File(folder / "arrays.h5") as file:
        start = file["forecast/test/start"][...]
        prediction = torch.from_numpy(file["forecast/test/prediction"][...])
    length = read_config(str(folder / "config.toml")).lookback
    lookback = np.stack([values[first : first + length] for first in start])
    return {"lookback": torch.from_numpy(lookback).float(), "prediction": prediction, "start": torch.from_numpy(start)}


def load(arguments):
    place, config, data = pathlib.Path(arguments.file), arguments.config, None
    if place.is_dir():
        config = config or read_config(str(place / "config.toml"))
        data = of_run(place, arguments.data)
        place = place / "best.safetensors"
    elif arguments.input:
        data = load_file(arguments.input)
    tensors = load_file(place)
    model = CaspOracle(with_channels(config, tensors)).eval()
    own = {name: value.shape for name, value in model.state_dict().items()}
    wrong = [f"{n}: found {list(t.shape)}, expected {list(own[n])}" for n, t in tensors.items()
             if n in own and t.shape != own[n]]
    if wrong:
        print("shapes differ:", *wrong, sep="\n  ")
        return 1
    types = sorted({str(t.dtype) for t in tensors.values()})
    result = model.load_state_dict(tensors, strict=False)
    unexpected = [name for name in result.unexpected_keys if name != ALIAS]
    print(f"{len(tensors)} tensors, {', '.join(types)}; missing: {result.missing_keys}; unexpected: {unexpected}")
    good = not result.missing_keys and not unexpected and types == ["torch.float32"]
    models = {"with the coverage statistic": model}
    if config.prompt and not config.instance_norm_affine:  # what the public model can hold
        public = PublicModel(model.config).eval()
        result = public.load_state_dict(tensors, strict=False)
        good = good and set(result.missing_keys) <= {ALIAS} and set(result.unexpected_keys) <= {OURS, ALIAS}
        there = {ALIAS: tensors["gpt2.wte.weight"]} | {n: t for n, t in tensors.items() if n != OURS}
        public.load_state_dict(there, strict=True)
        print(f"public names: missing: {result.missing_keys}; unexpected: {result.unexpected_keys}; strict with "
              f"{ALIAS} and without {OURS}: yes")
        models["public names"] = public
    for what, loaded in models.items() if data else ():
        with torch.no_grad():
            forecast = torch.cat([loaded(part) for part in data["lookback"].split(64)])
        scale = forecast.abs().max().item()
        relative = (forecast - data["prediction"]).abs().max().item() / scale
        print(f"forecast {list(forecast.shape)}, {what}: largest difference {relative:.2e} of the largest value "
              f"{scale:.4g}")
        good = good and relative <= arguments.tolerance  # a NaN is not good
    print("agrees" if good else "DOES NOT AGREE")
    return 0 if good else 1


def make(arguments):
    torch.manual_seed(arguments.seed)
    config = arguments.config
    model = CaspOracle(config).eval()
    if config.prompt:
        model.coverage_statistic.uniform_(0, 0.5)
    save_file({name: value.clone().contiguous() for name, value in model.state_dict().items()}, arguments.file)
    if arguments.input:
        lookback = torch.randn(min(config.batch, 4), config.lookback, config.channels).cumsum(1) * 0.1
        with torch.no_grad():
            prediction = model(lookback)
        save_file({"lookback": lookback, "prediction": prediction.contiguous()}, arguments.input)
    print(f"wrote {arguments.file}")
    return 0


def describe(model):
    """name -> [type as safetensors calls it, shape], in the order of state_dict()."""
    names = {torch.float32: "F32", torch.float64: "F64", torch.int64: "I64", torch.uint8: "U8", torch.bool: "BOOL"}
    return {name: [names[value.dtype], list(value.shape)] for name, value in model.state_dict().items()}


def golden(arguments):
    from make_golden import Fragile, check_edges, randomise

    folder = pathlib.Path(arguments.file)
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    config = Config(lookback=48, horizon=12, channels=2, trend_length=13, seasonal_length=12, pool_size=30, top_k=4,
                    width=24, heads=2, layers=2, vocabulary=100, positions=16)
    # 160 hours; the split of unknown files: 70 % to train, the last 20 % to test, whose first lookback lies before.
    generator = np.random.default_rng(5)
    time = np.arange(160)
    values = np.stack([3 + np.sin(2 * np.pi * time / 24) + 0.01 * time, 40 + 8 * np.cos(2 * np.pi * time / 12)], 1)
    values += generator.normal(0, [0.2, 1.5], values.shape)
    table = pd.DataFrame(values.round(4), columns=["load", "temperature"])
    table.insert(0, "date", pd.date_range("2024-01-01", periods=len(time), freq="h").strftime("%Y-%m-%d %H:%M:%S"))
    table.to_csv(folder / "series.csv", index=False)
    values = pd.read_csv(folder / "series.csv")[["load", "temperature"]].to_numpy()
    train, test = int(len(values) * 0.7), int(len(values) * 0.2)
    scaled = torch.from_numpy((values - values[:train].mean(0)) / values[:train].std(0)).float()
    starts = range(len(values) - test - config.lookback, len(values) - config.lookback - config.horizon + 1)
    lookback = torch.stack([scaled[s : s + config.lookback] for s in starts])
    truth = torch.stack([scaled[s + config.lookback : s + config.lookback + config.horizon] for s in starts])

    for seed in range(500):
        model = PublicModel(config).eval()
        randomise(model, np.random.default_rng([seed, 7]))
        with torch.no_grad():
            prediction = model(lookback)
        try:
            check_edges(model)
            break
        except Fragile as reason:
            print(f"seed {seed}: {reason}")
    else:
        raise SystemExit("no robust seed")
    exact = PublicModel(config).double().eval()
    exact.load_state_dict(model.state_dict())
    with torch.no_grad():
        difference = (exact(lookback.double()) - prediction).abs().max() / prediction.abs().max()
    print(f"seed {seed}; float64 differs by {difference:.1e}")
    # safetensors stores no tensor twice unless it is copied.
    save_file({name: value.clone() for name, value in model.state_dict().items()}, folder / "public.safetensors",
              {"format": "pt"})
    save_file({"prediction": prediction.contiguous(), "truth": truth, "start": torch.tensor(list(starts)),
               "mse": ((prediction.double() - truth.double()) ** 2).mean()[None]},
              folder / "expected.safetensors", {"config": json.dumps(dataclasses.asdict(model.config))})
    with torch.device("meta"):
        full = PublicModel(Config())
    tables = {"small": describe(model), "etth1_96": describe(full)}
    text = ",\n".join(f' "{key}": {{\n' + ",\n".join(f"  {json.dumps(n)}: {json.dumps(v)}" for n, v in table.items())
                      + "\n }" for key, table in tables.items())
    (folder / "state_dict.json").write_text("{\n" + text + "\n}\n")
    print(f"wrote {folder}: {sum(f.stat().st_size for f in folder.iterdir()) / 1000:.0f} kB")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["load", "make", "golden"])
    parser.add_argument("file")
    parser.add_argument("--config", type=read_config)
    parser.add_argument("--input", help="safetensors file with lookback and prediction")
    parser.add_argument("--data", help="the run's CSV, where it lies elsewhere now")
    parser.add_argument("--tolerance", type=float, default=1e-5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.config is None and arguments.action != "golden" and not pathlib.Path(arguments.file).is_dir():
        parser.error("--config is needed")
    return {"load": load, "make": make, "golden": golden}[arguments.action](arguments)


if __name__ == "__main__":
    sys.exit(main())
