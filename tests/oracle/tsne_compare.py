#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts CASP Studio's t-SNE and PCA beside openTSNE and scikit-learn: as good a picture, the same variances?

    oracle-venv/bin/pip install openTSNE==1.0.4 scikit-learn
    cmake --preset release -DCASP_BENCH=ON && cmake --build --preset release --target casp_embed
    oracle-venv/bin/python tests/oracle/tsne_compare.py --embed build/release/tests/bench/casp_embed

Two kinds of points with 768 values: `mixture`, 20 groups that are sheets of 12 dimensions with noise, and `windows`,
stretches of 768 values of the channels of datasets/sample.csv, each normalised. Of both sides, for each of --sizes:

* KL divergence of the layout, by its own program; and of openTSNE's layout by ours, which must be the same number;
* neighbourhood preservation: which share of the 10 nearest points in the layout are among the 10 nearest in 768
  dimensions, counted here for both by scikit-learn.

openTSNE finds exact neighbours here, so that p is the same. Fails where our KL is more than 2 % above, where
neighbourhoods are more than 2 points worse, or where one of the first five variance ratios of PCA is off by 1e-4.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from openTSNE import TSNE
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

HERE = os.path.dirname(os.path.abspath(__file__))


def mixture(n):
    random = np.random.default_rng(1)
    groups, width, sheet = 20, 768, 12
    centre = random.normal(size=(groups, width))
    basis = random.normal(size=(groups, sheet, width)) / np.sqrt(sheet)
    which = random.integers(0, groups, n)
    along = random.normal(size=(n, sheet))
    points = 0.3 * random.normal(size=(n, width))
    for group in range(groups):  # one by one: a basis for every point would not fit into memory at 100,000
        points[which == group] += centre[group] + along[which == group] @ basis[group]
    return points.astype(np.float32)


def windows(n):
    with open(os.path.join(HERE, "..", "..", "datasets", "sample.csv"), newline="") as file:
        rows = list(csv.reader(file))
    table = np.array([[float(v) for v in row[1:]] for row in rows[1:]])
    per_channel = -(-n // table.shape[1])
    start = np.linspace(0, len(table) - 768, per_channel).astype(int)
    cut = np.array([table[s:s + 768, c] for s in start for c in range(table.shape[1])][:n])
    cut -= cut.mean(1, keepdims=True)
    return (cut / (cut.std(1, keepdims=True) + 1e-5)).astype(np.float32)


def preserved(points, layout, k=10):
    high = NearestNeighbors(n_neighbors=k).fit(points).kneighbors(return_distance=False)
    low = NearestNeighbors(n_neighbors=k).fit(layout).kneighbors(return_distance=False)
    return np.mean([len(set(a) & set(b)) for a, b in zip(high, low)]) / k


class Ours:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, what, points, **settings):
        values, out = (os.path.join(self.folder, name) for name in ("values", "out"))
        points.tofile(values)
        command = [self.program, what, values, str(points.shape[0]), str(points.shape[1]), out]
        done = subprocess.run(command + [f"{k.replace('_', '-')}={v}" for k, v in settings.items()],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout), np.fromfile(out, np.float32).reshape(len(points), -1)

    def kl_of(self, points, layout):
        start = os.path.join(self.folder, "start")
        layout.astype(np.float32).tofile(start)
        return self.run("tsne", points, start=start, iterations=0)[0]["kl"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embed", required=True, metavar="PATH", help="casp_embed")
    parser.add_argument("--sizes", default="1000,5000,10000")
    parser.add_argument("--data", default="mixture,windows")
    arguments = parser.parse_args()
    failed = 0
    print("| points | n | KL ours | KL openTSNE | by ours | kept ours | kept openTSNE | variance ratio off by |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(arguments.embed, folder)
        for data in arguments.data.split(","):
            for n in map(int, arguments.sizes.split(",")):
                points = {"mixture": mixture, "windows": windows}[data](n)
                result, layout = ours.run("tsne", points)
                theirs = TSNE(n_jobs=os.cpu_count(), neighbors="exact", random_state=0).fit(points)
                by_ours = ours.kl_of(points, np.asarray(theirs))
                kept, kept_theirs = preserved(points, layout), preserved(points, np.asarray(theirs))
                ratio = ours.run("pca", points, components=5)[0]["variance_ratio"]
                exact = PCA(5, svd_solver="full").fit(points.astype(np.float64)).explained_variance_ratio_
                off = np.abs(np.array(ratio) / exact - 1).max()
                good = (result["kl"] <= 1.02 * theirs.kl_divergence and kept >= kept_theirs - 0.02 and off < 1e-4)
                failed += not good
                print(f"| {data} | {n} | {result['kl']:.4f} | {theirs.kl_divergence:.4f} | {by_ours:.4f} | "
                      f"{100 * kept:.1f} % | {100 * kept_theirs:.1f} % | {off:.1e} |{'' if good else ' <- worse'}",
                      flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
