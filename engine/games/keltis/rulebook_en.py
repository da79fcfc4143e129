"""The whole rules of Keltis in English."""

from __future__ import annotations

from engine.rulebook import read_rulebook

RULEBOOK = read_rulebook(
    """\
# Overview
Two to four players lay cards in rows, one row for each of five colours. A long row earns points, a short one costs
points. Along the way you collect wish stones, and too few of them cost points too. The highest total wins.

# The cards
| Code | Cards | How many |
| R Y G B P and 0 to 10 | value cards: red, yellow, green, blue, pink | 80 |
| RE YE GE BE PE | End cards, two of each colour | 10 |
| N0 to N10 | Point cards, grey, one of each value | 11 |
| 1 to 9 | wish stones, which are never shuffled | 9 |

In each colour, 0, 1, 2, 8, 9 and 10 occur once, and 3 to 7 twice. Value cards and End cards are the colour cards; a
Point card has a value but no colour.

# Setup
The nine wish stones lie open in a line. The other 101 cards are shuffled, everybody is dealt eight, and the rest form
the deck. With two players, 30 cards are taken out first; nobody knows which.

| Players | Out of the game | Dealt | Deck |
| 2 | 30 | 16 | 55 |
| 3 | 0 | 24 | 77 |
| 4 | 0 | 32 | 69 |

! The player who begins is drawn at random, unless the option `start` names a seat. In tournaments the
first player begins.

# A turn
A turn is exactly one play and then the draw. You may not skip either. There are four plays:

- Lay a colour card on your own row of its colour: `lay R5`.
- Lay a Point card on your Point row, `lay N5`, or on one of your colour rows, `lay N5 R`.
- Discard one card, face up, on the pile of its colour: `discard B9`. Point cards have a pile of their own.
- Discard two cards of the same value and take the wish stone with that number: `stone R6 N6`.

Cards on the table stay where they are, and you play only on your own rows.

# What fits on a row
- An empty row takes any value.
- A value equal to the last one always fits.
- The first value that differs from the one before decides whether the row goes up or down. From then on it keeps to
  that direction. Steps may be as large as you like.
- An End card fits whenever its row has fewer than two. After an End card only the second End card of that colour fits.
- A Point card fits on a colour row if its value is that of the last value card there and the row has no End card. It
  makes the row one card longer and changes nothing else. It does not score its own point as well.
- On the Point row every Point card fits, in any order.

| Your row | Card | Does it fit? |
| R: empty | R0 | yes |
| R: 3 3 | R6 | yes, and now the row goes up |
| R: 3 3 6 7 7 | R6 | no, the row goes up |
| R: 9 8 8 5 3 | R4 | no, the row goes down |
| R: 9 8 8 5 3 | R3 | yes, an equal value |
| B: 4 5 | N5 | yes |
| B: 4 5 | N4 | no, the last value is 5 |
| B: 4 5 E | B6 | no, only the other BE |

! An End card may be the first card of a row. That costs 4 points and only helps to end the match sooner; the option
`end-may-open off` forbids it.

# Wish stones
The two cards you discard need the same value, not the same colour, and one of them may be a Point card. The stone must
still be in the line; then it is yours for good. End cards have no value, and there is no stone for 0 or 10. You may
discard two cards at once only to take a stone.

> You hold R6 and N6, and stone 6 is in the line. `stone R6 N6` puts R6 on the red pile and N6 on the Point pile, you
take stone 6, and then you draw two cards, but neither from the red pile nor from the Point pile.

# The draw
After one card you draw one, after a stone two, so that you hold eight again. Each comes from the deck, `draw deck`, or
from the top of a discard pile, `draw Y`. A pile on which you discarded in this turn is closed to you until your next
one. After a stone you see your first card before you choose where the second one comes from.

# The end
The match stops

- at once when five rows hold an End card, whoever owns them; a second End card in the same row does not count again,
  and the player who laid the fifth does not draw;
- or when the last card of the deck has been drawn.

There are no further turns. Everybody may now lay up to two cards from their hand on their own rows, by the usual rules:
`last N5:R R6`, or `last none`. No discards, no stones, no draw.

> Two of your rows and two of your rival’s have End cards. A second one on your red row changes nothing and you draw as
always. When your rival then lays one on a third row, that is the fifth row: the match stops at once.

! All players choose their last cards at the same time, and nobody sees them until all have answered. If a stone turn
takes the last card of the deck, the second card must come from an open pile, if there is one.

# Scoring
| Cards in a row | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 or more |
| Points | -4 | -3 | -2 | 1 | 2 | 3 | 6 | 7 | 10 |

| Wish stones | 0 | 1 | 2 | 3 | 4 | 5 or more |
| Points | -4 | -1 | 0 | 4 | 6 | 10 |

All cards of a row count, including End cards and Point cards. A colour you never started scores nothing, and a row
needs no End card to score. Each card of the Point row is worth 1. Cards left in hand are worth nothing. The highest
total wins; equal totals share the win.

> Rows of 7, 4, 2 and 9 cards, three cards on the Point row, three stones: 6 + 1 - 3 + 10 + 3 + 4 = 21.

> At the end your red row is 2 3 5 and you still hold N5 and R6. `last N5:R R6` makes it five cards long: 2 points
instead of -2.

# Three tips
- Do not begin every colour. A row that stays under four cards costs points.
- Values 3 to 7 have eleven cards each, so pairs for their stones come easily.
- An End card lengthens a row whatever its last value: keep it for the step from three to four cards, or from six to
  seven.
""",
    "en",
)
