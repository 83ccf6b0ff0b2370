# SPDX-License-Identifier: GPL-3.0-or-later
"""The bad files of bad_files.py: how each is made, which commands it is tried with, and words of what they must answer."""

import io
import json
import math
import os
import pathlib
import re
import shutil
import struct
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPERIMENT = """[data]
path = "{data}"
lookback = 48
horizon = 24
[backbone]
path = "untrained"
layers = 1
width = 24
heads = 2
vocabulary = 100
positions = 32
[model]
trend_length = 13
seasonal_length = 12
pool_size = 30
top_k = 4
[train]
epochs = 1
max_steps = 2
batch_size = 8
[run]
device = "cpu"
threads = 1
"""


def rows(count=400, change=None, header="date,load,temperature"):
    """Two periodic channels; change(row, cells) may return other cells."""
    lines = [header]
    for r in range(count):
        cells = [f"2020-{1 + r // 672:02d}-{1 + r // 24 % 28:02d} {r % 24:02d}:00:00",
                 f"{math.sin(r * 2 * math.pi / 24) + 0.1 * math.cos(r * 1.7):.5f}",
                 f"{10 + 3 * math.cos(r * 2 * math.pi / 24) + 0.2 * math.sin(r * 2.9):.5f}"]
        lines.append(",".join((change and change(r, cells)) or cells))
    return "\n".join(lines) + "\n"


def cell(row, column, text):
    """Changes one cell."""
    def change(r, cells):
        if r == row:
            cells[column] = text
        return cells
    return change


def safetensors(header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


class Case:
    """One bad file. `commands`: name of a command (see Bench.arguments), exit status, words of its answer."""

    def __init__(self, group, name, make, commands, sets=(), prefix=(), grows=False):
        self.group, self.name, self.make, self.commands = group, name, make, commands
        self.sets, self.prefix, self.grows = list(sets), list(prefix), grows


CASES = []


def case(*arguments, **named):
    CASES.append(Case(*arguments, **named))


def text(name, content):
    def make(folder, bench):
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path
    return make


# ------------------------------------------------------------------------------------------------------------- CSV

def refused(*words):
    return [("describe", 2, words), ("batch", 2, words), ("evaluate", 2, words)]


def zipped(files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def csv(name, content, commands, **named):
    case("CSV", name, text("bad.csv", content), commands, **named)


csv("empty", b"", refused("the file is empty", "expected a table of numbers"))
csv("empty lines only", "\n\n\r\n", refused("only empty lines"))
csv("header only", "date,load\n", refused("a header and no rows", "expected at least one row"))
csv("one row", "date,load\n2020-01-01,1\n",
    [("describe", 0, ["no window fits", "shorten data.lookback"]), ("batch", 2, ["no window fits"]),
     ("evaluate", 2, ["no window fits"])])
csv("binary (gzip)", b"\x1f\x8b\x08\x00" + bytes(range(256)), refused("the gzip file is damaged", "download it again"))
csv("binary (an executable)", b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 8, refused("zero byte at offset 7"))
csv("a spreadsheet", zipped({"xl/workbook.xml": b"<workbook/>"}), refused("a spreadsheet (.xlsx)", "Save the sheet as CSV", "read_excel"))
csv("a damaged zip archive", b"PK\x03\x04" + bytes(200), refused("the zip file is damaged"))
csv("a zip archive of two files", zipped({"a.csv": b"a,b\n", "b.csv": b"a,b\n"}), refused("has 2 files", "Unpack it"))
csv("a zip archive of the table", zipped({"README.txt": b"text", "a.csv": rows().encode()}),
    [("describe", 0, ["400"]), ("batch", 0, ["test MSE"])])
csv("a Parquet file", b"PAR1" + bytes(200), refused("a Parquet file", "read_parquet"))
csv("a pickle", b"\x80\x04\x95" + bytes(200), refused("a Python pickle", "Reading it can run code"))
csv("a web page", "<!DOCTYPE html><html></html>\n", refused("web page"))
csv("zero bytes", rows().replace("10:00:00", "10:00\0:00", 1).encode(), refused("zero byte at offset"))
csv("UTF-16 with mark", "\ufeff".encode("utf-16-le") + rows().encode("utf-16-le"),
    [("describe", 0, ["UTF-16LE"]), ("batch", 0, ["test MSE"])])
csv("UTF-16 without mark", rows().encode("utf-16-be"), [("describe", 0, ["UTF-16BE"]), ("batch", 0, ["test MSE"])])
csv("UTF-16 cut in a character", rows().encode("utf-16-le")[:-1],
    [("describe", 0, ["broken UTF-16 character"])])
csv("Latin-1 names", rows(header="date,l\xe4nge,t").encode("latin-1"), [("describe", 0, ["read as Latin-1", "länge"])])
csv("unclosed quote", rows(change=cell(100, 1, '"1.5')),
    refused("line 102", "a quoted cell begins here and is never closed", "expected a closing", "Close the quote"))
csv("a line of 5 MB", rows() + "2020-01-18 00:00:00," + "7" * 5_000_000 + ",1\n",
    [("describe", 0, ["line 402", "infinit"]), ("batch", 2, ["line 402"])])
csv("a line of 70 MB", "a,b\n" + "7" * 70_000_000 + ",1\n1,2\n", [("describe", 2, ["line 2", "longer than 64 MiB"])])
csv("100,000 columns", ",".join(f"c{i}" for i in range(100_000)) + "\n" +
    (",".join("1" for _ in range(100_000)) + "\n") * 2,
    [("describe", 0, ["100,000"]), ("batch", 2, ["no window fits"])])
csv("100,001 columns", ",".join(f"c{i}" for i in range(100_001)) + "\n" +
    ",".join("1" for _ in range(100_001)) + "\n", refused("100001 columns", "expected at most 100000"))
csv("text among numbers", rows(change=cell(50, 1, "broken")),
    [("describe", 0, ["line 52", '"broken" is no number']),
     ("batch", 2, ["line 52", "without a value", "data.missing"]), ("evaluate", 2, ["line 52", "data.missing"])])
csv("text only", "a,b\nx,y\nz,w\n", refused("no column holds numbers"))
csv("NaN, policy error", rows(change=cell(60, 2, "NaN")),
    [("describe", 0, ["line 62"]), ("batch", 2, ['column "temperature"', "line 62", "interpolate"])])
csv("NaN, policy interpolate", rows(change=cell(60, 2, "NaN")),
    [("batch", 0, ["filled by interpolation", "line 62"])], sets=["data.missing=interpolate"])
csv("NaN, policy drop-column", rows(change=cell(60, 2, "NaN")),
    [("batch", 0, ['column "temperature"', "left out"])], sets=["data.missing=drop-column"])
csv("NaN, policy keep", rows(change=cell(60, 2, "NaN")),
    [("batch", 2, ["line 62", "needs a number in every cell"])], sets=["data.missing=keep"])
csv("infinity, policy error", rows(change=cell(70, 1, "inf")),
    [("describe", 0, ["line 72", "infinite"]), ("batch", 2, ["line 72", "without a value"])])
csv("infinity, policy interpolate", rows(change=cell(70, 1, "-inf")),
    [("batch", 0, ["filled by interpolation"])], sets=["data.missing=interpolate"])
csv("infinity, policy drop-column", rows(change=cell(70, 1, "1e999")),
    [("batch", 0, ['column "load"', "left out"])], sets=["data.missing=drop-column"])
csv("infinity, policy keep", rows(change=cell(70, 1, "inf")),
    [("batch", 2, ["needs a number in every cell"])], sets=["data.missing=keep"])
csv("every column has gaps, policy drop-column", rows(change=lambda r, c: [c[0], "", ""] if r == 5 else c),
    [("batch", 2, ["bad.csv", "every column has missing cells", "interpolate"])], sets=["data.missing=drop-column"])
csv("duplicate names", rows(header="date,load,load"), [("describe", 0, ["line 1", 'called "load.1"']), ("batch", 0, ['called "load.1"'])])
csv("dates that go backwards", rows(change=cell(80, 0, "2019-01-01 00:00:00")),
    [("describe", 0, ["line 82", "the time goes back", "sorted by time"]), ("batch", 0, ["the time goes back"])])
csv("dates that cannot be read", rows(change=cell(80, 0, "2020-02-31 00:00:00")),
    [("describe", 0, ["line 82"]), ("batch", 0, ["line 82"])])
csv("fewer rows than lookback and horizon", rows(60),
    [("describe", 0, ["no window fits"]), ("batch", 2, ["no window fits", "at least", "rows"]),
     ("evaluate", 2, ["no window fits"])])
csv("constant channels", rows(change=lambda r, c: [c[0], "5", "7"]),
    [("describe", 0, ["the same value on every row"]), ("batch", 0, ["the same value on every row", "test MSE"])])
csv("rows of different length", rows(change=lambda r, c: c[:2] if r == 9 else c + ["8"] if r == 11 else c),
    [("describe", 0, ["line 11", "2 of 3 cells", "line 13", "4 cells instead of 3"]), ("batch", 2, ["line 11"])])
csv("an unknown column asked for", rows(), [("batch", 2, ["data.columns", '"laod"', 'nearest name is "load"'])],
    sets=['data.columns=["laod"]'])
csv("an unknown target asked for", rows(), [("batch", 2, ["data.targets", '"laod"', 'nearest name is "load"'])],
    sets=['data.targets=["laod"]'])
csv("split by dates, dates that go backwards", rows(change=cell(80, 0, "2019-01-01 00:00:00")),
    [("describe", 0, ["data.split", "row 81"]), ("batch", 2, ["data.split", "the time of row 81, 2019-01-01"])],
    sets=['data.split=["2020-01-10", "2020-01-14"]', 'data.csv.order=as-written'])
csv("split by dates, a date outside the file", rows(),
    [("batch", 2, ['"2021-01-01" is after the last row', "dates within the file"])],
    sets=['data.split=["2020-01-10", "2021-01-01"]'])
case("CSV", "not there", lambda folder, bench: folder / "bad.csv", refused("there is no such file", "Check the path"))
case("CSV", "a folder", lambda folder, bench: (folder / "bad.csv").mkdir() or folder / "bad.csv",
     refused("this is a folder", "expected a CSV file", "Give the path of a file in it"))
case("CSV", "a pipe without a writer", lambda folder, bench: os.mkfifo(folder / "bad.csv") or folder / "bad.csv",
     refused("this is a pipe", "expected a CSV file", "Save the data to a file first"))
case("CSV", "a device", lambda folder, bench: (folder / "bad.csv").symlink_to("/dev/zero") or folder / "bad.csv",
     refused("this is a device"))
case("CSV", "a link to nothing", lambda folder, bench: (folder / "bad.csv").symlink_to("gone") or folder / "bad.csv",
     refused("there is no such file"))
case("CSV", "a link in circles", lambda folder, bench: (folder / "bad.csv").symlink_to("bad.csv") or folder / "bad.csv",
     refused("points back to itself"))


def closed(folder, bench):
    path = folder / "bad.csv"
    path.write_text(rows())
    path.chmod(0)
    return path


# Root may read everything, but not without its capabilities.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-all"] if os.geteuid() == 0 else []
case("CSV", "no permission", closed, refused("no permission", "chmod"), prefix=WITHOUT_RIGHTS)


def growing(folder, bench):
    path = folder / "bad.csv"
    path.write_text("a,b\n" + "123.456,789.125\n" * 4_000_000)
    return path


case("CSV", "changes while it is read", growing,
     [("describe", 2, ["changed while it was being read: it had", "Try again when it is complete"])], grows=True)

# ------------------------------------------------------------------------------------------------------------ TOML

TOML_BASE = EXPERIMENT.format(data="series.csv")


def toml(name, content, words, code=2, commands=("experiment", "print-config")):
    case("TOML", name, text("bad.toml", content), [(command, code, words) for command in commands])


toml("broken syntax", TOML_BASE.replace("[train]", "[train"), ["bad.toml:17:", "TOML syntax"])
toml("no value", "[data]\npath =\n", ["bad.toml:2:", "TOML syntax"])
toml("unknown key", TOML_BASE + "lamda_cov = 1\n", ["bad.toml:24:1", "unknown key run.lamda_cov", "Nearest valid key: loss.lambda_cov"])
toml("misspelt key", TOML_BASE.replace("top_k", "topk"), ["bad.toml:16:1", "unknown key model.topk",
                                                         "Nearest valid key: model.top_k"])
toml("unknown table", "[dta]\npath = 'x'\n", ["unknown table [dta]", "Nearest valid table: [data]"])
toml("a key twice", TOML_BASE + "device = 'cpu'\n", ["bad.toml:24:", "TOML syntax"])
toml("wrong type", TOML_BASE.replace("epochs = 1", 'epochs = "one"'), ["bad.toml:18:", "train.epochs", "expected"])
toml("out of range", TOML_BASE.replace("epochs = 1", "epochs = 0"), ["bad.toml:18:", "train.epochs = 0", "expected"])
toml("a date for a number", TOML_BASE.replace("epochs = 1", "epochs = 1979-05-27"), ["train.epochs is a date"])
toml("contradicting keys", TOML_BASE.replace("top_k = 4", "top_k = 31"),
     ["model.top_k = 31 is more than model.pool_size = 30", "expected", "Given:"])
toml("tokens that do not fit the backbone", TOML_BASE.replace("positions = 32", "positions = 4"),
     ["tokens", "more than backbone.positions = 4"])
toml("deep tables", "a" + ".a" * 5000 + " = 1\n", ["bad.toml:1", "nested too deep"])
toml("deep lists", "x = " + "[" * 100_000 + "]" * 100_000 + "\n", ["bad.toml:1", "nested too deep"])
toml("deep inline tables", "x = " + "{a=" * 100_000 + "1" + "}" * 100_000 + "\n", ["nested too deep"])
toml("a number beyond 64 bits", TOML_BASE.replace("epochs = 1", "epochs = 99999999999999999999"), ["bad.toml:18:"])
toml("a huge number", TOML_BASE.replace("epochs = 1", "epochs = 9223372036854775807"), ["train.epochs", "expected"])
toml("a huge float", TOML_BASE.replace("epochs = 1", "epochs = 1\nlearning_rate = 1e400"), ["bad.toml:19:"])
toml("infinity", TOML_BASE.replace("epochs = 1", "epochs = 1\nlearning_rate = inf"), ["train.learning_rate", "expected"])
toml("a sweep that is no list", TOML_BASE + "[sweep]\ntrain.seed = 1\n", ["sweep.train.seed is no list"])
toml("a sweep of a million runs", TOML_BASE + "[sweep]\ntrain.seed = [" + "1," * 1000 + "]\ntrain.patience = [" +
     ",".join(str(i + 1) for i in range(1000)) + "]\n", ["more than 10000 runs"])
CASE = '[[sweep.case]]\nlabel = "a"\n'
toml("a case without a label", TOML_BASE + "[[sweep.case]]\ntrain.seed = 1\n", ["bad.toml:24:", "the case has no label"])
toml("two cases of one label", TOML_BASE + CASE + CASE, ["bad.toml:26:", "two cases have the label", "bad.toml:24:"])
toml("an unknown key in a case", TOML_BASE + CASE + "train.sed = 1\n",
     ["bad.toml:26:", "unknown key train.sed", "Nearest valid key: train.seed"])
toml("a wrong value in a case", TOML_BASE + CASE + "train.seed = -1\n", ["bad.toml:26:", "train.seed = -1 is out of range"])
toml("a key in a case and in the sweep", TOML_BASE + "[sweep]\ntrain.seed = [1, 2]\n" + CASE + "train.seed = 3\n",
     ["bad.toml:28:", "train.seed is in a case and in [sweep] (", "bad.toml:25:"])
toml("a case that is no list", TOML_BASE + '[sweep.case]\nlabel = "a"\n', ["sweep.case is not a list of tables", "[[sweep.case]]"])
toml("a name that leaves the folder", 'name = "../elsewhere"\n' + TOML_BASE, ["bad.toml:1:", "name", "expected"])
toml("an absolute name", 'name = "/etc/x"\n' + TOML_BASE, ["bad.toml:1:", "name", "expected"])
toml("binary", bytes(range(1, 256)), ["bad.toml:1:"])
toml("zero bytes", b"[data]\npath = \"a\0b\"\n", ["bad.toml:2:"])
toml("5 MB", "# " + "x" * 5_000_000 + "\n", ["larger than", "expected an experiment file"])
toml("empty", b"", ["data.path is not given"], commands=("experiment",))
toml("no data", TOML_BASE.replace('path = "series.csv"\n', "", 1), ["data.path is not given"], commands=("experiment",))
toml("data that is not there", TOML_BASE.replace("series.csv", "none.csv"), ["none.csv", "no such file"],
     commands=("experiment",))
for name, make in [("not there", lambda folder, bench: folder / "bad.toml"),
                   ("a folder", lambda folder, bench: (folder / "bad.toml").mkdir() or folder / "bad.toml"),
                   ("a pipe without a writer",
                    lambda folder, bench: os.mkfifo(folder / "bad.toml") or folder / "bad.toml"),
                   ("a device",
                    lambda folder, bench: (folder / "bad.toml").symlink_to("/dev/zero") or folder / "bad.toml")]:
    words = {"not there": "no such file", "a folder": "this is a folder", "a device": "this is a device"}
    case("TOML", name, make, [(command, 2, [words.get(name, "this is a pipe"), "expected an experiment file"])
                              for command in ("experiment", "print-config")])

# ----------------------------------------------------------------------------------------------------- safetensors


def checkpoint(name, change, words, commands=("checkpoint", "backbone")):
    """`change` gets the bytes of a good checkpoint and returns others."""
    def make(folder, bench):
        path = folder / "bad.safetensors"
        path.write_bytes(change((bench.good / "best.safetensors").read_bytes()))
        return path
    case("safetensors", name, make, [(command, 2, words) for command in commands])


def split(data):
    size = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8:8 + size]), data[8 + size:]


def edited(edit):
    def change(data):
        header, body = split(data)
        return safetensors(edit(header) or header, body)
    return change


def drop(name):
    def change(data):
        header, body = split(data)
        begin, end = header.pop(name)["data_offsets"]
        for key, entry in header.items():
            if key != "__metadata__" and entry["data_offsets"][0] >= end:
                entry["data_offsets"] = [offset - (end - begin) for offset in entry["data_offsets"]]
        return safetensors(header, body[:begin] + body[end:])
    return change


def retyped(data):
    header, body = split(data)
    begin, end = header["in_layer.bias"]["data_offsets"]
    header["in_layer.bias"]["dtype"] = "I32"
    return safetensors(header, body)


def reshaped(data):
    header, body = split(data)
    header["in_layer.bias"]["shape"] = [2, header["in_layer.bias"]["shape"][0] // 2]
    return safetensors(header, body)


def added(data):
    header, body = split(data)
    header["unexpected.tensor"] = {"dtype": "F32", "shape": [1], "data_offsets": [len(body), len(body) + 4]}
    return safetensors(header, body + bytes(4))


def set_offsets(begin, end):
    def edit(header):
        header["in_layer.bias"]["data_offsets"] = [begin, end]
    return edit


def twice(data):
    header, body = split(data)
    text = json.dumps(header)
    return safetensors((text[:-1] + ', "in_layer.bias": ' + json.dumps(header["in_layer.bias"]) + "}").encode(), body)


checkpoint("empty", lambda data: b"", ["it has 0 bytes", "expected at least 8 bytes"])
checkpoint("truncated in the header", lambda data: data[:100], ["the header has", "truncated", "download or write it again"])
checkpoint("truncated in the data", lambda data: data[:-100], ["tensor \"", "truncated"])
checkpoint("a header of 2^63 bytes", lambda data: struct.pack("<Q", 1 << 63) + data[8:],
           ["a header of 9223372036854775808 bytes", "expected at most", "not a .safetensors file"])
checkpoint("a header of 2^64 - 1 bytes", lambda data: b"\xff" * 8 + data[8:], ["18446744073709551615 bytes"])
checkpoint("another kind of file", lambda data: b"PK\x03\x04" + bytes(100), ["the zip file is damaged"])
checkpoint("a PyTorch file", lambda data: zipped({"model/data.pkl": b"."}), ["a PyTorch file", "torch.load"])
checkpoint("an old PyTorch file", lambda data: b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19." + bytes(20),
           ["a PyTorch file (before version 1.6)", "torch.load"])
checkpoint("a header that is no JSON", lambda data: safetensors(b"{nonsense", bytes(8)), ["the header is not JSON"])
checkpoint("a header that is a list", lambda data: safetensors(b"[]", b""), ["the header is not a JSON object"])
checkpoint("a header nested a million deep",
           lambda data: safetensors(b'{"a":{"dtype":"F32","shape":' + b"[" * 1_000_000 + b"]" * 1_000_000 +
                                    b',"data_offsets":[0,4]}}', bytes(4)), ["nested deeper"])
checkpoint("a shape of a million sizes",
           lambda data: safetensors(b'{"a":{"dtype":"F32","shape":[' + b"1," * 1_000_000 + b"1]"
                                    b',"data_offsets":[0,4]}}', bytes(4)), ["its shape is not a list"])
checkpoint("overlapping tensors", edited(set_offsets(0, 96)), ["tensor \"", "inside the tensor before", "expected byte"])
checkpoint("offsets out of range", edited(set_offsets(1 << 40, (1 << 40) + 96)), ["its data ends at byte"])
checkpoint("offsets that run backwards", edited(set_offsets(96, 0)), ["run backwards"])
checkpoint("offsets that do not fit the shape", edited(set_offsets(0, 92)), ["it has 92 bytes", "expected 96 bytes"])
checkpoint("negative offsets", edited(set_offsets(-96, 0)), ["data_offsets is -96", "expected a whole number"])
checkpoint("unknown type", edited(lambda header: header["in_layer.bias"].update(dtype="F8")), ["its type is F8", "expected"])
checkpoint("a tensor twice", twice, ['names "in_layer.bias" twice'])
checkpoint("bytes after the last tensor", lambda data: data + b"more", ["4 bytes follow the last tensor"])
checkpoint("wrong type", retyped, ["in_layer.bias", "I32", "expected"], commands=("checkpoint",))
checkpoint("wrong shape", reshaped, ["in_layer.bias", "its shape is", "expected [24]"], commands=("checkpoint",))
checkpoint("a missing tensor", drop("in_layer.bias"), ["no tensor \"in_layer.bias\""], commands=("checkpoint",))
checkpoint("a missing tensor", drop("gpt2.h.0.ln_1.weight"), ["there is no tensor h.0.ln_1.weight"],
           commands=("backbone",))
checkpoint("no configuration in it", edited(lambda header: header.pop("__metadata__") and header),
           ["bad.safetensors: it carries no settings", 'its metadata have no "config"', "--set data.lookback="],
           commands=("checkpoint",))
checkpoint("a backbone of another size", edited(lambda header: header), ["tensor gpt2.wte.weight has shape [100, 24]",
                                                                        "expected", "backbone.width"],
           commands=("larger-backbone",))
case("safetensors", "an unexpected tensor",
     lambda folder, bench: text("bad.safetensors", added((bench.good / "best.safetensors").read_bytes()))(folder, bench),
     [("checkpoint", 0, ["test_mse", "holds 1 tensor that this model does not have", "unexpected.tensor"])])
case("safetensors", "a pipe without a writer",
     lambda folder, bench: os.mkfifo(folder / "bad.safetensors") or folder / "bad.safetensors",
     [("checkpoint", 2, ["this is a pipe"]), ("backbone", 2, ["this is a pipe"])])

# ---------------------------------------------------------------------------------------------- collections of series

def series_lines(count, length, change=None, first="V1"):
    """A line per series, H1, H2, …; change(series, cells) may return other cells."""
    lines = [",".join([first] + [f"V{column}" for column in range(2, length + 2)])]
    for i in range(count):
        cells = [f'"H{i + 1}"'] + [f'"{100 * (i + 1) + 10 * math.sin(t * 2 * math.pi / 24) + t % 7}"' for t in range(length)]
        lines.append(",".join((change and change(i, cells)) or cells))
    return "\n".join(lines) + "\n"


def collection(name, commands, train=None, test=None):
    def make(folder, bench):
        place = folder / "M4"
        for part, content in (("Train/Hourly-train.csv", series_lines(4, 90) if train is None else train),
                              ("Test/Hourly-test.csv", series_lines(4, 24) if test is None else test)):
            if content is False:
                continue
            file = place / part
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return place
    case("collection of series", name, make, commands)


def no_collection(*words):
    return [("describe", 2, words), ("batch", 2, words)]


collection("good", [("describe", 0, ["90 to 90, median 90"]), ("batch", 0, ["sMAPE"])])
collection("a series that the test file lacks", no_collection("Hourly-train.csv:5", "H4", "missing in"), test=series_lines(3, 24))
collection("a series that the training file lacks", no_collection("Hourly-test.csv:5", "H4", "missing in"), train=series_lines(3, 90))
collection("a short series", no_collection("Hourly-train.csv:3", "H2", "20 training values", "at least 25"),
           train=series_lines(4, 90, lambda i, cells: cells[:21] + [""] * 70 if i == 1 else cells))
collection("a cell that is no number", no_collection("Hourly-train.csv:2", "H1", "12a"),
           train=series_lines(4, 90, lambda i, cells: cells[:5] + ["12a"] + cells[6:] if i == 0 else cells))
collection("an empty cell between values", no_collection("Hourly-train.csv:4", "H3"),
           train=series_lines(4, 90, lambda i, cells: cells[:5] + [""] + cells[6:] if i == 2 else cells))
collection("a series twice", no_collection("Hourly-train.csv:3", "occurs twice", "line 2"),
           train=series_lines(4, 90, lambda i, cells: ['"H1"'] + cells[1:] if i == 1 else cells))
collection("a constant series", [("describe", 0, ["H2", "constant"]), ("batch", 0, ["sMAPE"])],
           train=series_lines(4, 90, lambda i, cells: cells[:1] + ['"5"'] * 90 if i == 1 else cells))
collection("files of different frequencies", no_collection("different frequencies"),
           test=series_lines(4, 24).replace('"H', '"Y'))
collection("another horizon", no_collection("data.horizon = 12"), test=series_lines(4, 12))
collection("no test file", no_collection("Hourly-test.csv", "no such file"), test=False)
csv("a row per value, a date twice",
    "unique_id,ds,y\n" + "".join(f"A,2020-01-{1 + t // 24:02d} {t % 24:02d}:00:00,{t}\n" for t in [*range(60), 3]),
    [("describe", 2, ["bad.csv:62", "twice, first in line 5"]), ("batch", 2, ["bad.csv:62"])])

# ------------------------------------------------------------------------------------------------------ run folders


def run_folder(name, change, commands, group="run folder"):
    """`change` gets a copy of a good, finished run."""
    def make(folder, bench):
        run = folder / "runs" / "small" / "single"
        shutil.copytree(bench.good.parent, run.parent)
        change(run, bench)
        return run
    case(group, name, make, commands)


def stopped_folder(name, change, commands, group="run folder", **named):
    """The same of a run that was interrupted and has a checkpoint."""
    def make(folder, bench):
        run = folder / "runs" / "small" / "single"
        shutil.copytree(bench.stopped.parent, run.parent)
        change(run, bench)
        return run
    case(group, name, make, commands, **named)


def replace(name, content):
    def change(run, bench):
        (run / name).write_bytes(content(run / name) if callable(content) else content)
    return change


def remove(name):
    def change(run, bench):
        shutil.rmtree(run / name) if (run / name).is_dir() else (run / name).unlink()
    return change


def flipped(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    return bytes(data)


def seed_file(name):
    return lambda path: (ROOT / "tests" / "fuzz" / "corpus" / "run_file" / name).read_bytes()


def generation(run):
    return run / "last" / (run / "last" / "current").read_text().strip()


def state(edit):
    def change(run, bench):
        path = generation(run) / "state.json"
        document = json.loads(path.read_text())
        edit(document)
        path.write_text(json.dumps(document))
    return change


AGAIN = "again"  # the batch once more, on the finished run
HDF5 = "HDF5"
run_folder("truncated", replace("run.h5", lambda path: path.read_bytes()[:-5000]), [(AGAIN, 2, ["run.h5", "truncated"])], HDF5)
run_folder("one bit flipped", replace("run.h5", flipped), [(AGAIN, 2, ["run.h5", "does not match its checksum", "damaged"])], HDF5)
run_folder("empty", replace("run.h5", b""), [(AGAIN, 2, ["run.h5", "not an HDF5 file"])], HDF5)
run_folder("another kind of file", replace("run.h5", b"hello" * 1000), [(AGAIN, 2, ["run.h5", "not an HDF5 file"])], HDF5)
run_folder("another layout", replace("run.h5", seed_file("arrays.h5")), [(AGAIN, 2, ["run.h5", "not a run file"])], HDF5)
run_folder("newer format version", replace("run.h5", seed_file("run_newer_version.h5")),
           [(AGAIN, 2, ["run.h5", "format version 99", "expected at most 1", "newer CASP Studio"])], HDF5)
run_folder("a data set of another shape", replace("run.h5", seed_file("run_wrong_shape.h5")),
           [(AGAIN, 2, ["run.h5", "/history/step/epoch", "its shape is", "expected"])], HDF5)
run_folder("missing", remove("run.h5"), [(AGAIN, 2, ["run.h5", "no such file"]), ("export", 2, ["run.h5 is missing"])], HDF5)
run_folder("a pipe without a writer", lambda run, bench: (run / "run.h5").unlink() or os.mkfifo(run / "run.h5"),
           [(AGAIN, 2, ["run.h5", "this is a pipe"])], HDF5)

# Forecasts and embeddings: only who shows them reads the file. The rest of the figures is made without it.
ARRAYS = "HDF5, arrays.h5"
NO_FORECAST = "single is omitted from figures of forecasts"
NOT_KEPT = "the previous content of arrays.h5 is not kept"


def arrays(name, content, found, resumed=NOT_KEPT, make=None, exported=True):
    """Tried with the figures and the export of a finished run, and beside the checkpoint of one that was interrupted."""
    change = make or replace("arrays.h5", content)
    if found:
        run_folder(name, change, [("figures", 0, [NO_FORECAST, *found, "Figures: "])] +
                   ([("export", 2, found)] if exported else []), ARRAYS)
    if resumed:
        def beside(run, bench):
            shutil.copy(bench.good / "arrays.h5", run)
            change(run, bench)
        stopped_folder(name + ", beside a checkpoint", beside, [("resume", 0, [resumed, "test MSE"])], ARRAYS)


def other_kind(kind):
    def change(run, bench):
        (run / "arrays.h5").unlink()
        kind(run / "arrays.h5")
    return change


def flipped_at(place):
    def content(path):
        data = bytearray(path.read_bytes())
        data[place] ^= 1
        return bytes(data)
    return content


arrays("truncated", lambda path: path.read_bytes()[:-5000], ["arrays.h5", "truncated"])
arrays("one bit of a forecast flipped", flipped, ["/forecast/test/prediction", "Fletcher32 checksum"], None,
       exported=False)  # read while it is written: the folder is there
arrays("one bit of its head flipped", flipped_at(100), ["arrays.h5", "checksum"])
arrays("empty", b"", ["arrays.h5", "not an HDF5 file"])
arrays("another kind of file", b"hello" * 1000, ["arrays.h5", "not an HDF5 file"])
arrays("another layout", seed_file("run_newer_version.h5"), ["there is no /forecast/test"], None)
arrays("of another run", seed_file("arrays.h5"), ["mean squared error", "expected the forecasts of this run"], None)
arrays("a pipe without a writer", None, ["this is a pipe"], make=other_kind(os.mkfifo))
arrays("a folder", None, ["this is a folder"], None, make=other_kind(os.mkdir))
run_folder("missing", remove("arrays.h5"), [("figures", 0, ["arrays.h5 no longer exists", "no forecast", "Figures: "]),
                                            ("export", 2, ["arrays.h5 is missing"])], ARRAYS)

run_folder("no config.toml", remove("config.toml"), [(AGAIN, 2, ["config.toml", "no such file"]),
                                                     ("evaluate-run", 2, ["config.toml", "no such file"])])
run_folder("a broken config.toml", replace("config.toml", b"[data\n"), [(AGAIN, 2, ["config.toml:1:", "TOML syntax"]),
                                                                       ("evaluate-run", 2, ["TOML syntax"])])
run_folder("no best.safetensors", remove("best.safetensors"),
           [(AGAIN, 0, ["already finished", "best.safetensors no longer exists"]),
            ("evaluate-run", 2, ["best.safetensors is missing", "expected the folder of a run that was trained"]),
            ("fork", 2, ["train.continue_from", "neither a checkpoint nor best.safetensors"])])
run_folder("no arrays.h5", remove("arrays.h5"), [(AGAIN, 0, ["already finished", "arrays.h5 no longer exists"])])
run_folder("only best.safetensors", lambda run, bench: [remove(name)(run, bench) for name in ("run.json", "run.h5")],
           [(AGAIN, 2, ["best.safetensors", "run.json and run.h5 are lost", "Move the file away"]),
            ("resume", 2, ["best.safetensors", "run.json and run.h5 are lost"])])
run_folder("no run.json", remove("run.json"), [(AGAIN, 0, ["already finished", "test MSE"]), ("resume", 0, ["already finished"])])
run_folder("no run.json, damaged run.h5", lambda run, bench: remove("run.json")(run, bench) or replace("run.h5", flipped)(run, bench),
           [(AGAIN, 2, ["run.h5", "checksum", "Only run.json or run.h5"]), ("resume", 2, ["run.h5", "checksum", "Only run.json or run.h5"])])
run_folder("a broken run.json", replace("run.json", b'{"format_version": 1,'),
           [(AGAIN, 2, ["run.json", "cannot be parsed", "Remove it", "gets a new run.json"])])
DEEP = b"[" * 400_000 + b"]" * 400_000
run_folder("a run.json nested 400,000 deep", replace("run.json", b'{"format_version": ' + DEEP + b"}"),
           [(AGAIN, 2, ["run.json", "nests deeper than 32 levels", "Remove it"])])
run_folder("a newer run.json", replace("run.json", b'{"format_version": 99}'),
           [(AGAIN, 2, ["run.json", "format version 99", "expected at most 1", "newer CASP Studio"])])
run_folder("run.json is a folder", lambda run, bench: (run / "run.json").unlink() or (run / "run.json").mkdir(),
           [(AGAIN, 2, ["run.json", "this is a folder"])])
run_folder("an empty folder", lambda run, bench: shutil.rmtree(run) or run.mkdir(),
           [("evaluate-run", 2, ["best.safetensors is missing"]), ("fork", 2, ["neither a checkpoint nor best.safetensors"])])
run_folder("not there", lambda run, bench: shutil.rmtree(run),
           [("evaluate-run", 2, ["no such file"]), ("fork", 2, ["train.continue_from", "folder not found"])])
run_folder("best.safetensors damaged", replace("best.safetensors", lambda path: path.read_bytes()[:-7]),
           [("evaluate-run", 2, ["best.safetensors", "truncated"]), ("fork", 2, ["best.safetensors", "truncated"])])
run_folder("other settings", replace("config.toml", lambda path: path.read_bytes().replace(b"max_steps = 2", b"max_steps = 3")),
           [(AGAIN, 2, ["a finished run with other settings", "train.max_steps was 3, is now 2", "another name"])])

stopped_folder("unfinished, without --resume", lambda run, bench: None, [(AGAIN, 2, ["an unfinished run", "--resume"])])
stopped_folder("a checkpoint's part missing", lambda run, bench: (generation(run) / "optimizer.safetensors").unlink(),
               [("resume", 2, ["optimizer.safetensors", "missing"])])
stopped_folder("a checkpoint's part damaged",
               lambda run, bench: (generation(run) / "model.safetensors").write_bytes(flipped(generation(run) / "model.safetensors")),
               [("resume", 2, ["model.safetensors", "SHA-256", "damaged"])])
stopped_folder("a checkpoint that is gone", lambda run, bench: shutil.rmtree(generation(run)),
               [("resume", 2, ["current", "which does not exist", "restore last/ from a copy"])])
stopped_folder("a pointer that leads elsewhere", replace("last/current", b"../../../elsewhere\n"),
               [("resume", 2, ["current", "not a checkpoint generation"])])
stopped_folder("a state that is no JSON", lambda run, bench: (generation(run) / "state.json").write_text("{"),
               [("resume", 2, ["state.json", "checkpoint"])])
stopped_folder("a state nested 400,000 deep", lambda run, bench: (generation(run) / "state.json").write_bytes(b'{"step": ' + DEEP + b"}"),
               [("resume", 2, ["state.json", "nests deeper than 32 levels", "damaged"])])
stopped_folder("a state of a newer version", state(lambda s: s.update(format_version=99)),
               [("resume", 2, ["state.json", "format 99", "newer CASP Studio"])])
stopped_folder("a state with a wrong type", state(lambda s: s.update(step="ten")), [("resume", 2, ["state.json", "type must be", "damaged"])])
stopped_folder("a state with a count below zero", state(lambda s: s.update(position=-1)), [("resume", 2, ["state.json", "position is -1"])])
stopped_folder("a state with a file elsewhere", state(lambda s: s["files"].update({"../../run.h5": "00"})),
               [("resume", 2, ["state.json", "bad entry"])])
BESIDE = ["is intact", "continue from it with a fork", "train.continue_from"]
stopped_folder("no run.h5 beside the checkpoint", remove("run.h5"),
               [("resume", 2, ["run.h5", "no such file", *BESIDE])])
stopped_folder("damaged run.h5 beside the checkpoint", replace("run.h5", flipped),
               [("resume", 2, ["run.h5", "checksum", *BESIDE])])
for name, change in [("a parent with a checkpoint and no run.h5", remove("run.h5")),
                     ("a parent with a checkpoint and a damaged run.h5", replace("run.h5", flipped))]:
    stopped_folder(name, change, [("fork", 0, ["the curves up to the fork are lost", "forked from"])],
                   sets=["train.max_steps=10"])
stopped_folder("no run.json beside the checkpoint", remove("run.json"),
               [(AGAIN, 2, ["an unfinished run", "--resume"]), ("resume", 0, ["continuing after step", "test MSE"])])
stopped_folder("a newer run.json beside the checkpoint", replace("run.json", b'{"format_version": 99}'),
               [("resume", 2, ["run.json", "format version 99", "newer CASP Studio"])])
for name, change in [("a newer run.h5 beside the checkpoint", lambda run, bench: None),
                     ("a newer run.h5 and no checkpoint", remove("last"))]:
    stopped_folder(name, lambda run, bench, change=change: change(run, bench) or
                   replace("run.h5", seed_file("run_newer_version.h5"))(run, bench),
                   [("resume", 2, ["run.h5", "format version 99", "newer CASP Studio"])])
stopped_folder("its checkpoint is lost", remove("last"),
               [("resume", 2, ["the run's checkpoint is lost", "found: run.h5 with", "Nothing was removed", "Restore last/"])])
stopped_folder("last/current is lost", remove("last/current"),
               [(AGAIN, 2, ["an unfinished run", "--resume"]),
                ("resume", 0, ["last/current is lost", "newest complete checkpoint", "continuing after step"])])
stopped_folder("last/current is lost, its checkpoint damaged",
               lambda run, bench: (generation(run) / "model.safetensors").write_bytes(b"") or remove("last/current")(run, bench),
               [("resume", 2, ["the run's checkpoint is damaged", "model.safetensors", "Restore last/"])])
stopped_folder("other data", lambda run, bench: bench.other_data(run), [("resume", 2, ["data file's content", "SHA-256"])])
stopped_folder("other settings", state(lambda s: s.update(config=re.sub(r"learning_rate = \S+", "learning_rate = 0.5", s["config"]))),
               [("resume", 2, ["other settings", "train.learning_rate was 0.5, is now"])])


def link(name, what):
    """A link in a foreign run folder that leads to a file of the user."""
    def change(run, bench):
        victim = run.parents[2] / "victim"
        if what == "folder":
            victim.mkdir()
            (victim / "gen-1").mkdir()
            (victim / ".x.tmp").write_text("keep")
        else:
            victim.write_text("keep")
        path = run / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()
        path.symlink_to(victim)
    return change


stopped_folder("its lock is a link", link(".lock", "file"), [("resume", 2, [".lock", "this is a link", "Remove it"])])
stopped_folder("last/ is a link", link("last", "folder"), [("resume", 2, ["last", "this is a link", "Remove it"])])
stopped_folder("log.txt is a link", link("log.txt", "file"), [("resume", 0, ["log.txt", "link"])])
stopped_folder("run.json is a link", link("run.json", "file"), [("resume", 2, ["run.json"])])
def moved_away(part):
    """The run's own folder, or that of its experiment, leads somewhere else."""
    def change(run, bench):
        folder = run if part == "run" else run.parent
        away = run.parents[2] / "elsewhere"
        folder.rename(away)
        folder.symlink_to(away)
    return change


stopped_folder("its folder is a link", moved_away("run"), [("resume", 2, ["single", "this is a link", "--out"])])
stopped_folder("its experiment's folder is a link", moved_away("experiment"), [("resume", 2, ["small", "this is a link", "--out"])])
stopped_folder("log.txt is a pipe", lambda run, bench: (run / "log.txt").unlink() or os.mkfifo(run / "log.txt"),
               [("resume", 0, ["log.txt", "not a regular file"])])
stopped_folder("config.toml is a link", link("config.toml", "file"), [("resume", 0, ["test MSE"])])


# --------------------------------------------------------------------------------------------------------- archives

def archive(name, change, words):
    """An archive of a run to which `change` adds entries."""
    def make(folder, bench):
        path = folder / "bad.tar.gz"
        with tarfile.open(path, "w:gz") as file:
            file.add(bench.good, "single")
            change(file)
        return path
    case("archive", name, make, [("verify", 2, ["bad.tar.gz", *words])])


def entry(name, kind=tarfile.REGTYPE, target=""):
    def change(file):
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, target
        info.size = 4 if kind == tarfile.REGTYPE else 0
        file.addfile(info, io.BytesIO(b"evil"))
    return change


archive("a path above its folder", entry("../evil"), ["../evil", "its path has"])
archive("an absolute path", entry("/tmp/evil"), ["/tmp/evil", "its path is absolute"])
archive("a link", entry("single/figures", tarfile.SYMTYPE, "/etc"), ["single/figures", "it is a link"])
archive("a pipe", entry("single/pipe", tarfile.FIFOTYPE), ["single/pipe", "neither a file nor a folder"])
archive("a file twice", entry("single/run.json"), ["single/run.json", "another file has its path"])


def cut_archive(folder, bench):
    path = folder / "bad.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        file.add(bench.good, "single")
    path.write_bytes(path.read_bytes()[:5000])
    return path


case("archive", "cut off", cut_archive, [("verify", 2, ["bad.tar.gz", "the archive is damaged"])])
case("archive", "a text", text("bad.tar.gz", "no archive\n"), [("verify", 2, ["bad.tar.gz", "damaged or not one"])])
