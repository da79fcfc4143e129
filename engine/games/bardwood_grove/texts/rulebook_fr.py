"""The whole rules of Bardwood Grove in French."""

from __future__ import annotations

from engine.games.bardwood_grove.texts.card_tables import event_rows, muse_rows
from engine.rulebook import read_rulebook

RULEBOOK = read_rulebook(
    """\
# De quoi s’agit-il
De deux à quatre bardes, ou un seul contre un rival mené par des cartes, composent des chansons et les chantent à
travers une forêt de créatures, de scènes et de jetées. Il y a deux sortes de points : les gemmes vertes, prises
pendant la partie, et les points bleus, comptés à la fin. Quand la dernière gemme verte a quitté le plateau, on finit
la manche, et le plus haut total gagne.

! Le livret que nous connaissons s’arrête avant les lieux. Le plateau, les prix, les cartes, les évènements, les
légendes et le rival solo sont notre propre édition, `house-1` ; `echtra cards bardwood-grove` donne la liste des
cartes.

# Ce que l’on peut avoir
| Lettre | Quoi | Pour quoi faire | Gardé après la chanson |
| M | mélodie | aider et apaiser les créatures, défier les rivaux | non |
| L | paroles | jouer aux représentations, raconter des légendes | non |
| X | joker | chacun vaut 1 mélodie ou 1 parole, au moment de payer | non |
| V | volume | moitiés inférieures des Compétences, conversions | oui, jusqu’à 10 |
| C | pièces | acheter Compétences et Impros | oui |
| A | pierres acoustiques | chacune vaut 1 mélodie ou 1 parole | oui |
| R | pierres de portée | atteindre créatures et rivaux à distance | oui |
| MV | déplacements | barde et bateau, 1 par pas | non |
| T | tempo | tourne le cadran, un quart chacun | le cadran reste |
| G | gemmes vertes | 1 point chacune | oui |

Mélodie et paroles se paient d’abord avec leur propre sorte, puis en jokers, puis en pierres acoustiques.

# Le plateau
Douze régions, de a1 à c4, forment trois rangées de quatre ; deux voisines ont un côté commun. Vingt-trois lieux se
trouvent sur leurs bords. Un barde utilise les lieux de la région où il se tient ; plusieurs bardes peuvent partager
une région. Tous commencent en c2.

| Sorte | Lesquels, et les régions qu’ils bordent |
| lieux Créature | Porte de mousse a1 a2, Falaise aux hiboux a3 a4, Combe aux ronces b1 c1, Marais aux roseaux b4 \
c4, Vieux pont c2 c3 |
| boutiques | École de chant a2 b2 et Atelier des cordes c3 c4 pour les Compétences, Cave aux impros c1 c2 et \
Taverne de la Lune a3 b3 pour les Impros |
| représentations | Scène ouverte b2 c2, Kiosque du lac a4 b4, Théâtre du chêne creux a1 b1, Grand amphithéâtre b3 \
c3 |
| légendes | Jetée du nord a2 a3, Ponton des récits b3 b4 |
| banque | Banque b2 b3 |
| conversions | Fonderie de cloches b1 b2, Grotte aux échos a1, Banc des poètes a4, Tour de guet c1, Source de \
cristal c4, Péage b1 |
| marché | Allée du marché b4 |

La réserve I a 5 gemmes par place, la réserve II 7. Les gemmes viennent toujours d’abord de la réserve I, puis de la
II, puis d’à côté du plateau.

# La mise en place
| Quoi | Combien |
| gemmes de la réserve I, de la réserve II | 5 par place, 7 par place |
| Fans à la Scène ouverte | 12 |
| Compétences dans chacune des deux boutiques de Compétences | 6 |
| Impros dans chacune des deux boutiques d’Impros | 6 |
| légendes de chaque niveau | 5, la première visible |
| créatures de chaque lieu Créature | 2 petites, puis un boss |
| jetons Motif | 6, ou tous s’il y en a moins |
| évènements | 2 : un pour l’Acte I, un pour l’Acte II |

À une ou deux places, la Porte de mousse et la Falaise aux hiboux n’ont qu’une petite créature. Seule la carte du dessus
d’une pile est visible. Le marché commence à l’étal 1. Les cartes qui ne sont pas en place ne servent pas dans cette
partie.

! La place qui commence est tirée au sort ; d’après le livret, c’est la personne qui tient une note le plus longtemps.
Les nombres sont ceux du livret.

# Boîtes et déblocage
La plupart des cartes sont dans quatre boîtes de saison, ouvertes l’une après l’autre. L’option `content` nomme la
dernière boîte ouverte : `base` pour aucune, puis `spring` (printemps), `summer` (été), `autumn` (automne) et `winter`
(hiver) pour toutes. Ce qui est ouvert le reste.

| Boîte | Barde | Compétences, Impros, Fans | Et |
| base | quatre | 12 de chaque | 10 petites créatures, 5 boss, 15 légendes, 4 motifs |
| printemps | Harpiste | 3 de chaque | 2 petites créatures, 1 boss, 2 motifs |
| été | Flûtiste | 3 de chaque | 1 petite créature, 1 boss, 3 légendes, 2 motifs |
| automne | Luthiste | 3 de chaque | 1 petite créature, 2 motifs |
| hiver | Violoneux | 3 de chaque | 2 petites créatures, 1 boss, 3 légendes, 2 motifs |

Le livret connaît trois façons de les ouvrir. Le nouveau contenu s’ajoute après une partie, pour la suivante :

- express, deux parties : la première sans boîte ; puis les quatre saisons sont ouvertes, et les Muses après la
deuxième ;
- normale, cinq parties : les quatre premières se jouent avec deux évènements du printemps, de l’été, de l’automne et de
l’hiver, et la boîte de cette saison s’ouvre ensuite ; la cinquième a tout, puis viennent les Muses ;
- tardive, huit parties : chaque saison se joue deux fois, avec ses quatre évènements, avant que sa boîte ne s’ouvre.

Ici, vous choisissez `content` pour chaque partie. La première partie d’une personne a `content=base` et les évènements
Foire de printemps et Fonte des neiges, sauf si vous en demandez d’autres ; c’est la première partie de la façon
normale.

! La répartition des cartes dans les boîtes est de nous. Les boîtes et les façons de les ouvrir sont du livret.

# Votre barde
Chaque barde a un Instrument, qui est toujours dans la chanson, six Compétences, une Impro, un Super fan et un pouvoir
à lui. La place qui joue en dernier choisit son barde la première. Vous commencez avec l’Instrument dans la chanson,
le Super fan dans la défausse, le volume à 0, sept écussons sur votre piste, deux runes à chaque quart du cadran et le
bateau en case 0 de la rivière. Vous piochez jusqu’à tenir deux Compétences ; une Impro qui arrive rejoint la chanson.

! D’après le livret, chacun choisit librement son barde. L’ordre dans lequel les places choisissent est de nous.

# Un tour
Un tour a trois phases : Composition, Chant (seulement si une chanson est due) et Pause.

# La Composition
Vous tenez deux Compétences. `composer Cri de bataille Grosse vantardise` met la première dans la
chanson, où elle ne fait encore rien, et défausse la seconde, qui paie aussitôt sa bande : du volume, dans la limite
de la piste, et du tempo. Chaque tempo tourne le cadran d’un quart en sens horaire. Seul paie le quart où il
s’arrête :

| Quart | Déplacements | Bonus, quand ses deux runes sont parties |
| supérieur droit, ur | 1 | 1 pièce |
| inférieur droit, lr | 2 | 2 volumes |
| inférieur gauche, ll | 3 | 1 déplacement |
| supérieur gauche, ul | 2 | 1 pierre acoustique |

Entre les quarts supérieurs gauche et droit se trouve l’étagère, avec votre marqueur Chanson. Quand le cadran la passe
en Composition, vous chantez ce tour-ci. Ensuite `déplacer c3 1` : où finit le barde, et de combien de cases avance le
bateau. Les déplacements inutilisés sont perdus. Ceux qui viennent dans une autre phase sont pour le bateau seul, qui
avance de lui-même.

> Le cadran est au quart supérieur gauche, et les deux runes de l’inférieur droit sont parties. Vous défaussez une
Compétence avec 1 volume et 2 tempos : le cadran passe l’étagère et s’arrête en bas à droite. Vous chantez ce tour-ci,
avez 1 + 2 volumes et 2 déplacements ; la pièce du quart supérieur droit, seulement traversé, ne vous revient pas.

# Le Chant
Tout ce que portent l’Instrument, les moitiés supérieures des Compétences et les Impros de votre chanson est gagné
aussitôt. Seul le volume imprimé sur ces cartes attend : `monter` en ajoute autant qu’il en tient, quand
vous voulez. Puis vous faites ce que vous voulez, coup par coup et dans l’ordre de votre choix, jusqu’à `fini` :

- `débloquer Grosse vantardise` : payer le volume de sa moitié inférieure et la gagner, chacune une fois ;
- utiliser les lieux de votre région, chacun une fois par chanson ;
- défier des rivaux, dépenser des écussons pris, fanfaronner, prendre un jeton Motif, et prendre l’offre de
l’évènement, si c’en est une.

`fini` finit la chanson : le volume en attente est ajouté dans la limite de la piste, mélodie, paroles et jokers sont
perdus, toutes les cartes sauf l’Instrument vont à la défausse, et le marqueur revient sur l’étagère.

> Une première chanson : Luth électrique M2 V1, Clameur M2, Crinière au vent M1, Grosse vantardise L1. Vous avez 5
mélodies, 1 parole et 1 volume en attente. Avec 3 volumes, vous débloquez la moitié inférieure de Crinière au vent, 2
mélodies pour 2 volumes, et apaisez une créature de valeur 5 ; puis `fini` : il reste 1 volume, et celui qui attendait
s’y ajoute.

# La Pause
Vous piochez une carte à la fois jusqu’à tenir deux Compétences. Une Impro rejoint la chanson. Un Fan est
défaussé et donne l’un de ses deux avantages, `fan Applaudisseur 1`. Une créature va dans votre zone de Fanfaronnade
et donne de nouveau ses avantages. Quand la pioche est vide, la défausse est mélangée. Si le cadran passe l’étagère à
ce moment, le marqueur est pris aussi, et vous chantez après votre prochaine Composition.

# Les créatures
Seule la créature du dessus d’un lieu est là ; dessous il y en a encore une ou deux, et en dernier un boss, de valeur
7 ou plus et de 3 points. Dans chaque chanson, un lieu Créature sert une fois, de l’une de ces façons :

- `aider Blaireau des mousses` pour 1 mélodie : l’écusson le plus à gauche de votre piste va sur la carte, un
des vôtres au plus. La case qu’il quitte compte à la fin : 1, 1, 1, 2, 2, 2 et 3 points de gauche à droite.
- `apaiser Blaireau des mousses` pour sa valeur en mélodie, moins 1 par écusson sur elle, à qui que ce soit. Vous
gagnez ses avantages, et tous ceux qui ont un écusson sur elle aussi. Votre propre écusson quitte la partie, les
autres deviennent vôtres. La carte va dans votre zone de Fanfaronnade, sur un emplacement vide s’il y en a un.
- `bercer Porte de mousse` pour 5 mélodies, là où il n’y a plus de créature : 1 gemme.

Une créature ou un rival hors de votre région coûte des pierres de portée pour aider, apaiser et défier : une par pas.

> Valeur 4, et un écusson d’un rival sur elle : vous payez 3 mélodies. Vous et le rival gagnez les avantages, et son
écusson est à vous.

> Vous êtes en c1 avec 9 mélodies et 4 pierres de portée. Aider à la Combe aux ronces, au bord de c1, ne coûte pas de
pierre, au Vieux pont, à un pas, 1, à la Porte de mousse, à deux pas, 2. Il reste alors 1 pierre, trop peu pour les
deux autres lieux.

# Représentations et légendes
`jouer Scène ouverte ul` coûte des paroles et une rune d’un quart de votre choix. Chaque rune à vous qui s’y
trouve déjà le rend plus cher de 1, et trois sont le maximum.

! Que vos runes sur une scène la rendent plus chère, et que trois soient le maximum, est de nous.

| Représentation | Paroles | Gain |
| Scène ouverte | 5 | 1 gemme et le Fan du dessus, dans votre défausse |
| Kiosque du lac | 4 | 1 gemme |
| Théâtre du chêne creux | 6 | 1 gemme, 2 pièces |
| Grand amphithéâtre | 8 | 2 gemmes, 1 pierre acoustique |

`raconter La Grande Tournée ll` raconte une légende visible que vous n’avez pas encore racontée. Cela coûte aussi
une rune, et le bateau doit être assez loin ; ensuite il revient en 0. La première rune sur une légende fait
apparaître la suivante de son niveau.

| Niveau | Bateau au moins en | Paroles | Gemmes aussitôt | Points à la fin, au plus |
| I | 2 | 4 | 1 | 4 |
| II | 4 | 6 | 1 | 6 |
| III | 6 | 8 | 2 | 8 |

# Boutiques, banque, conversions, marché
`acheter Riff` coûte 2 pièces pour une Compétence et 3 pour une Impro ; la carte va dans votre défausse. `banque
M2 L1` change jusqu’à 3 mélodies ou paroles en autant de pièces. `convertir Fonderie de cloches` et autres changent :

| Où | Quoi |
| Fonderie de cloches | 2 pièces contre 4 volumes |
| Grotte aux échos, Banc des poètes | 2 volumes contre 2 mélodies, contre 2 paroles |
| Tour de guet, Source de cristal | 2 volumes contre 2 pierres de portée, contre 1 pierre acoustique |
| Péage | 4 volumes contre 2 pièces |
| Allée du marché, étals 1 à 6 | V2 contre C2, C1 contre A1, M2 contre A1 R1, A1 contre C3, L4 contre G1, C4 contre \
G1 |

! Ce que fait la banque est de nous : le livret que nous connaissons la nomme seulement.

Un seul étal du marché est ouvert ; après chaque échange, c’est le suivant, après le sixième le premier. Son numéro
fait partie du coup : `convertir Allée du marché 1`.

# Rivaux, écussons et fanfaronnade
- `défier 1` pour 3 mélodies, chaque rival une fois par chanson : l’écusson le plus à gauche de sa
piste est à vous. Le rival ne répond pas, et la case découverte compte pour lui.
- `dépenser gemme` contre 2 écussons pris, ou `dépenser pièces` (2), `dépenser volume` (4) ou `dépenser pierres` (une
de chaque sorte) contre 1.
- `fanfaronner 1` ou `fanfaronner 2`, une fois par chanson : les créatures de cet emplacement vont à votre défausse, 1
volume pour chacune. De là, elles reviennent lors d’une Pause, avec leurs avantages.

! Qu’on puisse défier chaque rival une fois par chanson, pour des écussons qui achètent quelque chose, est dans le
livret. Le prix d’un défi, l’écusson pris et ce que les écussons achètent sont de nous. De même toute la fanfaronnade,
sauf ses deux emplacements : nous ne connaissons pas sa page.

# Motifs
Un jeton Motif du plateau peut être pris, `motif Double apaisement`, quand sa condition est remplie à cet instant, un
par chanson. Le premier qui le prend a ses gemmes.

# Évènements
Chaque saison a quatre évènements. Une partie en a deux : les deux d’une même saison, ou le premier d’une saison et le
second de la suivante ; le printemps suit l’hiver. L’option `events` les nomme, par exemple
`events=spring-fair,snowmelt` ; sans elle, ils sont tirés au sort. L’évènement de l’Acte I vaut jusqu’à ce que la
réserve I soit vide, puis celui de l’Acte II, aussitôt et même au milieu d’une chanson. Une Offre peut être prise une
fois par chanson, où que vous soyez : `offre Foire aux gemmes`.

| Saison | Évènement | Effet |
"""
    + event_rows("fr")
    + """

> Réserves 1 et 14. Une représentation donne 2 gemmes : une de chaque réserve. L’évènement a changé, et votre prochain
achat dans la même chanson coûte déjà ce que dit le nouveau.

! Ce que font les évènements est de nous. La façon de les choisir est du livret.

# Muses
Avec l’option `muse`, chaque personne reçoit une Muse avant la partie, visible de tous. Elle compte des points bleus à
la fin. Les Muses sont pour qui connaît le jeu : mettez-vous d’accord avant la partie.

| Muse | Points bleus à la fin |
"""
    + muse_rows("fr")
    + """

! Ce que comptent les Muses est de nous : le livret que nous connaissons ne fait que nommer leur boîte.

# La fin
Quand il n’y a plus de gemme dans les réserves, on finit la manche, jusqu’à la place qui précède la première, puis
vient le Décompte final :

- 1 point par gemme verte ;
- les cases découvertes de votre piste Écusson ;
- les points de toutes les cartes gagnées ou achetées, où qu’elles soient : 1 pour une Compétence, une Impro ou un
Fan, 1 ou 2 pour une petite créature, 3 pour un boss ;
- les légendes racontées, et votre muse, si la partie se joue avec les muses.

À égalité, plus de gemmes vertes gagne, puis plus de pièces ; sinon la victoire est partagée.

! Le livret que nous connaissons ne dit ni si l’on finit la manche, ni qui gagne à égalité. Les deux règles sont de
nous.

> 11 gemmes, 5 écussons partis de la piste (1 + 1 + 1 + 2 + 2), des cartes pour 8, et trois légendes à 2, 2 et 6 : 36
points.

# Seul contre le rival
Avec l’option `rival`, la seconde place est un rival sans barde. Après chacun de vos tours, il révèle une ou deux de
ses douze cartes et fait ce qu’elles disent, sans payer : il apaise ce que sa force permet, joue, raconte, prend des
cartes et des écussons. Chaque fois que toutes ses cartes ont servi, sa force, 4 au début, augmente de 1. À la fin, il
a ses gemmes, les points de ses cartes, et 5 de plus, ou 10 au niveau difficile.
""",
    "fr",
)
