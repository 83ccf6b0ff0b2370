#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""From starting caspstudio to its first picture, as a person waits for it.

    python3 tests/bench/gui_start.py build/release/app/caspstudio [--starts 11] [--cold] [FILE …]

Each start has an X server of its own (Xvfb), which writes what it shows into a file, and a home of its own
without a session. The clock begins just before the program is started and ends when the first pixels stand on
the screen ("first picture"), and when the last ones have come before half a second without any ("picture
stands"). The first start is not counted: it fills the system's cache of files. --cold empties that cache for
the files that the program uses before each start, as after a reboot; where the system does not, the column
"read" (major page faults) says so. FILEs are opened as from a terminal.
"""
import argparse
import mmap
import os
import pathlib
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

WIDTH, HEIGHT = 1600, 1000
QUIET = 0.5  # seconds without a new pixel: the picture stands
LIMIT = 120.0


class Screen:
    """An Xvfb whose frame buffer is a file (XWD)."""

    def __init__(self, folder):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-noreset", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", folder,
             "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            sys.exit("Xvfb did not start")
        self.display = ":" + number
        with open(pathlib.Path(folder) / "Xvfb_screen0", "rb") as file:
            self.pixels = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = struct.unpack(">25I", self.pixels[:100])
        self.begin, self.stride = header[0] + 12 * header[19], header[12]

    def rows(self):
        """Every 20th row: a look costs a fraction of a millisecond."""
        return [self.pixels[at:at + self.stride]
                for at in range(self.begin, self.begin + HEIGHT * self.stride, 20 * self.stride)]

    def close(self):
        self.pixels.close()
        self.server.terminate()
        self.server.wait()


def mapped_files(pid):
    """What of the program and its libraries lies on the disk."""
    files = set()
    with open(f"/proc/{pid}/maps") as maps:
        for line in maps:
            path = line.split(maxsplit=5)[5:]
            if path and path[0].startswith("/") and os.path.isfile(path[0].strip()):
                files.add(path[0].strip())
    return files


def forget(files):
    for path in files:
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def start(program, arguments, before):
    """Seconds until the first picture and until it stands, page faults that read, files in use."""
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(folder)
        environment = dict(os.environ, DISPLAY=screen.display, HOME=folder, XDG_CONFIG_HOME=folder + "/config",
                           XDG_DATA_HOME=folder + "/data", QT_QPA_PLATFORM="xcb")
        environment.pop("WAYLAND_DISPLAY", None)
        try:
            empty = screen.rows()
            before()
            begin = time.perf_counter()
            process = subprocess.Popen([program, *arguments], env=environment, cwd=folder,
                                       stderr=subprocess.DEVNULL)
            first, last, shown = None, None, empty
            while True:
                time.sleep(0.002)
                now = time.perf_counter() - begin
                rows = screen.rows()
                if rows != shown:
                    shown, last = rows, now
                    first = first or now
                if process.poll() is not None or now > LIMIT:
                    sys.exit(f"{program} showed nothing within {now:.0f} s (exit status {process.poll()})")
                if last and now - last > QUIET:
                    break
            files = mapped_files(process.pid)
            process.send_signal(signal.SIGTERM)
            usage = os.wait4(process.pid, 0)[2]
            process.returncode = 0
        finally:
            screen.close()
    return first, last, usage.ru_majflt, files


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--starts", type=int, default=11)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    arguments = [os.path.abspath(file) for file in options.files]
    print("| start | first picture | picture stands | read |\n|---|---|---|---|")
    first, last, files = [], [], set()
    for number in range(options.starts + 1):
        result = start(program, arguments, lambda: forget(files) if options.cold else None)
        files = result[3]
        if number > 0:
            first.append(result[0])
            last.append(result[1])
        print(f"| {number or 'not counted'} | {result[0]:.2f} s | {result[1]:.2f} s | {result[2]} |", flush=True)
    print(f"| **median of {options.starts}** | **{statistics.median(first):.2f} s** | "
          f"**{statistics.median(last):.2f} s** | |")
    print(f"from {min(first):.2f} to {max(first):.2f} s" + (", each with an empty cache" if options.cold else ""))


if __name__ == "__main__":
    main()
