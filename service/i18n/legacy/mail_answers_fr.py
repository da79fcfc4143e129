"""What answers to a player's own letters say, in French."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "understood.lead": "Votre coup est joué.",
    "understood.none": "Vos lignes attendent.",
    "understood.made": "Compris et joué : {lines}.",
    "understood.waiting": (
        "{count} autres lignes attendent et seront jouées une à une dès que ce sera à vous. Une nouvelle lettre les"
        " remplace."
    ),
    "understood.waiting.one": (
        "Une autre ligne attend et sera jouée dès que ce sera à vous. Une nouvelle lettre la remplace."
    ),
    "understood.dropped": "Pas joué : {lines}.",
    "understood.unread": "Pris pour de la conversation, et passé : {lines}.",
    "understood.came": "Ce qui s’ensuit",
    "held.lead": "Votre coup comptera sous peu.",
    "held.lines": "Compris : {lines}.",
    "held.until": (
        "Il sera joué le {moment}. D’ici là, répondez « annuler » pour le reprendre, ou « oui » pour le jouer tout "
        "de suite."
    ),
    "undone.lead": "Votre coup est repris.",
    "undone.lines": "Pas joué : {lines}.",
    "refused.lead": "Rien n’a été joué.",
    "refused.general": "Rien n’a été fait.",
    "refused.booking": "Votre congé n’a pas pu être noté : {text}.",
    "refused.unclear": "Nous ne voyons pas de quel coup il s’agit : {text}.",
    "refused.meant": "Peut-être {lines}. Écrivez l’un d’eux en entier, ou son numéro.",
    "refused.number-later": (
        "Un numéro ne vaut que pour la première ligne ; écrivez les autres en toutes lettres : {text}."
    ),
    "refused.too-long": "C’est plus qu’une lettre ne peut contenir : 64 lignes au plus.",
    "refused.not-by-letter": "Cela ne se fait pas par une ligne dans une lettre : {text}.",
    "refused.not-listed": "Ce coup ne vous est pas ouvert maintenant : {text}.",
    "refused.mixed": "Envoyez les coups et les questions d’un mot dans des lettres séparées : {text}.",
    "refused.empty": "Nous n’avons trouvé aucun mot de vous au-dessus du texte cité.",
    "refused.over": "La partie est terminée.",
    "refused.other": "Ce que nous avons lu : {text}.",
    "refused.why": "La raison : {why}",
    "stale.lead": "La table a changé.",
    "stale.text": (
        "Votre texte répond à une question plus ancienne, rien n’a donc été joué : {text}. Voici où l’on en est."
    ),
    "board.lead": "La table telle qu’elle est : {what}.",
    "history.lead": "Ce qui s’est passé jusqu’ici : {what}.",
    "history": "Depuis le début",
    "rules.lead": "Toutes les règles : {game}",
    "rules.games": "Pour les règles d’un jeu, écrivez « règles » et l’un de ces noms : {games}.",
    "rules.which": "Quelles règles ?",
    "clock.lead": "Les pendules : {what}.",
    "clock.rules": "Temps de cette partie :",
    "clock.asked": "doit répondre, jusqu’au {moment}",
    "clock.free": "doit répondre, sans limite",
    "clock.idle": "rien à faire",
    "clock.paused": "suspendue",
    "clock.quiet": "Vos samedis et dimanches ne comptent pas, comme vous l’avez demandé.",
    "clock.no-leave": "Dans cette partie, le congé n’arrête pas la pendule.",
    "help.lead": "Ce qu’une lettre peut dire",
    "help.moves": "En réponse à une lettre sur une partie :",
    "help.any": "À tout moment :",
    "help.own": "À {address}, sans lettre à laquelle répondre :",
    "help.number": "un numéro de la liste, ou la ligne à côté, ou plusieurs lignes séparées par des virgules",
    "help.board": "« table » : la table et vos coups",
    "help.history": "« historique » : tout ce qui s’est passé",
    "help.rules": "« règles » : toutes les règles",
    "help.clock": "« pendule » : le temps de chacun",
    "help.note": "« note » et un texte : des mots pour toute la table",
    "help.resign": "« abandon » : abandonner ; nous demandons confirmation",
    "help.rematch": "« revanche » : à la fin, la même partie une nouvelle fois",
    "help.leave": (
        "« congé » et deux jours séparés par « .. », l’année d’abord : vos pendules s’arrêtent ces jours-là"
    ),
    "help.confirm": "« confirmer oui » : vos coups comptent après dix minutes, et « annuler » les reprend d’ici là",
    "help.letters": "« lettres » et tour, résumé, rappels ou aucune : quelles lettres vous recevez",
    "help.stop": "« stop » : ne plus recevoir de lettres sur cette partie ; « stop tout » : sur aucune",
    "help.join": "« accepter » ou « refuser » : répondre à une invitation",
    "help.league": "« ligue » : les ligues ouvertes ; « ligue » et un nom : où elle en est",
    "help.zone": "« fuseau » et un lieu : l’heure de vos lettres ; « langue » et français ou anglais",
    "help.digest": "« résumé » et une heure de 0 à 23 : quand vient la lettre qui dit tout ce qui attend",
    "help.new": (
        "« nouvelle » et un jeu, puis solo, un nombre de places ou une option : ouvrir une partie. Jeux : {games}"
    ),
    "leave.booked": "Votre congé est noté.",
    "leave.days": "Du {first} au {last}, vos pendules s’arrêtent là où la partie le permet.",
    "note.lead": "Vos mots sont à la table.",
    "stopped.lead": "Vous ne recevrez plus de lettres sur cette partie.",
    "stopped.all": "Vous ne recevrez plus de lettres sur aucune partie.",
    "stopped.back": "Pour en recevoir de nouveau, répondez « lettres tour ».",
    "letters.lead": "Vos lettres sont changées.",
    "letters.turn": "Vous recevez une lettre à chaque tour.",
    "letters.digest": "Vous recevez une lettre par jour pour tout ce qui attend.",
    "letters.reminders": "Vous ne recevez une lettre que si le temps presse.",
    "letters.none": "Vous ne recevez pas de lettres sur vos parties.",
    "letters.here": "Cela vaut pour cette partie.",
    "letters.everywhere": "Cela vaut pour toutes les parties qui n’ont pas leur propre règle.",
    "setting.zone": "Vos lettres donnent l’heure de votre fuseau : nous sommes le {moment}.",
    "setting.language": "Désormais, vos lettres sont en français.",
    "setting.digest": "Désormais, votre résumé vient à cette heure, si une partie attend : le prochain le {moment}.",
    "setting.digest.where": (
        "Vous n’en recevez que là où vous l’avez choisi ; pour le choisir, répondez « lettres résumé »."
    ),
    "confirming.on": "Désormais, un coup par lettre compte après dix minutes.",
    "confirming.off": "Désormais, un coup par lettre compte tout de suite.",
    "confirming.how": (
        "D’ici là, « annuler » le reprend, et « oui » le joue tout de suite. Pour arrêter, répondez « confirmer non »."
    ),
    "resign.lead": "Voulez-vous vraiment abandonner ?",
    "resign.how": "Répondez « oui » pour abandonner votre place : {what}. Sans réponse, vous continuez à jouer.",
    "resigned.lead": "Vous avez abandonné votre place.",
    "joined.lead": "Vous avez une place.",
    "joined.waits": (
        "La partie de {game} commence quand toutes les places sont prises ; vous recevrez alors une lettre."
    ),
    "joined.started": "La partie de {game} a commencé ; vous recevrez une lettre quand ce sera à vous.",
    "declined.lead": "Vous avez refusé.",
    "declined.told": "La place à {game} est libre pour quelqu’un d’autre.",
    "made.lead": "Votre partie de {game} est ouverte.",
    "made.begun": "Votre partie de {game} a commencé.",
    "made.waits": (
        "Elle commence quand toutes les places sont prises ; vous recevrez alors une lettre. Elle est visible de "
        "tous, sauf demande contraire."
    ),
    "made.invited": (
        "Ceux qui étaient à la table sont invités ; elle commence quand ils ont répondu, et vous recevez une lettre."
    ),
    "made.started": "Elle a commencé ; vous recevrez une lettre quand ce sera à vous.",
    "made.turn": "Vous recevrez une lettre quand ce sera à vous.",
    "made.id": "Partie :",
    "welcome.lead": "Bienvenue chez Echtra, {name}.",
    "welcome.how": (
        "Votre réponse a créé un compte pour cette adresse. Tout se joue par lettre ; « aide » dit ce qu’une lettre"
        " peut dire."
    ),
    "welcome.new": (
        "Pour commencer une partie, répondez « nouvelle », un jeu, puis « solo » ou un nombre de places, comme "
        "« nouvelle {game} solo ». Les jeux sont {games}. « règles » et un jeu dit comment on y joue."
    ),
    "absent.lead": "Les lettres à {who} reviennent.",
    "absent.what": (
        "Dans {what}, la pendule de cette place s’arrête une semaine au plus. Le serveur de courrier dit {status}."
    ),
    "absent.subject": "Un joueur est injoignable",
    "receipt": "Reçu",
    "receipt.why": (
        "Gardez cette lettre : elle prouve ce que nous avons accepté. Enregistrée comme texte, `echtra verify REGISTRE "
        "--receipt LETTRE` compare le registre avec elle."
    ),
    "late.when": "Le temps s’est écoulé le {moment}.",
    "late.excused": "La pendule est remise ; {count} autres retards de ce genre sont excusés.",
    "late.excused.one": "La pendule est remise ; un autre retard de ce genre est excusé.",
    "late.excused.last": "La pendule est remise ; la prochaine échéance manquée aura sa conséquence.",
    "late.stand-in": "Un remplaçant joue désormais cette place.",
    "late.substitute": "Un remplaçant joue cette place jusqu’à ce que quelqu’un la reprenne.",
    "late.forfeit": "La place perd la partie par forfait.",
    "lost.stand-in": "Selon les règles de cette partie, {bot} joue désormais à votre place.",
    "lost.substitute": (
        "Selon les règles de cette partie, votre place est ouverte à un remplaçant ; d’ici là, {bot} la joue."
    ),
    "lost.forfeit": (
        "Selon les règles de cette partie, vous perdez par forfait : {bot} joue votre place jusqu’au bout, et elle "
        "ne peut plus gagner."
    ),
    "lost.back.stand-in": (
        "Vous pouvez revenir tant que la partie dure : répondez à cette lettre par le seul mot « rejoindre », et "
        "vous jouez là où la table en sera."
    ),
    "lost.back.substitute": (
        "Tant que personne ne l’a prise, vous pouvez la reprendre : répondez à cette lettre par le seul mot "
        "« rejoindre », et vous jouez là où la table en sera."
    ),
    "lost.again": (
        "Il ne vous reste rien à faire à cette table. Pour commencer une autre partie, écrivez « nouvelle {game} » "
        "à {address}."
    ),
    "back.lead": "Vous voici de nouveau à la table.",
    "why.unlisted": "elle n’est pas ouverte maintenant",
    "refused.sender": (
        "La lettre venait de {text}, qui n’est pas l’adresse que nous connaissons ; rien n’a donc été fait."
    ),
    "refused.desk": (
        "Cette adresse n’accepte que des questions d’un mot et de nouvelles parties, pas ceci : {text}. Pour jouer,"
        " répondez à la lettre de votre tour. Le mot « aide » dit ce que vous pouvez écrire."
    ),
    "refused.leave": (
        "Il nous faut deux jours séparés par « .. », l’année d’abord, comme 2026-12-20..2027-01-02. Ce que "
        "nous avons lu : {text}."
    ),
    "refused.new": "Cette partie n’a pas pu être ouverte : {text}.",
    "refused.league": (
        "Nous ne connaissons pas cette ligue, ou en connaissons plusieurs : {text}. Écrivez seulement « ligue » pour "
        "la liste."
    ),
    "refused.entering": "Vous n’avez pas pu entrer dans cette ligue : {text}.",
    "refused.letters": "Écrivez « lettres » puis tour, résumé, rappels ou aucune.",
    "refused.zone": (
        "Écrivez « fuseau » puis un fuseau horaire ou son lieu, comme « fuseau Europe/Paris ». Nous avons lu : {text}."
    ),
    "refused.digest": "Écrivez « résumé » puis une heure de 0 à 23, comme « résumé 18 ». Nous avons lu : {text}.",
    "refused.language": "Écrivez « langue » puis français ou anglais. Nous avons lu : {text}.",
    "refused.rematch": "Il n’y a pas de revanche pour cette partie.",
    "refused.stop": "Écrivez seulement « stop », ou « stop tout ».",
    "refused.label": "Commencez chaque ligne par la lettre de sa partie et deux-points. Ce que nous avons lu : {text}.",
    "refused.invitation": (
        "Répondez « accepter » pour prendre la place ou « refuser » pour dire non. Ce que nous avons lu : {text}."
    ),
    "refused.seated": (
        "Répondez « refuser » pour rendre la place, ou rien du tout pour la garder. Ce que nous avons lu : {text}."
    ),
    "refused.begun": (
        "La partie a commencé. Pour abandonner votre place, répondez « abandon » à une lettre sur votre tour."
    ),
    "refused.dmarc": (
        "Une lettre à votre nom est venue de {text}, mais son serveur de courrier la dit falsifiée ; rien n’a donc "
        "été fait."
    ),
    "refused.quoted": "Il n’y avait que du texte cité ; écrivez votre réponse au-dessus.",
    "refused.inline": "Votre réponse était entre des lignes citées, où nous ne regardons pas ; écrivez-la au-dessus.",
    "refused.left": (
        "Un remplaçant joue désormais cette place. Pour la reprendre, répondez par le seul mot « rejoindre » ; vous "
        "pourrez ensuite jouer."
    ),
    "refused.not-your-seat": "Quelqu’un d’autre joue désormais cette place.",
    "refused.nothing-waits": "Il n’y a rien à confirmer.",
    "refused.note": "Votre mot n’a pas pu être laissé à la table.",
    "refused.stale": "Cela répond à une question plus ancienne : {text}.",
    "refused.signed": (
        "Cette partie n’accepte que des coups signés : répondez avec un programme qui signe, pas par lettre."
    ),
    "refused.match-over": "La partie est terminée.",
    "refused.match-started": "La partie a commencé sans vous ; ses places sont prises.",
    "refused.match-full": "Toutes les places sont prises.",
    "refused.limit-reached": "Vous en avez déjà autant qu’un joueur peut en avoir.",
    "refused.gone": "Cela n’existe plus.",
    "undone.nothing": "Il n’y avait rien à reprendre.",
}
