"""Sphinx configuration of the documentation site (packaging/site.sh). The root of the sources is the checkout, so that
the links between Markdown files lead to the same places on GitHub and on the site."""

project = html_title = "CASP Studio"
root_doc = "docs/README"
include_patterns = ["README.md", "README.zh_CN.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE-EXCEPTION.md", "docs/**.md", "tests/oracle/README.md"]
exclude_patterns = ["docs/site/navigation.md", "build*", "runs", ".*"]

extensions = ["myst_parser"]
myst_heading_anchors = 6
nitpicky = True
smartquotes = False  # they would change --options
highlight_language = "none"

html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_additional_pages = {"index": "redirect.html"}
templates_path = ["."]
html_show_search_summary = False  # which reads pages with fetch(), impossible for files
html_show_sourcelink = html_copy_source = html_show_copyright = False


def adapt(app, name, source):
    """Adds the navigation to the first page, and lets its link to the folder of decisions lead to their list."""
    if name == root_doc:
        with open(f"{app.confdir}/navigation.md", encoding="utf-8") as navigation:
            source[0] = source[0].replace("](decisions/)", "](site/decisions.md)") + navigation.read()


def setup(app):
    app.connect("source-read", adapt)
