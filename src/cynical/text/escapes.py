"""Words as they are written where tabs and newlines mean something: in .counts files and in tables."""

from __future__ import annotations

import re


def escape(word: bytes) -> bytes:
    """A word as it is written where tabs and newlines mean something."""
    try:
        plain = word.decode()
    except UnicodeDecodeError:
        plain = word.decode("utf-8", "surrogateescape")
        plain = plain.replace("\\", "\\\\")
        plain = re.sub("[\udc80-\udcff]", lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", plain)
    else:
        plain = plain.replace("\\", "\\\\") if "\\" in plain else plain
    if not plain.isprintable():
        plain = re.sub("[\x00-\x1f\x7f]", lambda found: f"\\x{ord(found[0]):02x}", plain)
    return plain.encode()


def escape_all(words: list[bytes]) -> list[bytes]:
    """Most texts need no escape at all, and that is quickly seen."""
    together = b"\n".join(words)
    try:
        together.decode()
    except UnicodeDecodeError:
        return [escape(word) for word in words]
    if together.count(b"\n") < len(words) and not re.search(rb"[\x00-\x09\x0b-\x1f\x7f\\]", together):
        return words
    return [escape(word) for word in words]


def unescape(word: bytes) -> bytes:
    def plain(found: re.Match[bytes]) -> bytes:
        return b"\\" if found[0] == b"\\\\" else bytes([int(found[1], 16)])

    if b"\\" not in word:
        return word
    if re.search(rb"\\(?!\\|x[0-9a-f]{2})", re.sub(rb"\\\\", b"", word)):
        raise ValueError
    return re.sub(rb"\\\\|\\x([0-9a-f]{2})", plain, word)
