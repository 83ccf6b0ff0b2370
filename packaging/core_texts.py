#!/usr/bin/env python3
"""Lists the texts of core/ that the window shows, as marks that lupdate reads: packaging/translations.sh.

core/ does not use Qt, so its texts have no tr(). The window translates them with widgets/words/core_text.h,
in the context "core": titles and help of the settings, names derived from their keys, units, titles of data sets and of the paper's tables, texts marked with CASP_TEXT, and the words of messages: of each
Phrase (core/util/phrase.h), and whatever else reads as a sentence.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
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
        for found in re.finditer(rf'\b(?:CASP_TEXT|translated)\(\s*({TEXT})\s*\)', text):
            yield joined(found.group(1))


def titles():
    for name in ('datasets/catalog.toml', 'resources/paper/tables.toml'):
        for line in (ROOT / name).read_text().splitlines():
            found = re.match(rf'(?:title|note) = ({LITERAL})$', line)
            if found:
                yield joined(found.group(1))


CODE = re.compile(rf'''//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|'(?:[^'\\\n]|\\.)+\'|\#include[^\n]*|\btr\(\s*{TEXT}|\b(?:invalid_argument|logic_error|out_of_range)\((?:[^;"]|{LITERAL})*;|\bwhen_empty\([^)]*\)|\b(?:r?find|(?:starts|ends)_with)\(\s*{TEXT}|(?P<phrase>Phrase(?:\s\w+)?\(\s*)?(?P<text>{TEXT})''',
                  re.DOTALL)
# What is no message: LaTeX and several lines, comments, HTML, shapes, formats, names of files and objects, a model's prompt, Python.
OTHER = re.compile(r'''\\[^"']|^[#<\[]|-->|\{[}:]|%[A-Za-z.0]|^Range:|^[a-z,*= ]*numpy\.[a-z]+[([]|allow_pickle|fortran_order|<\||^Task description|^steps [gi]|^%\d(?:%\d)*$|^[\w./*-]*$''')


def joined(literals):
    """The content of adjacent literals, still escaped."""
    return ''.join(part[1:-1] for part in re.findall(LITERAL, literals))


# Statements of the window whose literals become phrases of errors and notes.
STATEMENT = re.compile(rf'\b(?:Phrase(?:\s\w+)?|input_error|run_error|note|left_out)\((?!\))(?:[^;"]|{LITERAL})*;')


def phrases_of(text):
    """Literals of a Phrase, and those that read as a sentence."""
    for found in CODE.finditer(text):
        if not found['text']:
            continue
        words = re.sub(r'^(?:\\n|\s)+|(?:\\n|\s)+$', '', joined(found['text']))
        is_sentence = ' ' in words and len(re.findall(r'[A-Za-z]+', re.sub(r'%\d', ' ', words))) > 1
        if (found['phrase'] or is_sentence) and re.search('[A-Za-z]', words) and not OTHER.search(words):
            yield words


def messages():
    # These write LaTeX, the log and tables of a terminal.
    others = {ROOT / 'core' / name for name in ('evidence/latex.cpp',
                                                'run/log_file.cpp', 'data/describe.cpp')}
    for path in sorted({*ROOT.glob('core/**/*.cpp'), *ROOT.glob('core/**/*.h'), *ROOT.glob('core/**/*.def')} - others):
        yield from phrases_of(path.read_text())
    # The window's own texts have tr(), but errors and notes that others show as well.
    for path in sorted([*others, *ROOT.glob('widgets/**/*.cpp'), *ROOT.glob('app/gui/*.cpp')]):
        for statement in STATEMENT.findall(path.read_text()):
            yield from phrases_of(statement)


def main():
    seen = set()
    for text in [*settings(), *marked(), *titles(), *messages()]:
        if text not in seen:
            seen.add(text)
            print(f'QT_TRANSLATE_NOOP("core", "{text}")')
    return 0


if __name__ == '__main__':
    sys.exit(main())
