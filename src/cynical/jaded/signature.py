"""The signature of a ranking: everything that its bytes depend on, in one line, like sacrebleu's for a score.

    cynical|n:2|per:word|tok:words|uc:15.0.0|r:1f3a9c20|a:77b0c1d2|v:1.0.0rc1

First comes the method, then the options that are not the defaults, how text becomes words (tok:, lower:, norm:, and the
version of the Unicode tables where these decide), hashes of the corpora (r: REPRESENTATIVE, one for each target, u:
UNADAPTED, s: SEED, a: AVAILABLE, w: its other sides, x: the lines that are excluded), and the version of cynical. The
hash of a single plain file is its CRC-32.
"""

from __future__ import annotations

import struct
import unicodedata
import zlib
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from ..options import Recorded, Value
from ..text.checksum import Checksum
from ..text.corpus import Corpus
from ..version import __version__

BY_UNICODE = ("words", "characters")  # tokenizers that go by its tables
LARGE = 1e15  # from here on a whole number is written as a float is
PLAIN = ":,.+-_/"  # characters of a value that stay what they are


def make_signature(method: str, changed: Recorded, text_signature: str, hashes: Mapping[str, Sequence[int]]) -> str:
    """One line: options that are not the defaults, by their short names, and hashes of the corpora, by letter."""
    said = [f"{name}:{_shown(value)}" for name, value in changed.items() if value not in (None, False)]
    corpora = [f"{letter}:{','.join(f'{one:08x}' for one in some)}" for letter, some in hashes.items()]
    return "|".join([method, *said, *_of_text(text_signature), *corpora, f"v:{__version__}"])


def _of_text(text_signature: str) -> list[str]:
    """How text becomes words, without what is the default and what the options say."""
    parts = dict(part.partition(":")[::2] for part in text_signature.split("|"))
    made = [f"tok:{parts['tok']}"]
    if parts.get("lower") == "yes":
        made.append("lower:yes")
    if "norm" in parts:
        made.append(f"norm:{parts['norm']}")
    if parts["tok"] in BY_UNICODE or len(made) > 1:
        made.append(f"uc:{unicodedata.unidata_version}")
    return made


def _shown(value: Value) -> str:
    """A value without the characters that have a meaning here; 2000.0 is 2000."""
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGE:
        value = int(value)
    return "yes" if value is True else quote(str(value), safe=PLAIN)


def hash_of_corpus(corpus: Corpus, *, named: bool = False) -> int:
    """A hash of a corpus that was read; `named` says that the names of its files matter, where there are several."""
    if len(corpus.parts) == 1:
        return corpus.checksums[0].crc
    names = [part.name if named else "" for part in corpus.parts]
    return zlib.crc32(b"".join(map(_entry, names, corpus.checksums)))


def _entry(name: str, checksum: Checksum) -> bytes:
    raw = name.encode("utf-8", "surrogateescape")
    return struct.pack("<QQI", len(raw), checksum.size, checksum.crc) + raw


def hash_of_all(hashes: Iterable[int]) -> int:
    """One hash of some, in their order; of one, itself."""
    found = list(hashes)
    return found[0] if len(found) == 1 else zlib.crc32(struct.pack(f"<{len(found)}I", *found))
