#!/usr/bin/env python3
"""compare.py FOLDER RESULTS: the polluted files through pandas and DuckDB, beside CASP Studio's results, as a Markdown table.

FOLDER: written by pollute.py. RESULTS: written by test_pollution with CASP_POLLUTION_RESULTS. Needs the oracle's Python.

pandas reads with read_csv(file) and with read_csv(file, sep=None, engine="python"), which finds the delimiter; DuckDB with
read_csv(file), which finds everything. They are judged by the channels' values only:
  equal            the channels are columns of numbers, in order, with the values and rows of the table, or with the rows as the file has
                   them (newest first, one twice); other columns, names and times are not looked at, and no warning is asked for
  error or text    an exception, no rows, or a channel that is text: the next line of a program would stop
  silently wrong   numbers that differ, rows too many or too few
"""

import concurrent.futures
import json
import sys
import warnings
from collections import defaultdict
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd


def pandas_default(path):
    return pd.read_csv(path)


def pandas_sniffing(path):
    return pd.read_csv(path, sep=None, engine="python")


def duckdb_auto(path):
    return duckdb.read_csv(str(path)).df()


READERS = {"pandas, defaults": pandas_default, "pandas, sep=None": pandas_sniffing, "DuckDB": duckdb_auto}


def channels_of(manifest, file):
    """The channels' values in the order of time, and in the order of the file."""
    columns = []
    for channel in file["channels"]:
        base = manifest["base"][channel["values"]]
        columns.append(np.array([base[i] for i in file.get("rows", range(len(base)))]))
    rows = list(file.get("rows", range(len(columns[0]))))
    for row, channel, value in file.get("cells", []):
        columns[channel][np.array(rows) == row] = np.nan if value is None else value
    written = [rows.index(row) for row in file.get("as_written", rows)]
    return [columns, [column[written] for column in columns]]


def outcome(frame, wanted):
    """Whether the wanted columns are among those of numbers, in order."""
    numbers, texts = [], 0
    for name in range(frame.shape[1]):
        column = frame.iloc[:, name]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            values = column.to_numpy(dtype=float, na_value=np.nan)
            numbers.append(np.where(np.isinf(values), np.nan, values))
        else:
            texts += 1
    for columns in wanted or []:
        left = iter(numbers)
        if all(any(len(c) == len(w) and np.allclose(c, w, rtol=1e-9, atol=0, equal_nan=True) for c in left) for w in columns):
            return "equal"
    if wanted is None:
        return "silently wrong" if numbers and len(frame) else "error or text"
    # With fewer columns of numbers than channels, what is absent is text.
    return "error or text" if len(numbers) < len(wanted[0]) and texts else "silently wrong"


def judge(task):
    reader, path, wanted = task
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            frame = READERS[reader](path)
        except Exception:
            return "error or text"
        return outcome(frame, wanted)


def main():
    folder, results = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    files = manifest["files"]
    wanted = [None if f.get("refuse") else channels_of(manifest, f) for f in files]
    outcomes = {"CASP Studio": [results[f["file"]].replace("refused", "error or text").replace("warned", "error or text") for f in files]}
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for reader in READERS:
            tasks = [(reader, folder / f["file"], w) for f, w in zip(files, wanted)]
            outcomes[reader] = list(pool.map(judge, tasks, chunksize=50))
    groups = defaultdict(list)
    for i, f in enumerate(files):
        for group in {manifest["kinds"][k]["group"] for k in f["kinds"]}:
            groups[group].append(i)
    groups["**all files**"] = list(range(len(files)))

    def shares(of, some):
        return " / ".join(f"{100 * sum(of[i] == what for i in some) / len(some):.1f}" for what in ("equal", "error or text", "silently wrong"))

    print(f"| pollution | files | {' | '.join(outcomes)} |")
    print("|---|---|" + "---|" * len(outcomes))
    for group, some in groups.items():
        print(f"| {group} | {len(some)} | {' | '.join(shares(of, some) for of in outcomes.values())} |")


if __name__ == "__main__":
    main()
