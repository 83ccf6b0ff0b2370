#!/usr/bin/env python3
"""pollute.py FOLDER [PAIRS]: writes every kind of pollution of a time series table, singly and in pairs, and manifest.json.

The same files on every machine (standard library only, fixed seed). manifest.json: `base`: texts of the channels; `axes`: seconds since
1970; `kinds`: group, warnings that concern it, whether it must be read equal alone (alone_equal), and which share of its files with
another such kind must be (least_equal); `files`: kinds of each file and what a careful reader finds in it:
  channels   in order: name, how it is compared (exact, contains, any), column of `base`
  rows       rows of `base`, oldest first; absent: all
  as_written rows in the order of the file, if that is another; either_order: a reader may keep it
  cells      [row, channel, value]: other values than the base's; null: the file does not have it
  times      axis and acceptable shifts in seconds (hour 1 of 24 may begin or end there); null: not judged
  must_warn  kinds of warnings of which one must be given: something is left out, or is probably no measurement
  refuse     true: no table is to be read
"""

import json
import random
import sys
from pathlib import Path

from kinds import KINDS
from polluted_file import AXES, BASE, Incompatible, PollutedFile, seconds

# Time first, bytes last: a kind may look at what those before it decided.
ORDER = ["time", "number", "order", "encoding", "header", "delimiter", "value", "columns", "tables", "one row", "quotes", "line ends",
         "before the table", "after the table"]


def polluted(kinds, variants):
    """The bytes and the expectation of a file with these kinds."""
    f = PollutedFile()
    for k, variant in sorted(zip(kinds, variants), key=lambda x: ORDER.index(x[0].group)):
        k.apply(f, variant)
    return f.write(), f.expectation()


def file_name(kinds, variants):
    text = " + ".join(k.id + (f" ({v})" if v is not None else "") for k, v in zip(kinds, variants))
    return "".join(c if c.isascii() and (c.isalnum() or c in "-+.,()") else "_" for c in text)


def main():
    folder, pairs = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(35)
    kinds = list(KINDS.values())
    files = []

    def add(some, variants):
        data, expectation = polluted(some, variants)
        name = f"{len(files):04d} {file_name(some, variants)}"[:120] + ".csv"
        (folder / name).write_bytes(data)
        files.append({"file": name, "kinds": [k.id for k in some], **expectation})

    add([], [])
    for k in kinds:
        for variant in k.variants:
            add([k], [variant])
    singles = len(files)
    combinable = [(a, b) for i, a in enumerate(kinds) for b in kinds[i + 1:] if a.group != b.group and a.pairs and b.pairs]
    rng.shuffle(combinable)
    for a, b in combinable:
        if len(files) - singles == pairs:
            break
        try:
            add([a, b], [rng.choice(a.variants), rng.choice(b.variants)])
        except Incompatible:
            continue
    manifest = {
        "base": {key: [float(x) for x in texts] for key, texts in BASE.items()},
        "axes": {key: [seconds(t) for t in moments] for key, moments in AXES.items()},
        "kinds": {k.id: {"group": k.group, "warnings": k.warnings, "alone_equal": k.equal, "least_equal": k.least} for k in kinds},
        "files": files,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    print(f"{len(kinds)} kinds, {singles} files with at most one, {len(files) - singles} with two")


if __name__ == "__main__":
    main()
