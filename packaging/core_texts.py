#!/usr/bin/env python3
"""Lists the texts of core/ that the window shows, as marks that lupdate reads: packaging/translations.sh.

core/ does not use Qt, so its texts have no tr(). The window translates them with widgets/words/core_text.h,
in the context "core": titles and help of the settings, names derived from their keys, units, stages of
progress, titles of data sets and of the paper's tables, texts marked with CASP_TEXT, and the sentences of
messages (core_messages.py).
"""
import re
import sys
from pathlib import Path

from core_messages import LITERAL, joined, patterns_of_source

ROOT = Path(__file__).resolve().parent.parent
TEXT = rf'{LITERAL}(?:\s*{LITERAL})*'


def arguments(text, start):
    """The arguments of a macro call whose opening parenthesis is at `start`."""
    parts, depth, begin, at = [], 0, start + 1, start
    while True:
        literal = re.compile(LITERAL).match(text, at)
        if literal:
            at = literal.end()
            continue
        c = text[at]
        if c in '([{':
            depth += 1
        elif c in ')]}':
            depth -= 1
            if depth == 0:
                return parts + [text[begin:at].strip()]
        elif c == ',' and depth == 1:
            parts.append(text[begin:at].strip())
            begin = at + 1
        at += 1


def calls(text, name):
    for call in re.finditer(rf'^{name}\(', text, re.MULTILINE):
        yield arguments(text, call.end() - 1)


def setting_name(key):
    """As english_name() in widgets/panels/experiment/option_text.cpp."""
    name = key.replace('_', ' ')
    return name[0].upper() + name[1:]


def settings():
    files = [ROOT / 'core/config/options.def', ROOT / 'core/config/scheduler.def']
    for path in files + sorted((ROOT / 'core/config/models').glob('*.def')):
        text = re.sub(r'^//.*$', '', path.read_text(), flags=re.MULTILINE)
        for macro, title in (('CASP_TOP', 0), ('CASP_SECTION', 2), ('CASP_MODEL_SECTION', 3), ('CASP_SUBSECTION', 3)):
            for parts in calls(text, macro):
                yield joined(parts[title])
        for parts in calls(text, 'CASP_OPTION'):
            yield setting_name(parts[1])
            yield joined(parts[-1])
            if joined(parts[-3]):
                yield joined(parts[-3])


def marked():
    for path in sorted(ROOT.glob('core/**/*.[ch]*')) + sorted(ROOT.glob('widgets/**/*.cpp')) + sorted(ROOT.glob('app/gui/*.cpp')):
        text = path.read_text()
        for found in re.finditer(rf'\bCASP_TEXT\(\s*({TEXT})\s*\)', text):
            yield joined(found.group(1))


def titles():
    for name in ('datasets/catalog.toml', 'resources/paper/tables.toml'):
        for line in (ROOT / name).read_text().splitlines():
            found = re.match(rf'(?:title|note) = ({LITERAL})$', line)
            if found:
                yield joined(found.group(1))


def messages():
    # These write a script, LaTeX, a prompt, a file format and the log.
    others = {ROOT / 'core' / name for name in ('cluster/slurm_script.cpp', 'data/npy.cpp', 'evidence/latex.cpp',
                                                'model/time_llm_prompt.cpp', 'run/log_file.cpp', 'util/error.cpp')}
    for path in sorted({*ROOT.glob('core/**/*.cpp'), *ROOT.glob('core/**/*.h'), *ROOT.glob('core/**/*.def')} - others):
        yield from patterns_of_source(path.read_text())
    # The window's own texts have tr(), but errors and notes that others show as well.
    for path in sorted([*ROOT.glob('widgets/**/*.cpp'), *ROOT.glob('app/gui/*.cpp')]):
        yield from patterns_of_source(path.read_text(), {'input_error', 'run_error', 'note', 'left_out', 'push_back'})


def main():
    seen = set()
    for text in [*settings(), *marked(), *titles(), *messages()]:
        if text not in seen:
            seen.add(text)
            print(f'QT_TRANSLATE_NOOP("core", "{text}")')
    return 0


if __name__ == '__main__':
    sys.exit(main())
