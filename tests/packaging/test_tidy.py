#!/usr/bin/env python3
"""packaging/tidy.py looks at files in groups: what it finds there must be what each file has by itself, no less and no more.

Exit status 77 (skipped) without clang-tidy.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

FILES = {
    "clean.cpp": "namespace { int twice(int value) { return 2 * value; } }\nint clean(int value) { return twice(value); }\n",
    # The same name as in clean.cpp: both compile, but not as one file.
    "clash.cpp": "namespace { int twice(int value) { return value + value; } }\nint clash(int value) { return twice(value); }\n",
    "faulty.cpp": "int faulty(int* value) {\n    if (value == nullptr) {\n        return *value;\n    }\n    return 1;\n}\n",
    "with_header.cpp": '#include "zero.h"\nint* with_header() { return zero(); }\n',
    "zero.h": "#pragma once\ninline int* zero() { return 0; }\n",
    "broken.cpp": "int broken( { return 1; }\n",
    "torch_user.cpp": "#include <torch/torch.h>\nint* torch_user() { return 0; }\n",
}


def look(folder, names, *options):
    """tidy.py's exit status, the names it found something in, and its words."""
    build = folder / "build"
    build.mkdir(exist_ok=True)
    entries = [
        {"directory": str(folder), "file": f"core/{name}", "command": f"g++ -std=gnu++20 -o {name}.o -c core/{name}"} for name in names
    ]
    (build / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    command = [sys.executable, str(ROOT / "packaging" / "tidy.py"), "--root", str(folder), "--build", str(build), *options]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    last = result.stdout.splitlines()[-1] if result.stdout else ""
    found = last.partition("with findings: ")[2].split(", ") if "with findings: " in last else []
    return result.returncode, sorted(pathlib.Path(name).name for name in found), result.stdout + result.stderr


def main():
    if not (shutil.which("clang-tidy-14") or shutil.which("clang-tidy")):
        print("skipped: clang-tidy is not here (Debian: clang-tidy-14)")
        return 77
    failures = 0

    def check(what, got, expected, words):
        nonlocal failures
        if got != expected:
            failures += 1
            print(f"FAIL: {what}: got {got}, expected {expected}\n{words}")

    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch).resolve()
        (folder / "core").mkdir()
        shutil.copy(ROOT / ".clang-tidy", folder)
        for name, text in FILES.items():
            (folder / "core" / name).write_text(text, encoding="utf-8")

        status, found, words = look(folder, ["clean.cpp", "clash.cpp"])
        check("names that clash are no finding", (status, found), (0, []), words)
        check("they are looked at one by one", words.count("halves"), 1, words)

        names = ["clean.cpp", "clash.cpp", "faulty.cpp", "with_header.cpp"]
        for together in ("12", "1"):
            status, found, words = look(folder, names, "--together", together)
            check(f"found in groups of {together}", (status, found), (1, ["faulty.cpp", "with_header.cpp"]), words)
            check("the analyser's finding", "core.NullDereference" in words, True, words)
            check("a header's finding", "zero.h:2" in words, True, words)

        status, found, words = look(folder, ["clean.cpp", "broken.cpp"])
        check("a file that does not compile is a finding", (status, found), (1, ["broken.cpp"]), words)

        status, found, words = look(folder, ["clean.cpp", "torch_user.cpp"])
        check("LibTorch's users are left out", (status, "1 files" in words), (0, True), words)
        status, found, words = look(folder, ["clean.cpp", "torch_user.cpp"], "--all")
        check("and are looked at with --all", found, ["torch_user.cpp"], words)
    print("test_tidy: " + ("passed" if not failures else f"{failures} failed"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
