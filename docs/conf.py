"""How Sphinx makes the manual from these pages; `scripts/manual` runs it. The pages stay plain Markdown."""
import json
import pathlib
import re
import shutil

project = "openmi2"
copyright = "the authors of openmi2, Apache-2.0"  # noqa: A001 (Sphinx wants this name)
root = pathlib.Path(__file__).parent.parent

extensions = ["myst_parser"]
root_doc = "docs/index"
# The source folder is the whole tree, so that pages link to READMEs of examples and layers as they do in the tree.
include_patterns = ["docs/**", "*.md", "*/README.md", "examples/**/README.md", "examples/**/*.md", "composition/*/README.md",
                    "fmi-bridge/**/README.md", "schemas/**/*.md", "tests/**/README.md", "scripts/README.md"]
exclude_patterns = ["build", "results", ".git", "docs/Doxyfile", "**/node_modules"]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # pages of the tree may begin below the first level

html_theme = "furo"
html_title = "openmi2"
html_copy_source = False
html_show_search_summary = False  # browsers do not let a page from a file read others
html_static_path = ["manual.css"]
html_css_files = ["manual.css"]
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
html_permalinks_icon = "#"
highlight_language = "none"
pygments_style = "default"  # the two whose colours all differ enough from their ground
pygments_dark_style = "github-dark"


def link_out(doctree, docname):
    """Makes plain text of links to what is no page: folders and sources of the tree, which a reader of the site has not."""
    from docutils import nodes

    here = (root / docname).parent
    for node in list(doctree.findall(lambda one: one.tagname in ("pending_xref", "reference", "download_reference"))):
        target = node.get("reftarget") or node.get("refuri") or ""
        if not target or "://" in target or target.startswith(("#", "mailto:")):
            continue
        path = (here / target.split("#")[0]).resolve()
        if path.name == "Doxyfile" and tags.has("api"):  # noqa: F821 (Sphinx defines tags)
            node.replace_self(nodes.reference("", "", *node.children, refuri="../api/index.html"))
            continue
        if path.exists() and (path.is_dir() or path.suffix not in source_suffix):
            text = nodes.inline("", "", *node.children)
            node.replace_self(text)


def open_notebook(app, docname, source):
    """Turns a notebook into Markdown: its texts, and its cells as blocks of Python."""
    if app.env.doc2path(docname).endswith(".ipynb"):
        cells = json.loads(source[0])["cells"]
        texts = ("".join(cell["source"]) for cell in cells)
        source[0] = "\n\n".join(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
                                for cell, text in zip(cells, texts))


def read(app, doctree):
    docname = app.env.docname
    link_out(doctree, docname)
    # Pages that others lead to need no entry of their own in the tree of contents.
    if not docname.startswith("docs/") or docname.startswith("docs/decisions/"):
        app.env.metadata[docname]["orphan"] = True


def mend_page(app, pagename, templatename, context, doctree):
    """For readers without a mouse or a screen: what scrolls can be reached by the keyboard, headings have a level, and a
    table without headings has none."""
    body = re.sub(r'<pre(?=>)|<div class="table-wrapper[^"]*"', r'\g<0> tabindex="0"', context.get("body", ""))
    context["body"] = re.sub(r"<thead>\s*<tr[^>]*>(\s*<th[^>]*><p></p></th>)+\s*</tr>\s*</thead>", "", body)
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def mend_theme(app, exception):
    """Debian builds Furo for a web server with its other packages. Read from files, the site lacked three things: the
    normal style sheet, the dark colours if the browser asks for them, and the script of the theme, which imported another
    one."""
    static = pathlib.Path(app.outdir, "_static")
    css = static / "styles" / "furo.css"
    if exception or not css.exists():
        return
    style = css.read_text(encoding="utf-8")
    normal = re.match(r"@import url\(/(.*?)\);", style)
    if normal:
        shutil.copy(pathlib.Path("/usr/share", normal[1]), css.with_name("normalize.css"))
        style = style.replace(normal[0], "@import url(normalize.css);")
    if "prefers-color-scheme" not in style:
        dark = re.search(r'body\[data-theme="dark"\] (\{.*?\})', style, re.S)[1]
        style += '@media screen and (prefers-color-scheme: dark) { body:not([data-theme="light"]) ' + dark + " }\n"
    css.write_text(style, encoding="utf-8")
    script = static / "scripts" / "furo.js"
    text = script.read_text(encoding="utf-8")
    imported = re.match(r'import Gumshoe from "\./(.*?)";', text)
    if imported:
        script.write_text(script.with_name(imported[1]).read_text(encoding="utf-8") + text[imported.end():], encoding="utf-8")


def setup(app):
    app.connect("source-read", open_notebook)
    app.connect("doctree-read", read)
    app.connect("html-page-context", mend_page, priority=900)
    app.connect("build-finished", mend_theme)
