#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries every bad file of a table through the real program and checks what it answers.

    bad_files.py --program build/release/app/caspstudio [--only TEXT] [--show] [--table docs/bad-files.md]

For each file and command: the exit status; one message that names the file (or the setting), the place, what was found,
what was expected and what to do; nothing on standard output where it is refused, no output folder, no file touched; an
answer within seconds (a pipe without a writer must not be waited for). --show prints the answers; --table writes them as the
table of docs/bad-files.md, --check-table says where that table is out of date, word by word. The files are in
bad_file_cases.py. Python's standard library only.
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True  # a test leaves nothing in the source tree
from bad_file_cases import CASES, EXPERIMENT, rows, state  # noqa: E402

SECONDS = 60  # for one command; times CASP_TEST_SECONDS_FACTOR, which slow builds (sanitizers) set

# ------------------------------------------------------------------------------------------------------------ bench

def resettle(path):
    """The settings of small.toml in a run.h5 as well: texts of the same length, and its seal anew."""
    mark = b"\nCASP-SHA256:"
    content, seal, _ = path.read_bytes().rpartition(mark)
    assert seal, "a run.h5 without a seal"
    for old, new in ((b"max_steps = 0", b"max_steps = 2"), (b"epochs = 50", b"epochs = 1 "), (b"patience = 50", b"patience = 3 ")):
        assert content.count(old) == 1, old
        content = content.replace(old, new)
    path.write_bytes(content + mark + hashlib.sha256(content).hexdigest().encode() + b"\n")


class Bench:
    """Good files to start from, and how the program is called."""

    def __init__(self, program, scratch, seconds):
        self.program, self.scratch, self.seconds = str(pathlib.Path(program).resolve()), scratch, seconds
        base = scratch / "base"
        base.mkdir()
        (base / "series.csv").write_text(rows())
        (base / "small.toml").write_text(EXPERIMENT.format(data="series.csv"))
        self.base = base
        self.good = base / "good" / "small" / "single"
        self.stopped = base / "stopped" / "small" / "single"
        done = self.call(["--batch", base / "small.toml", "--out", base / "good"], base)
        if done.returncode != 0:
            sys.exit(f"the good run failed:\n{done.stderr}")
        self.stop_a_run(base)

    def stop_a_run(self, base):
        process = subprocess.Popen(
            self.command(["--batch", base / "small.toml", "--out", base / "stopped", "--log-format", "json", "--set",
                          "train.max_steps=0", "--set", "train.epochs=50", "--set", "train.patience=50", "--set",
                          "run.checkpoint_seconds=0"]), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=base,
            env=self.environment(base))
        for line in process.stderr:
            if b'"event":"checkpoint"' in line or b'"event":"step"' in line:
                process.send_signal(2)
                break
        process.communicate()
        if process.returncode != 130:
            sys.exit("the run to stop was not interrupted")
        run = self.stopped
        # As if it had been started with the settings of small.toml.
        def settings(document):
            for key, new in (("max_steps", 2), ("epochs", 1), ("patience", 3), ("checkpoint_seconds", 120)):
                document = re.sub(rf"\b{key} = \d+", f"{key} = {new}", document)
            return document

        (run / "config.toml").write_text(settings((run / "config.toml").read_text()))
        state(lambda s: s.update(config=settings(s["config"])))(run, self)
        resettle(run / "run.h5")

    @staticmethod
    def other_data(run):
        csv_file = run.parents[2] / "series.csv"
        csv_file.write_text(csv_file.read_text() + "2020-02-20 00:00:00,1,2\n")

    def environment(self, folder):
        return {**os.environ, "HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "home" / "cache"),
                "OMP_WAIT_POLICY": "passive", "LC_ALL": "C.UTF-8"}

    def command(self, arguments):
        return [self.program] + [str(a) for a in arguments]

    def call(self, arguments, folder, prefix=()):
        return subprocess.run(list(prefix) + self.command(arguments), cwd=folder, env=self.environment(folder),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=self.seconds, text=True,
                              errors="replace")

    def arguments(self, command, path, folder):
        experiment = folder / "small.toml"
        series = folder / "series.csv"
        out = ["--out", folder / "out"]
        runs = ["--out", folder / "runs"]
        return {
            "describe": ["--describe", path, "--set", "data.lookback=48", "--set", "data.horizon=24"],
            "batch": ["--batch", experiment, "--set", f"data.path={path}"] + out,
            "evaluate": ["--evaluate", self.good, "--data", path] + out,
            "experiment": ["--batch", path] + out,
            "print-config": ["--print-config", path],
            "checkpoint": ["--evaluate", path, "--data", series] + out,
            "backbone": ["--batch", experiment, "--set", f"backbone.path={path}"] + out,
            "larger-backbone": ["--batch", experiment, "--set", f"backbone.path={path}", "--set", "backbone.width=48"] + out,
            "again": ["--batch", experiment] + runs,
            "resume": ["--batch", experiment, "--resume"] + runs,
            "evaluate-run": ["--evaluate", path, "--data", series] + out,
            "figures": ["--batch", experiment, "--figures", "forecast,strata,pca"] + runs,
            "export": ["--export", path, "--format", "csv"] + out,
            "fork": ["--batch", experiment, "--set", f"train.continue_from={path}"] + out,
            "verify": ["--verify", path],
        }[command]


def snapshot(folder):
    """Everything under a folder but what a refused run may leave: its unlocked lock and its log."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name.startswith("home") or path.name in (".lock", "log.txt") and not path.is_symlink():
            continue
        if path.is_symlink():
            found[name] = "link to " + os.readlink(path)
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if os.access(path, os.R_OK) else "closed"
        else:
            found[name] = "other"
    return found


class Grower:
    """Appends to a file as long as it lives."""

    def __init__(self, path):
        self.path, self.go_on = path, True
        self.thread = threading.Thread(target=self.work)

    def work(self):
        with open(self.path, "ab", buffering=0) as file:
            while self.go_on:
                file.write(b"1,2\n")

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *ignored):
        self.go_on = False
        self.thread.join()


def try_case(bench, one, number):
    """(problems, answers) of one case."""
    problems, answers = [], []
    for command, code, words in one.commands:
        folder = bench.scratch / f"case{number}-{command}"
        folder.mkdir()
        for name in ("series.csv", "small.toml"):
            shutil.copy(bench.base / name, folder)
        path = one.make(folder, bench)
        before = snapshot(folder) if not one.grows else {}
        arguments = bench.arguments(command, path, folder)
        for setting in one.sets:
            arguments += ["--set", setting]
        label = f"{one.group}, {one.name}, {command}"
        try:
            if one.grows:
                with Grower(path):
                    done = bench.call(arguments, folder, one.prefix)
            else:
                done = bench.call(arguments, folder, one.prefix)
        except subprocess.TimeoutExpired:
            problems.append(f"{label}: no answer within {bench.seconds:g} s")
            continue
        said = done.stderr if code == 2 else done.stderr + done.stdout
        flat = re.sub(r"\s+", " ", said)
        problem = []
        if done.returncode != code:
            problem.append(f"exit status {done.returncode} instead of {code}")
        for word in words:
            if word not in flat:
                problem.append(f"\"{word}\" is not said")
        if code == 2:
            messages = [line for line in said.splitlines() if line.startswith("caspstudio: ")]
            if len(messages) != 1:
                problem.append(f"{len(messages)} messages instead of one")
            problem += lacking(said, (folder, bench.base))
            if done.stdout:
                problem.append("something stands on standard output")
            if not one.grows and snapshot(folder) != before:
                after = snapshot(folder)
                changed = [n for n in sorted(set(before) | set(after)) if before.get(n) != after.get(n)]
                problem.append(f"files changed: {changed}")
        elif command in ("again", "resume") and not one.grows and "is already finished" in said:
            after = snapshot(folder)
            changed = [n for n in sorted(set(before) | set(after)) if before.get(n) != after.get(n)]
            if any(pathlib.Path(n).name.split(".")[0] not in ("results", "summary", "run") or n.endswith(".h5")
                   for n in changed):
                problem.append(f"files of a finished run changed: {changed}")
            if not any(n.endswith("run.json") for n in after):
                problem.append("there is no run.json")
        victim = folder / "victim"
        if victim.exists():
            kept = victim.read_text() if victim.is_file() else sorted(p.name for p in victim.iterdir())
            if kept not in ("keep", [".x.tmp", "gen-1"]):
                problem.append(f"a file outside the run folder was written: {kept}")
        if problem:
            problems.append(f"{label}: " + "; ".join(problem) + f"\n    {said.strip()[-1500:]}")
        answers.append((command, code, message_of(done, code, words, (folder, bench.base))))
        shutil.rmtree(folder, ignore_errors=True)
    return problems, answers


KEY = re.compile(r"(data|backbone|model|coverage|loss|train|run)\.[a-z_]+\b")
# The one kind of refusal that does not say "expected": it compares the settings that are there with those asked for
# ("train.seed was 1, is now 2"), and either could be what was meant.
COMPARED = re.compile(r"\bwas .+, is now .+")


def lacking(said, folders):
    """What a refusal does not say, of: which file or setting, what was expected, what to do."""
    lines = said[said.find("caspstudio: "):].removeprefix("caspstudio: ").splitlines()
    statements = [" ".join(line.strip() for line in lines)]
    if lines and re.search(r": \d+ problems$", lines[0]):
        statements = [line.strip() for line in lines[1:] if not re.fullmatch(r" *and \d+ more\.", line)]
    found = []
    for statement in statements:
        where = statement.split(": ")[0]
        if not any(str(folder) in where for folder in folders) and not KEY.match(where):
            found.append(f"neither a file nor a setting is named: \"{statement}\"")
        at = statement.rfind("; expected ")
        compared = COMPARED.search(statement)
        if at < 0 and not compared:
            found.append(f"not said what was expected: \"{statement}\"")
        # One more sentence.
        if not re.search(r"\. [A-Z]", statement[max(at, compared.start() if compared else 0, 0):]):
            found.append(f"not said what to do: \"{statement}\"")
    return found


def settled(answer, folders):
    """An answer without what differs from run to run or from processor to processor: folders, digests, seconds, errors,
    and the step at which the interrupted run stood."""
    for folder in folders:
        answer = answer.replace(str(folder), "DIR")
    answer = re.sub(r"/?DIR/(runs|base)?/?", "", answer).replace("|", "\\|")
    answer = re.sub(r"\b[0-9a-f]{64}\b", "…", answer)
    answer = re.sub(r"\b(MSE|MAE) \d+\.\d+", r"\1 …", answer)
    answer = re.sub(r"\b\d+\.\d s\b", "… s", answer)
    answer = re.sub(r"\b(of its windows is|that of the run) \d+\.\d+", r"\1 …", answer)
    answer = re.sub(r"\bit had \d+ bytes before and \d+ now\b", "it had … bytes before and … now", answer)
    return re.sub(r"\b(step |gen-)\d+", r"\1…", answer)


def message_of(done, code, words, folders):
    """The message where it was refused, else the lines that hold the words looked for."""
    if code == 2:
        answer = settled(" ".join(line.strip() for line in done.stderr.splitlines()
                                  if not line.startswith(("run 1 of 1", "importing "))).removeprefix("caspstudio: "), folders)
        return answer if len(answer) <= 900 else answer[:897] + "..."
    paragraphs = re.sub(r"\n {10,}", " ", done.stderr + done.stdout).splitlines()
    kept = [re.sub(r" {2,}", " ", line.strip()) for line in paragraphs if any(word in line for word in words)]
    answer = settled(" / ".join(dict.fromkeys(kept)), folders)
    return answer if len(answer) <= 260 else answer[:257] + "..."


COMMANDS = {
    "describe": "`--describe FILE`", "batch": "`--batch`, as data", "evaluate": "`--evaluate RUN --data FILE`",
    "experiment": "`--batch FILE`", "print-config": "`--print-config FILE`",
    "checkpoint": "`--evaluate FILE`", "backbone": "`--batch`, as backbone", "larger-backbone": "`--batch`, as backbone",
    "again": "`--batch` again", "resume": "`--batch --resume`", "evaluate-run": "`--evaluate RUN`",
    "figures": "`--batch --figures`", "export": "`--export`", "fork": "`--batch`, as parent of a fork",
    "verify": "`--verify FILE`",
}


def table(results):
    """docs/bad-files.md's table: one row a file, the commands with the same answer together."""
    lines = []
    group = None
    for one, answers in results:
        if one.group != group:
            group = one.group
            lines += ["", f"## {group}", "", "| file | tried with | exit | answer |", "|---|---|---|---|"]
        merged = {}
        for command, code, answer in answers:
            merged.setdefault((code, answer), []).append(COMMANDS[command])
        name = one.name
        for (code, answer), commands in merged.items():
            lines.append(f"| {name} | {', '.join(commands)} | {code} | {answer} |")
            name = ""
    return "\n".join(lines).strip() + "\n"


def comparable(row):
    """A row of the table without the words of other libraries, which change with their versions, and without the length of
    a header that holds the scratch folder's path."""
    row = re.sub(r"\[json\.exception\.[a-z_]+\.\d+\].*?(?=; expected (?:a|the) )", "[json]", row)
    row = re.sub(r"the file cannot be opened: .*?(?=; expected )", "the file cannot be opened", row)
    row = re.sub(r"TOML syntax: .*?(?=\. [A-Z])", "TOML syntax", row)
    return re.sub(r"the header has \d+ bytes", "the header has N bytes", row)


def rows_by_file(document):
    """{(group, name): [row, ...]} of a table that table() wrote."""
    found = {}
    group = name = ""
    for line in document.splitlines():
        if line.startswith("## "):
            group = line[3:]
        elif line.startswith("| ") and not line.startswith("| file |"):
            name = line[2:].split(" |")[0].strip() or name
            found.setdefault((group, name), []).append(line)
    return found


def out_of_date(path, results, all_of_them):
    """Where the table in a file is not what table() would write now; an entry for each bad file."""
    listed = rows_by_file(path.read_text())
    now = rows_by_file(table(results))
    found = []
    for place, lines in now.items():
        there = listed.get(place, [])
        if [comparable(line) for line in lines] != [comparable(line) for line in there]:
            found.append(f"{', '.join(place)}: the table says\n" + "\n".join(f"    - {line}" for line in there) +
                         "\n  and the program\n" + "\n".join(f"    + {line}" for line in lines))
    if all_of_them:
        found += [f"{', '.join(place)}: in the table, but not tried any more" for place in listed if place not in now]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--only", default="", help="part of \"GROUP, NAME\"")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--table", help="rewrite the table in this file, after its line <!-- table -->")
    parser.add_argument("--check-table", help="every file tried must stand in the table of this file, with these answers")
    parser.add_argument("--without-figures", action="store_true", help="for a build without the window")
    parser.add_argument("--seconds", type=float, default=SECONDS,
                        help="for one command (%(default)s), times the environment's CASP_TEST_SECONDS_FACTOR")
    options = parser.parse_args()
    seconds = options.seconds * float(os.environ.get("CASP_TEST_SECONDS_FACTOR") or 1)
    chosen = [one for one in CASES if options.only in f"{one.group}, {one.name}" and
              not (options.without_figures and any(command == "figures" for command, _, _ in one.commands))]
    failed = 0
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.program, pathlib.Path(scratch), seconds)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for one, (problems, answers) in zip(chosen, pool.map(lambda item: try_case(bench, item[1], item[0]),
                                                                 enumerate(chosen))):
                results.append((one, answers))
                failed += bool(problems)
                for problem in problems:
                    print("FAILED", problem)
                if options.show:
                    for command, code, answer in answers:
                        print(f"{one.group}, {one.name}, {command} -> {code}: {answer}")
    if options.table:
        path = pathlib.Path(options.table)
        head = path.read_text().split("<!-- table -->")[0]
        path.write_text(head + "<!-- table -->\n\n" + table(results))
    if options.check_table:
        stale = out_of_date(pathlib.Path(options.check_table), results, len(chosen) == len(CASES))
        for problem in stale:
            print("FAILED", problem)
        if stale:
            print(f"{options.check_table} is out of date: where the answers are meant so, write it anew with --table")
        failed += len(stale)
    print(f"{len(chosen)} bad files, {sum(len(one.commands) for one in chosen)} commands, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
