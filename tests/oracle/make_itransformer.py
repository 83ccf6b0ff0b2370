# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/itransformer*: small models with evaluation, loss, every gradient and one AdamW step, and tensor names."""

import pathlib

import torch

from encoder_models import ITransformer, write_cases, write_names

BASE = {
    "lookback": 48, "horizon": 12, "channels": 3, "batch": 2, "time": True,
    "d_model": 16, "n_heads": 4, "e_layers": 2, "d_ff": 16,
}
CASES = {
    "base": BASE,
    # One token: attention has nothing to choose from.
    "one_channel": BASE | {"lookback": 33, "horizon": 5, "channels": 1, "batch": 3, "time": False, "n_heads": 2},
    "no_dates": BASE | {"channels": 4, "time": False, "d_model": 12, "n_heads": 3, "e_layers": 1, "d_ff": 20},
    "three_layers": BASE | {"lookback": 41, "horizon": 9, "channels": 5, "e_layers": 3, "n_heads": 1, "d_ff": 28},
}
ETTH1 = {"lookback": 512, "horizon": 96, "d_model": 256, "n_heads": 8, "e_layers": 2, "d_ff": 256}

if __name__ == "__main__":
    torch.set_num_threads(1)
    golden = pathlib.Path(__file__).resolve().parent.parent / "golden"
    write_cases(ITransformer, "itransformer", CASES, golden)
    write_names(ITransformer, "itransformer", ETTH1, 948064, golden)
