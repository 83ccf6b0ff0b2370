# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/evidence.safetensors: what SciPy and numpy make of paired differences (core/evidence/paired.h).

    python make_evidence.py [--out DIR]

All float64. Ranks are their own differences: in `exact.*` and `paper.*`, W is the sum of the negative ones.

exact.{n,w,p}      every W that n = 1 ... 25 pairs can give: scipy.stats.wilcoxon(method="exact")
paper.{n,w,p}      the paper's values, with the printed p (three decimals)
ties.I.{d,wp}      differences with ties, zeros or more than 50 pairs; W and p of
                   scipy.stats.wilcoxon(method="asymptotic", correction=True), and p without correction
holm.I.{p,adjusted}  Holm (1979) from its definition: max over j <= i of (m - j + 1) p_(j), at most 1
bootstrap.I.{d,interval}  low, high: mean over 40 repetitions of the percentile interval of numpy's generator with
                   10,000 resamples; then the standard deviation of one repetition
series.small.{base,other}  scores of 400 series, some NaN, some equal in both; series.large's are computed: series_scores()
series.{small,large}.{result,interval}  pairs, improved, both means, mean difference, W and p (approximate) of the
                   pairs without NaN; interval as in bootstrap, with 1,000 resamples of the large one
periods.p.{t,p}    two-sided p of Kiefer and Vogelsang's fixed-b distribution (Bartlett kernel, b = 1): the
                   probability that the quadratic form Z^2 - 2 t^2 sum Z_k^2 / (k pi)^2 is positive, by Imhof (1961)
periods.I.{d,result,interval}  differences of windows; overlap L, mean, standard error, DM statistic, p; low, high as in
                   bootstrap, of moving blocks, and how they vary: see core/evidence/periods.h
"""

import argparse
import pathlib

import numpy as np
from safetensors.numpy import save_file
from scipy.integrate import quad
from scipy.stats import wilcoxon

PAPER = [(8, 3, 0.039), (8, 7, 0.148), (8, 16, 0.844), (8, 5, 0.078), (8, 2, 0.023), (8, 18, 1.0),
         (20, 74, 0.261), (24, 116, 0.345), (64, 782, 0.085)]


def differences_with(n, w):
    """Ranks 1 ... n with a sum of w made negative."""
    d = np.arange(1, n + 1, dtype=float)
    for rank in range(n, 0, -1):
        if rank <= w:
            d[rank - 1] = -rank
            w -= rank
    assert w == 0
    return d


def exact(out):
    lines = []
    for n in range(1, 26):
        for w in range(n * (n + 1) // 4 + 1):
            result = wilcoxon(differences_with(n, w), method="exact")
            assert result.statistic == w
            lines.append((n, w, result.pvalue))
    for name, column in zip("nwp", zip(*lines)):
        out[f"exact.{name}"] = np.array(column, float)


def paper(out):
    for n, w, p in PAPER:
        method = {"method": "exact"} if n <= 50 else {"method": "asymptotic", "correction": True}
        assert round(wilcoxon(differences_with(n, w), **method).pvalue, 3) == p, (n, w)
    for name, column in zip("nwp", zip(*PAPER)):
        out[f"paper.{name}"] = np.array(column, float)


def easy_strata():
    """64 differences with the paper's W = 1005.5, whose printed p is the uncorrected one."""
    d = differences_with(64, 995)
    d[9:11] = -10.5, 10.5
    assert round(wilcoxon(d, method="asymptotic").pvalue, 3) == 0.818
    return d


def ties(out, random):
    cases = [[1, -1, 2, 3, -2, 4, 5, 6], [0, 1, 2, 3, 4, -5, 6, 7], [0, 0, 0, 2], [1, 1, 1, 1, 1], [-3, -3, 3, 3],
             [0.5, 0, -0.5, 0.25, 0.25, 0, 1, 1, 1, -2], np.arange(1, 52), differences_with(64, 782),
             random.normal(0.1, 1, 60), np.round(random.normal(0.3, 2, 40)), np.round(random.normal(0, 1, 200)),
             easy_strata()]
    for i, d in enumerate(cases):
        d = np.asarray(d, float)
        result = wilcoxon(d, method="asymptotic", correction=True)
        out[f"ties.{i}.d"] = d
        uncorrected = wilcoxon(d, method="asymptotic", correction=False)
        out[f"ties.{i}.wp"] = np.array([result.statistic, result.pvalue, uncorrected.pvalue])


def holm(out, random):
    cases = [[0.04], [0.01, 0.04, 0.03, 0.005], [0.5, 0.9, 0.02], [0.02, 0.02, 0.02], random.uniform(0, 1, 24) ** 3]
    for i, p in enumerate(cases):
        p = np.asarray(p, float)
        ordered = np.sort(p)
        adjusted = [min(1.0, max((len(p) - j) * ordered[j] for j in range(np.searchsorted(ordered, x, "right"))))
                    for x in p]
        out[f"holm.{i}.p"] = p
        out[f"holm.{i}.adjusted"] = np.array(adjusted)


def bootstrap(out, random):
    cases = [random.normal(-0.002, 0.003, 8), random.exponential(1, 20) - 1, random.normal(0, 1, 3),
             random.standard_t(3, 64)]
    for i, d in enumerate(cases):
        bounds = np.array([np.quantile(random.choice(d, (10000, len(d))).mean(1), [0.025, 0.975])
                           for _ in range(40)])
        out[f"bootstrap.{i}.d"] = d
        out[f"bootstrap.{i}.interval"] = np.concatenate([bounds.mean(0), bounds.std(0, ddof=1)])


def series_scores(n):
    """Scores of n series that need no file; the test has the same function."""
    i = np.arange(n)
    base = 1 + (i * 7919 % 1009) / 64
    return base, base + ((i * 104729 % 2003) - 990) / 4096


def series(out, random):
    base = random.lognormal(2, 1, 400)
    other = base * random.lognormal(-0.02, 0.1, 400)
    base[[3, 77]] = np.nan
    other[[77, 200]] = np.nan
    other[10:20] = base[10:20]
    out["series.small.base"], out["series.small.other"] = base, other
    for name, (a, b), resamples in [("small", (base, other), 10000), ("large", series_scores(20000), 1000)]:
        known = np.isfinite(a) & np.isfinite(b)
        d = (b - a)[known]
        test = wilcoxon(d, method="asymptotic", correction=True)
        out[f"series.{name}.result"] = np.array([len(d), (d < 0).sum(), a[known].mean(), b[known].mean(), d.mean(),
                                                 test.statistic, test.pvalue])
        bounds = np.array([np.quantile([random.choice(d, len(d)).mean() for _ in range(resamples)], [0.025, 0.975])
                           for _ in range(20)])
        out[f"series.{name}.interval"] = np.concatenate([bounds.mean(0), bounds.std(0, ddof=1)])


def fixed_b_p(t):
    """Imhof's integral for a form of 1 + 3,000 independent normal variables; the others are at their mean."""
    weights = np.concatenate([[1.0], -2 * t * t / (np.arange(1, 3001) * np.pi) ** 2])
    rest = -2 * t * t / 6 - weights[1:].sum()

    def integrand(u):
        angle = 0.5 * (np.arctan(weights * u).sum() + rest * u)
        return np.sin(angle) / (u * np.exp(0.25 * np.log1p((weights * u) ** 2).sum()))

    return 0.5 + quad(integrand, 0, np.inf, limit=2000, epsabs=1e-11)[0] / np.pi


def newey_west_variance(d):
    """Of the mean: autocovariances with Bartlett's weights and a bandwidth of n, from their definition."""
    n = len(d)
    e = d - d.mean()
    covariances = [(e[k:] * e[:n - k]).sum() / n for k in range(n)]
    return (covariances[0] + 2 * sum((1 - k / n) * covariances[k] for k in range(1, n))) / n


def moving_blocks(d, length, random):
    starts = random.integers(0, len(d) - length + 1, (10000, -(-len(d) // length)))
    drawn = d[starts[:, :, None] + np.arange(length)].reshape(10000, -1)
    return np.quantile(drawn[:, :len(d)].mean(1), [0.025, 0.975])


def periods(out, random):
    t = np.array([0.1, 1, 2.5, 4.771, 6.5, 9, 14])
    out["periods.p.t"], out["periods.p.p"] = t, np.array([fixed_b_p(x) for x in t])
    for i, (n, overlap, shift) in enumerate([(300, 24, 0.2), (40, 1, -0.4), (65, 7, 0.9)]):
        d = np.convolve(random.normal(shift, 1, n + overlap - 1), np.ones(overlap) / overlap, "valid")
        error = np.sqrt(newey_west_variance(d)) / (1 - 1.5 * overlap / n)
        dm = d.mean() / error
        length = max(overlap, min(int(np.ceil(np.sqrt(n))), n // 6))
        wider = 1 / np.sqrt(1 - (overlap - 1 / overlap) / (3 * length)) / (1 - 2.5 * length / n)
        bounds = d.mean() + wider * np.array([moving_blocks(d, length, random) - d.mean() for _ in range(20)])
        out[f"periods.{i}.d"] = d
        out[f"periods.{i}.result"] = np.array([overlap, d.mean(), error, dm, fixed_b_p(dm)])
        out[f"periods.{i}.interval"] = np.concatenate([bounds.mean(0), bounds.std(0, ddof=1)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    golden = pathlib.Path(__file__).resolve().parent.parent / "golden"
    parser.add_argument("--out", type=pathlib.Path, default=golden)
    random = np.random.default_rng(20)
    out = {}
    exact(out)
    paper(out)
    ties(out, random)
    holm(out, random)
    bootstrap(out, random)
    series(out, random)
    periods(out, random)
    save_file({name: np.ascontiguousarray(array, float) for name, array in out.items()},
              parser.parse_args().out / "evidence.safetensors")


if __name__ == "__main__":
    main()
