"""The whole rules of Tír na nÓg in English."""

from __future__ import annotations

from engine.rulebook import read_rulebook

RULEBOOK = read_rulebook(
    """\
# Overview
You send three Storytellers into the Otherworld, a grid of cards. Each brings one card home. With the cards you build a
Saga, which is three rows of five. Each row scores by its own Geas, a rule that all players share; regions of one colour
score too. After five rounds the highest total wins.

# The cards
There are 96 Encounter cards. Each has one of four colours (blue, green, red, yellow) and a value from 0 to 8; 32 of
them also have an effect, and 11 carry the Ailm symbol. An effect works while the card lies in your Saga, never from
your hand; only Mag Mell is the other way round.

! No list of the printed cards is public. Names and some effects come from the rulebooks; most values, most colours,
nine whole kinds of card and eight of the twelve Geas are our reconstruction. `echtra cards tir-na-nog` and the page of
the game tell you for each card what is known and what is ours.

# Setup
Everybody is dealt five cards. Then the Otherworld is laid out, three rows high and one column wider than there are
players; with two players the middle stays empty.

| Players | Grid | Cards | Spaces |
| 2 | 3 by 3, without the middle | 8 | 8 |
| 3 | 3 by 4 | 12 | 17 |
| 4 | 3 by 5 | 15 | 22 |
| 5 | 3 by 6 | 18 | 27 |

A cell is named by its row from the top, a to c, and its column from the left, 1 to 6. The space between two cards has
the names of both: `a1a2`. Three Geas are chosen for all, one each for the top, the middle and the bottom row. For your
first match, use the three of the first game, with the option `geas first`.

! The rulebooks count 60 Geas cards, 12 for each of five players, and call them double-sided; whether that means 12
different Geas or 24 faces is not settled. We have 12, four for each row.

# First phase: Journey
Starting with the first player and going clockwise, everybody places one Storyteller at a time, three in all: `place
a1a2`. A Storyteller stands in a free space between two cards that lie side by side or one above the other; never on a
corner, on the outer edge, or, with two players, at the empty middle.

# Second phase: Saga
This phase goes the other way round. The player to the right of the first player begins, and play goes
counter-clockwise. On your turn you do two things:

- Take a card that one of your Storytellers touches; that Storyteller goes home: `take a1 a1a2`.
- Play one card of your hand, this one or another, to a row of your Saga: `play lugh top`. It goes to the first empty
  place of the row from the left, so a hole is filled first.

A row that has five cards takes no more. Some Geas also forbid certain cards. If you cannot play any card, you discard
one instead, without its effect.

# Lost Storytellers and the Echtra Quest
A Storyteller whose cards have all been taken is Lost. If all of yours that are out are Lost, your turn is skipped for
now. When only Lost ones are left in the Otherworld, their owners go on the Echtra Quest: still counter-clockwise, each
takes any card of the Otherworld for a Lost Storyteller, who goes home, and plays a card. So everybody plays three cards
in each round.

# Third phase: Cleanup
Everybody discards one card and keeps as many as there are rounds left: four after the first round. Players who already
have the right number, after Mag Mell, skip this. The rest of the Otherworld is discarded, a new grid is laid, and the
first player’s token goes to the left. After the fifth round the score is counted. When the deck runs out, the discards
become the new deck.

! Everybody chooses at the same time, and the cards are shown when the last choice is in.

# Neighbours, holes and moving
Two cards of a Saga are neighbours if they lie directly side by side in a row, or directly one above the other in the
same column. A card has at most four neighbours; corners do not count, a card is not its own neighbour, and the top and
bottom rows do not touch. An empty place is nobody’s neighbour.

A hole is an empty place with a card further right in the row. Effects can make one. A hole scores nothing and breaks
everything that runs through it: stretches, connections, regions, and the comparison with the card on the left.

> The row 3, hole, 5, 6 under Oisín’s Journey: the 3 scores as the first card, the 5 does not, since it has no card on
its left, and the 6 beats the 5. That makes 9.

Moving or swapping a card that lies in your Saga is not playing it. Its When Played effect does not apply again, the
Geas cannot forbid it, and it may be the sixth card of a row. Tokens on the card move with it.

# Effects and when they work
| Timing | When |
| When Played | once, when you play the card to your Saga |
| Ongoing | always while it lies there; recalculated after every change |
| Journey Phase, Saga Phase | in your turn of that phase, or as the card says |
| Scoring | at the end, before anything is counted |

An effect must be carried out if possible, unless it says “may”. Use `stay` to decline it. A value can rise above 8 but
never falls below 0. If several effects apply at once, you choose their order.

! Which When Played effects say “may” and which “must” is our reconstruction: here all of them say “may”, except
Clúrachán Brewery, which must take the colour of a neighbour.

! The rulebooks do not say whose Storyteller Dobhar-chú Loch moves. Here it is any one in the Otherworld, of any player,
Lost ones included.

! The rulebooks do not say how often Brú na Bóinne lets a Storyteller share a space. Here it is once each Journey Phase.

! Leipreachán Cobblers may change rows, but the rulebooks do not say where they land. Here they take the first open
place of the other row, from the left.

! About Mag Mell the rulebooks only say that it works when it is discarded from the hand. Its effect is ours: in an
ordinary Saga turn, before you take, you discard it and take any card of the Otherworld with any of your Storytellers.

! That Far Darrig has the same value as the card on its left is our reading; the rulebooks say only that its value comes
from there and that it keeps its 2 if there is no card.

# Scoring the rows
First come Scoring effects, clockwise from the next first player. Then each row scores by its Geas; only the cards of
that row count, unless the Geas says otherwise, and always with the values and colours they have now. To score a card
means to get as many points as its value.

| Geas of the first game | Scores |
| top: Oisín’s Journey | the first card, and each card higher than the one on its left |
| middle: Fionn and the Salmon | each card lower than the one on its left |
| bottom: Cathbad’s Divination | equal values: two cards 4, three 10, four 18, five 28 |

Legend of Knockgrafton, for the middle row, scores each card with the second-highest value of its column. What counts is
the value, not the place: two cards that share the highest are both highest.

| Column: top, middle, bottom | Knockgrafton scores |
| 8, 5, 1 | 5 |
| 8, 8, 1 | nothing: the middle 8 is highest too, and the 1 is in the wrong row |
| 5, 5, 5 | nothing: there is no second-highest value |
| empty, 4, 6 | 4 |

! A middle card that shares the second-highest value with another scores here; the rulebooks mention only the highest.

# Scoring the regions
A region is a group of at least two cards of one colour, connected as neighbours. For each colour the players compare
their largest regions. A player wins at most one award for each colour.

| Players | Largest | Second | Third |
| 2, or alone against Balor | 8 | 3 | - |
| 3 to 5 | 8 | 3 | 1 |

Players who tie get half of their award and half of the next one each, both rounded down, and nobody else gets that next
one. With two players a tie is worth 4 + 1 = 5 each.

> Four players with regions of 6, 6, 4 and 3 cards: 4 + 1 = 5 for each of the first two, then 1 for the third.

! The rulebooks give the awards for two players, and a picture shows three awards for more players without readable
figures. An example with several players pays 8 and 3. The 1 is ours, and so is the rule that three who tie share two
awards. Matches of the edition house-2 keep theirs: 8 and 3 with three players, 8, 5 and 2 with four and five.

> A complete example. Top 7 2 5 6 8: 7 + 5 + 6 + 8 = 26. Middle 6 4 5 4 2: 4 + 4 + 2 = 10. Bottom 3 3 1 3 6: three cards
of value 3, so 10. A red region of seven cards is the largest, 8, and a green one of three the second, 3. Together 57.

The highest total wins. Among players who tie, the one with the largest region of any colour wins; if they still tie,
they share the win.

# Alone against Balor
Balor has no hand and no Saga, only a pile of the cards he takes. You put his marker on a space once; the space stays
free. He acts first in both phases. Before each of his turns a card of the deck is turned over; if it has an Ailm, his
reference card flips between Highest and Lowest. It also flips at each Cleanup.

- Journey: he stands in the free space with the highest sum of its two cards, or with the lowest.
- Saga: he takes the highest, or lowest, card that he touches; on his Echtra Quest the highest or lowest of all.
- He looks at printed values only. Ties go to what comes first clockwise from the marker.

> Clockwise from a1 the ring reads 7 6 3 2 5 5 2 1, his card shows Highest, the marker is on a2a3. He stands on a1a2,
for 7 + 6 = 13. You take a2a3. Then he stands on c2c3, for 5 + 5 = 10. In the Saga Phase he takes the 7 first, and then
of the two fives the one at c3, which comes first clockwise from the marker.

At the end Balor scores the solo score of each Geas, and each colour of his pile counts as a region. Before that you
discard cards from his pile: 3 if he is easy, 2 normal, 1 hard, none impossible.

! The level gentle is ours, for newcomers: you discard 5 cards.

! No rulebook gives the solo scores of the Geas; ours are set by matches of our bots. They are the same at every level,
so only the discard makes Balor easier. The page on bots says how often each of them beats him.
""",
    "en",
)
