#!/usr/bin/env python3
"""Checks the layers: a folder of core/, widgets/ or app/ includes only itself and folders above it in the table of docs/developer.md.

Folders above the first of widgets/ have neither Qt nor VTK. Usage: packaging/layers.py [ROOT]
"""

import pathlib
import re
import sys

ROW = re.compile(r"^\| `((?:core|widgets|app)(?:/\w+)*)/?` \|", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')
OF_WINDOW = re.compile(r"Qt?[A-Z]\w*(/|$)|qt\w*/|q[a-z]+\.h$|vtk")


def layer_of(path, order):
    """The number of the row of a file's folder, or of the nearest folder around it; None: it has none."""
    around = (str(folder) for folder in path.parents)
    return next((order[folder] for folder in around if folder in order), None)


def findings(root):
    folders = ROW.findall((root / "docs" / "developer.md").read_text(encoding="utf-8"))
    order = {folder: number for number, folder in enumerate(folders)}
    window = next((number for folder, number in order.items() if folder.startswith("widgets")), len(order))
    if len(order) < 2:
        yield "docs/developer.md: no table of folders was found"
    for file in sorted(file for top in ("core", "widgets", "app") for file in (root / top).rglob("*.*")):
        if file.suffix not in (".h", ".cpp"):
            continue
        path = file.relative_to(root)
        own = layer_of(path, order)
        if own is None:
            yield f"{path}: its folder has no row in the table of docs/developer.md"
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            place = f"{path}:{number}: includes {include[1]}: {folders[own]}"
            if own < window and OF_WINDOW.match(include[1]):
                yield f"{place} may include neither Qt nor VTK"
            # As the compiler looks for it: beside the file, then in the folders given to it.
            beside = (path.parent / include[1], *(pathlib.Path(top, include[1]) for top in ("", "core", "widgets", "app")))
            found = next((included for included in beside if (root / included).is_file()), None)
            other = layer_of(found, order) if found else None
            if other is not None and other > own:
                yield f"{place} may not include {folders[other]}, which is below it in docs/developer.md"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(findings(root))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
