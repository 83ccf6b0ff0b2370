"""Writes tests/golden/npz/: arrays as NumPy writes them, for the readers of .npy and .npz files.

numbers.json    name of each file: its shape and values, row-major
*.npy           float16, float32 and float64, either byte order, C and Fortran order, format versions 1 to 3
objects.npy     pickled objects, which must not be read
arrays.npz      four arrays of different length, compressed
objects.npz     the same as one array of objects
"""

import pathlib

import numpy as np

from write_json import write_json

OUT = pathlib.Path(__file__).resolve().parents[1] / "golden" / "npz"


def write(name, array, version=None, record=None):
    with open(OUT / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)
    record[name] = {"shape": list(array.shape), "values": array.astype(np.float64).ravel(order="C").tolist()}


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(7)
    cube = random.normal(size=(2, 3, 4))
    record = {}
    write("float64", cube, record=record)
    write("float32", cube.astype(np.float32), record=record)
    write("big_endian", cube.astype(">f8"), record=record)
    write("big_endian32", cube.astype(">f4"), record=record)
    write("fortran", np.asfortranarray(cube), record=record)
    write("version2", cube[0], (2, 0), record)
    write("version3", cube[:, 0], (3, 0), record)
    write("line", cube.ravel(), record=record)
    write("empty", np.zeros((0, 3)), record=record)
    halves = np.array([1 / 3, -2.5, 65504, 6e-8, 1e-5, 0, -0.0001, 2049], dtype=np.float16).reshape(4, 2)
    write("half", halves, record=record)
    write("half_big_endian", halves.astype(">f2"), record=record)
    write_json(OUT / "numbers.json", record)
    with open(OUT / "objects.npy", "wb") as file:
        np.lib.format.write_array(file, np.array([{}, None], dtype=object), allow_pickle=True)

    series = {f"Y{i + 1}": 100.0 * (i + 1) + np.arange(13.0 + 5 * i) for i in range(3)}
    series["H1"] = np.arange(60.0)
    np.savez_compressed(OUT / "arrays.npz", **{k: np.concatenate([v, [np.nan, np.nan]]) for k, v in series.items()})
    ragged = np.empty(len(series), dtype=object)
    ragged[:] = list(series.values())
    np.savez(OUT / "objects.npz", ragged)


if __name__ == "__main__":
    main()
