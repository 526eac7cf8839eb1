"""Are all links of the built site and of Markdown files right? Without a network: links to other sites are only listed.

python docs/extensions/check_links.py docs/_build/html README.md ... [--external]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

ATTRIBUTES = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src", "object": "data"}
MARKDOWN_LINK = re.compile(r"\]\(<?([^)\s>]+)>?\)|\b(?:href|src)=\"([^\"]+)\"")
CODE = re.compile(r"^```.*?^```$|^(?: {4}[^\n]*\n?)+|`[^`\n]+`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


class Page(NamedTuple):
    """What a page links to, and the anchors it has."""

    links: list[str]
    anchors: set[str]


class Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page([], set())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.page.anchors.update(filter(None, (given.get("id"), given.get("name") if tag == "a" else None)))
        link = given.get(ATTRIBUTES.get(tag, ""))
        if link:
            self.page.links.append(link)


@cache
def read(path: Path) -> Page:
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        headings = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)]
        found = MARKDOWN_LINK.findall(CODE.sub("", text))
        return Page([first or second for first, second in found], set(headings))
    parser = Parser()
    parser.feed(text)
    return parser.page


def broken(path: Path) -> Iterator[str]:
    """The links of a page that lead nowhere."""
    for link in read(path).links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = path.parent / unquote(parts.path) if parts.path else path
        if not target.exists():
            yield f"{path}: {link}: no such file"
        elif (
            parts.fragment and target.suffix in (".html", ".md") and unquote(parts.fragment) not in read(target).anchors
        ):
            yield f"{path}: {link}: no such anchor"


def external(pages: Iterable[Path]) -> list[str]:
    return sorted({link for page in pages for link in read(page).links if urlsplit(link).netloc})


def pages_of(given: Iterable[Path]) -> list[Path]:
    return [page for path in given for page in (sorted(path.rglob("*.html")) if path.is_dir() else [path])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="folders of HTML pages, and Markdown files")
    parser.add_argument("--external", action="store_true", help="list links to other sites")
    told = parser.parse_args()
    pages = pages_of(told.paths)
    found = [sentence for page in pages for sentence in broken(page)]
    elsewhere = external(pages)
    if told.external:
        print("\n".join(elsewhere))
    links = sum(len(read(page).links) for page in pages)
    print(f"{len(pages)} pages, {links:,} links, {len(found)} broken; {len(elsewhere)} other sites, not visited")
    if found or not pages:
        sys.exit("\n".join(found) or "no pages")


if __name__ == "__main__":
    main()
