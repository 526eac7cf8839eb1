"""The directive `messages`: the errors and notices of one room of the package, with explanations.

Its body explains messages whose words are not enough: a piece of the message, `::`, and what it means.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import cynical

from .messages import Message, Source

SEPARATOR = " :: "
logger = logging.getLogger(__name__)


@cache
def all_messages() -> list[Message]:
    return Source.of(Path(cynical.__file__).parent).messages()


class Messages(SphinxDirective):
    """Takes the names of rooms, or of modules outside of them."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        rooms = self.arguments[0].split()
        self.env.rooms_of_messages = {*getattr(self.env, "rooms_of_messages", ()), *rooms}
        found = [message for message in all_messages() if message.room in rooms]
        explained = [line.partition(SEPARATOR)[::2] for line in self.content if line.strip()]
        for phrase, _ in explained:
            if not any(phrase in message.text for message in found):
                raise self.error(f"no message of {', '.join(rooms)} has {phrase!r}")
        shown = nodes.definition_list(classes=["messages"])
        for message in found:
            told = [text for phrase, text in explained if phrase in message.text]
            shown += self.entry(message, told)
        return [shown]

    def entry(self, message: Message, told: list[str]) -> nodes.definition_list_item:
        term = nodes.term("", "", nodes.literal(message.text, message.text))
        body = nodes.definition()
        for text in told:
            inline, problems = self.parse_inline(text)
            body += nodes.paragraph(text, "", *inline)
            body += problems
        body += nodes.paragraph("", f"{message.kind} · {message.module}", classes=["where"])
        return nodes.definition_list_item("", term, body)


def check_complete(app: Sphinx, env: BuildEnvironment) -> None:
    """A page that lists messages lists those of all rooms."""
    listed: set[str] = getattr(env, "rooms_of_messages", set())
    missing = {message.room for message in all_messages()} - listed if listed else set()
    if missing:
        logger.warning(f"no page lists the messages of {', '.join(sorted(missing))}")


def merge(app: Sphinx, env: BuildEnvironment, docnames: object, other: BuildEnvironment) -> None:
    """What pages that another process has read say they list."""
    env.rooms_of_messages = {*getattr(env, "rooms_of_messages", ()), *getattr(other, "rooms_of_messages", ())}


def setup(app: Sphinx) -> None:
    app.add_directive("messages", Messages)
    app.connect("env-merge-info", merge)
    app.connect("env-check-consistency", check_complete)
