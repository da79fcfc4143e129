"""What letters about leagues say, in French."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "league.game": "Jeu :",
    "league.rivals": "Contre :",
    "league.closes": "Clôture :",
    "league.play": "Inscrits :",
    "league.place": "Votre rang :",
    "league.of": "{place} sur {count}",
    "league.points": "Points",
    "league.yours": "Vos points :",
    "league.standings": "Le classement",
    "league.more": "{count} autres sont dans la liste complète : {url}",
    "league.unscored": "sans résultat",
    "league.status.running": "joue encore",
    "league.status.over": "a joué",
    "entered.subject": "Vous y êtes : {title}",
    "entered.lead": "Vous voilà dans {title}.",
    "entered.how": (
        "Chacun y joue cette partie une fois, avec la même donne et contre les mêmes robots. La vôtre a commencé "
        "; vous recevrez une lettre quand ce sera à vous. Personne ne voit la partie d’un autre, et les points "
        "sont dits quand la dernière partie est finie : vous recevrez alors le classement par lettre."
    ),
    "entered.hash": (
        "Une seule graine est derrière toutes les donnes. Choisie à l’ouverture, elle est publiée à la fin ; son "
        "SHA-256 doit alors être"
    ),
    "entered.ask": "Pour savoir où en est la ligue, répondez « ligue {title} ».",
    "closes.subject": "{title} ferme bientôt",
    "closes.lead": "{title} ferme le {moment}, et votre partie n’est pas finie.",
    "closes.then": (
        "Personne ne peut plus y entrer ensuite. Vous pouvez jouer encore, selon la pendule de votre partie, mais"
        " les autres vous attendent : le classement vient quand la dernière partie est finie. {playing} sur "
        "{count} jouent encore."
    ),
    "league.subject": "La ligue est terminée : {title}",
    "league.won": "Vous avez gagné {title}.",
    "league.shared": "Vous partagez la première place de {title} avec {winners}.",
    "league.lost": "{winners} a gagné {title}.",
    "league.shared-by": "{winners} partagent la première place de {title}.",
    "league.empty": "{title} est terminée ; personne n’a de résultat.",
    "league.verify": (
        "Toutes les parties de la ligue sont maintenant ouvertes à tous, avec la graine de toutes les donnes. Le "
        "SHA-256 de la graine doit être l’empreinte annoncée à l’ouverture, et le registre d’une partie se rejoue"
        " avec elle, sans nous croire sur parole :"
    ),
    "league.seed": "Graine :",
    "league.hash": "Empreinte :",
    "league.open": "Les ligues ouvertes",
    "league.none": "Aucune ligue n’est ouverte pour l’instant.",
    "league.none.how": "Qui a la portée « organise » peut en ouvrir une avec POST /v1/leagues.",
    "league.line": "{title} : {game} contre {rivals}, ferme le {moment} ; {count} inscrits.",
    "league.enter": "Pour entrer, répondez « ligue », son nom et « rejoindre », comme « ligue {title} rejoindre ».",
    "league.in": "Vous avez votre partie dans cette ligue.",
    "league.lead": "{title} est ouverte jusqu’au {moment}.",
    "league.closed": "{title} est fermée ; le classement vient quand la dernière partie est finie.",
}
