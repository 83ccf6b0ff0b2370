# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/m4.safetensors: scores of the M4 competition and Naive2 by numpy, from their definitions.

    python make_m4.py [--out DIR]

float64; `cases` int64. Lists of all cases are concatenated; `cases` has their lengths. See
tests/core/analysis/test_m4_scores.cpp.

scores.cases       [n, 3]: horizon, training values, season; then scores.{forecast,truth,training}
scores.expected    [n, 3]: sMAPE, seasonal difference, MASE
means.cases        [n, 1]: values; then means.values, with NaN, and means.expected [n]
owa.{scores,expected}   [n, 4]: sMAPE, MASE, sMAPE of Naive2, MASE of Naive2; [n]
rounding.{values,expected}
naive2.cases       [n, 4]: values, season, horizon, 1 if seasonal; then naive2.{series,forecast}, and
naive2.indices     season values of each case with at least two seasons
"""

import argparse
import pathlib
import warnings

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from safetensors.numpy import save_file

NAN = np.nan


def smape(f, y):
    f, y = np.asarray(f), np.asarray(y)
    both = np.abs(f) + np.abs(y)
    return 100 * np.divide(2 * np.abs(f - y), both, out=np.zeros_like(both), where=both != 0).mean()


def seasonal_difference(x, season):
    return np.abs(x[season:] - x[:-season]).mean() if len(x) > season else NAN


def mase(f, y, x, season):
    scale = seasonal_difference(x, season)
    return np.mean(np.abs(f - y) / scale) if scale > 0 else NAN


def scores(out, random):
    cases, expected, lists = [], [], {"forecast": [], "truth": [], "training": []}

    def add(f, y, x, season):
        f, y, x = (np.asarray(values, float) for values in (f, y, x))
        cases.append((len(y), len(x), season))
        expected.append((smape(f, y), seasonal_difference(x, season), mase(f, y, x, season)))
        for name, values in zip(lists, (f, y, x)):
            lists[name].append(values)

    for season in (1, 2, 4, 12, 24):
        for length in [*range(1, season + 4), 3 * season + 5, 130]:
            horizon = int(random.integers(1, 49))
            scale = 10.0**random.integers(-3, 6)
            f, y, x = (scale * (1 + random.normal(size=n)) for n in (horizon, horizon, length))
            f[random.random(horizon) < 0.2] = 0
            y[random.random(horizon) < 0.2] = 0
            add(f, y, x, season)
    add([0, 0, 0], [0, 0, 0], [1, 2, 4], 1)
    add([2, -2, 1], [-2, 2, 0], [0, 0, 0, 3], 2)
    add([7.5], [7.5], [1, 1, 2], 1)
    add([3, 4], [5, 6], np.full(9, 0.1), 1)  # constant
    add([3, 4], [5, 6], np.tile([1.5, 2, -3], 4), 3)  # periodic
    out["scores.cases"], out["scores.expected"] = np.array(cases, np.int64), np.array(expected)
    for name, values in lists.items():
        out[f"scores.{name}"] = np.concatenate(values)


def means(out, random):
    values = [random.normal(3, 1, 40), np.where(random.random(40) < 0.3, NAN, random.gamma(1, 1, 40)),
              np.array([NAN, NAN]), np.array([NAN, -2.5]), np.array([1e9, 1e-9, 3])]
    out["means.cases"] = np.array([[len(v)] for v in values], np.int64)
    out["means.values"] = np.concatenate(values)
    out["means.expected"] = np.array([v[~np.isnan(v)].mean() if (~np.isnan(v)).any() else NAN for v in values])


def owas(out, random):
    rows = np.concatenate([random.gamma(4, 3, (30, 4)), [[13.0, 1.5, 13.0, 1.5], [0, 0, 16.342, 3.974]]])
    out["owa.scores"] = rows
    out["owa.expected"] = 0.5 * (rows[:, 0] / rows[:, 2]) + 0.5 * (rows[:, 1] / rows[:, 3])


def rounding(out, random):
    halves = np.arange(-40, 41) / 2000  # …5 in the fourth decimal
    eighths = np.array([0.0625, 0.1875, 2.0625, -0.0625, 16.3125, 1000.0625])  # exact halves after · 1000
    other = [16.3415, 16.3425, 3.9735, 2.6745, 1.0005, 1.0015, 18.3825, 0.0, -0.0, 1e9 + 0.1234, NAN, np.inf, -np.inf]
    out["rounding.values"] = np.concatenate([halves, eighths, other, random.gamma(4, 3, 60)])
    out["rounding.expected"] = np.round(out["rounding.values"], 3)


def autocorrelations(x):
    """R's acf(x)$acf without lag 0."""
    lags = min(len(x) - 1, int(np.floor(10 * np.log10(len(x)))))
    d = x - x.mean()
    full = np.correlate(d, d, "full")[len(x) - 1:]
    return full[1:lags + 1] / full[0]


def is_seasonal(x, season):
    if season == 1 or len(x) < 3 * season or np.ptp(x) == 0:
        return False
    r = autocorrelations(x)
    if len(r) < season:
        return False
    limit = 1.645 / np.sqrt(len(x)) * np.sqrt(np.cumsum(np.concatenate([[1], 2 * r**2])))
    assert abs(abs(r[season - 1]) - limit[season - 1]) > 1e-6, "rounding could decide"
    return bool(abs(r[season - 1]) > limit[season - 1])


def seasonal_indices(x, season):
    """R's decompose(x, "multiplicative")$figure."""
    weights = np.full(season, 1.0) if season % 2 else np.concatenate([[0.5], np.ones(season - 1), [0.5]])
    trend = sliding_window_view(x, len(weights)) @ weights / season
    table = np.full(-(-len(x) // season) * season, NAN)
    table[season // 2:season // 2 + len(trend)] = x[season // 2:season // 2 + len(trend)] / trend
    figure = np.nanmean(table.reshape(-1, season), axis=0)
    return figure / figure.mean()


def naive2(x, season, horizon):
    persistence = np.full(horizon, x[-1])
    if not is_seasonal(x, season):
        return persistence
    seasonal = np.resize(seasonal_indices(x, season), len(x))
    last_season = seasonal[len(x) - season:]
    forecast = (x / seasonal)[-1] * np.tile(last_season, horizon // season + 1)[:horizon]
    return forecast if np.isfinite(forecast).all() else persistence


def series_of(random, kind, length, season):
    t = np.arange(length)
    pattern = np.resize(random.permutation(np.linspace(-1, 1, season)), length)
    noise = random.normal(size=length)
    if kind == "seasonal":
        return (100 + 0.3 * t) * (1 + 0.5 * pattern + 0.02 * noise)
    if kind == "negative":
        return 5 + 12 * pattern + 0.1 * noise  # the moving averages stay far from 0
    if kind == "noise":
        return 20 + noise
    if kind == "walk":
        return 200 + np.cumsum(noise)
    if kind == "closed":  # 0 at one position of every season
        return np.where(t % season == int(random.integers(season)), 0, 50 + 20 * pattern + noise)
    if kind == "late":  # starts with zeros
        return np.where(t < length // 3, 0, 40 + 20 * pattern + noise)
    raise ValueError(kind)


def forecasts(out, random):
    cases, series, indices, forecast = [], [], [], []

    def add(x, season, horizon):
        x = np.asarray(x, float)
        cases.append((len(x), season, horizon, is_seasonal(x, season)))
        series.append(x)
        if len(x) >= 2 * season:
            indices.append(seasonal_indices(x, season))
        forecast.append(naive2(x, season, horizon))

    for season in (2, 3, 4, 5, 7, 12, 24):
        lengths = {2 * season, 2 * season + 1, 3 * season - 1, 3 * season, 3 * season + 1, 5 * season + 2}
        for length in sorted(lengths | {9 * season + 3}):
            for kind in ("seasonal", "negative", "noise"):
                add(series_of(random, kind, length, season), season, int(random.integers(1, 2 * season + 3)))
    for season, length in ((24, 251), (24, 252), (24, 300), (4, 16), (12, 42), (12, 150)):
        for kind in ("seasonal", "walk"):
            add(series_of(random, kind, length, season), season, 2 * season)
    for season, length in ((4, 41), (4, 42), (4, 43), (4, 44), (7, 70), (12, 100)):
        for kind in ("closed", "late"):
            add(series_of(random, kind, length, season), season, 13)
    for season in (1, 4, 5):
        for length in range(1, 2 * season + 3):
            add(series_of(random, "seasonal", length, season), season, 6)
    add(np.full(100, 0.1), 4, 5)
    add(np.zeros(30), 3, 5)
    add(np.tile([1.0, -1], 20), 2, 5)  # moving averages of 0
    add(np.concatenate([np.tile([3.0, -1, -2], 4), np.tile([3.0, 1, 2], 6)]), 3, 4)  # some of them
    add(np.tile([5.0, 7, 0], 12), 3, 7)  # the last value and its index are 0
    add(np.tile([5.0, 0, 7], 12), 3, 7)  # the index of a forecast step is 0
    add(np.tile([5.0, 7, 6], 12), 3, 0)
    out["naive2.cases"] = np.array(cases, np.int64)
    for name, lists in (("series", series), ("indices", indices), ("forecast", forecast)):
        out[f"naive2.{name}"] = np.concatenate(lists)
    print("naive2:", len(cases), "cases,", sum(case[3] for case in cases), "seasonal")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "golden")
    folder = parser.parse_args().out
    warnings.simplefilter("ignore", RuntimeWarning)  # means of nothing and quotients by 0 are part of the cases
    random = np.random.default_rng(20180531)
    out = {}
    scores(out, random)
    means(out, random)
    owas(out, random)
    rounding(out, random)
    forecasts(out, random)
    file = folder / "m4.safetensors"
    save_file({name: np.ascontiguousarray(values) for name, values in out.items()}, file,
              metadata={"made_by": "make_m4.py"})
    print(file, file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
