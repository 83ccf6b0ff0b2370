#!/usr/bin/env python3
"""packaging/layers.py finds includes against the order of the table of docs/developer.md, and nothing else."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "packaging" / "layers.py"

TABLE = """| folder | contents |
|---|---|
| `core/util` | errors |
| `core/data` | files |
| `app/batch` | commands |
| `widgets/state` | runs |
| `widgets/panels/view` | what pages share |
| `widgets/panels` | pages |
| `app` | executables |
| `tests/` | no layer |
"""

# Each may include what it includes.
CLEAN = {
    "core/util/error.h": "#include <string>\n",
    "core/data/reader.h": '#include "util/error.h"\n#include "data/csv/parse.h"\n#include "beside.h"\n#include "nlohmann/json.hpp"\n',
    "core/data/beside.h": "",
    "core/data/csv/parse.h": '#include "data/reader.h"\n',
    "app/batch/run.cpp": '#include "data/reader.h"\n',
    "widgets/state/runs.h": '#include <QObject>\n#include "data/reader.h"\n',
    "widgets/panels/view/page.h": '#include "state/runs.h"\n',
    "widgets/panels/audit/audit.h": '#include "panels/view/page.h"\n#include "panels/data/data.h"\n',
    "widgets/panels/data/data.h": "",
    "app/main.cpp": '#include "batch/run.h"\n#include "panels/audit/audit.h"\n',
}


class Layers(unittest.TestCase):
    def found(self, **planted):
        """What the script prints of CLEAN with these files: name and text."""
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            for name, text in {"docs/developer.md": TABLE, **CLEAN, **planted}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            result = subprocess.run([sys.executable, str(SCRIPT), str(root)], capture_output=True, text=True, check=False)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.returncode, 1 if result.stdout else 0)
        return result.stdout.splitlines()

    def test_clean(self):
        self.assertEqual(self.found(), [])

    def test_upwards(self):
        ends = "which is below it in docs/developer.md"
        self.assertEqual(
            self.found(**{"core/util/error.h": '#pragma once\n#  include "data/reader.h"\n'}),
            [f"core/util/error.h:2: includes data/reader.h: core/util may not include core/data, {ends}"])
        self.assertEqual(
            self.found(**{"core/data/csv/parse.h": '#include "widgets/state/runs.h"\n'}),
            [f"core/data/csv/parse.h:1: includes widgets/state/runs.h: core/data may not include widgets/state, {ends}"])
        self.assertEqual(
            self.found(**{"widgets/panels/view/page.h": '#include "panels/data/data.h"\n'}),
            [f"widgets/panels/view/page.h:1: includes panels/data/data.h: widgets/panels/view may not include widgets/panels, {ends}"])

    def test_window(self):
        for header in ("QString", "QtCore/QString", "qstring.h", "QtWidgets", "vtkActor.h"):
            for file, folder in (("core/util/new.cpp", "core/util"), ("app/batch/run.cpp", "app/batch")):
                self.assertEqual(self.found(**{file: f"#include <{header}>\n"}),
                                 [f"{file}:1: includes {header}: {folder} may include neither Qt nor VTK"])

    def test_rows(self):
        self.assertEqual(self.found(**{"core/new/new.h": ""}),
                         ["core/new/new.h: its folder has no row in the table of docs/developer.md"])
        self.assertIn("docs/developer.md: no table of folders was found", self.found(**{"docs/developer.md": "# Notes\n"}))


if __name__ == "__main__":
    unittest.main()
