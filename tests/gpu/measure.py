#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a GPU is needed for, in pieces, each useful alone; tests/gpu/run.sh starts it.

    tests/gpu/measure.py --programs DIR --out DIR [--data DIR] [--minutes 9] [--device cuda] [--small] [PIECE…]

    checks     gpu_checks: golden files, losses beside the CPU's, resuming, memory
    kernels    the program's own kernels and graphs, which are off: gpu_checks with them, a step and an evaluation off and on in turn,
               profile, small runs one after another and together
    profile    kernels of a CASP-LLM step, fp32 and bf16 (LibTorch's profiler)
    models     a step and an evaluation of every model in fp32, TF32 and bf16: ours, then eager PyTorch
    installed  the quick start by an installed program with the libraries of --fetch cuda
    python     a model of a user's file with dropout, in fp32 and bf16: the same errors when it is trained again
    together   sixteen small runs, 1, 2, 4, 8 and "auto" at a time in one process
    seeds      paper:seeds at ETTh1-96: full size, untrained backbone, bf16, 16 runs (needs --data with ETTh1.csv)
    compiled   the models again by compiled PyTorch (torch.compile, fused attention), a minute for each
    sanitizer  golden cases under compute-sanitizer, where it is installed

Each measurement is a line of OUT/results.jsonl as soon as it is there, with the card's name and the date, and is not made
again. When --minutes are over, the running one is stopped and the rest is left: the same call goes on. OUT/tables.md is
made anew from all lines, in the form of docs/performance.md. Exit status: 0 if nothing failed, also if minutes were short.
"""

import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
# Windows of 7 channels in a step; an evaluation has twice as many.
WINDOWS = {"casp-llm": 64, "ofa": 64, "dlinear": 64, "patchtst": 64, "itransformer": 64, "tempo-pool": 16, "s2ip-llm": 64,
           "calf": 64, "autoformer": 64, "fedformer": 64, "time-llm": 4, "tempo": 16}
PRECISIONS = "fp32,tf32,bf16"


class Ended(Exception):
    """A program that did not end well; `output` is what it had printed."""

    def __init__(self, message="", output=""):
        super().__init__(message)
        self.output = output


class OutOfTime(Ended):
    pass


class Failed(Ended):
    pass


class Session:
    """Where programs and results are, and how much time is left."""

    def __init__(self, options):
        self.programs, self.out, self.data = options.programs.resolve(), options.out.resolve(), options.data
        self.device, self.small = options.device, options.small
        self.on_gpu = options.device != "cpu"
        self.end = time.monotonic() + 60 * options.minutes
        self.out.mkdir(parents=True, exist_ok=True)
        self.file = self.out / "results.jsonl"
        self.failures = 0
        self.card = self.name_of_card()
        before = self.file.read_text().splitlines() if self.file.exists() else []
        # What another card gave is not this one's.
        self.lines = [line for line in map(json.loads, before) if line["card"] == self.card]

    def name_of_card(self):
        if not self.on_gpu:
            return f"CPU, {os.cpu_count()} cores"
        try:
            found = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
        except OSError:
            return None
        number = int(self.device.partition(":")[2] or 0)
        return found.stdout.strip().splitlines()[number] if found.returncode == 0 else None

    def program(self, name):
        return str(self.programs / name)

    def left(self):
        return self.end - time.monotonic()

    def run(self, command, needs=5, **more):
        """Standard output of a program, which is stopped (SIGTERM, then SIGKILL) at the end of the time."""
        if self.left() < needs:
            raise OutOfTime
        process = subprocess.Popen([str(word) for word in command], text=True, start_new_session=True,
                                   **({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more))
        try:
            output, errors = process.communicate(timeout=self.left())
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                output, _ = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
            raise OutOfTime(output=output)
        if process.returncode != 0:
            message = f"{' '.join(str(word) for word in command)[:200]}: exit status {process.returncode}"
            raise Failed(f"{message}\n{output[-1500:]}{(errors or '')[-1500:]}", output)
        return output

    def record(self, key, **values):
        line = {"key": key, "card": self.card, "date": datetime.date.today().isoformat()} | values
        self.lines.append(line)
        with self.file.open("a") as file:
            print(json.dumps(line), file=file)
        print(f"measured {key}", flush=True)

    def line(self, key):
        """The last with this key, or None."""
        return next((line for line in reversed(self.lines) if line["key"] == key), None)

    def below(self, group):
        """The last lines of all keys GROUP/…, in their order."""
        return {line["key"]: line for line in self.lines if line["key"].startswith(group + "/")}

    def once(self, key, measure):
        """Records what measure() returns, unless it is there. A failure is printed, and the rest goes on."""
        if self.line(key):
            return
        begin = time.monotonic()
        try:
            values = measure()
        except Failed as problem:
            self.fail(key, problem)
        else:
            self.record(key, **values, took=round(time.monotonic() - begin, 1))

    def fail(self, key, problem):
        self.failures += 1
        print(f"FAILED {key}: {problem}", flush=True)


def skipped(key, why):
    print(f"skipped {key}: {why}", flush=True)


def checks(s):
    def measure():
        try:
            few = ["--quick", "--only", "device", "dropout", "windows"] if s.small else []
            output = s.run([s.program("gpu_checks"), "--device", s.device, "--source", TESTS.parent, *few])
        except Failed as problem:
            (s.out / "checks.txt").write_text(str(problem))
            raise
        (s.out / "checks.txt").write_text(output)
        return {"summary": output.strip().splitlines()[-1]}

    s.once("checks", measure)


def sanitizer(s):
    tool = shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path="/usr/local/cuda/bin")
    if not tool or not s.on_gpu:
        return skipped("sanitizer", "compute-sanitizer is not installed, or there is no GPU")

    def measure():
        output = s.run([tool, "--error-exitcode", "9", s.program("gpu_checks"), "--device", s.device, "--source", TESTS.parent,
                        "--quick", "--only", "golden", "dropout"], needs=60)
        return {"summary": [line for line in output.splitlines() if "ERROR SUMMARY" in line][-1].strip("= ")}

    s.once("sanitizer", measure)


def profile(s):
    for precision in ("fp32", "bf16") if s.on_gpu else ("fp32",):
        settings = f"casp-llm run.device={s.device} run.precision={precision}"
        windows = 1 if s.small else 64 if s.on_gpu else 8
        s.once(f"profile/{precision}", lambda: {"table": s.run([s.program("casp_bench"), "--breakdown", windows, settings])})


def kernels(s):
    """Whether they may become the default, and what that gains."""
    if not s.on_gpu:
        return skipped("kernels", "they are for GPUs")
    on = os.environ | {"CASP_GPU_KERNELS": "1"}

    def checks_with_them():
        output = s.run([s.program("gpu_checks"), "--device", s.device, "--source", TESTS.parent], needs=60, env=on)
        (s.out / "checks-kernels.txt").write_text(output)
        return {"summary": output.strip().splitlines()[-1]}

    def times():
        command = [s.program("casp_bench"), "--model", f"casp-llm run.device={s.device}", "step,evaluation", WINDOWS["casp-llm"],
                   repeats_of(s), "fp32,bf16"]
        results = []
        for turn in range(3):
            for way, environment in (("off", os.environ), ("on", on)):
                results += [json.loads(line) | {"way": way, "turn": turn}
                            for line in s.run(command, needs=30, env=environment).splitlines()]
        return {"results": results}

    s.once("kernels/times", times)
    s.once("kernels/profile", lambda: {"table": s.run([s.program("casp_bench"), "--breakdown", 64,
                                                       f"casp-llm run.device={s.device} run.precision=bf16"], env=on)})
    s.once("kernels/checks", checks_with_them)
    together(s, "kernels/together", (1, 8, "auto"), on)


def has_python(*modules):
    return subprocess.run([sys.executable, "-c", "import " + ", ".join(modules)], capture_output=True).returncode == 0


def names_of_models(s):
    return ["dlinear", "itransformer"] if s.small else list(WINDOWS)


def windows_of(s, name):
    return WINDOWS[name] if s.on_gpu else 2


def repeats_of(s):
    return 1 if s.small else 5


def precisions_of(s):
    return PRECISIONS if s.on_gpu else "fp32"


def models(s):
    names = names_of_models(s)
    for name in names:
        def ours(name=name):
            output = s.run([s.program("casp_bench"), "--model", f"{name} run.device={s.device}", "step,evaluation",
                            windows_of(s, name), repeats_of(s), precisions_of(s)], needs=20)
            return {"results": [json.loads(line) for line in output.splitlines()]}

        s.once(f"models/ours/{name}", ours)
    rivals(s, "eager", names)


def compiled(s):
    rivals(s, "compiled", names_of_models(s))


def rivals(s, way, names):
    """PyTorch's times of the models that are missing, in one process, whose start takes as long as a model."""
    if not has_python("torch", "transformers", "pandas"):
        return skipped(f"models/{way}", f"{sys.executable} has no torch, transformers or pandas")
    missing = [name for name in names if not s.line(f"models/{way}/{name}")]
    if not missing:
        return
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in missing:
            file = pathlib.Path(folder) / f"{name}.toml"
            file.write_text(s.run([s.program("casp_bench"), "--settings", name]))
            files.append(f"{file}:{windows_of(s, name)}")
        command = [sys.executable, TESTS / "oracle/reference_speed.py", "--what", "models", "--settings", *files,
                   "--repeats", repeats_of(s), "--device", s.device, "--ways", way, "--precisions", precisions_of(s)]
        ended = None
        try:
            output = s.run(command, needs=60)
        except Ended as early:
            ended, output = early, early.output
    results = {}
    for line in output.splitlines():
        if line.startswith("{") and line.endswith("}"):
            result = json.loads(line)
            results.setdefault(result["name"], []).append(result)
    for name, lines in results.items():
        if len(lines) == 2 * len(precisions_of(s).split(",")):
            s.record(f"models/{way}/{name}", results=lines)
    if ended:
        raise ended


def together(s, group="together", numbers=(1, 2, 4, 8, "auto"), environment=None):
    sys.path.insert(0, str(TESTS / "bench"))
    from together import SHAPES, write_csv

    runs, steps = (4, 50) if s.small else (16, 450)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_csv(folder / "series.csv")
        (folder / "experiment.toml").write_text('name = "bench"\n[data]\npath = "series.csv"\n')
        settings = SHAPES["small"] | {"sweep.train.seed": list(range(1, runs + 1)), "train.max_steps": steps, "train.epochs": 10,
                                      "run.device": json.dumps(s.device), "run.threads": 1, "run.frozen_weights": '"omit"'}
        for at_once in (1, 2, "auto") if s.small else numbers:
            def measure(at_once=at_once):
                command = [s.program("caspstudio"), "--batch", folder / "experiment.toml", "--out", folder / str(at_once)]
                for key, value in (settings | {"run.together": at_once}).items():
                    command += ["--set", f"{key}={value}"]
                begin = time.monotonic()
                log = s.run(command, needs=30, env=environment, stderr=subprocess.STDOUT)
                seconds = time.monotonic() - begin
                chosen = re.compile('run.together = "auto"|share the GPU|run may begin|run does not pay|no memory for|memory ran out')
                said = {"said": [line for line in log.splitlines() if chosen.search(line)]} if at_once == "auto" else {}
                return {"seconds": seconds, "runs": runs, "steps": steps} | said

            s.once(f"{group}/{at_once}", measure)


def installed(s):
    """An installed tree and a cache as --fetch cuda leaves it, both made of this Python's LibTorch."""
    stubs = s.programs.parent / "no_cuda"
    if not stubs.is_dir() or not os.environ.get("CASP_LIBTORCH"):
        return skipped("installed", "needs programs of tests/gpu/pack.sh and LibTorch in CASP_LIBTORCH")
    torch = pathlib.Path(os.environ["CASP_LIBTORCH"])
    lists = [TESTS.parent / "packaging" / name for name in ("libtorch.txt", "libtorch-cuda.txt")]
    version = next(line for line in lists[0].read_text().splitlines() if line.startswith("torch==")).split()[0][7:]

    def measure():
        with tempfile.TemporaryDirectory() as name:
            tree, cache = pathlib.Path(name) / "bin", pathlib.Path(name) / "cache/caspstudio" / f"libtorch-{version}"
            tree.mkdir()
            cache.mkdir(parents=True)
            for file in [s.programs / "caspstudio", s.programs / "caspstudio-bin", *stubs.iterdir(), torch / "lib/libtorch_cpu.so",
                         torch / "lib/libc10.so", *torch.glob("lib/libgomp*")]:
                shutil.copy(file, tree)
            for link, target in (("torch", torch), ("nvidia", torch.parent / "nvidia")):
                (cache / link).symlink_to(target)
            for stamp, wheels in zip(("complete", "complete-cuda"), lists):
                (cache / stamp).write_text("".join(line.split("  #")[0] + "\n" for line in wheels.read_text().splitlines()
                                                   if line[:1].islower()))
            environment = dict(os.environ, XDG_CACHE_HOME=str(cache.parent.parent), LD_LIBRARY_PATH=os.pathsep.join(
                [str(tree), str(s.programs.parent / "lib")]))
            s.run([tree / "caspstudio", "--batch", TESTS.parent / "resources/experiments/quickstart.toml", "--out", name + "/out",
                   "--set", f"run.device=\"{s.device}\"", "--set", "train.max_steps=20"], env=environment)
            row = (pathlib.Path(name) / "out/quickstart/results.csv").read_text().splitlines()
            if len(row) != 7:
                raise Failed(f"{len(row) - 1} runs instead of 6")
            return {"runs": 6}

    s.once("installed", measure)


MODEL = """
import torch
class Model(torch.nn.Module):
    def __init__(self, lookback, horizon):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(lookback, 256), torch.nn.GELU(), torch.nn.Dropout(0.2), torch.nn.Linear(256, horizon))
    def forward(self, x):
        return self.layers(x.transpose(1, 2)).transpose(1, 2)
def make(task):
    return Model(task.lookback, task.horizon)
"""


def python(s):
    if not has_python("torch", "numpy"):
        return skipped("python", f"{sys.executable} has no torch or numpy")

    def measure():
        with tempfile.TemporaryDirectory() as name:
            folder, found = pathlib.Path(name), []
            (folder / "model.py").write_text(MODEL)
            (folder / "own.toml").write_text("\n".join((
                f"data.path = {json.dumps(str(TESTS.parent / 'datasets/sample.csv'))}", 'model.name = "python"', 'python.file = "model.py"',
                f"python.interpreter = {json.dumps(sys.executable)}", f"run.device = {json.dumps(s.device)}", "train.epochs = 2",
                f"train.max_steps = {20 if s.small else 400}", "[sweep]", '"run.precision" = ["fp32", "bf16"]')))
            for out in (folder / "first", folder / "again"):
                s.run([s.program("caspstudio"), "--batch", folder / "own.toml", "--out", out], needs=60)
                with (out / "own/results.csv").open() as file:
                    found.append({row["precision"]: row for row in csv.DictReader(file)})
            errors = [{precision: row["test_mse"] for precision, row in rows.items()} for rows in found]
            if errors[0] != errors[1] or len(errors[0]) != 2:
                raise Failed(f"errors of a model in Python, when it is trained again: {errors[0]}, {errors[1]}")
            return {"summary": f"errors {errors[0]}, twice; on {found[0]['fp32']['device']}; "
                               f"memory {found[0]['fp32']['peak_memory']} B; seconds {[rows['fp32']['seconds'] for rows in found]}"}

    s.once("python", measure)


def seeds(s):
    series = s.data / "ETTh1.csv" if s.data else None
    if series is None or not series.exists():
        return skipped("seeds", "needs --data with ETTh1.csv")
    out, key = s.out / "seeds", "seeds"
    if s.line(key):
        return
    settings = {"sweep.preset": '["etth1-96"]', "data.path": json.dumps(str(series.resolve())), "backbone.path": '"untrained"',
                "run.device": json.dumps(s.device), "run.frozen_weights": '"omit"', "run.store_forecasts": "[]"}
    if s.on_gpu:
        settings["run.precision"] = '"bf16"'
    if s.small:
        settings |= {"sweep.train.seed": "[2021]", "train.max_steps": 2, "train.batch_size": 2, "backbone.layers": 1, "backbone.width": 96,
                     "backbone.heads": 6, "model.pool_size": 50, "backbone.vocabulary": 500, "train.epochs": 1, "data.lookback": 192}
    command = [s.program("caspstudio"), "--batch", "paper:seeds", "--resume", "--out", out]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    begin = time.monotonic()
    results = out / "paper-seeds/results.csv"

    def finished():
        return results.read_text().count(",finished,") if results.exists() else 0

    before = finished()
    try:
        s.run(command, needs=60)
    except OutOfTime:
        s.record("seeds-part", runs=finished(), new=finished() - before, seconds=round(time.monotonic() - begin, 1))
        raise
    s.record(key, runs=finished(), new=finished() - before, seconds=round(time.monotonic() - begin, 1))


PIECES = {piece.__name__: piece for piece in (checks, kernels, profile, models, installed, python, together, seeds, compiled, sanitizer)}


def milliseconds(seconds):
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def model_table(s, what):
    yield f"| {what} | windows | precision | ours | eager PyTorch | ratio | compiled PyTorch | ratio | memory: ours | eager | compiled |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for name in WINDOWS:
        times = {}
        for way in ("ours", "eager", "compiled"):
            for result in (s.line(f"models/{way}/{name}") or {"results": []})["results"]:
                times[result["precision"], result["what"], way] = result
        for precision in PRECISIONS.split(","):
            ours, eager, compiled = (times.get((precision, what, way), {}) for way in ("ours", "eager", "compiled"))
            if "seconds" not in ours:
                continue

            def cell(result):
                if "seconds" in result:
                    return f"{milliseconds(result['seconds'])} | **{result['seconds'] / ours['seconds']:.2f}**"
                return "fails | –" if "error" in result else "– | –"

            memory = " | ".join(f"{result['peak_tensor_bytes'] / 1e9:.2f} GB" if result.get("peak_tensor_bytes") else "–"
                                for result in (ours, eager, compiled))
            windows = ours["windows"] * (2 if what == "evaluation" else 1)
            yield (f"| {name} | {windows} | {precision} | {milliseconds(ours['seconds'])} | {cell(eager)} | {cell(compiled)} | {memory} |")


def rate_table(s):
    yield "| precision | CASP-LLM step | of this card's products | peak memory | estimated | evaluation per window |"
    yield "|---|---|---|---|---|---|"
    results = (s.line("models/ours/casp-llm") or {"results": []})["results"]
    for step in (r for r in results if r["what"] == "step"):
        other = next(r for r in results if r["what"] == "evaluation" and r["precision"] == step["precision"])
        rate = f" of {step['product_rate'] / 1e12:.3g}" if step["product_rate"] else ""
        yield (f"| {step['precision']} | {milliseconds(step['seconds'])} | {step['step_flop'] / step['seconds'] / 1e12:.3g}{rate} TFLOP/s | "
               f"{step['peak_tensor_bytes'] / 2**30:.2f} GiB | {step['estimated_bytes'] / 2**30:.2f} GiB | "
               f"{milliseconds(other['seconds'] / 2 / other['windows'])} |")


def kernel_table(s):
    yield "| CASP-LLM | precision | LibTorch's operators | the program's kernels | ratio |\n|---|---|---|---|---|"
    times = {}
    for result in (s.line("kernels/times") or {"results": []})["results"]:
        times.setdefault((result["what"], result["precision"]), {}).setdefault(result["way"], []).append(result["seconds"])
    for (what, precision), ways in times.items():
        off, on = (statistics.median(ways[way]) for way in ("off", "on"))
        yield f"| {what} | {precision} | {milliseconds(off)} | {milliseconds(on)} | **{off / on:.2f}** |"


def together_table(s):
    yield "| at a time | all runs | ratio |\n|---|---|---|"
    alone = s.line("together/1")
    with_kernels = {key: line for key, line in s.below("kernels").items() if "runs" in line}
    for key, line in (s.below("together") | with_kernels).items():
        ratio = f"**{alone['seconds'] / line['seconds']:.2f}**" if alone else "–"
        yield f"| {key.split('/')[-1]}{' with kernels and graphs' if line in with_kernels.values() else ''} | {line['seconds']:.1f} s ({line['runs']} × {line['steps']} steps) | {ratio} |"


KINDS = {"matrix products": "nvjet|gemm|cutlass|aten::(add)?(b?mm)", "layer norm": "layer_norm|GammaBeta", "copies and casts": "copy_",
         "dropout": "dropout|masked_scale", "softmax and its mask": "softmax|masked_fill", "GELU": "[Gg]elu", "AdamW": "[Aa]dam"}


def profile_table(s):
    """Milliseconds (and calls) of each kind of kernel."""
    profiles = {key.split("/")[1]: line["table"] for key, line in s.below("profile").items()}
    sums = {precision: dict.fromkeys([*KINDS, "other"], (0.0, 0)) for precision in profiles}
    for precision, table in profiles.items():
        for name, time_of_step, calls in re.findall(r"\| `(.*)` \| ([\d.]+) \| [\d.]+ % \| (\d+) \|", table):
            kind = next((kind for kind, pattern in KINDS.items() if re.search(pattern, name)), "other")
            before = sums[precision][kind]
            sums[precision][kind] = (before[0] + float(time_of_step), before[1] + int(calls))
    yield "| kernels of a CASP-LLM step (those above 0.2 %) | " + " | ".join(profiles) + " |"
    yield "|---|" + "---|" * len(profiles)
    for kind in [*KINDS, "other"] if profiles else []:
        yield f"| {kind} | " + " | ".join(f"{sums[p][kind][0]:.2f} ms ({sums[p][kind][1]})" for p in profiles) + " |"


def tables(s):
    if not s.lines:
        return
    text = [", ".join(dict.fromkeys(f"{line['card']}, {line['date']}" for line in s.lines)) + ".", ""]
    text += [f"{key}: {s.line(key)['summary']}" for key in ("checks", "kernels/checks", "python", "sanitizer") if s.line(key)]
    for rows in (rate_table(s), kernel_table(s), model_table(s, "step"), model_table(s, "evaluation"), together_table(s), profile_table(s)):
        rows = list(rows)
        if len("\n".join(rows).splitlines()) > 2:
            text += ["", *rows]
    for key, line in (s.below("profile") | {key: line for key, line in s.below("kernels").items() if "table" in line}).items():
        text += ["", f"{key}: {line['table'].strip()}"]
    (s.out / "tables.md").write_text("\n".join(text) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, type=pathlib.Path, help="the folder of gpu_checks, casp_bench, casp_embed, caspstudio")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, help="a folder with ETTh1.csv")
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--device", default="cuda", help="cuda, cuda:N or cpu")
    parser.add_argument("--small", action="store_true", help="tiny sizes, to try the script itself")
    parser.add_argument("pieces", nargs="*", metavar="PIECE", help=", ".join(PIECES))
    options = parser.parse_args()
    if unknown := set(options.pieces) - set(PIECES):
        parser.error("there is no piece " + ", ".join(sorted(unknown)))
    session = Session(options)
    if session.card is None:
        print("skipped: there is no NVIDIA GPU here, or nvidia-smi does not find it")
        return 0
    for name in options.pieces or PIECES:
        try:
            PIECES[name](session)
        except OutOfTime:
            print(f"{name}: out of time; the same call goes on", flush=True)
            if session.left() < 5:
                break
        except Failed as problem:
            session.fail(name, problem)
    tables(session)
    print(f"{len(session.lines)} measurements in {session.file}, {session.failures} failed")
    return 1 if session.failures else 0


if __name__ == "__main__":
    sys.exit(main())
