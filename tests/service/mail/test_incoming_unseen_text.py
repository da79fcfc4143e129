"""Text that a player does not see, has struck out or has only attached is not a move; nor are texts that disagree."""

from __future__ import annotations

import pytest

from service.mail.incoming import html_to_text
from tests.support.letter_corpus import compose_reply, meaning

QUOTE = "On Fri, Jan 15, 2027 at 9:00 AM Echtra <play-x@echtra.example> wrote:\n> 3 lay G4\n> 4 lay B9\n"
HTML_QUOTE = (
    '<div class="gmail_quote"><div class="gmail_attr">On Fri, Jan 15, 2027 at 9:00 AM Echtra wrote:<br></div>'
    '<blockquote class="gmail_quote"><div>3 lay G4</div><div>4 lay B9</div></blockquote></div>'
)
STRIKES = {
    "gmail": "<div><strike>{}</strike></div>",
    "apple mail": '<div><span style="text-decoration: line-through;">{}</span></div>',
    "outlook": '<p class="MsoNormal"><s><span style="font-size:11.0pt">{}<o:p></o:p></span></s></p>',
    "word": '<p class="MsoNormal"><del cite="mailto:a" datetime="2027">{}</del></p>',
    "thunderbird": "<p><s>{}</s><br></p>",
    "yahoo": '<div dir="ltr" style="text-decoration-line:line-through">{}</div>',
    "editor": '<p><span class="ql-strike">{}</span></p>',
    "style sheet": "<style>/* x */ span.out, p.gone {{ text-decoration: line-through }}</style><p class='gone'>{}</p>",
}
HIDING = {
    "attribute": "<div hidden>{}</div>",
    "attribute with value": '<div hidden="hidden">{}</div>',
    "display": '<div style="DISPLAY : none !important">{}</div>',
    "visibility": '<div style="visibility:hidden">{}</div>',
    "collapse": '<div style="visibility:collapse">{}</div>',
    "no size": '<div style="font-size:0">{}</div>',
    "one pixel": '<span style="font-size:1px;line-height:1px">{}</span>',
    "font": '<span style="font: bold 1px/1px Arial">{}</span>',
    "opacity": '<div style="opacity:0.0">{}</div>',
    "white": '<div style="color:#FFFFFF">{}</div>',
    "font tag": '<font color="#fff">{}</font>',
    "own background": '<div style="background-color: rgb(20, 20, 60)"><i style="color:#14143c">{}</i></div>',
    "table background": '<table bgcolor="#eeeeee"><tr><td style="color:#eee">{}</td></tr></table>',
    "transparent": '<div style="color:transparent">{}</div>',
    "alpha": '<div style="color:rgba(0,0,0,0)">{}</div>',
    "off the page": '<div style="position:absolute; left:-9999px">{}</div>',
    "indented away": '<div style="text-indent:-9999em">{}</div>',
    "clipped": '<div style="max-height:0px;overflow:hidden">{}</div>',
    "clip": '<div style="position:absolute;clip:rect(0 0 0 0)">{}</div>',
    "outlook": '<div style="mso-hide:all">{}</div>',
    "style sheet": "<style>.pre {{display:none}}</style><div class='big pre'>{}</div>",
    "descendant": "<style>.mail .pre {{display:none}}</style><div class='mail'><b><i class='pre'>{}</i></b></div>",
    "child": "<style>div.a > p.b{{display:none}}</style><div class='a'><p class='b'>{}</p></div>",
    "sibling": "<style>h1 + p{{display:none}}</style><div><h1></h1><p>{}</p></div>",
    "later sibling": "<style>h1 ~ p{{visibility:hidden}}</style><div><h1></h1><b></b><p>{}</p></div>",
    "two classes": "<style>.a.b{{display:none}}</style><p class='a b'>{}</p>",
    "everything inside": "<style>#x *{{font-size:0}}</style><div id='x'><p>{}</p></div>",
    "class": '<span class="sr-only">{}</span>',
    "comment": "<!-- {} -->",
    "alt": '<img alt="{}">',
    "field": '<input value="{}"><textarea>{}</textarea>',
}
SHOWN = {
    "outlook": '<p class="MsoNormal" style="font-size:11.0pt;color:windowtext"><span lang="EN-GB">{}</span></p>',
    "apple": '<body style="word-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">{}</body>',
    "gmail": '<div dir="ltr" style="font-size:small;color:rgb(34,34,34)">{}</div>',
    "dark": '<body style="background-color:#000"><div style="color:#ffffff">{}</div></body>',
    "layout": '<table style="font-size:0"><tr><td style="font-size:14px;color:#333">{}</td></tr></table>',
    "underlined": '<u style="text-decoration:underline">{}</u>',
    "half seen": '<div style="opacity:0.5">{}</div>',
    "media rule": "<style>@media (max-width:600px) {{ .wide {{ display:none }} }}</style><div class='wide'>{}</div>",
    "other parent": "<style>.mail .pre{{display:none}}</style><div class='post'><p class='pre'>{}</p></div>",
    "not a child": "<style>.a > p{{display:none}}</style><div class='a'><div><p>{}</p></div></div>",
    "one class of two": "<style>.a.b{{display:none}}</style><p class='a'>{}</p>",
    "unknown selector": "<style>p:first-letter{{display:none}}</style><p>{}</p>",
    "margin": '<div style="margin-left:-10px;min-height:0">{}</div>',
}


@pytest.mark.parametrize("shape", STRIKES)
def test_what_is_struck_out_is_withdrawn(shape: str) -> None:
    struck = STRIKES[shape].format("lay G4")
    assert meaning(compose_reply(html=struck + HTML_QUOTE)) == {"refusal": "struck"}
    for plain in ("lay G4\n", "lay G4\n\n" + QUOTE):
        assert meaning(compose_reply(plain, struck + (HTML_QUOTE if QUOTE in plain else ""))) == {"refusal": "struck"}
    both = struck + "<div>lay B9</div>" + HTML_QUOTE
    assert meaning(compose_reply("lay G4\nlay B9\n\n" + QUOTE, both)) == {"lines": ["lay B9"]}
    assert meaning(compose_reply(html=both)) == {"lines": ["lay B9"]}


@pytest.mark.parametrize("text", ["l\u0336a\u0336y\u0336 \u0336G\u03364\u0336", "~~lay G4~~"])
def test_strokes_in_plain_text_strike_out_too(text: str) -> None:
    assert meaning(compose_reply(text)) == {"refusal": "struck"}
    assert meaning(compose_reply(f"{text} lay B9")) == {"lines": ["lay B9"]}


@pytest.mark.parametrize("shape", HIDING)
def test_what_is_hidden_is_not_read(shape: str) -> None:
    hidden = HIDING[shape].replace("{{", "{").replace("}}", "}").replace("{}", "lay G4")
    assert "lines" not in meaning(compose_reply(html=hidden + HTML_QUOTE))
    assert meaning(compose_reply(html=hidden + "<p>lay B9</p>" + HTML_QUOTE)) == {"lines": ["lay B9"]}
    # A text part that shows it disagrees with what the writer saw.
    assert meaning(compose_reply("lay G4\n\n" + QUOTE, hidden + HTML_QUOTE)) == {"refusal": "parts"}
    assert meaning(compose_reply("lay G4", hidden)) == {"refusal": "parts"}


@pytest.mark.parametrize("shape", SHOWN)
def test_what_mail_programs_style_is_read(shape: str) -> None:
    shown = SHOWN[shape].replace("{{", "{").replace("}}", "}").replace("{}", "lay G4")
    assert meaning(compose_reply(html=shown)) == {"lines": ["lay G4"]}
    assert meaning(compose_reply("lay G4", shown)) == {"lines": ["lay G4"]}


@pytest.mark.parametrize(
    "head",
    [
        "Content-Type: text/plain; name=moves.txt\nContent-Disposition: attachment; filename=moves.txt",
        "Content-Type: text/plain; name=moves.txt\nContent-Disposition: inline; filename=moves.txt",
        "Content-Type: text/plain\nContent-Disposition: inline",
        "Content-Type: text/plain\nContent-Disposition: attachment",
        "Content-Type: text/plain",
        "Content-Type: text/html; charset=utf-8",
        "Content-Type: text/plain; name*=utf-8''coups.txt",
    ],
)
def test_what_is_attached_is_not_read(head: str) -> None:
    attached = (head, "lay G4")
    picture = ("Content-Type: image/png; name=x.png\nContent-Disposition: inline; filename=x.png", "AAAA")
    for before in ((), (picture,)):
        assert "lines" not in meaning(compose_reply(" \n", "", *before, attached))
        assert "lines" not in meaning(compose_reply(" \n", "<p> </p>", *before, attached))
        assert "lines" not in meaning(compose_reply(QUOTE, "", *before, attached))
        assert meaning(compose_reply("lay B9\n\n" + QUOTE, "", *before, attached)) == {"lines": ["lay B9"]}
    named = 'name="' in head or "attachment" in head or "name" in head
    alone = f"From: aoife@example.org\nMessage-ID: <1@example.org>\n{head}\n\nlay G4\n".encode()
    assert ("lines" in meaning(alone)) is not named


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("lay G4", "<p>lay B9</p>"),
        ("3", "<p>4</p>"),
        ("3", "<p>3 no wait, 4</p>"),
        ("3 no wait, 4", "<p>3</p>"),
        ("resign", "<p>lay B9</p>"),
        ("3\n\n" + QUOTE, HTML_QUOTE),
        (QUOTE, "<p>3</p>" + HTML_QUOTE),
    ],
)
def test_parts_that_disagree_are_refused(plain: str, html: str) -> None:
    assert meaning(compose_reply(plain, html)) == {"refusal": "parts"}


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("*3*\n\n" + QUOTE, "<div><b>3</b></div>" + HTML_QUOTE),
        ("3\n-- \nAoife <https://example.org/>\n", '<p>3</p><div class="gmail_signature"><a href="x">Aoife</a></div>'),
        ("3\n\n[image: logo]\n" + QUOTE, '<p>3</p><p><img alt="logo"></p>' + HTML_QUOTE),
        (QUOTE + "\n3\n", '<div class="gmail_quote"><blockquote>3 lay G4<br>4 lay B9</blockquote><p>3</p></div>'),
        ("3\n\nIt is your turn.\n", '<p>3</p><div id="divRplyFwdMsg"></div><div>It is your turn.</div>'),
        ("lay G4\nAoife Byrne\nPotter\n", '<p>lay G4</p><div id="Signature">Aoife Byrne<br>Potter</div>'),
    ],
)
def test_parts_that_only_look_different_agree(plain: str, html: str) -> None:
    assert meaning(compose_reply(plain, html)) == {"lines": ["lay G4"]}


@pytest.mark.parametrize(
    "row",
    [
        "<table><tr><td>3</td><td>lay G4</td><td>Lay green 4</td></tr></table>",
        "<table><tbody><tr><td><p>3</p></td><td><p><b>lay G4</b></p></td><td><div>Lay green 4</div></td></tr></table>",
        "<table><tr><th>3</th><td><code>lay G4</code></td></tr></table>",
    ],
)
def test_a_row_of_a_table_is_one_line(row: str) -> None:
    assert len(html_to_text.convert(row).split("\n")) == 1
    assert meaning(compose_reply(html=row)) == {"lines": ["lay G4"]}
    for broken in ("3\nlay G4\nLay green 4\n", "3\n\nlay G4\n\nLay green 4\n", "3\tlay G4\tLay green 4\n"):
        if broken.split() == html_to_text.convert(row).split():
            assert meaning(compose_reply(broken, row)) == {"lines": ["lay G4"]}
            assert meaning(compose_reply(broken)) == {"lines": ["lay G4"]}


def test_a_numbered_list_keeps_its_numbers() -> None:
    assert meaning(compose_reply(html='<ol start="3"><li>lay G4</li></ol>')) == {"lines": ["lay G4"]}
    assert meaning(compose_reply("   3. lay G4", '<ol><li value="3"><p>lay G4</p></li></ol>')) == {"lines": ["lay G4"]}
    assert "refusal" in meaning(compose_reply(html="<ol><li>lay G4</li></ol>"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lay G4\nlay B9", "contradiction"),
        ("3\nlay B9", "contradiction"),
        ("lay G4\n\nlay B9", "contradiction"),
        ("lay G4\ndiscard G4", "contradiction"),
        ("lay G4, lay B9", "contradiction"),
        ("3\n4", "contradiction"),
        ("lay G4\n4", "contradiction"),
    ],
)
def test_lines_that_exclude_each_other_are_refused(text: str, reason: str) -> None:
    assert meaning(compose_reply(text)) == {"refusal": reason}


@pytest.mark.parametrize("text", ["lay G4\nlay G4", "3\nlay G4", "lay G4\nPoser vert 4"])
def test_a_line_that_is_said_twice_counts_once(text: str) -> None:
    assert meaning(compose_reply(text)) == {"lines": ["lay G4"]}


@pytest.mark.parametrize(
    "text",
    [
        "3, pioche",
        "3\npioche",
        "3, je pioche",
        "3 puis pioche",
        "3 et pioche",
        "poser vert 4, pioche",
        "3 and draw deck",
    ],
)
def test_one_word_for_drawing_from_the_deck_is_enough(text: str) -> None:
    assert meaning(compose_reply(text)) == {"lines": ["lay G4", "draw deck"]}
