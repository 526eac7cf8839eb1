# ruff: noqa: RUF001 - letters of other scripts look like Latin ones
"""Real sentences in many scripts: what their words are, and what is said of those without spaces."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.model.untokenized import hint
from cynical.text.tokenizer import Tokenizer
from tests import oracle
from tests.conftest import Run
from tests.text.test_tokenizers import lines_read

SPACED = {
    "Devanagari": "कृपया प्रिंटर चालू करें ।",
    "Bengali": "আমি প্রতিদিন সকালে বাংলা খবর পড়ি ।",
    "Gurmukhi": "ਮੈਂ ਪੰਜਾਬੀ ਬੋਲਦਾ ਹਾਂ ।",
    "Gujarati": "મને ગુજરાતી ખોરાક ગમે છે .",
    "Tamil": "நான் தினமும் தமிழ் படிக்கிறேன் .",
    "Telugu": "నేను తెలుగు నేర్చుకుంటున్నాను .",
    "Malayalam": "ഞാൻ നാളെ കൊച്ചിയിലേക്ക് പോകും .",
    "Sinhala with joiners": "ශ්\u200dරී ලංකාව ඉතා ලස්සන රටකි .",
    "Tibetan marks": "བོད་ སྐད་",
    "Arabic with harakat": "ذَهَبَ الوَلَدُ إِلَى المَدْرَسَةِ .",
    "Persian with non-joiners": "می\u200cخواهم کتاب\u200cها را بخوانم .",
    "Hebrew with niqqud": "שָׁלוֹם עוֹלָם , מַה שְׁלוֹמְךָ ?",
    "Greek": "Η γάτα κοιμάται στον ήλιο .",
    "Cyrillic": "Мой дядя живёт в Киеве .",
    "Armenian": "Ես սիրում եմ հայերեն :",
    "Georgian": "მე ვსწავლობ ქართულს .",
    "Korean": "저는 아침마다 커피를 마셔요 .",
    "Vietnamese": "Tôi muốn uống cà phê sữa đá .",
    "Amharic": "ሰላም ፣ እንዴት ነህ ?",
    "emoji": "👩🏽\u200d💻 ❤️ 👍🏽 ok",
}  # their words, with spaces between
UNSPACED = {
    "Chinese": "我们公司提供最好的翻译服务，请您尽快与我们联系。",
    "Japanese": "今日はとても天気がいいので、公園まで散歩に行きました。",
    "Thai": "กรุณาเปิดเครื่องพิมพ์ก่อนเริ่มทำงาน แล้วรอสักครู่หนึ่ง",
    "Lao": "ກະລຸນາເປີດເຄື່ອງພິມກ່ອນເລີ່ມວຽກ",
    "Khmer": "សូមបើកម៉ាស៊ីនបោះពុម្ពមុនពេលចាប់ផ្តើមធ្វើការ",
    "Burmese": "ကျေးဇူးပြု၍ပရင်တာကိုဖွင့်ပါ",
}
SEGMENTED = {
    "Chinese": "我们 公司 提供 最 好 的 翻译 服务 ， 请 您 尽快 与 我们 联系 。",
    "Japanese": "今日 は とても 天気 が いい ので 、 公園 まで 散歩 に 行き まし た 。",
    "Thai": "กรุณา เปิด เครื่องพิมพ์ ก่อน เริ่ม ทำงาน แล้ว รอ สักครู่ หนึ่ง",
    "Khmer": "សូម បើក ម៉ាស៊ីន បោះពុម្ព មុន ពេល ចាប់ផ្តើម ធ្វើការ",
}


@pytest.mark.parametrize("form", [None, "NFD", "NFC"])
@pytest.mark.parametrize("script", SPACED)
def test_a_word_keeps_its_marks_and_loses_its_punctuation(script: str, form: str | None) -> None:
    text = SPACED[script] if form is None else unicodedata.normalize(form, SPACED[script])  # type: ignore[arg-type]
    words = text.replace("།", " །").replace("་", " ་").split()
    written = "".join(word if not word.isalnum() and len(word) == 1 else f" {word}" for word in words)
    assert lines_read(written.encode(), Tokenizer("words")) == [[word.encode() for word in words]]


def test_a_zero_width_space_is_between_words() -> None:
    words = SEGMENTED["Khmer"].split()
    assert lines_read("\u200b".join(words).encode(), Tokenizer("words")) == [[word.encode() for word in words]]


ODD = "a1é.。क\u093f\u094d\u0301\u20e3\u200b\u200c\u200d\u200f\u00ad\ufeff\ufe0f👩💻🏽 \u3000\x1f"
marks = st.text(st.sampled_from(ODD), max_size=12)


@given(st.lists(marks, min_size=1, max_size=4))
def test_words_are_those_of_the_oracle(lines: list[str]) -> None:
    found = lines_read("".join(f"{line}\n" for line in lines).encode(), Tokenizer("words"))[: len(lines)]
    assert found == [oracle.words_of(line.encode(), tokenizer="words") for line in lines]


@pytest.mark.parametrize("tokenizer", ["whitespace", "words"])
@pytest.mark.parametrize("script", UNSPACED)
def test_a_text_with_few_spaces_earns_a_hint(script: str, tokenizer: str) -> None:
    counts = cynical.count([UNSPACED[script]] * 20, tokenizer=tokenizer)
    (said,) = hint("REPRESENTATIVE", [counts])
    assert "few spaces, like text in" in said
    assert "--tokenizer characters" in said
    assert "python:MODULE:FUNCTION" in said
    mixed = cynical.count([UNSPACED[script], SPACED["Vietnamese"]] * 20, tokenizer=tokenizer)
    assert hint("REPRESENTATIVE", [mixed]) == [said]


def test_other_texts_do_not() -> None:
    for text in [*SPACED.values(), *SEGMENTED.values(), "", "word " * 99, "http://" + "x" * 200]:
        for tokenizer in ("whitespace", "words"):
            counts = cynical.count([text, "a"] * 30, tokenizer=tokenizer)
            assert not any("few spaces" in said for said in hint("REPRESENTATIVE", [counts])), text
    assert hint("REPRESENTATIVE", [cynical.count([UNSPACED["Thai"]] * 20, tokenizer="characters")]) == []


def test_the_hint_is_shown(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "zh.txt").write_text(f"{UNSPACED['Chinese']}\n" * 30)
    assert cynical("count", "zh.txt", "-o", "-").stderr.count("has few spaces, like text in") == 1
