#!/usr/bin/env python3
"""Checks that the local names (of unnamed namespaces) of one library are different.

Release builds compile several files together (CASP_UNITY): a call could then silently choose the function of another file
that has the same name and other parameters. Equal names of anything else do not compile, but only where both files happen to
be compiled together. Aliases of the same type may be repeated.
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
    tags = subprocess.run(["ctags", "--c++-kinds=fcgstuv", "--fields=+st", "--output-format=json", "-f", "-", *sources], cwd=ROOT,
                          check=True, capture_output=True, text=True).stdout
    files = collections.defaultdict(set)
    types = collections.defaultdict(set)
    for line in tags.splitlines():
        tag = json.loads(line)
        namespace, _, last = tag.get("scope", "").rpartition("::")
        if last.startswith("__anon"):
            key = library(tag["path"]), namespace, tag["name"]
            files[key].add(tag["path"])
            types[key].add(tag.get("typeref") if tag["kind"] in ("typedef", "alias") else None)
    repeated = {key: sorted(paths) for key, paths in sorted(files.items())
                if len(paths) > 1 and (None in types[key] or len(types[key]) > 1)}
    for (_, namespace, name), paths in repeated.items():
        print(f"{namespace}::{name} is a local name of {' and '.join(paths)}: rename or share it.")
    if not files:
        print("ctags found no local name.")
    return 1 if repeated or not files else 0


if __name__ == "__main__":
    sys.exit(main())
