"""Chronos and Chronos-Bolt (package chronos-forecasting): zero-shot, a channel at a time.

    [python]
    file = "chronos_zero_shot.py"
    [python.options]
    weights = "amazon/chronos-bolt-small"   # or a folder
"""
import numpy
import torch
from chronos import BaseChronosPipeline


class ZeroShot:
    def __init__(self, pipeline, horizon, at_once):
        self.pipeline, self.horizon, self.at_once = pipeline, horizon, at_once

    def predict(self, x):
        rows = torch.from_numpy(numpy.ascontiguousarray(x.transpose(0, 2, 1)).reshape(-1, x.shape[1]))
        parts = [self.pipeline.predict_quantiles(part, prediction_length=self.horizon, quantile_levels=[0.5])[0][:, :, 0]
                 for part in rows.split(self.at_once)]
        return torch.cat(parts).reshape(x.shape[0], x.shape[2], self.horizon).permute(0, 2, 1)


def make(task):
    pipeline = BaseChronosPipeline.from_pretrained(task.options.get("weights", "amazon/chronos-bolt-small"),
                                                   device_map=task.device)
    return ZeroShot(pipeline, task.horizon, task.options.get("rows_at_once", 256))
