"""The whole rules of Táin in French."""

from __future__ import annotations

from engine.rulebook import read_rulebook

RULEBOOK = read_rulebook(
    """\
# De quoi s’agit-il
De deux à quatre clans se volent leur bétail et leurs bijoux. Pendant huit tours au plus, chacun pose des jetons face
cachée devant ses propres entrées, devant celles des rivaux et au Royaume étranger ; puis tout est retourné et les
razzias sont résolues. Le clan le plus riche gagne. Il n’y a aucun hasard : on ignore seulement ce que les autres ont
posé.

# Les tableaux
Chaque clan a une Pâture pour son bétail, avec les entrées 1, 2 et 3, et une Maison pour les bijoux et les prisonniers,
avec les entrées 4 et 5. Chaque entrée a deux emplacements : celui du gardien, à l’intérieur, pour un jeton du clan, et
celui de l’éclaireur, à l’extérieur, pour un jeton d’un rival. Le Royaume étranger a deux emplacements et son propre
bétail. Un emplacement reçoit un seul jeton.

| Joueurs | Bétail de chaque clan | Bijoux de chaque clan | Bétail du Royaume |
| 2 | 5 | 3 | 15 |
| 3 | 5 | 3 | 10 |
| 4 | 5 | 3 | 5 |

# Les jetons
| Lettre | Jeton | Nombre | Garde une entrée | Éclaire chez un rival | Royaume |
| C | chef | 1 | oui | oui | oui |
| G | guerrier | 2 | oui | oui | oui |
| J | garçon | 6 | oui | oui | non |
| F | fille du chef | 1 | oui | non | non |
| X | bluff | 8 | oui | oui | oui |

Un clan a 18 jetons, et chacun est toujours dans l’un de ces quatre états : inutilisé, derrière l’écran, où seul son
propriétaire voit ce qu’il est ; posé, face cachée sur un tableau ; utilisé, face cachée devant l’écran ; ou prisonnier.
Chacun peut savoir combien de jetons sont utilisés et inutilisés. On ne les mélange jamais.
Le journal de la partie écrit W pour G, B pour J et D pour F : on peut taper les unes ou les autres.

! Chaque tableau indique comme « cachés » les jetons qu’un clan a face cachée ou derrière son écran. Chacun pourrait le
déduire de ce qui a été retourné.

# La reconnaissance
En commençant par le joueur actif et en sens horaire, chacun pose un jeton inutilisé face cachée, ou passe. Où un jeton
peut aller :

- sur l’un de vos propres emplacements de gardien : `poser guerrier 3` ;
- sur un emplacement d’éclaireur d’un rival, dont le tableau porte une lettre : `poser garçon b4` ;
- au Royaume étranger, `poser chef royaume`, si aucun de vos jetons n’y est encore, pas même un bluff.

À une entrée, gardien et éclaireur viennent dans n’importe quel ordre, et chacun des deux emplacements peut rester vide.
On peut envoyer plusieurs jetons contre le même tableau. Qui a passé, par `passer`, ne joue plus jusqu’au tour suivant ;
le dernier encore en jeu peut continuer à poser. Sans jeton inutilisé, ou sans emplacement libre, on ne joue plus non
plus.

> Trois clans : a passe, puis b passe, et c pose encore trois jetons avant de passer. C’est permis.

! Quand les deux emplacements du Royaume étranger et tous les emplacements d’éclaireur sont pris, tous ceux qui jouent
encore nomment leurs derniers gardiens au même moment : `gardiens D4 X5`, ou `gardiens aucun`. Avec l’option
`speedup off`, on continue un par un.

# Les razzias : le Royaume étranger
Tous les jetons posés sont retournés à la fois. Les bluffs rejoignent, face cachée, les jetons utilisés de leurs
propriétaires. On résout d’abord le Royaume étranger, où ne restent que des chefs et des guerriers :

| Restent au Royaume | Résultat, tant qu’il y a du bétail |
| un chef ou un guerrier | son propriétaire prend 1 pion Bétail |
| un chef et un guerrier | seul le propriétaire du chef prend 1 pion Bétail |
| deux chefs ou deux guerriers | chacun prend 1 pion Bétail |

# Les razzias : éclaireur contre gardien
Viennent ensuite les tableaux, celui du joueur actif d’abord, puis les autres en sens horaire. À chaque entrée où se
trouve un éclaireur :

| Éclaireur | sans gardien, ou bluff | chef | guerrier | garçon | fille du chef |
| chef | réussit | échoue | réussit | réussit | échoue |
| guerrier | réussit | échoue | échoue | réussit | la capture |
| garçon | réussit | échoue | prisonnier | échoue | échoue |
| bluff | rien | rien | rien | rien | rien |

- Razzia réussie aux entrées 1 à 3 : l’attaquant prend 1 pion Bétail de cette Pâture.
- Razzia réussie aux entrées 4 et 5 : l’attaquant libère un de ses prisonniers de cette Maison, s’il y en a un ; sinon
  il prend 1 bijou.
- Un garçon éclaireur face à un guerrier est fait prisonnier par le propriétaire du guerrier.
- Une fille du chef gardienne face à un guerrier est faite prisonnière par le propriétaire du guerrier, qui n’y gagne
  rien d’autre.
- Il n’y a pas d’autre capture. Un garçon gardien battu n’est pas capturé.

> Deux clans ont chacun 5 pions Bétail et 3 bijoux, soit 19 points. Un guerrier de a rencontre la fille du chef de b, et
rien d’autre ne se passe : a a 24 points grâce à la prisonnière, b en a toujours 19. Si un garçon de a avait rencontré
un guerrier de b, le prisonnier serait à b : 19 contre 20.

Ce qui est gagné reste à côté du tableau jusqu’à la fin du tour : personne ne peut le reprendre ni le libérer pendant ce
tour. Si une Pâture ou une Maison a trop peu pour tous ceux qui ont réussi, le joueur actif se sert le premier, puis les
autres en sens horaire.

> Le clan a n’a plus que 1 pion Bétail. Les garçons de b et de c réussissent à ses entrées 1 et 2, et c est le joueur
actif : c prend le pion Bétail, b ne prend rien.

! Qui a plusieurs razzias réussies sur un tableau se sert pour toutes avant le joueur suivant. On doit prendre ce que
l’on a gagné.

# Les prisonniers
Un prisonnier reste dans la Maison de qui l’a pris jusqu’à ce que son propriétaire réussisse une razzia à une entrée de
cette Maison. Tant que l’un de vos jetons y est retenu, vous le libérez et ne prenez pas de bijou ; s’il y en a
plusieurs, vous choisissez lequel, `libérer D b`. Deux razzias réussies dans une Maison qui retient un seul des vôtres
le libèrent et prennent un bijou. Un jeton libéré rejoint les jetons utilisés de son propriétaire. On ne peut ni libérer
ni emporter les prisonniers des autres.

> Le clan b retient un garçon de a. Les éclaireurs de a réussissent en b4 et en b5 : le garçon est libéré, et a prend 1
bijou.

> Un garçon de a est fait prisonnier en b1 pendant que le chef de a réussit en b4. Le garçon n’était pas dans la Maison
avant ce tour : a prend donc un bijou, et le garçon pourra être libéré à partir du tour suivant.

# La fin d’un tour
- Tous les autres jetons des tableaux, gardiens compris, rejoignent face cachée les jetons utilisés de leurs
  propriétaires.
- Le bétail gagné va aux Pâtures, les bijoux et les jetons capturés vont aux Maisons.
- Si un clan a maintenant 11 pions Bétail ou plus, ou si c’était le tour 8, la partie est terminée.
- Qui n’a plus de jeton inutilisé reprend tous ses jetons utilisés derrière son écran. S’il en reste un seul, on ne
  reprend rien, et l’on n’a que celui-là au tour suivant.
- Le tour suivant commence.

! Le marqueur de joueur actif avance d’une place en sens horaire après chaque tour ; l’option `marker fixed` le laisse
où il est. Le sort désigne qui l’a en premier, sauf si l’option `first` nomme la place. En tournoi, c’est le
premier joueur.

# Le décompte
| Ce que vous possédez | Points |
| chaque pion Bétail | 2 |
| chaque bijou | 3 |
| chaque garçon que vous retenez prisonnier | 1 |
| chaque fille du chef que vous retenez prisonnière | 5 |
| 11 pions Bétail ou plus | 3 une fois |

C’est le plus de points qui gagne, pas le plus de bétail. À égalité de points, on compare le bétail, puis les bijoux,
puis les jetons inutilisés derrière l’écran ; si tout est égal, la partie est nulle. On compte les jetons inutilisés
avant que personne n’en reprenne.

> 7 pions Bétail, 5 bijoux, deux garçons et une fille du chef retenus : 14 + 15 + 2 + 5 = 36.

> Un clan qui a 11 pions Bétail met fin à la partie avec 28 points, mais un rival en a 31 : le rival gagne.

# Trois conseils
- Une fille du chef gardienne arrête tout éclaireur, mais un guerrier l’enlève : 5 points pour le rival.
- Un chef éclaireur n’est arrêté que par un chef ou une fille du chef ; un garçon ne réussit que là où il n’y a
  personne, ou un bluff.
- Qui pose encore quand les autres ont passé ne peut plus être contré. Les bluffs servent à attendre.
""",
    "fr",
)
