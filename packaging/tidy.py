#!/usr/bin/env python3
"""Runs clang-tidy on this project's own sources, from the compile commands of a build folder.

packaging/tidy.py [--build build/release] [--all] [--jobs 2] [FILE...]

Without --all, files that include LibTorch, directly or through headers of ours, are left out: clang needs a minute for
each. The precompiled header and other words that only g++ knows are taken out of the commands. Exit status 1 where
clang-tidy finds something, 2 where it cannot run.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OWN = ("core", "app", "widgets")
LIBTORCH = re.compile(r"(torch|ATen|c10|caffe2)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
ONLY_GCC = {"-fpch-preprocess", "-Winvalid-pch", "-Werror"}


def clean(arguments):
    """The words of a g++ command that clang-tidy understands, without the precompiled header."""
    words, skip = [], False
    for index, word in enumerate(arguments):
        if skip:
            skip = False
        elif word == "-include" and "cmake_pch" in arguments[index + 1]:
            skip = True
        elif word not in ONLY_GCC:
            words.append(word)
    return words


def include_folders(arguments):
    folders = []
    for index, word in enumerate(arguments):
        if word == "-I":
            folders.append(arguments[index + 1])
        elif word.startswith("-I"):
            folders.append(word[2:])
    return [pathlib.Path(folder) for folder in folders]


def includes_libtorch(file, folders, known):
    """Whether a file or one of our headers that it includes names a LibTorch header."""
    if file in known:
        return known[file]
    known[file] = False  # ends circles
    for kind, name in INCLUDE.findall(file.read_text(encoding="utf-8", errors="replace")):
        if LIBTORCH.match(name):
            known[file] = True
            break
        for folder in [file.parent] * (kind == '"') + folders:
            header = folder / name
            if header.is_file() and ROOT in header.resolve().parents:
                if includes_libtorch(header.resolve(), folders, known):
                    known[file] = True
                break
        if known[file]:
            break
    return known[file]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--all", action="store_true", help="files that include LibTorch too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="only these")
    options = parser.parse_args()

    tidy = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if tidy is None:
        print("tidy: clang-tidy is not here (Debian: clang-tidy-14)", file=sys.stderr)
        return 2
    database = options.build / "compile_commands.json"
    if not database.is_file():
        print(f"tidy: {database} is not there; configure first: cmake --preset release", file=sys.stderr)
        return 2

    only = {file.resolve() for file in options.files}
    known, commands = {}, {}
    for entry in json.loads(database.read_text(encoding="utf-8")):
        file = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if not any(ROOT / folder in file.parents for folder in OWN) or (only and file not in only):
            continue
        arguments = entry.get("arguments") or shlex.split(entry["command"])
        if not options.all and not only and includes_libtorch(file, include_folders(arguments), known):
            continue
        commands.setdefault(str(file), {"directory": entry["directory"], "file": str(file), "arguments": clean(arguments)})
    if not commands:
        print("tidy: no file to look at", file=sys.stderr)
        return 2

    folder = options.build / "tidy"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(list(commands.values()), indent=1), encoding="utf-8")

    def check(file):
        started = time.monotonic()
        result = subprocess.run([tidy, "--quiet", "-p", str(folder), file], capture_output=True, text=True, check=False)
        return file, result, time.monotonic() - started

    failed = []
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for file, result, seconds in pool.map(check, sorted(commands)):
            name = os.path.relpath(file, ROOT)
            print(f"tidy: {name} ({seconds:.0f} s)", flush=True)
            if result.returncode != 0:
                failed.append(name)
                print(result.stdout.strip() or result.stderr.strip(), flush=True)
    print(f"tidy: {len(commands)} files, {len(failed)} with findings" + (": " + ", ".join(failed) if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
