"""What each kind of problem means and what to do about it, in English and French."""

from __future__ import annotations

from typing import NamedTuple

from flask import Response, abort

from service.problems import KINDS
from service.web.pages import layout
from service.web.request_context import page_locale


class ProblemText(NamedTuple):
    """The page of a kind: its French title, and its text in both languages."""

    titre: str
    en: str
    fr: str


PROBLEM_TEXTS: dict[str, ProblemText] = {
    "bad-request": ProblemText(
        "La requête est illisible",
        "The request could not be read: broken JSON, a name given twice, a number that is not whole, or a "
        "header out of form. The detail says where. Correct it and send it again.",
        "La requête n’a pas pu être lue : JSON mal formé, nom donné deux fois, nombre non entier ou en-tête "
        "incorrect. Le détail indique l’endroit. Corrigez-la et renvoyez-la.",
    ),
    "no-token": ProblemText(
        "Il faut un jeton",
        "This needs to know who you are. Send the header “Authorization: Bearer” followed by your token. POST "
        "/v1/tokens mails you a code that you exchange for one.",
        "Il faut savoir qui vous êtes. Envoyez l’en-tête « Authorization: Bearer » suivi de votre jeton. POST "
        "/v1/tokens vous envoie un code que vous échangerez contre un jeton.",
    ),
    "wrong-token": ProblemText(
        "Le jeton n’est pas bon",
        "The token is mistyped, was revoked, or its account is gone. Ask for a new one with POST /v1/tokens.",
        "Le jeton est mal recopié, a été révoqué, ou son compte n’existe plus. Demandez-en un autre par POST "
        "/v1/tokens.",
    ),
    "forbidden": ProblemText(
        "Cela ne vous revient pas",
        "Your token is good but may not do this: it lacks a scope, or the thing belongs to somebody else. The "
        "detail says which. A token with another scope comes from POST /v1/tokens.",
        "Votre jeton est bon mais ne permet pas cela : il lui manque un droit, ou la chose appartient à "
        "quelqu’un d’autre. Le détail le précise. POST /v1/tokens donne un jeton avec d’autres droits.",
    ),
    "not-your-seat": ProblemText(
        "Vous n’êtes pas assis à cette table",
        "Only a player who has a seat in this match can do this. Join an open match, or ask its creator for "
        "an invitation.",
        "Seul un joueur qui a une place dans cette partie peut faire cela. Rejoignez une partie ouverte, ou "
        "demandez une invitation à qui l’a créée.",
    ),
    "not-your-key": ProblemText(
        "La clé n’est pas de cette place",
        "The key in the submission is not one that this seat has at this moment. Sign with a key of the seat, "
        "or add yours first with a “keys” line signed by a key that the seat has.",
        "La clé de l’envoi n’est pas une de celles que cette place a en ce moment. Signez avec une clé de la "
        "place, ou ajoutez d’abord la vôtre par une ligne « keys » signée avec une clé que la place a déjà.",
    ),
    "not-found": ProblemText(
        "Il n’y a rien ici",
        "Nothing is at this address, or it is private and not for you to see; the two look the same on purpose.",
        "Il n’y a rien à cette adresse, ou c’est privé et pas pour vous ; les deux cas se ressemblent à dessein.",
    ),
    "wrong-method": ProblemText(
        "Cette adresse ne prend pas cette méthode",
        "The header Allow lists the methods that this address takes.",
        "L’en-tête Allow donne les méthodes que cette adresse accepte.",
    ),
    "not-acceptable": ProblemText(
        "Cette forme n’existe pas",
        "What you asked for in the header Accept is not a form we have. The document at /docs lists the forms.",
        "La forme demandée par l’en-tête Accept n’existe pas ici. Le document /docs donne celles qui existent.",
    ),
    "question-changed": ProblemText(
        "La question a changé",
        "The table has moved on since you looked: you are asked something else, or nothing. The answer holds "
        "the table and the lines that are open now. Choose anew and sign for the new question, or send the "
        "lines as orders that wait.",
        "La table a changé depuis que vous l’avez regardée : on vous demande autre chose, ou rien. La réponse "
        "contient la table et les lignes possibles à présent. Choisissez de nouveau et signez pour la "
        "nouvelle question, ou envoyez vos lignes comme ordres qui attendent.",
    ),
    "conflict": ProblemText(
        "Cela ne va pas avec ce qui existe",
        "The request is well made but does not fit what is there; the detail says why. Read the present state "
        "and decide.",
        "La requête est bien faite mais ne va pas avec ce qui existe ; le détail dit pourquoi. Relisez l’état "
        "présent et décidez.",
    ),
    "match-full": ProblemText(
        "Aucune place n’est libre",
        "Every seat of this match is taken. Look for another open match, or create one.",
        "Toutes les places de cette partie sont prises. Cherchez une autre partie ouverte, ou créez-en une.",
    ),
    "match-started": ProblemText(
        "La partie a commencé",
        "This can be done only before the start.",
        "Cela ne se fait qu’avant le début.",
    ),
    "match-over": ProblemText(
        "La partie est finie",
        "No more moves are taken. The record of the match tells how it went, and a rematch can be asked for.",
        "Plus aucun coup n’est accepté. Le procès-verbal de la partie dit comment elle s’est passée, et une "
        "revanche peut être demandée.",
    ),
    "in-progress": ProblemText(
        "La même requête est en cours",
        "A request with the same Idempotency-Key is being answered right now. Wait a moment and send it "
        "again: you will get its answer.",
        "Une requête avec la même Idempotency-Key est en train d’être traitée. Attendez un instant et "
        "renvoyez-la : vous recevrez sa réponse.",
    ),
    "gone": ProblemText(
        "Ce n’est plus là",
        "It was here once and has been removed or has expired. Ask for a new one.",
        "C’était ici et a été retiré, ou a expiré. Demandez-en un nouveau.",
    ),
    "too-large": ProblemText(
        "La requête est trop grande",
        "The body has more bytes than this address takes; the detail says how many it may have.",
        "Le corps a plus d’octets que cette adresse n’en accepte ; le détail dit combien il peut en avoir.",
    ),
    "wrong-media-type": ProblemText(
        "Le corps n’est pas du bon type",
        "Send the body in the type that the detail names, and say so in the header Content-Type.",
        "Envoyez le corps dans le type que le détail nomme, et indiquez-le dans l’en-tête Content-Type.",
    ),
    "invalid": ProblemText(
        "La requête a des défauts",
        "Some fields are missing, unknown, of the wrong type or out of bounds. The member “errors” lists each "
        "field with the reason.",
        "Des champs manquent, sont inconnus, du mauvais type ou hors limites. Le membre « errors » donne "
        "chaque champ avec la raison.",
    ),
    "not-listed": ProblemText(
        "La ligne n’est pas parmi celles qui sont possibles",
        "A line can be made if and only if it is listed among the options of the seat. The answer holds the "
        "lines that are open now.",
        "Une ligne n’est possible que si elle figure parmi les options de la place. La réponse contient les "
        "lignes possibles à présent.",
    ),
    "not-canonical": ProblemText(
        "La ligne n’est pas sous sa forme unique",
        "A signed line is taken only in its one canonical form, byte for byte. The reading endpoint of the "
        "match turns free text into canonical lines.",
        "Une ligne signée n’est acceptée que sous sa forme unique, octet pour octet. L’adresse « reading » de "
        "la partie transforme un texte libre en lignes canoniques.",
    ),
    "wrong-signature": ProblemText(
        "La signature n’est pas bonne",
        "The signature does not fit the text. The answer holds the exact text that had to be signed with this "
        "key: compare it with yours, byte by byte, the last line break included.",
        "La signature ne correspond pas au texte. La réponse contient le texte exact à signer avec cette clé "
        ": comparez-le au vôtre, octet par octet, dernier saut de ligne compris.",
    ),
    "wrong-prev": ProblemText(
        "Cette entrée a une autre empreinte",
        "The “prev” of the submission must be the hash of the entry that “asked” names. The answer holds the "
        "right one; if you saw another hash before, keep it: it is evidence.",
        "Le « prev » de l’envoi doit être l’empreinte de l’entrée que « asked » désigne. La réponse donne la "
        "bonne ; si vous en avez vu une autre auparavant, gardez-la : c’est une preuve.",
    ),
    "mail-not-allowed": ProblemText(
        "Cette partie n’accepte que des coups signés",
        "This match was created with signed moves only, so letters cannot move there. Play it with a client "
        "that signs.",
        "Cette partie a été créée avec des coups signés seulement : les lettres ne peuvent pas y jouer. "
        "Jouez-la avec un programme qui signe.",
    ),
    "other-request": ProblemText(
        "L’Idempotency-Key a servi pour une autre requête",
        "The same key came with another address or body within 48 hours. Use a new key for each new thing.",
        "La même clé est venue avec une autre adresse ou un autre corps en moins de 48 heures. Prenez une "
        "nouvelle clé pour chaque nouvelle chose.",
    ),
    "limit-reached": ProblemText(
        "Une limite est atteinte",
        "You have as many of these as one player may have; the detail says how many. End or remove one first.",
        "Vous en avez autant qu’un joueur peut en avoir ; le détail dit combien. Terminez-en ou retirez-en un d’abord.",
    ),
    "too-many-requests": ProblemText(
        "Trop de requêtes",
        "The header Retry-After says in how many seconds there is room again; the RateLimit headers of every "
        "answer say how much is left.",
        "L’en-tête Retry-After dit dans combien de secondes il y aura de nouveau de la place ; les en-têtes "
        "RateLimit de chaque réponse disent ce qui reste.",
    ),
    "server-error": ProblemText(
        "Quelque chose s’est mal passé chez nous",
        "This is our fault and has been noted. Tell us the X-Request-Id of the answer. Moves and creations "
        "with an Idempotency-Key can be sent again safely.",
        "C’est notre faute, et c’est noté. Donnez-nous le X-Request-Id de la réponse. Les coups et les "
        "créations avec une Idempotency-Key peuvent être renvoyés sans risque.",
    ),
    "not-now": ProblemText(
        "Le service ne peut pas le faire en ce moment",
        "Nothing was kept. Wait as long as Retry-After says and send it again.",
        "Rien n’a été gardé. Attendez le temps indiqué par Retry-After et renvoyez-la.",
    ),
}


def show_problem_kind(kind: str) -> Response:
    """What a kind of problem means and what to do about it."""
    if kind not in KINDS:
        abort(404)
    locale = page_locale()
    status, title = KINDS[kind]
    text = PROBLEM_TEXTS[kind]
    named = title if locale == "en" else text.titre
    told = text.en if locale == "en" else text.fr
    return layout.render_page("problem.html", kind=kind, code=status, title=named, told=told)


def list_problem_kinds() -> Response:
    """All kinds of problems."""
    locale = page_locale()
    kinds = [
        (kind, status, title if locale == "en" else PROBLEM_TEXTS[kind].titre)
        for kind, (status, title) in KINDS.items()
    ]
    return layout.render_page("problems.html", kinds=kinds)
