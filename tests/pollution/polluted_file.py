"""A time series table of 300 rows, and how a file writes it. The pollutions (pollute.py) change one decision each."""

import datetime
import math
import random

ROWS = 300
START = datetime.datetime(2021, 12, 27)
EPOCH = datetime.datetime(1970, 1, 1)
NAMES = ["load", "temp", "count"]


class Incompatible(Exception):
    """Two pollutions that no file can have together, or whose values nobody could then read."""


def base_columns():
    """Texts of the channels: 2 decimals around 1000, 3 decimals around 0, whole numbers from 12 to 1800; and whole ones of the first two."""
    rng = random.Random(35)
    load, temp, count = [], [], []
    for i in range(ROWS):
        day = math.sin(2 * math.pi * (i - 8) / 24)
        load.append(f"{1020 + 380 * day + rng.uniform(-60, 60):.2f}")
        temp.append(f"{2.4 + 6.5 * day + rng.uniform(-1.5, 1.5):.3f}")
        count.append(f"{max(12 + i % 7, round(840 + 900 * day + rng.uniform(-60, 60)))}")
    return {"load": load, "temp": temp, "count": count,
            "load_whole": [f"{float(x):.0f}" for x in load], "temp_whole": [f"{float(x):.0f}".replace("-0", "0") if abs(float(x)) < 0.5 else f"{float(x):.0f}" for x in temp]}


def _months(first, step):
    return [datetime.datetime(first + i * step // 12, i * step % 12 + 1, 1) for i in range(ROWS)]


def _business_days():
    days = [datetime.datetime(2020, 1, 1) + datetime.timedelta(i) for i in range(ROWS * 2)]
    return [d for d in days if d.weekday() < 5][:ROWS]


AXES = {
    "hourly": [START + datetime.timedelta(hours=i) for i in range(ROWS)],
    "daily": [START + datetime.timedelta(i) for i in range(ROWS)],
    "business days": _business_days(),
    "weekly": [START + datetime.timedelta(weeks=i) for i in range(ROWS)],
    "monthly": _months(1980, 1),
    "quarterly": _months(1947, 3),
    "yearly": _months(1700, 12),
}
BASE = base_columns()


def seconds(moment):
    return (moment - EPOCH).total_seconds()


def is_number(text):
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


class PollutedFile:
    """A file in the making. Pollutions set the decisions below; write() then makes its bytes and what a careful reader finds in it."""

    def __init__(self):
        # Time: header names and cells of a moment; axis; acceptable shifts in seconds (None: not judged).
        self.axis = "hourly"
        self.time_names = ["date"]
        self.time_cells = lambda i, t: [t.strftime("%Y-%m-%d %H:%M")]
        self.shifts = [0]
        self.needs_header = False
        self.seen_time_names = None  # names that a reader gives the columns of time, if not time_names
        self.first_name_missing = False
        self.time_last = False
        # Values.
        self.columns = ["load", "temp", "count"]
        self.number = lambda text: text
        self.quote_numbers = False
        self.marks = {}  # (row, channel): (text, value or None: missing)
        self.rows = list(range(ROWS))
        # Structure.
        self.names = list(NAMES)
        self.name_match = ["exact"] * 3
        self.headers = None  # function of the list of names: header rows; None: one
        self.table_changes = []  # functions (header rows, [(row, cells)]), in which columns are added
        self.line_changes = []  # functions (lines: [(row or None, text)])
        self.row_changes = []  # (row, function of its cells: cells or text)
        self.either_order = False  # the file's order of rows may be kept, with a warning
        self.gone = set()  # rows that the file no longer has
        self.lost = []  # (row, channel) that the file no longer has
        self.bottom_tail = b""
        # Dialect.
        self.delimiter = ","
        self.quote = '"'
        self.quoting = "minimal"
        self.escape = None  # before a quote within a cell; None: the quote itself
        self.write_cell = None
        self.eol = lambda i: "\n"
        self.final_eol = True
        self.encoding = "utf-8"
        self.bom = b""
        self.bytes_change = None
        # Reading.
        self.refuse = False
        self.must_warn = []

    def cell(self, text, is_text=True):
        """A cell as the dialect writes it."""
        if self.write_cell:
            return self.write_cell(text)
        q = self.quote
        if self.quoting == "none":
            if self.delimiter in text or "\n" in text:
                raise Incompatible
            return text
        needed = self.delimiter in text or self.delimiter[0] in text or q in text or "\n" in text
        if self.delimiter == " " and not text:
            needed = True
        if self.quoting == "all" or needed or (self.quoting == "texts" and is_text):
            return q + text.replace(q, (self.escape or q) + q) + q
        return text

    def join(self, cells):
        return self.delimiter.join(self.cell(c, not is_number(c)) for c in cells)

    def damage(self, row, change):
        """Another form of one row: `change` makes of its cells other cells, or the line's text."""
        if row not in self.rows:
            raise Incompatible
        self.row_changes.append((row, change))

    def has_times(self):
        """Whether a reader can know the time of a row."""
        return bool(self.time_names and self.shifts)

    def needs_names(self):
        """A header of numbers is one beside a column of times."""
        if not self.time_names:
            raise Incompatible

    def channel_cells(self):
        """Places of the channels in a row."""
        return [i for i, name in enumerate(self._order) if name in (0, 1, 2)]

    def write(self):
        axis = AXES[self.axis]
        times = len(self.time_names)
        order = ["t"] * times + [k for k in range(len(self.columns))]
        table = []
        for i in self.rows:
            row_cells = list(self.time_cells(i, axis[i]))
            for k, key in enumerate(self.columns):
                text = BASE[key][i]
                row_cells.append(self.marks[i, k][0] if (i, k) in self.marks else self.number(text))
            table.append((i, row_cells))
        names = list(self.time_names) + self.names[:len(self.columns)]
        if self.time_last:
            names = names[times:] + names[:times]
            order = order[times:] + order[:times]
            table = [(i, c[times:] + c[:times]) for i, c in table]
        headers = [names] if self.headers is None else self.headers(names, times)
        self._order = order
        for change in self.table_changes:
            change(headers, table)
        if not headers and self.needs_header:
            raise Incompatible
        changes = dict(self.row_changes)
        self.header_texts = [h if isinstance(h, str) else self.join(h) for h in headers]
        lines = [(None, text) for text in self.header_texts]
        self.width = len(table[0][1]) if table else len(names)
        for i, cells in table:
            if i in changes:
                cells = changes[i](list(cells))
            lines.append((i, cells if isinstance(cells, str) else self.join(cells)))
        for change in self.line_changes:
            change(lines)
        self.written = [row for row, _ in lines if row is not None]
        texts = [text for _, text in lines]
        body = "".join(text + (self.eol(i) if i + 1 < len(texts) or self.final_eol else "") for i, text in enumerate(texts))
        try:
            data = self.bom + body.encode(self.encoding) + self.bottom_tail
        except UnicodeEncodeError:
            raise Incompatible from None
        return self.bytes_change(data) if self.bytes_change else data

    def expectation(self):
        """What a careful reader finds, for the manifest."""
        if self.refuse:
            return {"refuse": True}
        wanted = {"channels": [{"name": self.names[k].strip(), "match": self.name_match[k], "values": key}
                               for k, key in enumerate(self.columns)],
                  "time_names": self.seen_time_names or self.time_names,
                  "times": None if self.shifts is None else {"axis": self.axis, "shifts": self.shifts}}
        written = [row for row in self.written if row not in self.gone]
        rows = sorted(written)
        if rows != list(range(ROWS)):
            wanted["rows"] = rows
        if written != rows:
            wanted["as_written"] = written
            wanted["either_order"] = self.either_order
        cells = [[i, k, value] for (i, k), (_, value) in sorted(self.marks.items()) if i in rows]
        cells += [[i, k, None] for i, k in self.lost]
        if cells:
            wanted["cells"] = cells
        if self.must_warn:
            wanted["must_warn"] = sorted(set(self.must_warn))
        return wanted
