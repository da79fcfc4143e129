"""The rules of Bardwood Grove in short, for help texts."""

from __future__ import annotations

from engine.words import Locale, french

RULES: dict[Locale, str] = {
    "en": """\
A turn has up to three phases. Compose: one of your two Skills goes into your song, the other is discarded and pays its
bottom strip: volume and tempo. The dial turns clockwise; the quarter where it stops gives movement, and its bonus once
both runes are gone. Spend movement on your bard (1 a region) and your boat (1 a river space).
Sing, when the dial has passed the shelf above it: everything on the Instrument, the upper halves and the Impros of your
song is gained at once, but their volume waits for `swell`. Then, move by move: lower halves for volume, help and soothe
creatures with melody, perform and tell legends with lyrics and a rune, buy cards with coins, bank, conversions, the
market, challenges, captured crests, bragging, one motif, and the offer of the event. Locations need your bard at their
border, each once per song; creatures and bards further away cost range stones. `done` ends the song.
Rest: draw until you hold two Skills. Impros go to the song, Fans give one of two sides, creatures their benefits.
Gems come from pool I, then pool II, which also changes the event. When the last gem leaves the board, the round is
finished and counted: gems, uncovered crest spaces, points of acquired cards, told legends, muse. Ties: gems, coins.
Short forms: + CARD, - CARD, @ c3 ~1, ~2, stay, v NAME, v all, s NAME, h NAME, b NAME, b skill, p ul, t NAME ul, x, o,
$ 2M 1L, d 2, k gem, f 1, a full stop for done, prefer C A V for the Fans of this Rest.
Stand-in: a seat that is given up is played by Steady, which sees what the seat sees.""",
    "fr": french("""\
Un tour a jusqu’à trois phases. Composition : de vos deux Compétences, l’une rejoint votre chanson, l’autre est
défaussée et paie sa bande du bas : volume et tempo. Le cadran tourne dans le sens horaire ; le quart où il s’arrête
donne des déplacements, et son bonus quand ses deux runes sont parties. Les déplacements vont au barde (1 par région)
et au bateau (1 par case de la rivière).
Chant, quand le cadran a passé l’étagère : tout ce que donnent l’Instrument, les moitiés supérieures et les Impros est
gagné aussitôt, mais leur volume attend « monter ». Ensuite, coup par coup : débloquer des moitiés inférieures, aider et
apaiser des créatures avec la mélodie, jouer et raconter des légendes avec des paroles et une rune, acheter avec des
pièces, banque, conversions, marché, défis, écussons pris, fanfaronnade, un motif, l’offre de l’évènement. Les lieux
demandent que le barde soit à leur bord, chacun une fois par chanson ; plus loin, créatures et bardes coûtent des
pierres de portée. « fini » termine la chanson.
Pause : piochez jusqu’à tenir deux Compétences. Les Impros rejoignent la chanson, les Fans donnent un de leurs deux
côtés, les créatures leurs avantages.
Les gemmes viennent de la réserve I, puis de la II, ce qui change aussi l’évènement. Quand la dernière gemme quitte le
plateau, on finit la manche et on compte : gemmes, cases découvertes de la piste Écusson, points des cartes acquises,
légendes racontées, muse. Égalité : gemmes, puis pièces.
Formes courtes : + CARTE, - CARTE, @ c3 ~1, ~2, reste, v NOM, v tout, s NOM, h NOM, b NOM, b compétence, p sg, t NOM sg,
x, o, $ 2M 1P, d 2, k gemme, f 1, un point pour fini, prefere C A V pour les Fans de cette Pause.
Remplaçant : une place abandonnée est jouée par Constant, qui voit ce que voit la place."""),
}
