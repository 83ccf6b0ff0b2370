# SPDX-License-Identifier: GPL-3.0-or-later
"""What kill_runs.py and faults.py share: a small run, and what must hold of its files at any moment."""

import hashlib
import json
import os
import pathlib
import struct

EXPERIMENT = """
name = "small"
[data]
path = "{data}"
split = [400, 160, 160]
lookback = 64
horizon = 16
[backbone]
path = "untrained"
layers = {layers}
width = 48
heads = 4
vocabulary = 200
positions = 64
[model]
trend_length = 25
seasonal_length = 24
pool_size = 40
top_k = 4
[train]
epochs = {epochs}
max_steps = {max_steps}
batch_size = {batch_size}
learning_rate = 1e-3
[run]
device = "cpu"
threads = 1
checkpoint_seconds = 0
snapshot_steps = 7
"""
TIMES = {"seconds", "created", "updated", "peak_memory"}
# What of run.h5 is equal in two runs of the same settings: its numbers but the seconds. Attributes hold dates and paths.
HISTORY = ("history", "anchors", "metrics", "data")
SEAL = b"\nCASP-SHA256:"


def write_experiment(path, data, layers=1, epochs=1, max_steps=0, batch_size=16):
    path.write_text(EXPERIMENT.format(data=pathlib.Path(data).resolve(), layers=layers, epochs=epochs,
                                      max_steps=max_steps, batch_size=batch_size))


def environment(**more):
    return {**os.environ, "OMP_WAIT_POLICY": "passive", "LC_ALL": "C.UTF-8", **more}


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def without_times(value):
    return {k: without_times(v) for k, v in value.items() if k not in TIMES} if isinstance(value, dict) else value


def numbers_digests(path, groups=()):
    """Of every data set of numbers but times, by name (the file itself holds dates); none without h5py."""
    try:
        import h5py
    except ImportError:
        return {}
    digests = {}
    with h5py.File(path, "r") as file:
        def add(name, item):
            if isinstance(item, h5py.Dataset) and item.dtype.kind in "iuf" and name.split("/")[-1] not in TIMES:
                digests[name] = str(item.shape) + " " + hashlib.sha256(item[...].tobytes()).hexdigest()
        for group in groups or [""]:
            if group == "" or group in file:
                (file[group] if group else file).visititems(lambda name, item, group=group: add(f"{group}/{name}", item))
    return digests


def result(run):
    """What must be equal bit by bit: all weights, forecasts and embeddings, the numbers of run.h5, and everything of
    run.json, but times. By file and name."""
    found = {path.relative_to(run).as_posix(): sha256(path) for path in sorted(run.rglob("*.safetensors"))}
    found.update({f"arrays.h5:{name}": digest for name, digest in numbers_digests(run / "arrays.h5").items()})
    found.update({f"run.h5:{name}": digest for name, digest in numbers_digests(run / "run.h5", HISTORY).items()})
    found["run.json"] = without_times(json.loads((run / "run.json").read_text()))
    return found


def differences(expected, found):
    """The names of what differs between two results."""
    return [name for name in sorted(expected.keys() | found.keys()) if expected.get(name) != found.get(name)]


def check_safetensors(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    end = max((entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"), default=0)
    assert 8 + size + end == len(data), f"{path} is not complete"


def check_hdf5(path):
    """The seal of run.h5 with the standard library; the file itself with h5py, where that is there."""
    if path.name == "run.h5":
        data = path.read_bytes()
        at = data.rfind(SEAL)
        assert at > 0 and data[at + len(SEAL):] == hashlib.sha256(data[:at]).hexdigest().encode() + b"\n", \
            f"{path} is not complete"
    try:
        import h5py
    except ImportError:
        return False
    with h5py.File(path, "r") as file:
        if path.name == "run.h5":
            steps = list(file["history/step/step"])
            assert steps == list(range(1, len(steps) + 1)), f"{path}: a gap in the history"
            assert len(file["history/step/total"]) == len(steps), f"{path}: a history of two lengths"
        else:
            file["forecast"]["test"]["prediction"][...]
    return True


def check_intact(run):
    """Whatever happened: what stands in a run's folder under its final name is complete. True: h5py looked as well."""
    looked = False
    if not run.exists():
        return looked
    for path in run.iterdir():
        if path.name.startswith("."):
            continue  # the lock, and what a killed writer left behind
        if path.suffix == ".json":
            json.loads(path.read_text())
        elif path.suffix == ".safetensors":
            check_safetensors(path)
        elif path.suffix == ".h5":
            looked = check_hdf5(path)
    pointer = run / "last" / "current"
    if pointer.exists():
        generation = run / "last" / pointer.read_text().strip()
        state = json.loads((generation / "state.json").read_text())
        for name, digest in state["files"].items():
            assert sha256(generation / name) == digest, f"{generation / name} is damaged"
    return looked
