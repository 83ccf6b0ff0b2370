#!/usr/bin/env python3
"""Prints the block [entry.content] of datasets/catalog.toml for a data file: fingerprint.py FILE.csv

It is an implementation of its own: the program recognises the file by these lines only if both agree.
"""
import csv
import hashlib
import json
import math
import struct
import sys


def decimals(numbers):
    """Digits after the point that tell the numbers apart from their neighbours in single precision."""
    for digits in range(7):
        if all(abs(x - round(x, digits)) <= 2e-7 * max(1.0, abs(x)) for x in numbers):
            return digits
    return 6


def whole(number, digits):
    """The number in units of its last digit, halves away from zero."""
    scaled = number * 10.0**digits
    return int(math.copysign(math.floor(abs(scaled) + 0.5), scaled))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    content = open(sys.argv[1], "rb").read()
    header, *rows = csv.reader(content.decode("utf-8").splitlines())
    columns = [[float(row[c]) for row in rows] for c in range(1, len(header))]
    digits = [decimals(column) for column in columns]
    units = [[whole(x, n) for x in column] for column, n in zip(columns, digits)]
    digest = hashlib.sha256()
    for row in zip(*units):
        digest.update(struct.pack(f"<{len(row)}q", *row))
    print("[entry.content]")
    print("channels =", json.dumps(header[1:], ensure_ascii=False))
    print(f'first = "{rows[0][0]}"\nlast = "{rows[-1][0]}"')
    for name, row in ("first_row", rows[0]), ("last_row", rows[-1]):
        print(f"{name} = [{', '.join(repr(float(x)) for x in row[1:])}]")
    print("decimals =", digits)
    print("sums =", [sum(column) for column in units])
    print(f'values = "{digest.hexdigest()}"')


main()
