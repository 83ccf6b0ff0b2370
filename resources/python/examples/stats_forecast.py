"""A model of statsforecast, fitted to each look-back and channel by itself: slow, and without training.

    [python]
    file = "stats_forecast.py"
    [python.options]
    model = "AutoETS"        # or Theta, AutoARIMA, MSTL, ...
"""
import inspect

import numpy
from statsforecast import models


class Statistical:
    def __init__(self, model, horizon):
        self.model, self.horizon = model, horizon

    def predict(self, x):
        out = numpy.empty((x.shape[0], self.horizon, x.shape[2]), numpy.float32)
        for window in range(x.shape[0]):
            for channel in range(x.shape[2]):
                series = x[window, :, channel].astype(numpy.float64)
                out[window, :, channel] = self.model.forecast(y=series, h=self.horizon)["mean"]
        return out


def make(task):
    options = dict(task.options)
    kind = getattr(models, options.pop("model", "AutoETS"))
    if task.season > 1 and "season_length" in inspect.signature(kind).parameters:
        options.setdefault("season_length", task.season)
    return Statistical(kind(**options), task.horizon)
