#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the table of docs/guide/cluster.md: runs of each table of the paper, and their time on this computer.

    table_times.py --program build/release/app/caspstudio

Both are what `caspstudio --table NAME` prints without runs: the time follows from the operations of each run's steps, for the
maximum number of epochs, and from the speed of this computer's device, which each call measures; the fastest of several calls
counts, since other programs may use the machine."""

import argparse
import re
import subprocess

TABLES = ("longterm averages lambda components anchors crossed mmr balancing paired seeds strata jaccard pca sensitivity "
          "fewshot m4").split()


def runs_and_hours(program, table):
    text = subprocess.run([program, "--table", table], capture_output=True, text=True, check=True).stdout
    runs, hours = re.search(r"^(\d+) runs are missing: up to about (\d+) h", text, re.MULTILINE).groups()
    return int(runs), int(hours)


def rounded(number):
    return f"{float(f'{number:.2g}'):,.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--calls", type=int, default=5)
    options = parser.parse_args()
    print("| table | runs | hours, one after another | mean hours of a run |\n|---|---|---|---|")
    for table in TABLES:
        runs, hours = min(runs_and_hours(options.program, table) for _ in range(options.calls))
        print(f"| `{table}` | {runs} | {rounded(hours)} | {rounded(hours / runs)} |", flush=True)


if __name__ == "__main__":
    main()
