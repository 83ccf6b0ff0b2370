#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the table of docs/guide/cluster.md: runs of each table of the paper, and their time on this computer.

    table_times.py --program build/release/app/caspstudio

Both are what `caspstudio --table NAME` prints without runs: the time is computed from the operations of each run's steps, for
the maximum number of epochs, at the speed measured on this computer's device."""

import argparse
import re
import subprocess

TABLES = ("longterm averages lambda components anchors crossed mmr balancing paired seeds strata jaccard pca sensitivity "
          "fewshot m4").split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    print("| table | runs | hours, one after another | mean hours of a run |\n|---|---|---|---|")
    for table in TABLES:
        text = subprocess.run([program, "--table", table], capture_output=True, text=True, check=True).stdout
        runs, hours = re.search(r"^(\d+) runs are missing: up to about (\d+) h", text, re.MULTILINE).groups()
        print(f"| `{table}` | {runs} | {float(f'{int(hours):.2g}'):,.0f} | {float(f'{int(hours) / int(runs):.2g}'):,.0f} |")


if __name__ == "__main__":
    main()
