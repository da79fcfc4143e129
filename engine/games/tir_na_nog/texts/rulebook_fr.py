"""The whole rules of Tír na nÓg in French."""

from __future__ import annotations

from engine.rulebook import read_rulebook

RULEBOOK = read_rulebook(
    """\
# De quoi s’agit-il
Vous envoyez trois bardes dans l’Autre Monde, une grille de cartes. Chacun en rapporte une. Avec ces cartes vous formez
une saga, soit trois rangées de cinq. Chaque rangée est décomptée selon son Geis, une règle commune à tous ; s’y
ajoutent les régions d’une même couleur. Après cinq manches, le plus haut total gagne.

# Les cartes
Il y a 96 cartes Rencontre. Chacune a une couleur parmi quatre (bleu, vert, rouge, jaune) et une valeur de 0 à 8 ; 32
ont aussi un effet, et 11 portent l’icône Ailm. Un effet s’applique tant que la carte est dans votre saga, jamais depuis
la main ; seule Mag Mell fait l’inverse.

! Aucune liste des cartes imprimées n’est publique. Les noms et certains effets viennent des livrets de règles ; la
plupart des valeurs et des couleurs, neuf sortes de cartes entières et huit des douze Geis sont notre reconstitution.
`echtra cards tir-na-nog` et la page du jeu disent pour chaque carte ce qui est connu et ce qui est de nous.

# La mise en place
Chacun reçoit cinq cartes. Puis on forme l’Autre Monde, haut de trois rangées et plus large d’une colonne qu’il n’y a de
joueurs ; à deux joueurs, le centre reste vide.

| Joueurs | Grille | Cartes | Intervalles |
| 2 | 3 sur 3, sans le centre | 8 | 8 |
| 3 | 3 sur 4 | 12 | 17 |
| 4 | 3 sur 5 | 15 | 22 |
| 5 | 3 sur 6 | 18 | 27 |

Une case porte la lettre de sa rangée depuis le haut, a à c, et le numéro de sa colonne depuis la gauche, 1 à 6.
L’intervalle entre deux cartes porte le nom des deux : `a1a2`. Trois Geis sont choisis pour tous, un pour la rangée du
haut, un pour celle du milieu, un pour celle du bas. Pour une première partie, prenez les trois de la première partie
par l’option `geas first`.

! Les livrets comptent 60 cartes Geis, 12 pour chacun des cinq joueurs, et les disent recto verso ; on ne sait pas s’il
s’agit de 12 Geis différents ou de 24 faces. Nous en avons 12, quatre par rangée.

# Première phase : le Voyage
En commençant par le premier joueur et en sens horaire, chacun place un barde à la fois, trois en tout : `placer a1a2`.
Un barde se tient dans un intervalle libre entre deux cartes placées côte à côte ou l’une au-dessus de l’autre ; jamais
dans un angle, sur un bord extérieur, ni, à deux joueurs, au bord du centre vide.

# Deuxième phase : la Saga
Cette phase tourne dans l’autre sens. Le voisin de droite du premier joueur commence, puis on continue en sens
antihoraire. À votre tour, vous faites deux choses :

- Prendre une carte au contact de l’un de vos bardes ; ce barde rentre : `prendre a1 a1a2`.
- Jouer une carte de votre main, celle-ci ou une autre, dans une rangée de votre saga : `jouer Lug haut`. Elle va au
  premier emplacement libre de la rangée en partant de la gauche ; un trou est donc comblé d’abord.

Une rangée de cinq cartes n’en reçoit plus. Certains Geis interdisent aussi certaines cartes. Si vous ne pouvez rien
jouer du tout, vous défaussez une carte à la place, sans son effet.

# Bardes égarés et Quête de l’Echtra
Un barde dont toutes les cartes ont été prises est égaré. Si tous vos bardes partis sont égarés, votre tour est passé
pour le moment. Quand il ne reste que des bardes égarés dans l’Autre Monde, leurs propriétaires partent pour la Quête de
l’Echtra : toujours en sens antihoraire, chacun prend n’importe quelle carte de l’Autre Monde pour un barde égaré, qui
rentre, et joue une carte. Chacun joue ainsi trois cartes par manche.

# Troisième phase : l’Entretien
Chacun défausse une carte et en garde autant qu’il reste de manches : quatre après la première. Qui a déjà le bon
nombre, grâce à Mag Mell, ignore cette étape. Le reste de l’Autre Monde est défaussé, une nouvelle grille est formée, et
le pion Premier joueur passe à gauche. Après la cinquième manche vient le décompte. Quand la pioche est vide, la
défausse devient la nouvelle pioche.

! Tous choisissent au même moment, et les cartes sont montrées quand la dernière réponse est là.

# Cartes adjacentes, trous et déplacements
Deux cartes d’une saga sont adjacentes si elles sont directement côte à côte dans une rangée, ou directement l’une
au-dessus de l’autre dans la même colonne. Une carte a au plus quatre cartes adjacentes ; les angles ne comptent pas,
une carte n’est pas adjacente à elle-même, et les rangées du haut et du bas ne se touchent pas. Un emplacement vide
n’est adjacent à rien.

Un trou est un emplacement vide avec une carte plus à droite dans la rangée. Des effets peuvent en créer. Un trou ne
rapporte rien et brise tout ce qui le traverse : suites, connexions, régions, et la comparaison avec la carte de gauche.

> La rangée 3, trou, 5, 6 sous Le lai d’Oisín : le 3 compte comme première carte, le 5 ne compte pas, faute de carte à
sa gauche, et le 6 dépasse le 5. Cela fait 9.

Déplacer ou échanger une carte déjà dans votre saga n’est pas la jouer. Son effet Mise en jeu ne s’applique pas de
nouveau, le Geis ne peut pas l’interdire, et elle peut être la sixième d’une rangée. Les pions posés sur la carte
bougent avec elle.

# Les effets et leur moment
| Moment | Quand |
| Mise en jeu | une fois, quand vous jouez la carte dans votre saga |
| Persistant | toujours tant qu’elle y est ; recompté après chaque changement |
| Phase de Voyage, Phase de Saga | à votre tour dans cette phase, ou comme le dit la carte |
| Décompte | à la fin, avant que rien ne soit compté |

Un effet est obligatoire s’il est possible, sauf s’il dit que vous pouvez. Pour y renoncer, tapez `rester`. Une valeur
peut dépasser 8 mais ne descend jamais sous 0. Si plusieurs effets s’appliquent à la fois, vous choisissez leur ordre.

! Quels effets Mise en jeu disent « vous pouvez » et lesquels obligent, c’est notre reconstitution : ici tous sont
facultatifs, sauf la Brasserie du Cluricaune, qui doit prendre la couleur d’une carte adjacente.

! Les livrets ne disent pas à qui est le barde que déplace le Loch du Dobhar-chú. Ici, c’est n’importe quel barde de
l’Autre Monde, quel que soit son propriétaire, même égaré.

! Combien de fois Brú na Bóinne permet de partager un intervalle n’est pas dit. Ici, c’est une fois par phase de Voyage.

! Les Leprechauns cordonniers peuvent changer de rangée, mais les livrets ne disent pas où ils arrivent. Ici, ils
prennent le premier emplacement libre de l’autre rangée, à partir de la gauche.

! De Mag Mell, les livrets disent seulement qu’elle agit quand on la défausse de la main. Ce qu’elle fait alors est de
nous : à un tour de Saga ordinaire, avant de prendre, on la défausse et on prend n’importe quelle carte de l’Autre
Monde, avec n’importe lequel de ses bardes.

! Que le Fir darrig ait la même valeur que la carte à sa gauche est notre lecture ; les livrets disent seulement que sa
valeur vient de là et qu’il garde son 2 s’il n’y a pas de carte.

# Le décompte des rangées
D’abord les effets Décompte, à partir du premier joueur suivant et en sens horaire. Puis chaque rangée selon son Geis ;
seules comptent les cartes de cette rangée, sauf mention contraire, toujours avec leurs valeurs et couleurs actuelles.
Décompter une carte, c’est marquer autant de points que sa valeur.

| Geis de la première partie | Décompte |
| haut : Le lai d’Oisín | la première carte, et chaque carte supérieure à celle de sa gauche |
| milieu : Finn et le Saumon | chaque carte inférieure à celle de sa gauche |
| bas : La prophétie de Cathbad | valeurs identiques : deux cartes 4, trois 10, quatre 18, cinq 28 |

La légende de Knockgrafton, pour la rangée du milieu, décompte chaque carte qui a la deuxième valeur de sa colonne.
C’est la valeur qui compte, pas la place : deux cartes à égalité pour la plus élevée sont toutes deux les plus élevées.

| Colonne : haut, milieu, bas | Knockgrafton rapporte |
| 8, 5, 1 | 5 |
| 8, 8, 1 | rien : le 8 du milieu est aussi le plus élevé, et le 1 est dans la mauvaise rangée |
| 5, 5, 5 | rien : il n’y a pas de deuxième valeur |
| vide, 4, 6 | 4 |

! Une carte du milieu à égalité pour la deuxième valeur est décomptée ici ; les livrets ne parlent que de la plus
élevée.

# Le décompte des régions
Une région, ce sont au moins deux cartes interconnectées d’une même couleur, chacune adjacente à une autre. Pour chaque
couleur, les joueurs comparent leurs plus grandes régions. Un joueur gagne au plus une récompense par couleur.

| Joueurs | Première | Deuxième | Troisième |
| 2, ou seul contre Balor | 8 | 3 | - |
| 3 à 5 | 8 | 3 | 1 |

Les joueurs à égalité reçoivent chacun la moitié de leur récompense et la moitié de la suivante, arrondies à l’entier
inférieur, et personne d’autre ne reçoit cette suivante. À deux joueurs, une égalité vaut 4 + 1 = 5 points chacun.

> Quatre joueurs ont des régions de 6, 6, 4 et 3 cartes : 4 + 1 = 5 pour chacun des deux premiers, puis 1 pour le
troisième.

! Les livrets donnent les récompenses pour deux joueurs ; une image en montre trois pour davantage de joueurs, sans
nombres lisibles. Un exemple à plusieurs joueurs donne 8 et 3. Le 1 est de nous, comme le partage de deux récompenses
entre trois ex æquo. Les parties de l’édition house-2 gardent les leurs : 8 et 3 à trois, 8, 5 et 2 à quatre et à cinq.

> Un décompte entier. Haut 7 2 5 6 8 : 7 + 5 + 6 + 8 = 26. Milieu 6 4 5 4 2 : 4 + 4 + 2 = 10. Bas 3 3 1 3 6 : trois
cartes de valeur 3, donc 10. Une région rouge de sept cartes est la plus grande, 8, et une verte de trois la deuxième,
3. En tout 57.

Le plus haut total gagne. À égalité, c’est qui a la plus grande région, de n’importe quelle couleur ; sinon la victoire
est partagée.

# Seul contre Balor
Balor n’a ni main ni saga, seulement une pile des cartes qu’il prend. Vous posez une fois le pion Premier joueur dans un
intervalle ; il ne l’occupe pas. Balor agit en premier dans les deux phases. Avant chacun de ses tours, une carte de la
pioche est révélée ; si elle porte un Ailm, sa carte Référence passe de Maximum à Minimum ou l’inverse. Elle est aussi
retournée à chaque Entretien.

- Voyage : il se place dans l’intervalle libre dont la somme des deux cartes est la plus élevée, ou la plus faible.
- Saga : il prend la carte la plus élevée, ou la plus faible, à son contact ; pour sa Quête de l’Echtra, la plus élevée
  ou la plus faible de toutes.
- Il ne regarde que les valeurs imprimées. Une égalité va à ce qui vient d’abord en sens horaire depuis le pion.

> En sens horaire depuis a1, l’anneau montre 7 6 3 2 5 5 2 1, sa carte est sur Maximum, le pion en a2a3. Il se place en
a1a2, pour 7 + 6 = 13. Vous prenez a2a3. Puis il se place en c2c3, pour 5 + 5 = 10. En phase de Saga, il prend d’abord
le 7, puis, des deux 5, celui de c3, qui vient d’abord en sens horaire depuis le pion.

À la fin, Balor marque le Score solo de chaque Geis, et chaque couleur de sa pile compte comme une région. Auparavant,
vous défaussez des cartes de sa pile : 3 en difficulté Facile, 2 en Moyenne, 1 en Élevée, aucune en Impossible.

! La difficulté Indulgente est de nous, pour les débuts : vous défaussez 5 cartes.

! Aucun livret ne donne les Scores solo des Geis ; les nôtres sont réglés par des parties de nos robots. Ils sont les
mêmes à toutes les difficultés : seule la défausse rend Balor plus facile. La page des robots dit combien de fois chacun
d’eux le bat.
""",
    "fr",
)
