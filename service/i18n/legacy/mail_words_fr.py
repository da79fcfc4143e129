"""What letters say, in French."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "and": " et ",
    "colon": " : ",
    "with": "{game} avec {others}",
    "alone": "{game}",
    "titled": "{title} ({what})",
    # Turns and times.
    "turn.subject": "À vous de jouer : {what}",
    "turn.lead": "À vous de jouer : {what}.",
    "reminder.subject": "Toujours à vous : {what}",
    "reminder.lead": "Votre partie de {what} vous attend toujours.",
    "urgent.subject": "Moins d’un jour : {what}",
    "urgent.lead": "Il vous reste moins d’un jour pour jouer : {what}.",
    "late.subject": "Temps écoulé : {what}",
    "late.you": "Votre temps est écoulé : {what}.",
    "late.other": "{who} a laissé passer l’échéance : {what}.",
    "still.subject": "Toujours en retard : {what}",
    "still.you": "Vous avez laissé passer une échéance, et la table attend toujours : {what}.",
    "still.other": "{who} a laissé passer une échéance, et la table attend toujours : {what}.",
    "still.when": "La réponse est maintenant attendue pour le {moment}.",
    "time.label": "Temps restant :",
    "time.until": "Échéance :",
    "time.none": "Cette partie n’a pas de pendule : prenez le temps qu’il vous faut.",
    "time.left": "Il vous reste {span}, jusqu’au {moment}.",
    "time.past": "Votre temps s’est écoulé le {moment}.",
    # What happened.
    "story.first": "Le début de la partie",
    "story.last": "Les derniers coups",
    "story.since": "Depuis votre dernière lettre",
    "story.nothing": "Rien ne s’est passé à la table.",
    "story.more": "{count} coups plus anciens sont omis ici ; demandez-les avec le mot « historique ».",
    "story.more.one": "Un coup plus ancien est omis ici ; demandez-le avec le mot « historique ».",
    "notes": "Mots laissés à la table",
    "note": "{who} écrit :",
    "note.more": "Les mots plus anciens sont omis.",
    # The table and the moves.
    "table": "La table",
    "table.words": "La table en mots",
    "moves": "Vos coups",
    "moves.more": "Il y en a {count} autres, de la forme {forms} ; ce qui est en capitales est à remplir.",
    "or": " ou ",
    "answer": "Comment répondre",
    "answer.how": (
        "Répondez à cette lettre et écrivez, au-dessus du texte cité, un numéro de la liste ou la ligne qui est à "
        "côté, en français ou en anglais. Plusieurs lignes séparées par des virgules sont jouées l’une après "
        "l’autre ; un numéro ne vaut que pour la première."
    ),
    "answer.words": (
        "Un seul mot suffit aussi pour demander : « aide », « table », « historique », « règles » ou « pendule ». "
        "Le mot « note » suivi d’un texte laisse un mot à la table ; « abandon » met fin à votre partie, après une "
        "confirmation."
    ),
    "answer.signed": (
        "Cette partie n’accepte que des coups signés : répondez avec un programme qui signe, pas par lettre."
    ),
    "asked.other": "On ne vous demande rien pour l’instant ; c’est au tour de {who}.",
    "asked.nobody": "On ne demande rien à personne pour l’instant.",
    "head": "Le journal en est à l’entrée {seq} ; sa tête commence par {digits}.",
    # Core lines.
    "core.resign": "{who} abandonne.",
    "core.timeout": "{who} a laissé passer l’échéance.",
    "core.bot": "À partir d’ici, {who} remplace {was}.",
    "core.seat": "{who} succède à {was}.",
    "core.pause": "La partie est suspendue : {why}.",
    "core.resume": "La partie reprend.",
    "core.end": "La maison met fin à la partie : {why}.",
    "why.agreed": "tout le monde s’est accordé pour arrêter",
    "why.cancelled": "elle est annulée, sans résultat",
    "why.adjudicated": "l’organisateur a décidé du résultat",
    "why.illness": "quelqu’un est malade",
    "why.dispute": "une question doit d’abord être réglée",
    "why.more-time": "une place reçoit plus de temps",
    "why.too-long": "elle était devenue trop longue",
    "why.resign": "une place a abandonné",
    "why.resign.you": "vous avez abandonné",
    "why.resign.other": "{who} a abandonné",
    "why.forfeit": "une place a laissé passer l’échéance",
    "why.forfeit.you": "votre temps s’est écoulé le {moment}, et les règles de la partie en font une défaite",
    "why.forfeit.other": "{who} a laissé passer l’échéance, le {moment}",
    "why.timeout": "une place a laissé passer l’échéance",
    "why.bounce": "les lettres à un joueur reviennent",
    "why.outage": "le service était en panne",
    "why.organiser": "l’organisateur l’a décidé",
    # The end.
    "over.subject": "La partie est terminée : {what}",
    "over.won": "Vous avez gagné : {what}.",
    "over.lost": "{winners} a gagné : {what}.",
    "over.shared": "Vous partagez la première place avec {winners} : {what}.",
    "over.shared-by": "{winners} partagent la première place : {what}.",
    "over.cancelled": "La partie est annulée, sans résultat : {what}.",
    "over.nobody": "La partie est terminée, sans vainqueur : {what}.",
    "over.again": "Pour rejouer, répondez « revanche » : ceux qui étaient à la table sont invités.",
    "over.alone": "Pour rejouer, répondez « revanche ».",
    "over.why": "Elle s’est arrêtée plus tôt : {why}.",
    "scores": "Le décompte",
    "scores.total": "Total",
    "verify": "Vérifiez vous-même",
    "verify.how": (
        "Le registre de la partie est maintenant ouvert à tous, avec la graine de chaque tirage. Téléchargez-le, et"
        " le vérificateur rejoue tout, sans nous croire sur parole :"
    ),
    "verify.league": (
        "Tout le monde dans {title} joue la même donne ; le registre de votre partie et sa graine restent donc "
        "fermés jusqu’à la fin de la dernière partie. Vous recevrez alors une lettre avec le classement, et de "
        "quoi tout vérifier."
    ),
    "verify.head": "La tête doit être {hash}.",
    # Orders.
    "dropped.subject": "Vos ordres sont abandonnés : {what}",
    "dropped.lead": "Vos ordres en attente n’ont pas tous pu être joués : {what}.",
    "dropped.made": "Lignes jouées : {made} sur {total} ; le reste est abandonné.",
    "dropped.line": "Celle-ci n’a pas pu être jouée : « {line} ».",
    "dropped.why": "La raison : {why}.",
    "dropped.also": "Abandonnées avec elle : {lines}.",
    # Digest.
    "digest.subject": "{count} parties vous attendent",
    "digest.subject.one": "Une partie vous attend",
    "digest.lead": "{count} parties vous attendent.",
    "digest.lead.one": "Une partie vous attend.",
    "digest.match": "{letter}. {what}",
    "digest.how": (
        "Répondez à cette lettre par une ligne pour chaque partie où vous voulez jouer : sa lettre, deux-points, "
        "puis un numéro ou une ligne, sur le modèle « {letter} : numéro ». Chaque partie a aussi sa propre adresse,"
        " où la lettre est inutile."
    ),
    "digest.own": "Adresse de cette partie :",
    "digest.rest": "Vous attendent aussi : {what}.",
    # Before a match.
    "invitation.subject": "{by} vous invite à jouer à {game}",
    "invitation.lead": "{by} vous invite à une partie de {game}.",
    "invitation.title": "Partie :",
    "invitation.seats": "Places :",
    "invitation.sits": "À la table :",
    "invitation.seat": "Votre place :",
    "invitation.clock": "Temps :",
    "invitation.moves": "Coups :",
    "invitation.signed": "signés seulement, il vous faut donc un programme qui signe",
    "invitation.how": (
        "Pour prendre la place, répondez à cette lettre par le seul mot « accepter ». Pour refuser, répondez "
        "« refuser »."
    ),
    "invitation.ask": "Avec « règles », vous recevez d’abord les règles du jeu.",
    "invitation.rules": "Les règles en bref : {game}",
    "invitation.new": "Il ne vous faut pas de compte : votre réponse en crée un pour cette adresse.",
    "invitation.why": "{by} nous a donné cette adresse ; nous n’y avons écrit que pour cette invitation.",
    "seated.subject": "{by} vous a donné une place : {game}",
    "seated.lead": "{by} vous a donné une place dans une partie de {game}.",
    "seated.how": (
        "Vous n’avez rien à faire pour l’instant. Pour rendre la place avant le début de la partie, répondez à cette "
        "lettre par le seul mot « refuser ». Avec « règles », vous recevez d’abord les règles du jeu."
    ),
    "seated.why": (
        "Vous avez permis à {by} de vous placer. Pour ne plus le permettre : DELETE /v1/me/organisers/{organiser}."
    ),
    "begins.full": (
        "Elle commence quand toutes les places sont prises ; vous recevrez une lettre quand ce sera à vous."
    ),
    "begins.at": "Elle commence le {moment} ; vous recevrez une lettre quand ce sera à vous.",
    "unseated.subject": "Votre place est reprise : {game}",
    "unseated.lead": "{by} a repris votre place : {game}.",
    "unseated.then": "Vous n’avez rien à faire ; rien n’était encore joué.",
    "cancelled.subject": "Pas assez de joueurs : {game}",
    "cancelled.lead": "La partie n’a pas commencé, faute de joueurs à l’heure dite : {game}.",
    "cancelled.again": "Rien n’est perdu. Pour en ouvrir une autre, répondez « nouvelle {game} ».",
    "clock.none": "sans limite",
    "clock.bank": "{bank} en tout, {increment} de plus après chaque coup, {cap} au plus",
    "clock.move": "{span} par coup",
    "clock.weekends": " ; les fins de semaine ne comptent pas",
    "seat.number": "numéro {seat}",
    "free": "{count} libres",
    # Accounts.
    "confirm.subject": "Confirmez votre adresse pour Echtra",
    "confirm.lead": "Bienvenue, {name}.",
    "confirm.why": (
        "Quelqu’un, sans doute vous, a demandé un compte Echtra pour cette adresse. Il est à vous en un clic :"
    ),
    "confirm.link": "Confirmer cette adresse",
    "confirm.reply": "Ou répondez à cette lettre par le seul mot « oui ».",
    "confirm.wish": "La partie que vous avez demandée commence alors : {wish}.",
    "confirm.code": "Les programmes envoient ce code à POST /v1/confirmations :",
    "confirm.until": (
        "Le lien, le code et la réponse sont valables sept jours. Si ce n’était pas vous, ne faites rien, et cette "
        "adresse sera oubliée."
    ),
    "registered.subject": "Vous avez déjà un compte Echtra",
    "registered.lead": "Vous avez déjà un compte, {name}.",
    "registered.why": (
        "Quelqu’un, sans doute vous, a voulu inscrire cette adresse une seconde fois. Il n’y a rien à confirmer. "
        "Pour entrer dans votre compte, demandez un code avec POST /v1/tokens ; il arrive à cette adresse."
    ),
    "registered.mail": "Pour jouer par lettre, c’est inutile : « aide » dit ce que vous pouvez répondre.",
    "registered.not": "Si ce n’était pas vous, ne faites rien : personne n’a appris que cette adresse a un compte.",
    "code.subject": "Votre code Echtra",
    "code.lead": "Votre code",
    "code.why": "Tapez-le là où on vous l’a demandé. Il est valable {minutes} minutes.",
    "code.request": "Les programmes l’envoient à POST /v1/tokens/{request}/code.",
    "code.not": (
        "Si vous n’avez rien demandé, quelqu’un a tapé votre adresse par erreur ; personne n’entre sans le code."
    ),
    # Hooks, leave, events.
    "hook.subject": "Votre point d’appel est désactivé",
    "hook.lead": "Votre point d’appel ne reçoit plus d’événements.",
    "hook.url": "Adresse :",
    "hook.why": "Raison :",
    "hook.how": (
        "Rien n’est perdu : réactivez-le avec PATCH /v1/hooks/{hook} quand il fonctionne, puis demandez ce qu’il a "
        "manqué avec POST /v1/hooks/{hook}/replay."
    ),
    "leave.label": "Jours de congé :",
    "leave.counts": "arrêtent la pendule",
    "leave.not": "n’arrêtent pas la pendule dans cette partie",
    "policy.label": "Hors délai :",
    "policy.excused": "trois retards sont excusés, puis {what}",
    "policy.stand-in": "un remplaçant joue la place jusqu’au retour de son joueur",
    "policy.substitute": "un remplaçant joue la place jusqu’à ce que quelqu’un la reprenne",
    "policy.forfeit": "la place perd la partie par forfait",
    "leave.subject": "Votre congé se termine bientôt",
    "leave.lead": "Votre congé se termine le {day}.",
    "leave.then": "Vos pendules tournent de nouveau dès le lendemain.",
    "leave.left": "Il vous reste {count} jours de congé en {year}.",
    "leave.left.one": "Il vous reste un jour de congé en {year}.",
    "leave.none": "Il ne vous reste plus de congé en {year}.",
    "leave.waiting": "Ces parties vous attendent",
    "leave.idle": "Aucune partie ne vous attend pour l’instant.",
    "leave.longer": (
        "Pour rester absent plus longtemps, répondez « congé » et deux jours séparés par « .. », l’année "
        "d’abord. Cela ne repousse pas une échéance déjà en cours."
    ),
    # The foot.
    "foot.match": (
        "Vous recevez cette lettre parce que vous êtes à cette table. Pour en recevoir moins, répondez « stop », ou"
        " ouvrez"
    ),
    "foot.all": (
        "Vous recevez cette lettre parce que vous avez un compte Echtra. Pour en recevoir moins, répondez « stop »,"
        " ou ouvrez"
    ),
    "foot.address": "Pour ne plus recevoir de lettres d’Echtra à cette adresse, ouvrez",
    "foot.hook": "Vous recevez cette lettre parce que ce point d’appel est à vous.",
    "foot.once": "Cette lettre a été demandée ; rien d’autre ne vient sans que vous le demandiez.",
}
