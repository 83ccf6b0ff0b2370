#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Says of each input that a fuzzer stopped at whose fault it is: ours, or a library's that we only call.

    whose_fault.py FUZZER FOLDER

Runs FUZZER on every crash-*, oom-*, timeout-* and leak-* in FOLDER and looks at the first report's stack: the innermost
frame that is neither the sanitizer's nor the C library's. In libhdf5 (not instrumented, not ours; docs/robustness.md) the
input is counted; anywhere else, and where a promise of the target is broken, it is told. Exit status 1 if one was.
Python's standard library only.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys

FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+\s+(?:in (?P<function>.+?) )?(?P<place>\S*\(\S+\)|\S+:\d+\S*)(?: \(BuildId.*\))?$")
# The C library's; the sanitizer's and the fuzzer's own have no line of a source, only a place in the program.
RUNTIME = re.compile(r"/sysdeps/|/libc\.so|/libc-|libm\.so|libstdc\+\+|/csu/|operator new|operator delete")
OTHERS = "libhdf5"


def verdict(fuzzer, file):
    """('theirs', function) or ('ours', the report's first lines) or ('nothing', '')."""
    environment = {**os.environ, "ASAN_OPTIONS": "symbolize=1:detect_leaks=0"}
    try:
        done = subprocess.run([fuzzer, "-timeout=20", "-rss_limit_mb=2048", "-detect_leaks=0", str(file)], capture_output=True,
                              text=True, errors="replace", timeout=120, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return "ours", "it does not end"
    if done.returncode == 0:
        return "nothing", ""
    if "broken promise" in done.stderr:
        return "ours", done.stderr[-2000:]
    inside = False
    for line in done.stderr.splitlines():
        frame = FRAME.match(line)
        if not frame:
            if inside and not line.strip():
                break
            continue
        inside = True
        if RUNTIME.search(line) or f"({fuzzer}+0x" in line or f"/{pathlib.Path(fuzzer).name}+0x" in line:
            continue
        return ("theirs", frame["function"] or "?") if OTHERS in line else ("ours", done.stderr[-4000:])
    return "ours", done.stderr[-4000:]


def main():
    fuzzer, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    counted, ours = collections.Counter(), 0
    for file in sorted(folder.iterdir()) if folder.is_dir() else []:
        if not re.match(r"(crash|oom|timeout|leak|slow-unit)-", file.name):
            continue
        whose, what = verdict(fuzzer, file)
        counted[(whose, what if whose == "theirs" else "")] += 1
        if whose == "ours":
            ours += 1
            print(f"{file}:\n{what}\n")
    for (whose, function), count in sorted(counted.items()):
        print(f"{count} inputs: " + {"theirs": f"inside libhdf5, {function}", "ours": "in our code",
                                     "nothing": "stop nothing when tried again"}[whose])
    return 1 if ours else 0


if __name__ == "__main__":
    sys.exit(main())
