"""The texts of the catalogue: each in both languages with the same values, each used, and none missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.words import Locale
from service.i18n import catalogue
from service.i18n.catalogue import FOLDER, LETTERS, PLAIN_SPACES, BadTexts, Plural, Text, read_texts, text_files
from service.problems import STATUSES
from tests.support.text_keys import KEY, UsedKeys, placeholders

ROOT = Path(__file__).parents[3]
TEXTS = read_texts(text_files())
VARIABLE_KEYS = {
    r"(turn|reminder|urgent)\.lead",  # service/mail/letters/turn.py
    r"(late|still)\.you",  # service/mail/letters/missed_deadline.py
}
"""Keys that no code names in full."""
ODD_FRENCH = re.compile(r"[^\u00a0\s(][;?!»](?!\w)| [:;?!»]|« |'")
"""Signs without their space before them, with a space that may break, or straight apostrophes."""
ODD_ENGLISH = {
    "say email address": r"\bmail address",
    "say your own, their own, its own": r"\b(?:the|an) own\b",
    "say again": r"\banew\b",
    "say the maximum, the minimum": r"\bwhich is the (?:most|least)\b",
    "say by TIME": r"\bat the latest until\b|\buntil at the latest\b",
    "say that does not exist": r"\bthat there (?:is|are) not\b",
    "say fix, repair": r"\bmend(?:s|ed|ing)?\b",
    "say character": r"\bhalf of a sign\b|\bthis sign\b",
}
"""Words that no English speaker would write, and what to write instead."""


def used_keys() -> UsedKeys:
    """The keys that our code names."""
    used = UsedKeys(patterns=set(VARIABLE_KEYS))
    for package in ("service", "worker", "cli"):
        for path in (ROOT / package).rglob("*.py"):
            used.add_python(path.read_text("utf-8"))
    for path in (ROOT / "service/web/templates").glob("*.html"):
        used.add_template(path.read_text("utf-8"))
    return used


def different_values(texts: dict[str, dict[Locale, Text]]) -> list[str]:
    """The keys whose languages have different values in them."""
    return [key for key, text in texts.items() if placeholders(text["en"]) != placeholders(text["fr"])]


def written(folder: Path, text: str, name: str = "made_up") -> Path:
    """A file of texts."""
    path = folder / f"{name}.toml"
    path.write_text(text, "utf-8")
    return path


def test_every_key_is_used() -> None:
    assert used_keys().unused(TEXTS) == []


def test_every_key_in_the_code_exists() -> None:
    used = used_keys()
    assert used.missing(TEXTS) == []
    # A key in a variable is known by its first word, which names a file; pages of the mailbox have such names too.
    files = "|".join(path.stem for path in FOLDER.glob("*.toml") if path.stem != "mailbox")
    named = re.compile(rf"({files})\.(?!html$){KEY}")
    assert [word for word in used.words if named.fullmatch(word) and word not in TEXTS] == []


def test_both_languages_have_the_same_values() -> None:
    assert different_values(TEXTS) == []


def test_keys_are_lower_case_words_with_dots() -> None:
    assert [key for key in TEXTS if not re.fullmatch(KEY, key)] == []


def test_the_first_word_of_a_key_names_its_file() -> None:
    names = {path.stem for path in FOLDER.glob("*.toml")}
    for path in text_files():
        firsts = {key.partition(".")[0] for key in read_texts([path])}
        if path.parent.name == LETTERS:
            assert not firsts & names, path.name
        else:
            assert firsts == {path.stem}
    assert names >= PLAIN_SPACES


def shown_french() -> Iterator[tuple[str, str]]:
    """Yield every French text of emails and pages as shown."""
    for key, texts in TEXTS.items():
        first = key.partition(".")[0]
        if first not in PLAIN_SPACES:
            shown = catalogue.find_text("fr", key)
            assert isinstance(shown, Plural) == isinstance(texts["fr"], Plural)
            for text in (shown.one, shown.other) if isinstance(shown, Plural) else (shown,):
                yield key, re.sub(r"<[^>]*>", "", text).replace("&nbsp;", "\u00a0")


def test_french_has_its_spaces_and_its_apostrophes() -> None:
    assert [key for key, text in shown_french() if ODD_FRENCH.search(text)] == []


def test_every_kind_of_problem_has_a_title_and_a_page() -> None:
    wanted = {f"problems.{kind}.{part}" for kind in STATUSES for part in ("title", "page")}
    assert {key for key in TEXTS if key.startswith("problems.")} == wanted


# Each of these checks finds what it is for.


def test_a_text_without_french_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, '[made_up.key]\nen = "Hello"\n')
    with pytest.raises(BadTexts, match=r"made_up\.key is not there in every language"):
        read_texts([path])


@pytest.mark.parametrize(
    "text",
    [
        'made_up = "no table"\n',
        "[made_up.key]\nen = 1\nfr = 2\n",
        '[made_up.key]\nen = { one = "one" }\nfr = "deux"\n',
        '[made_up.key]\nen = { one = "one", other = "some", few = "a few" }\nfr = "deux"\n',
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadTexts):
        read_texts([written(tmp_path, text)])


def test_a_key_that_stands_in_two_files_is_refused(tmp_path: Path) -> None:
    text = '[made_up.key]\nen = "Hello"\nfr = "Bonjour"\n'
    with pytest.raises(BadTexts, match=r"stands in two\.toml and in another file"):
        read_texts([written(tmp_path, text, "one"), written(tmp_path, text, "two")])


def test_other_values_in_another_language_are_found(tmp_path: Path) -> None:
    same = '[made_up.same]\nen = "{name} is {age:.1f}"\nfr = "{age:.1f} : {name!r}"\n'
    plural = '[made_up.plural]\nen = { one = "One {thing}", other = "{count} {thing}" }\nfr = "{count} {thing}"\n'
    odd = '[made_up.odd]\nen = "{name}"\nfr = "{nom}"\n'
    assert different_values(read_texts([written(tmp_path, same + plural + odd)])) == ["made_up.odd"]


def test_a_key_that_nobody_uses_is_found() -> None:
    used = UsedKeys()
    used.add_python('translate(locale, "a.one")\nkey = "a.two"\ntranslate(locale, f"b.{name}")\nx = "c." + kind')
    used.add_template("""{{ t("a.three", name=1) }} {{ t_html('a.four') }} {{ t("d." ~ state) }}""")
    assert used.unused(["a.one", "a.two", "a.three", "a.four", "b.any", "c.any", "d.any"]) == ["c.any"]
    used.add_python('translate(locale, "c." + kind)')
    assert used.unused(["a.five", "b.x.y", "c.any", "e.any"]) == ["a.five", "e.any"]


def test_a_key_that_does_not_exist_is_found() -> None:
    keys = ["a.one", "b.one"]
    for code in ('translate(locale, "a.two")', 'msg("a.two", x=1)', 'refusal(locale, "a.two" if x else "a.one")'):
        used = UsedKeys()
        used.add_python(code)
        assert used.missing(keys) == ["a.two"]
    used = UsedKeys()
    used.add_template('{{ t("a.one") }} {{ t_html("b.two") }}')
    used.add_python(
        'bilingual_option("--x", text="c.x")\ntranslate(locale, f"b.x.{name}")\ntranslate(locale, f"b.{x}")'
    )
    assert used.missing(keys) == ["b.two", "c.x", r"b\.x\." + KEY]


@pytest.mark.parametrize("advice", ODD_ENGLISH)
def test_english_texts_have_no_word_of_a_translation(advice: str) -> None:
    odd = re.compile(ODD_ENGLISH[advice])
    texts = {key: str(values["en"]) for key, values in TEXTS.items()}
    assert {key: text for key, text in texts.items() if odd.search(text)} == {}, advice
