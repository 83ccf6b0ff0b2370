# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/patchtst*: small models with evaluation, loss, every gradient and one AdamW step, and tensor names."""

import pathlib

import torch

from encoder_models import PatchTst, write_cases, write_names

BASE = {
    "lookback": 64, "horizon": 12, "channels": 3, "batch": 2, "time": False,
    "d_model": 16, "n_heads": 2, "e_layers": 1, "d_ff": 24, "patch_len": 16, "stride": 8,
}
CASES = {
    "base": BASE,
    # The look-back is no multiple of the stride; one channel.
    "two_layers": BASE | {
        "lookback": 50, "horizon": 7, "channels": 1, "batch": 3, "d_model": 12, "n_heads": 3, "e_layers": 2,
        "d_ff": 20, "patch_len": 6, "stride": 4,
    },
    # The stride is longer than the patch, so that values are left out.
    "wide_stride": BASE | {"lookback": 33, "horizon": 5, "channels": 2, "n_heads": 4, "patch_len": 5, "stride": 7},
    # As in M4: the window is shorter than a patch, and there is one patch.
    "short_window": BASE | {"lookback": 12, "horizon": 6, "channels": 1, "batch": 5, "n_heads": 1},
}
ETTH1 = {
    "lookback": 512, "horizon": 96, "d_model": 512, "n_heads": 2, "e_layers": 1, "d_ff": 2048, "patch_len": 16,
    "stride": 8,
}

if __name__ == "__main__":
    torch.set_num_threads(1)
    golden = pathlib.Path(__file__).resolve().parent.parent / "golden"
    write_cases(PatchTst, "patchtst", CASES, golden)
    write_names(PatchTst, "patchtst", ETTH1, 6307424, golden)
