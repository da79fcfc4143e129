"""A guided first match of Keltis."""

from __future__ import annotations

from engine.lesson import read_lesson

ROWS = """\
game keltis · revision 1 · seats 2
! bot 1 steady; * deal 0 R2 R3 R5 N5 G6 B6 P9 RE; * deal 1 G1 G2 G4 P3 P4 Y8 R6 B9; 0 lay R2; 0 draw deck; * draw 0 G9
1 lay G1; 1 draw deck; * draw 1 R3; 0 stone G6 B6; 0 draw deck; * draw 0 B5; 0 draw deck; * draw 0 N8; 1 stone R3 P3
1 draw G; 1 draw deck; * draw 1 YE; 0 lay R3; 0 draw R; 1 lay Y8; 1 draw deck; * draw 1 Y2; 0 lay R3; 0 draw deck
* draw 0 P6; 1 discard B9; 1 draw deck; * draw 1 G5; 0 lay R5; 0 draw deck; * draw 0 YE; 1 discard R6; 1 draw deck
* draw 1 R10; 0 lay N5 R; 0 draw deck; * draw 0 P1; 1 discard R10; 1 draw deck; * draw 1 P2; 0 stone G9 P9; 0 draw R
0 draw R; 1 lay G2; 1 draw G; 0 lay N8; 0 draw deck; * draw 0 R5; 1 discard YE; 1 draw deck; * draw 1 R4
0 stone R5 B5; 0 draw deck; * draw 0 B1; 0 draw deck; * draw 0 N1; 1 stone R4 P4; 1 draw Y; 1 draw deck; * draw 1 R0
0 stone B1 P1; 0 draw deck; * draw 0 Y6; 0 draw deck; * draw 0 Y7; 1 stone Y2 P2; 1 draw deck; * draw 1 Y5
1 draw deck; * draw 1 B3; 0 lay Y7; 0 draw Y; 1 discard R0; 1 draw deck; * draw 1 N10; 0 lay N1; 0 draw deck
* draw 0 B2; 1 lay N10; 1 draw deck; * draw 1 N2; 0 lay R6; 0 draw deck; * draw 0 R7; 1 lay N2 G; 1 draw deck
* draw 1 P3; 0 lay R7; 0 draw deck; * draw 0 N0; 1 discard B3; 1 draw deck; * draw 1 GE; 0 lay N0; 0 draw deck
* draw 0 B4; 1 discard P3; 1 draw deck; * draw 1 B7; 0 discard B2; 0 draw deck; * draw 0 G6; 1 discard B7; 1 draw deck
* draw 1 R6; 0 discard B4; 0 draw deck; * draw 0 P7; 1 discard R6; 1 draw deck; * draw 1 Y7; 0 discard P6; 0 draw deck
* draw 0 R8; 1 lay Y7; 1 draw deck; * draw 1 Y9; 0 lay R8; 0 draw deck; * draw 0 P5; 1 lay Y5; 1 draw deck
* draw 1 N9; 0 lay RE; 0 draw deck; * draw 0 B10; 1 lay N9; 1 draw deck; * draw 1 G10; 0 lay Y6; 0 draw deck
* draw 0 G7; 1 discard Y9; 1 draw deck; * draw 1 P7; 0 stone G7 P7; 0 draw deck; * draw 0 Y1; 0 draw deck; * draw 0 Y5
1 discard P7; 1 draw deck; * draw 1 PE; 0 discard R10; 0 draw deck; * draw 0 Y4; 1 discard PE; 1 draw deck
* draw 1 P8; 0 discard B10; 0 draw deck; * draw 0 P4; 1 lay G4; 1 draw deck; * draw 1 R9; 0 discard P4; 0 draw deck
* draw 0 B6; 1 lay G5; 1 draw deck; * draw 1 P0; 0 lay Y5; 0 draw deck; * draw 0 B3; 1 lay G6; 1 draw deck
* draw 1 G8; 0 lay Y4; 0 draw deck; * draw 0 G3; 1 stone G8 P8; 1 draw deck; * draw 1 B8; 1 draw R; 0 last Y1 YE
1 last YE G9
scores 26 15
"""

ENGLISH = """\
This is a whole match of Keltis against the bot Steady, always with the same cards. Thirteen times you choose;
everything in between is played for you. You may try any move: if it is allowed, we say so, and then continue with the
one explained.

You build rows of one colour, as long as you can. A row of one, two or three cards costs points; with four or more it
earns some. The table shows what each row is worth now.

@ lay R2
Each turn is one play and then one card drawn. Your hand has three low reds, R2, R3 and R5, and the red End card, RE.
That is enough to begin a row. Numbers may go up or down; from a low card you can climb a long way, so begin with the
lowest, red 2. A single card costs 4 points for now; that will change.

@ draw deck
Now draw, so that you hold eight again. A card comes from the deck or from the top of a discard pile. There are no
discards yet, so take one from the deck.

@ stone G6 B6
You hold pairs: two sixes, two nines, and a five with a Point card. Two cards of the same number, of whatever colour,
buy the wish stone with that number as long as it lies in the line. Without any stone you lose 4 points, with five you
win 10. Keep the five for your red row, discard both sixes, and take stone 6.

@ draw deck
For a stone you draw two cards, one after the other. The piles on which you have just put your sixes, green and blue,
are closed to you until your next turn. So the deck again.

@ draw deck
You have seen the first card. Only now do you choose where the second one comes from. There is still nothing but the
deck.

@ lay R3
Look what happened: the bot bought stone 3 with R3 and P3, and it took your G6 from its pile. Others may take what you
discard. Now continue with red 3: it is the first number in this row that differs from the one before, so from here on
red can only go up. Equal numbers always fit.

@ draw R
The bot left R3 on top of the red pile. It is equal to your last red card, so it fits. A card you know is better than
one you don’t: take it from the pile.

@ lay N5 R
We laid R3 and R5 for you. Now your red row ends with a 5, and you hold N5, a Point card. On your Point row it would
be worth 1 point. On a colour row it counts as a card of that row, but only if its number is that of the last number
card there. The fifth red card is worth 1 point too, and every further card then counts from a longer row. Lay it on
red.

@ lay N8
Another stone was bought with G9 and P9, and R10 and R6 came from the red pile. R6 would fit, but it can wait: nobody
can take it out of your hand. N8 fits none of your rows. Laid on the Point row it is 1 point for certain.

@ lay Y7
Four stones already: pairs come more easily than you might think. Now look for a second row. You hold Y7, Y6 and the
yellow End card, and Y2 lies on top of the yellow pile, so that you can draw it at once. That makes four cards, and
with four a row stops costing points. This row will go down: begin with Y7.

@ discard B2
Sometimes nothing is worth laying. Then discard what helps nobody: you have no blue row, and neither does the bot. You
cannot take it back in this turn. Before you discard, look at the rows of the others.

@ lay RE
Eight red cards are worth 7 points, nine are worth 10, and more than nine are not worth more. An End card fits on any
number. After it no number fits on this row, only the second red End card, but you need no more. When five rows at the
table hold an End card, the match stops at once; here it is only the first.

@ last Y1 YE
The last card of the deck is drawn, so there are no more turns. Everybody may now lay up to two cards from the hand,
by the usual rules, without drawing. Your yellow row has four cards and is worth 1. With Y1 and then the End card it
has six and is worth 3. Put the End card last, since no number fits after it.

@ end
You have 26 points: 10 for nine red cards, 3 for six yellow ones, 3 for the Point row and 10 for five stones. The bot
has 15: a fine green row of seven cards, but only four yellow cards and four stones.

You now know everything that happens in Keltis. The full rules are at hand in every match.
"""

FRENCH = """\
Voici une partie entière de Keltis contre le robot Constant, avec des cartes toujours pareilles. À treize moments,
vous choisissez ; le reste est joué pour vous. Vous pouvez essayer n’importe quel coup : s’il est permis, on vous le
dit, puis on continue avec celui qui est expliqué.

Vous formez des séries d’une couleur, aussi longues que possible. Une série d’une, deux ou trois cartes coûte des
points ; à partir de quatre, elle en rapporte. La table montre ce que vaut chaque série.

@ lay R2
Un tour, c’est une action, puis une carte tirée. Votre main a trois petites cartes rouges, R2, R3 et R5, et la carte
Fin rouge, RF. C’est assez pour commencer une série. Les nombres montent ou descendent ; d’une petite carte on peut
monter longtemps, commencez donc par la plus basse, rouge 2. Une seule carte coûte 4 points pour l’instant ; cela va
changer.

@ draw deck
Tirez maintenant une carte pour en avoir de nouveau huit. Elle vient de la pioche ou du dessus d’une défausse. Il n’y
a pas encore de défausse : il ne reste que la pioche.

@ stone G6 B6
Vous avez des paires : deux 6, deux 9, et un 5 avec une carte Point. Deux cartes de même valeur, de n’importe quelle
couleur, permettent de prendre la Pierre de Vœux de ce nombre, tant qu’elle est dans la ligne. Sans aucune pierre on
perd 4 points, avec cinq on en gagne 10. Gardez le 5 pour votre série rouge, défaussez les deux 6 et prenez la Pierre
de Vœux 6. Dans les coups, V s’écrit G : les deux se tapent.

@ draw deck
Après une Pierre de Vœux on tire deux cartes, l’une après l’autre. Les piles où vous venez de mettre vos 6, la verte
et la bleue, vous sont fermées jusqu’à votre prochain tour. Donc encore la pioche.

@ draw deck
Vous avez vu la première carte. C’est seulement maintenant que vous choisissez d’où vient la seconde. Il n’y a
toujours que la pioche.

@ lay R3
Voyez ce qui s’est passé : le robot a pris la Pierre de Vœux 3 contre R3 et P3, et il a pris votre V6 sur sa pile. Ce
que vous défaussez, les autres peuvent le prendre. Continuez avec rouge 3 : c’est la première valeur de cette série
qui diffère de la précédente, donc le rouge ne peut plus que monter. Les valeurs égales sont toujours permises.

@ draw R
Le robot a laissé R3 sur la pile rouge. Il est égal à votre dernière carte rouge, donc il convient. Mieux vaut une
carte que l’on connaît : prenez-la sur la pile.

@ lay N5 R
Nous avons posé R3 et R5 pour vous. Votre série rouge finit maintenant par un 5, et vous avez N5, une carte Point.
Dans votre série neutre elle vaudrait 1 point. Dans une série de couleur elle compte comme une carte de cette série,
mais seulement si sa valeur est celle de la dernière carte Valeur. La cinquième carte rouge vaut aussi 1 point, et
chaque carte suivante compte alors dans une série plus longue. Posez-la dans la série rouge.

@ lay N8
Une autre Pierre de Vœux a été prise contre V9 et P9, et R10 et R6 sont venus de la pile rouge. R6 conviendrait, mais
il peut attendre : personne ne peut le prendre dans votre main. N8 ne va dans aucune de vos séries de couleur. Dans la
série neutre, c’est 1 point assuré.

@ lay Y7
Déjà quatre pierres : les paires viennent plus facilement qu’on ne croit. Cherchez maintenant une seconde série. Vous
avez J7, J6 et la carte Fin jaune, et J2 est sur la pile jaune : vous pouvez le prendre aussitôt. Cela fait quatre
cartes, et à quatre une série cesse de coûter. Celle-ci va descendre : commencez par J7.

@ discard B2
Parfois, rien ne vaut la peine d’être posé. Défaussez alors ce qui n’aide personne : vous n’avez pas de série bleue,
et le robot non plus. Vous ne pouvez pas reprendre cette carte pendant ce tour. Avant de défausser, regardez les
séries des autres.

@ lay RE
Huit cartes rouges valent 7 points, neuf en valent 10, et plus de neuf ne valent pas davantage. Une carte Fin convient
après toute valeur. Ensuite, aucune valeur n’entre plus dans cette série, seulement la seconde carte Fin rouge ; mais
vous n’en avez pas besoin. Quand cinq séries de la table ont une carte Fin, la partie s’arrête aussitôt ; ici, ce
n’est que la première.

@ last Y1 YE
La dernière carte de la pioche est tirée : il n’y a plus de tour. Chacun peut encore poser jusqu’à deux cartes de sa
main, selon les règles habituelles, sans piocher. Votre série jaune a quatre cartes et vaut 1. Avec J1 puis la carte
Fin, elle en a six et vaut 3. Mettez la carte Fin en dernier, car aucune valeur ne peut la suivre.

@ end
Vous avez 26 points : 10 pour neuf cartes rouges, 3 pour six jaunes, 3 pour la série neutre et 10 pour cinq Pierres de
Vœux. Le robot en a 15 : une belle série verte de sept cartes, mais seulement quatre cartes jaunes et quatre pierres.

Vous savez maintenant tout ce qui arrive dans Keltis. Toutes les règles sont à portée de main dans chaque partie.
"""

LESSON = read_lesson(ROWS, {"en": ENGLISH, "fr": FRENCH})
