"""A guided first match of Bardwood Grove."""

from __future__ import annotations

from engine.lesson import read_lesson

ROWS = """\
game bardwood-grove · revision 1 · seats 2 · content base · bards bardbarian,piper
! bot 1 random; * start 0; * events crystal-harvest harvest-hymn
* lay clapper shout rhyme bright-chorus power-chord bramble-fox glow-wisp coin-toad drum-beetle \
lantern-owl torn-banners the-grand-tour the-five-terrors
* draw 0 rough-chorus; * meet 0 war-whoop; * draw 0 headbang; * draw 1 hill-call; * draw 1 wedding-fee
0 compose rough-chorus headbang; 0 move a2 0; * draw 0 battle-cry; * draw 0 war-story; 1 compose hill-call wedding-fee
1 move c1 0; * draw 1 high-reel; * meet 1 drone-note; * draw 1 lament; 0 compose battle-cry war-story; 0 move a2 2
* draw 0 big-boast; * draw 0 mead-money; 1 compose high-reel lament; 1 move c2 1; * draw 1 low-drone; * draw 1 lullaby
0 compose big-boast mead-money; 0 move a2 2; 0 lower big-boast; 0 lower battle-cry; 0 swell; 0 soothe bramble-fox
* top moss-gate screech-queen; 0 soothe glow-wisp; * top owl-cliff dissonant-dragon; 0 motif double-calm; 0 brag 1
0 tell torn-banners ur; * top legend1 the-gentle-hunter; 0 offer crystal-harvest; 0 buy bright-chorus
* top skill1 crescendo; 0 done; * meet 0 bardbarian-fan; 0 fan bardbarian-fan 2; * draw 0 big-boast
* draw 0 rough-chorus; 1 compose low-drone lullaby; 1 move c2 0; 1 lower low-drone; 1 soothe lantern-owl
* top old-bridge moss-badger; 1 offer crystal-harvest; 1 buy shout; * top impro1 merch-table; 1 lower hill-call
1 brag 1; 1 done; * draw 1 low-drone; * meet 1 lantern-owl; * draw 1 hill-call; 0 compose rough-chorus big-boast
0 move a4 1; * draw 0 war-story; * draw 0 mead-money; 1 compose hill-call low-drone; 1 move c1 1; * draw 1 high-reel
* meet 1 piper-fan; 1 fan piper-fan 2; * draw 1 lullaby; 0 compose war-story mead-money; 0 move a4 1
0 lower war-story; 0 swell; 0 help dissonant-dragon; 0 brag 2; 0 trade poets-bench; 0 perform lakeside-bandstand ur
0 done; * meet 0 war-whoop; * draw 0 bright-chorus; * draw 0 battle-cry; 1 compose high-reel lullaby; 1 move c1 2
1 offer crystal-harvest; 1 trade watchtower; 1 buy merch-table; * top impro1 yodel; 1 soothe moss-badger
* top old-bridge cacophony-hydra; 1 brag 2; 1 help coin-toad; 1 lower hill-call; 1 done; * draw 1 lament
* draw 1 wedding-fee; 0 compose battle-cry bright-chorus; 0 move a2 1; * meet 0 bramble-fox; * draw 0 headbang
* meet 0 bardbarian-fan; 0 fan bardbarian-fan 2; * draw 0 rough-chorus; 1 compose lament wedding-fee; 1 move c3 0
* meet 1 shout; * meet 1 drone-note; * draw 1 wedding-fee; * draw 1 low-drone; 0 compose rough-chorus headbang
0 move a2 2; * draw 0 mead-money; * meet 0 glow-wisp; * draw 0 bright-chorus; 1 compose low-drone wedding-fee
1 move a3 0; 1 help dissonant-dragon; 1 motif wild-impro; 1 brag 1; 1 lower lament; 1 tell torn-banners ll
1 offer crystal-harvest; 1 help screech-queen; 1 lower low-drone; 1 swell; 1 done; * draw 1 lullaby
* meet 1 piper-fan; 1 fan piper-fan 2; * meet 1 moss-badger; * draw 1 hill-call; 0 compose bright-chorus mead-money
0 move c2 0; 0 lower battle-cry; 0 lower bright-chorus; 0 swell; 0 soothe cacophony-hydra; 0 stack 1
0 soothe coin-toad; 0 stack 2; * top bramble-hollow root-imp; 0 motif old-and-new; 0 brag 1; 0 buy yodel
* top impro1 call-and-answer; 0 spend coins; 0 done; * draw 0 war-story; * draw 0 big-boast
1 compose lullaby hill-call; 1 move b4 1; * meet 1 merch-table; * draw 1 high-reel; * draw 1 lament
0 compose big-boast war-story; 0 move a2 0; * meet 0 cacophony-hydra; * draw 0 rough-chorus; * meet 0 bardbarian-fan
0 fan bardbarian-fan 2; * draw 0 headbang; 1 compose lament high-reel; 1 move c3 0; * draw 1 hill-call
* meet 1 drone-note; * meet 1 lantern-owl; * draw 1 wedding-fee; 0 compose rough-chorus headbang; 0 move a2 1
0 lower big-boast; 0 swell; 0 tell the-gentle-hunter lr; * top legend1 carved-stones; 0 help screech-queen
0 buy crescendo; * top skill1 marching-tune; 0 brag 2; 0 done; * draw 0 bright-chorus; * meet 0 yodel
* draw 0 battle-cry; 1 compose wedding-fee hill-call; 1 move b3 0; 1 lower wedding-fee; 1 tell the-gentle-hunter ur
1 brag 1; 1 bank M2; 1 lower lament; 1 lower lullaby; 1 buy rhyme; * top impro2 stomp; 1 done; * meet 1 piper-fan
1 fan piper-fan 2; * meet 1 shout; * draw 1 low-drone; * meet 1 rhyme; * draw 1 hill-call
0 compose bright-chorus battle-cry; 0 move a2 3; * draw 0 mead-money; * draw 0 war-story
1 compose low-drone hill-call; 1 move c3 1; * draw 1 wedding-fee; * meet 1 piper-fan; 1 fan piper-fan 1
* meet 1 drone-note; * draw 1 high-reel; 0 compose mead-money war-story; 0 move a1 0; 0 lower bright-chorus
0 lower mead-money; 0 swell; 0 soothe screech-queen; 0 help root-imp; 0 brag 1; 0 trade echo-cave; 0 done
* meet 0 bramble-fox; * meet 0 war-whoop; * draw 0 crescendo; * draw 0 headbang; 1 compose high-reel wedding-fee
1 move b2 0; * draw 1 lullaby; * draw 1 lament; 0 compose headbang crescendo; 0 move a2 2; * meet 0 cacophony-hydra
0 stack 1; * draw 0 bright-chorus; * draw 0 mead-money; 1 compose lullaby lament; 1 move b2 0; 1 buy marching-tune
* top skill1 tall-tale; 1 brag 2; 1 perform open-stage ur; * top fans loud-cousin; 1 bank M2; 1 lower lullaby
1 lower low-drone; 1 offer harvest-hymn; 1 swell; 1 done; * meet 1 moss-badger; * meet 1 merch-table
* draw 1 marching-tune; * meet 1 clapper; 1 fan clapper 1; * meet 1 shout; * meet 1 piper-fan; 1 fan piper-fan 2
* meet 1 rhyme; * draw 1 lullaby; 0 compose bright-chorus mead-money; 0 move a2 1; 0 lower headbang
0 lower bright-chorus; 0 swell; 0 soothe dissonant-dragon; 0 stack 2; 0 buy tall-tale; * top skill1 passing-the-hat
0 spend gem; 0 lull moss-gate; 0 done; * meet 0 coin-toad; 0 stack 1; * meet 0 bardbarian-fan; 0 fan bardbarian-fan 2
* draw 0 rough-chorus; * draw 0 battle-cry; 1 compose marching-tune lullaby; 1 move c1 0; * meet 1 drone-note
* draw 1 hill-call; * draw 1 high-reel
scores 39 22
"""

ENGLISH = """\
This is a whole match of Bardwood Grove against the bot Random, which picks its moves without much thought. Fifteen
times you choose; everything in between is played for you. You may try any move: if it is allowed, we say so, and then
continue with the one explained.

You are the Bardbarian with an electric lute. Turn by turn you put cards into a song; when your dial has gone round,
you sing it, and what the song brings is spent where your bard stands. Green gems are points at once, and when the last
one has left the board, the match ends.

@ compose rough-chorus headbang
Every turn begins like this: one of the two Skills in your hand goes into the song, the other is discarded and pays what
its strip says, now. In the song Rough Chorus will bring 1 melody and 1 lyrics. Headbang discarded brings 2 volume and 1
tempo, which turns your dial by one quarter. So you choose twice: what you will sing, and how fast you get there. The
Impro War Whoop, by the way, is in your song already: it went there automatically when it was drawn.

@ move a2 0
The dial stopped at the lower right quarter, which gives 2 movement. Each point moves your bard to a neighbouring region
or your boat one space down the river. Where the bard stands when you sing decides which locations you can use: those at
the border of the region. In a2 there are creatures at Moss Gate, cards to buy at the Song School, and a jetty where
legends are told. Go there.

@ move a2 2
This time you put Battle Cry into the song and discarded War Story: 2 tempo, so the dial is at the upper left, just
below the shelf with your song marker. Your bard is well placed. Give both points to the boat: it must have reached
space 2 before a legend of level I can be told.

@ compose big-boast mead-money
Now look at the dial: any tempo takes it past the shelf, and then you sing in this turn. Discard Mead Money, for its 2
volume, and put Big Boast into the song for its lyrics. Only the quarter where the dial stops pays, not those it passes.

@ lower big-boast
You sing. The lute, the upper halves and the Impro have been counted: 6 melody, 2 lyrics, and 1 volume that waits until
you take it with `swell`. From now on every move is your choice, in any order. Many Skills have a lower half, which
costs volume: Big Boast gives 2 more lyrics for 2 volume. A legend costs 4 lyrics, so use it.

@ soothe bramble-fox
You also used the lower half of Battle Cry and took the waiting volume. 7 melody! A creature is soothed by paying its
value in melody. The Bramble Fox at Moss Gate costs 4 and gives a range stone and 1 volume; and the card is yours, worth
1 point at the end. Soothe it.

@ soothe glow-wisp
Below the fox a boss came up, but each lair can be used only once in a song. The Glow Wisp sits at Owl Cliff, one region
away. A range stone for each step of distance lets you reach creatures and rivals, though not shops or stages. You have
just won one. The wisp costs 3 melody: exactly what you have left.

@ motif double-calm
Two creatures soothed in one song: that is what the motif token Double Calm asks for. Tokens go to the first player who
meets their condition, one per song. Take your first green gem; it comes from pool I.

@ tell torn-banners ur
Lyrics now. Your boat is on space 4, and a jetty is here. Telling a legend of level I costs 4 lyrics and one of your
runes, gives 1 gem at once, and at the end of the match the points it promises: Torn Banners counts the crests that have
left your track. You choose the quarter of the dial from which the rune comes. When both runes of a quarter are gone,
its bonus is open: for the upper right, a coin whenever the dial stops there. The boat goes back to the start.

@ buy bright-chorus
With the offer of the current event you have turned your acoustic stone into 2 coins. Stones and coins keep, but melody
and lyrics are lost when the song ends. Buy the Skill on top of the pile at the Song School: it goes to your discard
pile, will come into your hand later, and is worth 1 point at the end.

@ fan bardbarian-fan 2
The song is over and its cards are discarded, all but the lute. Then comes Rest: you draw until you hold two Skills
again. Impros go straight into the song, creatures to your brag area with their benefits, and a Fan gives one of two
things. Your Super Fan offers 2 volume or a coin. You have plenty of volume; take the coin.

@ help dissonant-dragon
A second song, in a4. The Dissonant Dragon, a boss of value 9, is out of reach with 3 melody. But you can help: for 1
melody a crest of yours goes onto its card. That uncovers a point on your crest track, makes the dragon cheaper by 1 for
everybody, and if a rival soothes it, you gain the same benefits. Put a crest there.

@ perform lakeside-bandstand ur
Poets’ Bench has turned 2 volume into 2 lyrics: with 5 you can perform. A stage costs lyrics and a rune, here 4 lyrics
for a gem; each rune of yours already there makes it cost 1 more. Take the rune from the upper right again, and the
bonus of that quarter is open for good.

@ soothe cacophony-hydra
Some turns later. You sing in c2 with 10 melody, and a boss lies at the Old Bridge: the Cacophony Hydra, value 9, worth
2 gems, 2 volume and 3 points. The Bardbarian gains 2 more volume for every boss. Both spaces of your brag area are
taken, so you will be asked on which of them to stack it.

@ soothe dissonant-dragon
The last song. The gems run out, and there are two crests on the Dissonant Dragon, yours and one of the bot’s: it costs
only 7 now, and one range stone, since you stand in a2. You gain 2 gems; so does the bot, since its crest is there. That
crest becomes yours, and two captured crests buy another gem. When the last gem leaves the board, the round is finished.

@ end
16 green gems, 3 points on the crest track, 16 on the cards you won and bought, and 4 for the two legends: 39 to 22.
Half of a good score is in cards and legends, so don’t just chase gems.

You have met every phase. There is more to find: banks, the market, challenges to rivals, and eight bards. In every
match `?` shows the full rules.
"""

FRENCH = """\
Voici une partie entière de Bardwood Grove contre le robot Aléatoire, qui choisit ses coups sans trop réfléchir. À
quinze moments, c’est vous qui choisissez ; le reste est joué pour vous. Essayez le coup que vous voulez : s’il est
permis, on vous le dit, puis on continue avec celui qui est expliqué.

Vous êtes le Bardbare, avec son luth électrique. Tour après tour, vous mettez des cartes dans une chanson ; quand votre
cadran a fait le tour, vous la chantez, et ce qu’elle rapporte se dépense là où se tient votre barde. Les gemmes vertes
sont des points acquis, et quand la dernière a quitté le plateau, la partie finit.

@ compose rough-chorus headbang
Chaque tour commence ainsi : de vos deux Compétences en main, l’une rejoint la chanson, l’autre est défaussée et paie
tout de suite ce que dit sa bande. Dans la chanson, Chœur rauque apportera 1 mélodie et 1 parole. Crinière au vent,
défaussée, apporte 2 volumes et 1 tempo, qui tourne votre cadran d’un quart. Vous choisissez donc deux fois : ce que
vous chanterez, et à quelle vitesse vous y serez. L’Impro Clameur est d’ailleurs déjà dans votre chanson : elle y est
allée d’elle-même quand elle a été piochée.

@ move a2 0
Le cadran s’est arrêté au quart inférieur droit, qui donne 2 déplacements. Chaque point mène votre barde dans une région
voisine, ou votre bateau une case plus loin sur la rivière. L’endroit où se tient le barde quand vous chantez décide des
lieux utilisables : ceux du bord de sa région. En a2, il y a des créatures à la Porte de mousse, des cartes à acheter à
l’École de chant, et une jetée où l’on raconte des légendes. Allez-y.

@ move a2 2
Cette fois, Cri de bataille a rejoint la chanson et Récit de guerre a été défaussé : 2 tempos, et le cadran est en
haut à
gauche, juste sous l’étagère où se trouve votre marqueur Chanson. Votre barde est bien placé. Donnez les deux points au
bateau : il doit avoir atteint la case 2 pour qu’une légende de niveau I puisse être racontée.

@ compose big-boast mead-money
Regardez le cadran : n’importe quel tempo lui fait passer l’étagère, et alors vous chantez ce tour-ci. Défaussez Sous
pour l’hydromel, pour ses 2 volumes, et mettez Grosse vantardise dans la chanson pour ses paroles. Seul compte le quart
où le cadran s’arrête, pas ceux qu’il traverse.

@ lower big-boast
Vous chantez. Le luth, les moitiés supérieures et l’Impro sont comptés : 6 mélodies, 2 paroles, et 1 volume qui attend
que vous le preniez par « monter ». À partir d’ici, chaque coup est à vous, dans l’ordre que vous voulez. Beaucoup de
Compétences ont une moitié inférieure, qui coûte du volume : Grosse vantardise donne 2 paroles de plus pour 2 volumes.
Une légende coûte 4 paroles : débloquez-la.

@ soothe bramble-fox
Vous avez aussi débloqué Cri de bataille et pris le volume en attente. 7 mélodies ! On apaise une créature en payant sa
valeur en mélodie. Le Renard des ronces, à la Porte de mousse, coûte 4 et donne une pierre de portée et 1 volume ; et la
carte est à vous, 1 point à la fin. Apaisez-le.

@ soothe glow-wisp
Sous le renard est apparu un boss, mais chaque lieu Créature ne sert qu’une fois par chanson. Le Feu follet est à la
Falaise aux hiboux, à une région d’ici. Une pierre de portée par pas de distance permet d’atteindre créatures et rivaux,
mais ni boutiques ni scènes. Vous venez d’en gagner une. Le feu follet coûte 3 mélodies : tout juste ce qui vous reste.

@ motif double-calm
Deux créatures apaisées dans une même chanson : c’est ce que demande le jeton Motif Double apaisement. Chaque jeton va
au premier qui remplit sa condition, un seul par chanson. Prenez votre première gemme verte ; elle vient de la réserve
I.

@ tell torn-banners ur
Aux paroles, maintenant. Votre bateau est en case 4, et une jetée est ici. Raconter une légende de niveau I coûte 4
paroles et une de vos runes, donne aussitôt 1 gemme, et à la fin de la partie les points qu’elle promet : Bannières
déchirées compte les écussons qui ont quitté votre piste. Vous choisissez le quart du cadran d’où vient la rune. Quand
les deux runes d’un quart sont parties, son bonus est ouvert : en haut à droite, une pièce chaque fois que le cadran s’y
arrête. Le bateau revient au départ.

@ buy bright-chorus
Par l’offre de l’évènement présent, vous avez changé votre pierre acoustique en 2 pièces. Les pierres se gardent, les
pièces aussi ; mais la mélodie et les paroles sont perdues quand la chanson finit. Achetez la Compétence du dessus de la
pile à l’École de chant : elle va dans votre défausse, viendra plus tard dans votre main, et vaut 1 point à la fin.

@ fan bardbarian-fan 2
La chanson est finie et ses cartes sont défaussées, sauf le luth. Vient la Pause : vous piochez jusqu’à tenir de nouveau
deux Compétences. Les Impros rejoignent la chanson, les créatures votre zone de Fanfaronnade avec leurs avantages, et un
Fan donne un de ses deux avantages. Votre Super fan offre 2 volumes ou une pièce. Du volume, vous en avez : prenez la
pièce.

@ help dissonant-dragon
Deuxième chanson, en a4. Le Dragon dissonant, un boss de valeur 9, est hors d’atteinte avec 3 mélodies. Mais vous pouvez
aider : pour 1 mélodie, un de vos écussons va sur sa carte. Cela découvre un point sur votre piste Écusson, rend le
dragon moins cher de 1 pour tout le monde, et si un rival l’apaise, vous gagnez les mêmes avantages. Posez un écusson.

@ perform lakeside-bandstand ur
Le Banc des poètes a changé 2 volumes en 2 paroles : avec 5, vous pouvez jouer. Un lieu Représentation coûte des paroles
et une rune, ici 4 paroles pour une gemme ; chaque rune à vous qui s’y trouve déjà le rend plus cher de 1. Prenez encore
la rune en haut à droite, et le bonus de ce quart est ouvert pour de bon.

@ soothe cacophony-hydra
Quelques tours plus tard. Vous chantez en c2 avec 10 mélodies, et un boss se tient au Vieux pont : l’Hydre cacophonique,
valeur 9, qui donne 2 gemmes, 2 volumes et 3 points. Le Bardbare gagne 2 volumes de plus à chaque boss. Les deux
emplacements de votre zone de Fanfaronnade sont pris ; on vous demandera donc sur lequel l’empiler.

@ soothe dissonant-dragon
La dernière chanson. Les gemmes s’épuisent, et il y a deux écussons sur le Dragon dissonant, le vôtre et un du robot :
il ne coûte plus que 7, et une pierre de portée, car vous êtes en a2. Vous gagnez 2 gemmes ; le robot aussi, car son
écusson est là. Cet écusson devient vôtre, et deux écussons pris achètent encore une gemme. Quand la dernière gemme
quitte le plateau, on finit la manche.

@ end
16 gemmes vertes, 3 points sur la piste Écusson, 16 sur les cartes gagnées et achetées, et 4 pour les deux légendes : 39
contre 22. La moitié d’un bon score est dans les cartes et les légendes : ne courez pas qu’après les gemmes.

Vous avez vu toutes les phases. Il reste à découvrir la banque, le marché, les défis aux rivaux et les huit bardes. `?`
montre toutes les règles dans chaque partie.
"""

LESSON = read_lesson(ROWS, {"en": ENGLISH, "fr": FRENCH})
