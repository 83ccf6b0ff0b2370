"""A regressor of scikit-learn for all channels: the values of a look-back are its features, those of the horizon its targets.

    [python]
    file = "scikit_learn.py"
    [python.options]
    estimator = "sklearn.linear_model.Ridge"
    alpha = 100              # and whatever else the estimator takes
"""
import importlib
import pickle

import numpy


def rows(x):
    """[n, L, M] as [n * M, L]."""
    return numpy.ascontiguousarray(x.transpose(0, 2, 1)).reshape(-1, x.shape[1])


class Regressor:
    def __init__(self, estimator, most_rows, targets):
        self.estimator, self.most_rows = estimator, most_rows
        self.targets = targets or slice(None)  # data.targets: y has these channels only

    def fit(self, x, y):
        x = x[:, :, self.targets]
        every = max(1, len(x) * x.shape[2] // self.most_rows)  # neighbouring windows are nearly equal
        self.estimator.fit(rows(x[::every]), rows(y[::every]))

    def predict(self, x):
        x = x[:, :, self.targets]
        out = self.estimator.predict(rows(x))
        return out.reshape(x.shape[0], x.shape[2], -1).transpose(0, 2, 1)

    def state(self):
        return pickle.dumps(self.estimator)

    def load(self, state):
        self.estimator = pickle.loads(state)


def make(task):
    options = dict(task.options)
    most_rows = options.pop("most_rows", 20000)
    module, name = options.pop("estimator", "sklearn.linear_model.Ridge").rsplit(".", 1)
    return Regressor(getattr(importlib.import_module(module), name)(**options), most_rows, task.targets)
