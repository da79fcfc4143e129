"""What a verifier says of a good record, in English and French."""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    "good": "The record of match {match} ({game}) is good: entries {entries}, head {head}, {state}.",
    "over": "the match is over",
    "running": "the match was running",
    "counts": "Signed: {signed}; by mail: {mail}; by bots: {bots}; by chance: {chance}; by the house: {house}; "
    "redacted: {redacted}.",
    "viewer_all": "Shown: everything.",
    "viewer_-": "Shown: what spectators may see.",
    "viewer": "Shown: what seat {viewer} may see.",
    "receipts": "Receipts in the record: {receipts}; kept beside it and checked: {kept}; join receipts: {joins}.",
    "draws": "Checked with the rules of the game.",
    "house_line": "Decision of the house, entry {seq}: {line}",
    "nonce": "Seats without a nonce of their own: {seats}.",
    "later": "A receipt kept beside it is for entry {seq}: the match went on after this record; ask for a newer one.",
    "unproved": "Not proved by this record:",
    "mail": "that the entries by mail ({mail}) are the players' own: the server attests what it received",
    "operator": "that the operator, who knows the seed and every hand, told nobody",
    "fair": "that bots and house chose fairly",
    "thrown": "that no match was thrown away before its start",
    "last_nonce": "that the last nonce was not chosen by somebody who knew the seed",
    "beacon": "that the beacon gave the value in the header: compare {beacon} with what the beacon published",
    "latest": "that this head is the latest: an older one, rightly signed, is a good record of an earlier moment",
    "server": "whose server this is: no list of server keys was given",
    "sealed": "the redacted entries ({redacted}): only their commitments are fixed",
    "rules": "that the moves were legal and the draws the seed's: the rules of the game were not asked",
}
FRENCH: Mapping[str, str] = {
    "good": "Le registre de la partie {match} ({game}) est bon : entrées {entries}, tête {head}, {state}.",
    "over": "la partie est finie",
    "running": "la partie était en cours",
    "counts": "Signées : {signed} ; par courrier : {mail} ; par des bots : {bots} ; par le hasard : {chance} ; "
    "par la maison : {house} ; masquées : {redacted}.",
    "viewer_all": "Montré : tout.",
    "viewer_-": "Montré : ce que les spectateurs peuvent voir.",
    "viewer": "Montré : ce que la place {viewer} peut voir.",
    "receipts": "Reçus dans le registre : {receipts} ; conservés à côté et vérifiés : {kept} ; "
    "reçus d’inscription : {joins}.",
    "draws": "Vérifié avec les règles du jeu.",
    "house_line": "Décision de la maison, entrée {seq} : {line}",
    "nonce": "Places sans nonce à elles : {seats}.",
    "later": "Un reçu conservé à côté porte sur l’entrée {seq} : la partie a continué après ce registre ; "
    "demandez-en un plus récent.",
    "unproved": "Ce registre ne prouve pas :",
    "mail": "que les entrées par courrier ({mail}) viennent des joueurs : le serveur atteste ce qu’il a reçu",
    "operator": "que l’opérateur, qui connaît la graine et toutes les mains, n’a rien dit à personne",
    "fair": "que les bots et la maison ont choisi équitablement",
    "thrown": "qu’aucune partie n’a été jetée avant son début",
    "last_nonce": "que le dernier nonce n’a pas été choisi par quelqu’un qui connaissait la graine",
    "beacon": "que la balise a donné la valeur de l’en-tête : comparez {beacon} à ce que la balise a publié",
    "latest": "que cette tête est la dernière : une tête plus ancienne, bien signée, "
    "est le bon registre d’un moment antérieur",
    "server": "à qui est ce serveur : aucune liste de clés de serveur n’a été donnée",
    "sealed": "les entrées masquées ({redacted}) : seuls leurs engagements sont fixés",
    "rules": "que les coups étaient permis et les tirages ceux de la graine : "
    "les règles du jeu n’ont pas été consultées",
}
WORDS: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "fr": FRENCH}
