#!/usr/bin/env python3
"""Checks that local functions (of unnamed namespaces) of one library have different names.

Release builds compile several files together (CASP_UNITY): a call could then silently choose the function of another file
that has the same name and other parameters. Functions with equal parameters would not compile.
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def library(file):
    parts = pathlib.PurePosixPath(file).parts
    return "/".join(parts[:2]) if parts[0] == "widgets" else parts[0]


def main():
    sources = subprocess.run(["git", "ls-files", "--", "core/*.cpp", "widgets/*.cpp", "app/*.cpp"], cwd=ROOT, check=True,
                             capture_output=True, text=True).stdout.split()
    tags = subprocess.run(["ctags", "--c++-kinds=f", "--fields=+s", "--output-format=json", "-f", "-", *sources], cwd=ROOT,
                          check=True, capture_output=True, text=True).stdout
    files = collections.defaultdict(set)
    for line in tags.splitlines():
        tag = json.loads(line)
        namespace, _, last = tag.get("scope", "").rpartition("::")
        if last.startswith("__anon"):
            files[library(tag["path"]), namespace, tag["name"]].add(tag["path"])
    repeated = {key: sorted(paths) for key, paths in sorted(files.items()) if len(paths) > 1}
    for (_, namespace, name), paths in repeated.items():
        print(f"{namespace}::{name} is a local function of {' and '.join(paths)}: rename or share it.")
    if not files:
        print("ctags found no local function.")
    return 1 if repeated or not files else 0


if __name__ == "__main__":
    sys.exit(main())
