# SPDX-License-Identifier: Apache-2.0
"""What mkdocs does not do: pages made from headers and from files outside of docs, and links to them."""

import logging
import os.path
import pathlib
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import reference

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md")
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]+)\]\((?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")
FUNCTION = re.compile(r"^FERRY_API\w*\([^,\n]+, (\w+),", re.MULTILINE)
ITEM = re.compile(r"(?:- |\d\. )(?=\S)")
# What the theme loads from another server, so that pages opened as files can be searched; and ours.
FOREIGN_WORKER = "https://unpkg.com/iframe-worker/shim"
FILE_WORKER = "assets/javascripts/file_worker.js"
log = logging.getLogger("mkdocs.hooks.ferry")


def project_page(path):
    """Where a file outside of docs is shown, as a path in the site."""
    return "project/" + path.replace("/", "_")


def expanded(nav, files):
    """The navigation with each folder ("rules/") replaced by its pages, README aside."""
    out = []
    for entry in nav:
        if isinstance(entry, dict):
            parts = entry.items()
            out.append(
                {title: expanded(part, files) if isinstance(part, list) else part for title, part in parts}
            )
        elif entry.endswith("/"):
            pages = [file.src_uri for file in files.documentation_pages()]
            out += sorted(page for page in pages if page.startswith(entry) and page != entry + "README.md")
        else:
            out.append(entry)
    return out


def on_files(files, config):
    pages = reference.chapters(ROOT / "include")
    listed = FUNCTION.findall((ROOT / "src/dispatch/api_list.def").read_text())
    for name in sorted(set(listed) - {name for *_, names in pages for name in names}):
        log.warning("%s is exported, but no comment in a header describes it", name)
    files.append(File.generated(config, "reference/README.md", content=reference.index(pages)))
    for name, _, _, text, _ in pages:
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    for path in PROJECT:
        files.append(File.generated(config, project_page(path), content=(ROOT / path).read_text()))
    worker = pathlib.Path(__file__).with_name("file_worker.js").read_text()
    files.append(File.generated(config, FILE_WORKER, content=worker))
    config["nav"] = expanded(config["nav"], files)
    return files


def source_of(page):
    """The page's file in the tree, relative to its root; None for a page that was made from headers."""
    uri = page.file.src_uri
    for path in PROJECT:
        if uri == project_page(path):
            return path
    return None if uri.startswith("reference/") else "docs/" + uri


def site_path(path):
    """Where the site shows a file or folder of the tree; None if it does not."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path in PROJECT:
        return project_page(path)
    if path == "include/acl" or path.startswith("include/acl/"):
        return "reference/README.md"
    return None


def with_wide_lists(markdown):
    """Indents what belongs to an item by four, as mkdocs needs; pages in the tree indent to the text."""
    lines, width, fenced = [], 0, False
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        item = ITEM.match(line)
        if item and not fenced:
            width = len(item[0])
        elif line and not line.startswith(" ") and not fenced:
            width = 0
        if width and not item and line.startswith(" " * width):
            line = " " * (4 - width) + line
        lines.append(line)
    return "\n".join(lines) + "\n"


def on_page_markdown(markdown, page, config, files):
    source = source_of(page)
    if source is None:
        return markdown
    markdown = with_wide_lists(markdown)

    def rewritten(match):
        target = match["target"]
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        path = os.path.normpath(os.path.join(os.path.dirname(source), target))
        if not (ROOT / path).exists():
            log.warning("%s links to %s, which does not exist", source, target)
            return match[0]
        shown = site_path(path)
        if shown is None:
            # A file of the tree that has no page: its name is enough.
            return f"{match['text']}" if match["text"].startswith("`") else f"`{path}`"
        link = os.path.relpath(shown, os.path.dirname(page.file.src_uri))
        anchor = match["anchor"] or ""
        return f"{match['image']}[{match['text']}]({link}{anchor})"

    return LINK.sub(rewritten, markdown)


def on_post_page(output, page, config):
    if FOREIGN_WORKER not in output:
        log.warning("the theme loads %s no more: FILE_WORKER may not be needed", FOREIGN_WORKER)
    return output.replace(FOREIGN_WORKER, "../" * page.url.count("/") + FILE_WORKER)


def on_post_template(output_content, template_name, config):
    return output_content.replace(FOREIGN_WORKER, "/" + FILE_WORKER)
