#!/usr/bin/env python3
"""Runs clang-tidy on this project's own sources, from the compile commands of a build folder.

packaging/tidy.py [--build build/dev] [--all] [--jobs 2] [FILE...]

Without --all, files that include LibTorch, directly or through this project's headers, are skipped. The precompiled header
and other options that only g++ knows are removed from the commands.

Nearly all of the time is spent in the headers of Qt and LibTorch, which nearly every file includes. Files of one target are
therefore concatenated and checked together (docs/decisions/0001-build-and-packaging.md). If such a group does not compile,
because two files define the same local name, or has findings, its halves are checked, down to single files: every reported
finding is from a file checked separately.

Exit status: 1 if clang-tidy has findings, 2 if it cannot run.
"""

import argparse
import concurrent.futures
import itertools
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
ONLY_GCC = {"-fpch-preprocess", "-Winvalid-pch", "-Werror", "-fopenmp"}
# Two thirds of the time went into the analyser's last paths of large functions; its default is 225,000 states a function.
ANALYSER = ["-Xclang", "-analyzer-config", "-Xclang", "max-nodes=50000"]


def clean(arguments):
    """The options of a g++ command that clang-tidy understands, without the precompiled header."""
    words, skip = [], False
    for index, word in enumerate(arguments):
        if skip:
            skip = False
        elif word == "-include" and "cmake_pch" in arguments[index + 1]:
            skip = True
        elif word not in ONLY_GCC:
            words.append(word)
    return words


def without_files(arguments):
    """A command's options without those that differ per file: the source and the outputs."""
    words, skip = [], False
    for word in arguments:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MF", "-MT"):
            skip = True
        elif word != "-MD":
            words.append(word)
    return words


def groups_of(commands, size):
    """Groups of files with the same options, at most `size` files each, of nearly equal size."""
    targets = {}
    for command in sorted(commands, key=lambda command: command["file"]):
        key = (command["directory"], *without_files(command["arguments"]))
        targets.setdefault(key, []).append(command["file"])
    groups = []
    for (directory, *words), files in targets.items():
        parts = -(-len(files) // size)
        for part in range(parts):
            groups.append((directory, words, files[part::parts]))
    return sorted(groups, key=lambda group: -len(group[2]))  # largest groups first


def include_folders(arguments):
    folders = []
    for index, word in enumerate(arguments):
        if word == "-I":
            folders.append(arguments[index + 1])
        elif word.startswith("-I"):
            folders.append(word[2:])
    return [pathlib.Path(folder) for folder in folders]


def includes_libtorch(file, folders, known, root):
    """Whether a file or one of the project's headers that it includes includes a LibTorch header."""
    if file in known:
        return known[file]
    known[file] = False  # breaks cycles
    for kind, name in INCLUDE.findall(file.read_text(encoding="utf-8", errors="replace")):
        if LIBTORCH.match(name):
            known[file] = True
            break
        for folder in [file.parent] * (kind == '"') + folders:
            header = folder / name
            if header.is_file() and root in header.resolve().parents:
                if includes_libtorch(header.resolve(), folders, known, root):
                    known[file] = True
                break
        if known[file]:
            break
    return known[file]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "dev")
    parser.add_argument("--all", action="store_true", help="also check files that include LibTorch")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="root of the sources (for the test of this script)")
    parser.add_argument("--together", type=int, default=24, help="files checked together (1: each separately)")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="check only these files")
    options = parser.parse_args()
    root = options.root.resolve()

    tidy = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if tidy is None:
        print("tidy: clang-tidy is not installed (Debian: clang-tidy-14)", file=sys.stderr)
        return 2
    database = options.build / "compile_commands.json"
    if not database.is_file():
        print(f"tidy: {database} does not exist; configure first: cmake --preset dev", file=sys.stderr)
        return 2

    only = {file.resolve() for file in options.files}
    known, commands = {}, {}
    for entry in json.loads(database.read_text(encoding="utf-8")):
        file = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if not any(root / folder in file.parents for folder in OWN) or (only and file not in only):
            continue
        arguments = entry.get("arguments") or shlex.split(entry["command"])
        if not options.all and not only and includes_libtorch(file, include_folders(arguments), known, root):
            continue
        commands.setdefault(str(file), {"directory": entry["directory"], "file": str(file), "arguments": clean(arguments)})
    if not commands:
        print("tidy: no files to check (a build folder of CASP_UNITY has no commands of single files)", file=sys.stderr)
        return 2

    folder = options.build.resolve() / "tidy"
    shutil.rmtree(folder, ignore_errors=True)  # from an earlier call
    folder.mkdir()
    numbers = itertools.count(1)

    def run(directory, words, files):
        """Runs clang-tidy on some files together, or on one file."""
        if len(files) == 1:
            source, more = pathlib.Path(files[0]), []
        else:
            # Concatenated rather than included: the analyser only follows paths in the main file.
            source = folder / f"group-{next(numbers)}.cpp"
            source.write_text("\n".join(pathlib.Path(file).read_text(encoding="utf-8") for file in files), encoding="utf-8")
            more = [word for place in dict.fromkeys(os.path.dirname(file) for file in files) for word in ("-iquote", place)]
        command = [tidy, "--quiet", f"--config-file={root / '.clang-tidy'}", str(source), "--", *words[1:], *more, *ANALYSER]
        return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)

    def check(group):
        """The findings by file, and the lines to print."""
        directory, words, files = group
        started = time.monotonic()
        result = run(directory, words, files)
        names = [os.path.relpath(file, root) for file in files]
        said = f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''} ({time.monotonic() - started:.0f} s)"
        if result.returncode == 0:
            return [], [said]
        if len(files) == 1:
            return [(names[0], result.stdout.strip() or result.stderr.strip())], [said]
        findings, lines = [], [said + ", then its halves"]
        for half in (files[::2], files[1::2]):
            found, more = check((directory, words, half))
            findings += found
            lines += more
        return findings, lines

    failed = []
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for findings, lines in pool.map(check, groups_of(commands.values(), options.together)):
            print("\n".join(f"tidy: {line}" for line in lines), flush=True)
            for name, words in findings:
                failed.append(name)
                print(f"tidy: in {name}:\n{words}", flush=True)
    print(f"tidy: {len(commands)} files, {len(failed)} with findings" + (": " + ", ".join(failed) if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
