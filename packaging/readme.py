"""The README as PyPI shows it: hatchling calls this when it builds the package.

On PyPI a relative link leads nowhere, so each becomes an address in the repository that [project.urls] names.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*)\]\((?![a-z]+:|#)([^)\s]+)\)")
SOURCE = re.compile(r"\b(src|srcset|href)=\"(?![a-z]+:|#)([^\"\s]+)\"")


class CustomMetadataHook(MetadataHookInterface):
    """The name that hatchling looks for."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text("utf-8")
        readme = with_whole_addresses(text, metadata["urls"]["Source"])
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}


def with_whole_addresses(markdown: str, repository: str) -> str:
    """The same text with every relative link made absolute."""

    def link(found: re.Match[str]) -> str:
        image, text, path = found.groups()
        return f"{image}[{LINK.sub(link, text)}]({_address(repository, path, shown=bool(image))})"

    def source(found: re.Match[str]) -> str:
        name, path = found.groups()
        return f'{name}="{_address(repository, path, shown=name != "href")}"'

    return SOURCE.sub(source, LINK.sub(link, markdown))


def _address(repository: str, path: str, *, shown: bool) -> str:
    """Of the page of a file, or of the file itself where it is a picture that is shown."""
    return f"{repository}/{'raw' if shown else 'blob'}/main/{path}"
