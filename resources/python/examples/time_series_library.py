"""Any forecasting model of a checkout of the Time-Series-Library, unchanged: a file of its folder models/ with
Model(configs) and forward(x_enc, x_mark_enc, x_dec, x_mark_dec).

    [python]
    file = "time_series_library.py"
    [python.options]
    repository = "/path/to/Time-Series-Library"
    model = "PatchTST"
    d_model = 128            # and whatever else its configs have (run.py of the library lists them)
"""
import importlib
import sys
from types import SimpleNamespace

import torch

USUAL = {"task_name": "long_term_forecast", "features": "M", "label_len": 48, "d_model": 512, "n_heads": 8, "e_layers": 2,
         "d_layers": 1, "d_ff": 2048, "moving_avg": 25, "factor": 3, "distil": True, "dropout": 0.1, "embed": "timeF",
         "freq": "h", "activation": "gelu", "top_k": 5, "num_kernels": 6, "expand": 2, "d_conv": 4, "channel_independence": 1,
         "decomp_method": "moving_avg", "use_norm": 1, "down_sampling_layers": 0, "down_sampling_window": 1,
         "down_sampling_method": None, "seg_len": 48, "patch_len": 16, "p_hidden_dims": [128, 128], "p_hidden_layers": 2,
         "output_attention": False, "individual": False, "num_class": 0, "seasonal_patterns": "Monthly"}


class Adapted(torch.nn.Module):
    def __init__(self, model, label, horizon):
        super().__init__()
        self.model, self.label, self.horizon = model, label, horizon

    def forward(self, x, marks):
        length = x.shape[1]
        if marks is None:  # the file has no dates
            marks = x.new_zeros(x.shape[0], length + self.horizon, 4)
        known = x[:, length - self.label:]
        decoder = torch.cat([known, x.new_zeros(x.shape[0], self.horizon, x.shape[2])], 1)
        out = self.model(x, marks[:, :length], decoder, marks[:, length - self.label:])
        out = out[0] if isinstance(out, tuple) else out
        return out[:, -self.horizon:]


def make(task):
    options = dict(task.options)
    sys.path.insert(0, options.pop("repository"))
    module = importlib.import_module("models." + options.pop("model"))
    configs = {**USUAL, "seq_len": task.lookback, "pred_len": task.horizon, "enc_in": task.channels, "dec_in": task.channels,
               "c_out": task.channels, **options}
    configs["label_len"] = min(configs["label_len"], task.lookback)
    return Adapted(module.Model(SimpleNamespace(**configs)), configs["label_len"], task.horizon)
