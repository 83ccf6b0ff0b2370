#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets a run meet a full disk, failing calls, few handles, little memory, closed and vanishing folders.

    faults.py --program build/release/app/caspstudio --data datasets/sample.csv [--every 1] [--jobs 1] [--only TEXT]

With a shim (fault_shim.c, compiled here with cc, or given with --shim) the n-th write, fsync, rename, open, mkdir or
link below the output folder fails, for every n (--every 5: for each fifth): once, and from then on. After each fault:
exit status 1 (2 where nothing was started; 0 where it did not matter), one message that names a file in the folder and
the reason, every file under its final name complete; and --resume ends with the same bits as an undisturbed run.
An evaluation (--evaluate) that is repeated meets the same faults and little memory: what it found the first time must
stay.
The same with file-size limits, few file handles, little memory, small disks (tmpfs, where mounting is permitted), a
folder that may not be written, and one that is removed meanwhile. Python's standard library only (h5py, where it is
there, opens every file). Exit status 1 when anything is otherwise.
"""

import argparse
import concurrent.futures
import errno
import functools
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import run_checks

CALLS = {"write": errno.ENOSPC, "fsync": errno.EIO, "rename": errno.EIO, "open": errno.EMFILE, "mkdir": errno.ENOSPC,
         "link": errno.EPERM}
SECONDS = 120
RAW_WORDS = ("DefaultCPUAllocator", "enforce fail", "Exception raised from", "frame #", "bad_alloc")


class Bench:
    def __init__(self, options, scratch):
        self.program = str(pathlib.Path(options.program).resolve())
        self.scratch = scratch
        self.experiment = scratch / "small.toml"
        run_checks.write_experiment(self.experiment, options.data, max_steps=options.steps, batch_size=64)
        self.shim = options.shim
        if not self.shim:
            self.shim = str(scratch / "fault_shim.so")
            source = pathlib.Path(__file__).with_name("fault_shim.c")
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, source, "-ldl"], check=True)
        self.counts = {}
        report = scratch / "counts"
        done = self.call(scratch / "undisturbed", CASP_FAULT_COUNT=report)
        if done.returncode != 0:
            sys.exit(f"the undisturbed run failed:\n{done.stderr}")
        for line in report.read_text().splitlines():
            name, count = line.split()
            self.counts[name] = int(count)
        self.expected = run_checks.result(self.run_of(scratch / "undisturbed"))
        self.data = str(pathlib.Path(options.data).resolve())
        self.first = scratch / "first"
        self.evaluation_counts = {}
        for faults in ({}, {"CASP_FAULT_COUNT": report}):  # the second time, what is there is replaced
            done = self.evaluate(self.first, **faults)
            if done.returncode != 0:
                sys.exit(f"the undisturbed evaluation failed:\n{done.stderr}")
        for line in report.read_text().splitlines():
            name, count = line.split()
            self.evaluation_counts[name] = int(count)

    @staticmethod
    def run_of(out):
        return out / "small" / "single"

    @staticmethod
    def evaluation_of(out):
        return next((out / "evaluations").iterdir())

    def call(self, out, *, prefix=(), before=None, resume=False, **faults):
        arguments = [*prefix, self.program, "--batch", self.experiment, "--out", out] + (["--resume"] if resume else [])
        return self.start(out, arguments, before, **faults)

    def evaluate(self, out, before=None, **faults):
        return self.start(out, [self.program, "--evaluate", self.run_of(self.scratch / "undisturbed"), "--data", self.data,
                                "--out", out], before, **faults)

    def start(self, out, arguments, before=None, **faults):
        variables = {name: str(value) for name, value in faults.items()}
        if variables:
            # Through the loader of the child only: a limit or a fault is none of the shell's.
            variables |= {"LD_PRELOAD": self.shim, "CASP_FAULT_UNDER": str(out)}
        return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=SECONDS, preexec_fn=before,
                              env=run_checks.environment(**variables))


def check(bench, label, out, done, reasons, mentions):
    """Problems with how a disturbed run ended, and with how it goes on once the fault is gone."""
    problems = []
    run = bench.run_of(out)
    started = (run / "config.toml").exists()
    allowed = {0, 1} if started else {0, 1, 2}
    if done.returncode not in allowed:
        problems.append(f"exit status {done.returncode}")
    if done.returncode:
        messages = [line for line in done.stderr.splitlines() if line.startswith("caspstudio: ")]
        failures = [line for line in done.stderr.splitlines() if "failed: " in line]
        said = "\n".join(messages + failures)
        if not said:
            problems.append("no message")
        elif reasons and not any(reason in said for reason in reasons):
            problems.append(f"no reason ({reasons[0]}) is given")
        elif mentions and mentions not in said:
            problems.append("no file is named")
    try:
        run_checks.check_intact(run)
    except (AssertionError, OSError, ValueError, KeyError) as problem:
        problems.append(f"not intact: {type(problem).__name__}: {problem}")
    again = bench.call(out, resume=True)
    if again.returncode != 0:
        problems.append(f"--resume ends with {again.returncode}: {again.stderr.strip()[-400:]}")
    elif run_checks.result(run) != bench.expected:
        problems.append("--resume ends with other results")
    else:
        left = [p.name for p in run.rglob("*") if p.name.endswith(".tmp")]
        if left:
            problems.append(f"left behind: {left}")
    shutil.rmtree(out, ignore_errors=True)
    return [f"{label}: {problem}\n    {done.stderr.strip()[-600:]}" for problem in problems], done.returncode


def shim_faults(bench, every):
    for call, code in CALLS.items():
        for at in range(1, bench.counts[call] + 1, every):
            for stays in (False, True):
                if stays and call == "link":
                    continue  # a link that cannot be made is copied
                def work(call=call, code=code, at=at, stays=stays):
                    label = f"{call} {at}{' and all after it' if stays else ''}"
                    out = bench.scratch / label.replace(" ", "-")
                    more = {"CASP_FAULT_STAYS": 1} if stays else {}
                    done = bench.call(out, CASP_FAULT_CALL=call, CASP_FAULT_AT=at, CASP_FAULT_ERRNO=code, **more)
                    return check(bench, label, out, done, [os.strerror(code)], str(out))
                yield call, work


def limit_memory(megabytes):
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


@functools.cache
def least_memory(bench):
    """Megabytes. Where not even the full program's --version starts, LibTorch's own initialisation found no memory."""
    least = 200
    while least < 4000 and subprocess.run([bench.program + "-bin", "--version"], capture_output=True,
                                          preexec_fn=lambda: limit_memory(least)).returncode:
        least += 10
    return least


def evaluation_result(folder):
    """What a repeated evaluation must find again."""
    return (run_checks.numbers_digests(folder / "arrays.h5"), (folder / "config.toml").read_text(),
            run_checks.without_times(json.loads((folder / "run.json").read_text())))


def evaluation_faults(bench, every):
    """The former result must survive whatever meets the next evaluation of the same."""
    expected = evaluation_result(bench.evaluation_of(bench.first))

    def check_evaluation(label, out, done, reasons, whole, mentions=True, allowed=(0, 1)):
        problems = []
        folder = bench.evaluation_of(out)
        if done.returncode not in allowed:
            problems.append(f"exit status {done.returncode}")
        if done.returncode and not any(reason in done.stderr for reason in reasons):
            problems.append(f"no reason ({reasons[0]}) is given")
        if done.returncode and mentions and str(out) not in done.stderr:
            problems.append("no file is named")
        if raw := [words for words in RAW_WORDS if words in done.stderr]:
            problems.append(f"LibTorch's or the library's own words: {raw[0]}")
        try:
            run_checks.check_intact(folder)
            if whole and evaluation_result(folder) != expected:
                problems.append("what was found before is lost")
        except (AssertionError, OSError, ValueError, KeyError) as problem:
            problems.append(f"what was found before is lost: {type(problem).__name__}: {problem}")
        again = bench.evaluate(out)
        if again.returncode != 0:
            problems.append(f"the next evaluation ends with {again.returncode}: {again.stderr.strip()[-400:]}")
        elif bench.evaluation_of(out) != folder or len(list(folder.parent.iterdir())) != 1:
            problems.append("the next evaluation has another folder")
        elif evaluation_result(folder) != expected:
            problems.append("the next evaluation has other results")
        elif left := [p.name for p in folder.rglob("*") if p.name.endswith(".tmp")]:
            problems.append(f"left behind: {left}")
        shutil.rmtree(out, ignore_errors=True)
        return [f"{label}: {problem}\n    {done.stderr.strip()[-600:]}" for problem in problems], done.returncode

    for call, code in CALLS.items():
        for at in range(1, bench.evaluation_counts[call] + 1, every):
            for stays in (False, True):
                def work(call=call, code=code, at=at, stays=stays):
                    label = f"evaluate, {call} {at}{' and all after it' if stays else ''}"
                    out = bench.scratch / label.replace(" ", "-").replace(",", "")
                    shutil.copytree(bench.first, out)
                    more = {"CASP_FAULT_STAYS": 1} if stays else {}
                    done = bench.evaluate(out, CASP_FAULT_CALL=call, CASP_FAULT_AT=at, CASP_FAULT_ERRNO=code, **more)
                    # Where no file can be renamed any more, what was renamed before cannot be taken back.
                    return check_evaluation(label, out, done, [os.strerror(code)], not (stays and call == "rename"))
                yield "evaluate", work

    def stopped(wait):
        def work():
            label = f"evaluate, Ctrl+C {wait} ms after its first file"
            out = bench.scratch / f"evaluate-stopped-{wait}"
            shutil.copytree(bench.first, out)
            program = subprocess.Popen(
                [bench.program, "--evaluate", bench.run_of(bench.scratch / "undisturbed"), "--data", bench.data, "--out",
                 out], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env=run_checks.environment())
            while program.poll() is None and not list(bench.evaluation_of(out).glob(".new.*")):
                time.sleep(0.0005)
            time.sleep(wait / 1000)
            program.send_signal(signal.SIGINT)
            said, errors = program.communicate(timeout=SECONDS)
            code = program.returncode
            ended = subprocess.CompletedProcess([], 0 if code == 130 else code, said, errors)
            return check_evaluation(label, out, ended, [], True)[0], code
        return work
    for wait in range(0, 60, 3 * min(every, 10)):
        yield "evaluate", stopped(wait)

    least = least_memory(bench)
    for megabytes in range(least + 10, least + 150, 5 * min(every, 6)):
        def small(megabytes=megabytes):
            label = f"evaluate, {megabytes} MB of address space"
            out = bench.scratch / label.replace(" ", "-").replace(",", "")
            shutil.copytree(bench.first, out)
            done = bench.evaluate(out, before=lambda: limit_memory(megabytes))
            # 2: the data alone do not fit, and nothing was started.
            reasons = ["out of memory: ", "does not fit into memory", os.strerror(errno.ENOMEM)]
            return check_evaluation(label, out, done, reasons, True, mentions=False, allowed=(0, 1, 2))
        yield "evaluate, memory", small


def limited(bench, group, label, limit, value, reasons, mentions=True):
    def work():
        out = bench.scratch / label.replace(" ", "-")
        done = bench.call(out, before=lambda: resource.setrlimit(limit, (value, value)))
        return check(bench, label, out, done, reasons, str(out) if mentions else "")
    return group, work


def limits(bench, every):
    largest = max(p.stat().st_size for p in bench.run_of(bench.scratch / "undisturbed").rglob("*") if p.is_file())
    for size in range(0, largest, max(1, largest // (40 // min(every, 10)))):
        yield limited(bench, "file size", f"file size of {size} bytes", resource.RLIMIT_FSIZE, size,
                      [os.strerror(errno.EFBIG)])
    # The libraries of the program itself are opened before it begins: fewer handles than that is not ours.
    for handles in range(4, 24, max(1, every // 2)):
        yield limited(bench, "handles", f"{handles} file handles", resource.RLIMIT_NOFILE, handles,
                      [os.strerror(errno.EMFILE)], False)
    least = least_memory(bench)
    for megabytes in range(least + 10, least + 150, 5 * min(every, 6)):
        yield limited(bench, "memory", f"{megabytes} MB of address space", resource.RLIMIT_AS, megabytes << 20, [], False)


def small_disks(bench, every):
    """tmpfs of many sizes; nothing where mounting is not permitted."""
    probe = bench.scratch / "mount"
    probe.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", probe], capture_output=True).returncode:
        print("skipped: small disks (no permission to mount a tmpfs)")
        return
    subprocess.run(["umount", probe], check=True)
    undisturbed = bench.run_of(bench.scratch / "undisturbed")
    needed = sum(p.stat().st_size for p in undisturbed.rglob("*") if p.is_file())
    for size in range(16, needed * 3 // 1024, max(16, needed * 3 // 1024 // 60) * min(every, 6)):
        def work(size=size):
            label = f"a disk of {size} kB"
            disk = bench.scratch / f"disk{size}"
            disk.mkdir()
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk], check=True)
            try:
                out = disk / "out"
                done = bench.call(out)
                try:
                    run_checks.check_intact(bench.run_of(out))
                except (AssertionError, OSError, ValueError, KeyError) as problem:
                    return [f"{label}: not intact: {problem}\n{done.stderr}"], done.returncode
                # Room is made.
                subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
                problems, code = check(bench, label, out, done, [os.strerror(errno.ENOSPC)], str(out))
            finally:
                subprocess.run(["umount", disk], check=True)
            return problems, code
        yield "small disk", work


def folders(bench, every):
    # Root may write everywhere, but not without its capabilities.
    weak = ["setpriv", "--bounding-set=-all"] if os.geteuid() == 0 else []

    def closed():
        out = bench.scratch / "closed"
        out.mkdir()
        out.chmod(0o555)
        done = bench.call(out, prefix=weak)
        out.chmod(0o755)
        found = check(bench, "a folder that may not be written", out, done, [os.strerror(errno.EACCES)], str(out))
        return (found[0] + ([] if done.returncode == 2 else [f"exit status {done.returncode}: nothing was started"]), 2)
    yield "folder", closed

    def closed_later():
        out = bench.scratch / "closed-later"
        watcher = f"while [ ! -e '{bench.run_of(out)}/last/current' ]; do sleep 0.005; done; chmod 555 '{bench.run_of(out)}' '{bench.run_of(out)}/last'"
        with subprocess.Popen(["sh", "-c", watcher]) as watch:
            done = bench.call(out, prefix=weak)
            watch.wait(10)
        for path in (bench.run_of(out), bench.run_of(out) / "last"):
            path.chmod(0o755)
        return check(bench, "a folder that is closed meanwhile", out, done, [os.strerror(errno.EACCES)], str(out))
    yield "folder", closed_later

    def vanishing():
        out = bench.scratch / "vanishing"
        watcher = f"while [ ! -e '{bench.run_of(out)}/last/current' ]; do sleep 0.005; done; rm -rf '{out}'"
        with subprocess.Popen(["sh", "-c", watcher]) as watch:
            done = bench.call(out)
            watch.wait(10)
        shutil.rmtree(out, ignore_errors=True)  # what came after: the next start is a new one
        return check(bench, "a folder that is removed meanwhile", out, done, [os.strerror(errno.ENOENT)], str(out))
    yield "folder", vanishing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--shim", default="")
    parser.add_argument("--every", type=int, default=1, help="try every n-th fault only")
    parser.add_argument("--steps", type=int, default=3, help="training steps of the run")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="write, fsync, ..., evaluate, file size, handles, memory (also of evaluate), small disk or folder")
    options = parser.parse_args()
    began = time.monotonic()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options, pathlib.Path(scratch).resolve())
        print("calls of an undisturbed run:", ", ".join(f"{n} {c}" for c, n in bench.counts.items()), flush=True)
        work = [(group, job) for source in (shim_faults, evaluation_faults, limits, small_disks, folders)
                for group, job in source(bench, options.every) if options.only in group]
        ends = {}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for (group, _), (problems, code) in zip(work, pool.map(lambda item: item[1](), work)):
                ends.setdefault(group, {}).setdefault(code, 0)
                ends[group][code] += 1
                failed += bool(problems)
                for problem in problems:
                    print("FAILED", problem, flush=True)
    for group, codes in ends.items():
        print(f"{group}: {sum(codes.values())} faults, ended with " +
              ", ".join(f"{code} ({count} times)" for code, count in sorted(codes.items())))
    print(f"{len(work)} faults, {failed} failed, {time.monotonic() - began:.0f} s")
    return 1 if failed or not work else 0


if __name__ == "__main__":
    sys.exit(main())
