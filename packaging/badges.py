#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the README's badges, docs/images/*.svg, from what they state.

    packaging/badges.py            writes them
    packaging/badges.py --check    exit status 1 if one is not up to date
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHARACTER = 6.6  # width in DejaVu Sans of 11 px, on average


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def statements():
    """Badge -> (left, right), read from the files that decide."""
    version = re.search(r"project\(CaspStudio VERSION ([0-9.]+)", text("CMakeLists.txt")).group(1)
    standard = re.search(r"CMAKE_CXX_STANDARD (\d+)", text("CMakeLists.txt")).group(1)
    licence = re.search(r"^license: (\S+)", text("CITATION.cff"), re.M).group(1)
    systems = re.search(r"^# (Debian .*): libraries with a stable", text("packaging/cmake/CaspInstall.cmake"), re.M).group(1)
    return {"version": ("version", version), "licence": ("licence", licence), "language": ("C++", standard),
            "systems": ("packages", systems)}


def svg(left, right):
    widths = [round(len(part) * CHARACTER + 12) for part in (left, right)]
    total = sum(widths)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="20" role="img" aria-label="{left}: {right}">
<rect width="{total}" height="20" rx="3" fill="#0072b2"/>
<rect width="{widths[0]}" height="20" rx="3" fill="#444"/>
<g fill="#fff" font-family="DejaVu Sans,Verdana,sans-serif" font-size="11" text-anchor="middle">
<text x="{widths[0] / 2:g}" y="14">{left}</text>
<text x="{widths[0] + widths[1] / 2:g}" y="14">{right}</text>
</g>
</svg>
"""


def main():
    outdated = []
    for name, (left, right) in statements().items():
        file = ROOT / "docs" / "images" / f"{name}.svg"
        wanted = svg(left, right)
        if file.exists() and file.read_text(encoding="utf-8") == wanted:
            continue
        outdated.append(file.name)
        if "--check" not in sys.argv[1:]:
            file.write_text(wanted, encoding="utf-8")
    if outdated and "--check" in sys.argv[1:]:
        print(f"badges.py: not up to date: {', '.join(outdated)}; run packaging/badges.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
