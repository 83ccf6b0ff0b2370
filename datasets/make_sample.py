#!/usr/bin/env python3
"""Generates datasets/sample.csv: two years of hourly readings of a fictitious power transformer.

Six loads (high, middle and low voltage side; active and reactive power) and the oil temperature OT, which follows them
and the air temperature with a lag. All values are computed from the formulas below and a generator with a fixed seed;
none were measured. Standard library only. The output is identical on every machine: random() and the four basic
operations round identically everywhere, and sine is rounded to 12 digits before it is used.

    python3 datasets/make_sample.py [FILE]        default: sample.csv next to this script
"""

import datetime
import math
import os
import random
import sys

ROWS = 2 * 365 * 24
START = datetime.datetime(2022, 1, 1)
SEED = 20220101

# name, mean, daily, weekly and yearly amplitude (fractions of the mean), noise, hour of the day's peak, power factor of its partner
SIDES = [
    ("H", 21.0, 0.30, 0.12, 0.16, 0.030, 18.5, 0.36),
    ("M", 12.5, 0.34, 0.16, 0.10, 0.035, 12.0, 0.31),
    ("L", 6.2, 0.42, 0.08, 0.20, 0.040, 19.5, 0.27),
]


def wave(turns):
    """Sine of whole turns, identical with every libm."""
    return round(math.sin(2.0 * math.pi * (turns - math.floor(turns))), 12)


def gauss(rng):
    """Sum of twelve uniform numbers minus 6: variance 1, without libm."""
    total = -6.0
    for _ in range(12):  # not sum(): it rounds differently since Python 3.12
        total += rng.random()
    return total


def trend_breaks(rng):
    """Per side and hour: a level that jumps and changes its slope every one to four months."""
    levels = [[0.0] * ROWS for _ in SIDES]
    for level in levels:
        hour, value, slope = 0, 0.0, 0.0
        while hour < ROWS:
            length = 24 * (30 + int(rng.random() * 90))
            slope = (rng.random() - 0.5) * 0.12 / (24 * 60)
            value += (rng.random() - 0.5) * 0.10
            for t in range(hour, min(hour + length, ROWS)):
                level[t] = value
                value += slope
                value *= 0.99995  # reverts to the mean in the long run
            hour += length
    return levels


def rare_events(rng):
    """Outages (factor) and overloads (addition) per hour, one or two dozen of each in two years."""
    factor, extra = [1.0] * ROWS, [0.0] * ROWS
    for _ in range(14):
        begin, length = int(rng.random() * (ROWS - 48)), 3 + int(rng.random() * 9)
        depth = 0.25 + 0.35 * rng.random()
        for t in range(begin, begin + length):
            factor[t] = depth
    for _ in range(22):
        begin, length = int(rng.random() * (ROWS - 96)), 12 + int(rng.random() * 36)
        height = 0.18 + 0.22 * rng.random()
        for k in range(length):
            extra[begin + k] += height * wave(0.5 * (k + 0.5) / length)
    return factor, extra


def rows():
    rng = random.Random(SEED)
    levels = trend_breaks(rng)
    factor, extra = rare_events(rng)
    drift = [0.0] * len(SIDES)  # slow autoregressive part of each load
    weather = 0.0
    oil = 24.0
    for t in range(ROWS):
        moment = START + datetime.timedelta(hours=t)
        year = t / (365.25 * 24)
        weekend = 1.0 if moment.weekday() >= 5 else 0.0
        weather = 0.985 * weather + 0.35 * gauss(rng)
        air = 11.0 - 11.5 * wave(year + 0.23) + 4.2 * wave(t / 24.0 - 0.40) + weather
        cells = []
        heat = 0.0
        for i, (_, mean, daily, weekly, yearly, noise, peak, partner) in enumerate(SIDES):
            drift[i] = 0.96 * drift[i] + 0.3 * noise * gauss(rng)
            day = wave((t % 24 - peak) / 24.0 + 0.25) + 0.45 * wave((t % 24 - peak) / 12.0 + 0.25)
            load = 1.0 + daily * day * (1.0 - 0.35 * weekend) - weekly * weekend + yearly * wave(year + 0.27)
            load += levels[i][t] + drift[i] + extra[t] + noise * gauss(rng)
            active = mean * load * factor[t]
            reactive = active * (partner + 0.05 * wave(t / 24.0 - 0.1)) + 0.02 * mean * gauss(rng)
            heat += active / mean
            cells += [active, reactive]
        goal = air + 6.0 + 4.5 * heat
        oil += 0.18 * (goal - oil) + 0.15 * gauss(rng)
        yield moment, cells + [oil]


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "sample.csv")
    names = [name + kind for name, *_ in SIDES for kind in ("VAL", "VRL")] + ["OT"]
    with open(path, "w", encoding="ascii", newline="\n") as out:
        out.write("date," + ",".join(names) + "\n")
        for moment, cells in rows():
            out.write(f"{moment:%Y-%m-%d %H:%M:%S}," + ",".join(f"{cell:.4f}" for cell in cells) + "\n")


if __name__ == "__main__":
    main()
