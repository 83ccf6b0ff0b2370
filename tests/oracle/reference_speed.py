# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the public reference's way of doing things, in eager fp32, for the benchmarks' ratios.

    python reference_speed.py --what step --windows 8 --repeats 3

One JSON line on standard output: what, parameters, the median and all seconds, peak resident memory in bytes.

decomposition  pandas, row by row, on --rows rows of 512 values (448 = a batch of 64 windows of 7 channels)
step           a training step of --windows windows: forward with dropout 0.1, losses, backward, AdamW
eval-equal     evaluation of --windows windows in batches of --batch (0: one batch), anchors computed in each
eval-one       evaluation of --windows windows one by one, anchors computed for each, as the public test loop does
csv-pandas     pandas' C engine on --csv, or on a generated file of 321 columns and about 67 MB
csv-pyarrow    pyarrow's reader on the same
peak-memory    as step, three times (the optimiser's moments are there from the second on): what matters is
               peak_rss_bytes
model-step, model-evaluation
               a training step of --windows windows, or the evaluation of twice as many in batches of --windows, of
               any model: --settings FILE.toml from `casp_bench --settings NAME`; at least half a second.
               public_models.py, eager: batched, with dropout; base_rss_bytes is the memory before the model was made
models         both of these, once for each of --precisions (fp32; tf32: with PyTorch's switch; bf16: autocast) and --ways
               (eager; compiled: torch.compile, with fused attention): a line for each as soon as it is there

The model of the others has ETTh1-96's shape (512 values, 7 channels, GPT-2 of 6 layers and width 768 with random weights, V = 50257,
V' = 1000, K = 8); hidden states and attentions of all layers are asked for, as the public code does.
"""

import argparse
import json
import os
import resource
import statistics
import sys
import tempfile
import time


def measure(work, repeats, warm_up=True):
    if warm_up:
        work()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return seconds


def make_decomposition(arguments):
    import numpy as np

    from casp_oracle import decompose_rows

    rows = np.random.default_rng(1).normal(size=(arguments.rows, 512))
    return lambda: decompose_rows(rows, 96, 96)


def make_model(dropout):
    import torch

    from casp_oracle import CaspOracle, Config

    torch.manual_seed(1)
    config = Config(dropout=dropout)
    model = CaspOracle(config, collect_all=True)
    total = sum(p.numel() for p in model.parameters())
    trainable = sum(p.numel() for _, p in model.trainable())
    assert (total, trainable) == (133_977_776, 52_871_600), (total, trainable)
    return model, config


def make_step(arguments):
    import torch

    from casp_oracle import optimizer_of

    model, config = make_model(dropout=0.1)
    model.train()
    optimizer = optimizer_of(model)
    lookback = torch.randn(arguments.windows, config.lookback, config.channels)
    target = torch.randn(arguments.windows, config.horizon, config.channels)

    def step():
        optimizer.zero_grad()
        total = model.losses(lookback, target)[3]
        total.item()  # the public loop appends the loss of every step to a list
        total.backward()
        optimizer.step()

    return step


def make_evaluation(arguments, batch):
    import torch

    model, config = make_model(dropout=0.1)
    model.eval()
    lookback = torch.randn(arguments.windows, config.lookback, config.channels)
    parts = lookback.split(batch)

    def evaluate(these=parts):
        with torch.no_grad():
            for part in these:
                model(part).numpy()

    evaluate(parts[:1])  # the warm-up
    return evaluate


def to_device(module, device):
    """With the tensors that are no buffers, and those made from now on."""
    import torch

    module.to(device)
    for part in module.modules():
        for name, value in list(vars(part).items()):
            if isinstance(value, torch.Tensor):
                setattr(part, name, value.to(device))
    torch.set_default_device(device)


def make_model_work(arguments, settings, what, windows, precision="fp32", compiled=False):
    """The work of model-step or model-evaluation, and the number of trainable parameters."""
    import torch

    from public_models import fuse, make

    torch.set_default_device("cpu")
    torch.manual_seed(1)
    channels, (lookback, horizon) = 7, (settings["data"][key] for key in ("lookback", "horizon"))
    # fp32 means fp32, as in the program.
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    rival = make(settings, channels, eager=True)
    if compiled:
        fuse(rival)
    to_device(rival.module, arguments.device)
    parameters = sum(p.numel() for p in rival.trainable())
    def random_windows(count):
        return tuple(values.to(arguments.device) for values in (
            torch.randn(count, lookback, channels), torch.rand(count, lookback + horizon, 4) - 0.5,
            torch.randn(count, horizon, channels)))

    if compiled:  # what is kept from call to call is made outside of the compiler
        with torch.no_grad():
            rival.forecast(*random_windows(1)[:2])
    prepared = (lambda function: torch.compile(function, dynamic=False)) if compiled else lambda function: function
    autocast = torch.autocast(arguments.device.split(":")[0], torch.bfloat16, enabled=precision == "bf16")

    if what == "model-step":
        rival.module.train()
        optimizer = torch.optim.AdamW(rival.trainable(), lr=1e-4, weight_decay=1e-5, fused=True if compiled else None)
        batch = random_windows(windows)
        loss = prepared(rival.loss)

        def step():
            optimizer.zero_grad()
            with autocast:
                total = loss(*batch)
            total.item()  # the public loops append the loss of every step to a list
            total.backward()
            optimizer.step()

        return step, parameters

    batches = [random_windows(windows) for _ in range(2)]
    forecast = prepared(rival.forecast)

    def evaluate():
        with torch.no_grad(), autocast:
            for past, time, target in batches:
                error = (forecast(past, time) - target).double()
                error.square().sum().item(), error.abs().sum().item()

    return evaluate, parameters


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def read_settings(path):
    import tomllib

    with open(path, "rb") as file:
        return tomllib.load(file)


def measure_model(arguments, result):
    """Fills `result` and returns the seconds of all repetitions."""
    import public_models  # noqa: F401: its libraries count as base

    settings = read_settings(arguments.settings[0])
    result["base_rss_bytes"] = resident_bytes()
    work, result["parameters"] = make_model_work(arguments, settings, arguments.what, arguments.windows)
    result["model"] = settings["model"]["name"]
    return measure_half_a_second(work, arguments, result)


def measure_half_a_second(work, arguments, result):
    seconds = measure(work, arguments.repeats)
    while sum(seconds) < 0.5:
        seconds += measure(work, 1, warm_up=False)
    result["repeats"] = len(seconds)
    return seconds


def measure_models(arguments):
    """Prints its lines itself; what fails is a line with "error"."""
    import torch

    on_gpu = arguments.device != "cpu"
    for one in arguments.settings:
        path, _, windows = one.rpartition(":")
        settings = read_settings(path)
        for way in arguments.ways.split(","):
            for precision in arguments.precisions.split(","):
                for what in ("step", "evaluation"):
                    result = {"name": os.path.basename(path).removesuffix(".toml"), "what": what, "way": way, "precision": precision,
                              "windows": int(windows), "device": arguments.device, "torch": torch.__version__}
                    begin = time.perf_counter()
                    try:
                        torch._dynamo.reset()
                        if on_gpu:
                            torch.cuda.empty_cache()
                            torch.cuda.reset_peak_memory_stats()
                        work, result["parameters"] = make_model_work(
                            arguments, settings, "model-" + what, int(windows), precision, way == "compiled")
                        result["seconds"] = statistics.median(measure_half_a_second(work, arguments, result))
                        if on_gpu:
                            result["peak_tensor_bytes"] = torch.cuda.max_memory_allocated()
                        del work
                    except Exception as problem:  # whatever the compiler raises
                        result["error"] = (str(problem).strip().splitlines() or [repr(problem)])[0][:300]
                    result["took"] = time.perf_counter() - begin
                    print(json.dumps(result), flush=True)


def make_csv(folder):
    """About 67 MB: a date and 321 numeric columns."""
    import numpy as np
    import pandas as pd

    rows = 26304
    values = np.random.default_rng(1).uniform(0, 99999, size=(rows, 321)).round(1)
    table = pd.DataFrame(values, columns=[str(i) for i in range(321)])
    table.insert(0, "date", pd.date_range("2016-07-01 02:00:00", periods=rows, freq="h").strftime("%Y-%m-%d %H:%M:%S"))
    path = os.path.join(folder, "wide.csv")
    table.to_csv(path, index=False)
    return path


def make_reader(arguments, path):
    if arguments.what == "csv-pandas":
        import pandas as pd

        return lambda: pd.read_csv(path)
    from pyarrow import csv

    options = csv.ReadOptions(use_threads=arguments.threads != 1)
    return lambda: csv.read_csv(path, read_options=options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--what", required=True, choices=[
        "decomposition", "step", "eval-equal", "eval-one", "csv-pandas", "csv-pyarrow", "peak-memory",
        "model-step", "model-evaluation", "models"])
    parser.add_argument("--rows", type=int, default=448)
    parser.add_argument("--windows", type=int, default=8)
    parser.add_argument("--batch", type=int, default=0, help="windows per batch of eval-equal; 0: all")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="0: all")
    parser.add_argument("--csv", help="file for the csv readers")
    parser.add_argument("--settings", nargs="+", help="TOML of what begins with \"model\"; of models FILE:WINDOWS …")
    parser.add_argument("--device", default="cpu", help="of what begins with \"model\": cpu or cuda")
    parser.add_argument("--ways", default="eager,compiled", help="of models")
    parser.add_argument("--precisions", default="fp32,tf32,bf16", help="of models")
    arguments = parser.parse_args()
    if arguments.what.startswith("model") != bool(arguments.settings):
        parser.error("--settings belongs to what begins with \"model\", which needs it")
    if arguments.batch < 0:
        parser.error("--batch must be at least 0")
    if min(arguments.rows, arguments.windows, arguments.repeats) < 1:
        parser.error("--rows, --windows and --repeats must be at least 1")

    if arguments.what == "models":
        return measure_models(arguments)
    result = {"what": arguments.what, "repeats": arguments.repeats}
    with tempfile.TemporaryDirectory() as folder:
        if arguments.what.startswith("csv"):
            path = arguments.csv or make_csv(folder)
            result["file_bytes"] = os.path.getsize(path)
            seconds = measure(make_reader(arguments, path), arguments.repeats)
        elif arguments.what == "decomposition":
            result["rows"] = arguments.rows
            seconds = measure(make_decomposition(arguments), arguments.repeats)
        else:
            if arguments.threads > 0:
                import torch

                torch.set_num_threads(arguments.threads)
            result["windows"] = arguments.windows
            if arguments.what.startswith("model"):
                seconds = measure_model(arguments, result)
            elif arguments.what in ("step", "peak-memory"):
                if arguments.what == "peak-memory":
                    result["repeats"] = 2
                seconds = measure(make_step(arguments), result["repeats"])
            else:
                batch = 1 if arguments.what == "eval-one" else arguments.batch or arguments.windows
                result["batch"] = batch
                seconds = measure(make_evaluation(arguments, batch), arguments.repeats, warm_up=False)
    if "torch" in sys.modules:
        import torch

        result["threads"] = torch.get_num_threads()
    result["seconds"] = statistics.median(seconds)
    result["all_seconds"] = [round(s, 6) for s in seconds[:20]]
    result["peak_rss_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps(result))


if __name__ == "__main__":
    main()
