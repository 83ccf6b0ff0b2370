# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the files of `caspstudio --table strata:AXIS RUNS --out TABLES` with labels, groups and tests computed anew.

    python check_strata_tables.py RUNS TABLES --data ETTh1.csv --train-rows 8640 --season 24 [--changes 8]

RUNS: folders of finished runs of one data set, each with λ_cov = 0 and with coverage. Labels are those of make_strata.py, tests
SciPy's. --changes also checks strata:trend-change at that penalty, with change points by dynamic programming: minutes.
"""

import argparse
import collections
import csv
import pathlib
import tomllib

import h5py
import numpy as np
import pandas as pd
from make_strata import low_share, optimal, strength, trend_of
from scipy.stats import wilcoxon


def runs_below(folder):
    """{(preset, seed): {coverage: (config, start, error of each window)}}"""
    pairs = collections.defaultdict(dict)
    for file in sorted(folder.rglob("config.toml")):
        config = tomllib.loads(file.read_text(encoding="utf-8"))
        with h5py.File(file.parent / "arrays.h5") as arrays:
            test = arrays["forecast/test"]
            values = test["start"][:], test["mse"][:].mean(1, dtype=np.float64)
        pairs[config["preset"], config["train"]["seed"]][config["loss"]["lambda_cov"] > 0] = (config, *values)
    return pairs


def changes(x, length, penalty):
    trend = trend_of(x, length)
    return len(optimal(trend - trend.mean(), penalty, max(2, length // 2)))


class Labels:
    def __init__(self, values, season):
        self.values, self.season, self.known = values, season, {}

    def of(self, axis, config, start):
        trend, seasonal = config["model"]["trend_length"], config["model"]["seasonal_length"]
        key = axis, trend, seasonal if axis == "trend-strength" else 0, int(start)
        if key not in self.known:
            window = self.values[start:start + config["data"]["lookback"]].astype(np.float64)
            if axis == "trend-strength":
                label = np.mean([strength(x, trend, seasonal) for x in window.T])
            elif axis == "low-frequency":
                label = np.mean([low_share(x, self.season) for x in window.T])
            else:
                penalty = float(axis.split(":")[1]) * np.log(len(window))
                series = window.T if "union" in axis else [window.mean(1)]
                label = sum(changes(x, trend, penalty) for x in series)
            self.known[key] = label
        return self.known[key]


def groups(axis, label):
    if axis.startswith("trend-change"):
        return label > 0, label <= 0
    order, n = np.argsort(label, kind="stable"), len(label)
    return order[9 * n // 10:], order[:3 * n // 10]


def statistics(axis, pairs, labels):
    """{(prefix, statistic): value}"""
    hard, easy = [], []
    for pair in pairs.values():
        (config, start, with_coverage), (_, other, without) = pair[True], pair[False]
        assert (start == other).all()
        label = np.array([labels.of(axis, config, s) for s in start])
        both = groups(axis, label)
        if not all(label[group].size for group in both):
            continue  # one group has no contrast
        for changed, group in zip((hard, easy), both):
            changed.append(100 * (with_coverage[group].mean() / without[group].mean() - 1))
    hard, easy = np.array(hard), np.array(easy)
    found = {}
    for prefix, change in (("hard", hard), ("easy", easy), ("contrast", hard - easy)):
        if len(change) < 2:  # no test
            found |= {(prefix, "pairs"): len(change)}
            continue
        test = wilcoxon(change, method="exact")
        found |= {(prefix, "pairs"): len(change), (prefix, "delta_percent"): change.mean(),
                  (prefix, "improved"): (change < 0).sum(), (prefix, "w"): test.statistic, (prefix, "p"): test.pvalue}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=pathlib.Path)
    parser.add_argument("tables", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--train-rows", type=int, required=True)
    parser.add_argument("--season", type=int, required=True, help="rows of a day, a week or a year")
    parser.add_argument("--changes", type=float, help="a penalty")
    given = parser.parse_args()
    data = pd.read_csv(given.data).iloc[:, 1:].to_numpy()
    train = data[:given.train_rows]
    labels = Labels(((data - train.mean(0)) / train.std(0)).astype(np.float32), given.season)
    pairs = runs_below(given.runs)
    checks = [("trend-strength", "strata-trend-strength", ""), ("low-frequency", "strata-low-frequency", "")]
    if given.changes is not None:
        factor = f"{given.changes:g}"
        checks += [(f"trend-change:{factor}", "strata-trend-change", f"Channel average|{factor}|"),
                   (f"trend-change-union:{factor}", "strata-trend-change", f"Union of channels|{factor}|")]
    for axis, file, rows in checks:
        found = statistics(axis, pairs, labels)
        compared = 0
        with open(given.tables / f"{file}.csv", encoding="utf-8", newline="") as lines:
            for line in csv.DictReader(lines):
                prefix, _, statistic = line["metric"].partition("_")
                if not line["row"].startswith(rows) or (prefix, statistic) not in found:
                    continue
                ours, anew = float(line["ours"]), found[prefix, statistic]
                assert np.isclose(ours, anew, rtol=1e-6, atol=1e-9), (axis, line["row"], line["metric"], ours, anew)
                compared += 1
        assert compared == len(found), (axis, compared)
        print(f"{axis}: {compared} values equal")


if __name__ == "__main__":
    main()
