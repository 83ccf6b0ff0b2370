# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/analysis.safetensors: inputs of every statistic of core/analysis and what numpy, SciPy and
scikit-learn make of them.

    python make_analysis.py [--out DIR]

Inputs are float32, results float64 unless they are numbers of things. n windows, m channels, rows = n · m, V' anchors,
K selected, d wide, W tokens. See tests/core/analysis/test_statistics.cpp for who reads what.
"""

import argparse
import pathlib

import numpy as np
from safetensors.numpy import save_file
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import cityblock
from scipy.stats import entropy, sem
from sklearn.decomposition import PCA
from sklearn.metrics import jaccard_score
from sklearn.metrics.pairwise import cosine_similarity

WINDOWS, CHANNELS, POOL, TOP_K, WIDTH, TOKENS, STRATA = 43, 3, 40, 4, 20, 97, 10
LEVELS = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1]
ROWS = WINDOWS * CHANNELS


def select(similarity):
    return np.argsort(-similarity, axis=1, kind="stable")[:, :TOP_K].astype(np.int32)


def usage_of(selected):
    return np.bincount(selected.ravel(), minlength=POOL)


def strata_of(residual):
    order = np.argsort(residual.reshape(WINDOWS, CHANNELS).astype(np.float64).mean(1), kind="stable")
    labels = np.empty(WINDOWS, np.int32)
    for i in range(STRATA):
        labels[order[i * WINDOWS // STRATA:(i + 1) * WINDOWS // STRATA]] = i
    return labels


def strata(out, residual, mse, mse_b, mae, selected, selected_b):
    labels = strata_of(residual)
    out["strata.labels"] = labels
    per_window = [x.reshape(WINDOWS, CHANNELS).astype(np.float64).mean(1) for x in (mse, mse_b, mae, residual)]
    lines, pairs = [], []
    for i in range(STRATA):
        inside = labels == i
        rows = np.repeat(inside, CHANNELS)
        counts, counts_b = usage_of(selected[rows]), usage_of(selected_b[rows])
        a, b = set(np.flatnonzero(counts)), set(np.flatnonzero(counts_b))
        lines.append([per_window[0][inside].mean(), per_window[2][inside].mean(), per_window[3][inside].mean(),
                      entropy(counts), np.count_nonzero(counts)])
        difference = (per_window[1] - per_window[0])[inside]
        pairs.append([difference.mean(), sem(difference), difference.mean() / per_window[0][inside].mean(),
                      (difference < 0).mean(), len(a & b) / len(a | b)])
    out["strata.lines"] = np.array(lines)  # mse, mae, difficulty, entropy, distinct anchors
    out["strata.pairs"] = np.array(pairs)  # mean difference, its standard error, relative, improved, Jaccard
    difficulty = per_window[3]
    out["strata.edges"] = np.array([difficulty[labels == i].min() for i in range(STRATA)] + [difficulty.max()])


def scores(out, similarity, selected):
    s = similarity.astype(np.float64)
    mean = s.mean(0)
    top = np.argsort(-mean, kind="stable")[:12]
    out["scores.top"] = top.astype(np.int64)
    out["scores.mean"] = mean[top]
    by_number = np.sort(top)
    tree = linkage(s[:, by_number].T, "average")
    out["scores.clustered"] = by_number[leaves_list(tree)].astype(np.int64)
    everything = linkage(s.T, "average")
    out["linkage"] = everything
    out["linkage.leaves"] = leaves_list(everything).astype(np.int64)
    chosen = np.take_along_axis(s, selected.astype(np.int64), 1)
    for name, values in (("all", s.ravel()), ("chosen", chosen.ravel())):
        counts, edges = np.histogram(values, bins=25, range=(s.min(), s.max()))
        out[f"distribution.{name}.histogram"] = counts.astype(np.int64)
        out[f"distribution.{name}.quantiles"] = np.quantile(values, LEVELS)
        out[f"distribution.{name}.moments"] = np.array([values.mean(), values.std(ddof=1)])
    out["distribution.edges"] = edges


def alignment(out, series, prompt):
    cosine = cosine_similarity(series.astype(np.float64), prompt.astype(np.float64))
    out["alignment.map"] = cosine
    n = len(cosine)
    diagonal = np.trace(cosine) / n
    out["alignment.means"] = np.array([diagonal, cosine.mean(), (cosine.sum() - np.trace(cosine)) / (n * n - n)])


def key_cosine(out, anchors, selected):
    cosine = cosine_similarity(anchors.astype(np.float64))
    pairs = np.triu_indices(TOP_K, 1)
    out["key_cosine"] = np.array([cosine[np.ix_(row, row)][pairs].mean() for row in selected])


def nearest(out, anchors, table):
    cosine = cosine_similarity(anchors.astype(np.float64), table.astype(np.float64))
    order = np.argsort(-cosine, axis=1, kind="stable")[:, :6]
    out["tokens.nearest"] = order.astype(np.int64)
    out["tokens.cosine"] = np.take_along_axis(cosine, order, 1)
    own = cosine_similarity(anchors.astype(np.float64))
    np.fill_diagonal(own, -np.inf)
    out["anchors.nearest"] = np.argsort(-own, axis=1, kind="stable")[:, :5].astype(np.int64)


def variances(out, rng):
    # A mean far from zero, so that the two readings differ; taller and wider than the width.
    for name, rows in (("tall", 90), ("wide", 30)):
        x = (rng.normal(size=(rows, 3)) @ rng.normal(size=(3, 64)) * 2 + rng.normal(size=(rows, 64)) + 1.5)
        x = x.astype(np.float32)
        out[f"pca.{name}.values"] = x
        x = x.astype(np.float64)
        out[f"pca.{name}.centred"] = PCA(3, svd_solver="full").fit(x).explained_variance_ratio_
        squares = np.linalg.svd(x, compute_uv=False) ** 2
        out[f"pca.{name}.uncentred"] = squares[:3] / squares.sum()


def usage(out):
    # A generator of its own: what came before it keeps its bits. Few anchors have most selections, many have none.
    rng = np.random.default_rng(20260207)
    runs = [np.stack([rng.multinomial(300, rng.dirichlet(np.full(100, 0.04))) for _ in range(6)]) for _ in range(2)]
    whole = [snapshots.sum(0) for snapshots in runs]
    share = [counts / counts.sum() for counts in whole]
    rank = [np.argsort(-counts, kind="stable") for counts in whole]
    most = [np.isin(np.arange(100), order[:20]) for order in rank]
    for name, snapshots, counts, p, order in zip("ab", runs, whole, share, rank):
        out[f"usage.{name}.snapshots"] = snapshots.astype(np.int64)
        out[f"usage.{name}.training"] = counts.astype(np.int64)
        out[f"usage.{name}.second_half"] = snapshots[3:].sum(0).astype(np.int64)
        out[f"usage.{name}.order"] = order.astype(np.int64)
        out[f"usage.{name}.concentration"] = p[order].cumsum()
        # entropy, anchors retrieved at all, fraction of the 20 most used
        out[f"usage.{name}.numbers"] = np.array([entropy(counts), np.count_nonzero(counts), np.sort(p)[-20:].sum()])
    out["usage.pair"] = np.array([jaccard_score(whole[0] > 0, whole[1] > 0), jaccard_score(*most),
                                  cityblock(*share) / 2])  # Jaccard, of the 20 most used, total variation


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "golden")
    out, rng = {}, np.random.default_rng(20260131)
    anchors = rng.normal(size=(POOL, WIDTH)).astype(np.float32)
    series = (rng.normal(size=(ROWS, WIDTH)) + 0.3 * anchors[0]).astype(np.float32)
    prompt = (0.5 * series + rng.normal(size=(ROWS, WIDTH))).astype(np.float32)
    table = rng.normal(size=(TOKENS, WIDTH)).astype(np.float32)
    similarity = cosine_similarity(series, anchors).astype(np.float32)
    similarity_b = (similarity + 0.2 * rng.normal(size=similarity.shape)).astype(np.float32)
    selected, selected_b = select(similarity), select(similarity_b)
    residual = rng.gamma(2.0, size=ROWS).astype(np.float32)
    mse = (residual * rng.gamma(3.0, size=ROWS)).astype(np.float32)
    mse_b = (mse * rng.normal(0.98, 0.1, size=ROWS)).astype(np.float32)
    mae = np.sqrt(mse)
    out.update(anchors=anchors, series=series, prompt=prompt, table=table, similarity=similarity, selected=selected,
               selected_b=selected_b, residual=residual, mse=mse, mse_b=mse_b, mae=mae)
    strata(out, residual, mse, mse_b, mae, selected, selected_b)
    scores(out, similarity, selected)
    alignment(out, series, prompt)
    key_cosine(out, anchors, selected)
    nearest(out, anchors, table)
    variances(out, rng)
    usage(out)
    file = parser.parse_args().out / "analysis.safetensors"
    save_file({name: np.ascontiguousarray(values) for name, values in out.items()}, str(file))
    print(file, file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
