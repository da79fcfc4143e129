"""The whole rules of Bardwood Grove in English."""

from __future__ import annotations

from engine.games.bardwood_grove.texts.card_tables import event_rows, muse_rows
from engine.rulebook import read_rulebook

RULEBOOK = read_rulebook(
    """\
# Overview
Two to four bards, or one against a rival that plays by cards, build songs and sing them through a forest of
creatures, stages and jetties. There are two kinds of points: green gems, which you take during the match, and blue
points, which are counted at the end. When the last green gem has left the board, the round is played to its end and
the highest total wins.

! The printed rulebook known to us stops before the locations. The board, prices, cards, events, legends and the solo
rival are our own edition, `house-1`; `echtra cards bardwood-grove` lists every card.

# Resources
| Letter | What | What for | Kept after the song |
| M | melody | help and soothe creatures, challenge rivals | no |
| L | lyrics | perform, tell legends | no |
| X | wild | each is 1 melody or 1 lyrics, decided when it is paid | no |
| V | volume | lower halves of Skills, conversions | yes, up to 10 |
| C | coins | buy Skills and Impros | yes |
| A | acoustic stones | each is 1 melody or 1 lyrics | yes |
| R | range stones | reach creatures and rivals at a distance | yes |
| MV | movement | bard and boat, 1 a step | no |
| T | tempo | turns the dial, a quarter each | the dial stays |
| G | green gems | 1 point each | yes |

Melody and lyrics are paid in their own kind first, then with wild, then with acoustic stones.

# The board
Twelve regions, a1 to c4, lie in three rows of four; neighbours share a side. Twenty-three locations lie on their
borders. A bard can use the locations of the region where it stands; several bards may share a region. All start in
c2.

| Kind | Which, and the regions they border |
| lairs (creatures) | Moss Gate a1 a2, Owl Cliff a3 a4, Bramble Hollow b1 c1, Reed Marsh b4 c4, Old Bridge c2 c3 |
| shops | Song School a2 b2 and String Workshop c3 c4 for Skills, Jam Cellar c1 c2 and Moon Tavern a3 b3 for Impros |
| stages | Open Stage b2 c2, Lakeside Bandstand a4 b4, Hollow Oak Theatre a1 b1, Grand Amphitheatre b3 c3 |
| legends | North Jetty a2 a3, Story Pier b3 b4 |
| bank | Bank b2 b3 |
| conversions | Bell Foundry b1 b2, Echo Cave a1, Poets’ Bench a4, Watchtower c1, Crystal Spring c4, Toll Gate b1 |
| market | Market Row b4 |

Pool I holds 5 gems per seat, pool II 7. Gems always come from pool I first, then from pool II, then from outside.

# Setting up
| What | How many |
| gems in pool I, in pool II | 5 for each seat, 7 for each seat |
| Fans at the Open Stage | 12 |
| Skills at each of the two shops for Skills | 6 |
| Impros at each of the two shops for Impros | 6 |
| legends of each level | 5, the first one face up |
| creatures of each lair | 2 small ones, then a boss |
| motif tokens | 6, or all if fewer are unlocked |
| events | 2: one for Act I, one for Act II |

With one or two seats, Moss Gate and Owl Cliff have only one small creature. Only the top card of a pile is visible. The
market begins at stall 1. Cards that are not laid out are not used in this match.

! The seat that begins is drawn; by the rulebook it is whoever holds a note longest. The numbers are the rulebook’s.

# Boxes and unlocking
Most cards lie in four season boxes, opened one after the other. The option `content` names the last open box: `base`
for none, then `spring`, `summer`, `autumn` and `winter` for all. What is open stays open.

| Box | Bard | Skills, Impros, Fans | And |
| base | four | 12 of each | 10 small creatures, 5 bosses, 15 legends, 4 motifs |
| spring | Harper | 3 of each | 2 small creatures, 1 boss, 2 motifs |
| summer | Flautist | 3 of each | 1 small creature, 1 boss, 3 legends, 2 motifs |
| autumn | Lutenist | 3 of each | 1 small creature, 2 motifs |
| winter | Fiddler | 3 of each | 2 small creatures, 1 boss, 3 legends, 2 motifs |

The rulebook knows three ways to open them. New content is added after a match, for the next one:

- express, two matches: the first without boxes; then all four seasons are open, and after the second match the Muses;
- normal, five matches: the first four are played with two events of Spring, Summer, Autumn and Winter, and the box of
that season is opened afterwards; the fifth has everything, then come the Muses;
- late, eight matches: each season is played twice, with all four of its events, before its box is opened.

Here you choose `content` for each match. A person’s first match has `content=base` and the events Spring Fair and
Snowmelt, unless you ask for others; that is the first match of the normal way.

! Which cards lie in which box is ours. The boxes and the ways to open them are the rulebook’s.

# Your bard
Each bard has an Instrument, which always lies in the song, six Skills, an Impro, a Super fan and a power of its own.
The seat that plays last chooses its bard first. You begin with the Instrument in the song, the Super fan in the
discard pile, volume 0, seven crests on your track, two runes at each quarter of the dial, and the boat on space 0 of
the river. You draw until you hold two Skills; any Impro you draw goes into the song.

! By the rulebook everybody chooses a bard freely. The order in which the seats choose is ours.

# A turn
A turn has three phases: Compose, Sing (only when a song is due) and Rest.

# Compose
You hold two Skills. `compose battle-cry big-boast` puts the first into the song, where it does nothing yet, and
discards the second, which pays its strip at once: volume, up to the end of the track, and tempo. Each tempo turns the
dial by a quarter, clockwise. Only the quarter where it stops pays:

| Quarter | Movement | Bonus, once both its runes are gone |
| upper right, ur | 1 | 1 coin |
| lower right, lr | 2 | 2 volume |
| lower left, ll | 3 | 1 movement |
| upper left, ul | 2 | 1 acoustic stone |

Between the upper left and the upper right lies the shelf with your song marker. When the dial passes it in Compose,
you sing in this turn. Then `move c3 1`: where the bard ends, and how many spaces the boat goes. Unused movement is
lost. Movement from any other phase is for the boat only, and is used automatically.

> The dial is at the upper left and both runes of the lower right are gone. You discard a Skill with 1 volume and 2
tempo: the dial passes the shelf and stops at the lower right. You sing in this turn and have 1 + 2 volume and 2
movement. You do not get the coin of the upper right, which was only passed.

# Sing
Everything on the Instrument, on the upper halves of the Skills and on the Impros in your song is gained at once. Only
the volume printed on these cards waits: `swell` adds as much of it as fits, whenever you like. Then you do what you
like, move by move and in any order, until `done`:

- `lower big-boast`: pay the volume of its lower half and gain it, each once;
- use the locations at your region, each once per song;
- challenge rivals, spend captured crests, brag, take one motif token, and take the offer of the event, if it has one.

`done` ends the song: waiting volume is added as far as it fits, melody, lyrics and wild are lost, all cards except
the Instrument go to the discard pile, and the marker goes back to the shelf.

> In the seat’s first song: Electric Lute M2 V1, War Whoop M2, Headbang M1, Big Boast L1. You have 5 melody, 1 lyrics
and 1 volume waiting. With 3 volume you use the lower half of Headbang, 2 melody for 2 volume, and soothe a creature
of value 5; then `done`: 1 volume is left, and the waiting one is added.

# Rest
You draw one card at a time until you hold two Skills. An Impro goes into the song. A Fan is discarded and gives one
of its two sides, `fan clapper 1`. A creature goes to your brag area and gives its benefits again. When the pile is
empty, the discard pile is shuffled. If the dial passes the shelf now, it takes the marker too, and you sing after
your next Compose.

# Creatures
Only the top creature of a lair can be reached; below it lie one or two more, and last a boss, with value 7 or more
and 3 points. In each song a lair can be used once, in one of these ways:

- `help moss-badger` for 1 melody: the leftmost crest of your track goes onto the card; you can have at most one
there. The space it leaves counts at the end: 1, 1, 1, 2, 2, 2 and 3 points from left to right.
- `soothe moss-badger` for its value in melody, 1 less for each crest on it, no matter whose. You gain its benefits,
and so does everybody else with a crest on it. Your own crest leaves the match, the others become yours. The card goes
to your brag area, on an empty space if there is one.
- `lull moss-gate` for 5 melody, where no creature is left: 1 gem.

A lair or a rival that is not at your region costs range stones for help, soothe and challenge: one for each step.

> Value 4, and a crest of a rival on it: you pay 3 melody. You and the rival gain the benefits, and the rival’s crest
is yours.

> You stand in c1 with 9 melody and 4 range stones. Helping at Bramble Hollow, which borders c1, costs no stone, at
the Old Bridge one step away 1, at Moss Gate two steps away 2. Then 1 stone is left, too little for the other two
lairs.

# Stages and legends
`perform open-stage ul` costs lyrics and a rune from a quarter of your choice. Each rune of yours already there makes
it cost 1 more; you can have at most three there.

! The higher price for your runes on a stage, and the maximum of three, are ours.

| Stage | Lyrics | Gain |
| Open Stage | 5 | 1 gem and the top Fan, into your discard pile |
| Lakeside Bandstand | 4 | 1 gem |
| Hollow Oak Theatre | 6 | 1 gem, 2 coins |
| Grand Amphitheatre | 8 | 2 gems, 1 acoustic stone |

`tell the-grand-tour ll` tells a legend that lies face up and that you have not told. It costs a rune too, and the
boat must be far enough along; afterwards it goes back to 0. The first rune on a legend brings up the next one of its
level.

| Level | Boat at least on | Lyrics | Gems at once | Points at the end, at most |
| I | 2 | 4 | 1 | 4 |
| II | 4 | 6 | 1 | 6 |
| III | 6 | 8 | 2 | 8 |

# Shops, bank, conversions, market
`buy riff` costs 2 coins for a Skill and 3 for an Impro; the card goes to your discard pile. `bank M2 L1` turns up to
3 melody or lyrics into as many coins. `trade bell-foundry` and the like convert:

| Where | What |
| Bell Foundry | 2 coins for 4 volume |
| Echo Cave, Poets’ Bench | 2 volume for 2 melody, for 2 lyrics |
| Watchtower, Crystal Spring | 2 volume for 2 range stones, for 1 acoustic stone |
| Toll Gate | 4 volume for 2 coins |
| Market Row, stalls 1 to 6 | V2 for C2, C1 for A1, M2 for A1 R1, A1 for C3, L4 for G1, C4 for G1 |

! The effect of the bank is ours: the rulebook known to us only names it.

The market has one stall open; after each trade the next one opens, after the sixth the first. The number is part of
the move: `trade market-row 1`.

# Rivals, crests and bragging
- `challenge 1` for 3 melody, each rival once in a song: the leftmost crest of that track is yours. The rival
cannot answer, and the space it leaves counts for the rival.
- `spend gem` for 2 captured crests, or `spend coins` (2), `spend volume` (4) or `spend stones` (one of each kind) for
1.
- `brag 1` or `brag 2`, once in a song: the creatures of that space go to your discard pile, 1 volume for each. From
there they come back in a Rest, with their benefits.

! That each rival can be challenged once in a song, for crests that buy something, is in the rulebook. The price of a
challenge, the crest it takes and what crests buy are ours. So is everything about bragging except its two spaces: we do
not know that page.

# Motifs
A motif token on the board can be taken, `motif double-calm`, when its condition holds at that moment; one per song.
The first to take it gets its gems.

# Events
Each season has four events. A match has two: both of one season, or the first of a season and the second of the next
one; Spring follows Winter. The option `events` names them, as in `events=spring-fair,snowmelt`; without it chance
draws them. The event of Act I applies until pool I is empty, then that of Act II, at once, even in the middle of a
song. An Offer can be taken once in each song, wherever you are: `offer gem-fair`.

| Season | Event | Effect |
"""
    + event_rows("en")
    + """

> Pools 1 and 14. A stage gives 2 gems: one from each pool. The event has changed, and your next purchase in the same
song already costs what the new one says.

! The effects of the events are ours. The way to choose them is the rulebook’s.

# Muses
With the option `muse`, each person gets a Muse before the match, for everybody to see. It counts blue points at the
end. Muses are for people who know the game: agree on them before the match.

| Muse | Blue points at the end |
"""
    + muse_rows("en")
    + """

! The points of the Muses are ours: the rulebook known to us only names their box.

# The end
When no gem is left in the pools, the round is played to its end, up to the seat before the first one, and then
everything is counted:

- 1 point for each green gem;
- the spaces uncovered on your crest track;
- the points of all cards you have won or bought, wherever they are: 1 for a Skill, an Impro or a Fan, 1 or 2 for a
small creature, 3 for a boss;
- the legends you told, and your muse, if the match is played with muses.

In a tie, more green gems win, then more coins; otherwise the win is shared.

! The rulebook known to us says neither whether the round is finished nor who wins a tie. Both rules are ours.

> 11 gems, 5 crests gone from the track (1 + 1 + 1 + 2 + 2), cards worth 8, and three legends with 2, 2 and 6: 36
points.

# Alone against the rival
With the option `rival`, the second seat is a rival without a bard. After each of your turns it turns up one or two of
its twelve cards and does what they say, without paying: it soothes what its power allows, performs, tells, takes
cards and crests. Each time its cards have all been used, its power, 4 at the start, rises by 1. At the end it has its
gems, the points of its cards, and 5 more, or 10 at the hard level.
""",
    "en",
)
