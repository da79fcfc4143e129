"""The whole rules of Keltis in French."""

from __future__ import annotations

from engine.rulebook import read_rulebook

RULEBOOK = read_rulebook(
    """\
# De quoi s’agit-il
De deux à quatre joueurs posent des cartes en séries, une par couleur ; il y a cinq couleurs. Une longue série rapporte
des points, une courte en coûte. En chemin, on ramasse des Pierres de Vœux, et en avoir trop peu coûte aussi des points.
Le plus haut total gagne.

# Les cartes
| Code | Cartes | Nombre |
| R J V B P et 0 à 10 | cartes Valeur : rouge, jaune, vert, bleu, rose (P) | 80 |
| RF JF VF BF PF | cartes Fin, deux par couleur | 10 |
| N0 à N10 | cartes Point, grises, une par valeur | 11 |
| 1 à 9 | Pierres de Vœux, que l’on ne mélange jamais | 9 |

Dans chaque couleur, 0, 1, 2, 8, 9 et 10 existent une fois, 3 à 7 deux fois. Les cartes Valeur et les cartes Fin sont
les cartes Couleur ; une carte Point a une valeur mais pas de couleur. Les coups gardent les lettres anglaises, Y pour
jaune, G pour vert et E pour Fin ; les deux écritures se tapent.

# La mise en place
Les neuf Pierres de Vœux sont alignées, face visible. Les 101 autres cartes sont mélangées, chacun en reçoit huit, et le
reste forme la pioche. À deux joueurs, on retire d’abord 30 cartes, et personne ne sait lesquelles.

| Joueurs | Retirées | Distribuées | Pioche |
| 2 | 30 | 16 | 55 |
| 3 | 0 | 24 | 77 |
| 4 | 0 | 32 | 69 |

! Le sort désigne qui commence, sauf si l’option `start` nomme la place. En tournoi, c’est le premier joueur.

# Un tour
Un tour, c’est exactement une action puis la prise d’une carte. On ne peut renoncer ni à l’une ni à l’autre. Il y a
quatre actions :

- Poser une carte Couleur dans sa propre série de cette couleur : `poser R5`.
- Poser une carte Point dans sa série neutre, `poser N5`, ou dans l’une de ses séries de couleur, `poser N5 R`.
- Défausser une carte, face visible, sur la pile de sa couleur : `défausser B9`. Les cartes Point ont leur propre pile.
- Défausser deux cartes de même valeur et prendre la Pierre de Vœux de ce nombre : `pierre R6 N6`.

Les cartes posées ne bougent plus, et personne ne joue dans les séries des autres.

# Ce qui entre dans une série
- Une série vide accepte toute valeur.
- Une valeur égale à la dernière est toujours permise.
- La première valeur qui diffère de la précédente décide si la série est croissante ou décroissante. Elle garde ensuite
  ce sens. Les écarts sont libres.
- Une carte Fin est permise tant que sa série en a moins de deux. Après une carte Fin, seule la seconde carte Fin de
  cette couleur peut suivre.
- Une carte Point entre dans une série de couleur si sa valeur est celle de la dernière carte Valeur et si la série n’a
  pas de carte Fin. Elle allonge la série d’une carte et ne change rien d’autre. Elle ne rapporte pas en plus son point.
- Dans la série neutre, toute carte Point est permise, dans n’importe quel ordre.

| Votre série | Carte | Permise ? |
| R : vide | R0 | oui |
| R : 3 3 | R6 | oui, et la série devient croissante |
| R : 3 3 6 7 7 | R6 | non, la série est croissante |
| R : 9 8 8 5 3 | R4 | non, la série est décroissante |
| R : 9 8 8 5 3 | R3 | oui, valeur égale |
| B : 4 5 | N5 | oui |
| B : 4 5 | N4 | non, la dernière valeur est 5 |
| B : 4 5 F | B6 | non, seulement l’autre BF |

! Une carte Fin peut ouvrir une série. Cela coûte 4 points et ne sert qu’à hâter la fin ; l’option `end-may-open off`
l’interdit.

# Les Pierres de Vœux
Les deux cartes défaussées doivent avoir la même valeur, pas la même couleur, et l’une d’elles peut être une carte
Point. La Pierre de Vœux doit être encore dans la ligne ; elle reste ensuite devant vous. Les cartes Fin n’ont pas de
valeur, et il n’y a pas de pierre pour 0 ni pour 10. On ne défausse deux cartes à la fois que pour une pierre.

> Vous avez R6 et N6, et la pierre 6 est dans la ligne. `pierre R6 N6` met R6 sur la pile rouge et N6 sur la pile des
cartes Point, vous prenez la pierre 6, puis vous tirez deux cartes, mais ni de la pile rouge ni de celle des cartes
Point.

# Prendre une carte
Après une carte on en tire une, après une pierre deux, pour en avoir de nouveau huit. Chacune vient de la pioche,
`piocher pioche`, ou du dessus d’une pile de défausse, `piocher J`. Une pile où vous avez défaussé pendant ce tour vous
est fermée jusqu’au suivant. Après une pierre, vous voyez la première carte avant de choisir d’où vient la seconde.

# La fin
La partie s’arrête

- aussitôt que cinq séries ont une carte Fin, chez n’importe quels joueurs ; une seconde carte Fin dans la même série
  ne compte pas double, et qui a posé la cinquième ne tire pas de carte ;
- ou quand la dernière carte de la pioche a été tirée.

Il n’y a plus de tour. Chacun peut encore poser zéro, une ou deux cartes de sa main dans ses propres séries, selon les
règles habituelles : `fin N5:R R6`, ou `fin aucune`. Ni défausse, ni pierre, ni pioche.

> Il y a des cartes Fin dans deux de vos séries et dans deux de celles de l’adversaire. Une seconde dans votre série
rouge ne change rien et vous tirez comme d’habitude. Quand l’adversaire en pose une dans une troisième série, c’est la
cinquième série : la partie s’arrête aussitôt.

! Tous choisissent leurs dernières cartes au même moment, et personne ne les voit avant que tous aient répondu. Si un
tour à Pierre de Vœux prend la dernière carte de la pioche, la seconde vient d’une défausse ouverte, s’il y en a une.

# Le décompte
| Cartes | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 et plus |
| Points | -4 | -3 | -2 | 1 | 2 | 3 | 6 | 7 | 10 |

| Pierres de Vœux | 0 | 1 | 2 | 3 | 4 | 5 et plus |
| Points | -4 | -1 | 0 | 4 | 6 | 10 |

Toutes les cartes d’une série comptent, cartes Fin et cartes Point comprises ; une couleur jamais commencée ne compte
pas, et une série rapporte aussi sans carte Fin. Chaque carte de la série neutre vaut 1. Les cartes restées en main ne
valent rien. Le plus haut total gagne ; les ex æquo partagent la victoire.

> Des séries de 7, 4, 2 et 9 cartes, trois cartes dans la série neutre, trois pierres : 6 + 1 - 3 + 10 + 3 + 4 = 21.

> À la fin, votre série rouge est 2 3 5 et vous avez encore N5 et R6. `fin N5:R R6` la porte à cinq cartes : 2 points
au lieu de -2.

# Trois conseils
- Ne commencez pas toutes les couleurs. Une série de moins de quatre cartes coûte des points.
- Les valeurs 3 à 7 ont onze cartes chacune : les paires pour leurs pierres viennent facilement.
- Une carte Fin allonge une série quelle que soit sa dernière valeur : gardez-la pour passer de trois à quatre cartes,
  ou de six à sept.
""",
    "fr",
)
