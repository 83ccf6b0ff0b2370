#!/usr/bin/env python3
"""Writes core/text/unicode_classes.inc: the ranges of Unicode's letters (L*) and numbers (N*), from Python's unicodedata.

    packaging/unicode_classes.py > core/text/unicode_classes.inc
"""

import sys
import unicodedata


def ranges(kind):
    first = None
    for code in range(0x110001):
        inside = code < 0x110000 and unicodedata.category(chr(code))[0] == kind
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None


def main():
    print(f"// Unicode {unicodedata.unidata_version}, written by packaging/unicode_classes.py: first and last code point.")
    for kind, name in (("L", "letters"), ("N", "numbers")):
        all_of_kind = [f"{{{a:#x}, {b:#x}}}" for a, b in ranges(kind)]
        print(f"constexpr std::array<Range, {len(all_of_kind)}> {name}{{{{")
        for i in range(0, len(all_of_kind), 6):
            print("    " + ", ".join(all_of_kind[i : i + 6]) + ",")
        print("}};")


if __name__ == "__main__":
    sys.exit(main())
