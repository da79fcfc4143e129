"""What is new in a reply: the text above the quote, or below one that is marked line by line; never anything else."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engine.words import LOCALES, plain
from service.i18n.catalogue import translate
from service.mail.incoming import commands

REPLY_LINES = tuple(translate(locale, "answer.above") for locale in LOCALES)
"""What our letters say above everything else: a reply stands before it."""


def _any_of(*patterns: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), flags)


QUOTED = re.compile(r"[ \t]{0,3}(?:[A-Z][A-Za-z]{0,2})?>|[ \t]{0,3}[|¦][ \t]|[ \t]{0,3}[»▌]")
"""A line that is marked as quoted; some programs put the writer's initials before the mark."""

_VERBS = (
    r"wrote|writes|said|a [ée]crit|a dit|[ée]crivait|schrieb|escribi[óo]|ha scritto|schreef|escreveu|skrev|"
    r"napisał\w*|kirjoitti|scrisse|пишет|написал\w*|写道"
)
_BEGINS = r"on|le|am|el|il(?: giorno)?|op|em|den|at|w dniu|dnia|sur|date|在|il y a|d\.|[ \t]*в"
_DATE_OR_ADDRESS = r"(?:@|\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})"
DATED = re.compile(_DATE_OR_ADDRESS)
SENTENCE = _any_of(rf"(?:{_BEGINS})\b.{{2,300}}?\b(?:{_VERBS})\b.{{0,80}}?[:：][-> ]*$")
"""The sentence before a quote, on one line or joined from several."""

RUN_ON = _any_of(rf"(?:{_BEGINS})\b.{{2,200}}?<[^<>\s]{{1,200}}@[^<>\s]{{1,200}}>\s*(?:{_VERBS})\s?[:：]")
"""The same where the quote goes on behind it on the same line."""

ATTRIBUTION = _any_of(
    rf"(?=.*{_DATE_OR_ADDRESS}).{{1,200}}?\b(?:{_VERBS})\b.{{0,120}}?[:：][-> ]*$",
    rf"(?=.*{_DATE_OR_ADDRESS})(?:\*|quoting|citing|citation de|selon|from|de) .{{2,200}}[:：]$",
    r"\d{4}[-/]\d{1,2}[-/]\d{1,2}.{0,20}<?[^\s@]{1,64}@[^\s@]{1,200}>?\s*[:：]$",
    r"[^\n]{0,120}<[^\s@<>]{1,64}@[^\s@<>]{1,200}>\s*[:：]$",
)
"""Other forms of it, which begin with a name or a date."""

WROTE = _any_of(rf"[^\n:]{{1,80}}\b(?:{_VERBS})\s?[:：]$")
"""The short form of it: a name and a verb."""

_NAMES = (
    r"from|sent|date|to|cc|subject|reply-to|importance|de|envoy[ée](?: le| par)?|[àa]|objet|sujet|copie|"
    r"r[ée]pondre [àa]|exp[ée]diteur|destinataire|von|gesendet|an|betreff|datum|da|inviato|oggetto|a|para|asunto|"
    r"enviado|assunto|data|van|verzonden|aan|onderwerp"
)
FIELD = re.compile(
    rf"[ \t]{{0,3}}[*_]{{0,2}}(?:{_NAMES})[ \t]?[*_]{{0,2}}[ \t]?[:：][*_]{{0,2}}[ \t]*\S", re.IGNORECASE
)
"""One header of an old message, as Outlook and its kin print them."""

SEPARATOR = _any_of(
    r"[-_=*#~> ]{1,40}(?:original|origine|forwarded|replied|reply|ursprüngliche|urspr\.|weitergeleitete|"
    r"oorspronkelijk|mensa(?:je|gem)|messaggio|message|transf[ée]r[ée]|nachricht|r[ée]exp[ée]di[ée])\b"
    r".{0,60}[-_=*#~]{2,40}\s*$",
    r"-{3,}\s?(?:on|le)\b.{4,}$",
    r"(?:begin forwarded message|d[ée]but du message (?:r[ée]exp[ée]di[ée]|transf[ée]r[ée])|forwarded message|"
    r"message transf[ée]r[ée])\s?:?$",
    r"original message\s?:?$",
    r"message (?:d.origine|original)\s?:?$",
    *(rf".{{0,10}}{re.escape(text[:-1])}" for text in REPLY_LINES),
    r"\[(?:quoted text hidden|texte des messages pr[ée]c[ée]dents masqu[ée])\]$",
    r"-----BEGIN PGP (?:SIGNATURE|MESSAGE)-----$",
)
"""A line after which an old message stands without marks."""

RULE = re.compile(r"(?:_{5,}|-{5,}|={5,}|\*{5,}|~{5,}|#{5,}|[─━—–]{3,}|(?:[-_=*] ){4,}[-_=*]?)\s*$")
SIGNATURE = re.compile(r"(?:--|[—–]|__|- -)\s*$")
ARMOUR = "-----BEGIN PGP SIGNED MESSAGE-----"

_DEVICES = r"(?:my|mon|ma|mes|mein\w*|mi|meu|mijn|il mio|an?|une?)\s+\S"
_SENT = r"(?:sent|posted|written|typed|dictated)\s+(?:from|via|using|by|with|on)"
FOOTER = _any_of(
    rf"[*_\[(]?{_SENT}\s+(?:{_DEVICES}|the\s|(?-i:[A-Z<\[*]))",
    r"[*_\[(]?sent with (?:\S+ ){0,4}\S+",
    r"[*_\[(]?(?:get|download|obtene[rz]|obtenir|t[ée]l[ée]charge[rz]) .{0,30}(?:outlook|bluemail|mail|proton)\b",
    r"[*_\[(]?(?:envoy[ée]|[ée]crit|dict[ée]|r[ée]dig[ée])e?\s+"
    r"(?:de|depuis|d['’]|via|avec|par|[àa] partir d(?:e|u|['’]\S*)|sur|gr[âa]ce)\b",
    r"provenance\s?:",
    r"von meinem .{2,40} gesendet",
    r"gesendet (?:von|mit|aus) ",
    r"enviado (?:desde|do|de|a partir) ",
    r"inviato da(?:l|lla)? ",
    r"verzonden (?:vanaf|met|via) ",
    r"(?:virus-free|sans virus|garanti sans virus|l['’]absence de virus)",
    r"(?:please )?(?:consider|think of|pensez [àa]|avant d['’]imprimer).{0,40}(?:environment|print|imprim)",
    r"excuse.{0,20}(?:brevity|typos|spelling)",
    r"(?:excusez|d[ée]sol[ée]e? pour) (?:la bri[èe]vet[ée]|les fautes)",
)
"""A line that phones and mail programs add under a message."""
NOTICE = _any_of(
    r"(?:this|ce) (?:e-?mail|message|courriel|courrier).{0,60}"
    r"(?:virus|avast|confiden|intended|destin[ée]|privileg)",
    r"(?:confidentiality (?:notice|note)|disclaimer|(?:avis|clause) de confidentialit[ée])\b",
)
"""How the notices begin that companies add under a message; they go on to its end."""

_WARNS = r"caution|external(?: e-?mail| sender)?|warning|attention|avertissement|(?:mail|courriel|expéditeur) externe"
_ABOUT = (
    r"external|this (?:e-?mail|message)|ce (?:message|courriel|mail)|e-?mail|courriel|do not|ne cliquez|from outside"
)
CAUTION = _any_of(
    rf"\[?(?:{_WARNS})\b[^\d]{{0,12}}(?:{_ABOUT})[^\n]*",
    r"\[(?:external|externe|ext)\]",
    r"you don['’]t often get e?-?mail from .*",
    r"vous n['’]obtenez pas souvent d['’]e-?mail .*",
)
"""Banners that mail gateways put on top."""

_WHO = r"(?:[ ,]+[^\W\d_][\w.'’-]*+){0,3}"
_GREETS = r"hi|hello|hey|hiya|dear|good (?:morning|day|evening)|bonjour|salut|bonsoir|coucou|ch[èe]re?s?|dia duit"
GREETING = _any_of(rf"(?:{_GREETS}){_WHO}\s?[,.!:]*")
_ENGLISH = (
    r"(?:many |kind(?:est)? |best |warm(?:est)? |with |all (?:the )?)*(?:thanks|regards|wishes|cheers|greetings|best)"
    r"(?: (?:a lot|so much|and regards|again))?|thank you(?: (?:very|so) much)?|thx|ta|br|"
    r"yours(?: (?:sincerely|truly|faithfully))?|sincerely(?: yours)?|cheerio|bye(?: for now)?|see you(?: soon)?|"
    r"take care|good luck|have fun|sl[áa]n(?: go f[óo]ill)?|love"
)
_FRENCH = (
    r"(?:bien |tr[èe]s )?cordialement|cdlt|cdt|merci(?: (?:bien|beaucoup|d['’]avance|encore))?|"
    r"(?:bien |amicalement |sinc[èe]rement )?(?:[àa] (?:vous|toi|bient[ôo]t|plus(?: tard)?)|v[ôo]tre)|"
    r"(?:bonne|belle) (?:journ[ée]e|soir[ée]e|partie|chance|fin de journ[ée]e)|amiti[ée]s|(?:bien )?amicalement|"
    r"bises?|bisous|(?:sinc[èe]res |meilleures )?salutations(?: distingu[ée]es)?|au revoir|a\+|@\+"
)
CLOSING = _any_of(rf"(?:{_ENGLISH}|{_FRENCH}){_WHO}\s?[,.!]*")
"""The words before a name."""
SIGNED_NAME = re.compile(r"[-–—~]{1,2}\s?[A-ZÀ-Ý][^\W\d_]*(?:[ .'-]{1,2}[A-ZÀ-Ý][^\W\d_]*){0,2}\.?")
"""A name behind a dash, as some sign."""
_PARTICLES = r"de|du|la|le|van|von|der|den|di|da|del|ní|nic|mac|mc|ó|o'"
WRITER = re.compile(rf"(?:[^\W\d_][\w.'’-]*+|[A-ZÀ-Ý]\.)(?: (?:{_PARTICLES}|[A-ZÀ-Ý][\w.'’-]*+)){{0,3}}[.,]?")
"""A name alone, of up to four words."""
CONTACT = re.compile(
    r"(?:\w{2,10}[.:] ?)?[+(]?\d[\d ().+/-]{6,25}\d|<?[\w.+-]{1,64}@[\w.-]{3,80}>?|(?:https?://|www\.)\S{3,200}"
)
"""A telephone number, or an address in the net."""
NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten un une deux trois quatre cinq sept huit neuf dix".split()
)
BULLET = re.compile(r"^[-*•·]\s+(?=[a-z0-9])")
ANSWER_WORD = re.compile(
    r"(?:yes|oui|no|non|ok|okay|d['’]accord|join|rejoindre|accept|accepter|decline|refuser|confirm|confirmer)[ .!]*",
    re.IGNORECASE,
)
NOTE_COMMAND = re.compile(r"note\b", re.IGNORECASE)
"""Words to the table: whatever follows is theirs."""


MOST_LINES = 4_000
MOST_COLUMNS = 2_000
LONGEST_ATTRIBUTION, WIDEST_ATTRIBUTION = 4, 400
FIELDS_NEEDED = 2
STRUCK = re.compile(
    r"(?:[^\n][\u0335-\u0338]+(?:[ \t]+(?![\u0335-\u0338]))?)+|"
    r"(?<![~\w])~~(?=[^\s~])[^\n]{0,200}?(?<=[^\s~])~~(?![~\w])"
)
"""Text that its writer struck out: with strokes through the letters, as HTML is read too, or between double tildes."""
STROKES = re.compile(r"[\u0335-\u0338]+")
INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")


@dataclass(frozen=True)
class ReplyText:
    """What the writer added; where there is nothing, `why` says what was there instead."""

    lines: tuple[str, ...] = ()
    why: str = ""
    hyphen: bool = False
    """Whether the first line, and no other, began with a hyphen; it was taken for a bullet and is gone."""
    struck: bool = False
    """Whether something was struck out in it, and is gone."""
    unread: tuple[str, ...] = ()
    """Text after a closing, or below and between quoted lines, which may change what was said above."""
    versions: tuple[str, ...] = ()
    """What its plain text and its HTML say, where they disagree and so neither counts."""

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def unmarked_text(text: str) -> str:
    """What of a text is not marked as quoted, whoever wrote it."""
    return "\n".join(line for line in map(_clean_line, text.split("\n")[:MOST_LINES]) if not QUOTED.match(line))


def extract_reply(text: str, *, keep_struck: bool = False) -> ReplyText:
    """The new text of a reply, without what was struck out unless that is to be kept."""
    cleaned = [_clean_line(line) for line in text.split("\n")[:MOST_LINES]]
    lines = [STROKES.sub("", line) if keep_struck else STRUCK.sub("", line).rstrip() for line in cleaned]
    if lines == cleaned:
        return _extract_new_lines(lines)
    found = _extract_new_lines(lines)
    kept = found if keep_struck else _extract_new_lines([STROKES.sub("", line).replace("~~", "") for line in cleaned])
    if keep_struck or found.lines == kept.lines:
        return found
    return replace(found, struck=True, why="" if found.lines else "struck")


def _extract_new_lines(lines: list[str]) -> ReplyText:
    """What is new in these lines."""
    lines = _strip_pgp_armour(lines)
    start = next((at for at in range(len(lines)) if _begins_quote(lines, at) or _ends_reply(lines, at)), len(lines))
    above, rest = _split_courtesies(lines[:start])
    if above or start == len(lines):
        hyphen, unread = _has_hyphen(lines[:start], above), (*rest, *_unread_rows(lines, start))
        return ReplyText(above, "" if above else "empty", hyphen, unread=unread)
    if SEPARATOR.match(lines[start].strip()) and _quote_follows(lines, start + 1):
        # Some programs put such a line above a quote that is marked at every line: text may stand below it.
        return _text_below_quote(lines, start + 1)
    if _ends_reply(lines, start):
        return ReplyText(
            why="empty" if not any(_begins_quote(lines, at) for at in range(start, len(lines))) else "quoted"
        )
    return _text_below_quote(lines, start)


def _clean_line(line: str) -> str:
    return INVISIBLE.sub("", line[:MOST_COLUMNS]).replace("\u00a0", " ").replace("\u202f", " ").rstrip(" \t\f\v")


def _strip_pgp_armour(lines: list[str]) -> list[str]:
    """The text inside a clear signature, if there is one."""
    filled = [at for at, line in enumerate(lines) if line]
    if not filled or lines[filled[0]] != ARMOUR:
        return lines
    head = filled[0]
    body = next((at for at in range(head, len(lines)) if not lines[at]), len(lines))
    return [line.removeprefix("- ") for line in lines[body + 1 :]]


def _begins_quote(lines: list[str], at: int) -> bool:
    """Whether a quote, or the line that introduces one, begins here."""
    return bool(QUOTED.match(lines[at])) or attribution_length(lines, at) > 0


def attribution_length(lines: list[str], at: int) -> int:
    """How many lines from here say who wrote what follows; mail programs break that sentence where they like."""
    if RUN_ON.match(lines[at].strip()[:WIDEST_ATTRIBUTION]):
        return 1
    joined = ""
    for count, line in enumerate(lines[at : at + LONGEST_ATTRIBUTION], 1):
        joined = f"{joined} {line.strip()}".strip()
        if not line.strip() or len(joined) > WIDEST_ATTRIBUTION:
            return 0
        if joined[-1] in ":：->" and _is_attribution(lines, at, count, joined):
            return count
    return 0


def _is_attribution(lines: list[str], at: int, count: int, joined: str) -> bool:
    if SENTENCE.match(joined) or (count == 1 and WROTE.match(joined)):
        return True
    named = count == 1 or bool(DATED.search(lines[at]))
    return named and (bool(ATTRIBUTION.match(joined)) or _quote_follows(lines, at + count))


def _quote_follows(lines: list[str], at: int) -> bool:
    """Whether a quote follows here at once or after one empty line."""
    return any(QUOTED.match(line) for line in lines[at : at + 1 + (not any(lines[at : at + 1]))])


def _ends_reply(lines: list[str], at: int) -> bool:
    """Whether nothing from here on counts: a signature, a footer, or an old message without marks at its lines."""
    line = lines[at].strip()
    if not line:
        return False
    return bool(FOOTER.match(line)) or _begins_signature(line) or _begins_old_message(lines, at)


def _begins_signature(line: str) -> bool:
    """Return True if a signature or notice starts here; it ends at the quote."""
    return bool(SIGNATURE.match(line) or RULE.match(line) or NOTICE.match(line))


def _begins_old_message(lines: list[str], at: int) -> bool:
    """Return True if an old message without quote marks starts here. Its end cannot be found."""
    return bool(SEPARATOR.match(lines[at].strip())) or _begins_header_block(lines, at)


def _begins_header_block(lines: list[str], at: int) -> bool:
    """Whether the headers of an old message begin here: at least two close together, in a language we know."""
    if not FIELD.match(lines[at]):
        return False
    block = [line for line in lines[at : at + 8] if line.strip()]
    return sum(1 for line in block[:5] if FIELD.match(line)) >= FIELDS_NEEDED


def _split_courtesies(lines: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is left without banners, a greeting and a closing, empty lines only between; and what follows the closing.

    A name under the closing belongs to it.
    """
    rest: list[str] = []
    kept = [BULLET.sub("", line.strip()) for line in lines if not CAUTION.match(line.strip())]
    while kept and (not kept[0] or GREETING.fullmatch(kept[0])):
        kept.pop(0)
    for at, line in enumerate(kept):
        if NOTE_COMMAND.match(line):
            break
        if at and (CLOSING.fullmatch(line) or SIGNED_NAME.fullmatch(line)):
            kept, rest = kept[:at], kept[at + 1 :]
            break
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept), tuple(row for row in rest if row and not is_signature(row))


def is_signature(row: str) -> bool:
    """Return True if a row after a closing is the writer's name or another closing."""
    if CLOSING.fullmatch(row) or GREETING.fullmatch(row) or SIGNED_NAME.fullmatch(row) or CONTACT.fullmatch(row):
        return True
    # A word that takes something back, a number or a command is no name.
    named = (
        WRITER.fullmatch(row) and commands.is_harmless(row) and commands.parse_command(row, commands.VERB_NAMES) is None
    )
    return bool(named) and plain(row) not in NUMBER_WORDS


def _unread_rows(lines: list[str], start: int) -> tuple[str, ...]:
    """The rows under the new text that are neither quoted nor added by a program.

    Only a quote that is marked at its lines can be told from new text.
    """
    last = max((at for at in range(start, len(lines)) if QUOTED.match(lines[at])), default=-1)
    rows: list[str] = []
    at, new, signed = start, False, False
    while at < len(lines):
        row, introduced = lines[at].strip(), attribution_length(lines, at)
        if (introduced and at > last) or (_begins_old_message(lines, at) and not _quote_follows(lines, at + 1)):
            break
        if QUOTED.match(lines[at]) or (introduced and _names_sender(lines[at : at + introduced])):
            new = signed = False
        elif _begins_signature(row):
            signed = True
        elif not row or FOOTER.match(row):
            new = True
        elif new and not signed and not is_signature(row):
            rows.append(row)
        at += introduced or 1
    return tuple(rows)


def _names_sender(lines: list[str]) -> bool:
    """Return True if the lines before a quote are its date or sender; others were typed by the writer."""
    joined = " ".join(line.strip() for line in lines)
    return bool(DATED.search(joined) or WROTE.match(joined) or SENTENCE.match(joined))


def _has_hyphen(lines: list[str], own: tuple[str, ...]) -> bool:
    """Whether the only bullet of a text is a hyphen before its first line: some games know it as a sign."""
    marked = [line.strip() for line in lines if BULLET.match(line.strip())]
    return len(marked) == 1 and marked[0].startswith("-") and own[:1] == (BULLET.sub("", marked[0]),)


def _text_below_quote(lines: list[str], start: int) -> ReplyText:
    """What stands under a quote that is marked at every line; nothing if anything stands between quotes."""
    last = max((at for at, line in enumerate(lines) if QUOTED.match(line)), default=-1)
    if last < start:
        return ReplyText(why="quoted")
    after = _first_line_after(lines, last)
    stop = next(
        (at for at in range(after, len(lines)) if _ends_reply(lines, at) or attribution_length(lines, at)), len(lines)
    )
    own, rest = _split_courtesies(lines[after:stop])
    if own and _has_inline_text(lines, start, last):
        return ReplyText(why="inline")
    unread = (*rest, *_unread_rows(lines, stop)) if own else ()
    return ReplyText(own, "" if own else "quoted", _has_hyphen(lines[after:stop], own), unread=unread)


def _first_line_after(lines: list[str], last: int) -> int:
    """Where new text may begin: after an empty line, as what touches a quote may be a quoted line broken in two.

    A word of consent or refusal alone is none: our letters have such words in quotation marks.
    """
    touching = last + 1
    if touching < len(lines) and ANSWER_WORD.fullmatch(lines[touching].strip()):
        below = touching + 1
        if below == len(lines) or not lines[below].strip() or _ends_reply(lines, below):
            return touching
    return next((at for at in range(last + 1, len(lines)) if not lines[at].strip()), len(lines))


def _has_inline_text(lines: list[str], start: int, last: int) -> bool:
    """Whether somebody wrote between the quoted lines, with an empty line before."""
    at = start + attribution_length(lines, start)
    while at < last:
        skipped = attribution_length(lines, at)
        if skipped:
            at += skipped
            continue
        if lines[at].strip() and not QUOTED.match(lines[at]) and not lines[at - 1].strip():
            return True
        at += 1
    return False
