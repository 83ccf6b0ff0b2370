"""Runs a line of core/data/foreign_format.cpp, which reads a file, and writes the one table or the weights that it gives.

    python3 -c CODE LINE SOURCE TARGET

The line names the files as `source` and `target`. Answers what read the file ("pandas 2.1.4"), or what failed in two
lines: "package" and its name, "several" and the names of the tables, "rows" and what there is one for each of, "empty",
"failed" and the reason. Needs Python 3.9.
"""
import ctypes
import json
import os
import re
import signal
import struct
import sys
import types

TENSOR_TYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32",
                "int16": "I16", "int8": "I8", "uint8": "U8", "bool": "BOOL"}

SET_DEATH_SIGNAL = 1  # of prctl()

# The program ends this process, also by its own end.
signal.signal(signal.SIGINT, signal.SIG_IGN)
ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
sys.path[:] = [path for path in sys.path if path]  # no modules of the working folder
answers = os.dup(1)
os.dup2(2, 1)  # what packages print
line, source, target = sys.argv[1:]
tables, weights = [], []


def end(*answer):
    os.write(answers, "\n".join(answer).encode("utf-8", "replace"))
    sys.exit(len(answer) - 1)


def write_table(to_csv, table, options):
    index = table.index
    alike = [level for level in range(index.nlevels) if index.get_level_values(level).nunique() == 1]
    table = table.droplevel(alike[:index.nlevels - 1])
    index = table.index
    if index.nlevels > 1:
        end("rows", ", ".join(map(str, index.names)))
    # Numbers of rows, also of those that were kept of more, or of several tables; never years, dates or seconds.
    if index.dtype.kind in "iu" and len(index):
        counted = (index == range(len(index))).all()
        steps = index[1:] - index[:-1]
        if counted or index.name is None and index.min() < 1000 and (steps.nunique() != 1 or steps[0] == 0):
            options = {**options, "index": False}
    to_csv(table, target, **options)


def write_weights(tensors):
    header, parts, at = {}, [], 0
    for name, tensor in tensors.items():
        kind = getattr(tensor.dtype, "name", str(tensor.dtype).replace("torch.", ""))
        if kind not in TENSOR_TYPES:
            end("failed", f"{name} has values of type {kind}")
        if hasattr(tensor, "numpy"):  # NumPy has no bfloat16
            tensor = (tensor.view(sys.modules["torch"].int16) if kind == "bfloat16" else tensor).numpy()
        parts.append(tensor.astype(tensor.dtype.newbyteorder("<"), order="C").tobytes())
        header[name] = {"dtype": TENSOR_TYPES[kind], "shape": list(tensor.shape), "data_offsets": [at, at + len(parts[-1])]}
        at += len(parts[-1])
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(target, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(parts)


def no_program(*_, **__):
    raise ValueError("this is a TorchScript file, which holds code")


def convert():
    if "pandas" in line or "xarray" in line:
        import pandas
        to_csv = pandas.DataFrame.to_csv
        # Some lines write several tables: none is written before their number is known.
        pandas.DataFrame.to_csv = lambda table, path, **options: tables.append((str(path), table, options))
        try:
            import pyarrow
            if int(pyarrow.__version__.split(".")[0]) < 15:  # columns of this type are pickles
                pyarrow.unregister_extension_type("arrow.py_extension_type")
        except (ImportError, KeyError):  # not installed; without the type since 14.0.1
            pass
    files = types.ModuleType("safetensors")  # does not have to be installed
    files.torch = files.numpy = types.SimpleNamespace(save_file=lambda tensors, path: weights.append(tensors))
    sys.modules.update({"safetensors": files, "safetensors.torch": files.torch, "safetensors.numpy": files.numpy})
    if "torch.load" in line:
        import torch
        torch.jit.load = no_program  # to which torch.load() may hand a file
    exec(line, {"source": source, "target": target})
    found = [table for table in tables if table[1].size > 1]
    if len(found) > 1:
        end("several", ", ".join(os.path.basename(path).removesuffix(".csv") for path, _, _ in found))
    if found:
        write_table(to_csv, *found[0][1:])
    elif weights and weights[0]:
        write_weights(weights[0])
    else:
        end("empty", "")


try:
    convert()
except ImportError as problem:
    missing = re.search(r"Missing optional dependency '([\w.]+)'", str(problem))
    name = missing[1] if missing else problem.name if isinstance(problem, ModuleNotFoundError) else None
    if name:
        end("package", name.split(".")[0])
    end("failed", f"ImportError: {problem}".split("\n")[0])
except Exception as problem:  # of any package
    end("failed", f"{type(problem).__name__}: {problem}".split("\n")[0])
names = [part.split()[0].split(".")[0] for part in line.split(";")[0].replace("import ", "", 1).split(",")]
end(", ".join(f"{name} {sys.modules[name].__version__}" for name in names if hasattr(sys.modules[name], "__version__")) or "Python")
