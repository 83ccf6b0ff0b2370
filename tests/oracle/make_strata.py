# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/strata.safetensors: labels of windows by trend change (ruptures), trend strength (pandas) and
low-frequency share (numpy.fft), and the pooled test of strata (SciPy).

    python make_strata.py [--out DIR]

Two minutes. Every segmentation of ruptures is compared with the exact optimum by dynamic programming: with min_size its
pruning may miss it. See tests/core/analysis/test_window_labels.cpp and tests/core/evidence/test_pooled_strata.cpp.
"""

import argparse
import pathlib

import numpy as np
import pandas as pd
import ruptures
from safetensors.numpy import save_file
from scipy.stats import wilcoxon

FACTORS = [0.5, 1, 2, 4, 8]
TREND, SEASON, CUTOFF = 24, 12, 24
# Trend lengths and look-backs of the windows: the usual one in small, one as long as the paper's.
SETS = {"short": (192, 24, np.arange(0, 1000, 130)), "long": (512, 96, np.array([300]))}


def optimal(x, penalty, shortest):
    """Change points of the exact optimum, O(n²)."""
    n = len(x)
    one, two = np.concatenate([[0], np.cumsum(x)]), np.concatenate([[0], np.cumsum(x * x)])
    best, last = np.full(n + 1, np.inf), np.zeros(n + 1, int)
    best[0] = -penalty
    for end in range(shortest, n + 1):
        t = np.arange(0, end - shortest + 1)
        total = best[t] + two[end] - two[t] - (one[end] - one[t])**2 / (end - t) + penalty
        last[end] = t[np.argmin(total)]
        best[end] = total.min()
    points, at = [], last[n]
    while at > 0:
        points.append(at)
        at = last[at]
    return sorted(points)


def change_points(x, penalty, shortest):
    x = x - x.mean()
    if len(x) < 2 * shortest:
        return []
    found = ruptures.Pelt(model="l2", min_size=shortest, jump=1).fit(x).predict(pen=penalty)[:-1]
    assert list(found) == optimal(x, penalty, shortest), (found, penalty, shortest)
    return list(found)


def trend_of(x, length):
    return pd.Series(x).rolling(length, center=True).mean().bfill().ffill().to_numpy()


def seasonal_of(detrended, period):
    phase = np.arange(len(detrended)) % period
    return pd.Series(detrended).groupby(phase).transform("mean").to_numpy()


def strength(x, length, period):
    trend = trend_of(x, length)
    seasonal = seasonal_of(x - trend, period)
    rest = x - trend - seasonal
    return max(0.0, 1 - np.var(rest) / np.var(trend + rest))


def low_share(x, cutoff):
    power = np.abs(np.fft.rfft(x - x.mean()))**2
    sides = np.full(len(power), 2.0)
    if len(x) % 2 == 0:
        sides[-1] = 1
    frequency = np.arange(len(power)) / len(x)
    low = (frequency > 0) & (np.arange(len(power)) * cutoff < len(x))
    return (power * sides)[low].sum() / (power * sides)[1:].sum()


def load_like_series(random, rows=1300):
    """Three channels like hourly loads: a day, a week, noise with memory, and levels that shift."""
    t = np.arange(rows)
    channels = []
    for day, week, shifts in ((0.6, 0.2, 4), (0.3, 0.5, 2), (0.9, 0.1, 0)):
        noise = np.zeros(rows)
        for i in range(1, rows):
            noise[i] = 0.9 * noise[i - 1] + 0.15 * random.normal()
        level = np.zeros(rows)
        for at in random.choice(rows, shifts, replace=False):
            level[at:] += random.normal()
        channels.append(day * np.sin(2 * np.pi * t / 24) + week * np.sin(2 * np.pi * t / 168) + noise + level)
    return np.stack(channels, 1).astype(np.float32)


def flat_lists(lists):
    """Numbers of members, and all members."""
    return (np.array([len(one) for one in lists], np.int64),
            np.array([int(value) for one in lists for value in one], np.int64))


def detector(out, random):
    """Change points of noisy steps, by penalty and shortest segment."""
    steps = np.repeat([0.0, 1.0, 1.0, -0.5, 2.0, 1.6], 25) + 0.4 * random.normal(size=150)
    cases = [(0.5, 2), (1, 5), (2, 10), (5, 10), (5, 30), (20, 2), (1000, 1)]
    out["steps"] = steps
    out["steps.cases"] = np.array(cases, np.float64)
    out["steps.counts"], out["steps.points"] = flat_lists([change_points(steps, *case) for case in cases])


def labels(out, series):
    out["series"] = series
    for name, (length, trend, starts) in SETS.items():
        out[f"{name}.shape"] = np.array([length, trend], np.int64)
        out[f"{name}.start"] = starts.astype(np.int64)
        average, union = [], []
        for factor in FACTORS:
            penalty = factor * np.log(length)
            for start in starts:
                window = series[start:start + length].astype(np.float64)
                average.append(change_points(trend_of(window.mean(1), trend), penalty, trend // 2))
                union.append(set().union(*(change_points(trend_of(x, trend), penalty, trend // 2)
                                           for x in window.T)))
        shape = (len(FACTORS), len(starts))
        out[f"{name}.average"] = np.array([len(one) for one in average], np.float64).reshape(shape)
        out[f"{name}.union"] = np.array([len(one) for one in union], np.float64).reshape(shape)
        windows = [series[s:s + length].astype(np.float64) for s in starts]
        out[f"{name}.strength"] = np.array([np.mean([strength(x, trend, SEASON) for x in w.T]) for w in windows])
        out[f"{name}.low"] = np.array([np.mean([low_share(x, CUTOFF) for x in w.T]) for w in windows])
        print(name, "windows with a change, average and union, per penalty:",
              [int((np.array([len(p) for p in some]).reshape(shape)[i] > 0).sum())
               for i in range(len(FACTORS)) for some in (average, union)], "of", len(starts))


def pooled(out, random):
    easiest, hardest = 0.1 * random.normal(size=24), -0.4 + random.normal(size=24)
    out["pooled.easiest"], out["pooled.hardest"] = easiest, hardest
    rows = []
    for values in (easiest, hardest, hardest - easiest):
        test = wilcoxon(values, method="exact")
        rows.append([(values < 0).sum(), values.mean(), test.statistic, test.pvalue])
    out["pooled.rows"] = np.array(rows, np.float64)  # improved, mean, W, p


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "golden")
    folder = parser.parse_args().out
    random = np.random.default_rng(17)
    out = {}
    detector(out, random)
    labels(out, load_like_series(random))
    pooled(out, random)
    save_file({name: np.ascontiguousarray(value) for name, value in out.items()}, folder / "strata.safetensors",
              metadata={"made_by": "make_strata.py"})


if __name__ == "__main__":
    main()
