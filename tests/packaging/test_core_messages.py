#!/usr/bin/env python3
"""Tests of packaging/core_messages.py: which patterns it finds in C++ expressions."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging"))
from core_messages import patterns_of_source  # noqa: E402


class CoreMessages(unittest.TestCase):
    def assert_found(self, source, *patterns):
        self.assertEqual(patterns_of_source(source), list(patterns))

    def test_literals_and_sums(self):
        self.assert_found('throw input_error(path, "the file is empty", {}, "Give " "another one.");', "the file is empty", "Give another one.")
        self.assert_found('f(where, "only " + text(free, "x") + " of " + std::to_string(all) + " are free");', "only %1 of %2 are free")
        self.assert_found('f(std::string("this is ") + other.name() + in + " there");', "this is %1 there")
        self.assert_found('return first + second + " are too alike";', "%1 are too alike")

    def test_both_branches(self):
        self.assert_found('text += count == 1 ? "one row is gone" : std::to_string(count) + " rows are gone";', "one row is gone", "%1 rows are gone")
        self.assert_found('f("the rows" + (late ? " after " + end : std::string()) + " are gone");', "the rows after %1 are gone", "the rows are gone")
        self.assert_found('f(a ? "first of all" : b ? "second of all" : "third of all");', "first of all", "second of all", "third of all")

    def test_constants_and_lists(self):
        self.assert_found('constexpr const char* advice = "Export it " "again."; f(g, advice);', "Export it again.")
        self.assert_found('static const Kind kinds[] = {{"gz", {"a gzip file", "Unpack it first."}}};', "a gzip file", "Unpack it first.")

    def test_sentences_are_single(self):
        self.assert_found('f("It has " + n + ". The next has " + m + " of " + n + " rows. " + advice);', "It has %1.", "The next has %1 of %2 rows.")
        self.assert_found('f("\\n  the seed was " + a + ", is now " + b);', "the seed was %1, is now %2")

    def test_only_some_calls(self):
        source = 'setText("a label here"); throw run_error("", "the disk " + name + " is full"); return "a result here";'
        self.assertEqual(patterns_of_source(source, {"run_error"}), ["the disk %1 is full"])

    def test_too_many_variants(self):
        with self.assertRaises(ValueError):
            patterns_of_source("f(" + " + ".join('(x ? "a b" : "c d")' for _ in range(5)) + ");")

    def test_what_is_no_message(self):
        for source in ('throw std::invalid_argument("tsne: wrong length of rows");', 'text.find("of the lines");', 'f("data.path");', 'f("rows");',
                       'f("\\\\section {a b}");', 'log("{} of {} rows", a, b);', '// f("a comment here");', 'f("#!/bin/sh and more");', "f(a + b + c);"):
            with self.subTest(source):
                self.assert_found(source)
        self.assert_found('f("a word", "%d of %d rows");', "a word")


if __name__ == "__main__":
    unittest.main()
