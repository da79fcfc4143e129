"""An email as HTML: every style inline, nothing loaded from elsewhere, every word escaped."""

from __future__ import annotations

import re
from functools import singledispatch
from html import escape
from urllib.parse import quote

from service.mail.letters import blocks
from service.mail.letters.blocks import Block, Letter

INK, SOFT, PAPER, CARD, GREEN, RULE, WASH = "#2b2620", "#665d4d", "#f6f1e4", "#fffdf6", "#1a6a43", "#d8cfb8", "#eaf1e2"
BAND = "linear-gradient(90deg,#b8402a 0 25%,#f2cf4a 25% 50%,#1f7a4d 50% 75%,#2f6db3 75%)"
SERIF = "Georgia,'Times New Roman',serif"
SANS = "-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
MONO = "ui-monospace,Consolas,Menlo,'DejaVu Sans Mono',monospace"
TYPED_WORDS = re.compile(r"`([^`\n]{1,80})`")
STYLESHEET = f"""@media (prefers-color-scheme: dark) {{
body,.paper{{background:#1c1814!important}} .card{{background:#26211b!important;border-color:#40382d!important}}
.ink{{color:#efe8d9!important}} .soft{{color:#b0a592!important}} .green{{color:#7ccf9f!important}}
.wash{{background:#26332a!important;border-color:#7ccf9f!important}} .rule{{border-color:#40382d!important}}
.picture{{background:#26211b!important;border-color:#40382d!important;filter:brightness(.78)}}
.pill{{background:#7ccf9f!important;color:#10231a!important}} }}
@media (max-width: 480px) {{
.card{{padding:20px 16px!important;border-radius:0!important}} .paper{{padding:0!important}} }}
pre{{font-family:{MONO}}}"""


def render_html(letter: Letter, link_to: str, known: str = "") -> str:
    """Return the whole email as one document. Numbers in menus open a reply to `link_to`, if that is given."""
    body = "\n".join(_render_block(block, letter.subject, link_to, known) for block in _order_blocks(letter.blocks))
    return (
        f'<!doctype html>\n<html lang="{letter.to.locale}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(letter.subject)}</title>\n<style>{STYLESHEET}</style>\n</head>\n"
        f'<body style="margin:0;padding:0;background:{PAPER}">\n'
        f'<div style="display:none;max-height:0;overflow:hidden">{escape(letter.preview)}</div>\n'
        f'<div class="paper" style="background:{PAPER};padding:24px 12px">\n'
        f'<div style="max-width:640px;height:5px;margin:0 auto;background:{GREEN};background:{BAND}"></div>\n'
        f'<div class="card ink" style="max-width:640px;margin:0 auto;padding:28px 32px;background:{CARD};color:{INK};'
        f"border:1px solid {RULE};border-top:0;border-radius:0 0 6px 6px;"
        f'font:16px/1.55 {SANS};box-sizing:border-box">\n'
        f'<p class="green" style="margin:0 0 14px;font:bold 14px/1 {SERIF};letter-spacing:.14em;color:{GREEN}">'
        f"ECHTRA</p>\n{body}\n</div>\n</div>\n</body>\n</html>\n"
    )


def _order_blocks(given: tuple[Block, ...]) -> list[Block]:
    """Return the blocks in the order of a page: text that a picture shows too goes to the end, above small print."""
    later = [block for block in given if isinstance(block, blocks.Preformatted) and block.title]
    shown = [block for block in given if block not in later]
    end = len(shown)
    while end and isinstance(shown[end - 1], blocks.SmallPrint):
        end -= 1
    return [*shown[:end], *(part for each in later for part in (blocks.Heading(each.title), each)), *shown[end:]]


def _render_block(block: Block, subject: str, link_to: str, known: str) -> str:
    if isinstance(block, blocks.Menu):
        return _render_menu(block, subject, link_to)
    if isinstance(block, blocks.Picture):
        return _render_picture(block, block.cid(known))
    return render_element(block)


def _render_menu(menu: blocks.Menu, subject: str, link_to: str) -> str:
    address = f"mailto:{quote(link_to, safe='@')}?subject={quote(f'Re: {subject}')}&body=" if link_to else ""
    rows = "".join(
        f'<tr><td style="padding:3px 12px 3px 0;vertical-align:top;text-align:right">'
        f"{_render_number(f'{menu.prefix}{choice.number}', address)}</td>"
        f'<td style="padding:5px 0;vertical-align:top"><span class="ink" style="color:{INK}">{escape(choice.sentence)}'
        f'</span> <span class="soft" style="margin-left:6px;font:13px {MONO};color:{SOFT};white-space:nowrap">'
        f"{escape(choice.line)}"
        "</span></td></tr>\n"
        for choice in menu.choices
    )
    more = f'<p class="soft" style="margin:0 0 16px;color:{SOFT}">{escape(menu.more)}</p>' if menu.more else ""
    return f'<table role="presentation" style="border-collapse:collapse;margin:0 0 12px">\n{rows}</table>{more}'


def _render_number(words: str, address: str) -> str:
    looks = (
        f"display:inline-block;min-width:20px;padding:3px 9px;border-radius:13px;background:{GREEN};color:#ffffff;"
        f"font:bold 14px/20px {SANS};text-align:center;text-decoration:none;white-space:nowrap"
    )
    if not address:
        return f'<span class="pill" style="{looks}">{escape(words)}</span>'
    return f'<a class="pill" href="{escape(address + quote(words))}" style="{looks}">{escape(words)}</a>'


def _render_words(words: str) -> str:
    """Return words escaped, with the text between backticks as code."""
    return TYPED_WORDS.sub(rf'<code style="font:.92em {MONO}">\1</code>', escape(words))


def _render_picture(picture: blocks.Picture, cid: str) -> str:
    return (
        f'<p style="margin:0 0 16px"><img src="cid:{escape(cid)}" alt="{escape(picture.alt)}" width="{picture.width}" '
        f'style="display:block;width:100%;max-width:{picture.width}px;height:auto;border:1px solid {RULE};'
        'border-radius:4px;box-sizing:border-box" class="picture"></p>'
    )


@singledispatch
def render_element(block: Block) -> str:
    """Return the element of a block."""
    raise TypeError(f"{type(block).__name__} is not a block of an email")


@render_element.register
def _(block: blocks.Heading) -> str:
    return (
        f'<h2 class="ink rule" style="margin:26px 0 10px;padding-top:16px;border-top:1px solid {RULE};'
        f'font:bold 18px/1.3 {SERIF};color:{INK}">{escape(block.words)}</h2>'
    )


@render_element.register
def _(block: blocks.Para) -> str:
    if block.strong:
        return (
            f'<h1 class="ink" style="margin:0 0 12px;font:bold 23px/1.3 {SERIF};color:{INK}">{escape(block.words)}</h1>'
        )
    return f'<p style="margin:0 0 14px;overflow-wrap:anywhere">{_render_words(block.words)}</p>'


@render_element.register
def _(block: blocks.SmallPrint) -> str:
    words = escape(block.words)
    if block.url:
        link = f'<a class="soft" href="{escape(block.url)}" style="color:{SOFT}">'
        words = f"{words} {link}{escape(block.link)}</a>" if block.link else f"{link}{words.rstrip(' :')}</a>"
    looks = f"margin:0 0 8px;font-size:13px;line-height:1.5;color:{SOFT};overflow-wrap:anywhere"
    return f'<p class="soft" style="{looks}">{words}</p>'


@render_element.register
def _(block: blocks.Bullets) -> str:
    items = "".join(f'<li style="margin:0 0 5px">{_render_words(item)}</li>\n' for item in block.items)
    return f'<ul style="margin:0 0 14px;padding-left:20px">\n{items}</ul>'


@render_element.register
def _(block: blocks.Preformatted) -> str:
    return (
        f'<pre class="ink" style="margin:0 0 14px;font:12px/1.45 {MONO};color:{INK};white-space:pre-wrap;'
        f'overflow-wrap:anywhere">{escape(block.words)}</pre>'
    )


@render_element.register
def _(block: blocks.FactList) -> str:
    rows = "".join(
        f'<tr><td class="soft" style="padding:3px 14px 3px 0;color:{SOFT};vertical-align:top;'
        f'white-space:nowrap">{escape(label)}</td>'
        f'<td style="padding:3px 0;overflow-wrap:anywhere">{escape(value)}</td></tr>\n'
        for label, value in block.rows
    )
    return (
        f'<table role="presentation" class="wash" style="border-collapse:separate;margin:0 0 16px;padding:8px 14px;'
        f'width:100%;background:{WASH};border-left:3px solid {GREEN};font-size:15px">\n{rows}</table>'
    )


@render_element.register
def _(block: blocks.ScoreTable) -> str:
    cell = f"padding:5px 8px;border-bottom:1px solid {RULE};text-align:right"
    head = "".join(f'<th scope="col" class="rule" style="{cell}">{escape(name)}</th>' for name in block.names)
    rows = ""
    for at, (label, cells) in enumerate(block.rows, 1):
        weight = ";font-weight:bold" if block.summed and at == len(block.rows) else ""
        rows += f'<tr><th scope="row" class="rule" style="{cell};text-align:left;font-weight:normal{weight}">'
        rows += f"{escape(label)}</th>"
        rows += "".join(f'<td class="rule" style="{cell}{weight}">{escape(each)}</td>' for each in cells) + "</tr>\n"
    table = "border-collapse:collapse;margin:0 0 16px;width:100%;font-size:15px"
    return f'<table style="{table}">\n<tr><th></th>{head}</tr>\n{rows}</table>'


@render_element.register
def _(block: blocks.Link) -> str:
    looks = (
        f"display:inline-block;padding:11px 22px;border-radius:5px;background:{GREEN};color:#ffffff;"
        "text-decoration:none;font-weight:bold"
    )
    link = f'<a class="pill" href="{escape(block.url)}" style="{looks}">{escape(block.words)}</a>'
    return f'<p style="margin:0 0 16px">{link}</p>'


@render_element.register
def _(block: blocks.Passcode) -> str:
    looks = (
        f"margin:0 0 16px;padding:12px 18px;background:{WASH};font:bold 24px {MONO};letter-spacing:.12em;color:{INK}"
    )
    return f'<p class="wash ink" style="{looks};overflow-wrap:anywhere">{escape(block.words)}</p>'


@render_element.register
def _(block: blocks.Quote) -> str:
    words = escape(block.words).replace("\n", "<br>")
    return (
        f'<p style="margin:0 0 4px"><strong>{escape(block.who)}</strong></p><blockquote class="rule" '
        f'style="margin:0 0 14px;padding:2px 0 2px 14px;border-left:3px solid {RULE}">{words}</blockquote>'
    )
