"""A guided first match of Tír na nÓg."""

from __future__ import annotations

from engine.lesson import read_lesson

ROWS = """\
game tir-na-nog · revision 1 · seats 2 · geas first
! bot 1 steady; * start 0; * deal 0 glastonbury-tor ninth-wave dullaghan misty-strand tur-bhalair
* deal 1 keening-banshee nuada gancanaghs-valley barley-field tide-pool
* lay aengus-bru shamrock-patch sunlit-cairn merrow-milliners hawthorn-gate standing-stone sidhe-court cu-chulainn
0 place a1b1; 1 place b1c1; 0 place b3c3; 1 place a1a2; 0 place a2a3; 1 place c1c2; 1 take b1 b1c1
1 play merrow-milliners top; 0 take a3 a2a3; 0 play glastonbury-tor bottom; 1 take a1 a1a2; 1 play aengus-bru top
0 take c3 b3c3; 0 play dullaghan bottom; 0 paint bottom1 red; 1 take c1 c1c2; 1 play nuada top; 0 take b3 a1b1
0 play misty-strand bottom; 0 discard hawthorn-gate; 1 discard barley-field
* lay fomoire-raiders sea-cave ninth-wave mag-mell manannans-dock raven-omen water-kelpie queen-medb; 1 place c2c3
0 place a1b1; 1 place b3c3; 0 place b1c1; 1 place a3b3; 0 place c1c2; 0 take a1 a1b1; 0 play fomoire-raiders bottom
1 take c2 c2c3; 1 play water-kelpie middle; 0 take c1 c1c2; 0 play tur-bhalair top; 1 take a3 a3b3
1 play ninth-wave middle; 0 take b1 b1c1; 0 play mag-mell top; 1 take b3 b3c3; 1 play gancanaghs-valley middle; 1 stay
0 discard raven-omen; 1 discard tide-pool
* lay dullaghan cailleachs-crag hungry-oillipheist hazel-grove cailleachs-crag water-kelpie smiths-forge hazel-grove
0 place a1a2; 1 place a1b1; 0 place c2c3; 1 place a2a3; 0 place b1c1; 1 place b1b2c1c2; 1 take c2 b1b2c1c2
1 play standing-stone middle; 0 take a1 a1a2; 0 play dullaghan bottom; 0 stay; 1 take b1 a1b1
1 play keening-banshee middle; 0 take c3 c2c3; 0 play cu-chulainn middle; 1 take a2 a2a3; 1 play manannans-dock bottom
1 stay; 0 take c1 b1c1; 0 play water-kelpie top; 0 discard ninth-wave; 1 discard smiths-forge
* lay hawthorn-gate war-drum will-o-the-wisp war-drum leipreachan-cobblers macha far-darrig cu-chulainn
1 place b2b3c2c3; 0 place b1c1; 1 place b3c3; 0 place a2a3; 1 place a3b3; 0 place a1b1; 0 take c1 b1c1
0 play macha middle; 1 take c2 b2b3c2c3; 1 play far-darrig bottom; 0 take a2 a2a3; 0 play sunlit-cairn middle
1 take c3 b3c3; 1 play cu-chulainn top; 0 take a1 a1b1; 0 play hawthorn-gate middle; 1 take b3 a3b3
1 play leipreachan-cobblers bottom; 1 shift bottom3 middle; 0 discard war-drum; 1 discard cailleachs-crag
* lay curragh-crew wandering-puca sea-cave clurachan-brewery ember-sprite drowned-bell white-stag seal-rocks
0 place a1a2; 1 place b1b2c1c2; 0 place b3c3; 1 place a2a3; 0 place a1b1; 1 place a3b3; 1 take b1 b1b2c1c2
1 play clurachan-brewery bottom; 1 paint bottom3 red; 1 stay; 0 take a2 a1a2; 0 play wandering-puca middle
0 paint bottom5 green; 1 take a3 a3b3; 1 wander a2a3 a1a2; 1 play hazel-grove bottom; 1 stay; 0 take b3 b3c3
0 play ember-sprite top; 1 take a1 a1a2; 1 play curragh-crew bottom; 1 stay; 0 take c2 a1b1; 0 play white-stag top
scores 98 84
"""

ENGLISH = """\
This is a whole match of Tír na nÓg against the bot Steady, always with the same cards and the three Geas of the first
game. Fourteen times you choose; everything in between is played for you. You may try any move: if it is allowed, we
say so, and then continue with the one explained.

You build three rows of five cards. The top row wants cards that rise, the middle row cards that fall, the bottom row
equal values. Cards of one colour that touch form regions, which score too. Your hand already has three cards of value
3: remember the bottom row.

@ place a1b1
Journey Phase. One after the other you send Storytellers to spaces between two cards; later each brings home one of
the cards it touches. `a1b1` is the space between a1 and b1. Those two cards, 5 and 4, are useful in any row, so begin
there. A space that is taken is closed to everybody else.

@ place b3c3
The bot stands below b1. There is one card you want: Cú Chulainn at c3, red 7. A falling row needs a high card to
begin with. Only two spaces touch c3, so take one of them now.

@ take a3 a2a3
Saga Phase. It goes the other way round, so the bot was first, and it took b1. Your Storyteller at a1b1 now touches
only one card. You take a card that one of your Storytellers touches, and that Storyteller goes home. Take Sunlit
Cairn, yellow 5, with the one at a2a3.

@ play glastonbury-tor bottom
After taking a card you play one, this or any other from your hand, to the first empty place of a row. The bottom row
scores equal values: two cards 4, three 10, four 18, five 28. You hold three cards of value 3. Play Glastonbury Tor
there. It could turn a neighbour yellow, but it has none yet, so you are not asked.

@ paint bottom1 red
You played Dullaghan beside it, another 3. It says When Played: you may turn a neighbour red. Neighbours are the cards
directly left, right, above and below. Two red cards that touch are a region, so turn Glastonbury Tor red. It stays
red.

@ take b3 a1b1
Both cards beside your last Storyteller have been taken: it is Lost. That is no disaster. When only Lost ones are out,
the Echtra Quest begins, and each takes any card that is left. Choose Hawthorn Gate, green 4.

@ discard hawthorn-gate
Cleanup. You keep as many cards as there are rounds left, four now, and discard one. Your 7, the 6 and the other 7 are
good beginnings for the upper rows, and 5 fits between. Discard the 4; there will be others.

@ take a1 a1b1
A new Otherworld, and the first player’s token has passed on: this time the bot placed first and you take first. At a1
lies Fomóire Raiders, blue 3, your fourth card for the bottom row: 18 points instead of 10.

@ play mag-mell top
The top row scores the first card and every card that is higher than the one on its left. Túr Bhalair, 6, lies there.
Mag Mell is a 7, so it scores 7. Take small steps upwards: after an 8 nothing rises any more.

@ stay
The fifth 3, a second Dullaghan: the bottom row is full and worth 28. It may turn a neighbour red again, but its
neighbour is blue and part of a blue region with the card beside it. “May” means that you don’t have to. `stay` leaves
things as they are.

@ play cu-chulainn middle
Now the middle row, which scores every card lower than the one on its left. The first card never scores there, so it
should be high: Cú Chulainn, 7. Then 6, 5, 4, 3 can follow, and all of them score.

@ paint bottom5 green
The last round. Wandering Púca, 3, ends your falling row 7 6 5 4 3: 18 points. It may turn a neighbour green. The card
below it, at bottom 5, is red, but it touches no other red card. Green, it joins the Púca and Hawthorn Gate: three
green cards in a row and a column.

@ play ember-sprite top
The top row ends with Water Kelpie, 8, and nothing you have is higher. Then a low card is a good one: Ember Sprite, 1,
scores nothing itself, but after a 1 almost every card rises.

@ play white-stag top
The last card: White Stag, green 6, is higher than 1 and scores. It lies above the Púca, so the green region has four
cards now, one more than the bot’s.

@ end
The count: 27 for the top row (6 + 7 + 8 + 6), 18 for the middle (6 + 5 + 4 + 3), 28 for the bottom, 6 for Túr
Bhalair, one for each red card. Regions: largest in green and in red, 8 each, second in blue, 3. Yellow gives nothing,
since one card is not a region. In total 98, against 84.

You have seen all phases. The bot showed some effects too: a Storyteller on a corner (Merrow Milliners), one that
moved when it was Lost (Keening Banshee), a card that changed its row (Leipreachán Cobblers). In every match `?` shows
the full rules, and `echtra cards tir-na-nog` shows all cards.
"""

FRENCH = """\
Voici une partie entière de Tír na nÓg contre le robot Constant, avec des cartes toujours pareilles et les trois Geis
de la première partie. À quatorze moments, vous choisissez ; le reste est joué pour vous. Vous pouvez essayer
n’importe quel coup : s’il est permis, on vous le dit, puis on continue avec celui qui est expliqué.

Vous formez trois rangées de cinq cartes. Celle du haut veut des cartes qui montent, celle du milieu des cartes qui
descendent, celle du bas des valeurs identiques. Les couleurs qui se touchent font des régions, qui rapportent en
plus. Votre main a déjà trois cartes de valeur 3 : pensez à la rangée du bas.

@ place a1b1
Phase de Voyage. L’un après l’autre, vous envoyez vos bardes dans des intervalles entre deux cartes ; chacun
rapportera ensuite l’une des cartes à son contact. `a1b1` est l’intervalle entre a1 et b1. Ces deux cartes, 5 et 4,
servent dans toute rangée : commencez là. Un intervalle occupé est fermé à tous les autres.

@ place b3c3
Le robot est sous b1. Il y a une carte que vous voulez : Cúchulainn en c3, rouge 7. Une rangée qui descend doit
commencer par une carte élevée. Deux intervalles seulement touchent c3 : prenez-en un maintenant.

@ take a3 a2a3
Phase de Saga. Elle tourne dans l’autre sens : le robot a joué d’abord, et il a pris b1. Votre barde en a1b1 ne touche
plus qu’une carte. Vous prenez une carte au contact de l’un de vos bardes, et ce barde rentre. Prenez le Cairn
ensoleillé, jaune 5, avec celui de a2a3.

@ play glastonbury-tor bottom
Après chaque carte prise, vous en jouez une, celle-ci ou une autre de votre main, au premier emplacement libre d’une
rangée. La rangée du bas compte les valeurs identiques : deux cartes 4, trois 10, quatre 18, cinq 28. Vous avez trois
cartes de valeur 3. Jouez-y le Tor de Glastonbury. Il pourrait rendre jaune une carte adjacente, mais il n’y en a pas
encore : rien n’est demandé.

@ paint bottom1 red
Vous avez joué le Dullahan à côté, un autre 3. Il dit, Mise en jeu : vous pouvez rendre rouge une carte adjacente.
Sont adjacentes les cartes directement à gauche, à droite, au-dessus et au-dessous. Deux cartes rouges qui se touchent
sont une région : rendez rouge le Tor de Glastonbury. Il le reste.

@ take b3 a1b1
Les deux cartes au contact de votre dernier barde ont été prises : il est égaré. Ce n’est pas un malheur. Quand il ne
reste que des bardes égarés, la Quête de l’Echtra commence, et chacun prend n’importe quelle carte restante.
Choisissez la Porte d’aubépine, verte 4.

@ discard hawthorn-gate
Entretien. Vous gardez autant de cartes qu’il reste de manches, quatre maintenant, et en défaussez une. Votre 7, le 6
et l’autre 7 sont de bons débuts pour les rangées du haut et du milieu, et le 5 trouve place entre eux. Laissez le 4 ;
il y en aura d’autres.

@ take a1 a1b1
Un nouvel Autre Monde, et le pion Premier joueur est passé : cette fois le robot a placé d’abord et vous prenez
d’abord. En a1 se trouvent les Pillards fomoires, bleu 3, votre quatrième carte pour la rangée du bas : 18 points au
lieu de 10.

@ play mag-mell top
La rangée du haut compte la première carte et toute carte supérieure à celle de sa gauche. Túr Bhalair, 6, y est déjà.
Mag Mell est un 7 et rapporte donc 7. Montez à petits pas : après un 8, plus rien ne monte.

@ stay
Le cinquième 3, un second Dullahan : la rangée du bas est pleine et vaut 28. Il peut encore rendre rouge une carte
adjacente, mais elle est bleue et forme une région bleue avec la carte d’à côté. « Vous pouvez » veut dire que rien
n’oblige. `rester` laisse tout en l’état.

@ play cu-chulainn middle
Maintenant la rangée du milieu, qui compte toute carte inférieure à celle de sa gauche. La première n’y compte jamais,
elle doit donc être élevée : Cúchulainn, 7. Puis 6, 5, 4, 3 peuvent suivre, et toutes comptent.

@ paint bottom5 green
La dernière manche. Le Púca vagabond, 3, finit votre rangée 7 6 5 4 3 : 18 points. Il peut rendre verte une carte
adjacente. Celle du dessous, en bas 5, est rouge mais ne touche aucune autre carte rouge. Verte, elle rejoint le Púca
et la Porte d’aubépine : trois cartes vertes interconnectées.

@ play ember-sprite top
La rangée du haut finit par la Kelpie, 8, et vous n’avez rien de plus élevé. Une carte faible convient alors : le
Lutin des braises, 1, ne rapporte rien, mais après un 1 presque toute carte monte.

@ play white-stag top
La dernière carte : le Cerf blanc, vert 6, est supérieur à 1 et compte. Il est au-dessus du Púca : la région verte a
maintenant quatre cartes, une de plus que celle du robot.

@ end
Le décompte : 27 pour la rangée du haut (6 + 7 + 8 + 6), 18 pour celle du milieu (6 + 5 + 4 + 3), 28 pour celle du
bas, 6 pour Túr Bhalair, un par carte rouge. Régions : la plus grande en vert et en rouge, 8 chacune, la deuxième en
bleu, 3. Le jaune ne donne rien, car une seule carte n’est pas une région. En tout 98, contre 84.

Vous avez vu toutes les phases. Le robot a aussi montré des effets : un barde dans un angle (Merrows modistes), un
autre déplacé dès qu’il s’égarait (Complainte de la Banshee), une carte qui a changé de rangée (Leprechauns
cordonniers). `?` montre toutes les règles dans chaque partie, et `echtra cards tir-na-nog` toutes les cartes.
"""

LESSON = read_lesson(ROWS, {"en": ENGLISH, "fr": FRENCH})
