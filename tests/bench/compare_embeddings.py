#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times CASP Studio's t-SNE and PCA beside openTSNE's and scikit-learn's, in turn, on one machine.

    python3 tests/bench/compare_embeddings.py --embed build/release/tests/bench/casp_embed --python oracle-venv/bin/python

--python names an interpreter with openTSNE, scikit-learn and numpy. Points: the `mixture` of tests/oracle/tsne_compare.py,
768 values each. t-SNE: perplexity 30, 250 + 500 iterations, PCA start, --threads threads on both sides; openTSNE once with
its own choice of neighbours (approximate above 1,000) and, with --exact, with exact ones; PCA with scikit-learn's own choice
of solver (randomised at 1,000 points) and, with --exact, the whole spectrum of the covariance. Seconds are those of the work
in a running program: without starting it and reading the points. Medians over --rounds; ratio pair by pair.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

RIVAL = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np
what, path, rows, threads = sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
points = np.fromfile(path, np.float32).reshape(rows, -1)
if what.startswith("pca"):
    from sklearn.decomposition import PCA
    solver = "covariance_eigh" if what == "pca-exact" else "auto"
    PCA(2, svd_solver=solver).fit(points[:100])
    start = time.perf_counter()
    PCA(2, svd_solver=solver, random_state=0).fit_transform(points)
    print(json.dumps({"seconds": time.perf_counter() - start}))
else:
    from openTSNE import TSNE
    start = time.perf_counter()
    layout = TSNE(n_jobs=threads, neighbors="exact" if what == "tsne-exact" else "auto", random_state=0).fit(points)
    print(json.dumps({"seconds": time.perf_counter() - start, "kl": float(layout.kl_divergence)}))
"""

MAKE = """
import sys
sys.path.insert(0, sys.argv[1])
from tsne_compare import mixture
mixture(int(sys.argv[3])).tofile(sys.argv[2])
"""


def run(command, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads),
                       OPENBLAS_NUM_THREADS=str(threads))
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"compare_embeddings.py: {' '.join(command[:4])} ...\n{done.stderr[-2000:]}")
    return done.stdout


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    oracle = os.path.join(here, "..", "oracle")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embed", required=True, metavar="PATH", help="casp_embed")
    parser.add_argument("--python", default=sys.executable, metavar="PATH")
    parser.add_argument("--sizes", default="1000,10000,50000")
    parser.add_argument("--only", default="pca,tsne", help="pca, tsne or both")
    parser.add_argument("--exact", action="store_true", help="openTSNE with exact neighbours, PCA without randomised solver")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    print("| what | ours | rival | ratio: median (least–largest) | KL ours | KL rival |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        values, out = os.path.join(folder, "values"), os.path.join(folder, "out")
        for rows in map(int, arguments.sizes.split(",")):
            run([arguments.python, "-c", MAKE, oracle, values, str(rows)], arguments.threads)
            for what in arguments.only.split(","):
                pairs = []
                for number in range(arguments.rounds):
                    ours = json.loads(run([arguments.embed, what, values, str(rows), "768", out], arguments.threads))
                    name = what + "-exact" if arguments.exact else what
                    rival = json.loads(run([arguments.python, "-c", RIVAL, oracle, name, values, str(rows),
                                            str(arguments.threads)], arguments.threads).splitlines()[-1])
                    pairs.append((ours, rival))
                    print(f"{what} {rows}, round {number + 1}: ours {ours['seconds']:.3g} s, "
                          f"rival {rival['seconds']:.3g} s", file=sys.stderr, flush=True)
                ratios = [b["seconds"] / a["seconds"] for a, b in pairs]
                middle = [statistics.median(p[i]["seconds"] for p in pairs) for i in (0, 1)]
                kl = [f"{statistics.median(p[i]['kl'] for p in pairs):.4f}" if what == "tsne" else "–" for i in (0, 1)]
                print(f"| {'t-SNE' if what == 'tsne' else 'PCA'}, {rows:,} × 768 | {middle[0]:.3g} s | {middle[1]:.3g} s | "
                      f"**{statistics.median(ratios):.3g}** ({min(ratios):.3g}–{max(ratios):.3g}) | {kl[0]} | {kl[1]} |",
                      flush=True)


if __name__ == "__main__":
    main()
