# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/calendar_steps.csv and local_times.csv: what pandas makes of calendar steps and time zones.

    python make_calendar.py [--out DIR]

calendar_steps.csv: pandas.date_range of 48 rows, a line each: the frequency as pandas calls it; as CASP Studio names it; rows of
                    a season; then seconds since 1970, separated by blanks
local_times.csv     around daylight saving, a line each: the zone; the step as in calendar_steps.csv; seconds of the local times, which
                    repeat an hour in autumn; the same rows in UTC
"""

import argparse
import pathlib

import pandas as pd

STEPS = [  # pandas' frequency, start, name, season
    ("h", "2023-12-30 05:00", "1 hour", 24), ("15min", "2024-02-28 12:00", "15 minutes", 96), ("D", "2024-01-20", "1 day", 7),
    ("W-SUN", "2023-11-05", "1 week", 52), ("28D", "2020-01-05", "4 weeks", 12), ("B", "2019-12-18", "1 business day", 5),
    ("B", "1969-11-28 16:30", "1 business day", 5), ("MS", "1949-01-01", "1 month", 12), ("ME", "2019-10-31", "1 month", 12),
    ("ME", "2022-02-28", "1 month", 12), ("BME", "2019-11-29", "1 month", 12), ("BMS", "2019-12-02", "1 month", 12),
    ("2MS", "2019-10-01", "2 months", 6), ("QS", "1999-10-01", "3 months", 4), ("QE", "1999-09-30", "3 months", 4),
    ("QE-JAN", "2001-01-31 18:00", "3 months", 4), ("BQE", "1999-09-30", "3 months", 4), ("2QS", "1999-07-01", "6 months", 2),
    ("YS", "1700-01-01", "1 year", 1), ("YE", "1990-12-31", "1 year", 1), ("YE-FEB", "1995-02-28", "1 year", 1),
    ("YS-APR", "1995-04-01", "1 year", 1), ("10YS", "1500-01-01", "10 years", 1)]

ZONES = [  # zone, step, start, rows
    ("Europe/Berlin", "1 hour", "h", "2023-03-25", 48), ("Europe/Berlin", "1 hour", "h", "2023-10-28", 60),
    ("Europe/Berlin", "15 minutes", "15min", "2023-10-28 22:00", 48), ("Europe/Berlin", "15 minutes", "15min", "2023-03-25 22:00", 48),
    ("America/New_York", "1 hour", "h", "1999-10-30", 60), ("America/New_York", "30 minutes", "30min", "2024-03-09 18:00", 48),
    ("Australia/Lord_Howe", "30 minutes", "30min", "2024-04-06 12:00", 48), ("Asia/Kolkata", "1 hour", "h", "2024-01-01", 24),
    ("Europe/Berlin", "1 day", "D", "2023-03-20", 14), ("Europe/Berlin", "1 day", "D", "2023-10-24", 14),
    ("America/New_York", "1 month", "MS", "2022-09-01", 14), ("Europe/London", "1 business day", "B", "2023-03-15", 20),
    ("Europe/Berlin", "1 week", "W-SUN", "2023-03-05", 12)]


def seconds(times):
    return " ".join(str(t) for t in times.as_unit("s").asi8)


def month_days(day):
    """The given day of each month, or its last day."""
    months = pd.period_range("2019-08", periods=48, freq="M")
    return pd.DatetimeIndex([m.start_time + pd.Timedelta(days=min(day, m.days_in_month) - 1) for m in months])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "golden")
    out = parser.parse_args().out
    lines = [f"{freq},{name},{season},{seconds(pd.date_range(start, periods=48, freq=freq, unit='s'))}"
             for freq, start, name, season in STEPS]
    lines += [f"day {day},1 month,12,{seconds(month_days(day))}" for day in (15, 29, 30)]
    (out / "calendar_steps.csv").write_text("\n".join(lines) + "\n")
    lines = []
    for zone, name, freq, start, rows in ZONES:
        times = pd.date_range(start, periods=rows, freq=freq, tz=zone, unit="s")
        lines.append(f"{zone},{name},{seconds(times.tz_localize(None))},{seconds(times.tz_convert('UTC').tz_localize(None))}")
    (out / "local_times.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
