"""A guided first match of Táin."""

from __future__ import annotations

from engine.lesson import read_lesson

ROWS = """\
game tain · revision 1 · seats 2
! bot 1 random; 0 put C kingdom; 1 put X a4; 0 put B b1; 1 put W a5; 0 put W 2; 1 put B a2; 0 put B b2; 1 pass
0 put X b4; 0 put D 5; 0 pass; 1 put W 5; 0 put W b4; 1 put D 1; 0 put B b3; 1 put X 3; 0 put B b2; 1 put C kingdom
0 put B b5; 1 put X 2; 0 put X b1; 1 put B 4; 0 put X kingdom; 1 put B a5; 0 put X 5; 1 put X a3; 0 put X 3
1 put B a4; 0 put X 4; 1 put B a2; 0 put X 2; 1 put X a1; 0 guards X1; 0 put B b1; 1 put B 5; 1 put X a5; 1 pass
1 put X 2; 0 put B b2; 1 put X a1; 0 put B b3; 0 put B b5; 0 put C kingdom; 0 pass
scores 35 12
"""

ENGLISH = """\
This is a whole match of Táin against the bot Random, which puts its tokens down without much thought. Thirteen times
you choose; everything in between is played for you. You may try any move: if it is allowed, we say so, and then
continue with the one explained.

Your board is a, the bot’s is b. Gates 1 to 3 lead to a pasture with cattle, gates 4 and 5 to a house with jewels. At
your own gates you post guards, at the gates of the bot you put scouts. Everything lies face down until all have
passed.

@ put C kingdom
You begin. In the foreign kingdom there are cattle for free: whoever has a chief or a warrior there takes 1, but a
warrior gives way to a chief. So a chief is safe there. Each clan may have one token in the kingdom, but no boys or
daughters. Send your chief.

@ put B b1
The bot has put a token before your gate 4. Nobody knows what it is before the reveal. Now send a scout of your own.
Boys are cheap, you have six of them, and they succeed wherever nobody stands guard, or only a bluff. Send one to the
bot’s gate 1: a letter and a number is always a gate of a rival.

@ put W 2
Now a guard. A number alone is one of your own gates. A warrior on guard stops warriors and boys, and he is the only
one who captures: a boy who runs into him becomes your prisoner, worth 1 point. Post one at gate 2 of your pasture.

@ put X b4
The bot has passed and is out for this round; you may continue alone, one token at a time. Eight of your eighteen
tokens are bluffs. They do nothing at the reveal, but nobody knows that before. They also use up your tokens, which
can help, as you will see. Put one before the bot’s house.

@ put D 5
Somebody stands before your house at gate 5. The chief’s daughter stops every scout, chiefs too. There is one danger:
a warrior carries her off, and a daughter held prisoner is worth 5 points to the one who holds her. The bot has two
warriors among eighteen tokens. Take the risk.

@ pass
Enough for this round: tokens you use now are missing later. You get them back only when none is left behind your
screen. Pass, and all tokens are turned up.

@ put W b4
Two boys took a cattle each, the chief another one, and your warrior captured a boy. But the token at gate 5 was a
warrior: your daughter is in the bot’s house. To free her you must succeed at gate 4 or 5 of that house. As long as
one of your own is held there, a success frees and takes no jewel. Your second warrior beats boys and bluffs: send him
to gate 4.

@ put B b3
Your chief and a warrior are used and lie before your screen. There are boys and bluffs left. Gate 3 of the bot’s
pasture has no guard yet. One may still come, so a boy is the right stake: if he fails, little is lost.

@ guards X1
Now both places of the kingdom and all places of scouts are taken. So all who are still in name their last guards at
once instead of one by one. Your gate 1 is free. You have a boy and a bluff left. Post the bluff and keep the boy.

@ put B b1
Your warrior beat the boy on guard, and your daughter is free. Two more boys took cattle from behind bluffs, but one
ran into a warrior and is a prisoner now. And here is a trap: you have one token left, and because it is not none, you
did not get the others back. So you have a single token in this round, this boy. Send him to gate 1.

@ put B b2
Now your screen was empty, and all your tokens came back, but for the prisoner. You own 10 cattle: with 11 the match
ends after the round. The bot has only two tokens left, and everybody could count which: all the others have been
shown. They are bluffs. So no guard can stop you: first a boy to gate 2.

@ put B b5
One of your boys is in the bot’s house. He is worth 1 point to the bot, and you cannot take a jewel there before he is
free. Nobody guards gate 5. A success there frees him.

@ pass
Your chief went to the kingdom again. That makes 3 cattle in one round, and you have more than 11. Could somebody else
be richer then? Count before you end a match: 2 for each head of cattle, 3 for each jewel. The bot will have its 4
jewels and nothing else. Pass.

@ end
13 cattle are 26 points, 2 jewels are 6, and a herd of 11 or more is worth another 3: 35 against 12. The richest wins,
not the one who has 11 cattle.

You now know everything that happens in Táin. Against people, bluffs matter more than here. The full rules are at hand
in every match.
"""

FRENCH = """\
Voici une partie entière de Táin contre le robot Aléatoire, qui pose ses jetons sans beaucoup réfléchir. À treize
moments, vous choisissez ; le reste est joué pour vous. Vous pouvez essayer n’importe quel coup : s’il est permis, on
vous le dit, puis on continue avec celui qui est expliqué.

Votre tableau est a, celui du robot est b. Les entrées 1 à 3 mènent à une Pâture et à son bétail, les entrées 4 et 5 à
une Maison et à ses bijoux. À vos propres entrées vous posez des gardiens, à celles du robot des éclaireurs. Tout
reste face cachée jusqu’à ce que tous aient passé.

@ put C kingdom
Vous commencez. Au Royaume étranger, du bétail est à prendre : qui y a un chef ou un guerrier prend 1 pion Bétail,
mais un guerrier cède devant un chef. Un chef y est donc sûr. Chaque clan peut avoir un jeton au Royaume étranger,
jamais un garçon ni une fille du chef. Envoyez votre chef.

@ put B b1
Le robot a posé un jeton devant votre entrée 4. Personne ne sait ce que c’est avant que tout soit retourné. À vous
d’envoyer un éclaireur. Les garçons coûtent peu, vous en avez six, et ils réussissent là où il n’y a pas de gardien,
ou seulement un bluff. Envoyez-en un à l’entrée 1 du robot : une lettre et un nombre désignent toujours une entrée
d’un rival.

@ put W 2
Maintenant un gardien. Un nombre seul désigne une de vos entrées. Un guerrier gardien arrête les guerriers et les
garçons, et lui seul fait des prisonniers : un garçon qui tombe sur lui devient votre prisonnier et vaut 1 point.
Posez-en un à l’entrée 2 de votre Pâture.

@ put X b4
Le robot a passé et ne joue plus ce tour ; vous pouvez continuer seul, un jeton à la fois. Huit de vos dix-huit jetons
sont des bluffs. Ils ne font rien quand tout est retourné, mais personne ne le sait avant, et ils usent vos jetons, ce
qui peut servir, vous le verrez. Posez-en un devant la Maison du robot.

@ put D 5
Quelqu’un se tient devant l’entrée 5 de votre Maison. La fille du chef arrête tout éclaireur, même un chef. Il y a un
danger : un guerrier l’enlève, et une fille du chef prisonnière vaut 5 points à qui la retient. Le robot a deux
guerriers parmi dix-huit jetons. Osez.

@ pass
C’est assez pour ce tour : les jetons posés maintenant vous manqueront plus tard. Vous ne les reprenez que s’il n’en
reste aucun derrière votre écran. Passez, et tous les jetons sont retournés.

@ put W b4
Deux garçons ont pris chacun un pion Bétail, le chef un autre, et votre guerrier a fait un prisonnier. Mais le jeton
de l’entrée 5 était un guerrier : votre fille du chef est dans la Maison du robot. Pour la libérer, il faut réussir à
l’entrée 4 ou 5 de cette Maison. Tant que l’un des vôtres y est retenu, une razzia réussie le libère et ne prend pas
de bijou. Votre second guerrier bat les garçons et les bluffs : envoyez-le à l’entrée 4.

@ put B b3
Votre chef et un guerrier sont utilisés et restent devant l’écran. Il vous reste des garçons et des bluffs. L’entrée 3
de la Pâture du robot n’a pas encore de gardien. Il peut encore en venir un ; un garçon est donc la bonne mise : s’il
échoue, on perd peu.

@ guards X1
Les deux emplacements du Royaume étranger et tous ceux des éclaireurs sont pris. Alors tous ceux qui jouent encore
nomment leurs derniers gardiens d’un coup, et non un par un. Votre entrée 1 est libre. Il vous reste un garçon et un
bluff. Posez le bluff et gardez le garçon.

@ put B b1
Votre guerrier a battu le garçon gardien, et votre fille du chef est libre. Deux autres garçons ont pris du bétail
derrière des bluffs, mais l’un est tombé sur un guerrier : il est prisonnier. Et voici un piège : il vous reste un
jeton, et comme ce n’est pas zéro, vous n’avez pas repris les autres. Vous n’avez donc que ce garçon pour ce tour.
Envoyez-le à l’entrée 1.

@ put B b2
Cette fois votre écran était vide, et tous vos jetons sont revenus, sauf le prisonnier. Vous avez 10 pions Bétail : à
11, la partie finit après le tour. Le robot n’a plus que deux jetons, et chacun pouvait compter lesquels : tous les
autres ont été montrés. Ce sont des bluffs. Aucun gardien ne peut donc vous arrêter : d’abord un garçon à l’entrée 2.

@ put B b5
L’un de vos garçons est dans la Maison du robot. Il y vaut 1 point au robot, et vous ne pouvez pas y prendre de bijou
avant de l’avoir libéré. Personne ne garde l’entrée 5. Une razzia réussie le libère.

@ pass
Votre chef est retourné au Royaume étranger. Cela fait 3 pions Bétail en un tour, et vous en avez plus de 11.
Quelqu’un d’autre serait-il alors plus riche ? Comptez avant de finir une partie : chaque pion Bétail 2, chaque bijou
3. Le robot aura ses 4 bijoux et rien d’autre. Passez.

@ end
13 pions Bétail font 26 points, 2 bijoux 6, et un troupeau de 11 ou plus vaut 3 en plus : 35 contre 12. C’est le plus
riche qui gagne, pas celui qui a 11 pions Bétail.

Vous savez maintenant tout ce qui arrive dans Táin. Contre des personnes, les bluffs pèsent plus qu’ici. Toutes les
règles sont à portée de main dans chaque partie.
"""

LESSON = read_lesson(ROWS, {"en": ENGLISH, "fr": FRENCH})
