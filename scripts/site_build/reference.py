# SPDX-License-Identifier: Apache-2.0
"""Makes a page for each chapter of the API, and of Ferry's own functions, from the comments of its header."""

import dataclasses
import re

CHAPTER = re.compile(r'^// (?:Chapter "(?P<title>[^"]+)": )?(?P<summary>(?!SPDX).*\n(?:// .*\n)*)', re.M)
FUNCTION = re.compile(
    r"(?P<comment>(?:^///.*\n)+)^(?P<declaration>(?:ACL_\w*VISIBILITY|MSTX_\w*)\s[^;]*;)", re.MULTILINE
)
MACRO = re.compile(r"^ACL_\w*VISIBILITY\s+")
CODE = re.compile(r"^  (?P<code>[A-Z][A-Z0-9_]+|\([^)]*\))  +(?P<text>\S.*)$")
ARGUMENT = re.compile(r"^\[(?P<direction>in|out|in,out)\] (?P<names>\w+(?:, \w+)*)  +(?P<text>.*)$")


@dataclasses.dataclass
class Comment:
    """The parts of a comment: prose before the codes, arguments, how it returns, codes, prose after them."""

    prose: list
    arguments: list
    returns: str
    codes: list
    rest: list


def prose_of(lines):
    """Lines without their markers."""
    text = " ".join(line.strip() for line in lines if line.strip())
    return text.replace(" Blocking: ", "\n\nBlocking: ")


def take_apart(lines):
    parts = Comment([], [], "", [], [])
    last = None
    for line in lines:
        argument, code = ARGUMENT.match(line), CODE.match(line)
        if argument:
            last = [argument["names"], argument["direction"], argument["text"]]
            parts.arguments.append(last)
        elif line.startswith("Returns "):
            parts.returns, last = line, "returns"
        elif parts.returns and code:
            last = [code["code"], code["text"]]
            parts.codes.append(last)
        elif isinstance(last, list) and line.startswith("   "):
            last[-1] += " " + line.strip()
        elif last == "returns" and not parts.codes:
            parts.returns += " " + line.strip()
        else:
            last = None
            (parts.rest if parts.returns else parts.prose).append(line)
    return parts


def escaped(text):
    """As text of Markdown outside of code: a pointer's star and a table's bar mean themselves."""
    pieces = text.split("`")
    for i in range(0, len(pieces), 2):
        pieces[i] = re.sub(r"([*_<|])", r"\\\1", pieces[i])
    return "`".join(pieces)


def function_page(name, declaration, comment):
    parts = take_apart([line[3:].removeprefix(" ") for line in comment.splitlines()])
    out = [f"## {name}\n", "```c", MACRO.sub("", declaration), "```\n", escaped(prose_of(parts.prose)) + "\n"]
    if parts.arguments:
        out += ["| argument | | |", "|---|---|---|"]
        out += [f"| `{names}` | {way} | {escaped(text)} |" for names, way, text in parts.arguments]
        out.append("")
    if parts.returns:
        order = " or, checked in this order:" if parts.codes else ""
        out.append(escaped(parts.returns.removesuffix(", or") + order) + "\n")
    if parts.codes:
        out += ["| code | when |", "|---|---|"]
        out += [f"| {escaped(code)} | {escaped(text)} |" for code, text in parts.codes]
        out.append("")
    if parts.rest:
        out.append(escaped(prose_of(parts.rest)) + "\n")
    return "\n".join(out)


def capitalised(text):
    return text[:1].upper() + text[1:]


def chapter_of(text, path):
    """Title and summary: the first comment behind the licence. A file that is no chapter is its own title."""
    found = CHAPTER.search(text)
    summary = " ".join(line.removeprefix("//").strip() for line in found["summary"].splitlines())
    return capitalised(found["title"] or path.name), capitalised(summary)


def chapters(include):
    """(page's name, title, summary, text, names of functions) for each header with functions."""
    found = []
    for path in [*sorted(include.glob("acl/**/*.h")), include / "ferry/ferry.h", include / "ferry/kernel.h"]:
        text = path.read_text()
        functions = [
            (re.search(r"(\w+)\s*\(", MACRO.sub("", f["declaration"]))[1], f["declaration"], f["comment"])
            for f in FUNCTION.finditer(text)
        ]
        if not functions:
            continue
        title, summary = chapter_of(text, path)
        head = f"# {title}\n\n{escaped(summary)}\n\nHeader: `{path.relative_to(include)}`.\n\n"
        page = head + "\n".join(function_page(*function) for function in functions)
        name = path.stem if path.is_relative_to(include / "acl") else f"ferry_{path.stem}"
        found.append((name, title, summary, page, [name for name, _, _ in functions]))
    return found


def index(found):
    """The page that lists all functions."""
    count = sum(len(names) for *_, names in found)
    lines = [
        "# Functions\n",
        f"{count} functions with their rules and codes, made from the headers. `ferry explain NAME` shows",
        "the same on the command line.\n",
        "| chapter | functions |",
        "|---|---|",
    ]
    for page, title, _, _, names in found:
        links = ", ".join(f"[{name}]({page}.md#{name.lower()})" for name in names)
        lines.append(f"| [{title}]({page}.md) | {links} |")
    return "\n".join(lines) + "\n"
