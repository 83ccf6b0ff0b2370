"""Every kind of pollution: a function that changes one decision of a PollutedFile.

The kinds are those of the Pollock benchmark (Vitagliano and others, VLDB 2023) and what loggers, grid operators, weather services
and spreadsheets write. Two kinds of one group exclude each other; kinds of two groups make a pair.
"""

import datetime

from polluted_file import AXES, BASE, ROWS, Incompatible, seconds

KINDS = {}

# Warnings that concern what a group's pollution does to the reading. Others do not excuse a difference.
WARNINGS = {
    "time": ["text_column", "index_column", "time_format", "bad_number", "clock_channel"],
    "number": ["decimal_sign", "text_column", "bad_number"],
    "value": ["bad_number", "text_column", "missing_value", "not_a_number", "infinite", "sentinel", "decimal_sign"],
    "encoding": ["encoding"],
    "delimiter": ["ragged_row", "text_column"],
    "quotes": ["ragged_row", "bad_number", "text_column"],
    "line ends": ["ragged_row", "bad_number", "no_row"],
    "header": ["duplicate_column", "ragged_row", "no_row"],
    "before the table": ["ragged_row", "no_row"],
    "after the table": ["ragged_row", "no_row", "encoding"],
    "one row": ["ragged_row", "bad_number", "missing_value", "no_row"],
    "columns": ["text_column", "index_column", "missing_value", "ragged_row", "clock_channel"],
    "order": ["order", "non_monotonic_time"],
    "tables": ["ragged_row", "no_row"],
}


class Kind:
    def __init__(self, group, name, apply, equal, pairs, variants, warnings, least):
        self.group, self.name, self.apply, self.pairs, self.variants = group, name, apply, pairs, variants
        self.equal, self.least = equal, least if equal else 0
        self.warnings = WARNINGS[group] + list(warnings)
        self.id = f"{group}: {name}"


def kind(group, name, equal=True, pairs=True, variants=(None,), warnings=(), least=0.85):
    """`equal`: alone, it must be read equal, not only with a warning. `least`: share of its files with another such kind that must be.
    `variants`: arguments of the function, one file each."""
    def add(function):
        k = Kind(group, name, function, equal, pairs, variants, warnings, least)
        assert k.id not in KINDS, k.id
        KINDS[k.id] = k
        return function
    return add


# ---- Time -------------------------------------------------------------------------------------------------------------------


def time_form(name, cells, names=("time",), axis="hourly", shifts=(0,), equal=True, needs_header=False):
    """A form of times. `cells`: format for strftime, or a function of row and moment that gives one text or a list."""
    def apply(f, _):
        def write(i, t):
            text = cells(i, t) if callable(cells) else t.strftime(cells)
            return text if isinstance(text, list) else [text]
        f.time_names, f.axis, f.time_cells, f.needs_header = list(names), axis, write, needs_header
        f.shifts = None if shifts is None else list(shifts)
    kind("time", name, equal=equal)(apply)


MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
EXCEL_START = datetime.datetime(1899, 12, 30)


def days_since(start, t):
    return (t - start).total_seconds() / 86400


def twelve_hours(t):
    return f"{(t.hour + 11) % 12 + 1}:{t.minute:02d} {'AM' if t.hour < 12 else 'PM'}"


def twenty_four(t):
    """Midnight as the end of the day before."""
    day = t - datetime.timedelta(days=1) if t.hour == 0 else t
    return day, t.hour or 24


unix = [("unix seconds", lambda s: f"{s:.0f}", 0), ("unix milliseconds", lambda s: f"{s:.0f}000", 0),
        ("unix microseconds", lambda s: f"{s:.0f}000000", 0), ("unix nanoseconds", lambda s: f"{s:.0f}000000000", 0),
        ("unix fractional seconds", lambda s: f"{s:.0f}.25", 0.25), ("unix seconds with .0", lambda s: f"{s:.0f}.0", 0)]
for _name, _write, _shift in unix:
    time_form(_name, lambda i, t, w=_write: w(seconds(t)), ["timestamp"], shifts=[_shift])
time_form("Excel days", lambda i, t: f"{days_since(EXCEL_START, t):.10f}")
time_form("Excel whole days", lambda i, t: f"{days_since(EXCEL_START, t):.0f}", ["date"], "daily")
time_form("MATLAB days", lambda i, t: f"{days_since(EXCEL_START, t) + 693960:.8f}")
time_form("Julian days", lambda i, t: f"{days_since(EXCEL_START, t) + 2415018.5:.8f}", ["JD"])
time_form("elapsed seconds", lambda i, t: str(3600 * i), ["Time (s)"], shifts=None, needs_header=True)
time_form("elapsed hours with decimals", lambda i, t: f"{0.25 * i:.2f}", ["hours"], shifts=None, needs_header=True)
time_form("elapsed milliseconds, jittered", lambda i, t: str(100 * i + (i * 7) % 5), ["t [ms]"], shifts=None, needs_header=True, equal=False)
time_form("digits YYYYMMDD", "%Y%m%d", ["date"], "daily")
time_form("digits YYYYMMDDhh", "%Y%m%d%H")
time_form("digits YYYYMMDDhhmm", "%Y%m%d%H%M")
time_form("digits YYYYMMDDhhmmss", "%Y%m%d%H%M%S")
time_form("digits YYYYMM", "%Y%m", ["month"], "monthly")
time_form("digits, day and minutes YYYYMMDD hhmm", "%Y%m%d %H%M")
time_form("YYYY-MM", "%Y-%m", ["Month"], "monthly")
time_form("MM/YYYY", "%m/%Y", ["Month"], "monthly")
time_form("month starts", "%Y-%m-%d", ["date"], "monthly")
time_form("month starts, day first", "%d/%m/%Y", ["date"], "monthly", equal=False)
time_form("month starts, month first", "%m/%d/%Y", ["date"], "monthly", equal=False)
time_form("years", "%Y", ["year"], "yearly", needs_header=True)
time_form("quarters 1947Q1", lambda i, t: f"{t.year}Q{t.month // 3 + 1}", ["quarter"], "quarterly")
time_form("quarters 1947-Q1", lambda i, t: f"{t.year}-Q{t.month // 3 + 1}", ["quarter"], "quarterly", equal=False)
time_form("weeks 2022-W01", lambda i, t: "{0}-W{1:02d}".format(*t.isocalendar()[:2]), ["week"], "weekly", equal=False)
time_form("days", "%Y-%m-%d", ["date"], "daily")
time_form("business days", "%Y-%m-%d", ["date"], "business days")
time_form("ISO with T", "%Y-%m-%dT%H:%M:%S")
time_form("ISO with Z", "%Y-%m-%dT%H:%M:%SZ")
time_form("ISO with fraction", "%Y-%m-%d %H:%M:%S.250", shifts=[0.25])
time_form("ISO with offset +01:00", "%Y-%m-%dT%H:%M:%S+01:00", shifts=[-3600])
time_form("ISO with offset -0500", "%Y-%m-%d %H:%M:%S -0500", shifts=[18000])
time_form("ISO with UTC", "%Y-%m-%d %H:%M:%S UTC")
time_form("ISO with CET", "%Y-%m-%d %H:%M:%S CET", shifts=[0, -3600], equal=False)
time_form("ISO basic", "%Y%m%dT%H%M%S")
time_form("ISO basic with Z", "%Y%m%dT%H%MZ")
time_form("slashes, year first", "%Y/%m/%d %H:%M")
time_form("points, year first", "%Y.%m.%d %H:%M")
time_form("day first, points", "%d.%m.%Y %H:%M")
time_form("day first, slashes, short", lambda i, t: f"{t.day}/{t.month}/{t.year} {t.hour}:{t.minute:02d}")
time_form("day first, hyphens", "%d-%m-%Y %H:%M:%S")
time_form("day first, two-digit year", "%d.%m.%y %H:%M")
time_form("day first, comma before the clock", "%d.%m.%Y, %H:%M")
time_form("month first, AM and PM", lambda i, t: f"{t.month}/{t.day}/{t.year} {twelve_hours(t)}")
time_form("month first, two-digit year", "%m/%d/%y %H:%M")
time_form("24:00 at the end of the day", lambda i, t: "{0:%Y-%m-%d} {1:02d}:00".format(*twenty_four(t)))
time_form("month names 27-Dec-2021", lambda i, t: f"{t.day:02d}-{MONTHS[t.month - 1][:3]}-{t.year} {t:%H:%M}")
time_form("month names 27 December 2021", lambda i, t: f"{t.day} {MONTHS[t.month - 1]} {t.year} {t:%H:%M}")
time_form("month names Dec 27, 2021", lambda i, t: f"{MONTHS[t.month - 1][:3]} {t.day}, {t.year} {t:%H:%M}")
time_form("month names 27-Dec-21", lambda i, t: f"{t.day:02d}-{MONTHS[t.month - 1][:3]}-{t:%y %H:%M}")
time_form("month names 27DEC2021:00:00:00 (SAS)", lambda i, t: f"{t.day:02d}{MONTHS[t.month - 1][:3].upper()}{t:%Y:%H:%M:%S}", equal=False)
time_form("month names Jan-1980", lambda i, t: f"{MONTHS[t.month - 1][:3]}-{t.year}", ["Month"], "monthly")
time_form("month names, German", lambda i, t: f"{t.day:02d}. {'Dez' if t.month == 12 else 'Jan'}. {t:%Y %H:%M}", equal=False)
time_form("weekday and month name", lambda i, t: f"{WEEKDAYS[t.weekday()]} {MONTHS[t.month - 1][:3]} {t.day:02d} {t:%H:%M:%S %Y}", equal=False)
time_form("weekday, RFC 2822", lambda i, t: f"{WEEKDAYS[t.weekday()]}, {t.day:02d} {MONTHS[t.month - 1][:3]} {t:%Y %H:%M:%S} +0000", equal=False)
time_form("Chinese dates", lambda i, t: f"{t.year}年{t.month:02d}月{t.day:02d}日 {t:%H:%M}")
time_form("Chinese dates and hours", lambda i, t: f"{t.year}年{t.month}月{t.day}日{t.hour}时", equal=False)
time_form("interval 00:00 - 01:00", lambda i, t: f"{t:%d.%m.%Y %H:%M} - {t + datetime.timedelta(hours=1):%d.%m.%Y %H:%M}", ["MTU"], equal=False, shifts=[0, 3600])
time_form("date and clock", lambda i, t: [f"{t:%Y-%m-%d}", f"{t:%H:%M}"], ["date", "time"])
time_form("date and clock with points", lambda i, t: [f"{t:%d/%m/%Y}", f"{t:%H.%M.%S}"], ["Date", "Time"])
time_form("date and clock of digits", lambda i, t: [f"{t:%Y%m%d}", f"{t:%H%M}"], ["date", "time"], equal=False, needs_header=True)
time_form("date and hour 0 to 23", lambda i, t: [f"{t:%Y-%m-%d}", str(t.hour)], ["date", "hour"], needs_header=True)
time_form("date and hour 1 to 24", lambda i, t: [f"{t:%m/%d/%Y}", str(t.hour + 1)], ["Delivery Date", "Hour Ending"], shifts=[0, 3600], needs_header=True)
time_form("date and HE 01 to 24", lambda i, t: [f"{t:%d.%m.%Y}", f"{t.hour + 1:02d}"], ["Date", "HE"], shifts=[0, 3600], needs_header=True)
time_form("year, month, day, hour", lambda i, t: [str(t.year), str(t.month), str(t.day), str(t.hour)], ["year", "month", "day", "hour"], needs_header=True)
time_form("YYYY, MM, DD, hh, mm", lambda i, t: t.strftime("%Y,%m,%d,%H,%M").split(","), ["YYYY", "MM", "DD", "hh", "mm"], needs_header=True)
time_form("year and month", lambda i, t: [str(t.year), str(t.month)], ["Year", "Month"], "monthly", needs_header=True)
time_form("year, day of year, hour", lambda i, t: [str(t.year), t.strftime("%j").lstrip("0"), str(t.hour)], ["year", "doy", "hour"], equal=False, needs_header=True)


@kind("time", "time in the last column")
def _(f, _):
    f.time_last = True


@kind("time", "a damaged time", variants=(1, 150, 299), equal=False)
def _(f, row):
    write = f.time_cells
    f.time_cells = lambda i, t: ["2022-99-99 xx"] if i == row else write(i, t)


@kind("time", "two forms, from row 150 on", equal=False)
def _(f, _):
    f.time_cells = lambda i, t: [t.strftime("%Y-%m-%d %H:%M" if i < 150 else "%d.%m.%Y %H:%M")]


# ---- Numbers ----------------------------------------------------------------------------------------------------------------


def grouped(text, sign, decimal="."):
    """1042.75 as 1,042.75"""
    minus = text.startswith("-")
    whole, _, decimals = text.lstrip("-").partition(".")
    groups = []
    while len(whole) > 3:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    return ("-" if minus else "") + sign.join([whole] + groups) + (decimal + decimals if decimals else "")


def number_form(name, write, delimiter=None, whole=False, equal=True):
    def apply(f, _):
        if whole:
            f.columns = ["load_whole", "temp_whole", "count"]
        if delimiter:
            f.delimiter = delimiter
        f.number = write
    kind("number", name, equal=equal)(apply)


def exponent(text, letter):
    return f"{float(text):.9E}".replace("E", letter)


number_form("decimal comma", lambda x: x.replace(".", ","), ";")
number_form("decimal comma, quoted cells between commas", lambda x: x.replace(".", ","))
number_form("thousands point, decimal comma", lambda x: grouped(x, ".", ","), ";")
number_form("thousands point, whole numbers", lambda x: grouped(x, "."), ";", whole=True)
number_form("thousands comma, quoted", lambda x: grouped(x, ","))
number_form("thousands comma, between semicolons", lambda x: grouped(x, ","), ";")
number_form("thousands comma, whole numbers, quoted", lambda x: grouped(x, ","), whole=True)
number_form("thousands space", lambda x: grouped(x, " "))
number_form("thousands space, decimal comma", lambda x: grouped(x, " ", ","), ";")
number_form("thousands no-break space", lambda x: grouped(x, "\u00a0"))
number_form("thousands narrow no-break space, decimal comma", lambda x: grouped(x, "\u202f", ","), ";")
number_form("thousands apostrophe", lambda x: grouped(x, "'"), ";")
number_form("thousands typographic apostrophe", lambda x: grouped(x, "\u2019"))
number_form("minus U+2212", lambda x: x.replace("-", "\u2212"))
number_form("minus after the number", lambda x: x[1:] + "-" if x[0] == "-" else x, equal=False)
number_form("negative in parentheses", lambda x: f"({x[1:]})" if x[0] == "-" else x, equal=False)
number_form("plus signs", lambda x: x if x[0] == "-" else "+" + x)
number_form("exponents E", lambda x: exponent(x, "E"))
number_form("exponents D", lambda x: exponent(x, "D"))
number_form("exponents d", lambda x: exponent(x, "d"))
number_form("zeros in front", lambda x: "-" + x[1:].zfill(8) if x[0] == "-" else x.zfill(8))
number_form("no zero before the point", lambda x: x.replace("-0.", "-.") if x.startswith("-0.") else x[1:] if x.startswith("0.") else x)
number_form("point after whole numbers", lambda x: x if "." in x else x + ".")
number_form("units in the cells", lambda x: x + " MW", equal=False)
number_form("percent signs", lambda x: x + "%", equal=False)
number_form("currency signs", lambda x: "$" + x, equal=False)


@kind("number", "decimal comma from row 150 on, between semicolons", equal=False)
def _(f, _):
    f.delimiter = ";"
    f.table_changes.append(lambda headers, table: table.__setitem__(
        slice(None), [(i, [c.replace(".", ",") if i >= 150 and k else c for k, c in enumerate(cells)]) for i, cells in table]))


# Without delimiters, a line of text below or between the numbers may be anything.
@kind("number", "one column, decimal comma", variants=("load", "temp"), least=0.5)
def _(f, column):
    f.columns, f.names = [column], ["Wert"]
    f.time_names, f.time_cells, f.shifts = [], lambda i, t: [], None
    f.number = lambda x: x.replace(".", ",")
    f.quoting, f.delimiter = "none", ";"


@kind("number", "one column, decimal point", variants=("load", "temp", "count"), least=0.7)
def _(f, column):
    f.columns, f.names = [column], ["value"]
    f.time_names, f.time_cells, f.shifts = [], lambda i, t: [], None


# ---- Values -----------------------------------------------------------------------------------------------------------------


def marker(text):
    def apply(f, _):
        if f.columns[0] != "load":
            raise Incompatible
        for row in (40, 41, 42, 200, 260):
            if row in f.rows:
                f.marks[row, 0] = (text if "e" in text else f.number(text), float(text))
        f.must_warn.append("sentinel")
    kind("value", f"marker {text}", equal=True)(apply)


for _text in ("-200", "-999", "-999.25", "-9999", "-99999", "2147483648", "-2147483648", "4294967295", "1e31"):
    marker(_text)


def missing_text(text, known=True, column=1, every=37):
    """Cells of text in the place of numbers; `known`: everybody's text of a missing cell."""
    def apply(f, _):
        if column >= len(f.columns):
            raise Incompatible
        for row in range(5, ROWS, every):
            if row in f.rows:
                f.marks[row, column] = (text, None)
    kind("value", f"text {text!r}" + (" in 60 % of a column" if every == 1 else ""), equal=True)(apply)


for _text in ("", "NA", "n.a.", "n/a", "N/A", "NaN", "nan", "null", "NULL", "None", "-", "--", "?", ".", "*", "#N/A", "#DIV/0!", "#VALUE!", "Bad Input",
              "missing", "ERR", "inf", "x", "n.d.", "---", "\\N", "No Data", "-nan(ind)", "1.#IND", "1.#QNAN", "#REF!", "<0.01"):
    missing_text(_text)


@kind("value", "text 'Bad Input' in 60 % of a column", equal=False)
def _(f, _):
    if len(f.columns) < 2:
        raise Incompatible
    for row in range(ROWS):
        if row % 5 < 3 and row in f.rows:
            f.marks[row, 1] = ("Bad Input", None)


@kind("value", "flags behind some numbers", equal=False)
def _(f, _):
    for row in (7, 8, 120, 250):
        if row in f.rows:
            text = BASE[f.columns[0]][row]
            f.marks[row, 0] = (f.number(text) + "*", float(text))


# ---- Encodings --------------------------------------------------------------------------------------------------------------


def encoding(name, codec, names=None, bom=b"", equal=True):
    def apply(f, _):
        f.encoding, f.bom = codec, bom
        if names:
            if f.time_names == ["date"]:
                f.time_names = [names[0]]
            f.names = list(names[1:])
    kind("encoding", name, equal=equal)(apply)


CHINESE = ["日期", "负荷", "温度", "数量"]
JAPANESE = ["日時", "需要電力", "気温（℃）", "件数カウント"]
LATIN = ["Datum", "Außenlast", "Wärme °C", "Zähler"]
RUSSIAN = ["дата", "нагрузка", "температура", "число"]
encoding("UTF-8, accents", "utf-8", LATIN)
encoding("UTF-8, Chinese", "utf-8", CHINESE)
encoding("UTF-8 with byte-order mark", "utf-8", None, b"\xef\xbb\xbf")
encoding("UTF-8 with byte-order mark, Japanese", "utf-8", JAPANESE, b"\xef\xbb\xbf")
encoding("Latin-1", "latin-1", LATIN)
encoding("Windows-1251", "cp1251", RUSSIAN, equal=False)
encoding("GB18030", "gb18030", CHINESE)
encoding("Shift-JIS", "shift_jis", JAPANESE)
encoding("UTF-16LE with byte-order mark", "utf-16-le", LATIN, b"\xff\xfe")
encoding("UTF-16BE with byte-order mark", "utf-16-be", CHINESE, b"\xfe\xff")
encoding("UTF-16LE without mark", "utf-16-le", None)
encoding("UTF-16BE without mark", "utf-16-be", LATIN)
encoding("UTF-32LE with byte-order mark", "utf-32-le", None, b"\xff\xfe\x00\x00", equal=False)


@kind("encoding", "one stray Latin-1 byte in UTF-8", equal=False)
def _(f, _):
    f.names = ["load °C", "temp", "count"]
    f.bytes_change = lambda data: data.replace(b"temp", b"temp\xb0", 1)
    f.name_match[0] = f.name_match[1] = "any"


# ---- Delimiters, quotes, line ends ------------------------------------------------------------------------------------------


def delimiter(name, sign, equal=True):
    def apply(f, _):
        f.delimiter = sign
    kind("delimiter", name, equal=equal)(apply)


delimiter("semicolon", ";")
delimiter("tab", "\t")
delimiter("bar", "|")
delimiter("blank, quoted times", " ")
delimiter("comma and blank", ", ")
delimiter("semicolon and blank", "; ")
delimiter("blank and tab", " \t")
delimiter("colon", ":", equal=False)
delimiter("two tabs", "\t\t", equal=False)
delimiter("two bars", "||", equal=False)
delimiter("backslash t", "\\t", equal=False)
delimiter("section sign", "§", equal=False)
delimiter("caret", "^", equal=False)
delimiter("unit separator U+001F", "\x1f", equal=False)


@kind("delimiter", "aligned with blanks")
def _(f, _):
    if f.time_names in (["date"], ["Datum"]) and f.axis == "hourly":
        f.time_names, f.time_cells = ["date", "time"], lambda i, t: [f"{t:%Y-%m-%d}", f"{t:%H:%M}"]
    f.delimiter = " "

    def write(text):
        if " " in text or not text or "\n" in text:
            raise Incompatible
        return text.rjust(12)
    f.write_cell = write


@kind("delimiter", "aligned with blanks, lines begin with #", equal=False)
def _(f, _):
    KINDS["delimiter: aligned with blanks"].apply(f, None)

    def change(lines):
        lines[0] = (None, "#" + lines[0][1])
    f.line_changes.append(change)


@kind("quotes", "all cells")
def _(f, _):
    f.quoting = "all"


@kind("quotes", "texts only")
def _(f, _):
    f.quoting = "texts"


@kind("quotes", "single quotes around all cells")
def _(f, _):
    f.quoting, f.quote = "all", "'"


@kind("quotes", "blanks around all cells")
def _(f, _):
    if f.delimiter[0] == " ":
        raise Incompatible

    def write(text):
        if f.delimiter in text or '"' in text or "\n" in text:
            raise Incompatible
        return " " + text + "  "
    f.write_cell = write


@kind("quotes", "blanks inside the quotes")
def _(f, _):
    f.write_cell = lambda text: '" ' + text.replace('"', '""') + ' "'


@kind("quotes", "blanks outside the quotes")
def _(f, _):
    f.write_cell = lambda text: ' "' + text.replace('"', '""') + '" '


@kind("quotes", "each line as one quoted cell", equal=False)
def _(f, _):
    if f.delimiter != ",":
        raise Incompatible

    def change(lines):
        lines[:] = [(i, '"' + text.replace('"', '""') + '"') for i, text in lines]
    f.line_changes.append(change)


@kind("quotes", "Excel formulas =\"1.5\"", equal=False)
def _(f, _):
    if f.delimiter == '"':
        raise Incompatible
    f.write_cell = lambda text: '="' + text.replace('"', '""') + '"'


@kind("quotes", "doubled quote in a name")
def _(f, _):
    f.names[0] = 'load "net"'


@kind("quotes", "backslash before a quote in a name", equal=False)
def _(f, _):
    f.names[0] = 'load "net"'
    f.name_match[0] = "any"
    f.escape = "\\"


@kind("quotes", "line break in a quoted name")
def _(f, _):
    f.names[0] = "load\n(MW)"
    f.name_match[0] = "any"


@kind("quotes", "delimiter in a quoted name")
def _(f, _):
    f.names[0] = f"load{f.delimiter} net"
    if f.delimiter.isspace():
        f.name_match[0] = "any"


def line_ends(name, eol, equal=True):
    def apply(f, _):
        f.eol = eol
    kind("line ends", name, equal=equal)(apply)


line_ends("CRLF", lambda i: "\r\n")
line_ends("CR", lambda i: "\r")
line_ends("CRLF and LF mixed", lambda i: "\r\n" if i % 3 else "\n")
line_ends("CRLF, one LF", lambda i: "\n" if i == 150 else "\r\n")
line_ends("LF, one CRLF", lambda i: "\r\n" if i == 150 else "\n")
line_ends("CRLF, one CR", lambda i: "\r" if i == 150 else "\r\n", equal=False)
line_ends("LF, one CR", lambda i: "\r" if i == 150 else "\n", equal=False)
line_ends("CR, one LF", lambda i: "\n" if i == 150 else "\r", equal=False)
line_ends("CR CR LF", lambda i: "\r\r\n", equal=False)
line_ends("every second line empty", lambda i: "\n\n")


@kind("line ends", "none after the last line")
def _(f, _):
    f.final_eol = False


@kind("line ends", "empty lines after the last")
def _(f, _):
    f.line_changes.append(lambda lines: lines.extend([(None, "")] * 3))


# ---- Headers ----------------------------------------------------------------------------------------------------------------


def header(name, rows, equal=True, match=None):
    """`rows`: function of names and number of time columns: the header rows."""
    def apply(f, _):
        f.headers = rows
        if match:
            f.name_match = [match] * 3
    kind("header", name, equal=equal)(apply)




@kind("header", "none")
def _(f, _):
    f.headers, f.name_match = lambda names, times: [], ["any"] * 3
    f.seen_time_names = [f"column {i + 1}" for i in range(len(f.time_names))]


header("groups above the names", lambda n, t: [[""] * t + ["Station A"] * (len(n) - t), n], match="contains")
header("groups above the names, first of each only", lambda n, t: [[""] * t + ["Station A"] + [""] * (len(n) - t - 1), n], match="contains")
header("units below the names", lambda n, t: [n, [""] * t + ["MW", "°C", "1"][:len(n) - t]], match="contains")
header("units below the names, with the time's", lambda n, t: [n, ["UTC"] * t + ["MW", "degC", "-"][:len(n) - t]], match="contains")
header("units in brackets below the names", lambda n, t: [n, ["[h]"] * t + ["[MW]", "[degC]", "[1]"][:len(n) - t]], match="contains")
header("names, units and statistics", lambda n, t: [n, ["TS"] * t + ["MW", "Deg C", "%"][:len(n) - t], [""] * t + ["Avg", "Avg", "Smp"][:len(n) - t]], match="contains")
header("logger of four lines", lambda n, t: ['"TOA5","Mast7","CR1000","12345"', n, ["TS"] * t + ["MW", "Deg C", "%"][:len(n) - t],
                                             [""] * t + ["Avg", "Avg", "Smp"][:len(n) - t]], match="contains")
header("types below the names", lambda n, t: [n, ["datetime"] * t + ["float", "float", "int"][:len(n) - t]], match="contains")
header("twice", lambda n, t: [n, n], match="contains")
header("in three rows", lambda n, t: [["Region"] * t + ["North"] * (len(n) - t), ["Station"] * t + ["S1", "S1", "S2"][:len(n) - t], n], match="contains")


@kind("header", "one name less (R)")
def _(f, _):
    if f.needs_header or f.time_last:
        raise Incompatible
    f.headers = lambda names, times: [names[1:]]
    f.seen_time_names = ["column 1"] + f.time_names[1:]
    f.first_name_missing = True


@kind("header", "one name more", equal=False, warnings=("missing_value", "text_column"))
def _(f, _):
    f.headers = lambda names, times: [names + ["comment"]]


def rename(name, change, equal=True):
    """`change`: function of the file that sets names and matches."""
    kind("header", name, equal=equal)(lambda f, _: change(f))


def _numbers(f):
    f.headers = lambda names, times: [[str(i) for i in range(len(names))]]
    if f.needs_header:
        raise Incompatible
    f.name_match = ["any"] * 3
    f.needs_names()
    f.seen_time_names = [str(i) for i in range(len(f.time_names))]


def _long_numbers(f):
    _set(["101", "102", "250"], ["exact"] * 3)(f)
    f.needs_names()


def _set(names, match):
    def change(f):
        for k, (name, m) in enumerate(zip(names, match)):
            if name is not None and k < len(f.columns):
                f.names[k], f.name_match[k] = name, m
    return change


rename("names are 0, 1, 2", _numbers)
rename("names are station numbers", _long_numbers)
rename("one name empty", _set(["", None, None], ["any"] * 3))
rename("last name empty", _set([None, None, ""], ["any"] * 3))
rename("two names equal", _set(["load", "load", None], ["exact", "any", ""]))
rename("all names equal", _set(["value"] * 3, ["exact", "any", "any"]))
rename("special signs in a name", _set(["LO/%D", "temp (°C) [2 m]", "#count"], ["exact"] * 3))
rename("a name of 20,000 letters", _set(["load" * 5000, None, None], ["exact", "", ""]))
rename("blanks around names", _set([" load ", "  temp", "count "], ["contains"] * 3))
rename("names are years", lambda f: (_set(["2019", "2020", "2021"], ["exact"] * 3)(f), f.needs_names()))


@kind("header", "the time has no name", equal=True)
def _(f, _):
    if len(f.time_names) != 1 or f.needs_header:
        raise Incompatible
    f.time_names = [""]


# ---- Before and after the table -------------------------------------------------------------------------------------------


def padded(f, text):
    return [text] + [""] * (f.width - 1)


def before(name, texts, delimited=False, equal=True):
    def apply(f, _):
        def change(lines):
            lines[:0] = [(None, f.join(padded(f, t)) if delimited else t) for t in texts]
        f.line_changes.append(change)
    kind("before the table", name, equal=equal)(apply)


PREAMBLE = ["Hourly values of station 260", "Created on 2022-02-01 by the operator, region north", "Values are means"]
before("three lines", PREAMBLE)
before("three lines, delimited", PREAMBLE, delimited=True)
before("three lines, some empty", ["Hourly values of station 260", "", "Values are means", ""])
before("three lines, delimited, some empty", ["Hourly values of station 260", "", "Values are means", ""], delimited=True)
before("one line", ["Load and temperature"])
before("keys and values", ["Station: 260", "Latitude: 48.21", "Longitude: 16.37", "Altitude: 198 m"])
before("keys and values, two cells", ["Station,260", "Latitude,48.21", "Longitude,16.37", "Altitude,198"])
before("empty lines", ["", "", ""])
before("a line of signs", ["====================", "Report", "===================="])
before("twenty lines", [f"line {i} of the description of the data" for i in range(20)])
for _sign in "#%!;":
    before(f"comments with {_sign}", [f"{_sign} station 260", f"{_sign} hourly values", _sign])
before("comments with //", ["// station 260", "// hourly values, means"])
before("comments with quotes", ['"# station 260"', '"# hourly values"'])


@kind("before the table", "sep= line")
def _(f, _):
    if len(f.delimiter) != 1:
        raise Incompatible
    f.line_changes.append(lambda lines: lines.insert(0, (None, "sep=" + f.delimiter)))


@kind("before the table", "comment with # before the header's names", equal=False)
def _(f, _):
    def change(lines):
        if not f.header_texts or f.first_name_missing:
            raise Incompatible
        lines[0] = (None, "# " + lines[0][1])
    f.line_changes.append(change)


def after(name, texts, delimited=False, equal=True, warnings=()):
    """`texts`: lines, or a function of the file that gives them."""
    def apply(f, _):
        def change(lines):
            for t in texts(f) if callable(texts) else texts:
                lines.append((None, t if not isinstance(t, list) and not delimited else f.join(t if isinstance(t, list) else padded(f, t))))
        f.line_changes.append(change)
    kind("after the table", name, equal=equal, warnings=warnings)(apply)


def statistics(word, values):
    def row(f):
        cells = [""] * f.width
        places = f.channel_cells()
        if not places or places[0] == 0:
            raise Incompatible
        cells[0] = word
        for k, place in enumerate(places):
            cells[place] = f.number(values[k])
        return cells
    return row


NOTES = ["Source: the grid operator", "Values are provisional, may change", "(c) 2022"]
after("three lines", NOTES)
after("three lines, delimited", NOTES, delimited=True)
after("three lines, some empty", ["", "Source: the grid operator", "", "(c) 2022"])
after("three lines, delimited, some empty", ["", "Source: the grid operator", "", "(c) 2022"], delimited=True)
after("total row", lambda f: [statistics("Total", ["306011.25", "720.125", "252000"])(f)])
after("mean row", lambda f: [statistics("Mean", ["1020.04", "2.400", "840"])(f)])
after("minimum, mean and maximum rows", lambda f: [statistics("Min", ["580.11", "-5.600", "12"])(f), statistics("Mean", ["1020.04", "2.400", "840"])(f),
                                                   statistics("Max", ["1460.90", "10.400", "1800"])(f)])
after("total row and source line", lambda f: ["", statistics("Total", ["306011.25", "720.125", "252000"])(f), "Source: the grid operator"])
# A row of values without a time is all that a reader can see there.
after("total row without a word", lambda f: [statistics("", ["306011.25", "720.125", "252000"])(f)], equal=False, warnings=("bad_number", "missing_value"))
after("source line", ["Source: the grid operator"])
after("rows of delimiters", lambda f: [[""] * f.width] * 5)
after("comment lines", ["# end of the table", "# 300 rows"])
after("(300 rows)", ["(300 rows)"])
after("End of file", ["EOF"])
after("a line of signs", ["--------------------"])


def tail(name, data, equal=True):
    def apply(f, _):
        f.bottom_tail = data
        if f.encoding.startswith("utf-16"):
            raise Incompatible
    kind("after the table", name, equal=equal)(apply)


tail("zero bytes", bytes(200))
tail("control-Z", b"\x1a")
tail("blanks", b"    \n  \n")


@kind("after the table", "cut off in the last row", equal=False)
def _(f, _):
    last = f.rows[-1]

    def change(cells):
        for k, place in enumerate(f.channel_cells()):
            if place == len(cells) - 1:
                f.lost.append((last, k))
            elif place == len(cells) - 2:
                # 84 of 840: nothing in the file says that digits are missing, but the row is short.
                f.lost.append((last, k))
                cells[place] = cells[place][:2]
        return cells[:-1]
    f.damage(last, change)
    f.final_eol = False


# ---- One row ----------------------------------------------------------------------------------------------------------------

PLACES = (0, 1, 150, 299)


def row_damage(name, change, equal=False, variants=PLACES, warnings=()):
    """`change`: function of file, row and cells that gives other cells, or the line."""
    def apply(f, row):
        f.damage(row, lambda cells: change(f, row, cells))
    kind("one row", name, equal=equal, variants=variants, warnings=warnings)(apply)


def _cut(f, row, cells, count):
    for k, place in enumerate(f.channel_cells()):
        if place >= len(cells) - count:
            f.lost.append((row, k))
    return cells[:-count]


def _other_delimiter(f, row, cells):
    sign = ";" if f.delimiter != ";" else "|"
    if any(sign in c for c in cells):
        raise Incompatible
    return sign.join(cells)


def _first_channel(f, cells, change):
    places = f.channel_cells()
    cells[places[0]] = change(cells[places[0]])
    return cells


def _raw(f, cells, change):
    """The line with `change` of the first channel's cell as it is written."""
    place = f.channel_cells()[0]
    return f.delimiter.join(change(f.cell(c)) if k == place else f.cell(c) for k, c in enumerate(cells))


def _escaped(f, cells):
    if f.write_cell or f.quoting == "none":
        raise Incompatible
    return _raw(f, cells, lambda c: '"\\"' + c.strip('"') + '\\""')


row_damage("extra cell at the end", lambda f, r, c: c + ["7"], equal=True)
row_damage("three extra cells at the end", lambda f, r, c: c + ["7", "x", "8"], equal=True)
row_damage("extra cell in the middle", lambda f, r, c: c[:2] + ["777"] + c[2:])
row_damage("last cell missing", lambda f, r, c: _cut(f, r, c, 1), equal=True)
row_damage("two cells missing", lambda f, r, c: _cut(f, r, c, 2), equal=True)
row_damage("second cell missing", lambda f, r, c: c[:1] + c[2:])
row_damage("another delimiter", _other_delimiter)
row_damage("single quotes", lambda f, r, c: f.delimiter.join("'" + x + "'" for x in c), equal=False)
row_damage("double quotes", lambda f, r, c: f.delimiter.join('"' + x.replace('"', '""') + '"' for x in c) if f.quote == '"' else c, equal=True)
row_damage("quote within a cell", lambda f, r, c: _raw(f, c, lambda x: x[:2] + '"' + x[2:]))
row_damage("quote at the end of a cell", lambda f, r, c: _raw(f, c, lambda x: x + '"'))
row_damage("unclosed quote", lambda f, r, c: _raw(f, c, lambda x: '"' + x.strip('"')), warnings=("text_column",))
row_damage("backslash escapes", lambda f, r, c: _escaped(f, c))
row_damage("blanks around the cells", lambda f, r, c: f.delimiter.join(" " + f.cell(x) + " " for x in c), equal=True)
row_damage("text in a cell", lambda f, r, c: _first_channel(f, c, lambda x: f.lost.append((r, 0)) or "storm"), equal=True)
row_damage("two numbers in a cell", lambda f, r, c: _first_channel(f, c, lambda x: f.lost.append((r, 0)) or x + " 17"), equal=False)
row_damage("other decimal sign", lambda f, r, c: _first_channel(f, c, lambda x: x.replace(".", "\0").replace(",", ".").replace("\0", ",")))


def between(name, line, equal=True, variants=(1, 150, 299), warnings=()):
    """A line before a row that is none. `line`: function of file and lines."""
    def apply(f, row):
        if row not in f.rows:
            raise Incompatible

        def change(lines):
            at = next(i for i, (r, _) in enumerate(lines) if r == row)
            text = line(f, lines)
            lines.insert(at, (None, text))
        f.line_changes.append(change)
    kind("one row", name, equal=equal, variants=variants, warnings=warnings)(apply)


def _header_again(f, lines):
    if len(f.header_texts) != 1:
        raise Incompatible
    return f.header_texts[0]


between("empty line", lambda f, lines: "")
between("blanks only", lambda f, lines: "   ")
between("delimiters only", lambda f, lines: f.join([""] * f.width))
between("comment line", lambda f, lines: "# sensor replaced")
between("the header again", _header_again)
between("a note", lambda f, lines: "sensor replaced by the operator")
between("a line of signs", lambda f, lines: "--------------------")


@kind("one row", "a row emptied", variants=PLACES)
def _(f, row):
    f.damage(row, lambda cells: "")
    f.gone.add(row)


@kind("one row", "a row twice", variants=(1, 150))
def _(f, row):
    if f.has_times():
        f.must_warn.append("duplicate_time")

    def change(lines):
        at = next(i for i, (r, _) in enumerate(lines) if r == row)
        lines.insert(at, lines[at])
    f.line_changes.append(change)


# ---- Columns ----------------------------------------------------------------------------------------------------------------


def received(f, row):
    """Time at which a value came in."""
    return f"{AXES[f.axis][row] + datetime.timedelta(minutes=7):%Y-%m-%d %H:%M}"


def column(name, title, cell, place=None, equal=True, header_too=True, least=0.85):
    """A further column. `cell`: function of the row's number; None: received(). `place`: index; None: last."""
    def apply(f, _):
        if f.first_name_missing and (place is not None or not header_too):
            raise Incompatible

        def change(headers, table):
            for k, h in enumerate(headers):
                if isinstance(h, str):
                    continue
                if header_too:
                    h.insert(len(h) if place is None else place, title if k + 1 == len(headers) or h[-1] in f.names else "")
            for number, (i, cells) in enumerate(table):
                cells.insert(len(cells) if place is None else place, cell(number) if cell else received(f, i))
            f._order.insert(len(f._order) if place is None else place, "x")
        f.table_changes.append(change)
    kind("columns", name, equal=equal, least=least)(apply)


column("row numbers without a name", "", lambda n: str(n), 0)
column("row numbers No", "No", lambda n: str(n + 1), 0)
column("row numbers RECORD from 5017", "RECORD", lambda n: str(n + 5017), 1)
column("row numbers, no name in the header (R)", "", lambda n: str(n + 1), 0, header_too=False)
column("delimiter at the end of each line", "", lambda n: "")
column("delimiter at the end of each row, not of the header", "", lambda n: "", header_too=False)
column("text", "note", lambda n: ["good", "bad", "new"][n % 3])
column("text before the time", "station", lambda n: "Wien", 0)
column("quality flags", "quality", lambda n: "AZM"[n % 3])
column("empty", "empty", lambda n: "")
column("text of many words", "remark", lambda n: f"measured by hand, shift {n % 3}, day {n // 24}")
column("true and false", "valid", lambda n: ["true", "false"][n % 2])
column("further times", "received", None, least=0.6)
column("row numbers beside the values", "seq", lambda n: str(n + 1))


# ---- Order, counts, tables --------------------------------------------------------------------------------------------------


@kind("order", "newest first")
def _(f, _):
    if not f.time_names:
        raise Incompatible
    f.rows.reverse()


@kind("order", "five rows missing")
def _(f, _):
    del f.rows[97:102]


@kind("order", "two rows exchanged")
def _(f, _):
    f.rows[120], f.rows[121] = f.rows[121], f.rows[120]
    f.either_order = True
    if f.has_times():
        f.must_warn += ["non_monotonic_time", "order"]


def tables(name, lines_of, equal=False):
    def apply(f, _):
        f.line_changes.append(lambda lines: lines.extend((None, t) for t in lines_of(f)))
        f.must_warn += ["ragged_row", "no_row"]
    kind("tables", name, equal=equal)(apply)


def second_table(f, width):
    names = ["station", "a", "b", "c", "d", "e", "g", "h"][:width]
    return [f.join(names)] + [f.join([f"S{i}"] + [f.number(f"{10 * k + i}.5") for k in range(1, width)]) for i in range(1, 9)]


tables("a second, narrower table", lambda f: second_table(f, 3))
tables("a second, wider table", lambda f: second_table(f, 7))
tables("a second, narrower table below an empty line", lambda f: ["", *second_table(f, 3)])
tables("a second, wider table below an empty line", lambda f: ["", *second_table(f, 7)])
tables("a second table of the same width", lambda f: ["", *second_table(f, 4)])
tables("a second table with a title", lambda f: ["", "Stations", *second_table(f, 4)])


@kind("tables", "the table's second half with its header again")
def _(f, _):
    def change(lines):
        at = next(i for i, (r, _) in enumerate(lines) if r == 150)
        head = _header_again(f, lines)
        lines[at:at] = [(None, ""), (None, head)]
    f.line_changes.append(change)


@kind("tables", "one row", pairs=False)
def _(f, _):
    f.rows = [0]


@kind("tables", "two rows", pairs=False)
def _(f, _):
    f.rows = [0, 1]


@kind("tables", "header only", pairs=False)
def _(f, _):
    f.rows, f.refuse = [], True


@kind("tables", "empty file", pairs=False)
def _(f, _):
    f.bytes_change, f.refuse = lambda data: b"", True


@kind("tables", "empty lines only", pairs=False)
def _(f, _):
    f.bytes_change, f.refuse = lambda data: b"\n\n\n", True


@kind("tables", "a text without a table", pairs=False)
def _(f, _):
    f.bytes_change, f.refuse = lambda data: b"The values of this station\nare not available, sorry.\nAsk again later.\n", True


@kind("tables", "a page of HTML", pairs=False)
def _(f, _):
    f.bytes_change, f.refuse = lambda data: b"<!DOCTYPE html>\n<html><body>Sign in, please</body></html>\n", True


@kind("tables", "1,000 further columns", pairs=False)
def _(f, _):
    f.columns += ["temp"] * 1000
    f.names += [f"x{k}" for k in range(1000)]
    f.name_match += ["exact"] * 1000
