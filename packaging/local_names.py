#!/usr/bin/env python3
"""Checks that the local names (of unnamed namespaces) of one library are different.

Release builds compile several files together (CASP_UNITY): a call could then silently choose the function of another file
that has the same name and other parameters. Equal names of anything else do not compile, but only where both files happen to
be compiled together. Aliases of the same type may be repeated.

The tests of a folder are one program: what is no local name there must not exist twice, or the linker chooses one. And a test
whose name ends in _data is never run.
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


def tags_of(*patterns):
    sources = subprocess.run(["git", "ls-files", "--", *patterns], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    tags = subprocess.run(["ctags", "--c++-kinds=fcgstuv", "--fields=+stS", "--output-format=json", "-f", "-", *sources], cwd=ROOT,
                          check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in tags.splitlines()]


def twice_in_tests():
    """Classes and functions of the same scope in several files of a folder of tests."""
    files = collections.defaultdict(set)
    for tag in tags_of("tests/*/test_*.cpp", "tests/*/*.h"):
        local = "__anon" in tag.get("scope", "") or tag.get("scopeKind") not in (None, "namespace")
        if not local and tag["kind"] in ("class", "struct", "union", "enum", "function") and tag["name"] != "TEST_PROGRAM":
            files[pathlib.PurePosixPath(tag["path"]).parent, tag.get("scope", ""), tag["name"]].add(tag["path"])
    return {key: sorted(paths) for key, paths in sorted(files.items()) if len(paths) > 1}


def rows_without_test():
    """Test functions whose names end in _data: QtTest takes them for rows of another one, and never runs them."""
    functions = {(tag["path"], tag.get("scope", ""), tag["name"]) for tag in tags_of("tests/*.cpp")
                 if tag["kind"] == "function" and tag.get("signature") == "()"}
    return sorted((path, name) for path, scope, name in functions
                  if scope.startswith("Test") and name.endswith("_data") and (path, scope, name.removesuffix("_data")) not in functions)


def main():
    files = collections.defaultdict(set)
    types = collections.defaultdict(set)
    for tag in tags_of("core/*.cpp", "widgets/*.cpp", "app/*.cpp"):
        namespace, _, last = tag.get("scope", "").rpartition("::")
        if last.startswith("__anon"):
            key = library(tag["path"]), namespace, tag["name"]
            files[key].add(tag["path"])
            types[key].add(tag.get("typeref") if tag["kind"] in ("typedef", "alias") else None)
    repeated = {key: sorted(paths) for key, paths in sorted(files.items())
                if len(paths) > 1 and (None in types[key] or len(types[key]) > 1)}
    for (_, namespace, name), paths in repeated.items():
        print(f"{namespace}::{name} is a local name of {' and '.join(paths)}: rename or share it.")
    in_tests = twice_in_tests()
    for (_, scope, name), paths in in_tests.items():
        print(f"{scope}::{name} is in {' and '.join(paths)}, which are one program: rename or share it.")
    never_run = rows_without_test()
    for path, name in never_run:
        print(f"{path}: {name}() is never run, since its name ends in _data: rename it.")
    if not files:
        print("ctags found no local name.")
    return 1 if repeated or in_tests or never_run or not files else 0


if __name__ == "__main__":
    sys.exit(main())
