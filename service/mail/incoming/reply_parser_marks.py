"""The marks mail programs and people put around a reply, in English and French and a few neighbours."""

from __future__ import annotations

import re

ABOVE = {"en": "Write your answer above this line.", "fr": "Écrivez votre réponse au-dessus de cette ligne."}
"""A line for the head of our own letters: below it nothing counts, however a program quotes."""


def _any(*patterns: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), flags)


QUOTED = re.compile(r"[ \t]{0,3}(?:[A-Z][A-Za-z]{0,2})?>|[ \t]{0,3}[|¦][ \t]|[ \t]{0,3}[»▌]")
"""A line that is marked as quoted; some programs put the writer's initials before the mark."""

_VERBS = (
    r"wrote|writes|said|a [ée]crit|a dit|[ée]crivait|schrieb|escribi[óo]|ha scritto|schreef|escreveu|skrev|"
    r"napisał\w*|kirjoitti|scrisse|пишет|написал\w*|写道"
)
_BEGINS = r"on|le|am|el|il(?: giorno)?|op|em|den|at|w dniu|dnia|sur|date|在|il y a|d\.|[ \t]*в"
_LOOKS = r"(?:@|\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})"
DATED = re.compile(_LOOKS)
SENTENCE = _any(rf"(?:{_BEGINS})\b.{{2,300}}?\b(?:{_VERBS})\b.{{0,80}}?[:：][-> ]*$")
"""The sentence before a quote, on one line or joined from several."""

RUN_ON = _any(rf"(?:{_BEGINS})\b.{{2,200}}?<[^<>\s]{{1,200}}@[^<>\s]{{1,200}}>\s*(?:{_VERBS})\s?[:：]")
"""The same where the quote goes on behind it on the same line."""

ATTRIBUTION = _any(
    rf"(?=.*{_LOOKS}).{{1,200}}?\b(?:{_VERBS})\b.{{0,120}}?[:：][-> ]*$",
    rf"(?=.*{_LOOKS})(?:\*|quoting|citing|citation de|selon|from|de) .{{2,200}}[:：]$",
    r"\d{4}[-/]\d{1,2}[-/]\d{1,2}.{0,20}<?[^\s@]{1,64}@[^\s@]{1,200}>?\s*[:：]$",
    r"[^\n]{0,120}<[^\s@<>]{1,64}@[^\s@<>]{1,200}>\s*[:：]$",
)
"""Other forms of it, which begin with a name or a date."""

WROTE = _any(rf"[^\n:]{{1,80}}\b(?:{_VERBS})\s?[:：]$")
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

SEPARATOR = _any(
    r"[-_=*#~> ]{1,40}(?:original|origine|forwarded|replied|reply|ursprüngliche|urspr\.|weitergeleitete|"
    r"oorspronkelijk|mensa(?:je|gem)|messaggio|message|transf[ée]r[ée]|nachricht|r[ée]exp[ée]di[ée])\b"
    r".{0,60}[-_=*#~]{2,40}\s*$",
    r"-{3,}\s?(?:on|le)\b.{4,}$",
    r"(?:begin forwarded message|d[ée]but du message (?:r[ée]exp[ée]di[ée]|transf[ée]r[ée])|forwarded message|"
    r"message transf[ée]r[ée])\s?:?$",
    r"original message\s?:?$",
    r"message (?:d.origine|original)\s?:?$",
    *(rf".{{0,10}}{re.escape(text[:-1])}" for text in ABOVE.values()),
    r"\[(?:quoted text hidden|texte des messages pr[ée]c[ée]dents masqu[ée])\]$",
    r"-----BEGIN PGP (?:SIGNATURE|MESSAGE)-----$",
)
"""A line after which an old message stands without marks."""

RULE = re.compile(r"(?:_{5,}|-{5,}|={5,}|\*{5,}|~{5,}|#{5,}|[─━—–]{3,}|(?:[-_=*] ){4,}[-_=*]?)\s*$")
SIGNATURE = re.compile(r"(?:--|[—–]|__|- -)\s*$")
ARMOUR = "-----BEGIN PGP SIGNED MESSAGE-----"

_DEVICES = r"(?:my|mon|ma|mes|mein\w*|mi|meu|mijn|il mio|an?|une?)\s+\S"
_SENT = r"(?:sent|posted|written|typed|dictated)\s+(?:from|via|using|by|with|on)"
FOOTER = _any(
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
    r"(?:this|ce) (?:e-?mail|message|courriel|courrier).{0,60}"
    r"(?:virus|avast|confiden|intended|destin[ée]|privileg)",
    r"(?:virus-free|sans virus|garanti sans virus|l['’]absence de virus)",
    r"(?:confidentiality (?:notice|note)|disclaimer|(?:avis|clause) de confidentialit[ée])\b",
    r"(?:please )?(?:consider|think of|pensez [àa]|avant d['’]imprimer).{0,40}(?:environment|print|imprim)",
    r"excuse.{0,20}(?:brevity|typos|spelling)",
    r"(?:excusez|d[ée]sol[ée]e? pour) (?:la bri[èe]vet[ée]|les fautes)",
)
"""What phones and companies add under a message."""

_WARNS = r"caution|external(?: e-?mail| sender)?|warning|attention|avertissement|(?:mail|courriel|expéditeur) externe"
_ABOUT = (
    r"external|this (?:e-?mail|message)|ce (?:message|courriel|mail)|e-?mail|courriel|do not|ne cliquez|from outside"
)
CAUTION = _any(
    rf"\[?(?:{_WARNS})\b[^\d]{{0,12}}(?:{_ABOUT})[^\n]*",
    r"\[(?:external|externe|ext)\]",
    r"you don['’]t often get e?-?mail from .*",
    r"vous n['’]obtenez pas souvent d['’]e-?mail .*",
)
"""Banners that mail gateways put on top."""

_WHO = r"(?:[ ,]+[^\W\d_][\w.'’-]*){0,3}"
_GREETS = r"hi|hello|hey|hiya|dear|good (?:morning|day|evening)|bonjour|salut|bonsoir|coucou|ch[èe]re?s?|dia duit"
GREETING = _any(rf"(?:{_GREETS}){_WHO}\s?[,.!:]*")
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
CLOSING = _any(rf"(?:{_ENGLISH}|{_FRENCH}){_WHO}\s?[,.!]*")
"""The words before a name; whatever follows them is the name and what goes with it."""
NAME = re.compile(r"[-–—~]{1,2}\s?[A-ZÀ-Ý][^\W\d_]*(?:[ .'-]{1,2}[A-ZÀ-Ý][^\W\d_]*){0,2}\.?")
"""A name behind a dash, as some sign."""
BULLET = re.compile(r"^[-*•·]\s+(?=[a-z0-9])")
NOTE = re.compile(r"note\b", re.IGNORECASE)
"""Words to the table: whatever follows is theirs."""
