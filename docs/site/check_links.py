#!/usr/bin/env python3
"""check_links.py DIR: lists the links in DIR's HTML and CSS files that lead to no file or anchor in DIR."""

import html
import pathlib
import re
import sys
import urllib.parse

ANCHOR = re.compile(r'\s(?:id|name)="([^"]*)"')
LINK = re.compile(r'\s(?:href|src)="([^"]*)"|<meta[^>]*\burl=([^">]*)')
STYLE = re.compile(r"""url\(["']?([^"')]*)""")


def dead_links(site):
    """Yields (file, link, reason) for each link that leads nowhere."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*")) if path.suffix in (".html", ".css")}
    anchors = {path: {html.unescape(name) for name in ANCHOR.findall(text)} for path, text in texts.items()}
    for path, text in texts.items():
        links = STYLE.findall(text) if path.suffix == ".css" else ["".join(found) for found in LINK.findall(text)]
        for link in sorted(set(links)):
            parts = urllib.parse.urlsplit(html.unescape(link))
            if parts.scheme or parts.netloc:
                continue
            file = pathlib.Path(urllib.parse.unquote(parts.path))
            target = (path.parent / file).resolve() if parts.path else path
            if file.is_absolute() or site not in target.parents or not target.is_file():
                yield path, link, "no such file on the site"
            elif parts.fragment and urllib.parse.unquote(parts.fragment) not in anchors.get(target, ()):
                yield path, link, "no such anchor"


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    found = list(dead_links(site))
    for path, link, reason in found:
        print(f"{path.relative_to(site)}: {link}: {reason}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
