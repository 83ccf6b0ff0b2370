#!/usr/bin/env python3
"""Twenty deliberate faults, put into the sources one by one: each must make a test fail.

  tests/deliberate_faults.py --build build/release [--only NAME]

By hand, after tests were removed or joined (docs/testing.md); in a copy of the checkout, since it edits the sources. Each fault is
a text that is replaced once in one file; the tests named beside it are built and run, and at least one of them must fail. The exit
status is the number of faults that nothing noticed.
"""

import argparse
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# file, text, the fault, tests
FAULTS = {
    # The heart
    "decay": ("core/model/coverage.cpp", "1.0 - decay);", "decay);", "coverage golden"),
    "gate": ("core/model/coverage.cpp", "logical_and_(s < statistic)", "logical_and_(s > statistic)", "coverage golden"),
    "largest": ("core/model/retrieval.cpp", "/*largest=*/true", "/*largest=*/false", "golden"),
    "variance": ("core/model/instance_norm.cpp", "std::optional<at::Scalar>(0)", "std::optional<at::Scalar>(1)", "golden"),
    "smape": ("core/model/forecast_losses.cpp", "return 200 *", "return 100 *", "m4_models training_golden"),
    "patience": ("core/train/checkpoint.h", "waited >= patience", "waited > patience", "training resume"),
    "tie": ("core/train/checkpoint.h", "validation_mse <= best", "validation_mse < best", "training"),
    # Data
    "moments": ("core/data/scaler.cpp", "moments_of(mean, squares / static_cast<long double>(n), n)",
                "moments_of(mean, squares / static_cast<long double>(n - 1), n)", "data_protocol"),
    "last window": ("core/data/split.cpp", "- lookback - horizon + 1;", "- lookback - horizon;", "data_protocol"),
    # Evidence
    "ties": ("core/evidence/paired.cpp", "static_cast<double>(first + 1 + last) / 2", "static_cast<double>(first + last) / 2",
             "paired"),
    "continuity": ("core/evidence/paired.cpp", "continuity_correction = 0.5", "continuity_correction = 0", "paired"),
    # Files
    "unique names": ("core/store/atomic_file.cpp", "O_CREAT | O_EXCL | O_NOFOLLOW", "O_CREAT | O_TRUNC",
                     "staged_files run_folder bad_disk safetensors"),
    "generations": ("core/store/checkpoint_folder.cpp", "if (path.filename() != but)", "if (path.filename() == but)",
                    "resume run_folder"),
    "half a checkpoint": ("core/store/checkpoint_folder.cpp", "    if (committed_) return;\n", "    return;\n",
                          "run_folder resume bad_disk"),
    "replaced runs": ("core/store/wastebasket.cpp", "RENAME_NOREPLACE) == 0", "0) == 0", "wastebasket"),
    "named twice": ("core/store/safetensors.cpp", "if (depth_ <= 2 && !names_", "if (depth_ > 9 && !names_", "safetensors"),
    # What the window draws and selects
    "peaks": ("widgets/figures/reduce.cpp", "if (value > highest) highest = value, high = last_;",
              "if (value > highest) highest = value, high = low;", "reduce"),
    "gaps": ("widgets/figures/reduce.cpp", "} else if (!result.empty() && result.back() != gap) {", "} else if (i == range.end) {", "reduce"),
    "points dropped": ("widgets/state/selection.cpp", "if (drops) state_.pairs.clear();", "if (!drops) state_.pairs.clear();", "selection"),
    "undo": ("widgets/state/selection.cpp", "history_.resize(position_ + 1);", "", "selection"),
}


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def noticed(build, tests):
    """Whether a test fails; a fault that does not compile is no fault."""
    names = ["test_" + name for name in tests.split()]
    built = run("ninja", "-C", build, *names)
    if built.returncode != 0:
        sys.exit(f"does not compile:\n{built.stdout[-3000:]}")
    pattern = "^(" + "|".join(names) + ")$"
    return run("ctest", "--test-dir", build, "--no-tests=error", "-j2", "-R", pattern).returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--only", choices=FAULTS)
    options = parser.parse_args()
    missed = []
    for name, (file, text, fault, tests) in FAULTS.items():
        if options.only not in (None, name):
            continue
        path = ROOT / file
        source = path.read_text(encoding="utf-8")
        if source.count(text) != 1:
            sys.exit(f"{file} has {source.count(text)} times: {text}")
        begin = time.monotonic()
        try:
            path.write_text(source.replace(text, fault), encoding="utf-8")
            found = noticed(options.build, tests)
        finally:
            path.write_text(source, encoding="utf-8")
        print(f"{'noticed' if found else 'MISSED '} {time.monotonic() - begin:4.0f} s  {name}: {file}", flush=True)
        if not found:
            missed.append(name)
    print(f"{len(missed)} not noticed")
    sys.exit(len(missed))


if __name__ == "__main__":
    main()
