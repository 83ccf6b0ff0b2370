#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/tsne/blobs.safetensors with openTSNE: affinities and a descent without approximation.

    oracle-venv/bin/pip install openTSNE==1.0.4 safetensors
    oracle-venv/bin/python tests/oracle/make_tsne_golden.py

150 points of 12 values in four blobs, exact neighbours, Barnes-Hut with angle 0 (every pair by itself), one thread:

    values [150, 12], start [150, 2]            float32
    p.first [151], p.column, p.value            int64, int32, float32: the joint probabilities as sparse rows
    after{1,20,250,750} [150, 2] float64        layouts; 250 exaggerated iterations, momentum 0.5, then 0.8
    kl [4] float64                              KL divergence of those layouts, exaggeration 1
"""

import os

import numpy as np
from openTSNE import TSNEEmbedding, affinity
from safetensors.numpy import save_file

PERPLEXITY, EXAGGERATION, EARLY = 10, 12, 250
AFTER = (1, 20, 250, 750)


def main():
    random = np.random.default_rng(7)
    centres = 4 * random.normal(size=(4, 12))
    values = (centres[np.arange(150) % 4] + random.normal(size=(150, 12))).astype(np.float32)
    # Not the usual 1e-4: at that size openTSNE's tree is no longer exact (1e-5 of the first step), even with angle 0.
    start = (0.5 * random.normal(size=(150, 2))).astype(np.float32)
    start -= start.mean(0)

    p = affinity.PerplexityBasedNN(values.astype(np.float64), perplexity=PERPLEXITY, method="exact", n_jobs=1)
    layout = TSNEEmbedding(start.astype(np.float64), p, negative_gradient_method="bh", theta=0, n_jobs=1)
    tensors = {
        "values": values,
        "start": start,
        "p.first": p.P.indptr.astype(np.int64),
        "p.column": p.P.indices.astype(np.int32),
        "p.value": p.P.data.astype(np.float32),
    }
    done, divergence = 0, []
    for until in AFTER:
        early = until <= EARLY
        layout.optimize(until - done, inplace=True, exaggeration=EXAGGERATION if early else 1, learning_rate="auto",
                        momentum=0.5 if early else 0.8)
        done = until
        tensors[f"after{until}"] = np.array(layout, dtype=np.float64)
        # Of what optimize() says in the exaggerated phase only the layout is wanted: KL at exaggeration 1.
        still = TSNEEmbedding(np.array(layout), p, negative_gradient_method="bh", theta=0, n_jobs=1)
        still.optimize(0, inplace=True)
        divergence.append(still.kl_divergence)
    tensors["kl"] = np.array(divergence)
    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(here, "..", "golden", "tsne")
    os.makedirs(folder, exist_ok=True)
    save_file(tensors, os.path.join(folder, "blobs.safetensors"),
              metadata={"perplexity": str(PERPLEXITY), "made_by": "openTSNE 1.0.4"})
    print("KL after", dict(zip(AFTER, divergence)))


if __name__ == "__main__":
    main()
