#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two small wheels below FOLDER/simple and their pages, as PEP 503 describes a package index: make_index.py FOLDER"""

import hashlib
import pathlib
import sys
import zipfile

root = pathlib.Path(sys.argv[1])
for name, files in {
    "torch": ["torch/lib/libtorch_cpu.so", "torch/lib/libtorch_python.so", "torch/include/a.h", "torch/nn/modules.py",
              "torch-2.dist-info/licenses/LICENSE"],
    "nvidia-blas": ["nvidia/cu13/lib/libcublas.so.13", "nvidia/cu13/lib/libcublas_static.a", "nvidia/__init__.py"],
}.items():
    page = root / "simple" / name
    page.mkdir(parents=True)
    with zipfile.ZipFile(page / "w.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in files:
            wheel.writestr(file, "content of " + file)
    digest = hashlib.sha256((page / "w.whl").read_bytes()).hexdigest()
    (page / "index.html").write_text(f'<a href="other.whl#sha256=00">x</a> <a href="w.whl#sha256={digest}" data-x="1">w</a>')
