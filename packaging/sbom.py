#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the parts list of an installed tree, sbom.json (CycloneDX 1.5), the licence texts, and where the sources are.

    packaging/sbom.py --programs TREE/lib/caspstudio/bin --libtorch DIR --sources FILE --version 1.0.0 --out TREE/share/doc/caspstudio

FILE has a line "name<TAB>path" for each library that was copied from this system. dpkg knows their packages, versions and licences.
Headers that are compiled in (CLI11, JSON, fast_float), and with --appimage the libraries in the AppImage's head, count as parts. The time is SOURCE_DATE_EPOCH's, or left out.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

APPIMAGE = ["libsquashfuse-dev", "libzstd-dev", "liblzma-dev", "liblz4-dev", "liblzo2-dev", "zlib1g-dev", "libc6-dev", "libstdc++-12-dev"]
HEADERS = ["libcli11-dev", "nlohmann-json3-dev", "libfast-float-dev"]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def package_of(path):
    """Of the file in its real place; /lib and /usr/lib are one folder, and dpkg knows one of the names."""
    real = os.path.realpath(path)
    for name in (real, real.removeprefix("/usr"), "/usr" + real):
        found = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True).stdout
        if found:
            return found.split(":")[0]
    sys.exit(f"sbom.py: no Debian package has {real}")


def debian_part(package, files):
    version = output("dpkg-query", "-W", "-f=${Version}", package)
    return {"type": "library", "name": package, "version": version, "purl": f"pkg:deb/debian/{package}@{version}?arch=amd64",
            "components": [{"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}
                           for name, digest in sorted(files)]}


def wheel_part(list_file, programs):
    """LibTorch, as pinned in packaging/libtorch.txt."""
    version, digest = re.search(r"^torch==(\S+) --hash=sha256:(\w+)", list_file.read_text(), re.M).groups()
    files = ["libtorch_cpu.so", "libc10.so"]
    return {"type": "library", "name": "torch", "version": version, "purl": f"pkg:pypi/torch@{version}",
            "licenses": [{"license": {"id": "BSD-3-Clause"}}], "hashes": [{"alg": "SHA-256", "content": digest}],
            "description": "LibTorch: files of the wheel with this digest, stripped of local symbols",
            "components": [{"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": sha256(programs / name)}]}
                           for name in files]}


def gomp_part(programs):
    """OpenMP's library, which comes with the wheel."""
    return {"type": "library", "name": "libgomp", "version": "of the wheel torch",
            "licenses": [{"expression": "GPL-3.0-or-later WITH GCC-exception-3.1"}],
            "hashes": [{"alg": "SHA-256", "content": sha256(programs / "libgomp.so.1")}]}


def copy_licences(packages, libtorch, out):
    common = set()
    for package in packages:
        text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace")
        (out / (package + ".txt")).write_text(text)
        common |= set(re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", text))
    # Debian's texts refer to these files, which other systems do not have.
    for name in sorted(common):
        file = pathlib.Path("/usr/share/common-licenses") / name
        if file.exists():
            (out / "common").mkdir(exist_ok=True)
            shutil.copyfile(file, out / "common" / name)
    with open(out / "torch.txt", "w") as file:
        for licence in sorted(libtorch.parent.glob("torch-*.dist-info/licenses/*")):
            file.write(f"{licence.name}\n\n{licence.read_text(errors='replace')}\n")


def write_sources(packages, file):
    lines = {output("dpkg-query", "-W", "-f=${source:Package} ${source:Version}", package) for package in packages}
    with open(file, "w") as text:
        text.write("The libraries in this package are those of Debian. The complete source of each, as it was built, is in Debian's\n"
                   "snapshot archive, which keeps every version, under these names and versions:\n\n")
        text.writelines(f"{line}\n" for line in sorted(lines))
        text.write("\nLibTorch: https://github.com/pytorch/pytorch, tag of the version in sbom.json; libgomp: https://gcc.gnu.org\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("programs", "libtorch", "sources", "version", "out"):
        parser.add_argument("--" + name, required=True, type=str if name == "version" else pathlib.Path)
    parser.add_argument("--appimage", action="store_true")
    arguments = parser.parse_args()
    packages = {name: [] for name in HEADERS + (APPIMAGE if arguments.appimage else [])}
    for line in arguments.sources.read_text().splitlines():
        name, path = line.split("\t")
        packages.setdefault(package_of(path), []).append((name, sha256(arguments.programs / name)))
    licences = arguments.out / "licenses"
    licences.mkdir(parents=True, exist_ok=True)
    copy_licences(packages, arguments.libtorch, licences)
    write_sources(packages, arguments.out / "SOURCES.txt")
    metadata = {"component": {"type": "application", "name": "caspstudio", "version": arguments.version,
                              "licenses": [{"license": {"id": "GPL-3.0-or-later"}}]}}
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        moment = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
        metadata["timestamp"] = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    parts = [debian_part(package, files) for package, files in sorted(packages.items())]
    parts += [wheel_part(pathlib.Path(__file__).resolve().parent / "libtorch.txt", arguments.programs), gomp_part(arguments.programs)]
    with open(arguments.out / "sbom.json", "w") as file:
        json.dump({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": metadata, "components": parts},
                  file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
