#!/usr/bin/env python3
"""Runs the line that the program prints for each foreign format (core/data/foreign_format.cpp).

    python3 foreign_files.py BINARY [NAME...]

Makes a small file of each format, lets the program name it (--describe; --evaluate for weights), runs the printed
line, then --convert, and compares the values in the files that they write. Formats whose Python packages (or R, tensorflow) are missing
are listed as not checked. Exit status 1 if a line fails or writes other values.
"""

import os
import pathlib
import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import numpy
import pandas

ROWS = 40
TABLE = pandas.DataFrame({
    "load": numpy.round(numpy.sin(numpy.arange(ROWS)) * 10, 3),
    "temperature": numpy.round(numpy.cos(numpy.arange(ROWS) / 3) * 5, 3),
})
WEIGHTS = {"layer.weight": numpy.arange(12, dtype="float32").reshape(3, 4) / 7, "layer.bias": numpy.ones(3, "float32")}
DATA, WEIGHT_FILES = {}, {}


def data(name):
    return lambda make: DATA.setdefault(name, make)


def weights(name):
    return lambda make: WEIGHT_FILES.setdefault(name, make)


data("parquet.parquet")(lambda p: TABLE.to_parquet(p))
data("feather.feather")(lambda p: TABLE.to_feather(p))
data("orc.orc")(lambda p: TABLE.to_orc(p))
data("workbook.xlsx")(lambda p: TABLE.to_excel(p, index=False))
data("calc.ods")(lambda p: TABLE.to_excel(p, index=False, engine="odf"))
data("pickle.pkl")(lambda p: TABLE.to_pickle(p))
data("old-pickle.pkl")(lambda p: p.write_bytes(pickle.dumps(TABLE.to_numpy(), protocol=2)))
data("stata.dta")(lambda p: TABLE.to_stata(p, write_index=False, version=118))
data("stata-2004.dta")(lambda p: TABLE.to_stata(p, write_index=False, version=114))
data("pandas.h5")(lambda p: TABLE.to_hdf(p, key="df"))
data("json.json")(lambda p: TABLE.to_json(p, orient="records"))
data("columns.json")(lambda p: TABLE.to_json(p))
data("lines.jsonl")(lambda p: TABLE.to_json(p, orient="records", lines=True))
data("xml.xml")(lambda p: TABLE.to_xml(p, index=False))
data("page.html")(lambda p: p.write_text("<!DOCTYPE html>\n<html><body>" + TABLE.to_html(index=False) + "</body></html>"))
data("html-named.xls")(lambda p: p.write_text(TABLE.to_html(index=False)))
data("array.npy")(lambda p: numpy.save(p, TABLE.to_numpy()))
data("arrays.npz")(lambda p: numpy.savez(p, data=TABLE.to_numpy()[:, :, None]))
data("compressed.npz")(lambda p: numpy.savez_compressed(p, data=TABLE.to_numpy()))


@data("arrow.arrows")
def _(path):
    import pyarrow
    table = pyarrow.Table.from_pandas(TABLE)
    with pyarrow.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table)


@data("old.xls")
def _(path):
    import xlwt
    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    for column, name in enumerate(TABLE):
        sheet.write(0, column, name)
        for row, value in enumerate(TABLE[name]):
            sheet.write(row + 1, column, float(value))
    book.save(str(path))


@data("matlab-5.mat")
def _(path):
    import scipy.io
    scipy.io.savemat(path, {"X": TABLE.to_numpy()})


@data("matlab-7-3.mat")
def _(path):
    import h5py
    with h5py.File(path, "w", userblock_size=512) as file:
        file["X"] = TABLE.to_numpy().T  # MATLAB writes the columns first
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) + bytes(8) + b"\x00\x02IM")


@data("plain.h5")
def _(path):
    import h5py
    with h5py.File(path, "w") as file:
        file["group/values"] = TABLE.to_numpy()


@data("classic.nc")
def _(path):
    import xarray
    xarray.Dataset.from_dataframe(TABLE).to_netcdf(path, format="NETCDF3_64BIT", engine="scipy")


@data("netcdf4.nc")
def _(path):
    import xarray
    xarray.Dataset.from_dataframe(TABLE).to_netcdf(path, engine="netcdf4")


@data("grib.grib")
def _(path):
    import eccodes
    handle = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    count = eccodes.codes_get_size(handle, "values")
    eccodes.codes_set_values(handle, [float(i) for i in range(count)])
    with open(path, "wb") as file:
        eccodes.codes_write(handle, file)
    return [numpy.arange(count, dtype=float)]


@data("sqlite.db")
def _(path):
    with sqlite3.connect(path) as connection:
        TABLE.to_sql("measured", connection, index=False)


@data("avro.avro")
def _(path):
    import fastavro
    schema = {"type": "record", "name": "row", "fields": [{"name": name, "type": "double"} for name in TABLE]}
    with open(path, "wb") as file:
        fastavro.writer(file, schema, TABLE.to_dict("records"))


@data("spss.sav")
def _(path):
    import pyreadstat
    pyreadstat.write_sav(TABLE, str(path))


@data("spss.zsav")
def _(path):
    import pyreadstat
    pyreadstat.write_sav(TABLE, str(path), compress=True)


@data("transport.xpt")
def _(path):
    import pyreadstat
    pyreadstat.write_xport(TABLE.rename(columns={"temperature": "temp"}), str(path), file_format_version=5)


def in_r(code, path):
    if shutil.which("Rscript") is None:
        raise ImportError("no Rscript")
    columns = ", ".join(f"{name} = c({', '.join(map(repr, TABLE[name].tolist()))})" for name in TABLE)
    subprocess.run(["Rscript", "-e", f"measured <- data.frame({columns}); " + code.format(path)], check=True)


@data("sas.sas7bdat")
def _(path):
    try:
        in_r('suppressWarnings(haven::write_sas(measured, "{}"))', path)
    except subprocess.CalledProcessError as problem:
        raise ImportError("no haven in R") from problem


data("r.rds")(lambda p: in_r('saveRDS(measured, "{}")', p))
data("r-plain.rds")(lambda p: in_r('saveRDS(measured, "{}", compress = FALSE)', p))
data("r-ascii.rds")(lambda p: in_r('saveRDS(measured, "{}", ascii = TRUE, compress = FALSE)', p))
data("r.RData")(lambda p: in_r('save(measured, file = "{}")', p))
data("r-xz.RData")(lambda p: in_r('save(measured, file = "{}", compress = "xz")', p))
data("r-ascii.RData")(lambda p: in_r('save(measured, file = "{}", ascii = TRUE)', p))


def tensors(change=lambda d: d):
    import torch
    return change({name: torch.tensor(value) for name, value in WEIGHTS.items()})


def torch_file(change=lambda d: d, **options):
    def make(path):
        import torch
        torch.save(tensors(change), path, **options)
    return make


weights("checkpoint.pth")(torch_file())
weights("old.pt")(torch_file(_use_new_zipfile_serialization=False))
weights("lightning.ckpt")(torch_file(lambda d: {"epoch": 3, "state_dict": d}))
weights("training.bin")(torch_file(lambda d: {"model_state_dict": d, "optimizer": {}}))
weights("named.pt")(torch_file(lambda d: {"net": d, "optimizer": {"state": {}, "param_groups": []}, "epoch": 3}))
weights("named-as.safetensors")(torch_file())
weights("arrays.npz")(lambda p: numpy.savez(p, **{k: numpy.asfortranarray(v) for k, v in WEIGHTS.items()}))
weights("pickled.pkl")(lambda p: p.write_bytes(pickle.dumps(WEIGHTS)))


@weights("shared.pth")
def _(path):
    import torch
    matrix = torch.tensor(WEIGHTS["layer.weight"].T.copy())
    torch.save({"layer.weight": matrix.T, "again": matrix.T, "layer.bias": torch.nn.Parameter(torch.ones(3))}, path)


@weights("script.pt")
def _(path):
    import torch
    module = torch.nn.Module()
    module.layer = torch.nn.Linear(4, 3)
    module.load_state_dict(tensors())
    module.forward = lambda x: x
    whole = torch.nn.Sequential()
    whole.add_module("layer", module.layer)
    torch.jit.script(whole).save(str(path))


@weights("keras.h5")
def _(path):
    import h5py
    with h5py.File(path, "w") as file:
        for name, value in WEIGHTS.items():
            file[name.replace(".", "/")] = value


@weights("model.keras")
def _(path):
    import io
    import zipfile
    import h5py
    content = io.BytesIO()
    with h5py.File(content, "w") as file:
        for name, value in WEIGHTS.items():
            file[name.replace(".", "/")] = value
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", "{}")
        archive.writestr("config.json", "{}")
        archive.writestr("model.weights.h5", content.getvalue())


@weights("model.onnx")
def _(path):
    import onnx
    from onnx import numpy_helper
    graph = onnx.helper.make_graph([], "g", [], [], [numpy_helper.from_array(v, k) for k, v in WEIGHTS.items()])
    onnx.save(onnx.helper.make_model(graph, producer_name="pytorch"), str(path))


@weights("model.gguf")
def _(path):
    import gguf
    writer = gguf.GGUFWriter(str(path), "gpt2")
    for name, value in WEIGHTS.items():
        writer.add_tensor(name, value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@weights("model.ckpt.index")
def _(path):
    import tensorflow
    names = {k.replace(".", "/"): v for k, v in WEIGHTS.items()}
    tensorflow.raw_ops.SaveV2(prefix=str(path)[:-6], tensor_names=list(names), shape_and_slices=[""] * len(names),
                              tensors=list(names.values()))


def message(binary, path, is_weights):
    command = [binary, "--evaluate", path, "--data", path] if is_weights else [binary, "--describe", path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 2:
        raise AssertionError(f"exit {done.returncode}: {done.stdout}{done.stderr}")
    return done.stderr.strip()


def compare(path, expected, how):
    if path.suffix == ".safetensors":
        from safetensors.numpy import load_file
        got = load_file(path)
        for key, value in WEIGHTS.items():
            numpy.testing.assert_array_equal(got[key], value)
        return
    table = pandas.read_csv(path)
    got = [table[column].to_numpy() for column in table]
    for value in expected:
        if not any(len(g) == len(value) and g.dtype.kind in "if" and numpy.allclose(g, value, rtol=1e-6) for g in got):
            raise AssertionError(f"{how}\nwrites other values: {got}")


def convert(binary, path, expected, is_weights):
    """--convert of the same file; what fails there must say that it is not done for this format."""
    out = path.parent / ("out.safetensors" if is_weights else "out.csv")
    command = [binary, "--convert", path, "--out", out, "--set", "python.interpreter=" + sys.executable]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        compare(out, expected, "--convert")
        return "and converted"
    if "conversion failed" in done.stderr or "has no package" in done.stderr or out.exists():
        raise AssertionError(done.stderr)
    return "not converted: " + done.stderr.strip()[:200]


def check(binary, name, make, is_weights):
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / name
        made = make(path)
        expected = made if isinstance(made, list) else [TABLE[column].to_numpy() for column in TABLE]
        before = set(os.listdir(place))
        said = message(binary, path, is_weights)
        found = re.search(r"(in R|Python[^:;]*|file|to_dataframe\(\)\) if it has a grid|one tensor): (.*)$", said)
        if found is None:
            raise AssertionError("no line in: " + said)
        line = found[2]
        in_r_language = "in R" in said
        command = ["Rscript", "-e", line] if in_r_language else [sys.executable, "-c", line]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(line + "\n" + done.stderr[-1500:])
        new = sorted(set(os.listdir(place)) - before)
        written = pathlib.Path(place) / next(file for file in new if file.endswith(".safetensors" if is_weights else ".csv"))
        compare(written, expected, line)
        if not is_weights:
            described = subprocess.run([binary, "--describe", written], cwd=place, capture_output=True, text=True)
            if described.returncode != 0:
                raise AssertionError("the CSV is not read: " + described.stderr)
        how = convert(binary, path, expected, is_weights)
        print(f"ok           {name}: {said.replace(place + '/', '')}\n             {how.replace(place + '/', '')}", flush=True)


def main():
    binary, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    failed = 0
    for is_weights, cases in ((False, DATA), (True, WEIGHT_FILES)):
        for name, make in cases.items():
            if wanted and name not in wanted:
                continue
            try:
                check(binary, name, make, is_weights)
            except ImportError as problem:
                print(f"not checked  {name}: {problem}")
            except Exception as problem:  # noqa: BLE001
                failed += 1
                print(f"FAILED       {name}: {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
