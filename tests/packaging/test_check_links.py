#!/usr/bin/env python3
"""Tests of docs/site/check_links.py: which links it accepts, and that it finds every kind of dead one."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(files):
    """The exit status and the lines for a site with these files."""
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder) / "site"
        for name, text in files.items():
            path = site / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (site.parent / "outside.html").write_text("", encoding="utf-8")
        result = subprocess.run([sys.executable, ROOT / "docs/site/check_links.py", site], capture_output=True, text=True, check=False)
        return result.returncode, result.stdout.splitlines()


class CheckLinks(unittest.TestCase):
    def test_accepts_files_anchors_and_other_sites(self):
        files = {
            "index.html": '<meta http-equiv="refresh" content="0; url=docs/a.html"><a href="docs/a.html#λ-cov">a</a>',
            "docs/a.html": '<h1 id="λ-cov"></h1><a href="#">top</a><a href="#%CE%BB-cov">b</a><a href="../index.html?q=1">c</a>'
            '<a href="https://example.org/x">d</a><img src="p%20q.png"><code>href=&quot;x&quot;</code>',
            "docs/p q.png": "",
            "docs/s.css": "a { background: url('p q.png') } b { background: url(data:image/png;base64,AAAA) }",
        }
        self.assertEqual(check(files), (0, []))

    def test_finds_dead_links(self):
        page = '<h1 id="here"></h1><a name="there"></a>'
        for link, reason in {
            '<a href="b.html">': "no such file on the site",
            '<img src="/javascript/x.js">': "no such file on the site",
            '<a href="../outside.html">': "no such file on the site",
            '<a href="sub">': "no such file on the site",
            '<a href="#nowhere">': "no such anchor",
            '<a href="sub/c.html#here">': "no such anchor",
            '<meta http-equiv="refresh" content="0; url=b.html">': "no such file on the site",
        }.items():
            with self.subTest(link=link):
                status, lines = check({"a.html": page + link, "sub/c.html": ""})
                self.assertEqual((status, len(lines)), (1, 1))
                self.assertTrue(lines[0].startswith("a.html: ") and lines[0].endswith(": " + reason), lines)
        status, lines = check({"s.css": "@import url(/javascript/normalize.css);"})
        self.assertEqual((status, lines), (1, ["s.css: /javascript/normalize.css: no such file on the site"]))


if __name__ == "__main__":
    unittest.main()
