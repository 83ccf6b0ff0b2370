# SPDX-License-Identifier: GPL-3.0-or-later
"""Exchanges checkpoints with CASP Studio, both ways, as a user of the public PyTorch model would.

    python check_checkpoint.py load RUN/best.safetensors --config VALUES [--input FILE] [--tolerance 1e-5]
    python check_checkpoint.py make OUT.safetensors      --config VALUES [--input FILE] [--seed 1]

--config is a JSON file or text with the names of casp_oracle.Config, or a run's config.toml.
load  load_state_dict(strict=False); reports missing and unexpected tensors (exit 1 if there are any beside
      `prompt_pool.wte`, or a shape differs) and, with --input, forecasts its `lookback` [B, L, M] (scaled values)
      and compares with its `prediction` [B, H, M] (exit 1 beyond the tolerance, relative to the largest value).
make  writes a model with random weights; with --input FILE also FILE with random `lookback` and the `prediction`.
"""

import argparse
import dataclasses
import json
import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file

from casp_oracle import CaspOracle, Config

# config.toml's section and key -> Config's name, where it is not the key itself
TOML_NAMES = {("coverage", "enabled"): "coverage_enabled", ("train", "batch_size"): "batch"}


def read_config(text):
    """Config from JSON text, a JSON file or a run's config.toml. Unknown names of JSON are errors."""
    path = pathlib.Path(text)
    if not text.lstrip().startswith("{"):
        text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        import tomllib

        names = {field.name for field in dataclasses.fields(Config)}
        values = {}
        for section, keys in tomllib.loads(text).items():
            if isinstance(keys, dict) and section != "sweep":
                for key, value in keys.items():
                    name = TOML_NAMES.get((section, key), key)
                    if name in names:
                        values[name] = value
        return Config(**values)
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


def load(arguments):
    tensors = load_file(arguments.file)
    model = CaspOracle(with_channels(arguments.config, tensors)).eval()
    own = {name: value.shape for name, value in model.state_dict().items()}
    wrong = [f"{n}: found {list(t.shape)}, expected {list(own[n])}" for n, t in tensors.items()
             if n in own and t.shape != own[n]]
    if wrong:
        print("shapes differ:", *wrong, sep="\n  ")
        return 1
    types = sorted({str(t.dtype) for t in tensors.values()})
    result = model.load_state_dict(tensors, strict=False)
    unexpected = [name for name in result.unexpected_keys if name != "prompt_pool.wte"]
    print(f"{len(tensors)} tensors, {', '.join(types)}; missing: {result.missing_keys}; unexpected: {unexpected}")
    good = not result.missing_keys and not unexpected and types == ["torch.float32"]
    if arguments.input:
        data = load_file(arguments.input)
        with torch.no_grad():
            forecast = model(data["lookback"])
        scale = forecast.abs().max().item()
        relative = (forecast - data["prediction"]).abs().max().item() / scale
        print(f"forecast {list(forecast.shape)}: largest difference {relative:.2e} of the largest value {scale:.4g}")
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["load", "make"])
    parser.add_argument("file")
    parser.add_argument("--config", type=read_config, required=True)
    parser.add_argument("--input", help="safetensors file with lookback and prediction")
    parser.add_argument("--tolerance", type=float, default=1e-5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    return load(arguments) if arguments.action == "load" else make(arguments)


if __name__ == "__main__":
    sys.exit(main())
