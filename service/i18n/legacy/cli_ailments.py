"""What a doctor says of each thing that is wrong or stuck, in English and French."""

from __future__ import annotations

from cli.command import Bilingual

FOUND: dict[str, Bilingual] = {
    "log": ("its log is not good: {why}", "son journal n'est pas bon : {why}"),
    "entry": (
        "its log is not good: entry {entry}: {why}",
        "son journal n'est pas bon : entrée {entry} : {why}",
    ),
    "header": (
        "its log is not good: its header has another hash than the one kept with it",
        "son journal n'est pas bon : son en-tête n'a pas l'empreinte gardée avec lui",
    ),
    "seal": (
        "its log is not good: entry {entry} keeps another seal or link than the rules say",
        "son journal n'est pas bon : l'entrée {entry} garde un autre sceau ou lien que ne disent les règles",
    ),
    "head": (
        "its head is kept as entry {kept}, but the log ends with {log}",
        "sa tête est gardée comme l'entrée {kept}, mais le journal finit par {log}",
    ),
    "status": (
        "its status is kept as {kept}, but by its log it is {log}",
        "son état est gardé comme {kept}, mais d'après son journal c'est {log}",
    ),
    "resolved": (
        "it counts as resolved up to entry {kept}, but the log ends with {log}",
        "elle passe pour résolue jusqu'à l'entrée {kept}, mais le journal finit par {log}",
    ),
    "snapshot": (
        "its snapshot is not the state after entry {kept}",
        "son instantané n'est pas l'état après l'entrée {kept}",
    ),
    "snapshot-ahead": (
        "its snapshot is of entry {kept}, but the log ends with {log}",
        "son instantané est de l'entrée {kept}, mais le journal finit par {log}",
    ),
    "seat": (
        "seat {seat} is kept otherwise than the log says: {names}",
        "la place {seat} est gardée autrement que ne dit le journal : {names}",
    ),
    "submission": (
        "lines of submission {id} that count as made: {kept}; that are in the log: {log}",
        "lignes de l'envoi {id} qui passent pour jouées : {kept} ; qui sont au journal : {log}",
    ),
}
"""What is wrong with a match."""

LASTING = frozenset({"log", "entry", "header", "seal", "submission"})
"""What of it no rebuild can mend, for it is no cache."""

WHY: dict[str, Bilingual] = {
    "nobody": ("no worker runs", "aucun worker ne tourne"),
    "free": (
        "nothing hinders it, so the workers are behind or hang",
        "rien ne s'y oppose : les workers ont du retard, ou sont bloqués",
    ),
    "fails": ("it cannot be resolved: {error}", "elle ne se résout pas : {error}"),
    "waits": ("the match itself waits for a worker", "la partie elle-même attend un worker"),
    "unread": ("a letter that came in time is not read yet", "une lettre arrivée à temps n'est pas encore lue"),
    "lost": ("time that was lost is not given back yet", "du temps perdu n'est pas encore rendu"),
}
"""Why something waits."""

STUCK: dict[str, Bilingual] = {
    "silent": (
        "Worker {worker} has not been heard since {since} and did not say that it stops: it was killed, or hangs.",
        "Le worker {worker} est muet depuis {since} sans avoir annoncé son arrêt : il a été tué, ou il est bloqué.",
    ),
    "stopped": (
        "No worker runs (the last one stopped at {since}); start one with {called} serve or {called} worker.",
        "Aucun worker ne tourne (le dernier s'est arrêté à {since}) ; lancez {called} serve ou {called} worker.",
    ),
    "none": (
        "No worker has run yet; start one with {called} serve or {called} worker.",
        "Aucun worker n'a encore tourné ; lancez {called} serve ou {called} worker.",
    ),
    "unresolved": (
        "Match {match} waits since {since}, resolved up to entry {resolved} of {head}: {why}.",
        "La partie {match} attend depuis {since}, résolue jusqu'à l'entrée {resolved} sur {head} : {why}.",
    ),
    "more-unresolved": ("… more matches that wait: {count}.", "… autres parties qui attendent : {count}."),
    "due": (
        "Jobs of {topic} due since {since}: {count}; last error: {error}.",
        "Tâches de {topic} dues depuis {since} : {count} ; dernière erreur : {error}.",
    ),
    "untried": (
        "Jobs of {topic} due since {since}, and not done yet: {count}.",
        "Tâches de {topic} dues depuis {since}, et pas encore faites : {count}.",
    ),
    "retried": (
        "Jobs of {topic} that failed and are tried again from {since}: {count}; last error: {error}.",
        "Tâches de {topic} en échec, retentées dès {since} : {count} ; dernière erreur : {error}.",
    ),
    "dead": (
        "Job {job} ({topic}) was given up at {since} after {attempts} tries: {error}.",
        "La tâche {job} ({topic}) a été abandonnée à {since} après {attempts} essais : {error}.",
    ),
    "more-dead": ("… more jobs given up: {count}.", "… autres tâches abandonnées : {count}."),
    "undelivered": (
        "Events due for hook {hook} ({url}) since {since}: {count}; last answer: {answer}.",
        "Événements dus au hook {hook} ({url}) depuis {since} : {count} ; dernière réponse : {answer}.",
    ),
    "failing": (
        "Events that wait for hook {hook} ({url}): {count}; it fails since {since}; next try at {next}; {answer}.",
        "Événements qui attendent le hook {hook} ({url}) : {count} ; il échoue depuis {since} ; prochain essai à "
        "{next} ; {answer}.",
    ),
    "disabled": (
        "Hook {hook} ({url}) is switched off since {since}: {answer}.",
        "Le hook {hook} ({url}) est coupé depuis {since} : {answer}.",
    ),
    "unread": (
        "Letters that came in and are unread since {since}: {count}.",
        "Lettres reçues et non lues depuis {since} : {count}.",
    ),
    "overdue": (
        "Match {match}: seat {seat} was due at {since}, and nothing followed: {why}.",
        "Partie {match} : la place {seat} devait répondre à {since}, et rien n'a suivi : {why}.",
    ),
    "evicts": (
        "Redis has maxmemory-policy {policy}; it must be noeviction.",
        "Redis a la maxmemory-policy {policy} ; il faut noeviction.",
    ),
    "no-broker": (
        "Redis at ECHTRA_BROKER_URL does not answer; work goes on more slowly without it.",
        "Redis (ECHTRA_BROKER_URL) ne répond pas ; le travail continue sans lui, plus lentement.",
    ),
}
"""What is stuck."""
